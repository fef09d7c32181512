# What fails underneath: calls of the C library, devices, the process itself.

load common

setup() {
	step="$folder/faults/step"
	faults="$PWD/tests/deep/faults"
	export PYTHONDONTWRITEBYTECODE=1
	empty_folder
}

# needs FILE: without it, and where a sanitizer has taken its place, skip.
needs() {
	[ -e "$1" ] || skip "it takes Linux and glibc"
	case ${B:-build} in *san*) skip "the sanitizer has calls of its own" ;; esac
}

# faulty CALLS K ERRNO WORDS...: the K-th of these calls fails.
faulty() {
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS="$1" \
		FAULT_AT="$2" FAULT_ERRNO="$3" "$posenc" "${@:4}"
}

@test "streams that fail, under every command and format" {
	"$python" "$faults/streams" "$posenc"
}

@test "every allocation and call fails: the new files or the older ones" {
	needs "$preload"
	"$python" "$faults/faults" short "$posenc" "$preload"
}

@test "identify has no answer where a part of its search lacked memory" {
	needs "$preload"
	"$posenc" embed --vocab 4 --dim 8 --npy q.npy
	"$posenc" rope --apply q.npy --npy rotated.npy
	FAULT_LOG=log faulty alloc 0 12 identify --before q.npy rotated.npy
	read -r made _ <log
	for ((k = 1; k <= 48; k++)); do
		for at in $((k * made / 48)) $((made - k)); do
			faulty alloc "$at" 12 identify --before q.npy rotated.npy
			[ "$status" -eq 2 ]
			[[ $stderr == "posenc identify: out of memory"* ]]
		done
	done
}

@test "identify has no answer where tests of random values lacked memory" {
	needs "$preload"
	"$posenc" embed --vocab 40 --dim 30 --npy random.npy
	FAULT_LOG=log faulty alloc 0 12 identify random.npy
	read -r made _ <log
	want=$output
	for ((k = 0; k < 24; k++)); do
		faulty alloc $((made - k)) 12 identify random.npy
		[ "$status" -eq 2 ] || [ "$output" = "$want" ]
	done
}

@test "attend has no output where it lacked memory" {
	needs "$preload"
	"$posenc" sinusoid --len 20 --dim 8 --npy x.npy
	"$posenc" attend x.npy --heads 2 --out values --csv want
	for k in {1..40}; do
		faulty alloc "$k" 12 attend x.npy --heads 2 --out values --csv -
		[ "$status" -eq 2 ] || cmp want - <<<"$output"
	done
	[ "$status" -eq 0 ]
}

@test "resize makes the same table where its search for a command lacked memory" {
	needs "$preload"
	"$posenc" sinusoid --len 9 --dim 8 --npy waves.npy
	"$posenc" resize waves.npy --to 4 --csv want
	for k in {1..40}; do
		faulty alloc "$k" 12 resize waves.npy --to 4 --csv -
		[ "$status" -eq 2 ] || cmp want - <<<"$output"
	done
	[ "$status" -eq 0 ]
}

@test "a large CSV whose numbers lacked memory is no other table" {
	needs "$preload"
	yes 0.25,0.5 | head -150000 >lines.csv
	for k in {1..40}; do
		faulty alloc "$k" 12 show lines.csv --threads 3 --select 0:1
		[ "$status" -eq 2 ] || [ "$output" = 0.25,0.5 ]
	done
	[ "$status" -eq 0 ]
}

@test "pictures that lacked memory when they were written are none" {
	needs "$preload"
	"$posenc" sinusoid --len 40 --dim 8 --npy a.npy
	local made words
	for words in 'shift --dim 2 --animate 0:1' 'similarity a.npy --curve --plot lines'; do
		# shellcheck disable=SC2086
		FAULT_LOG=log faulty alloc 0 12 $words --png want.png
		read -r made _ <log
		for ((k = made - 20; k <= made; k++)); do
			# shellcheck disable=SC2086
			faulty alloc $k 12 $words --png a.png
			[ "$status" -eq 2 ] || cmp a.png want.png
		done
	done
}

