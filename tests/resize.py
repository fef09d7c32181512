"""resize beside dense matrices of NumPy, and what holds of every mode. TAP on standard output."""

import io
import json
import os
import subprocess
import sys

import numpy as np

from cases import case, long, main

POSENC = os.path.abspath(os.path.join(os.environ.get("B", "build"), "posenc"))
RANDOM = np.random.default_rng(20261123)
WITHOUT = ("", "-AVX512F", "-AVX2,-AVX512F,-FMA")  # instruction sets, for glibc

# words of a command, by what they apply to
GRIDS = [["--mode", "nearest"], ["--mode", "area"], ["--mode", "cut"]]
GRIDS += [["--mode", mode, *more] for mode in ("bilinear", "bicubic")
          for more in ([], ["--antialias"], ["--align-corners"], ["--antialias", "--align-corners"],
                       ["--offset", "0.1"], ["--antialias", "--offset", "0.1"])]
SEQUENCES = [["--mode", mode, *more] for mode in ("linear", "cubic")
             for more in ([], ["--align-corners"], ["--offset", "0.1"])]
SEQUENCES += [["--mode", mode] for mode in
              ("nearest", "area", "tile", "last", "keep:0", "keep:3", "hierarchical")]


def run(*words, status=0, env=None):
    done = subprocess.run([POSENC, "resize", *map(str, words)], capture_output=True, env=env)
    assert done.returncode == status, (words, done.returncode, done.stderr.decode())
    return done.stdout


def resized(x, *words):
    np.save("x.npy", x)
    return np.load(io.BytesIO(run("x.npy", *words, "--dtype", "f64", "--npy", "-")))


def near(a, b, words, tolerance=1e-13):
    assert a.shape == b.shape, (words, a.shape, b.shape)
    assert np.all(np.abs(a - b) <= tolerance), (words, np.max(np.abs(a - b)))


def keys(u, a):
    """The cubic filter: pieces of Keys's paper."""
    u = np.abs(u)
    return np.where(u <= 1, (a + 2) * u**3 - (a + 3) * u**2 + 1,
                    np.where(u < 2, a * u**3 - 5 * a * u**2 + 8 * a * u - 4 * a, 0))


