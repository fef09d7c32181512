# ALiBi beside its authors' rule; worked values are in transcripts/alibi.txt.

bats_require_minimum_version 1.5.0
load common

setup() {
	empty_folder
}

@test "alibi: never a negative zero, and shards make the whole" {
	for form in symmetric causal row; do
		"$posenc" alibi --heads 12 --len 40 --form $form --npy $form.npy
		"$posenc" alibi --heads 12 --len 40 --form $form --csv whole.csv
		"$posenc" alibi --heads 12 --len 40 --form $form --raw whole.raw
		rows=$("$python" -c "import numpy as np; a = np.load('$form.npy')
assert not (np.signbit(a) & (a == 0)).any()
print(a.shape[0] * a.shape[1])")
		for rows in 0:7 7:$rows; do
			"$posenc" alibi --heads 12 --len 40 --form $form --rows $rows --raw -
		done | cmp - whole.raw
	done
}

@test "alibi: slopes for 1 to 256 heads are the authors'" {
	for heads in $(seq 256); do
		"$posenc" alibi --heads $heads --dtype f64
	done | "$python" -c '
import math, sys

def slopes(n):
    """The rule of the paper: a geometric sequence, or two interwoven."""
    if n & (n - 1) == 0:
        return [2 ** (-8 * (i + 1) / n) for i in range(n)]
    near = 1 << n.bit_length() - 1
    return slopes(near) + slopes(2 * near)[0::2][: n - near]

for n, line in enumerate(sys.stdin, 1):
    ours = [float(x) for x in line.split(",")]
    assert len(ours) == n
    assert all(abs(a - b) <= 2e-16 * b for a, b in zip(ours, slopes(n))), n
assert n == 256'
}