@test "a figure whose text lacked memory, or its font, is none" {
	needs "$preload"
	PYTHONPATH=$faults/../.. "$python" -c 'import fonts
glyph = 900, [fonts.round_off(0, 0, 800, 800)]
open("round.otf", "wb").write(fonts.font({c: glyph for c in "ab 가"}, cubic=True))'
	# Longer than a line
	local row=(mask --len 1 --title "$(printf 'ab %.0s' {1..40})" --font round.otf)
	FAULT_LOG=log faulty alloc 0 12 "${row[@]}" --svg want.svg --png want.png --pdf want.pdf
	read -r made _ <log
	for ((k = 1; k <= made; k++)); do
		faulty alloc $k 12 "${row[@]}" --svg a.svg --png a.png --pdf a.pdf
		if [ "$status" -eq 0 ]; then
			cmp a.svg want.svg
			cmp a.png want.png
			cmp a.pdf want.pdf
		else
			[[ "$stderr" != *--font* ]]
		fi
	done
	# A PDF loads the outlines of a font again, at its end
	row=(mask --len 1 --title 가 --font round.otf)
	FAULT_LOG=log faulty alloc 0 12 "${row[@]}" --pdf want.pdf
	read -r made _ <log
	for ((k = made - 40; k <= made; k++)); do
		faulty alloc $k 12 "${row[@]}" --pdf a.pdf
		[ "$status" -ne 0 ] || cmp a.pdf want.pdf
	done
}

@test "what could not be read of a table is 0 where it has been drawn, and said" {
	needs "$preload"
	"$posenc" mask --len 3 --dtype i8 --npy table.npy
	head -c 128 table.npy >zeros
	head -c 9 /dev/zero >>zeros
	FAULT_EVER=1 faulty pread 1 5 show table.npy --svg -
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: table.npy: Input/output error" ]
	mv zeros table.npy
	[ "$output" = "$("$posenc" show table.npy --svg -)" ]
}

@test "tables of a few MB stay in memory while they are compared" {
	needs "$preload"
	"$posenc" sinusoid --len 2000 --dim 300 --npy a.npy
	"$posenc" embed --vocab 2000 --dim 300 --npy b.npy
	FAULT_LOG=log faulty pread 0 5 compare a.npy b.npy
	[ "$status" -eq 1 ]
	read -r calls _ <log
	[ "$calls" -lt 10000 ]
}

@test "killed at every system call: the new file or the older one" {
	needs "$step"
	case ${B:-build} in *cover* | *mcdc*) skip "what is killed counts nothing" ;; esac
	"$step" 1 /bin/true || skip "no process can be traced here"
	"$python" "$faults/kills" short "$posenc" "$step" "$preload"
}

@test "a file and a link that somebody swaps: no file's rights are given away" {
	needs "$preload"
	"$python" "$faults/swaps" 100 "$posenc"
}