def matrix(n, m, mode, antialias=False, corners=False, offset=0.0):
    """[m, n]: the weights of n cells for m, from padded tables and sampled filters."""
    i = np.arange(m)
    step = ((n - 1) / (m - 1) if m > 1 else 0.0) if corners else n / (m + offset)
    if mode == "nearest":
        scale = np.float32(1 / ((m + offset) / n)) if offset else np.float32(n) / np.float32(m)
        return np.eye(n)[np.minimum((i.astype("f4") * scale).astype(int), n - 1)]
    if mode == "area":
        rows = [np.mean(np.eye(n)[k * n // m: -(-(k + 1) * n // m)], axis=0) for k in range(m)]
        return np.array(rows)
    if antialias:
        wide = max(step, 1.0)
        radius = (1 if mode == "bilinear" else 2) * wide
        center = step * (i + 0.5)
        low = np.maximum((center - radius + 0.5).astype(int), 0)
        high = np.minimum((center + radius + 0.5).astype(int), n)
        cells = np.arange(n)
        u = (cells - center[:, None] + 0.5) / wide
        w = np.maximum(0, 1 - np.abs(u)) if mode == "bilinear" else keys(u, -0.5)
        w *= (cells >= low[:, None]) & (cells < high[:, None])
        return w / w.sum(axis=1, keepdims=True)
    x = step * i if corners else step * (i + 0.5) - 0.5
    if mode == "bilinear":
        if n == m:
            return np.eye(n)
        x = np.clip(x, 0, n - 1)
        return np.maximum(0, 1 - np.abs(x[:, None] - np.arange(n)))
    cells = np.arange(-4, n + 4)  # beyond both ends, with the values of the ends
    w = keys(x[:, None] - cells, -0.75)
    return w @ np.eye(n)[np.clip(cells, 0, n - 1)]


def of_words(words):
    """The arguments of matrix() for words of a command."""
    mode = {"linear": "bilinear", "cubic": "bicubic"}.get(words[1], words[1])
    offset = float(words[words.index("--offset") + 1]) if "--offset" in words else 0.0
    return mode, "--antialias" in words, "--align-corners" in words, offset


def sizes(n):
    return RANDOM.integers(1, n, 4)


@case
def grids_are_products_of_two_matrices():
    for words in GRIDS[:2] + GRIDS[3:]:
        for _ in range(6):
            h, w, p, q = map(int, sizes(24))
            x = RANDOM.standard_normal((h * w + 2, 3))
            a, b = matrix(h, p, *of_words(words)), matrix(w, q, *of_words(words))
            cells = np.einsum("ph,qw,hwd->pqd", a, b, x[2:].reshape(h, w, 3)).reshape(-1, 3)
            ours = resized(x, "--grid", f"{h}x{w}", "--to", f"{p}x{q}", "--prefix", 2, *words)
            near(ours, np.concatenate([x[:2], cells]), (h, w, p, q, words))


@case
def sequences_are_a_matrix():
    for words in SEQUENCES[:8]:
        for _ in range(6):
            n, m = map(int, sizes(60)[:2])
            x = RANDOM.standard_normal((n, 5))
            near(resized(x, "--to", m, *words), matrix(n, m, *of_words(words)) @ x, (n, m, words))


@case
def nearest_is_float32_in_all_pairs_of_sizes():
    for n in range(1, 65, 7):
        x = np.arange(n)[:, None]
        for m in (1, 14, 22, 46, 128):
            for words in (["--mode", "nearest"], ["--mode", "nearest", "--offset", "0.1"]):
                near(resized(x, "--to", m, *words), matrix(n, m, *of_words(words)) @ x, (n, m), 0)


def natural(x, y, at):
    """The not-a-knot cubic spline: a cubic on each interval, by one dense system."""
    n = len(x)
    rows, right = [], []

    def piece(k, t, order):
        row = np.zeros(4 * (n - 1))
        u = t - x[k]
        row[4 * k:4 * k + 4] = [[1, u, u**2, u**3], [0, 1, 2 * u, 3 * u**2],
                                [0, 0, 2, 6 * u], [0, 0, 0, 6]][order]
        return row

    for k in range(n - 1):
        rows += [piece(k, x[k], 0), piece(k, x[k + 1], 0)]
        right += [y[k], y[k + 1]]
    for k in range(1, n - 1):
        for order in (1, 2) + ((3,) if k in (1, n - 2) else ()):
            rows.append(piece(k - 1, x[k], order) - piece(k, x[k], order))
            right.append(np.zeros_like(y[0]))
    c = np.linalg.solve(np.array(rows), np.array(right))
    k = np.clip(np.searchsorted(x, at, side="right") - 1, 0, n - 2)
    u = (at - x[k])[:, None]
    return c[4 * k] + c[4 * k + 1] * u + c[4 * k + 2] * u**2 + c[4 * k + 3] * u**3


def places(n, m):
    low, high = 1.01, 1.5
    while high - low > 1e-6:
        q = (low + high) / 2
        if (1 - q ** (n // 2)) / (1 - q) > m // 2:
            high = q
        else:
            low = q
    x = np.cumsum(q ** np.arange(n // 2))
    return np.concatenate([-x[::-1], [0], x])


@case
def geometric_places_by_lines_and_splines():
    for n, m, o, p in ((5, 9, 7, 7), (9, 5, 5, 13), (13, 23, 11, 21), (23, 17, 5, 63)):
        x = RANDOM.standard_normal((n * o + 3, 2))
        for mode, way in (("cubic", natural),
                          ("linear", lambda x, y, at: np.stack(
                              [np.interp(at, x, c) for c in y.T], axis=1))):
            cells = x[:-3].reshape(n, o * 2)
            for side, to, rest in ((n, m, o), (o, p, m)):
                at = places(side, to)
                target = np.clip(np.arange(to) - to // 2, at[0], at[-1])
                cells = way(at, cells.reshape(side, -1), target)
                cells = cells.reshape(to, rest, 2).swapaxes(0, 1).reshape(rest, to * 2)
            want = np.concatenate([cells.reshape(-1, 2), x[-3:]])
            ours = resized(x, "--grid", f"{n}x{o}", "--to", f"{m}x{p}", "--mode",
                           "geometric-" + mode, "--relative")
            near(ours, want, (n, m, o, p, mode), 1e-11)


@case
def the_same_size_makes_the_same_bytes():
    x = RANDOM.standard_normal((35, 3)).astype("f4")
    x[3, 1], x[8, 0], x[9, 2] = np.nan, np.inf, -0.0
    np.save("x.npy", x)
    for words in GRIDS + SEQUENCES + [["--mode", "geometric-linear"], ["--mode", "geometric-cubic"]]:
        if "--offset" not in words:
            shape = [] if words in SEQUENCES else ["--grid", "5x7"]
            to = "5x7" if shape else "35"
            assert run("x.npy", *shape, "--to", to, *words, "--raw", "-") == x.tobytes(), words


@case
def constants_stay_constant():
    x = np.full((35, 2), 0.1)
    for words in GRIDS + [["--mode", "geometric-linear"], ["--mode", "geometric-cubic"]]:
        for to in ("3x3", "11x23"):
            near(resized(x, "--grid", "5x7", "--to", to, *words),
                 np.full((eval(to.replace("x", "*")), 2), 0.1), words, 1e-15)
    for words in SEQUENCES:
        for to in (20, 90):
            near(resized(x, "--to", to, *words), np.full((to, 2), 0.1), words, 1e-15)


@case
def ramps_stay_ramps():
    for n, m in ((5, 17), (9, 4), (2, 30), (40, 41)):
        x = np.arange(n, dtype="f8")[:, None]
        want = np.arange(m)[:, None] * (n - 1) / (m - 1)
        near(resized(x, "--to", m, "--align-corners"), want, (n, m))
        inside = n / m * (np.arange(m)[:, None] + 0.5) - 0.5
        near(resized(x, "--to", m), np.clip(inside, 0, n - 1), (n, m))
    x = np.arange(77, dtype="f8")[:, None]
    want = np.concatenate([x[:20], 20 + np.arange(228)[:, None] / 4])
    near(resized(x, "--to", 248, "--mode", "keep:20"), want, "keep")


@case
def transposed_grids_are_transposed():
    x = RANDOM.standard_normal((6, 9, 2))
    for words in GRIDS:
        one = resized(x.reshape(-1, 2), "--grid", "6x9", "--to", "8x5", *words)
        other = resized(x.swapaxes(0, 1).reshape(-1, 2), "--grid", "9x6", "--to", "5x8", *words)
        near(one.reshape(8, 5, 2), other.reshape(5, 8, 2).swapaxes(0, 1), words)


@case
def hierarchical_rows_are_sums():
    x = RANDOM.standard_normal((6, 3))
    for a in (0.4, 0.2, 0.75, 0):
        e = (x - a * x[0]) / (1 - a)
        i = np.arange(36)
        mode = "hierarchical" if a == 0.4 else f"hierarchical:{a}"
        near(resized(x, "--to", 36, "--mode", mode), a * e[i // 6] + (1 - a) * e[i % 6], a)


@case
def parts_and_instruction_sets_make_the_same_bytes():
    np.save("x.npy", RANDOM.standard_normal((131, 67)))
    for words in (["--grid", "13x10", "--to", "9x31", "--prefix", 1],
                  ["--grid", "13x10", "--to", "9x31", "--prefix", 1, "--antialias"],
                  ["--grid", "13x10", "--to", "4x6", "--mode", "bilinear", "--prefix", 1, "--merge", 2,
                   "--frames", 12, "--pad", 300], ["--to", 290, "--mode", "area"]):
        whole = run("x.npy", *words, "--raw", "-", "--threads", 1)
        parts = [run("x.npy", *words, "--raw", "-", "--rows", r) for r in (":1", "1:100", "100:")]
        assert b"".join(parts) == whole, words
        for without in WITHOUT:
            env = {**os.environ, "GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + without}
            assert run("x.npy", *words, "--raw", "-", env=env) == whole, (words, without)


@case
def nan_reaches_what_it_has_a_weight_in():
    x = RANDOM.standard_normal((40, 2))
    x[17, 1] = np.nan
    for words in SEQUENCES[:8]:
        weights = matrix(40, 70, *of_words(words))
        ours = resized(x, "--to", 70, *words)
        assert np.array_equal(np.isnan(ours[:, 1]), weights[:, 17] != 0), words
        assert not np.isnan(ours[:, 0]).any()


@case
@long
def compare_names_the_mode():
    for k in range(60):
        p, cols = int(RANDOM.integers(0, 3)), int(RANDOM.choice([2, 5]))
        if k % 3:
            h, w, m, n = map(int, RANDOM.integers(3, 22, 4))
            words = ["--to", f"{m}x{n}", "--grid", f"{h}x{w}", *GRIDS[k % len(GRIDS)]]
            rows = h * w
        else:
            rows, m = map(int, RANDOM.integers(9, 200, 2))
            words = ["--to", str(m + p), *SEQUENCES[k % 8]]
        np.save("a.npy", RANDOM.standard_normal((rows + p, cols)).astype("f4"))
        words += ["--prefix", str(p)] if p else []
        run("a.npy", *words, "--npy", "b.npy")
        short, long = sorted((np.load("a.npy"), np.load("b.npy")), key=len)
        if np.array_equal(short, long[:len(short)]):
            continue  # one is a part of the other, whatever made it
        for a, b in (("a", "b"), ("b", "a")):
            said = subprocess.run([POSENC, "compare", a + ".npy", b + ".npy"], capture_output=True,
                                  text=True).stdout.splitlines()
            made = [line.replace("' does that", "").split(" (presets")[0].split("--")[1:]
                    for line in said if "--to" in line]
            want = " ".join(words).split("--")[1:]
            assert sorted(x.strip() for x in want) in [
                sorted(x.strip() for x in one) for one in made], (words, a, said[:2])


def write_model(path, tensors, metadata):
    """A safetensors file of (dtype, shape, bytes)."""
    header, at = {"__metadata__": metadata}, 0
    for name, (dtype, shape, raw) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(raw)]}
        at += len(raw)
    text = json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(len(text).to_bytes(8, "little") + text)
        for _, _, raw in tensors.values():
            f.write(raw)


def read_model(path):
    with open(path, "rb") as f:
        n = int.from_bytes(f.read(8), "little")
        header, data = json.loads(f.read(n)), f.read()
    assert n % 8 == 0
    metadata, ends = header.pop("__metadata__", None), [0]
    for t in sorted(header.values(), key=lambda t: t["data_offsets"]):
        assert t["data_offsets"][0] == ends[-1]  # no gaps
        ends.append(t["data_offsets"][1])
    assert ends[-1] == len(data)
    return {name: (t["dtype"], t["shape"], data[slice(*t["data_offsets"])])
            for name, t in header.items()}, metadata


@case
def a_model_keeps_its_other_tensors():
    def draw(*shape):
        return RANDOM.standard_normal(shape).astype("f4")
    model = {
        "text.position_embeddings.weight": ("F32", [20, 6], draw(20, 6).tobytes()),
        "text.position_ids": ("I64", [1, 20], np.arange(20).tobytes()),
        "none": ("F32", [0, 3], b""),
        "image.pos_embed": ("F16", [1, 17, 6], draw(17, 6).astype("f2").tobytes()),
        "a \"quoted\" \u00e4": ("BF16", [3, 1], draw(3).astype("f2").tobytes()),
        "grid.pos_embed": ("F32", [1, 4, 4, 2], draw(4, 4, 2).tobytes()),
        "odd": ("F8_E4M3", [5], bytes(range(5))),
    }
    metadata = {"format": "pt", "x": "\u00fc\"\\\n"}
    write_model("m.safetensors", model, metadata)
    for name, shape, words in (
            ("text.position_embeddings.weight", [33, 6], ["--to", 33]),
            ("text.position_embeddings.weight", [7, 6], ["--to", 7, "--mode", "nearest"]),
            ("image.pos_embed", [1, 26, 6], ["--to", "5x5", "--prefix", 1]),
            ("image.pos_embed", [1, 17, 6], ["--to", "4x4", "--prefix", 1]),
            ("grid.pos_embed", [1, 6, 5, 2], ["--to", "6x5"]),
            ("grid.pos_embed", [1, 2, 3, 2], ["--to", "2x3", "--mode", "area"])):
        alone = np.load(io.BytesIO(run(f"m.safetensors:{name}", *words, "--npy", "-")))
        run(f"m.safetensors:{name}", *words, "--keep", "-o", "new.safetensors")
        changed, kept = read_model("new.safetensors")
        assert kept == metadata and list(changed) == list(model)
        assert changed.pop(name) == (model[name][0], shape, alone.tobytes()), (name, words)
        assert all(model[other] == x for other, x in changed.items()), (name, words)
    # In place, and to standard output
    run("m.safetensors:image.pos_embed", "--to", "2x2", "--prefix", 1, "--keep", "--safetensors",
        "m.safetensors")
    assert read_model("m.safetensors")[0]["image.pos_embed"][1] == [1, 5, 6]
    with open("out.safetensors", "wb") as f:
        f.write(run("m.safetensors:image.pos_embed", "--to", "3x3", "--prefix", 1, "--keep",
                    "--safetensors", "-"))
    assert read_model("out.safetensors")[0]["image.pos_embed"][1] == [1, 10, 6]


@case
def a_large_model_is_not_in_memory():
    # Sparse, as the greatest memory of a child may count that of this process
    header = json.dumps({
        "pe": {"dtype": "F32", "shape": [4, 2], "data_offsets": [0, 32]},
        "w": {"dtype": "F32", "shape": [75, 1 << 20], "data_offsets": [32, 32 + (75 << 22)]},
    }).encode()
    with open("m.safetensors", "wb") as f:
        f.write(len(header).to_bytes(8, "little") + header + np.arange(8, dtype="f4").tobytes())
        f.truncate(f.tell() + (75 << 22))
    with subprocess.Popen([POSENC, "resize", "m.safetensors:pe", "--to", "8", "--keep", "-o",
                           "new.safetensors"]) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0 and usage.ru_maxrss < 100 << 10, usage.ru_maxrss
    assert os.path.getsize("new.safetensors") > 75 << 22
    os.remove("m.safetensors")
    os.remove("new.safetensors")


if __name__ == "__main__":
    sys.exit(main())
