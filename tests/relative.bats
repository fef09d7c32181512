# Relative positions beside their formulas; worked values are in transcripts/relative.txt.

bats_require_minimum_version 1.5.0
load common

setup() {
	empty_folder
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
