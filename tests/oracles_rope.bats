# Rotary positions: identities and formulas by NumPy; words and worked values are in
# transcripts/{rope,scaling,config}.txt.

load common

setup() {
	empty_folder
}

# numpy PROGRAM: with a function that makes a table of words, in double.
numpy() {
	POSENC=$posenc "$python" -c '
import io, os, subprocess
import numpy as np

def posenc(words, *more):
    run = subprocess.run([os.environ["POSENC"], *words.split(), *map(str, more),
                          "--dtype", "f64", "--npy", "-"], capture_output=True)
    assert run.returncode == 0, run.stderr
    return np.load(io.BytesIO(run.stdout))

SCALINGS = ["none", "linear:3", "ntk:5", "dynamic:4,10", "yarn:8,40", "yarn:8,40,truncate=false",
            "deepseek_yarn:8,40", "telechat3-yarn:8,40", "ntk-fixed:5", "ntk-fixed:5,mixed_b=0.5",
            "llama3:8,100", "longrope:8,20,short=1:2:3:4:5:6:7:8,long=2:3:4:5:6:7:8:9"]
'"$1"
}

@test "products of queries and keys depend on the distance only" {
	numpy '
rng = np.random.default_rng(1)
n, d = 24, 16
q, k = rng.normal(size=(2, d))
np.save("q.npy", np.tile(q, (n, 1)))
np.save("k.npy", np.tile(k, (n, 1)))

def check(words, keys=""):
    logits = posenc(words + " --apply q.npy") @ posenc(words + " --apply k.npy" + keys).T
    for shift in range(-n + 1, n):
        diagonal = np.diagonal(logits, shift)
        assert np.ptp(diagonal) < 1e-12 * np.abs(q) @ np.abs(k), (words, shift)
    assert np.ptp(logits) > 1e-2, words

for scaling in SCALINGS:
    for pairs in "half", "interleaved":
        check(f"rope --pairs {pairs} --scaling {scaling}")
check("rope --rotary-dim 6 --start -5")
check("rope --sections 2,3,3 --step 0.5")
check("rope --spacing linear:10 --step 0.01")
for center in "floor", "ceil", "none":
    check(f"rope --xpos 32 --pairs interleaved --center {center}", " --downscale")
'
}

@test "--apply, then --inverse, changes nothing" {
	numpy '
rng = np.random.default_rng(2)
x = rng.normal(size=(3, 20, 16))
np.save("x.npy", x)
words = [f"rope --scaling {scaling} --pairs {pairs} --start 100000"
         for scaling in SCALINGS for pairs in ("half", "interleaved")]
words += ["rope --xpos 16 --start 3", "rope --rotary-dim 10", "rope --along planes",
          "rope --grid 4x5", "rope --xpos 16 --downscale --center ceil"]
for w in words:
    turned = posenc(w + " --apply x.npy")
    np.save("turned.npy", turned)
    back = posenc(w + " --inverse --apply turned.npy")
    lengths = np.linalg.norm(x, axis=-1, keepdims=True)
    assert turned.shape == x.shape and np.abs(turned - x).max() > 0.1, w
    assert (np.abs(back - x) <= 1e-15 * lengths).all(), w
assert (posenc("rope --rotary-dim 10 --apply x.npy")[:, :, 10:] == x[:, :, 10:]).all()
cos, sin = (posenc("rope --dim 16 --len 20 --out", out) for out in ("cos", "sin"))
want = np.concatenate([x[..., :8] * cos - x[..., 8:] * sin, x[..., 8:] * cos + x[..., :8] * sin], -1)
assert np.abs(posenc("rope --apply x.npy") - want).max() < 1e-14
flipped = posenc("rope --along planes --apply x.npy")
for row in 0, 13:
    np.save("row.npy", x[:, row])
    assert np.abs(flipped[:, row] - posenc("rope --apply row.npy")).max() < 1e-14
'
}

@test "grids, and sections of time, rows and columns" {
	numpy '
def cis(positions, dim, base=10000):
    return posenc(f"rope --dim {dim} --base {base} --out cis --positions", positions)

grid = posenc("rope --dim 8 --grid 2x3 --out cis --base 100")
assert (grid[:, :4] == cis("0,1,2,0,1,2", 4, 100)).all()
assert (grid[:, 4:] == cis("0,0,0,1,1,1", 4, 100)).all()
columns = {axis: posenc("rope --dim 12 --out angles --positions", at)
           for axis, at in (("t", "5,7"), ("h", "1,2"), ("w", "3,4"))}
three = "--positions 5,1,3,7,2,4"
for how, axes in (("chunked", "tthwww"), ("interleaved", "thwtht")):
    sizes = [axes.count(a) for a in "thw"]
    ours = posenc(f"rope --dim 12 --out angles {three} --mrope {how} --sections", *[",".join(map(str, sizes))])
    for k, axis in enumerate(axes):
        assert (ours[:, k] == columns[axis][:, k]).all(), (how, k)
text = posenc("rope --dim 12 --len 4 --sections 2,1,3")
assert (text == posenc("rope --dim 12 --len 4")).all()
image = posenc("rope --dim 12 --grid 2x3 --sections 2,2,2 --start 9 --out angles")
assert (image == posenc("rope --dim 12 --sections 2,2,2 --out angles --positions",
    "9,9,9,9,9,10,9,9,11,9,10,9,9,10,10,9,10,11")).all()
'
}

