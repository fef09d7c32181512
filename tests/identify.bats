# What identify says of tables: the scheme in words, ties, and what is none.

bats_require_minimum_version 1.5.0

setup() {
	posenc="$PWD/${B:-build}/posenc"
	golden="$PWD/tests/golden/data"
	tests="$PWD/tests"
	python=$(tests/python)
	mkdir "$BATS_TEST_TMPDIR/work"
}

# table CODE: what NumPy makes of it, in table.npy.
table() {
	cd "$BATS_TEST_TMPDIR/work"
	"$python" -c "import numpy as np; np.random.seed(0); np.save('table.npy', $1)"
}

# says STATUS SENTENCE: the first line on table.npy.
says() {
	run --separate-stderr "$posenc" identify table.npy
	[ "$status" -eq "$1" ] && [ "${lines[0]}" = "$2" ] || echo "$status ${lines[0]}$stderr" >&2
	[ "$status" -eq "$1" ]
	[ -z "$stderr" ]
	[ "${lines[0]}" = "$2" ]
}

@test "tables are made again by the command that identify answers with" {
	run "$python" tests/identify.py
	echo "$output" | grep '^not' >&2 || true
	[ "$status" -eq 0 ]
}

@test "a peer's float32 table, whose errors grow with the position" {
	cd "$BATS_TEST_TMPDIR/work"
	run "$posenc" identify "$golden/sinusoid.annotated.05.npy"
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" = "sinusoid: 'posenc sinusoid --len 200 --dim 128"*"makes this table, to "*" arithmetic" ]]
	[[ "$output" = *"presets "*"annotated"* ]]
	[[ "$output" = *"exact "*"no"* ]]
}

@test "ties: base 1000 over half - 1 is base 10000 over half for dim 8" {
	cd "$BATS_TEST_TMPDIR/work"
	"$posenc" sinusoid --len 64 --dim 8 --npy table.npy
	says 0 "sinusoid: 'posenc sinusoid --len 64 --dim 8' makes this table, to the last bit of float32"
	[[ "$output" = *"ties "*"posenc sinusoid --len 64 --dim 8 --base 1000 --denom half-1"* ]]
	"$posenc" sinusoid --len 64 --dim 2 --npy table.npy
	says 0 "sinusoid: 'posenc sinusoid --len 64 --dim 2' makes this table, to the last bit of float32"
	[[ "$output" = *"ties "*"--layout split"* ]]
}

@test "decimals are known to be shorter than the numbers were" {
	table "np.round([[np.sin(p), np.cos(p), np.sin(p / 100), np.cos(p / 100)] for p in range(50)], 6)"
	says 0 "sinusoid: 'posenc sinusoid --len 50 --dim 4 --dtype float64' makes this table, rounded to 6 decimals"
}

@test "text of any precision, and of shorter dtypes" {
	cd "$BATS_TEST_TMPDIR/work"
	for digits in 3 4 5 6; do
		"$posenc" sinusoid --len 64 --dim 16 --precision $digits --csv table.csv
		[[ "$("$posenc" identify table.csv | head -n 1)" = *"'posenc sinusoid --len 64 --dim 16 --precision $digits' makes this table, to its last digit" ]]
	done
	for dtype in float16 bfloat16 float64; do
		"$posenc" sinusoid --len 64 --dim 16 --dtype $dtype --csv table.csv
		[[ "$("$posenc" identify table.csv | head -n 1)" = *"'posenc sinusoid --len 64 --dim 16 --dtype $dtype' makes this table, to the last bit of $dtype" ]]
	done
}

@test "decimals of one length, as printf and savetxt write them" {
	cd "$BATS_TEST_TMPDIR/work"
	"$posenc" sinusoid --len 64 --dim 16 --npy table.npy
	for digits in 3 6 7; do
		"$python" -c "import numpy as np; np.savetxt('table.csv', np.load('table.npy'), '%.${digits}f', ',')"
		[[ "$("$posenc" identify table.csv | head -n 1)" = *"'posenc sinusoid --len 64 --dim 16' makes this table, rounded to $digits decimals" ]]
	done
	"$python" -c "
import numpy as np
p = np.float32(range(200))[:, None]
w = np.exp(np.arange(0, 128, 2, np.float32) * np.float32(-np.log(10000) / 128))
np.savetxt('table.csv', np.stack([np.sin(p * w), np.cos(p * w)], 2).reshape(200, 128), '%.4f', ',')"
	[[ "$("$posenc" identify table.csv | head -n 1)" = *"the difference is that of float32 arithmetic and of 4 digits" ]]
}