@test "a rename that fails brings back what was renamed before" {
	needs "$preload"
	echo old | tee a.csv >b.raw
	faulty rename 2 16 sinusoid --len 2 --dim 2 --csv a.csv --raw b.raw
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: b.raw: rename: Device or resource busy" ]
	[ "$(cat a.csv b.raw)" = "old
old" ]
	rm b.raw
	[ "$(ls -A)" = a.csv ]
	# Two names for a.csv, after that of new.csv and before that of b.npy
	faulty link 4 16 sinusoid --len 2 --dim 2 --csv new.csv --raw a.csv --npy b.npy
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: b.npy: link: Device or resource busy" ]
	[ "$(cat *)" = old ]
	# No second name for the new file
	faulty link 1 28 sinusoid --len 2 --dim 2 --csv a.csv
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: a.csv: link: No space left on device" ]
	[ "$(cat *)" = old ]
	# What has gone down a pipe stays there
	faulty rename 1 16 sinusoid --len 1 --dim 2 --csv - --raw a.csv
	[ "$status" -eq 2 ]
	[ "$output" = 0,1 ]
	[ "$(cat *)" = old ]
}

@test "where an older file can't be kept, the new one stays" {
	needs "$preload"
	echo old | tee a.csv >b.raw
	# No second name for a.csv; then its own, its rename, b.raw's, its rename
	faulty link,rename 1,5 16 sinusoid --len 1 --dim 2 --csv a.csv --raw b.raw
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: b.raw: rename: Device or resource busy" ]
	[ "$(cat a.csv b.raw)" = "0,1
old" ]
	[ "$(ls -A)" = "a.csv
b.raw" ]
}

# order WORDS...: the calls of a run that write, make safe and give names.
order() {
	LD_PRELOAD="$preload" FAULT_CALLS=write,fsync,link,rename FAULT_TRACE=../trace \
		"$posenc" "$@"
	paste -sd' ' ../trace
}

@test "a file is safe on its disk before it has a name" {
	needs "$preload"
	[ "$(order relative --len 2 --csv a.csv)" = "write fsync link" ]
	[ "$(order relative --len 2 --csv a.csv)" = "write fsync link rename" ]
	[ "$(order relative --len 2 --csv b.csv --raw a.csv --npy c.npy)" = \
		"write fsync write fsync write fsync link link link rename link" ]
	faulty fsync 1 5 relative --len 2 --csv d.csv
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: d.csv: fsync: Input/output error" ]
	[ ! -e d.csv ]
	export FAULT_CALLS=tmpfile,write,fsync,link,rename FAULT_AT=1 FAULT_ERRNO=95
	[ "$(LD_PRELOAD="$preload" FAULT_TRACE=../trace "$posenc" relative --len 2 --csv d.csv
		paste -sd' ' ../trace)" = "tmpfile write fsync rename" ]
}

@test "--sync: a name is safe on its disk, too" {
	needs "$preload"
	[ "$(order relative --len 2 --csv a.csv --sync)" = "write fsync link fsync" ]
	[ "$(order relative --len 2 --csv a.csv --sync)" = "write fsync link rename fsync" ]
	[ "$(order relative --len 2 --csv - --raw /dev/null --sync | tail -n 1)" = "write write" ]
	# A disk that can't sync folders, and one that fails
	faulty fsync 2 22 relative --len 1 --csv a.csv --sync
	[ "$status" -eq 0 ]
	faulty fsync 2 5 relative --len 2 --csv a.csv --sync
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: a.csv: cannot sync its directory: Input/output error" ]
	[ "$(wc -l <a.csv)" -eq 2 ]
	# A folder that lets no one see what it holds: opened after its files
	faulty open 3 13 relative --len 2 --csv new.csv --sync
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: new.csv: cannot sync its directory: Permission denied" ]
}

@test "a name that somebody else took meanwhile is taken over" {
	needs "$preload"
	faulty link 1 17 relative --len 1 --csv a.csv
	[ "$status" -eq 0 ]
	[ "$(cat a.csv)" = 0 ]
	# Where every name is taken there is none
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=link FAULT_AT=1 FAULT_EVER=1 \
		FAULT_ERRNO=17 "$posenc" relative --len 2 --csv a.csv
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: a.csv: link: File exists" ]
	[ "$(cat *)" = 0 ]
}

@test "a file of somebody else's becomes ours where we can't give it away" {
	needs "$preload"
	echo old >a.csv
	faulty fchown 1 1 relative --len 1 --csv a.csv
	[ "$status" -eq 0 ]
	[ "$(cat a.csv)" = 0 ]
}

@test "a file system that has no fsync() will do" {
	needs "$preload"
	faulty fsync 1 22 relative --len 1 --csv a.csv
	[ "$status" -eq 0 ]
	[ "$(cat a.csv)" = 0 ]
}

# left: files with temporary names, as the manual finds them.
left() {
	find . -name '.posenc-*'
}

@test "a run killed just before it replaces a file leaves that and one name" {
	needs "$preload"
	"$python" -c 'import os; os.open(".", os.O_TMPFILE | os.O_WRONLY)' ||
		skip "this file system has no nameless files"
	echo old >a.csv
	run env LD_PRELOAD="$preload" FAULT_CALLS=rename FAULT_AT=1 FAULT_KILL=rename \
		timeout 60 "$posenc" relative --len 1 --csv a.csv
	[ "$status" -eq 137 ]
	[ "$(cat a.csv)" = old ]
	[ "$(cat $(left))" = 0 ]
	# It is in nobody's way
	"$posenc" relative --len 2 --csv a.csv
	[ "$(cat a.csv)" = $'0,1\n-1,0' ]
	[ "$(left | wc -l)" -eq 1 ]
	# One that is new, or is not complete yet, has no temporary name
	rm "$(left)"
	for call in write link; do
		run env LD_PRELOAD="$preload" FAULT_CALLS=$call FAULT_AT=1 FAULT_KILL=$call \
			timeout 60 "$posenc" relative --len 1 --csv new.csv
		[ "$status" -eq 137 ]
		[ "$(ls -A)" = a.csv ]
	done
}

# waits WORDS...: a run that waits, its pipe full, with a file that has a name, as where there
# are no nameless files; its number is $!.
waits() {
	[ -e pipe ] || mkfifo pipe
	exec 8<>pipe
	LD_PRELOAD="$preload" FAULT_CALLS=tmpfile FAULT_AT=1 FAULT_ERRNO=95 "$@" \
		"$posenc" sinusoid --len 2e5 --dim 8 --npy a.npy --raw pipe 8<&- 3>&- &
	until [ -n "$(left)" ]; do
		sleep 0.01
	done
}

@test "where files need a name, a signal removes it, but for SIGKILL" {
	needs "$preload"
	for signal in HUP INT QUIT PIPE ALRM TERM USR1 USR2 KILL; do
		# What the shell has its background ignore
		waits "$bare_python" -c 'import os, signal, sys
for number in signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE:
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])'
		kill -$signal $!
		status=0
		wait $! || status=$?
		[ $status -eq $((128 + $(kill -l $signal))) ]
		exec 8<&-
		[ ! -e a.npy ]
		[ $signal = KILL ] || [ -z "$(left)" ]
	done
	[ "$(left | wc -l)" -eq 1 ]
}

@test "where files need a name, none is left when memory runs out" {
	needs "$preload"
	local failed=0
	for k in {1..60}; do
		FAULT_EVER=1 faulty tmpfile,alloc $k 12 relative --len 1 --csv a.csv
		[ "$status" -eq 0 ] || failed=$((failed + 1))
		[ -z "$(ls -A)" ] || [ "$status$(ls -A)" = 0a.csv ]
		rm -f a.csv
	done
	[ "$failed" -gt 5 ]
}

@test "a signal that is ignored ends no run" {
	needs "$preload"
	waits nohup
	exec 9<pipe 8<&-
	kill -HUP $!
	cat <&9 >/dev/null
	wait $!
	[ -e a.npy ]
	[ -z "$(left)" ]
}

@test "the end of the processor time leaves no file that has a name" {
	needs "$preload"
	"$posenc" sinusoid --len 300000 --dim 64 --npy in.npy
	run -2 --separate-stderr bash -c "ulimit -S -t 1; LD_PRELOAD=$preload FAULT_CALLS=tmpfile \
		FAULT_AT=1 FAULT_ERRNO=95 '$posenc' similarity in.npy --curve --csv out.csv"
	[ "$stderr" = "posenc: CPU time limit exceeded (ulimit -t)" ]
	[ "$(ls -A)" = in.npy ]
}

@test "a file that replaces another is private until it has its rights" {
	needs "$preload"
	umask 0
	echo old >a.csv
	for made in a.csv:600 new.csv:666; do
		run env LD_PRELOAD="$preload" FAULT_CALLS=tmpfile,fchmod FAULT_AT=1,2 FAULT_ERRNO=95 \
			FAULT_KILL=fchmod timeout 60 "$posenc" relative --len 1 --csv ${made%:*}
		[ "$status" -eq 137 ]
		[ "$(stat -c %a "$(left)")" = ${made#*:} ]
		rm "$(left)"
	done
	[ "$(cat *)" = old ]
}

@test "in a sticky folder a file gives way to its owner and the folder's" {
	needs "$preload"
	mkdir sticky
	chmod 1777 sticky
	cd sticky
	echo old >a.csv
	"$posenc" alibi --heads 1 --len 1 --csv a.csv
	[ "$(cat a.csv)" = 0 ]
	[ "$(id -u)" -eq 0 ] || skip "only root has files that are others'"
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=geteuid FAULT_AT=1 \
		FAULT_EVER=1 FAULT_ERRNO=1 "$posenc" relative --len 2 --csv a.csv --raw b.raw
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: a.csv: cannot be replaced, as it and its sticky directory belong to others: Operation not permitted" ]
	[ "$(ls -A)" = a.csv ]
	chown 1 a.csv
	env LD_PRELOAD="$preload" FAULT_CALLS=geteuid FAULT_AT=1 FAULT_EVER=1 \
		FAULT_ERRNO=1 "$posenc" alibi --heads 1 --len 1 --csv a.csv
	chown 1 .
	chown 2 a.csv
	env LD_PRELOAD="$preload" FAULT_CALLS=geteuid FAULT_AT=1 FAULT_EVER=1 \
		FAULT_ERRNO=1 "$posenc" alibi --heads 1 --len 1 --csv a.csv
}

@test "no other process gives files their names" {
	needs "$preload"
	echo old | tee a.csv >b.raw
	LD_PRELOAD="$preload" FAULT_CALLS=fork,link,rename FAULT_TRACE=../trace \
		"$posenc" relative --len 1 --csv a.csv --raw b.raw
	[ "$(paste -sd' ' ../trace)" = "link link rename link rename" ]
}

@test "a signal waits until a file that is replaced has its new name" {
	needs "$preload"
	echo old >a.csv
	mkfifo trace
	# The pipe has room for what is traced until rename(), which then waits
	LD_PRELOAD="$preload" "$python" - "$posenc" <<-'END'
	import fcntl, glob, os, subprocess, sys, time
	trace = os.open("trace", os.O_RDWR)
	size = fcntl.fcntl(trace, 1031, 4096)
	os.write(trace, b"x" * (size - len("link\n")))
	run = subprocess.Popen([sys.argv[1], *"relative --len 1 --csv a.csv".split()], env={
	    **os.environ, "FAULT_CALLS": "link,rename", "FAULT_TRACE": "trace"})
	while not glob.glob(".posenc-*"):
	    assert run.poll() is None
	time.sleep(0.1)
	run.terminate()
	time.sleep(0.1)
	assert os.read(trace, 2 * size).endswith(b"link\n")
	assert run.wait() == -15
	END
	[ "$(cat a.csv)" = 0 ]
	[ "$(ls -A | tr '\n' ' ')" = "a.csv trace " ]
}

@test "a folder that only grows takes new files and keeps older ones" {
	mkdir grows
	cd grows
	chattr +a . 2>/dev/null || skip "only root makes such folders, on some disks"
	"$posenc" alibi --heads 1 --len 1 --csv a.csv
	run --separate-stderr "$posenc" relative --len 2 --csv a.csv --raw b.raw
	chattr -a .
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: a.csv: cannot be replaced, as its directory is append-only: Operation not permitted" ]
	[ "$(ls -A)" = a.csv ]
	[ "$(cat a.csv)" = 0 ]
}

@test "a folder that takes no file is named" {
	needs "$preload"
	echo old >a.csv
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=open FAULT_AT=2 \
		FAULT_EVER=1 FAULT_ERRNO=13 "$posenc" relative --len 2 --csv a.csv
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: a.csv: cannot be replaced, as no new file can be made in its directory: Permission denied" ]
	[ "$(cat a.csv)" = old ]
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=open FAULT_AT=2 \
		FAULT_EVER=1 FAULT_ERRNO=13 "$posenc" relative --len 2 --csv new.csv
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: new.csv: Permission denied" ]
	[ "$(ls -A)" = a.csv ]
}

@test "what only close() tells of a pipe is told" {
	needs "$preload"
	faulty close 1 28 relative --len 2
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: standard output: No space left on device" ]
	# It is closed, interrupted or not
	faulty close 1 4 relative --len 2
	[ "$status" -eq 0 ]
}

@test "a file that its disk has no room for is refused before its first byte" {
	run ! --separate-stderr "$posenc" sinusoid --len 1e12 --dim 1024 --raw a.raw
	[[ "$stderr" == "posenc: a.raw: not enough disk space: 4096000000000000 bytes needed, "* ]]
	run ! --separate-stderr "$posenc" sinusoid --len 1e12 --dim 1024 --csv a.csv
	[[ "$stderr" == "posenc: a.csv: not enough disk space: 2048000000000000 bytes needed, "* ]]
	# Root may fill what is kept from others
	free=$([ "$(id -u)" -eq 0 ] && echo %f || echo %a)
	third=$(($(stat -f -c "$free * %S" .) / 3))
	for others in "--csv /dev/null --raw a.raw" "--raw a.raw --csv /dev/null"; do
		run ! --separate-stderr timeout 9 "$posenc" sinusoid --len $third --dim 1 \
			--dtype f16 $others --npy b.npy
		[[ "$stderr" == "posenc: b.npy: not enough disk space: $((2 * third + 128)) bytes needed, "*" available beside the other outputs" ]]
	done
	# Whether all zeros fit a narrower type takes hours to see
	run ! --separate-stderr timeout 9 "$posenc" embed --vocab 1e12 --dim 64 --init zeros --dtype u8 --raw a.raw
	[[ "$stderr" == "posenc: a.raw: not enough disk space: 64000000000000 bytes needed, "* ]]
	[ -z "$(ls -A)" ]
}

@test "a stack of no size is refused before it is used" {
	needs "$preload"
	faulty getrlimit 1 0 sinusoid --len 1 --dim 2 --csv a.csv
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: the stack is limited to 0 KiB (ulimit -s), 64 are needed" ]
	[ -z "$(ls -A)" ]
}

@test "a file that is larger than its limit is refused" {
	if [ -e "$preload" ] && [[ ${B:-build} != *san* ]]; then
		faulty getrlimit 2 0 naive --len 9 --dim 4 --dtype u8 --raw a.raw
		[ "$stderr" = "posenc: a.raw: file too large: 36 bytes needed, 0 allowed (ulimit -f)" ]
	fi
	# gcov's notes, of up to 3000 bytes, are under the limit, too
	run ! --separate-stderr bash -c "ulimit -f 16; '$posenc' sinusoid --len 254 --dim 32 --npy a.npy"
	[ "$stderr" = "posenc: a.npy: file too large: 32640 bytes needed, 16384 allowed (ulimit -f)" ]
	run ! --separate-stderr bash -c "ulimit -f 16; '$posenc' sinusoid --len 254 --dim 32 --csv a.csv"
	[ "$stderr" = "posenc: a.csv: File too large" ]
	[ -z "$(ls -A)" ]
}

@test "a file replaced keeps its rights, but for those of its maker" {
	: >a.csv
	chmod 4751 a.csv
	"$posenc" relative --len 2 --csv a.csv
	[ "$(stat -c %a a.csv)" = 751 ]
}

@test "the program is hardened" {
	command -v readelf >/dev/null || skip "readelf is not installed"
	case ${B:-build} in *san* | *cover*) skip "another build" ;; esac
	readelf -hW "$posenc" | grep -q 'Type:.*DYN'
	readelf -dW "$posenc" | grep -q 'Flags:.*NOW.*PIE'
	readelf -lW "$posenc" | grep -q GNU_RELRO
	readelf -lW "$posenc" | grep -q 'GNU_STACK.* RW '
	readelf -sW "$posenc" | grep -q __stack_chk_fail
	[ ! -e "$preload" ] || readelf -sW "$posenc" | grep -q __snprintf_chk # glibc
}

# breach WORDS...: the reader of a command attempts all that the sandbox forbids.
# Sets attempts, "call: outcome" of each.
breach() {
	echo old >../victim
	chmod 600 ../victim
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_BREACH=1 "$posenc" "$@"
	[ "$status" -eq 0 ]
	attempts=$stderr
	[ "$(grep -c . <<<"$attempts")" -eq 38 ]
	[ "$(cat ../victim)" = old ]
	[ -z "$(find .. -name breach -o -name moved -o -name second -o -name made)" ]
}

# granted: the attempts of those that were not refused.
granted() {
	grep -vE ': (Permission denied|Operation not permitted|Function not implemented)$' <<<"$attempts"
}

# landlock: the version of the kernel's.
landlock() {
	"$python" -c 'import ctypes; print(ctypes.CDLL(None).syscall(444, 0, 0, 1))'
}

sandboxed() {
	needs "$preload"
	[ -z "${FAULT_UNBOUND:-}" ] || skip "nothing is given up while coverage is counted"
	case $(uname -m) in x86_64 | aarch64) ;; *) skip "there is no seccomp filter for this machine" ;; esac
	# Version 3 brings truncation
	[ "$(landlock)" -ge 3 ] ||
		skip "the kernel's Landlock is older than 6.2's"
	"$posenc" sinusoid --len 3 --dim 4 --npy t.npy
}