@test "sections of four axes, and rows and columns in turn before time, as vLLM and transformers have them" {
	numpy '
rng = np.random.default_rng(3)

def check(words, positions, pick, alpha=1):
    """pick(waves) has the waves [axes, n, pairs] of all axes, of which a pair has one."""
    d = 2 * sum(map(int, words.split()[1].split(",")))
    w = (10000 * alpha ** (d / (d - 2))) ** (-np.arange(0, d, 2) / d)
    at = positions[:, :, None] * w
    flat = ",".join(map(str, positions.T.ravel()))
    words = f"rope --dim {d} {words} --positions {flat} --positions-by token --scaling ntk:{alpha} --out"
    for out, function in ("cos", np.cos), ("sin", np.sin):
        assert np.abs(posenc(f"{words} {out}") - pick(function(at))).max() < 1e-12, words
    x = rng.normal(size=(positions.shape[1], d))
    np.save("x.npy", x)
    turned = x[:, ::2] + 1j * x[:, 1::2]
    turned = turned * (pick(np.cos(at)) + 1j * pick(np.sin(at)))
    ours = posenc(words.replace("--out", "--pairs interleaved --apply x.npy"))
    assert np.abs(ours[:, ::2] - turned.real).max() < 1e-12
    assert np.abs(ours[:, 1::2] - turned.imag).max() < 1e-12

# XDRotaryEmbedding: chunk i of the cosines is of axis i; the base is multiplied by alpha^(d/(d - 2)).
for sizes in (16, 16, 16, 16), (1, 2, 3, 2), (0, 4, 0, 4):
    ends = np.cumsum((0, *sizes))
    check("--sections " + ",".join(map(str, sizes)), rng.integers(0, 999, (4, 7)),
          lambda x: np.concatenate([x[i, :, ends[i]:ends[i + 1]] for i in range(4)], -1), 1000)

# Ernie4_5_VLRotaryEmbedding and BailingMRotaryEmbedding: [h w h w ... t t t].
def tail(x, t):
    pairs = x.shape[-1] - t
    both = np.stack([x[1, :, 0:pairs:2], x[2, :, 1:pairs:2]], -1).reshape(x.shape[1], pairs)
    return np.concatenate([both, x[0, :, pairs:]], -1)

for words, t in ("22,22,20", 20), ("8,12,12", 8), ("3,3,3", 3), ("0,4,4", 0), ("0,0,5", 5):
    check(f"--sections {words} --mrope alternate", rng.integers(0, 999, (3, 7)), lambda x: tail(x, t))
'
}

