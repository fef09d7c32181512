"""Faults of porting, planted by formulas of NumPy, that compare must name.

Each case has a right table, the table of a faulty port and what the answer must say.
Where the answer names a change, the change undone makes the right table again, byte
for byte, unless the answer says how far it is; where it names commands, they make both
tables. Pairs of tables that no change explains must not be explained. TAP on standard
output; words select cases by their names.
"""

import io
import json
import os
import shlex
import subprocess
import sys
import tempfile

import numpy as np

POSENC = os.path.abspath(os.path.join(os.environ.get("B", "build"), "posenc"))
RANDOM = np.random.default_rng(19)
N, D = 64, 64
CASES = []


def fault(name, right, faulty, says, undo=None):
    """says: parts of the answer; undo: the faulty table made right, or None: commands."""
    CASES.append((name, np.asarray(right), np.asarray(faulty), says, undo))


def single(x):
    return np.ascontiguousarray(np.asarray(x, dtype=np.float64).astype(np.float32))


def positions(n, start=0):
    return np.arange(start, start + n, dtype=np.float64)[:, None]


def series(dim, base=10000.0, power=2.0, divisor=None):
    return base ** (-power * np.arange(dim // 2, dtype=np.float64) / (divisor or dim))


def interleaved(angles):
    """[sin, cos, sin, cos, ...]"""
    return single(np.stack([np.sin(angles), np.cos(angles)], 2).reshape(len(angles), -1))


def split(angles):
    """[sin ... | cos ...]"""
    return single(np.concatenate([np.sin(angles), np.cos(angles)], 1))


def cossin(angles, factor=1.0):
    """[cos ... | sin ...]"""
    return single(np.concatenate([np.cos(angles), np.sin(angles)], 1) * factor)


def bfloat16(x):
    bits = np.asarray(x, dtype=np.float32).view(np.uint32)
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return bits.astype(np.uint32).view(np.float32).astype(np.float64)


def swap_halves(x):
    h = x.shape[1] // 2
    return np.concatenate([x[:, h:], x[:, :h]], 1)


def to_split(x):
    return np.concatenate([x[:, 0::2], x[:, 1::2]], 1)


def to_interleaved(x):
    h = x.shape[1] // 2
    return np.stack([x[:, :h], x[:, h:]], 2).reshape(x.shape)


def swap_pairs(x):
    return x.reshape(len(x), -1, 2)[:, :, ::-1].reshape(x.shape)


def layouts():
    angles = positions(N) * series(D)
    pe, halves, rope = interleaved(angles), split(angles), cossin(angles)
    cos = single(np.cos(angles))
    fault("split columns in place of interleaved ones", pe, halves,
          ["B is A with its columns split"], to_interleaved)
    fault("interleaved columns in place of split ones", halves, pe,
          ["B is A with its columns interleaved"], to_split)
    fault("sines and cosines swapped, interleaved", pe, swap_pairs(pe),
          ["B is A with neighbouring columns swapped"], swap_pairs)
    fault("sines and cosines swapped, in halves", rope, swap_halves(rope),
          ["B is A with the halves of its columns swapped"], swap_halves)
    fault("complex pairs in place of [cos | sin]", rope, to_interleaved(rope),
          ["B is A with its columns interleaved"], to_split)
    fault("repeat_interleave in place of repeat", np.tile(cos, 2), np.repeat(cos, 2, 1),
          ["B is A with its columns interleaved"], to_split)
    fault("repeat in place of repeat_interleave", np.repeat(cos, 2, 1), np.tile(cos, 2),
          ["B is A with its columns split"], to_interleaved)
    fault("row vectors in place of column vectors", pe, pe.T, ["B is A transposed"], np.transpose)


def frequencies():
    angles = positions(N) * series(D)
    pe, rope = interleaved(angles), cossin(angles)
    fault("base 500000 lost", cossin(positions(N) * series(D, 5e5)), rope,
          ["they differ in base (500000 and 10000)"])
    fault("base 1000 in place of 10000", pe, interleaved(positions(N) * series(D, 1000)),
          ["they differ in base (10000 and 1000)"])
    fault("4k/d in place of 2k/d", pe, interleaved(positions(N) * series(D, power=4)),
          ["base (10000 and 100000000)", "100000000 is 10000 to the power of 2",
           "exponents of B's frequencies are those of A's times 2"])
    fault("k/d in place of 2k/d", pe, interleaved(positions(N) * series(D, power=1)),
          ["base (10000 and 100)", "100 is 10000 to the power of 0.5",
           "exponents of B's frequencies are those of A's times 0.5"])
    fault("denominators half - 1 in place of half",
          split(positions(N) * series(D, divisor=D)),
          split(positions(N) * series(D, divisor=D - 2)),
          ["they differ in denom (dim and half-1)"])
    fault("dimensions of the head in place of the rotated ones",
          cossin(positions(N) * series(32)), cossin(positions(N) * series(64)[:16]),
          ["they differ in base (10000 and 100)"])
    fault("all dimensions rotated in place of half of them",
          cossin(positions(N) * series(32)), rope, ["they differ in dim (32 and 64)"])
    fault("an odd dimension rounded up", *(interleaved(positions(N) * 10000 ** (
        -2.0 * np.arange(17) / d))[:, :33] for d in (33, 34)),
          ["they differ in odd (sine and round-up)"])


def llama3(w, factor, low=1.0, high=4.0, length=8192):
    """The frequencies of Llama 3.1: slow ones are divided, those between are mixed."""
    turns = length * w / (2 * np.pi)
    mix = np.clip((turns - low) / (high - low), 0, 1)
    return w * mix + w / factor * (1 - mix)


def yarn(dim, factor, length, base=10000.0, fast=32.0, slow=1.0):
    """Frequencies, and the attention factor."""
    low, high = (dim * np.log(length / (turns * 2 * np.pi)) / (2 * np.log(base))
                 for turns in (fast, slow))
    low, high = max(np.floor(low), 0), min(np.ceil(high), dim - 1)
    mix = np.clip((np.arange(dim // 2) - low) / (high - low), 0, 1)
    w = series(dim, base)
    return w / factor * mix + w * (1 - mix), 0.1 * np.log(factor) + 1


def scalings():
    w, fast = series(D), series(D, 5e5)
    at = positions(N)
    rope = cossin(at * w)
    long, attention = yarn(D, 16, 4096)
    fault("llama3's scaling lost", cossin(at * llama3(fast, 8)), cossin(at * fast),
          ["they differ in scaling (llama3:8,8192 and none)"])
    fault("llama3's scaling and base lost", cossin(at * llama3(fast, 8)), rope,
          ["they differ in base (500000 and 10000) and scaling (llama3:8,8192 and none)"])
    fault("llama3's factor", cossin(at * llama3(fast, 8)), cossin(at * llama3(fast, 32)),
          ["they differ in scaling (llama3:8,8192 and llama3:32,8192)"])
    fault("linear scaling lost", cossin(at * w / 4), rope,
          ["they differ in scaling (linear:4 and none)"])
    fault("linear scaling's factor", cossin(at * w / 4), cossin(at * w / 8),
          ["they differ in scaling (linear:4 and linear:8)"])
    fault("linear scaling in place of NTK's", cossin(at * series(D, 1e4 * 4 ** (D / (D - 2)))),
          cossin(at * w / 4), ["they differ in scaling (ntk:4 and linear:4)"])
    fault("yarn lost", cossin(at * long, attention), rope,
          ["they differ in scaling (yarn:16,4096 and none)"])
    fault("yarn's attention factor lost", cossin(at * long, attention), cossin(at * long),
          ["B is A times 0.782926642", "1 / yarn's attention factor for a scale of 16"],
          lambda x: single(x * attention))
    fault("scale of the embedding, sqrt(d), forgotten", single(interleaved(at * w) * 8.0),
          interleaved(at * w), ["B is A times 0.125, which is 1 / sqrt(64)"],
          lambda x: x * np.float32(8))


def offsets():
    w = series(D)
    pe = interleaved(positions(N) * w)
    two = split(positions(N, 2) * series(D, divisor=D - 2))
    zero = pe.copy()
    zero[1] = 0
    fault("positions from 1", pe, interleaved(positions(N, 1) * w),
          ["row i of B is row i + 1 of A"], lambda x: np.concatenate([pe[:1], x[:-1]]))
    fault("RoBERTa's offset of 2 lost", interleaved(positions(N, 2) * w), pe,
          ["row i of B is row i - 2 of A"],
          lambda x: np.concatenate([x[2:], interleaved(positions(2, N) * w)]))
    fault("fairseq's offset of 2 lost", two, split(positions(N) * series(D, divisor=D - 2)),
          ["row i of B is row i - 2 of A"], lambda x: np.concatenate([x[2:], two[-2:]]))
    fault("a padding row of zeros", pe, zero, ["B is A with row 1 set to 0"],
          lambda x: np.concatenate([x[:1], pe[1:2], x[2:]]))
    fault("pi forgotten", pe, interleaved(positions(N) * w * np.pi), ["is that of A times pi"])
    fault("2 pi once too often", pe, interleaved(positions(N) * w * 2 * np.pi),
          ["is that of A times 2 pi"])


def sums():
    pe = interleaved(positions(N) * series(D)).astype(np.float64)
    embedded = single(RANDOM.standard_normal((N, D))) + pe
    fault("positions added twice", embedded, embedded + pe,
          ["B is A plus the table of 'posenc sinusoid --len 64 --dim 64"], lambda x: x - pe)
    fault("positions not added", embedded, embedded - pe,
          ["B is A minus the table of 'posenc sinusoid --len 64 --dim 64"], lambda x: x + pe)
    fault("positions added twice, in float32", single(embedded), single(single(embedded) + pe),
          ["B is A plus the table of 'posenc sinusoid --len 64 --dim 64', to within 2."])


def rotated(x, angles, direction=1):
    """Pairs k and k + dim / 2."""
    h = x.shape[1] // 2
    c, s = np.cos(angles), direction * np.sin(angles)
    return single(np.concatenate([x[:, :h] * c - x[:, h:] * s, x[:, h:] * c + x[:, :h] * s], 1))


def rotations():
    angles = positions(N) * series(D)
    pe, rope, q = interleaved(angles), cossin(angles), single(RANDOM.standard_normal((N, D)))
    sign = np.repeat(np.float32([1, -1]), D // 2)
    fault("the sign of sines in halves", rope, rope * sign,
          ["B is A with the signs of 32 of 64 columns changed: 32, 33,"], lambda x: x * sign)
    other = np.tile(np.float32([-1, 1]), D // 2)
    fault("the sign of interleaved sines", pe, pe * other,
          ["B is A with the signs of 32 of 64 columns changed: 0, 2,"], lambda x: x * other)
    fault("a rotation in the opposite direction", rotated(q, angles), rotated(q, angles, -1),
          ["as if one of them were rotated in the opposite direction", "--step 2"])
    fault("a rotation forgotten", rotated(q, angles), q, ["B is A rotated back", "--reversed"])
    fault("a rotation done twice", rotated(q, angles), rotated(q, 2 * angles),
          ["B is A rotated: 'posenc rope --apply"])


def precision():
    w, at = series(D), positions(2048)
    right = cossin(at * w)
    for option, what, angles, first in (
            ("freqs", "frequencies", at * bfloat16(w), 234),
            ("positions", "positions", bfloat16(at) * np.float32(w), 257),
            ("angles", "angles", bfloat16(at * w), 58)):
        fault(what + " rounded to bfloat16", right, cossin(angles),
              [f"they differ in emulate (exact and bf16-{option})",
               f"B is A with its {what} rounded to bfloat16: equal within 0.001",
               f"first off by more than 0.1 at position {first}"])


def mrope():
    """Text, an image of 6 x 5, text: positions of time, row and column."""
    y, x = np.mgrid[4:10, 4:9]
    text = [np.tile(np.arange(a, b), (3, 1)) for a, b in ((0, 4), (10, 15))]
    image = np.array([y.ravel() * 0 + 4, y.ravel(), x.ravel()])
    at = np.concatenate([text[0], image, text[1]], 1).astype(np.float64)
    chunked, alternating = np.repeat([0, 1, 2], [12, 10, 10]), np.arange(32) % 3
    alternating[30:] = 0
    right, faulty = (at[axes].T * series(64, 1e6) for axes in (chunked, alternating))
    fault("M-RoPE's sections interleaved", single(np.cos(right)), single(np.cos(faulty)),
          ["they differ in mrope (chunked and interleaved)"])
    fault("M-RoPE's sections one after another", cossin(faulty), cossin(right),
          ["they differ in mrope (interleaved and chunked)"])


def heads(dim, count):
    """Rows of a weight [count * dim, n] from half to interleaved, head by head."""
    order = np.arange(dim).reshape(2, dim // 2).T.ravel()
    return (np.arange(count)[:, None] * dim + order).ravel()


def weights():
    w = single(RANDOM.standard_normal((4 * 32, 48)))
    order = heads(32, 4)
    fault("rows of heads not permuted", w, w[order], ["of 4 heads"],
          lambda x: x[np.argsort(order)])
    pe = mae(7, 5, D)
    fault("cells of a grid transposed", pe, pe.reshape(7, 5, D).transpose(1, 0, 2).reshape(35, D),
          ["cells of a grid transposed: its rows are 7 x 5 cells in A and 5 x 7 in B"],
          lambda x: x.reshape(5, 7, D).transpose(1, 0, 2).reshape(35, D))


def cells(h, w, first=0):
    y, x = np.mgrid[first:h + first, first:w + first]
    return y.ravel().astype(np.float64), x.ravel().astype(np.float64)


def mae(h, w, dim, columns_first=True):
    """Half of the dimensions for each axis, as in MAE's code: first the column."""
    y, x = ([np.outer(p, 10000 ** (-np.arange(dim // 4) / (dim / 4))) for p in cells(h, w)])
    parts = [f(p) for p in ([x, y] if columns_first else [y, x]) for f in (np.sin, np.cos)]
    return single(np.concatenate(parts, 1))


def detr(h, w, dim, normalized, rows_first=True):
    y, x = cells(h, w, 1)
    if normalized:
        y, x = y / (h + 1e-6) * 2 * np.pi, x / (w + 1e-6) * 2 * np.pi
    rate = 10000 ** (2.0 * np.arange(dim // 4) / (dim // 2))
    parts = [interleaved(p[:, None] / rate) for p in ([y, x] if rows_first else [x, y])]
    return np.concatenate(parts, 1)


def grids():
    pe = mae(7, 5, D)
    fault("rows first in place of columns first, MAE", pe, mae(7, 5, D, False),
          ["B is A with the halves of its columns swapped"], swap_halves)
    fault("columns first in place of rows first, DETR", detr(6, 7, D, False),
          detr(6, 7, D, False, False), ["B is A with the halves of its columns swapped"],
          swap_halves)
    fault("DETR's coordinates not normalized", detr(6, 7, D, True), detr(6, 7, D, False),
          ["they differ in normalize (on and off)"])
    fault("a row for the class token", pe, np.concatenate([pe[:1] * 0, pe]),
          ["A is rows 1 to 35 of B, which has zeros elsewhere"], lambda x: x[1:])


def slopes(heads):
    """The authors' list: powers of two, then each second slope of twice as many."""
    power = 1 << (heads.bit_length() - 1)
    first = [2 ** (-8 * (k + 1) / power) for k in range(power)]
    return np.array(first + [2 ** (-4 * (2 * k + 1) / power) for k in range(heads - power)])


def alibi(m, n=32, sign=-1, causal=False):
    far = np.arange(n)[:, None] - np.arange(n)
    far = np.maximum(far, 0) if causal else np.abs(far)
    return single(sign * m[:, None, None] * far + 0.0)


def buckets(distance, both, count=32, most=128):
    """T5's, of distances key - query."""
    count = count // 2 if both else count
    offset = count * (distance > 0) if both else 0
    n = np.abs(distance) if both else np.maximum(-distance, 0)
    exact = count // 2
    far = np.log(np.maximum(n, 1) / exact) / np.log(most / exact) * (count - exact)
    far = np.minimum(exact + np.maximum(far, 0).astype(np.int64), count - 1)
    return (offset + np.where(n < exact, n, far)).astype(np.int32)


def distances(n):
    return np.arange(n, dtype=np.int32) - np.arange(n, dtype=np.int32)[:, None]


def biases():
    r, long = distances(N), distances(300)
    causal = (r <= 0).astype(np.float32)
    right = alibi(slopes(8))
    fault("ALiBi's sign", right, alibi(slopes(8), sign=1), ["B is A with every sign changed"],
          lambda x: 0 - x)
    fault("ALiBi's slopes of 12 heads as one sequence", alibi(slopes(12)),
          alibi(2 ** (-8 * np.arange(1, 13) / 12)),
          ["posenc alibi", "B is alibi with wrong slopes: 2^(-8 h / heads)"])
    fault("ALiBi's exponent off by one", alibi(slopes(4)), alibi(2.0 ** (-2 * np.arange(4))),
          ["B is A times 4"], lambda x: x / np.float32(4))
    fault("half of ALiBi's exponent", right, alibi(2 ** (-4 * np.arange(1, 9) / 8)),
          ["they differ in bias-max (8 and 4)"])
    fault("ALiBi's causal form", right, alibi(slopes(8), causal=True),
          ["they differ in form (symmetric and causal)"])
    fault("T5's direction", buckets(r, True), buckets(-r, True), ["B is A transposed"],
          np.transpose)
    fault("T5's maximum distance", buckets(long, True), buckets(long, True, most=256),
          ["they differ in max-distance (128 and 256)"])
    fault("T5's number of buckets", buckets(long, True), buckets(long, True, count=64),
          ["they differ in num-buckets (32 and 64)"])
    fault("T5's decoder in place of its encoder", buckets(r, True), buckets(r, False),
          ["they differ in bidirectional (on and off) and causal (off and on)"])
    fault("Shaw's clip", np.clip(r, -16, 16) + 16, np.clip(r, -8, 8) + 8,
          ["they differ in clip (16 and 8)"])
    fault("query - key in place of key - query", r, -r, ["B is A transposed"], np.transpose)
    fault("no causal mask", causal, np.ones_like(causal),
          ["B is A with 0 replaced by 1 (at 2016 places)"], lambda x: x * causal)
    fault("a mask transposed", causal, causal.T, ["B is A transposed"], np.transpose)
    fault("a sliding window", causal, causal * (r > -8),
          ["they differ in kind (causal and window:8)"])


def foils():
    """Pairs of tables that no change explains."""
    pe = interleaved(positions(N) * series(D))
    noise = RANDOM.standard_normal((4, N, D))
    return [("two random tables", single(noise[0]), single(noise[1])),
            ("two random tables of other shapes", single(noise[0]), single(noise[1][:, :32])),
            ("a table and noise", pe, single(noise[2])),
            ("a table with much noise", pe, single(pe + 0.3 * noise[3])),
            ("a table and its square", pe, single(pe * pe * pe)),
            ("random walks", single(np.cumsum(noise[0], 0)), single(np.cumsum(noise[1], 0)))]


def run(*words):
    return subprocess.run([POSENC, *words], capture_output=True)


def compare(a, b):
    for name, x in (("a.npy", a), ("b.npy", b)):
        np.save(name, x)
    done = run("compare", "a.npy", "b.npy", "--json", "-")
    if done.returncode != 1:
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def same_bytes(x, y):
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


def made(command, table, fits):
    """Whether the command makes the bytes of the table; or, if it fits it, its values."""
    done = run(*shlex.split(command)[1:], "--npy", "-")
    if done.returncode:
        return False
    again = np.load(io.BytesIO(done.stdout)).astype(table.dtype).reshape(table.shape)
    return same_bytes(again, table) or (fits and np.abs(again - table).max() < 1e-6)


def wrong(right, faulty, says, undo):
    """What is wrong about the answer, or None."""
    report = compare(right, faulty)
    missing = [s for s in says if s not in report["answer"]]
    if missing:
        return f"expected {missing}, got: {report['answer']}"
    if undo:
        again = np.ascontiguousarray(undo(faulty))
        rounded = ", to within" in report["answer"] and np.abs(again - right).max() < 1e-6
        return None if rounded or same_bytes(again, np.ascontiguousarray(right)) else "not undone"
    commands = report["commands"]
    for name, table in (("A", right), ("B", faulty),
                        ("B_minus_A", interleaved(positions(N) * series(D))),
                        ("B_of_A", faulty)):
        # NumPy's sines may be off by a rounding, as the processor wants
        fits = any(said in report["answer"] for said in (
            f"{name} fits '", f"{name} is '{commands.get(name)}' up to rounding"))
        fits = fits or name == "B_of_A"
        if name in commands and not made(commands[name], table, fits):
            return f"does not make {name}: {commands[name]}"
    return None if commands else "no command"


def wrong_foil(a, b):
    answer = compare(a, b)["answer"]
    return answer if "explained" in answer or "they differ" in answer else None


def main():
    for family in (layouts, frequencies, scalings, offsets, sums, rotations, precision,
                   mrope, weights, grids, biases):
        family()
    tests = [(name, lambda c=case: wrong(*c)) for name, *case in CASES]
    tests += [("nothing explains " + name, lambda a=a, b=b: wrong_foil(a, b))
              for name, a, b in foils()]
    if "FULL" not in os.environ and not sys.argv[1:]:
        tests = tests[::3]
    tests = [t for t in tests if all(word in t[0] for word in sys.argv[1:])]
    bad = 0
    print(f"1..{len(tests)}")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i, (name, test) in enumerate(tests, 1):
            why = test()
            bad += why is not None
            print(f"{'not ok' if why else 'ok'} {i} - {name}" + (f": {why}" if why else ""))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
