"""similarity, inspect and compare beside NumPy's few lines. TAP on standard output."""

import io
import json
import os
import subprocess
import sys

import numpy as np

from cases import case, long, main

POSENC = os.path.abspath(os.path.join(os.environ.get("B", "build"), "posenc"))
RANDOM = np.random.default_rng(20240607)
WITHOUT = ("", "-AVX512F", "-AVX2,-AVX512F,-FMA")  # instruction sets, for glibc


def run(*words, status=0, env=None):
    done = subprocess.run([POSENC, *map(str, words)], capture_output=True, env=env)
    assert done.returncode == status, (words, done.returncode, done.stderr.decode())
    return done.stdout


def table(*words):
    return np.load(io.BytesIO(run(*words, "--npy", "-")))


def saved(x, name="x.npy"):
    np.save(name, x)
    return name


def report(*words, status=0):
    return json.loads(run(*words, "--json", "-", status=status))


def sinusoid(n, d, *more):
    return table("sinusoid", "--len", n, "--dim", d, "--dtype", "f64", *more)


def near(a, b, tolerance):
    assert np.all(np.abs(np.subtract(a, b)) <= tolerance), (np.max(np.abs(np.subtract(a, b))), a, b)


def draw(n, d, dtype):
    return RANDOM.standard_normal((n, d)).astype(dtype)


@case
def similarity_adds_in_order():
    for n, d in ((1, 1), (3, 5), (8, 8), (25, 67), (130, 3)):
        x = draw(n, d, "f4").astype("f8")
        dot, apart = np.zeros((n, n)), np.zeros((n, n))
        for k in range(d):  # products of float32 are exact: this is every bit
            dot = dot + x[:, None, k] * x[None, :, k]
            apart = apart + (x[:, None, k] - x[None, :, k]) ** 2
        name = saved(x.astype("f4"))
        assert np.array_equal(table("similarity", name, "--dtype", "f64"), dot)
        l2 = table("similarity", name, "--metric", "l2", "--dtype", "f64")
        assert np.array_equal(l2, np.sqrt(apart))
        square = np.diag(dot)
        cosine = table("similarity", name, "--metric", "cosine", "--dtype", "f64")
        assert np.array_equal(cosine, np.clip(dot / np.sqrt(np.outer(square, square)), -1, 1))
        assert np.all(np.diag(cosine) == 1)


@case
def similarity_of_doubles():
    x = draw(61, 200, "f8")
    assert table("similarity", saved(x)).dtype == np.float32
    for dtype, step in (("f64", 1e-16), ("f32", 6e-8)):
        dot = table("similarity", "x.npy", "--dtype", dtype)
        near(dot, x @ x.T, 400 * step * 200)
        assert np.array_equal(dot, dot.T)


