# inspect's singular values and least squares: their values, memory, instruction sets.

load common

setup() {
	empty_folder
}

# reported TABLE KEY: the first value of this name in inspect's report.
reported() {
	"$posenc" inspect "$1" --json - | "$python" -c '
import json, sys
def values(tree):
    for key, value in tree.items():
        if key == sys.argv[1]:
            yield value
        elif isinstance(value, dict):
            yield from values(value)
print(next(values(json.load(sys.stdin))))' "$2"
}

@test "inspect finds the best matrix of a shift, where rows tell one" {
	"$posenc" shift --dim 6 --by 1 --dtype f64 --npy shift.npy
	"$posenc" sinusoid --len 40 --dim 6 --dtype f64 --npy rows.npy
	[[ "$(reported rows.npy matrix_residual)" == *e-1? ]]
	# [1 0] goes to [0 1], [0 1] to [1 1], [1 1] to [0 0]: least squares leave sqrt(1 - 4/9)
	printf '1,0\n0,1\n1,1\n0,0\n' >four.csv
	[[ "$(reported four.csv matrix_residual)" == 0.745355992* ]]
	# Nothing follows the first row, and nothing precedes the last
	printf '1,0\n0,0\n0,0\n0,0\n0,1\n' >ends.csv
	[ "$(reported ends.csv matrix_residual)" = 1 ]
	printf '2,0\n0,0\n0,0\n0,0\n' >first.csv
	[ "$(reported first.csv matrix_residual)" = 0 ]
	[ "$(reported first.csv effective_rank)" = 1 ]
	# Fewer rows than columns tell none
	[[ "$(reported shift.npy matrix_residual)" == undetermined* ]]
}

@test "columns of one value explain no variance" {
	yes 0.1,0.3,7 | head -40 >same.csv
	[ "$(reported same.csv explained_variance_ratio)" = "[0, 0, 0]" ]
	[ "$(reported same.csv rank)" = 1 ]
}

@test "inspect has NumPy's residuals, singular values and ratios" {
	"$python" - "$posenc" <<'PY'
import json, subprocess, sys
import numpy as np

def report(x):
    np.save("x.npy", x)
    run = subprocess.run([sys.argv[1], "inspect", "x.npy", "--json", "-"], check=True, capture_output=True)
    values = {}
    def collect(tree):
        for key, value in tree.items():
            values.setdefault(key, value)
            if isinstance(value, dict):
                collect(value)
    collect(json.loads(run.stdout))
    return values

def residual(x, **how):
    a, b = x[:-1], x[1:]
    return np.linalg.norm(b - a @ np.linalg.lstsq(a, b, **how)[0]) / np.linalg.norm(b)

draw = np.random.RandomState(0).randn
# Of many columns, and of 128 or more
for cols in 64, 128:
    x = draw(300, cols)
    found = report(x)
    assert np.isclose(found["matrix_residual"], residual(x, rcond=None), rtol=1e-5), found
    assert np.allclose(found["singular_values"], np.linalg.svd(x)[1], rtol=1e-5), found
# A column that hardly adds to the rank is none, whatever the unit
x = draw(40, 6) * [1e-13, 1, 1, 1, 1, 1]
for unit in 1, 1e8:
    assert np.isclose(report(x * unit)["matrix_residual"], residual(x, rcond=1e-10), rtol=1e-5)
# Of 20 values that are equal, 18 hold 90 % and no less; squares of 4, 1 and 1 have the stable rank 1.5
found = report(np.eye(20))
assert [found[f"components_{share}"] for share in (90, 95, 99)] == [18, 19, 20], found
assert report(np.diag([2., 1, 1]))["stable_rank"] == 1.5
# Columns that do not vary, though their means are rounded; fewer rows than columns
assert report(np.tile([.1, .7, 1 / 3], (5000, 1)))["explained_variance_ratio"] == [0, 0, 0]
x = 5 + draw(4, 6)
squares = np.linalg.svd(x - x.mean(0))[1] ** 2
assert np.allclose(report(x)["explained_variance_ratio"][:3], (squares / squares.sum())[:3], rtol=1e-5)
PY
}

@test "inspect reads the rows of a large file when it needs them" {
	takes_long
	case ${B:-build} in *san*) skip "the sanitizer has memory of its own" ;; esac
	"$posenc" embed --vocab 40000 --dim 64 --dtype f64 --npy t.npy
	"$bare_python" - "$posenc" <<'PY'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "inspect", "t.npy", "--max-rows", "100"], check=True, stdout=subprocess.DEVNULL)
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
assert most < 26 << 10, most
PY
	# In memory, as from a pipe
	"$posenc" inspect t.npy --json - | grep -v '"invocation"' >want
	cat t.npy | "$posenc" inspect - --json - | grep -v '"invocation"' | cmp - want
}

@test "a report whose spectrum lacked memory is whole or none" {
	takes_long
	needs_faults
	"$posenc" embed --vocab 200 --dim 130 --init normal:1 --npy x.npy
	export LD_PRELOAD=$preload FAULT_CALLS=alloc FAULT_ERRNO=12
	"$posenc" inspect x.npy --json want.json
	FAULT_AT=0 FAULT_LOG=log "$posenc" inspect x.npy >text
	read -r made _ <log
	for ((k = made - 40; k <= made; k++)); do
		run env FAULT_AT=$k "$posenc" inspect x.npy --json found.json
		[ "$status" -eq 2 ] || cmp found.json want.json
	done
}

@test "inspect's reflections are the same on every instruction set" {
	"$posenc" embed --vocab 400 --dim 40 --npy x.npy
	"$posenc" inspect x.npy --json - | grep singular_values >want
	for without in -AVX512F -AVX512F,-AVX2; do
		GLIBC_TUNABLES=glibc.cpu.hwcaps=$without "$posenc" inspect x.npy --json - |
			grep singular_values | cmp - want
	done
}