@test "whoever takes over a reader that writes no file can change, start and reach nothing" {
	sandboxed
	breach embed --table t.npy
	[ "$output" = "$("$posenc" sinusoid --len 3 --dim 4)" ]
	[ -z "$(granted)" ]
	[ "$(stat -c %a ../victim)" = 600 ]
	# Nor where its output is open already
	breach embed --table t.npy --csv /dev/fd/0 <>out.csv
	[ "$(cat out.csv)" = "$("$posenc" sinusoid --len 3 --dim 4)" ]
	[ -z "$(granted)" ]
}

@test "what a reader starts gains no rights, as those of sudo" {
	sandboxed
	mkfifo t.csv
	"$posenc" show t.csv >shown 3>&- &
	for _ in {1..600}; do
		grep -qx 'Seccomp:.2' /proc/$!/status && break
		sleep 0.05
	done
	rights=$(grep NoNewPrivs /proc/$!/status)
	timeout 30 sh -c 'echo 1,2 >t.csv'
	wait $!
	[ "$rights" = $'NoNewPrivs:\t1' ]
}

@test "with an output file, a reader can set permissions of files it opens, no more" {
	sandboxed
	breach embed --table t.npy --csv out.csv
	[ "$(cat out.csv)" = "$("$posenc" sinusoid --len 3 --dim 4)" ]
	allowed=$(granted)
	[ "${allowed%%$'\n'*}" = "fchmod: done" ]
	[ -z "$(grep -vE '^(fchmod|fsetxattr): ' <<<"$allowed")" ]
}

