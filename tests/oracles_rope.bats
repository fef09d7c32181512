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
