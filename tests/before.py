"""identify --before: rotations of queries and keys, made here by NumPy.

Each table is rotated by formulas of this file, in float32 as models do it, or in
float64. The command that is reported must make the rotated table again, up to the
arithmetic or noise that was put in, and have the parameters of the rotation. Tables
that no rotary embedding made must not be named. TAP on standard output.

before.py [full]: all combinations; by default a few, of each kind.
"""

import io
import itertools
import json
import os
import shlex
import subprocess
import sys
import tempfile

import numpy as np

POSENC = os.path.abspath(os.path.join(os.environ.get("B", "build"), "posenc"))
SCRATCH = tempfile.TemporaryDirectory()


def frequencies(rotary, base=10000.0, scaling=None):
    """Frequencies of the pairs and the attention factor."""
    w = base ** (-np.arange(0, rotary, 2, dtype=np.float64) / rotary)
    if not scaling:
        return w, 1.0
    kind, factor, length = scaling
    if kind == "linear":
        return w / factor, 1.0
    if kind == "ntk":
        base *= factor ** (rotary / (rotary - 2))
        return base ** (-np.arange(0, rotary, 2, dtype=np.float64) / rotary), 1.0
    if kind == "llama3":
        wavelength = 2 * np.pi / w
        smooth = np.clip((length / wavelength - 1) / 3, 0, 1)
        return (1 - smooth) * w / factor + smooth * w, 1.0
    bound = [rotary * np.log(length / (turns * 2 * np.pi)) / (2 * np.log(base)) for turns in (32, 1)]
    low, high = max(np.floor(bound[0]), 0), min(np.ceil(bound[1]), rotary - 1)
    ramp = np.clip((np.arange(rotary // 2) - low) / (high - low), 0, 1)
    return w / factor * ramp + w * (1 - ramp), 0.1 * np.log(factor) + 1


def rotate(x, at, w, pairs="half", factor=1.0, sign=1, dtype=np.float32):
    """Rotate the last axis of x [..., n, R] by positions at [n]."""
    angle = np.asarray(at, dtype=dtype)[:, None] * w.astype(dtype)
    c, s = (np.cos(angle) * dtype(factor)).astype(dtype), (np.sin(angle) * dtype(factor) * sign).astype(dtype)
    y = np.empty(x.shape, dtype)
    x = x.astype(dtype)
    half = x.shape[-1] // 2
    a, b = ((np.s_[..., :half], np.s_[..., half:]) if pairs == "half"
            else (np.s_[..., 0::2], np.s_[..., 1::2]))
    y[a] = x[a] * c - x[b] * s
    y[b] = x[b] * c + x[a] * s
    return y


def identify(before, after):
    """Exit status and report."""
    paths = [os.path.join(SCRATCH.name, name) for name in ("q.npy", "q_rotated.npy")]
    for path, table in zip(paths, (before, after)):
        np.save(path, table)
    run = subprocess.run([POSENC, "identify", "--before", *paths, "--json", "-"],
                         capture_output=True)
    if run.returncode not in (0, 1):
        raise RuntimeError(run.stderr.decode().strip())
    return run.returncode, json.loads(run.stdout)


def again(report):
    """The table that the reported command makes."""
    words = shlex.split(report["scheme"]["command"].replace("bfloat16", "float32"))[1:]
    made = subprocess.run([POSENC, *words, "--npy", "-"], capture_output=True, check=True)
    return np.load(io.BytesIO(made.stdout))


def bfloat16(x):
    bits = np.ascontiguousarray(x, dtype=np.float32).view(np.uint32)
    bits = bits + np.uint32(0x7fff) + (bits >> np.uint32(16) & np.uint32(1))
    return (bits & np.uint32(0xffff0000)).view(np.float32)


PAIRS = {"half": "", "interleaved": "--pairs interleaved"}
STORED = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": bfloat16}


class Case:
    """A rotation: shape, layout, positions, law, and how it is stored."""

    def __init__(self, rng, options="", n=24, heads=1, dim=64, rotary=None, last=False, pairs="half",
                 at=None, base=10000.0, scaling=None, sign=1, shape="rows", stored="f32",
                 noise=0.0):
        self.options = " ".join(options.split())
        rotary = rotary or dim
        self.about = f"{self.options or 'default'}, {shape} of {heads} x {dim}, {stored}, noise {noise}"
        at = np.arange(n) if at is None else np.asarray(at)
        w, factor = frequencies(rotary, base, scaling)
        store = STORED[stored]
        x = store(rng.normal(size=(heads, len(at), dim)))
        y = x.astype(np.float64 if stored == "f64" else np.float32)
        part = np.s_[..., dim - rotary:] if last else np.s_[..., :rotary]
        y[part] = rotate(x[part], at, w, pairs, factor, sign,
                         np.float64 if stored == "f64" else np.float32)
        y = y + noise * rng.normal(size=y.shape)
        self.unit = {"f64": 1e-15, "f32": 1e-7, "f16": 1e-3, "bf16": 8e-3}[stored]
        self.unit = self.unit + noise + 2e-7 * np.abs(at).max()
        self.x, self.y = (self.lay(t, shape) for t in (x, store(y)))

    @staticmethod
    def lay(t, shape):
        """[heads, n, dim] in another order."""
        if shape == "side":
            return np.ascontiguousarray(t.transpose(1, 0, 2)).reshape(t.shape[1], -1)
        if shape == "inner":
            return np.ascontiguousarray(t.transpose(1, 0, 2))
        return t if len(t) > 1 else t[0]

    def wrong(self):
        """What is wrong with the answer, or None."""
        status, report = identify(self.x, self.y)
        if status:
            return report["answer"]
        command = report["scheme"]["command"]
        made = again(report)
        off = np.abs(made.astype(np.float64) - self.y).max()
        if made.shape != self.y.shape or off > 8 * self.unit * np.abs(self.y).max():
            return f"{command} is off by {off}"
        words = command.split()[2:]
        for option in ("--apply", "--dtype"):
            if option in words:
                del words[words.index(option):words.index(option) + 2]
        rest = " ".join(words)
        if rest != self.options:
            return f"expected '{self.options}', got '{rest}'"
        return None


def some(full, *axes):
    """All combinations of the axes; unless full, a few with each of their values."""
    if full:
        return list(itertools.product(*axes))
    return list(zip(*(itertools.islice(itertools.cycle(axis), max(map(len, axes))) for axis in axes)))


def layouts(rng, full):
    """Heads and the part of them that rotates."""
    heads = [
        ("", dict()), ("", dict(heads=3)), ("--along planes", dict(heads=3, shape="inner")),
        ("--dim 32", dict(heads=3, shape="side")), ("--dim 32", dict(heads=2, shape="side", n=40))]
    parts = [("", dict()), ("--rotary-dim 8", dict(rotary=8)), ("--rotary-dim 16", dict(rotary=16)),
             ("--rotary-dim 24", dict(rotary=24)),
             ("--rotary-dim 8", dict(rotary=8, last=True)),
             ("--rotary-dim 24", dict(rotary=24, last=True))]
    for ((layout, a), (part, b)), pairs in itertools.product(some(full, heads, parts), PAIRS):
        offset = f"--rotary-offset {32 - b['rotary']}" if "last" in b else ""
        dim, along = (layout, "") if "dim" in layout else ("", layout)
        yield Case(rng, f"{dim} {part} {PAIRS[pairs]} {along} {offset}", dim=32, pairs=pairs, **a, **b)


def stores(rng, full):
    """Dtypes, of several rotations."""
    kinds = [("--base 500000 {}", dict(base=5e5, n=128, dim=64 if full else 16)),
             ("--start 100 {}", dict(at=range(100, 140))), ("{} --reversed", dict(sign=-1, heads=2)),
             ("--start 3000 {}", dict(at=[3000], dim=128, heads=4))]
    for (stored, (options, more)), pairs in itertools.product(some(full, list(STORED), kinds), PAIRS):
        yield Case(rng, options.format(PAIRS[pairs]), stored=stored, pairs=pairs, **more)


def scalings(rng, full):
    ways = [("--scaling {}", dict(n=200)), ("--scaling {} --reversed", dict(n=200, sign=-1)),
            ("--dim 64 --base 1000000 --pairs interleaved --scaling {}",
             dict(n=100, base=1e6, heads=2, shape="side", pairs="interleaved"))]
    scaled = [("linear:4", ("linear", 4, 0)), ("ntk:8", ("ntk", 8, 0)),
              ("llama3:8,8192", ("llama3", 8, 8192)), ("yarn:4,4096", ("yarn", 4, 4096))]
    for (text, scaling), (options, more) in some(full, scaled, ways):
        yield Case(rng, options.format(text), scaling=scaling, **more)


def positions(rng, full):
    lists = [[0, 0, 0, 1, 2, 3, 4, 5, 6], [1, 1, 0, 1, 2, 3, 4], [0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 3, 4],
             [5, 900, 31, 4, 2000, 17]]
    for at, (along, more) in some(full, lists, [("", {}), (" --along planes",
                                                          dict(heads=4, shape="inner"))]):
        yield Case(rng, "--positions " + ",".join(map(str, at)) + along, at=at, **more)
    yield Case(rng, "--start 9 --step -1", at=range(9, -1, -1))
    yield Case(rng, "--step 3", at=range(0, 60, 3))


def noises(rng, full):
    kinds = [("", dict(n=64)), ("--start 7", dict(at=range(7, 70), heads=4)),
             ("--rotary-dim 32", dict(rotary=32, n=64))]
    for noise, (options, more) in some(full, [1e-5, 1e-4, 1e-3], kinds):
        yield Case(rng, options, noise=noise, **more)


def cases(rng, full):
    """Rotations, each with the options that describe it."""
    for kind in (layouts, stores, scalings, positions, noises):
        yield from kind(rng, full)


def low_precision(rng, full):
    """Rotations whose arithmetic was rounded to bfloat16, each with its emulation."""
    tables = [(32, 300, 5e5, "f16"), (128, 600, 1e6, "bf16"), (64, 64, 1e4, "f32")]
    for (dim, n, base, stored), name in some(full, tables, ["all", "freqs", "angles", "positions"]):
        x = STORED[stored](rng.normal(size=(2, n, dim)))
        w, at = frequencies(dim, base)[0], np.arange(n)
        angle = {"freqs": at[:, None] * bfloat16(w).astype(np.float64),
                 "positions": bfloat16(at)[:, None].astype(np.float64) * w,
                 "angles": bfloat16(at[:, None].astype(np.float32) * w.astype(np.float32)),
                 "all": bfloat16(bfloat16(at)[:, None] * bfloat16(w)[None])}[name]
        c, s = np.cos(angle.astype(np.float64)), np.sin(angle.astype(np.float64))
        if name == "all":
            c, s = bfloat16(c), bfloat16(s)
        a, b = x[..., :dim // 2].astype(np.float32), x[..., dim // 2:].astype(np.float32)
        y = STORED[stored](np.concatenate([a * c - b * s, a * s + b * c], axis=-1).astype(np.float32))
        harmless = name == "positions" and n < 257
        yield f"{name} of {n} x {dim}, {stored}", x, y, None if harmless else "--emulate bf16-" + name


def wrong_precision(x, y, want):
    status, report = identify(x, y)
    if status:
        return report["answer"]
    command = report["scheme"]["command"]
    if want not in command if want else "--emulate" in command:
        return command
    return None


def orthogonal(rng, d):
    q, r = np.linalg.qr(rng.normal(size=(d, d)))
    return q * np.sign(np.diag(r))


def foils(rng, n, d):
    """Tables that no rotary embedding makes of x."""
    x = rng.normal(size=(n, d)).astype(np.float32)
    h = d // 2

    def turned(angle):
        c, s = np.cos(angle), np.sin(angle)
        return np.hstack([x[:, :h] * c - x[:, h:] * s, x[:, h:] * c + x[:, :h] * s])

    pairs = rng.uniform(-np.pi, np.pi, size=(1, h))
    rows = rng.uniform(-np.pi, np.pi, size=(n, 1))
    speed = np.sort(rng.uniform(0.01, 1, size=h))[::-1]
    return x, {
        "random": rng.normal(size=(n, d)), "scaled": x * 1.5, "negated": -x,
        "noisy": x + 1e-3 * rng.normal(size=x.shape), "orthogonal": x @ orthogonal(rng, d),
        "permuted": np.roll(x, 3, axis=1), "columns scaled": x * rng.uniform(0.5, 2, size=d),
        "rows moved": np.roll(x, 1, axis=0), "one angle per pair": turned(pairs),
        "one angle per row": turned(rows), "any angles": turned(rng.uniform(-3, 3, size=(n, h))),
        "speeds of no law": turned(np.arange(n)[:, None] * speed),
        "sinusoid added": x + np.sin(np.arange(1, n + 1)[:, None] * 0.8 ** np.arange(d))}


def named(rng, full):
    """Foils that were named; how many there were."""
    bad, count = [], 0
    for n, d in [(1, 2), (1, 8), (1, 64), (2, 4), (3, 8), (8, 6), (40, 64), (64, 2)]:
        x, tables = foils(rng, n, d)
        for name, y in tables.items():
            for store in (np.float32, np.float16) if full else (np.float32,):
                status, report = identify(x, y.astype(store))
                count += 1
                if status == 0:
                    bad.append(f"{name} {n} x {d}: {report['answer']}")
    return bad, count


def main():
    rng, full = np.random.default_rng(8), "full" in sys.argv[1:]
    failed = 0
    chosen = list(cases(rng, full))
    for i, case in enumerate(chosen[::1 if full or "FULL" in os.environ else 2], 1):
        why = case.wrong()
        failed += why is not None
        print(f"{'not ok' if why else 'ok'} {i} - identify --before: {case.about}"
              + (f": {why}" if why else ""))
    for name, x, y, want in low_precision(rng, full):
        why = wrong_precision(x, y, want)
        failed += why is not None
        i += 1
        print(f"{'not ok' if why else 'ok'} {i} - identify --before: bfloat16 {name}"
              + (f": {why}" if why else ""))
    bad, count = named(rng, full)
    print("\n".join("# " + line for line in bad))
    print(f"{'not ok' if bad else 'ok'} {i + 1} - none of {count} tables of other kinds is named")
    print(f"1..{i + 1}")
    return failed + len(bad) > 0


if __name__ == "__main__":
    sys.exit(main())