@test "Landlock alone, as older kernels have it, keeps a reader from other files and programs" {
	sandboxed
	echo old >../victim
	local confined=$faults/../../confined.py
	"$python" "$confined" seccomp /bin/true || skip "calls can't be refused here"
	# Landlock's version 5 brings calls on devices
	for calls in 'seccomp device' 'seccomp,landlock>16 device' 'seccomp,landlock>8'; do
		run --separate-stderr "$python" "$confined" "${calls% *}" /usr/bin/env \
			LD_PRELOAD="$preload" FAULT_BREACH=paths "$posenc" embed --table t.npy
		[ "$output" = "$("$posenc" sinusoid --len 3 --dim 4)" ]
		refused=$(sed -n 's/: Permission denied//p' <<<"$stderr" | xargs)
		[ "${refused% device}" = "write truncate unlink rename link mkdir exec execveat" ]
		[ "$(landlock)" -lt 5 ] || [[ "${calls#* }" != device ]] || [[ "$refused" == *" device" ]]
	done
}

@test "all that names a file is read after privileges were given up" {
	sandboxed
	echo '{"model_type": "llama", "rope_theta": 10000, "head_dim": 8}' >config.json
	seq -s , 1 2 >ids
	seq -s , 1 4 >list
	for reads in 'rope --config config.json --len 2' 'config config.json' \
		'sinusoid --dim 8 --positions @list' 'sinusoid --dim 8 --positions -' \
		'rope --len 2 --dim 8 --scaling longrope:8,@list' \
		'rope --len 2 --dim 8 --scaling longrope:8,short=-' \
		'header sinusoid --dim 8 --positions @list' \
		'embed --table t.npy --ids @ids'; do
		echo "$reads"
		breach $reads <list
		[ -z "$(granted)" ]
	done
}

