# Commands of the manual, scripts/gallery and scripts/walk do what these say; readme.bats has
# those of the README.

load common

@test "every example of the manual does as its page says" {
	run "$python" tests/manual.py "${B:-build}/posenc" man/*.1.in
	grep -v '^ok' <<<"$output" || true
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq "$(find man -name '*.1.in' | wc -l)" ]
}

@test "the C of posenc(3) compiles" {
	{
		printf '#include <stdio.h>\n#include <stdlib.h>\n#include "posenc.h"\n'
		printf 'static void use(const float *x) { (void)x; }\nint main(void) {\n'
		sed -n '/^\.Sh EXAMPLES/,$p' man/posenc.3 | sed -n '/^\.Bd -literal/,/^\.Ed/p' | grep -v '^\.'
		printf 'return 0; }\n'
	} >"$BATS_TEST_TMPDIR/example.c"
	grep -q pe_fill "$BATS_TEST_TMPDIR/example.c"
	# shellcheck disable=SC2086 # a compiler and its words
	${CC:-cc} -std=c11 -Wall -Werror -fsyntax-only -Isrc "$BATS_TEST_TMPDIR/example.c"
}

@test "a big-endian machine is refused in one sentence, and one without integers of 128 bits" {
	# shellcheck disable=SC2086 # a compiler and its words
	for macro in '-U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__' -U__SIZEOF_INT128__; do
		run ${CC:-cc} -std=c11 -fsyntax-only -Isrc $macro src/table/dtype.c
		[ "$status" -ne 0 ]
		[ "$(grep -c ' error: .*posenc needs a 64-bit' <<<"$output")" -eq 1 ]
	done
}

@test "scripts/gallery draws every kind of figure and an animation; scripts/walk a dozen figures in each language" {
	run --separate-stderr scripts/gallery
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	for kind in $("$posenc" help figures | sed -n '/--plot KIND/,/--dims/s/^ \{26\}\([a-z]*\): .*/\1/p'); do
		[ "$kind" = heatmap ] || grep -q -e "--plot $kind" <<<"$output"
	done
	grep -q -e --animate <<<"$output"
	for page in "${B:-build}/gallery" "${B:-build}/gallery/walk"{,/ko}; do
		figures=$(grep -o 'src\(set\)\?="[^"]*' "$page/index.html" | cut -d'"' -f2)
		[ "$(wc -l <<<"$figures")" -ge 12 ]
		for figure in $figures; do
			case $figure in
			*.svg) tail -n 1 "$page/$figure" | grep -q '</svg>$' ;;
			*) tail -c 8 "$page/$figure" | grep -q IEND ;;
			esac
		done
	done
}