@case
@long
def similarity_is_the_same_everywhere():
    for x in (draw(301, 33, "f8"), draw(301, 33, "f4")):
        for metric in ("dot", "cosine", "l2"):
            words = "similarity", saved(x), "--metric", metric, "--dtype", "f64"
            whole = run(*words, "--raw", "-")
            for without in WITHOUT:
                env = {**os.environ, "GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + without}
                assert run(*words, "--raw", "-", env=env) == whole
            parts = [run(*words, "--raw", "-", "--rows", r) for r in ("0:3", "3:150", "150:301")]
            assert b"".join(parts) == whole
            lines = run(*words, "--csv", "-").decode().split()
            text = np.array([line.split(",") for line in lines], float)
            assert text.tobytes() == whole


@case
def similarity_of_zero_rows():
    x = draw(4, 3, "f4")
    x[2] = 0
    cosine = table("similarity", saved(x), "--metric", "cosine")
    assert np.all(cosine[2] == 0) and np.all(cosine[:, 2] == 0) and cosine[0, 0] == 1


@case
def cosines_are_at_most_1():
    row = np.random.default_rng(7).standard_normal(9)
    x = np.outer(np.concatenate([np.arange(1, 60) / 7, -np.arange(1, 60) / 11]), row)
    gram = np.zeros((118, 118))
    for column in x.T:
        gram += np.outer(column, column)
    square = np.diagonal(gram)
    # Rounding alone takes some of these beyond 1
    assert np.abs(gram / np.sqrt(np.outer(square, square))).max() > 1
    cosine = table("similarity", saved(x), "--metric", "cosine", "--dtype", "f64")
    assert cosine.max() == 1 and cosine.min() == -1
    curve = table("similarity", "x.npy", "--metric", "cosine", "--curve", "--dtype", "f64")
    assert np.abs(curve[:, 1]).max() <= 1 and np.abs(curve[:, 3:5]).max() == 1


@case
def similarity_curves():
    for metric in ("dot", "cosine", "l2"):
        name = saved(draw(40, 7, "f4"))
        all_pairs = table("similarity", name, "--metric", metric, "--dtype", "f64")
        curve = table("similarity", name, "--metric", metric, "--curve", "--dtype", "f64")
        assert curve.shape == (40, 6)
        for k in range(40):
            y = np.diagonal(all_pairs, k)
            near(curve[k], [k, y.mean(), y.std(), y.min(), y.max(), len(y)], 1e-13)


@case
def means_of_many_rows_are_those_of_all_pairs():
    """Of more rows than are compared in pairs, --curve has the means alone, by transforms; --spread, all."""
    for cols, unit in ((3, 1), (2, 2.0 ** 498), (1, 2.0 ** -1020)):
        x = draw(16385, cols, "f8") + 0.3
        x[77] = 0
        saved(x / np.abs(x).max() * unit)
        for metric in ("dot", "cosine")[:2 if unit == 1 else 1]:
            words = "similarity", "x.npy", "--curve", "--metric", metric, "--dtype", "f64", "--quiet"
            means, whole = table(*words), table(*words, "--spread")
            assert means.shape == (16385, 3) and whole.shape == (16385, 6)
            assert (means[:, [0, 2]] == whole[:, [0, 5]]).all()
            assert np.abs(means[:, 1] - whole[:, 1]).max() <= 1e-10 * whole[0, 1], (metric, cols)
    assert table("similarity", saved(draw(16384, 1, "f8")), "--curve").shape == (16384, 6)


@case
def sinusoids_depend_on_distance():
    saved(sinusoid(512, 512))
    curve = table("similarity", "x.npy", "--curve", "--dtype", "f64")
    w = 10000.0 ** (-np.arange(256) / 256)
    near(curve[:, 1], [np.cos(k * w).sum() for k in range(512)], 1e-9)
    assert curve[:, 2].max() < 1e-12
    assert curve[0, 1] == 256


@case
def compare_measures():
    a, b = draw(9, 6, "f4"), draw(9, 6, "f4")
    b[4] = a[4]
    saved(a, "a.npy"), saved(b, "b.npy")
    found = report("compare", "a.npy", "b.npy", status=1)
    apart = np.abs(a.astype("f8") - b.astype("f8"))
    d = found["differences"]
    assert (d["values"], d["differing"], d["over_tolerance"]) == (54, 48, 48)
    row, column = np.unravel_index(apart.argmax(), apart.shape)
    assert d["largest_absolute"] == {"value": apart.max(), "row": row, "column": column}
    near(d["largest_relative"]["value"], (apart / np.abs(b.astype("f8"))).max(), 1e-9)
    near(d["mean_absolute"], apart.mean(), 1e-12)
    assert (d["rows_differing"], d["worst_row"]) == (8, row)
    assert (d["columns_differing"], d["worst_column"]) == (6, column)


@case
def compare_counts_steps():
    for dtype in ("f2", "f4", "f8"):
        a = draw(5, 4, dtype)
        b = a.copy()
        b[2, 3] = np.nextafter(np.nextafter(a[2, 3], dtype_max(dtype)), dtype_max(dtype))
        saved(a, "a.npy"), saved(b, "b.npy")
        found = report("compare", "a.npy", "b.npy", status=1)
        assert found["differences"]["largest_ulp"] == {"value": 2, "row": 2, "column": 3}
        run("compare", "a.npy", "b.npy", "--ulp", 2)
        run("compare", "a.npy", "b.npy", "--ulp", 1, status=1)
    tiny = np.float32([1e-45, -1e-45])  # two steps apart, over zero
    saved(tiny[:1, None], "a.npy"), saved(tiny[1:, None], "b.npy")
    found = report("compare", "a.npy", "b.npy", status=1)
    assert found["differences"]["largest_ulp"]["value"] == 2


def dtype_max(dtype):
    return np.array(np.finfo(dtype).max, dtype)


@case
def compare_tolerates():
    a = np.array([[1.0, 100.0]])
    saved(a, "a.npy"), saved(a + 0.5, "b.npy")
    run("compare", "a.npy", "b.npy", status=1)
    run("compare", "a.npy", "b.npy", "--atol", 0.5)
    run("compare", "a.npy", "b.npy", "--atol", 0.49, status=1)
    run("compare", "a.npy", "b.npy", "--rtol", 0.5 / 1.5 + 1e-9)
    run("compare", "a.npy", "b.npy", "--rtol", 0.3, status=1)


@case
def compare_knows_nan():
    a = np.array([[1.0, np.nan, np.inf, -np.inf]])
    saved(a, "a.npy")
    run("compare", "a.npy", "a.npy")
    for column in range(1, 4):
        b = a.copy()
        b[0, column] = 0
        saved(b, "b.npy")
        run("compare", "a.npy", "b.npy", "--atol", 1e300, status=1)
        run("compare", "b.npy", "a.npy", "--ulp", 1 << 40, status=1)


def explained(a, b):
    saved(a, "a.npy"), saved(b, "b.npy")
    return report("compare", "a.npy", "b.npy", status=1)["answer"]


@case
def compare_explains():
    x = draw(12, 8, "f4")
    split = np.hstack([x[:, 0::2], x[:, 1::2]])
    turned = np.hstack([x[:, 1::2], x[:, 0::2]])
    same = "different, but explained: "
    cases = (
        (x, split, "B is A with its columns split"),
        (split, x, "B is A with its columns interleaved"),
        (x, turned, "B is A with its columns split and swapped"),
        (turned, x, "B is A with its columns interleaved and swapped"),
        (split, turned, "B is A with the halves of its columns swapped"),
        (x, x.reshape(12, 4, 2)[:, :, ::-1].reshape(12, 8),
         "B is A with neighbouring columns swapped"),
        (x, x[:, ::-1], "B is A with its columns in reverse order"),
        (x, x[::-1], "B is A with its rows in reverse order"),
        (x.astype("f8") / 3, (x.astype("f8") / 3).astype("f4"), "B is A rounded to float32"),
        (x[:10], x[2:], "row i of B is row i + 2 of A"),
        (x[2:], x[:10], "row i of B is row i - 2 of A"),
        (x, -x, "B is A with every sign changed"),
        (x, x * 4, "B is A times 4"),
        (x, x * np.float32(0.1), "B is A times 0.1"),
        (x, x.astype("f2"), "B is A rounded to float16"),
        (x.astype("f2"), x, "A is B rounded to float16"),
    )
    for a, b, words in cases:
        answer = explained(a, b)
        assert answer == same + words or answer.startswith(same + words + ", to within"), (words, answer)
    bits = x.view("u4")
    bfloat = ((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000).view("f4")
    assert explained(x, bfloat) == same + "B is A rounded to bfloat16"
    odd = draw(6, 7, "f4")
    answer = explained(odd, np.hstack([odd[:, 0::2], odd[:, 1::2]]))
    assert answer.startswith(same + "B is A with its columns split")
    answer = explained(x, draw(12, 8, "f4"))
    assert answer.startswith("different: 96 of 96 values, "), answer
    y = x.copy()
    y[7] = 0
    assert "B is A with row 7 set to 0" in explained(x, y)


@case
def compare_explains_shapes():
    x = draw(12, 8, "f4")
    zeros = ", which has zeros elsewhere"
    same = "different shapes, but explained: "
    for a, b, words in (
        (x, np.vstack([0 * x[:2], x]), "A is rows 2 to 13 of B" + zeros),
        (np.vstack([x, x[:1] * 0]), x, "B is rows 0 to 11 of A" + zeros),
        (x, x[1:], "B is A without its first 1 row: row p of B is row p + 1 of A"),
        (x, x[3:], "B is A without its first 3 rows: row p of B is row p + 3 of A"),
        (x, np.hstack([x, 0 * x[:, :1]]), "A is columns 0 to 7 of B" + zeros),
        (x[1:, 2:], x, "A is rows 1 to 11, columns 2 to 7 of B"),
    ):
        assert explained(a, b) == same + words, (explained(a, b), words)
    assert explained(x, x[:5, :5] + 1) == "different shapes: 12 x 8 and 5 x 5"
    assert explained(x[:5], x[:, :5]) == "different shapes: 5 x 8 and 12 x 5"


@case
def compare_knows_shapes():
    x = draw(6, 20, "f4")
    reshaped = "different shapes, but explained: the same values in the same order, reshaped"
    assert explained(x.reshape(2, 3, 20), x.reshape(3, 2, 20)) == reshaped
    assert explained(x.reshape(2, 3, 4, 5), x.reshape(3, 2, 4, 5)) == reshaped
    assert explained(x.reshape(2, 3, 4, 5), x.reshape(6, 4, 5)) == reshaped
    assert explained(x, x.reshape(8, 15)) == reshaped
    y = draw(6, 20, "f4")
    assert explained(x.reshape(2, 3, 4, 5), y.reshape(3, 2, 4, 5)) == (
        "different shapes: 2 x 3 x 4 x 5 and 3 x 2 x 4 x 5")
    saved(x, "a.npy"), saved(x[None, None], "b.npy")
    assert report("compare", "a.npy", "b.npy")["answer"] == "equal: all 120 values are the same"
    x = draw(6, 20, "f4").reshape(2, 3, 20)
    for axes, words in (
        ((0, 2, 1), "rows and columns exchanged in each plane"),
        ((1, 0, 2), "planes and rows exchanged"),
        ((2, 1, 0), "planes and columns exchanged"),
        ((1, 2, 0), "planes moved to columns: B[i, j, k] is A[k, i, j]"),
        ((2, 0, 1), "columns moved to planes: B[i, j, k] is A[j, k, i]"),
    ):
        answer = explained(x, x.transpose(axes))
        assert answer == f"different shapes, but explained: B is A with its {words}", answer
    assert explained(x, x[1]).endswith("B is plane 1 of A")
    assert explained(x[:, 1:], x).endswith("A is rows 1 to 2 of B")
    assert explained(x[:, :, 5], x[:, :, 5].T + np.float32(1e-5)).endswith(
        "B is A transposed (rows and columns exchanged), to within 1e-05")


def in_order(name, order):
    """What compare says of lines in another order: those that moved first."""
    moved = [i for i in range(len(order)) if order[i] != i]
    of_b, of_a = (", ".join(map(str, lines)) + ", ..." * (len(moved) > 6)
                  for lines in (moved[:6], order[moved][:6]))
    if len(moved) == len(order):
        return f"with its {name} permuted: the first of B are {name} {of_a} of A"
    return f"with {len(moved)} of {len(order)} {name} permuted: {name} {of_b} of B are {name} {of_a} of A"


def orders(x):
    """Changes of x [12, 8] and what they are."""
    rows, columns = RANDOM.permutation(12), RANDOM.permutation(8)
    cells = x.reshape(3, 4, 8).swapaxes(0, 1).reshape(12, 8)
    alternate = np.where(np.arange(12) % 2, -1, 1)
    return (
        (x * 2, "times 2"), (x + 3, "plus 3"), (x - 3, "minus 3"), (-x, "with every sign changed"),
        (x[::-1], "with its rows in reverse order"),
        (x[rows], in_order("rows", rows)), (x[:, columns], in_order("columns", columns)),
        (np.roll(x, 5, 0), "with its rows rolled by 5, as by numpy.roll"),
        (np.roll(x, 3, 1), "with its columns rolled by 3, as by numpy.roll"),
        (x * alternate[:8], "with the signs of 4 of 8 columns changed: 1, 3, 5, 7"),
        (x * alternate[:, None], "with the signs of 6 of 12 rows changed: 1, 3, 5, 7, 9, 11"),
        (cells, "with the cells of a grid transposed: its rows are 3 x 4 cells in A and 4 x 3 in B"),
        (x.reshape(2, 3, 2, 8).swapaxes(0, 1).reshape(12, 8),
         "with its rows regrouped: reshaped to [2, 3, 2], the first two axes are exchanged"),
        (x[:, [0, 1, 4, 5, 2, 3, 6, 7]],
         "with its columns regrouped: reshaped to [2, 2, 2], the first two axes are exchanged"),
    )


@case
def compare_explains_with_infinities():
    x = draw(12, 8, "f4")
    mask = x.copy()
    mask[2, 5], mask[7, 1], mask[8, 3] = np.nan, np.inf, -np.inf
    for a in (x, mask):
        for b, words in orders(a):
            answer = explained(a, b)
            assert answer.startswith("different, but explained: B is A " + words), (words, answer)
        assert "row i of B is row i + 2 of A" in explained(a[:10], a[2:])
        assert "A transposed" in explained(a, a.T)
    for at, value in (((0, 0), np.nan), ((0, 0), np.inf), ((2, 5), 0), ((7, 1), 0), ((7, 1), -np.inf)):
        for b, words in orders(mask):
            before, b = b, b.copy()
            b[at] = value
            if np.array_equal(before, b, equal_nan=True):
                continue
            answer = explained(mask, b)
            assert "explained" not in answer or "row i of B is row i - 5" in answer, (words, at, answer)
    causal = np.triu(np.full((9, 9), -np.inf), 1)
    assert explained(causal, np.maximum(causal, -1e9)).endswith(
        "B is A with -inf replaced by -1e+09 (at 36 places)")
    assert explained(causal, -causal).endswith("B is A with every sign changed")
    causal = np.triu(np.full((20, 20), -np.inf), 1)
    later = np.triu(np.full((20, 20), -np.inf), 2)
    assert explained(causal, later).endswith(
        "row i of B is row i + 1 of A; the last row is unchanged")
    tokens = np.vstack([x[:1], x])
    moved = np.vstack([x[:1], x.reshape(3, 4, 8).swapaxes(0, 1).reshape(12, 8)])
    assert explained(tokens, moved).endswith("4 x 3 in B, after the first row")


@case
@long
def compare_explains_no_chance():
    for shape in ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2), (1, 5)):
        for _ in range(30):
            answer = explained(draw(*shape, "f4"), draw(*shape, "f4"))
            assert "explained" not in answer, answer
    ones = np.ones((3, 3))
    for a, b in ((ones, 2 * ones), (ones, 0 * ones), (0 * ones, ones), (ones, -ones)):
        assert "explained" not in explained(a, b)
    x = draw(40, 30, "f4")
    for part in (x[7:8, 9:10], draw(1, 1, "f4"), np.zeros((2, 2), "f4")):
        assert explained(x, part) == f"different shapes: 40 x 30 and {part.shape[0]} x {part.shape[1]}"
    sparse = np.zeros((30, 30))
    sparse[3, 4] = 1
    other = np.zeros((30, 30))
    other[8, 9] = 2
    assert "explained" not in explained(sparse, other)
    a, b = draw(20, 20, "f4"), draw(20, 20, "f4")
    a[:, 3] = b[::-1, 3] = 1e9  # one large value does not make the others agree
    b[::-1, 4] = 1e9
    assert "explained" not in explained(a, b)


