# The manual's examples, run.

bats_require_minimum_version 1.5.0

@test "every example of the manual does as its page says" {
	run "${PYTHON:-python3}" tests/manual.py "${B:-build}/posenc" man/*.1.in
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
