# What suites of the command line say; $posenc is the program.
# shellcheck shell=bash disable=SC2154 # run sets output, stderr and status

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

# refuses SENTENCE WORDS...: status 2, nothing on standard output.
refuses() {
	local sentence=$1
	shift
	run --separate-stderr "$posenc" "$@"
	[ "$stderr" = "$sentence" ] || echo "said: $stderr" >&2
	[ "$stderr" = "$sentence" ]
	[ "$status" -eq 2 ]
	[ -z "$output" ]
}