@test "a table whose columns are positions" {
	cd "$BATS_TEST_TMPDIR/work"
	"$posenc" sinusoid --len 50 --dim 16 --layout split --npy pe.npy
	table "np.load('pe.npy').T"
	says 0 "sinusoid: 'posenc sinusoid --len 50 --dim 16 --layout split' makes this table (columns for rows), to the last bit of float32"
}

@test "the JSON has the command, its parameters and the error" {
	cd "$BATS_TEST_TMPDIR/work"
	"$posenc" sinusoid --len 30 --start 2 --dim 6 --base 500 --layout split --dtype f16 --npy table.npy
	"$posenc" identify table.npy --json - >report.json
	"$python" -c "
import json
r = json.load(open('report.json'))
assert r['scheme']['command'] == 'posenc sinusoid --len 30 --start 2 --dim 6 --base 500 --layout split --dtype float16'
assert r['parameters']['base'] == '500' and r['parameters']['start'] == '2'
assert r['match'] == {'dtype': 'float16', 'exact': True, 'largest_error': 0}"
}

@test "wrong slopes of ALiBi are told from the authors'" {
	if ! "$posenc" alibi --heads 2 >/dev/null 2>&1; then skip "no alibi yet"; fi
	table "2.0 ** (-8 * np.arange(1, 13) / 12)"
	says 1 "alibi, but with wrong slopes: 2^(-8 h / heads), where for heads that are no power of two the authors interleave two sequences"
	table "-2.0 ** (-8 * np.arange(8) / 8)[:, None, None] * np.abs(np.arange(5)[:, None] - np.arange(5))"
	says 1 "alibi, but with wrong slopes: the exponent is off by one, and they begin at 1"
}

@test "learned and other tables are declined, with what can be said" {
	table "np.random.randn(128, 64) * 0.02"
	says 1 "drawn at random: normal with standard deviation 0.02, as learned tables are before training"
	[[ "$output" = *"kurtosis "* ]]
	table "np.random.rand(128, 64)"
	says 1 "drawn at random: uniform from 7.24e-05 to 1"
	table "np.cumsum(np.random.randn(64, 32), 0)"
	[[ "$("$posenc" identify table.npy | head -n 1)" = "learned or unknown: no scheme makes it, and neighbouring rows are alike"* ]]
	table "np.random.randn(4, 15)[:, 7 + np.arange(8) - np.arange(8)[:, None]]"
	says 1 "learned or unknown, and relative: each plane depends on the distance of query and key alone, as T5's biases do"
	table "(lambda a: np.concatenate([np.sin(a), np.cos(a)], 1))(np.outer(np.arange(50), np.random.rand(8)))"
	says 1 "unknown sinusoid: pairs of columns are sines and cosines, but no law of frequencies and positions makes them"
}

@test "degenerate tables get an honest answer" {
	table "[[3.5]]"
	says 1 "every number is 3.5: nothing here tells one position from another"
	table "np.zeros((4, 4))"
	says 1 "every number is 0: nothing here tells one position from another"
	table "[[1.0, np.nan], [0, 1]]"
	says 1 "unknown: some numbers are not finite, and it is no mask"
	table "[[1.0, np.inf], [0, 1]]"
	says 1 "unknown: some numbers are not finite, and it is no mask"
	table "np.random.randn(1, 5)"
	says 1 "unknown: no scheme makes these 5 numbers"
	table "np.random.randn(5, 1)"
	says 1 "unknown: no scheme makes these 5 numbers"
	table "np.random.randn(5, 5) * 1e300"
	says 1 "unknown: no scheme makes these 25 numbers"
	table "np.random.randn(5, 5) * 1e-310"
	says 1 "unknown: no scheme makes these 25 numbers"
	# a circle of one pair fits any positions: that is no finding
	table "(lambda t: np.stack([np.sin(t), np.cos(t)], 1))(np.random.rand(50) * 6)"
	says 1 "unknown: no scheme makes these 100 numbers"
}
