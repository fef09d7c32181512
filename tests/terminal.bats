# What a terminal gets: tables in columns, previews, pages of the manual, no binary.

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

@test "under a parent that ignores the ends of children, a page comes alone" {
	a_man posenc-rope
	cat >ignoring.py <<-PY
		import os, signal, sys
		signal.signal(signal.SIGCHLD, signal.SIG_IGN)
		os.execv("$posenc", ["posenc"] + sys.argv[1:])
	PY
	[ "$(on_terminal "'$python' ignoring.py help rope --full")" = "the page posenc-rope" ]
}

@test "help on a terminal without any man is help" {
	local shown
	shown=$(on_terminal "PATH=/nowhere '$posenc' help rope --full" | head -n 1)
	[ "$shown" = "usage: posenc rope [OPTIONS]" ]
}

@test "binary is not sent to a terminal" {
	run -2 script -qec "'$posenc' sinusoid --len 2 --dim 2 --npy -" /dev/null </dev/null
	[ "$output" = $'posenc sinusoid: --npy: binary output is not written to a terminal; name a file or use a pipe\r' ]
	# A terminal that is opened after privileges were given up
	"$posenc" sinusoid --len 2 --dim 2 --npy t.npy
	[ "$(on_terminal "'$posenc' show t.npy --npy /dev/tty")" = "posenc show: --npy: binary output is not written to a terminal; name a file or use a pipe" ]
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

# shown SETTINGS ARGUMENTS: what posenc sends to a terminal 80 wide, 24 high.
shown() {
	script -qc "stty cols 80 rows 24; $1 '$posenc' $2" /dev/null </dev/null | tr -d '\r'
}

@test "a terminal shows the shape and aligned numbers" {
	run shown 'TERM=dumb' 'sinusoid --len 3 --dim 4'
	[ "${lines[0]}" = "[3, 4] float32" ]
	[ "${lines[1]}" = "[[0         1        0          1      ]" ]
	[ "${lines[2]}" = " [0.841471  0.540302 0.00999983 0.99995]" ]
	[ "${lines[3]}" = " [0.909297 -0.416147 0.0199987  0.9998 ]]" ]
	run shown 'TERM=dumb' 'sinusoid --len 4 --dim 2 --rows 1:3'
	[ "$output" = "[2, 2] float32
[[0.841471  0.540302]
 [0.909297 -0.416147]]" ]
}

@test "a terminal shows one table, not several" {
	printf '1,2\n' >t.csv
	[[ $(shown "" 'show t.csv t.csv') == "posenc show: standard output takes one TABLE; "* ]]
}

@test "the middle of a large table is left out, as much as the width asks" {
	run shown 'TERM=dumb' 'sinusoid --len 512 --dim 512'
	[ "${#lines[@]}" -eq 8 ]
	[ "${lines[1]}" = "[[0          1        0        ... 1        0           1       ]" ]
	[ "${lines[4]}" = " ..." ]
	run shown 'TERM=dumb' 'sinusoid --len 500 --dim 2'
	[ "${#lines[@]}" -eq 501 ] # 1000 values are not large
	run shown 'TERM=dumb' 'naive --kind binary --len 100 --dim 8 --rows 98:100'
	[ "${lines[1]}" = "[[0 1 1 0 0 0 1 0]" ]
	for rows in 5 6; do # three at each end are all
		run shown 'TERM=dumb' "sinusoid --len $rows --dim 200"
		[ "${#lines[@]}" -eq $((rows + 1)) ]
		[[ "$output" != *$'\n ...'* ]]
	done
	run shown 'TERM=dumb' 'relative --len 30'
	[ "${#lines[@]}" -eq 31 ]
	for line in "${lines[@]}"; do [ "${#line}" -le 80 ]; done
	[ "${lines[1]}" = "[[  0   1   2   3   4   5   6   7   8   9 ... 20 21 22 23 24 25 26 27 28 29]" ]
}

@test "planes stand one below the other" {
	"$posenc" sinusoid --len 3 --dim 2 --npy "$BATS_TEST_TMPDIR/t.npy"
	run shown 'TERM=dumb' "relative --len 2 --table $BATS_TEST_TMPDIR/t.npy"
	[ "$output" = "[2, 2, 2] float32
[[0.841471  0.540302]
 [0.909297 -0.416147]]

[[0        1       ]
 [0.841471 0.540302]]" ]
	"$posenc" alibi --heads 3 --len 2 --npy "$BATS_TEST_TMPDIR/heads.npy"
	run -0 shown 'TERM=dumb' "show $BATS_TEST_TMPDIR/heads.npy --rows 2:4"
	[ "$output" = "[1, 2, 2] float32
[[ 0          -0.00390625]
 [-0.00390625  0         ]]" ]
}

@test "--precision holds for a terminal, too" {
	run shown 'TERM=dumb' 'sinusoid --start 1 --len 1 --dim 2 --precision 3'
	[ "${lines[1]}" = "[[0.841 0.54]]" ]
}

@test "numbers are tinted where colour is allowed" {
	run shown 'COLORTERM=truecolor TERM=xterm' 'sinusoid --len 3 --dim 4'
	[[ "$output" == *$'\e[38;2;138;138;138m0\e[0m'* ]]
	run shown 'COLORTERM= TERM=xterm' 'sinusoid --len 3 --dim 4'
	[[ "$output" == *$'\e[38;5;'* ]]
	printf '0,0.25,-0.25\n0.5,-0.5,inf\n' >t.csv
	run shown 'COLORTERM=truecolor TERM=xterm' "show t.csv"
	[ "$(sed 's/\x1b\[/</g' <<<"$output")" = "[2, 3] float32
[[<38;2;138;138;138m0<0m    <38;2;176;122;85m0.25<0m  <38;2;89;130;176m-0.25<0m]
 [<38;2;214;106;32m0.5<0m <38;2;40;122;214m-0.5<0m  inf   ]]" ]
	for no in 'NO_COLOR=1 TERM=xterm' 'TERM=dumb' 'TERM='; do
		run shown "$no" 'sinusoid --len 3 --dim 4'
		[[ "$output" != *$'\e'* ]]
	done
}

@test "--preview draws half blocks, or ASCII where there is no colour" {
	run shown 'COLORTERM=truecolor TERM=xterm' 'sinusoid --len 4 --dim 4 --preview'
	[ "${#lines[@]}" -eq 3 ]
	[ "${lines[2]}" = "4 x 4" ]
	[[ "${lines[0]}" == $'\e[38;2;'*▀*$'\e[0m' ]]
	run shown 'COLORTERM=truecolor TERM=xterm' 'mask --len 2 --values ninf --preview'
	[[ "${output}" == *$'\e[38;2;184;186;194m█\e[0m'* ]]
	run shown 'TERM=dumb' 'sinusoid --len 512 --dim 512 --preview'
	[ "${#lines[@]}" -eq 23 ]
	[ "${#lines[0]}" -eq 80 ]
	[ "${lines[22]}" = "512 x 512, of which 22 rows and 80 columns in pairs" ]
}

@test "numbers that are none, or as long as the terminal is wide, line up" {
	"$python" -c "
import numpy as np
np.save('$BATS_TEST_TMPDIR/odd.npy', [[1e20, -2.5], [np.nan, np.inf]])
np.save('$BATS_TEST_TMPDIR/zeros.npy', np.zeros((1, 2)))"
	run shown 'TERM=dumb' "embed --table $BATS_TEST_TMPDIR/odd.npy --dtype f64"
	[ "$output" = "[2, 2] float64
[[  1e+20  -2.5]
 [nan     inf  ]]" ]
	run shown 'COLORTERM=truecolor TERM=xterm' "embed --table $BATS_TEST_TMPDIR/odd.npy --dtype f64"
	[[ "${lines[1]}" == *$'\e'* && "${lines[2]}" != *$'\e'* ]]
	run shown 'COLORTERM=truecolor TERM=xterm' "embed --table $BATS_TEST_TMPDIR/zeros.npy"
	[ "${lines[1]}" = $'[[\e[38;2;138;138;138m0\e[0m \e[38;2;138;138;138m0\e[0m]]' ]
	run shown "stty cols 12; TERM=dumb" 'mask --len 4 --kind full'
	[ "${lines[4]}" = " [1 1 1 1]]" ]
	run shown "stty cols 10; TERM=dumb" 'mask --len 4 --kind full'
	[ "${lines[4]}" = " [1 ... 1]]" ]
	for wide in 30 9; do
		run shown "stty cols $wide; TERM=dumb" 'sinusoid --len 3 --dim 8'
		[ "${lines[2]}" = " [0.841471 ... 1       ]" ]
	done
}

@test "of many planes the middle is left out" {
	run shown 'TERM=dumb' 'alibi --heads 8 --len 12'
	[ "${lines[0]}" = "[8, 12, 12] float32" ]
	[ "$(grep -c '^\.\.\.$' <<<"$output")" -eq 1 ]
	[ "$(grep -c '^\[\[' <<<"$output")" -eq 6 ]
}

@test "--preview fits any terminal, and colours change only where numbers do" {
	for wide in 9 5; do
		run shown "stty cols $wide rows 5; TERM=dumb" 'sinusoid --len 30 --dim 20 --preview'
		[ "${lines[0]}" = "=@=@=@=@" ]
		[ "${lines[6]}" = "30 x 20, of which 6 rows and 8 columns in pairs" ]
	done
	run shown "stty cols 9 rows 5; TERM=dumb" 'mask --len 9 --kind full --preview'
	[ "${#lines[0]}" -eq 9 ]
	[ "${lines[6]}" = "9 x 9, of which 6 rows and 9 columns" ]
	run shown 'COLORTERM=truecolor TERM=xterm' 'mask --len 3 --preview'
	[ "${lines[0]}" = $'\e[38;2;253;231;37m\e[48;2;253;231;37m▀\e[38;2;68;1;84m▀\e[48;2;68;1;84m▀\e[0m' ]
	[ "${lines[1]}" = $'\e[38;2;253;231;37m▀▀▀\e[0m' ]
}

@test "half blocks have the colours of both rows, and of 256 the nearest ones" {
	printf '1,2,3,4\n5,6,7,8\n' >t.csv
	printf '5,6,7,8\n1,2,3,4\n' >swapped.csv
	for colours in truecolor 256; do
		for t in t swapped; do
			shown "COLORTERM=$colours TERM=xterm" "show $t.csv --range 0:9 --preview" >$t.$colours
		done
	done
	"$python" - <<'PY'
import re

def colours(name, ground, kind):
    with open(name) as f:
        return re.findall(rf"\x1b\[{ground};{kind};([0-9;]+)m", f.read())

upper, lower = (colours("t.truecolor", ground, 2) for ground in (38, 48))
assert len(set(upper + lower)) == 8, (upper, lower)
assert colours("swapped.truecolor", 38, 2) == lower
assert colours("swapped.truecolor", 48, 2) == upper
for ground, all in (38, upper), (48, lower):
    red, green, blue = zip(*([round(int(x) / 51) for x in c.split(";")] for c in all))
    assert colours("t.256", ground, 5) == [str(16 + 36 * r + 6 * g + b) for r, g, b in zip(red, green, blue)]
PY
}

@test "without memory a terminal gets a sentence" {
	[ -e "$preload" ] || skip "it takes Linux and glibc"
	case ${B:-build} in *san*) skip "the sanitizer has calls of its own" ;; esac
	local said whole
	for preview in '' --preview; do
		said=0 whole=0
		for k in {1..14}; do
			run shown "env LD_PRELOAD=$preload FAULT_CALLS=alloc FAULT_ERRNO=12 FAULT_AT=$k TERM=dumb" \
				"sinusoid --len 2 --dim 2 $preview"
			case $output in
			"posenc sinusoid: out of memory"*) said=$((said + ${#lines[@]})) ;;
			*"[0.841471 0.540302]]" | *"2 x 2") whole=$((whole + 1)) ;;
			esac
		done
		[ "$said" -gt 3 ]
		[ "$((said + whole))" -eq 14 ]
	done
}

# told ARGUMENTS: what a terminal at standard error reads of a run whose standard output is no terminal.
told() {
	script -qec "'$posenc' $1 >out" /dev/null </dev/null | tr -d '\r'
}

@test "a terminal reads which files were written, and how large they are" {
	run -0 told 'sinusoid --len 16 --dim 8 --npy a.npy --csv - --png a.png --plain --dtype f16'
	[ "$output" = "posenc sinusoid: wrote a.npy (16 x 8 float16)
posenc sinusoid: wrote a.png (8 x 16 pixels)" ]
	run -0 told 'alibi --heads 4 --len 8 --csv a.csv --width 8cm --png a.png --svg a.svg --pdf a.pdf'
	[ "${lines[0]}" = "posenc alibi: wrote a.csv (4 x 8 x 8 float32)" ]
	[[ "${lines[1]}" =~ ^"posenc alibi: wrote a.png (945 x "[0-9]+" pixels)"$ ]]
	[[ "${lines[2]}" =~ ^"posenc alibi: wrote a.svg (8.0 x "[0-9.]+" cm)"$ ]]
	[ "${lines[3]}" = "${lines[2]/svg/pdf}" ]
	[ "$(printf %.1f "$(sed -n 's/.*height="\([0-9.]*\)cm" viewBox.*/\1/p' a.svg)")" = "$(sed 's/.* x \(.*\) cm)/\1/' <<<"${lines[2]}")" ]
	run -0 told 'compare a.csv a.csv --json c.json --png c.png'
	[ "${lines[0]}" = "posenc compare: wrote c.json" ]
	[[ "${lines[1]}" == "posenc compare: wrote c.png ("* ]]
	run -0 told 'shift --dim 8 --animate by=0:5 --png s.png'
	[[ "$output" == "posenc shift: wrote s.png (6 frames of "*" pixels)" ]]
	run -0 told 'shift --dim 8 --animate by=0:5 -o s%d.svg -o s%d.npy'
	[ "$output" = "posenc shift: wrote 6 files, s0.svg to s5.svg
posenc shift: wrote 6 files, s0.npy to s5.npy" ]
}

@test "a terminal reads notes first; nothing with --quiet, of a pipe or device, or of a failure" {
	run -0 told 'mask --len 3 --values min-float16 --npy m.npy'
	[[ "${lines[0]}" == *" add up to infinity in float16, "* ]]
	[ "${lines[1]}" = "posenc mask: wrote m.npy (3 x 3 float16)" ]
	run -0 told 'mask --len 3 --npy m.npy --quiet'
	[ "$output" = "" ]
	run -0 told 'mask --len 3 --npy - --csv /dev/null'
	[ "$output" = "" ]
	run -0 told 'mask --len 3 --npy m.npy --dry-run'
	[ "$output" = "" ]
	run -0 told 'mask --len 3 --npy m.npy --csv none/m.csv'
	[ "$output" = "posenc: none/m.csv: No such file or directory" ]
	run -0 "$posenc" mask --len 3 --npy m.npy
	[ "$output" = "" ]
}
