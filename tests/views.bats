# Views of tables: similarity, inspect, compare.

bats_require_minimum_version 1.5.0
load common

setup_file() {
	python=$(tests/python)
	export python
	"$python" - "$BATS_FILE_TMPDIR" <<'PY'
import os
import sys
import numpy as np

os.chdir(sys.argv[1])

np.save("eye.npy", np.eye(3))
np.save("zero-row.npy", np.eye(3) * [[1], [0], [1]])
np.save("nan.npy", np.where(np.arange(12).reshape(3, 4) == 6, np.nan, 1))
np.save("inf.npy", np.where(np.arange(12).reshape(3, 4) == 0, -np.inf, 1))
np.save("huge.npy", np.full((2, 2), 1e200))
np.save("tiny.npy", np.full((2, 2), 1e-100))
np.save("planes.npy", np.ones((2, 3, 4)))
np.save("zeros.npy", np.zeros((2, 3, 4)))
np.save("last.npy", np.arange(24).reshape(2, 3, 4) // 23 * 1.0)
np.save("empty.npy", np.ones((0, 4)))
np.save("count.npy", np.arange(20.0).reshape(10, 2))
PY
}

setup() {
	posenc="$PWD/${B:-build}/posenc"
	oracle="$PWD/tests/views.py"
	empty_folder
	cp "$BATS_FILE_TMPDIR"/*.npy .
}

@test "rows of a million similarities need no gigabytes" {
	case ${B:-build} in *san*) skip "sanitizers have memory of their own" ;; esac
	"$python" -c "import numpy; numpy.save('long.npy', numpy.zeros((1000000, 1), 'i1'))"
	(ulimit -v 1000000 && "$posenc" similarity long.npy | head -c 20 | grep -x 0,0,0,0,0,0,0,0,0,0,)
}

@test "what NumPy computes in a few lines" {
	run "$python" "$oracle" "$posenc"
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(grep -c '^ok' <<<"$output")" -ge 20 ]
}

@test "similarity refuses what has no products" {
	for metric in dot cosine l2; do
		refuses "posenc similarity: row 1, column 2 of TABLE is nan, which has no products" similarity nan.npy --metric $metric
	done
	refuses "posenc similarity: row 0, column 0 of TABLE is -inf, which has no products" similarity inf.npy --curve
	refuses "posenc similarity: row 0, column 0 of TABLE is 1e+200, which has no finite square" similarity huge.npy
	refuses "posenc similarity: row 0 of TABLE is 1.41421e-100 long, which is out of range for --metric cosine" similarity tiny.npy --metric cosine
	refuses "posenc similarity: TABLE has 2 planes: --head H picks one" similarity planes.npy
	refuses "posenc: empty.npy: its shape [0, 4] holds no number" similarity empty.npy
}

@test "similarity's words" {
	refuses "posenc similarity: a TABLE is missing" similarity
	refuses "posenc similarity: 'eye.npy' is one table too many" similarity eye.npy eye.npy
	refuses "posenc similarity: --metric must be dot, cosine or l2, not 'euclid'" similarity eye.npy --metric euclid
	refuses "posenc similarity: --rows must be A:B with A less than B, within 0:3, not 2:9" similarity eye.npy --rows 2:9
	run "$posenc" similarity eye.npy
	[ "$output" = $'1,0,0\n0,1,0\n0,0,1' ]
	run "$posenc" similarity eye.npy --curve
	[ "$output" = $'0,1,0,1,1,3\n1,0,0,0,0,2\n2,0,0,0,0,1' ]
}

@test "similarity tells of rows of zeros, once, and may be quiet" {
	run --separate-stderr "$posenc" similarity zero-row.npy --metric cosine
	[ "$status" -eq 0 ]
	[ "$output" = $'1,0,0\n0,0,0\n0,0,1' ]
	[ "$stderr" = "posenc similarity: the cosine of a row of zeros is given as 0" ]
	run --separate-stderr "$posenc" similarity zero-row.npy --metric cosine --quiet
	[ -z "$stderr" ]
}

@test "views feed figures and pipelines" {
	"$posenc" sinusoid --len 64 --dim 32 --npy x.npy
	"$posenc" similarity x.npy --plain --png sim.png
	[ "$(head -c 4 sim.png | tail -c 3)" = PNG ]
	"$posenc" similarity x.npy --npy sim.npy
	run "$posenc" compare sim.npy sim.npy
	[ "${lines[0]}" = "equal: all 4096 numbers are the same" ]
}

@test "compare's words" {
	refuses "posenc compare: a TABLE is missing" compare
	refuses "posenc compare: a second TABLE is missing" compare eye.npy
	refuses "posenc compare: 'eye.npy' is one table too many" compare eye.npy eye.npy eye.npy
	refuses "posenc compare: --atol must be from 0 to 1e+300, not -1" compare eye.npy eye.npy --atol -1
	refuses "posenc compare: --ulp must be a whole number from 0 to 4503599627370496, not '0.5'" compare eye.npy eye.npy --ulp 0.5
	refuses "posenc compare: --csv holds tables; a report goes to --json FILE" compare eye.npy eye.npy --csv -
	refuses "posenc compare: --csv holds tables; a report goes to --json FILE" compare eye.npy eye.npy --json out.json --csv out.csv
	[ ! -e out.json ]
}

@test "compare knows a transposed table" {
	printf '1,2,3\n4,5,6\n' >wide.csv
	printf '1,4\n2,5\n3,6\n' >tall.csv
	run "$posenc" compare wide.csv tall.csv
	[ "$status" -eq 1 ]
	[ "${lines[0]}" = "different shapes, but explained: B is A transposed, columns for rows" ]
	printf '1,4\n2,5\n3,7\n' >tall.csv
	run "$posenc" compare wide.csv tall.csv
	[ "${lines[0]}" = "different shapes: 2 x 3 and 3 x 2" ]
}

@test "compare counts rows through the planes" {
	run "$posenc" compare zeros.npy last.npy
	[ "$status" -eq 1 ]
	[ "${lines[0]}" = "different: 1 of 24 numbers, in row 5, 1 apart at most" ]
	[[ "$output" == *"A                  2 x 3 x 4 float64"* ]]
	[[ "$output" == *"largest absolute   1 at row 5, column 3"* ]]
}

@test "inspect finds the best matrix of a shift, where rows tell one" {
	"$posenc" --version | grep -q 'LAPACK found' || skip "LAPACK is not installed"
	"$posenc" shift --dim 6 --by 1 --dtype f64 --npy shift.npy
	"$posenc" sinusoid --len 40 --dim 6 --dtype f64 --npy rows.npy
	[[ "$("$posenc" inspect rows.npy)" == *"any matrix"*"e-1"*" is left by the best matrix"* ]]
	printf '1,0\n0,1\n1,1\n0,0\n' >four.csv
	# [1 0] goes to [0 1], [0 1] to [1 1], [1 1] to [0 0]: least squares leave sqrt(1 - 4/9)
	run "$posenc" inspect four.csv
	[[ "$output" == *"any matrix"*"0.745356 is left by the best matrix"* ]] || echo "$output" | grep any >&2
	[[ "$output" == *"any matrix"*"0.745356 is left by the best matrix"* ]]
	# Nothing follows the first row, and nothing precedes the last
	printf '1,0\n0,0\n0,0\n0,0\n0,1\n' >ends.csv
	[[ "$("$posenc" inspect ends.csv)" == *"any matrix"*" 1 is left by the best matrix"* ]]
	printf '2,0\n0,0\n0,0\n0,0\n' >first.csv
	run "$posenc" inspect first.csv
	[[ "$output" == *"any matrix"*" 0 is left by the best matrix"* ]]
	[[ "$output" == *"effective rank "*" 1 (exp of the entropy)"* ]]
	run "$posenc" inspect shift.npy
	[[ "$output" == *"undetermined: fewer rows than columns"* ]]
}

@test "inspect's words" {
	refuses "posenc inspect: a TABLE is missing" inspect
	refuses "posenc inspect: TABLE has 2 planes: --head H picks one" inspect planes.npy
	refuses "posenc inspect: row 0, column 0 of TABLE is 1e+200, which has no finite square" inspect huge.npy
	refuses "posenc inspect: --shift must be from 1 to 4095, not 0" inspect eye.npy --shift 0
	refuses "posenc inspect: --shift must be less than the rows of TABLE, 3, not 3" inspect eye.npy --shift 3
	refuses "posenc inspect: --png holds tables; a report goes to --json FILE" inspect eye.npy --png out.png
}

@test "inspect passes or fails, and --check says so" {
	"$posenc" sinusoid --len 64 --dim 32 --npy x.npy
	run "$posenc" inspect x.npy --check
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "64 x 32 float32: 5 of 5 desiderata hold, 0 odd rows" ]
	[ "$(grep -c ' PASS ' <<<"$output")" -eq 5 ]
	run "$posenc" inspect count.npy --check
	[ "$status" -eq 1 ]
	[[ "$output" == *"bounded                    FAIL  19            the largest number, without sign (1 or less)"* ]]
	run "$posenc" inspect count.npy
	[ "$status" -eq 0 ]
}

@test "without LAPACK inspect names the package and tells the rest" {
	"$posenc" sinusoid --len 64 --dim 32 --npy x.npy
	mkdir none
	for name in liblapack.so.3 libopenblas.so.0 liblapack.so; do
		echo none >none/$name
	done
	run --separate-stderr env LD_LIBRARY_PATH=none "$posenc" inspect x.npy --check
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ "$output" == *"spectrum"*"needs LAPACK (Debian: liblapack3)"*"desiderata"* ]]
}

@test "without memory for LAPACK inspect says so and tells the rest" {
	case ${B:-build} in *san*) skip "the sanitizer takes all addresses" ;; esac
	printf '1,0\n0,1\n1,1\n0,0\n' >four.csv
	run --separate-stderr bash -c "ulimit -v 200000; '$posenc' inspect four.csv"
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ "$output" == *"any matrix"*"LAPACK has no memory"*"spectrum"*"left out"*"LAPACK has no memory"*"desiderata"* ]]
	run --separate-stderr bash -c "ulimit -v 200000; '$posenc' inspect four.csv --json -"
	[ "$status" -eq 0 ]
	[[ "$output" == *'"left_out":'*'"LAPACK has no memory"'* ]]
	[ "$(ulimit -v 200000; "$posenc" --version | tail -n 1)" = "LAPACK has no memory" ]
}

@test "inspect waits for LAPACK past a signal" {
	preload="$(dirname "$posenc")/faults/preload.so"
	[ -e "$preload" ] || skip "it takes Linux and glibc"
	case ${B:-build} in *san*) skip "the sanitizer has calls of its own" ;; esac
	"$posenc" sinusoid --len 64 --dim 32 --npy x.npy
	"$posenc" inspect x.npy >want
	LD_PRELOAD="$preload" FAULT_CALLS=waitpid FAULT_AT=1 FAULT_ERRNO=4 \
		"$posenc" inspect x.npy | cmp - want
}

@test "threads that a user asks of LAPACK change no bit of a report" {
	"$posenc" sinusoid --len 400 --dim 64 --npy x.npy
	"$posenc" inspect x.npy --json want
	OPENBLAS_NUM_THREADS=9 OMP_NUM_THREADS=9 "$posenc" inspect x.npy --json - | cmp - want
}