# starved K WORDS...: posenc without its K-th allocation, which env and bash, whose
# getenv() sees what they give their child, would fail themselves.
starved() {
	sh -c 'preload=$1 at=$2
		shift 2
		LD_PRELOAD=$preload FAULT_CALLS=alloc FAULT_AT=$at FAULT_ERRNO=12 "$@"' sh \
		"$preload" "$1" "$posenc" "${@:2}"
}

@test "without memory --version tells so, not another version" {
	needs "$preload"
	local told=0 version=$("$posenc" --version | grep '^FreeType')
	for k in $(seq 30); do
		run starved "$k" --version
		if [ "$status" -eq 2 ]; then
			[[ "$output" == "posenc: "*"out of memory" ]]
			told=$((told + 1))
		elif [[ "$output" == *$'\n'"FreeType out of memory"$'\n'* ]]; then
			told=$((told + 1))
		elif [[ "$output" == *$'\n'"FreeType not found"* ]]; then
			# What glibc says without memory for a path of the program's own
			readelf -d "$posenc" | grep -q 'RPATH\|RUNPATH'
		else
			[[ "$output" == *"$version"* ]]
		fi
	done
	[ "$told" -ge 3 ]
}

@test "a file that there is no memory to read is told as such, with what it takes" {
	needs "$preload"
	printf '1,%0300000d\n' 2 >long.csv
	for k in {1..20}; do
		run starved "$k" similarity long.csv
		[ "$status" -eq 0 ] || [ "$status" -eq 2 ]
		echo "$output" >>said
	done
	for bytes in 262145 524289; do
		grep -x "posenc similarity: out of memory (for $bytes bytes)" said
	done
}

