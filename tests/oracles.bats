# Values of sinusoid --emulate, embed and relative beside NumPy's, PyTorch's and formulas; worked
# values are in transcripts.

load common

setup() {
	tests=$BATS_TEST_DIRNAME
	B=$(realpath "${B:-build}")
	export B
	empty_folder
}

@test "sinusoid --emulate: every way takes the steps that NumPy takes, bit for bit" {
	"$python" "$tests/emulate.py"
}

@test "embed --rng: values that torch and NumPy drew" {
	run "$python" "$tests/drawn/drawn.py" stored
	[ -z "$output" ]
	[ "$status" -eq 0 ]
}

@test "embed --rng: values that the NumPy here draws" {
	run "$python" "$tests/drawn/drawn.py" numpy
	[ -z "$output" ]
	[ "$status" -eq 0 ]
}

@test "embed --rng: values that the torch here draws" {
	[ -n "${LIVE:-}" ] || skip "LIVE=1 compares with python3-torch, too"
	/usr/bin/python3 -c 'import torch' 2>/dev/null || skip "python3-torch is not installed"
	run /usr/bin/python3 "$tests/drawn/drawn.py" torch
	[ -z "$output" ]
	[ "$status" -eq 0 ]
}

@test "uniform and normal draws have their bounds, means and deviations" {
	"$posenc" embed --vocab 1000 --dim 9 --init uniform:-2,3 --npy u.npy
	"$posenc" embed --vocab 1000 --dim 9 --init normal:0.02 --npy n.npy
	"$python" -c "
import numpy as np
u, n = np.load('u.npy'), np.load('n.npy')
assert -2 <= u.min() < -1.9 and 2.9 < u.max() < 3 and abs(u.mean() - .5) < .05
assert abs(n.std() - .02) < .0005 and abs(n.mean()) < .001"
}

@test "normal draws are Box's and Muller's of the uniform ones, within 16 units" {
	for how in uniform normal; do
		"$posenc" embed --vocab 5000 --dim 2 --init $how --dtype f64 --npy $how.npy
	done
	"$python" -c "
import numpy as np
a, b = np.load('uniform.npy').T
quarter = np.rint(4 * b).astype(int)
angle = 2 * np.pi * (b - quarter / 4)  # at most an eighth of a turn
cosine, sine = np.cos(angle), np.sin(angle)
around = np.array([cosine, sine, -cosine, -sine])
every = np.arange(len(b))
normal = np.sqrt(-2 * np.log1p(-a)) * [around[-quarter % 4, every], around[(1 - quarter) % 4, every]]
assert abs(np.load('normal.npy').T / normal - 1).max() < 16 * 2**-53"
}

@test "DeBERTa's buckets beside the formula, distances 0 to 2000" {
	"$python" - "$posenc" <<'PY'
import math, subprocess, sys
for buckets, most in (256, 512), (32, 128), (64, 1000), (7, 90), (128, 512), (10, 7), (33, 40):
    row = subprocess.run([sys.argv[1], "relative", "--kind", "deberta", "--buckets", str(buckets),
                          "--max-position", str(most), "--distances", "0:2000"],
                         capture_output=True, text=True).stdout.split(",")
    m = buckets // 2
    for n, ours in enumerate(map(int, row)):
        if n <= m:
            assert ours == n
            continue
        # in integers: the least c with (n / m)^(m - 1) <= ((most - 1) / m)^c
        c = ours - m
        reaches = lambda c: (most - 1) ** c * m ** (m - 1) >= n ** (m - 1) * m ** c
        assert reaches(c) and not reaches(c - 1), (buckets, most, n, ours)
PY
}

@test "vectors are the labels' rows" {
	"$python" - "$posenc" <<'PY'
import io, subprocess, sys
import numpy as np
def made(*words):
    out = subprocess.run([sys.argv[1], *words, "--npy", "-"], capture_output=True, check=True).stdout
    return np.load(io.BytesIO(out))
for words, labels in ((["--kind", "swin", "--window", "3x2"], 15), (["--kind", "swin", "--window", "3x2", "--cls"], 18),
                      (["--kind", "deberta", "--query-len", "3", "--key-len", "7", "--clip", "4"], 8),
                      (["--query-len", "3", "--key-len", "7", "--clip", "4"], 9),
                      (["--clip", "4", "--distances", "-6:6"], 9),
                      (["--kind", "deberta", "--buckets", "6", "--max-position", "9", "--len", "12"], 12)):
    table = made("embed", "--len", str(labels), "--dim", "3")
    np.save("table.npy", table)
    label = made("relative", *words, "--out", "labels")
    vectors = made("relative", *words, "--table", "table.npy")
    assert vectors.shape == label.shape + (3,) and (vectors == table[label]).all(), words
# Transformer-XL: R of i - j
vectors = made("relative", "--kind", "xl", "--query-len", "3", "--key-len", "5", "--dim", "6", "--out", "vectors", "--clip", "3")
distances = made("relative", "--kind", "xl", "--query-len", "3", "--key-len", "5", "--clip", "3")
sinusoids = made("sinusoid", "--layout", "split", "--dim", "6", "--start", "-3", "--len", "7")
assert (vectors == sinusoids[distances + 3]).all()
R = made("relative", "--kind", "xl", "--len", "5", "--dim", "6", "--out", "sinusoids", "--clip", "3")
assert (R == sinusoids[np.minimum(np.arange(4, -1, -1), 3) + 3]).all()
PY
}
