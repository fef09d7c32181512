# What posenc says of itself.

bats_require_minimum_version 1.5.0

setup() {
	posenc="$PWD/${B:-build}/posenc"
}

@test "--version: the program, then each library that it found" {
	run --separate-stderr "$posenc" --version
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ "${lines[0]}" =~ ^posenc\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
	for library in libpng zlib cJSON FreeType; do
		grep -Eqx "$library [0-9]+\.[0-9.]*[0-9]" <<<"$output"
	done
	[ "$(sed -n 's/^FreeType //p' <<<"$output")" != 0.0.0 ]
	grep -Eqx 'LAPACK (found|not found \(liblapack3\))' <<<"$output"
}

@test "alone: ten lines at most, and both examples work" {
	run -2 --separate-stderr "$posenc"
	[ -z "$output" ]
	[ "$(wc -l <<<"$stderr")" -le 10 ]
	[ "$(grep -c '^  posenc ' <<<"$stderr")" -eq 2 ]
	cd "$BATS_TEST_TMPDIR"
	grep '^  posenc ' <<<"$stderr" | PATH="${posenc%/*}:$PATH" sh -e >table.csv
	[ -s out.png ]
	[ "$(head -1 table.csv)" = 0,17,18,19,20,21,22,23 ]
}

@test "help of a report names what a report takes" {
	for command in inspect compare identify; do
		run "$posenc" help $command
		[[ "$output" = *"--json FILE"* ]]
		[[ "$output" != *"--png"* && "$output" != *"--plot"* ]]
		[ -z "$(grep -A 1 '^Options:$' <<<"$output" | grep -x '' && echo blank)" ]
	done
	[[ "$("$posenc" help attend)" = *"--png"*"--plot"* ]]
	cd "$BATS_TEST_TMPDIR"
	"$posenc" sinusoid --len 4 --dim 4 --npy pe.npy
	run --separate-stderr "$posenc" inspect pe.npy --rows 0:3
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc inspect: --rows is for tables that are made; --select takes rows of TABLE" ]
}

@test "help knows what is no command, too" {
	for word in help presets header completion; do
		run "$posenc" help $word
		[ "$status" -eq 0 ]
		[[ "${lines[0]}" == "usage: posenc $word "* ]]
		[ "$(wc -L <<<"$output")" -le 79 ]
		[ "$("$posenc" $word --help)" = "$output" ]
		[ "$("$posenc" $word -h)" = "$output" ]
		[[ "$("$posenc" help)" == *"
       ${lines[0]#usage: }
"* ]]
	done
}