# ever LEAST WORDS...: begun so often that the first allocation fails, the second, until all
# that are made do not, the command says so, LEAST times or more, or answers as ever.
ever() {
	local least=$1 answer expected=0 k=0 same=0 told=0
	shift
	answer=$("$posenc" "$@") || expected=$?
	[ "$expected" -le 1 ]
	while [ "$same" -lt 10 ]; do
		k=$((k + 1)) same=$((same + 1))
		run starved "$k" "$@"
		if [ "$output" = "$answer" ]; then
			[ "$status" -eq "$expected" ]
			continue
		fi
		echo "$k: $output"
		[ "$status" -eq 2 ]
		[[ "$output" == "posenc"*": out of memory"* ||
		   "$output" == "posenc: "*": Cannot allocate memory" ]]
		same=0 told=$((told + 1))
	done
	[ "$told" -ge "$least" ]
}

@test "two models or tables compared without memory: the command says so, or answers as ever" {
	needs "$preload"
	cp -r "$golden/../files/pairs/"{offset-a,scaling-a,scaling-kept-b.gguf} .
	echo '{"model_type": "gemma3_text", "head_dim": 8, "num_hidden_layers": 6}' >layers.json
	"$posenc" embed --vocab 9 --dim 8 --csv t.csv
	LC_ALL=C sort t.csv >sorted.csv
	"$posenc" resize t.csv --to 12 --csv resized.csv
	ever 40 compare layers.json offset-a
	ever 40 compare scaling-a scaling-kept-b.gguf
	ever 40 compare t.csv sorted.csv
	ever 40 compare t.csv resized.csv
}

