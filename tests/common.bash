# What suites of the command line say, and where things are.
# shellcheck shell=bash disable=SC2154,SC2034 # run sets output, stderr and status

if declare -F bats_require_minimum_version >/dev/null; then
	bats_require_minimum_version 1.5.0
else
	load old_bats
fi
folder=$PWD/${B:-build}
case ${B:-build} in /*) folder=$B ;; esac
# LD_PRELOAD takes names without blanks, commands within quotes those without quotes
case $folder in *[![:alnum:]/._-]*)
	ln -sfn "$folder" "$BATS_RUN_TMPDIR/build"
	folder=$BATS_RUN_TMPDIR/build
	;;
esac
posenc=$folder/posenc
preload=$folder/faults/preload.so
golden="$PWD/tests/golden/data"
# tests/run has looked for it, once
python=${PYTHON:-$(tests/python)}
bare_python=${BARE_PYTHON:-$python} # without NumPy's memory

# needs_faults: where calls of the C library cannot be made to fail, skip.
needs_faults() {
	case ${B:-build} in *san*) skip "the sanitizer has calls of its own" ;; esac
	[ -e "$preload" ] || skip "it takes Linux and glibc"
}

# takes_long: a test of the full set only (make check-all).
takes_long() {
	[ -n "${FULL:-}" ] || skip 'takes long: FULL=1'
}

# empty_folder: what a test makes lies there.
empty_folder() {
	mkdir "$BATS_TEST_TMPDIR/work"
	cd "$BATS_TEST_TMPDIR/work" || return
}

# prints TEXT WORDS...: exactly that on standard output.
prints() {
	local text=$1
	shift
	run --separate-stderr "$posenc" "$@"
	[ "$output" = "$text" ] || echo "$output$stderr" >&2
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "$output" = "$text" ]
}

# refuses SENTENCE WORDS...: status 2, nothing on standard output, no new file.
refuses() {
	local sentence=$1 before
	shift
	before=$(ls -A)
	run --separate-stderr "$posenc" "$@"
	[ "$stderr" = "$sentence" ] || echo "said: $stderr" >&2
	[ "$stderr" = "$sentence" ]
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	[ "$(ls -A)" = "$before" ]
}

# declines SENTENCE COMMAND WORDS...: the same, in the command's name.
declines() {
	refuses "posenc $2: $1" "${@:2}"
}