def permuted(w, heads, rotary, to, axis):
    """Rows or columns of w reordered by reshape and swapaxes alone."""
    w = np.moveaxis(w, axis, 0)
    each = w.reshape(heads, -1, w.shape[1]).copy()
    pairs = (2, rotary // 2) if to == "interleaved" else (rotary // 2, 2)
    part = each[:, :rotary].reshape(heads, *pairs, -1).swapaxes(1, 2)
    each[:, :rotary] = part.reshape(heads, rotary, -1)
    return np.ascontiguousarray(np.moveaxis(each.reshape(w.shape), 0, axis))


@case
@long
def compare_finds_heads():
    for _ in range(60):
        heads, half, more = RANDOM.integers(1, 9), RANDOM.integers(2, 9), RANDOM.integers(0, 4)
        dim, rotary, axis = 2 * half + more, 2 * half, int(RANDOM.integers(2))
        dtype = RANDOM.choice(["f2", "f4", "f8", "i2"])
        w = (40 * draw(heads * dim, 7, "f8")).astype(dtype)
        w = np.ascontiguousarray(w.T) if axis else w
        to = str(RANDOM.choice(["half", "interleaved"]))
        b = permuted(w, heads, rotary, to, axis)
        answer = explained(w, b)
        if axis and heads == 1 and not more:
            assert "its columns split" in answer or "its columns interleaved" in answer, answer
            continue
        found = report("compare", "a.npy", "b.npy", status=1)["explanation"]
        assert (found["heads"], found["head_dim"], found["rotary_dim"]) == (heads, dim, rotary), answer
        if rotary > 4:
            assert f"to {to} order" in answer, answer
        words = found["command"].split()[1:]
        assert run(*words, "--npy", "-") == open("b.npy", "rb").read()
        back = {"half": "interleaved", "interleaved": "half"}[words[words.index("--to") + 1]]
        words[1], words[words.index("--to") + 1] = "b.npy", back
        assert run(*words, "--npy", "-") == open("a.npy", "rb").read()


def passes(found):
    return [v["pass"] for v in found["desiderata"].values()]


@case
def inspect_finds_what_is_known_of_sinusoids():
    saved(sinusoid(512, 512))
    found = report("inspect", "x.npy", "--check")
    near([found["rows"]["norm_squared_mean"]], 256, 1e-10)
    assert found["shift"]["residual"] < 1e-12
    assert found["pairs"]["translation_invariance"] == 1
    assert found["pairs"]["diagonal_std_max"] < 1e-12
    assert found["pairs"]["first_violation"] == 44
    near(found["pairs"]["min_cosine"], 0.228063, 1e-6)
    assert found["pairs"]["min_cosine_at"] == 507
    assert passes(found) == [True] * 5
    assert list(found["desiderata"]) == [
        "finite", "unique", "equidistant", "bounded", "any_length"]


def bisected(make, measure, limit):
    """Reports on make(noise) whose measures are close to the limit, on both sides of it."""
    noise = np.random.default_rng(3).standard_normal((48, 16))
    low, high, below, above = 0.0, 1.0, None, None
    for _ in range(24):
        amount = (low + high) / 2
        found = report("inspect", saved(make(amount * noise)))
        if measure(found) < limit:
            low, below = amount, found
        else:
            high, above = amount, found
    assert limit - 1e-4 * limit < measure(below) < limit <= measure(above) < limit + 1e-4 * limit
    return below, above


@case
def inspect_judges_at_its_limits():
    x, slow = sinusoid(48, 16), sinusoid(48, 16, "--step", 0.02)
    # Of what is missing to 1, so that it rises with the noise
    below, above = bisected(lambda noise: x + noise,
                            lambda f: 1 - f["pairs"]["translation_invariance"], 0.01)
    assert below["desiderata"]["equidistant"]["pass"]
    assert not above["desiderata"]["equidistant"]["pass"]
    below, above = bisected(lambda noise: x + noise, lambda f: f["shift"]["residual"], 0.01)
    assert below["desiderata"]["any_length"]["pass"]
    assert not above["desiderata"]["any_length"]["pass"]
    below, above = bisected(lambda noise: slow + noise, lambda f: f["shift"]["residual"]
                            / f["shift"]["identity_residual"], 0.1)
    assert above["shift"]["residual"] < 0.01
    assert below["desiderata"]["any_length"]["pass"]
    assert not above["desiderata"]["any_length"]["pass"]
    for largest, bounded in ((1, True), (-1, True), (np.nextafter(1, 2), False)):
        x[3, 2] = largest
        assert report("inspect", saved(x))["desiderata"]["bounded"]["pass"] == bounded
    x[9] = x[30]
    assert not report("inspect", saved(x))["desiderata"]["unique"]["pass"]
    x[9, 0] = np.nextafter(x[9, 0], 2)
    assert report("inspect", saved(x))["desiderata"]["unique"]["pass"]


@case
def inspect_beside_numpy():
    x = draw(60, 24, "f8") * 0.1
    x[33] = x[20]
    found = report("inspect", saved(x), "--shift", 3)
    values, rows, pairs = found["values"], found["rows"], found["pairs"]
    assert values["shape"] == [60, 24] and values["finite"]
    near([values[k] for k in ("min", "max", "mean", "std")],
         [x.min(), x.max(), x.mean(), x.std()], 1e-14)
    norm = np.linalg.norm(x, axis=1)
    near([rows["norm_min"], rows["norm_mean"], rows["norm_max"], rows["norm_variation"]],
         [norm.min(), norm.mean(), norm.max(), norm.std() / norm.mean()], 1e-13)
    assert rows["repeated_rows"] == 1 and rows["which"] == ["row 33: equal to row 20"]
    gram = x @ x.T
    distance = np.abs(np.subtract.outer(np.arange(60), np.arange(60)))
    mean = np.array([np.diagonal(gram, k).mean() for k in range(60)])
    r2 = 1 - ((gram - mean[distance]) ** 2).sum() / ((gram - gram.mean()) ** 2).sum()
    near(pairs["translation_invariance"], r2, 1e-12)
    assert pairs["nearest_rows"] == [20, 33] and pairs["nearest_distance"] == 0
    cosine = gram / np.outer(norm, norm)
    falls = np.concatenate([cosine[i, i + 1:] < cosine[i, i:-1] for i in range(60)])
    near(pairs["monotonicity"], falls.mean(), 1e-12)
    falls = np.concatenate([(cosine[i, i + 1:] < cosine[i, i:-1])[:20] for i in range(60)])
    near(pairs["monotonicity_near"], falls.mean(), 1e-12)
    spread = np.array([np.diagonal(gram, k).std() for k in range(60)])
    near([pairs["diagonal_std_mean"], pairs["diagonal_std_max"], pairs["diagonal_std_relative"]],
         [spread.mean(), spread.max(), spread.max() / gram.std()], 1e-12)
    mean = np.array([np.diagonal(cosine, k).mean() for k in range(60)])
    assert pairs["first_violation"] == np.argmax(np.diff(mean) > 0) + 1
    assert pairs["min_cosine_at"] == mean.argmin()
    near([pairs["min_cosine"], pairs["adjacent_distance"]],
         [mean.min(), np.linalg.norm(np.diff(x, axis=0), axis=1).mean()], 1e-12)
    best = 9
    for z in (x[:, 0::2] + 1j * x[:, 1::2], x[:, :12] + 1j * x[:, 12:]):
        c = (z[3:] * z[:-3].conj()).sum(0) / (np.abs(z[:-3]) ** 2).sum(0)
        best = min(best, np.linalg.norm(z[3:] - c * z[:-3]) / np.linalg.norm(z[3:]))
    near(found["shift"]["residual"], best, 1e-12)
    assert passes(found) == [True, False, False, True, False]
    run("inspect", "x.npy", "--check", status=1)


@case
def inspect_forgives_rounding():
    """Rows of one direction have one cosine, however many columns are added."""
    r = np.random.default_rng(8)
    x = np.outer(r.uniform(1, 2, 30), r.normal(size=4096))
    pairs = report("inspect", saved(x))["pairs"]
    assert pairs["monotonicity"] is None and pairs["monotonicity_equal"] == 30 * 29 / 2


@case
@long
def inspect_spectra():
    x = sinusoid(512, 768)
    spectrum = report("inspect", saved(x))["spectrum"]
    s = np.linalg.svd(x, compute_uv=False)
    near(spectrum["singular_values"][:100], s[:100], 1e-10)
    assert [spectrum["components_%d" % k] for k in (90, 95, 99)] == [65, 96, 129]
    assert spectrum["rank"] == 153
    near([spectrum["effective_rank"], spectrum["effective_rank_of_squares"]],
         [108.98, 20.86], 0.005)
    near(spectrum["stable_rank"], (s ** 2).sum() / s[0] ** 2, 1e-10)
    # Rounding to float32 or float16 is no rank
    random = np.random.default_rng(1).normal
    for dtype in "f4", "f2":
        product = (random(size=(300, 3)) @ random(size=(3, 100))).astype(dtype)
        assert report("inspect", saved(product))["spectrum"]["rank"] == 3
    # Equal shares: nine tenths of them are 90 %
    equal = report("inspect", saved(np.eye(10)))["spectrum"]
    assert [equal["components_%d" % k] for k in (90, 95, 99)] == [9, 10, 10]
    near(spectrum["explained_variance_ratio"][:5], [0.1470, 0.0854, 0.0575, 0.0445, 0.0357], 5e-5)


def decomposed(x, values=1e-11, shares=1e-11, residual=1e-10):
    """The spectrum and the residual of a shift by 2 beside NumPy's."""
    found = report("inspect", saved(x), "--shift", 2)
    spectrum = found["spectrum"]
    near(spectrum["singular_values"], np.linalg.svd(x, compute_uv=False), values)
    centered = np.linalg.svd(x - x.mean(0), compute_uv=False) ** 2
    near(spectrum["explained_variance_ratio"], centered / centered.sum(), shares)
    if len(x) > x.shape[1] + 2:
        m = np.linalg.lstsq(x[:-2], x[2:], rcond=1e-10)[0]
        near(found["shift"]["matrix_residual"],
             np.linalg.norm(x[2:] - x[:-2] @ m) / np.linalg.norm(x[2:]), residual)


@case
@long
def inspect_spectra_near_dependence():
    """Singular values and residuals of columns that are far from dependent, nearly so, or dependent."""
    r = np.random.default_rng(5)
    mixed = r.normal(size=(160, 160)) / 8 + np.eye(160)
    for n, near_to in ((500, 0), (500, 1e-9), (500, 1e-3), (161, 0), (150, 0)):
        x = r.normal(size=(n, 160)) @ mixed + r.normal(size=160)
        x[:, 7] = x[:, 9] + near_to * x[:, 7] if near_to else x[:, 7]
        decomposed(x, *((1e-9, 1e-7) if near_to else ()))
    # Columns that are far from dependent, and a shift that leaves much
    x = r.normal(size=(500, 130))
    decomposed(x, 1e-11, 1e-12, 1e-12)
    # The same, but nearly dependent, or dependent, in the rows that are shifted
    x[-2:, 7] = 20
    for near_to in (1e-5, 0):
        x[:-2, 7] *= near_to
        decomposed(x)
    # Dependent because the first column is small
    x = r.normal(size=(20, 2))
    x[:, 0] *= 1e-12
    decomposed(x, 1e-4, 1e-4)
    # Too few rows to fit a shift
    decomposed(np.linalg.qr(r.normal(size=(132, 130)))[0])
    # A shift that fits, of columns that are far from dependent
    x = np.linalg.qr(r.normal(size=(130, 130)))[0]
    rows = [r.normal(size=130)]
    for _ in range(400):
        rows.append(rows[-1] @ x)
    found = report("inspect", saved(np.array(rows)))
    assert found["shift"]["matrix_residual"] < 1e-9, found["shift"]
    # The squares of one that is exact leave half of the digits
    w, t = np.pi * (np.arange(65) + 0.5) / 65, np.arange(600)[:, None]
    found = report("inspect", saved(np.hstack([np.cos(w * t), np.sin(w * t)])))
    assert found["shift"]["matrix_residual"] < 1e-12, found["shift"]


@case
def inspect_wavelengths():
    t = np.arange(256)[:, None]
    waves = np.array([3.7, 8, 20.5, 60])
    x = np.hstack([np.sin(2 * np.pi * t / waves), t * 0 + 5, t / 256])
    columns = report("inspect", saved(x))["columns"]
    near(np.array(columns["wavelengths"][:4]) / waves, 1, 2e-2)
    assert columns["wavelengths"][4] is None
    assert columns["unresolved"] == 2
    near(columns["shortest_wavelength"], 3.7, 0.02)


@case
def inspect_shift_is_shift():
    for layout in ("interleaved", "split"):
        saved(sinusoid(64, 16, "--layout", layout))
        for by in (1, 2, 7):
            shift = report("inspect", "x.npy", "--shift", by)["shift"]
            assert shift["pairs"] == layout and shift["residual"] < 1e-12
            angle = np.array(shift["angles"])
            w = by * 10000.0 ** (-np.arange(8) / 8)
            near(np.exp(1j * angle), np.exp(1j * w), 1e-12)
            if b"shift " not in run("help"):
                continue
            m = table("shift", "--dim", 16, "--by", by, "--layout", layout, "--dtype", "f64")
            k = np.arange(8)
            a, b = (2 * k, 2 * k + 1) if layout == "interleaved" else (k, k + 8)
            near(m[a, a], np.cos(angle), 1e-12)
            near(m[a, b], np.sin(angle), 1e-12)


def learned(n, d):
    """What training leaves: rows that change slowly, and noise."""
    window = np.exp(-np.arange(-40, 41) ** 2 / 288)
    noise = RANDOM.standard_normal((n + 80, d))
    slow = np.apply_along_axis(np.convolve, 0, noise, window / np.linalg.norm(window), "valid")
    return (0.05 * (slow + 0.25 * RANDOM.standard_normal((n, d)))).astype("f4")


@case
@long
def inspect_finds_damaged_rows():
    x = learned(512, 768)
    x[100] = RANDOM.standard_normal(768) * 0.8
    x[300] = x[299]
    rows = report("inspect", saved(x))["rows"]
    assert rows["unusual_rows"] == 2
    assert rows["which"][0].startswith("row 100: norm 2")
    assert "times the median, unlike its neighbours (cosine similarity " in rows["which"][0]
    assert rows["which"][1] == "row 300: equal to row 299"


@case
@long
def inspect_finds_rows_before_the_first():
    x = learned(514, 768)
    x[0] = RANDOM.standard_normal(768) * 0.02
    x[1] = 0
    rows = report("inspect", saved(x))["rows"]
    assert rows["unusual_rows"] == 2
    assert rows["which"][0].startswith("row 0: norm 0.5")
    assert rows["which"][1] == "row 1: all zeros"
    assert "--drop-prefix 2" in rows["advice"]


@case
def inspect_takes_any_table():
    for x in (np.ones((1, 1)), np.zeros((4, 4)), draw(1, 9, "f4"), draw(9, 1, "f4"),
              draw(2, 2, "f4"), draw(2, 30, "f4"), np.arange(20).reshape(10, 2)):
        found = report("inspect", saved(x))
        assert len(passes(found)) == 5
        assert found["desiderata"]["finite"]["pass"]
        run("inspect", "x.npy")
    x = draw(8, 8, "f4")
    x[2, 3], x[5, 5] = np.nan, np.inf
    found = report("inspect", saved(x))
    values = found["values"]
    assert values["not_finite"] == "1 nan, 1 infinite; first at row 2, column 3"
    assert values["max"] == np.float64(x[np.isfinite(x)].max())
    assert found["rows"]["which"] == ["row 2: norm is not finite", "row 5: norm is not finite"]
    assert found["desiderata"]["finite"] == {
        "pass": False, "measure": 2, "of": "values that are not finite (required: 0)"}
    assert found["desiderata"]["equidistant"]["measure"] is None
    run("inspect", "x.npy", "--check", status=1)


@case
def inspect_tells_the_shortest_dtype():
    for dtype, name in (("f2", "float16"), ("f4", "float32"), ("f8", "float64")):
        saved(draw(5, 5, dtype).astype("f8"))
        assert report("inspect", "x.npy")["values"]["smallest_dtype"] == name


if __name__ == "__main__":
    sys.exit(main())