@test "tensors listed and read without memory: the command says so, or answers as ever" {
	needs "$preload"
	"$python" - <<-'END'
		import json, struct
		head = {"tensor %d" % i: {"dtype": "U8", "shape": [1], "data_offsets": [i, i + 1]}
		        for i in range(40)}
		text = json.dumps(head).encode()
		open("many.safetensors", "wb").write(struct.pack("<Q", len(text)) + text + bytes(40))
	END
	ever 15 list many.safetensors
	ever 10 show many.safetensors:'*17'
	ever 10 list "$golden/../../good/memo.pt"
	ever 10 list "$golden/../../good/opcodes.pt"
}

@test "a read that fails within blocks of GGUF is an error, not a part of the values" {
	needs "$preload"
	local failed=0
	"$python" - >q8.gguf <<-'PY'
		import sys
		from struct import pack
		head = b"GGUF" + pack("<IQQ", 3, 1, 0) + pack("<Q", 1) + b"q" + pack("<IQQIQ", 2, 32, 9000, 8, 0)
		sys.stdout.buffer.write(head.ljust(96, b"\0") + (pack("<e", 0.5) + bytes(range(32))) * 9000)
	PY
	"$posenc" show q8.gguf --csv good
	for k in {1..8}; do
		if LD_PRELOAD=$preload FAULT_CALLS=read FAULT_AT=$k FAULT_ERRNO=5 \
			"$posenc" show q8.gguf --csv out 2>said; then
			cmp out good
		else
			[ "$(cat said)" = "posenc: q8.gguf: Input/output error" ]
			failed=$((failed + 1))
		fi
	done
	[ "$failed" -ge 2 ]
}

@test "a PNG image without memory tells so, not what libpng makes of it" {
	needs "$preload"
	local told=0
	for k in $(seq 30); do
		run starved "$k" sinusoid --len 2 --dim 2 --plain --png out.png
		[ "$status" -eq 2 ] || continue
		[[ "$output" == "posenc"*"out of memory"* ]]
		told=$((told + 1))
	done
	# Debian 11's libraries allocate 19 times, later ones 22
	[ "$told" -ge 19 ]
}

@test "a pipe that fails after its first bytes is an error of list" {
	needs "$preload"
	"$posenc" sinusoid --len 300 --dim 300 --safetensors t.safetensors
	faulty read 2 5 list - < <(cat t.safetensors)
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: standard input: Input/output error" ]
}

@test "a configuration that cannot be read is an error of list, not its explanation" {
	needs "$preload"
	mkdir model
	"$posenc" sinusoid --len 2 --dim 2 --safetensors model/t.safetensors
	echo '{"model_type": "llama", "rope_theta": 10000, "head_dim": 8}' >model/config.json
	for k in 2 3; do
		faulty read $k 5 list model
		[ "$status" -eq 2 ]
		[ "$stderr" = "posenc: model/config.json: Input/output error" ]
	done
}
