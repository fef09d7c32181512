# Commands that identify answers with make their tables again; its words are in
# transcripts/identify_*.txt.

bats_require_minimum_version 1.5.0
load common

setup() {
	mkdir "$BATS_TEST_TMPDIR/work"
}

@test "tables are made again by the command that identify answers with" {
	run "$python" tests/identify.py
	echo "$output" | grep '^not' >&2 || true
	[ "$status" -eq 0 ]
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
assert r['match'] == {'dtype': 'float16', 'exact': True, 'largest_residual': 0}"
}

@test "ALiBi of many keys, whose far biases are rounded most" {
	cd "$BATS_TEST_TMPDIR/work"
	for options in "--heads 8 --len 16 --bias-max 4" "--heads 40 --len 100 --bias-max 3.3" "--heads 16 --len 30 --dtype f16" "--heads 12 --len 100 --bias-max 4 --dtype bf16"; do
		"$posenc" alibi $options --safetensors bias.safetensors
		command=$("$posenc" identify bias.safetensors --json - | "$python" -c \
			'import json, sys; print(json.load(sys.stdin)["scheme"]["command"].partition(" ")[2])')
		"$posenc" $command --safetensors again.safetensors
		"$posenc" compare bias.safetensors again.safetensors >/dev/null
	done
}
