# Commands of the README, the manual and scripts/walk do what these say.

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

@test "a big-endian or 32-bit machine is refused in one sentence" {
	# shellcheck disable=SC2086 # a compiler and its words
	for macro in BYTE_ORDER__=__ORDER_BIG_ENDIAN__ SIZEOF_POINTER__=4; do
		run ${CC:-cc} -std=c11 -fsyntax-only -Isrc "-U__${macro%%=*}" "-D__$macro" src/table/dtype.c
		[ "$status" -ne 0 ]
		[ "$(grep -c ' error: .*posenc needs a 64-bit' <<<"$output")" -eq 1 ]
	done
}

@test "the README's examples print what it says" {
	empty_folder
	PATH="$(dirname "$posenc"):$PATH" "$python" - "$BATS_TEST_DIRNAME/../README.md" <<'PY'
import re, subprocess, sys
blocks = re.findall(r"(?:^    .*\n)+", open(sys.argv[1]).read(), re.M)
examples = [b for b in blocks if b.startswith("    $ ")]
assert len(examples) == 5
for block in examples:
    lines = [line[4:] for line in block.splitlines()]
    said = subprocess.run(lines[0][2:], shell=True, capture_output=True, text=True).stdout
    assert said.splitlines() == lines[1:], (lines[0], said)
PY
}

@test "scripts/walk draws a dozen figures and tells of each" {
	run --separate-stderr scripts/walk
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	cd "${B:-build}/gallery/walk"
	figures=$(grep -o 'src="[^"]*' index.html | cut -d'"' -f2)
	[ "$(wc -l <<<"$figures")" -ge 12 ]
	for figure in $figures; do
		tail -n 1 "$figure" | grep -q '</svg>$'
	done
}
