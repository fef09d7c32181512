# ALiBi through the command line: forms, shapes, what is refused.

bats_require_minimum_version 1.5.0
load common

setup() {
	posenc="$PWD/${B:-build}/posenc"
	python=$(tests/python)
	empty_folder
}

@test "alibi: slopes, as --help shows them" {
	prints "0.25,0.0625,0.015625,0.00390625" alibi --heads 4
	"$posenc" alibi --help | grep -q "  --heads 4:  0.25 0.0625 0.015625 0.00390625"
	prints "0.0625,0.00390625,0.25" alibi --heads 3 --out slopes --len 9
	prints "0.0625" alibi --heads 1 --bias-max 4
}

@test "alibi: the three forms, queries at the last keys" {
	prints "0,-0.00390625,-0.0078125
-0.00390625,0,-0.00390625
-0.0078125,-0.00390625,0" alibi --heads 1 --len 3
	prints "-0.0078125,-0.00390625,0,-0.00390625
-0.01171875,-0.0078125,-0.00390625,0" alibi --heads 1 --query-len 2 --key-len 4
	prints "-0.0078125,-0.00390625,0,0
-0.01171875,-0.0078125,-0.00390625,0" alibi --heads 1 --query-len 2 --key-len 4 --form causal
	prints "0,0.00390625,0.0078125" alibi --heads 1 --len 3 --form row
	prints "0,0.00390625
0,0.00390625" alibi --heads 1 --query-len 2 --key-len 2 --form row
	prints "0,0.00390625,0,0.0078125" alibi --heads 1 --form row --positions 0,1,0,2
	prints "0,0.0625

0,0.00390625" alibi --heads 2 --len 2 --form row
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

@test "alibi: what is refused" {
	refuses "posenc alibi: --heads H is missing: heads, a slope each" alibi --len 4
	refuses "posenc alibi: --heads must be from 1 to 65536, not 0" alibi --heads 0
	refuses "posenc alibi: --len N is missing (or --query-len Q and --key-len K)" alibi --heads 4 --out bias
	refuses "posenc alibi: --positions is for --form row" alibi --heads 4 --positions 1,2
	refuses "posenc alibi: --positions takes the place of --len and --key-len" alibi --heads 4 --positions 1,2 --form row --len 2
	refuses "posenc alibi: --bias-max must be from 0.001 to 1000, not 0" alibi --heads 4 --bias-max 0
}
