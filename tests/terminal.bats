# What a terminal gets besides tables: pages of the manual, and no binary.

bats_require_minimum_version 1.5.0
load common

setup() {
	cd "$BATS_TEST_TMPDIR"
	script -qc true /dev/null </dev/null >/dev/null 2>&1 || skip "no terminal can be had here"
	mkdir bin
}

# a_man PAGE [STATUS]: a man that has this page only, and ends so once it is read.
a_man() {
	cat >bin/man <<-SH
		#!/bin/sh
		[ "\$1" != -w ] || { echo looked; [ "\$2" = "$1" ]; exit; }
		echo "the page \$1"
		exit ${2:-0}
	SH
	chmod +x bin/man
}

# on_terminal COMMAND: what a terminal shows of it.
on_terminal() {
	PATH="$PWD/bin:$PATH" script -qec "$1" /dev/null </dev/null | tr -d '\r'
}

@test "help --full on a terminal is the manual's page, where that is installed" {
	a_man posenc-rope
	[ "$(on_terminal "'$posenc' help rope --full")" = "the page posenc-rope" ]
	[ "$(on_terminal "'$posenc' help alibi --full" | head -n 1)" = "usage: posenc alibi [OPTIONS]" ]
	a_man posenc
	[ "$(on_terminal "'$posenc' help --full")" = "the page posenc" ]
	[ "$(on_terminal "'$posenc' help rope" | head -n 1)" = "usage: posenc rope [OPTIONS]" ]
	[ "$("$posenc" help --full | head -n 1)" = "usage: posenc COMMAND [OPTIONS] [TABLE]..." ]
}

@test "a page that was shown is not followed by help, however man ends" {
	a_man posenc-rope 3
	[ "$(on_terminal "'$posenc' help rope --full")" = "the page posenc-rope" ]
}

@test "under a parent that ignores the ends of children, a page comes alone and LAPACK answers" {
	a_man posenc-rope
	cat >ignoring.py <<-PY
		import os, signal, sys
		signal.signal(signal.SIGCHLD, signal.SIG_IGN)
		os.execv("$posenc", ["posenc"] + sys.argv[1:])
	PY
	[ "$(on_terminal "'$python' ignoring.py help rope --full")" = "the page posenc-rope" ]
	"$posenc" sinusoid --len 8 --dim 4 --npy t.npy
	"$python" ignoring.py inspect t.npy | cmp - <("$posenc" inspect t.npy)
}

@test "help on a terminal without any man is help" {
	local shown
	shown=$(on_terminal "PATH=/nowhere '$posenc' help rope --full" | head -n 1)
	[ "$shown" = "usage: posenc rope [OPTIONS]" ]
}

@test "binary is not sent to a terminal" {
	run -2 script -qec "'$posenc' sinusoid --len 2 --dim 2 --npy -" /dev/null </dev/null
	[ "$output" = $'posenc sinusoid: --npy: binary output is not written to a terminal; name a file or use a pipe\r' ]
}

@test "a terminal of no size is taken for 80 columns of 24 rows" {
	on_terminal "stty cols 0 rows 0; TERM=dumb '$posenc' sinusoid --len 512 --dim 512 --preview" >none
	on_terminal "stty cols 80 rows 24; TERM=dumb '$posenc' sinusoid --len 512 --dim 512 --preview" >some
	grep -q "512 x 512" none
	cmp none some
}

@test "COLORTERM tells of all colours by either name" {
	for kind in truecolor 24bit; do
		on_terminal "COLORTERM=$kind TERM=xterm '$posenc' sinusoid --len 2 --dim 2" | grep -qF $'\e[38;2;'
	done
}
