# What make builds: in folders of any name, into others, with other compilers.

load common

setup() {
	[ "${B:-build}" = build ] || skip "built from build only"
	# These are make's own and those of a make that runs this
	unset B MAKEFLAGS MAKELEVEL
}

# copy FOLDER BUILT: the sources there, one of them new, and in BUILT what was built of
# them, but no program.
copy() {
	mkdir -p "$1/build" "$2"
	cp -a Makefile README.md scripts src tests man "$1"
	cp -a build/src build/parts.a build/libposenc.a build/libposenc.so.* "$2"
	[ ! -e build/config.mk ] || cp -a build/config.mk "$1/build"
	[ ! -e build/faults ] || cp -a build/faults "$2"
	touch "$1/src/table/error.c"
}

# anew COMMAND...: outside of these tests, so that it may be bats.
anew() {
	local name without=()
	for name in "${!BATS_@}"; do without+=(-u "$name"); done
	env "${without[@]}" PATH="${PATH#"${BATS_LIBEXEC:-}":}" "$@"
}

# suites BUILT: two of them pass, in this folder.
suites() {
	mkdir -p "$1/tests/said"
	for suite in 'tests/transcripts.py unused' tests/help.bats; do
		B=$1 PYTHON=$python anew tests/run -one "$suite"
	done
	run ! grep '^not ok' "$1/tests/said"/*
	[ "$(cat "$1/tests/said"/* | grep -c '^ok')" -gt 40 ]
}

@test "a folder whose name has blanks and quotes is built, tested and installed" {
	local there="$BATS_TEST_TMPDIR/it's a \"folder\""
	copy "$there" "$there/build"
	cd "$there"
	make -s
	[ "$(build/posenc relative --len 2)" = $'0,1\n-1,0' ]
	run ! grep -q "it's a" build/src/table/error.o
	suites build
	# Tests that preload a library, and name the program within quotes
	anew bats -f 'named with their packages' tests/libraries.bats
	anew bats -f 'a reader that leaves' tests/outputs.bats
	make -s install DESTDIR="$there/to install" PREFIX=/usr
	[ "$("to install/usr/bin/posenc" relative --len 1)" = 0 ]
	# Where nothing would be installed for it
	# shellcheck source=/dev/null disable=SC2034
	if (top=$there && . scripts/setup && nothing_missing); then
		[ "$(cd / && "$there/scripts/run" relative --len 1)" = 0 ]
	fi
}

@test "make B=/FOLDER builds in that folder, and suites run what is there" {
	local there=$BATS_TEST_TMPDIR/there before
	copy "$BATS_TEST_TMPDIR/here" "$there"
	cd "$BATS_TEST_TMPDIR/here"
	before=$(ls build)
	make -s B="$there"
	[ "$("$there/posenc" relative --len 1)" = 0 ]
	suites "$there"
	make -s install B="$there" DESTDIR="$BATS_TEST_TMPDIR/root" PREFIX=/usr
	[ "$("$BATS_TEST_TMPDIR/root/usr/bin/posenc" relative --len 1)" = 0 ]
	[ "$(ls build)" = "$before" ]
}

# does WORDS...: the programs that would link and change the library's objects.
does() {
	make -n B=none CC=./cross none/libposenc.a "$@" | awk '/libposenc\.o/ { print $1, $2 }'
}

@test "the linker and objcopy are the compiler's own, or those that are given" {
	ln -s "$PWD"/{Makefile,src,scripts} "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR"
	cat >cross <<-'END'
		#!/bin/sh
		case $1 in -print-prog-name=*) echo "/cross/${1#*=}" ;; esac
	END
	chmod +x cross
	unset LD OBJCOPY
	[ "$(does)" = "/cross/ld -r
/cross/objcopy --localize-hidden
rm -f" ]
	[[ "$(does LD=ours)" == "ours -r"$'\n'"/cross/objcopy "* ]]
	[[ "$(OBJCOPY=ours does)" == "/cross/ld -r"$'\n'"ours "* ]]
	[[ "$(LD=ours does)" == "ours -r"$'\n'"/cross/objcopy "* ]]
}

@test "what is there already is not named among what is installed" {
	# shellcheck disable=SC2034,SC2317,SC2031 # used by scripts/setup, which is sourced
	installs() (
		top=$PWD
		. scripts/setup
		needs="make bats"
		has() { [[ " $there " == *" $1 "* ]]; }
		command() { [ "$2" = apt-get ]; }
		id() { echo 0; }
		quietly() { echo "$@"; }
		there=$1
		nothing_missing || install_missing 2>&1
	)
	[ "$(installs make | head -n 1)" = "posenc: installing bats" ]
	[[ "$(installs make | tail -n 1)" == *" bats" ]]
	[ "$(installs "make bats")" = "" ]
}

@test "a build tells how many of its files are done, and on failure only why" {
	# shellcheck disable=SC2034,SC2317,SC2031
	built() (
		top=$BATS_TEST_TMPDIR
		cd "$top" && mkdir -p build
		printf 'all:%s\n\t@touch all\n%s' "$(printf ' build/%s.o' 1 2 3 4 5 6 7 8)" "$1" >Makefile
		. "$OLDPWD/scripts/setup"
		build all
	)
	rule=$'build/%.o:\n\techo -o $@; touch $@\n'
	[ "$(built "$rule" 2>&1)" = "posenc: building 8 files (about 30 s with two processors)
posenc: building, 2 of 8 files
posenc: building, 4 of 8 files
posenc: building, 6 of 8 files
posenc: building, 8 of 8 files" ]
	[ "$(built "$rule" 2>&1)" = "" ]
	rm -r "$BATS_TEST_TMPDIR"/build
	run -2 built $'build/%.o:\n\t@echo broken; false -o $@\n'
	[[ "$output" == *$'\nbroken\n'*"posenc: the build failed" ]]
	[[ "$output" != *" -o "* ]]
}
