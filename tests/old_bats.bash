# What tests use of bats 1.5 where bats is older (1.2 in Debian 11): folders, and run's options.
# shellcheck shell=bash disable=SC2034 # tests read output, stderr, status and their lines

export BATS_FILE_TMPDIR=$BATS_RUN_TMPDIR/${BATS_TEST_FILENAME##*/}
mkdir -p "$BATS_FILE_TMPDIR"
BATS_TEST_TMPDIR=$(mktemp -d "$BATS_FILE_TMPDIR/test.XXXXXX")

# run [-STATUS] [!] [--separate-stderr] COMMAND...
run() {
	local flags=$- expected='' apart=''
	while :; do
		case ${1:-} in
		-[0-9]*) expected=${1#-} ;;
		!) expected=failure ;;
		--separate-stderr) apart=1 ;;
		*) break ;;
		esac
		shift
	done
	set +eET
	if [ "$apart" ]; then
		output=$("$@" 2>"$BATS_TEST_TMPDIR.stderr")
		status=$?
		stderr=$(<"$BATS_TEST_TMPDIR.stderr")
		mapfile -t stderr_lines < <(printf '%s' "$stderr" | grep .)
	else
		output=$("$@" 2>&1)
		status=$?
	fi
	mapfile -t lines < <(printf '%s' "$output" | grep .)
	set "-$flags"
	case $expected in
	'') ;;
	failure) [ "$status" -ne 0 ] ;;
	*) [ "$status" -eq "$expected" ] ;;
	esac
}
