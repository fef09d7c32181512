# --version and the first page: what holds whatever their words are (transcripts/help.txt).

load common

@test "--version: the program, then each library that it found" {
	run --separate-stderr "$posenc" --version
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ "${lines[0]}" =~ ^posenc\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
	for library in libpng zlib cJSON FreeType; do
		grep -Eqx "$library [0-9]+\.[0-9.]*[0-9]" <<<"$output"
	done
	[ "$(sed -n 's/^FreeType //p' <<<"$output")" != 0.0.0 ]
	grep -Eqx 'libhdf5 ([0-9]+\.[0-9.]*[0-9]|not found \(Debian: hdf5-tools\))' <<<"$output"
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