@test "presets of diffusers beside the classes of their files" {
	numpy '
def grid(*sizes):
    """Coordinates of cells, [axes, cells], the last axis fastest."""
    return np.stack(np.meshgrid(*map(np.arange, sizes), indexing="ij")).reshape(len(sizes), -1)

def angles(coordinates, dims, base):
    return np.concatenate([c[:, None] * base ** (-np.arange(0, d, 2) / d)
                           for c, d in zip(coordinates, dims)], -1)

def check(words, want, dim):
    for out, x in ("angles", want), ("cos-full", np.cos(want)), ("sin-full", np.sin(want)):
        if out != "angles":
            x = np.concatenate([x, x], -1) if "cogview4" in words else np.repeat(x, 2, -1)
        ours = posenc(f"rope --dim {dim} --preset {words} --out {out}")
        assert np.abs(ours - x).max() < 1e-9, (words, out)

# HiDreamImageEmbedND: ids are 0, y, x, then zeros of the text tokens.
y, x = grid(3, 5)
ids = np.stack([0 * y, y, x])
check("hidream --grid 3x5 --cls 4", angles(np.pad(ids, ((0, 0), (0, 4))), (64, 32, 32), 10000), 128)
# RopeEmbedder: text tokens at 1, 2, ..., n on the first axis, cells at n + 1.
text = np.zeros((3, 32))
text[0] = np.arange(1, 33)
check("z-image --grid 3x5 --text 32", angles(np.concatenate([text, ids + [[33], [0], [0]]], 1), (32, 48, 48), 256), 128)
# CogView4RotaryPosEmbed: y 256 // H.
for h, w in (3, 5), (45, 80), (256, 1), (1, 300):
    y, x = grid(h, w)
    check(f"cogview4 --grid {h}x{w}", angles((y * 256 // h, x * 256 // w), (32, 32), 10000), 64)
# WanRotaryPosEmbed: rows and columns have 2 floor(D/6) dimensions each, frames the rest.
for d in 112, 128:
    side = 2 * (d // 6)
    check("sana-video --grid 3x5x2", angles(grid(2, 3, 5), (d - 2 * side, side, side), 10000), d)
check("hunyuan-image --grid 3x5", angles(grid(3, 5), (64, 64), 256), 128)
'
}

@test "yarn of DeepSeek and TeleChat3, and Su's NTK" {
	numpy '
d, base, length = 64, 10000, 4096
k = np.arange(d // 2)
plain = base ** (-k / (d / 2))

def freqs(scaling):
    return posenc(f"rope --dim {d} --out freqs --scaling {scaling}")[0]

def factor(scaling):
    return posenc(f"rope --dim {d} --len 1 --out cos --scaling {scaling}")[0, 0]

for f in 4, 40, 160.5:
    at = [d * np.log(length / (r * 2 * np.pi)) / (2 * np.log(base)) for r in (32, 1)]
    low, high = max(np.floor(at[0]), 0), min(np.ceil(at[1]), d - 1)
    ramp = np.clip((k - low) / (high - low), 0, 1)
    want = plain / f * ramp + plain * (1 - ramp)
    for kind in "yarn", "deepseek_yarn", "telechat3-yarn":
        assert np.abs(freqs(f"{kind}:{f},{length}") / want - 1).max() < 1e-12, kind
    for m, all in (1, 0), (0.707, 0.707), (1, 1), (0, 1), (0.5, 0), (2, 0.7):
        more = f",mscale={m},mscale_all_dim={all}"
        ratio = (0.1 * m * np.log(f) + 1) / (0.1 * all * np.log(f) + 1)
        assert abs(factor(f"deepseek_yarn:{f},{length}{more}") - ratio) < 1e-15, more
    assert abs(factor(f"deepseek_yarn:{f},{length}") - 0.1 * np.log(f) - 1) < 1e-15
    assert abs(factor(f"telechat3-yarn:{f},{length}") - 0.07 * np.log(f) - 1) < 1e-15
assert factor("deepseek_yarn:0.5,4096") == factor("telechat3-yarn:1,4096") == 1

for f in 8, 2.5:
    fixed = (base * f) ** (-k / (d / 2)) / f ** (2 / d)
    assert np.abs(freqs(f"ntk-fixed:{f}") / fixed - 1).max() < 1e-14
    for b in 0.625, 1, 2:
        mixed = plain / np.exp(np.log(f) / (d / 2) ** b * (k + 1.0) ** b)
        assert np.abs(freqs(f"ntk-fixed:{f},mixed_b={b}") / mixed - 1).max() < 1e-14
'
}

@test "xPos, and its inverse for keys" {
	numpy '
cos = posenc("rope --dim 8 --len 5 --out cos")
zeta = (np.arange(0, 8, 2) + 0.4 * 8) / (1.4 * 8)
for center, c in ("floor", 2), ("ceil", 3), ("none", 0):
    power = (np.arange(5) - c)[:, None] / 512
    ours = posenc("rope --dim 8 --len 5 --out cos --xpos 512 --center", center)
    assert np.abs(ours - cos * zeta ** power).max() < 1e-15
    keys = posenc("rope --dim 8 --len 5 --out cos --xpos 512 --downscale --center", center)
    assert np.abs(ours * keys - cos ** 2).max() < 1e-15
'
}

@test "rope --apply: arrays of three and four dimensions, and of one plane" {
	"$python" - "$posenc" <<'PY'
import subprocess, sys
import numpy as np
rng = np.random.default_rng(0)
def rotated(x):
    np.save("x.npy", x)
    subprocess.run([sys.argv[1], "rope", "--apply", "x.npy", "--npy", "y.npy"], check=True)
    return np.load("y.npy")
x = rng.standard_normal((2, 3, 5, 4))
y = rotated(x)
assert y.shape == (6, 5, 4)
assert np.array_equal(rotated(np.asfortranarray(x)), y)
for i, plane in enumerate(x.reshape(6, 5, 4)):
    assert np.array_equal(rotated(plane), y[i])
    assert np.array_equal(rotated(plane[None]), y[i][None])
PY
}
