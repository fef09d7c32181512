# What `make install` puts where, and that programs can use it.

load common

setup_file() {
	[ "${B:-build}" = build ] || return 0
	export root=$BATS_FILE_TMPDIR/root
	make -s install DESTDIR="$root" PREFIX=/usr
}

setup() {
	[ "${B:-build}" = build ] || skip "installed from build only"
}

@test "install puts the program, its pages, its completions and the library" {
	for file in bin/posenc include/posenc.h lib/libposenc.a lib/libposenc.so \
		lib/libposenc.so.0 lib/pkgconfig/posenc.pc share/man/man1/posenc.1 \
		share/man/man1/posenc-sinusoid.1 share/man/man3/posenc.3 \
		share/bash-completion/completions/posenc share/zsh/site-functions/_posenc \
		share/fish/vendor_completions.d/posenc.fish \
		lib/python3/dist-packages/posenc.py; do
		[ -e "$root/usr/$file" ] || echo "missing: $file" >&2
		[ -e "$root/usr/$file" ]
	done
	[ "$("$root/usr/bin/posenc" relative --len 2)" = $'0,1\n-1,0' ]
}

@test "a C program links with what posenc.pc says, static or shared" {
	cd "$BATS_TEST_TMPDIR"
	export PKG_CONFIG_PATH=$root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
	# Older pkg-config leaves /usr/include out before it puts the root in front
	export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
	# shellcheck disable=SC2046 # options are split on purpose
	cc -o shared "$BATS_TEST_DIRNAME/library/example.c" $(pkg-config --cflags --libs posenc)
	run env LD_LIBRARY_PATH="$root/usr/lib" ./shared
	[ "${lines[0]}" = "3 x 4 float32: 0.841470957 0.540302277 at position 1" ]
	[ "${lines[1]}" = "--dim must be between 1 and 1048576, got 0" ]
	# The same with no shared library to find, then with no shared C library
	mkdir only
	cp "$root/usr/lib/libposenc.a" only
	# shellcheck disable=SC2046
	cc -o static "$BATS_TEST_DIRNAME/library/example.c" -Lonly \
		$(pkg-config --static --cflags --libs posenc | sed 's/ -L[^ ]*//')
	[ "$(./static)" = "$output" ]
	if cc -static -o whole "$BATS_TEST_DIRNAME/library/example.c" -Lonly \
		$(pkg-config --static --cflags --libs posenc | sed 's/ -L[^ ]*//') 2>whole.err
	then
		[ "$(./whole)" = "$output" ]
	else
		grep -q 'cannot find -l[cm]' whole.err
	fi
}

# in_python: what a row is there, by the caller's locale.
in_python() {
	"${PYTHON:-python3}" "$BATS_TEST_DIRNAME/library/example.py" "$root/usr/lib/libposenc.so.0"
}

@test "Python finds the module that is installed" {
	python=$("$BATS_TEST_DIRNAME/python")
	"$python" -c 'import numpy' 2>/dev/null || skip "NumPy is not installed"
	run env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$root/usr/lib/python3/dist-packages" \
		PATH="$root/usr/bin:$PATH" "$python" -c \
		'import posenc; print(posenc.table("relative", len=2).tolist())'
	[ "$output" = "[[0, 1], [-1, 0]]" ]
}

@test "Python uses it through ctypes" {
	[ "$(in_python)" = "0.4207354784011841 0.27015113830566406 0.004999916534870863 0.4999749958515167" ]
}

@test "a caller's locale has commas, the library's numbers points" {
	command -v localedef && [ -e /usr/share/i18n/locales/de_DE ] || skip "no locales to make"
	localedef -i de_DE -f UTF-8 "$BATS_TEST_TMPDIR/de"
	export LOCPATH=$BATS_TEST_TMPDIR
	[ "$(LC_ALL=de locale decimal_point)" = , ]
	[ "$(LC_ALL=de in_python)" = "$(LC_ALL=C in_python)" ]
	why() {
		"${PYTHON:-python3}" -c 'import ctypes, locale, sys
locale.setlocale(locale.LC_ALL, "")
why = ctypes.create_string_buffer(480)
ctypes.CDLL(sys.argv[1]).pe_open(b"naive", b"kind=binary positions=1.5", why, ctypes.c_size_t(480))
print(why.value.decode())' "$root/usr/lib/libposenc.so.0"
	}
	[ "$(LC_ALL=de why)" = "--kind binary: expected integer positions of at least 0, got 1.5" ]
}

@test "the library shows names that begin with pe_ and no others" {
	run nm -D --defined-only "$root/usr/lib/libposenc.so.0"
	[ "$(grep -c ' pe_' <<<"$output")" -eq 12 ]
	[ -z "$(grep -v ' pe_\| A POSENC_0' <<<"$output")" ]
	[ -z "$(nm "$root/usr/lib/libposenc.a" | grep ' [TDRB] ' | grep -v ' pe_')" ]
	[ -z "$(readelf -d "$root/usr/lib/libposenc.so.0" | grep NEEDED | grep -v 'lib\(c\|m\|dl\|pthread\)\.')" ]
}

@test "the page of explore is installed where make web has built it" {
	run "$root/usr/bin/posenc" explore -o "$BATS_TEST_TMPDIR/page.html"
	if [ -e build/web/explore.html ]; then
		cmp build/web/explore.html "$root/usr/share/posenc/explore.html"
		[ "$status" -eq 0 ]
	else
		[ "$status" -eq 2 ]
		[[ $output == *"$root/usr/bin/../share/posenc/explore.html)"* ]]
	fi
}

@test "uninstall leaves nothing" {
	make -s install DESTDIR="$BATS_TEST_TMPDIR/r" PREFIX=/opt/p
	make -s uninstall DESTDIR="$BATS_TEST_TMPDIR/r" PREFIX=/opt/p
	[ -z "$(find "$BATS_TEST_TMPDIR/r" ! -type d)" ]
}

@test "dist makes a tarball of the sources, the same each time" {
	make -s dist
	tarball=$(ls build/posenc-*.tar.gz)
	first=$(sha256sum "$tarball")
	make -s dist
	[ "$(sha256sum "$tarball")" = "$first" ]
	tar -tzf "$tarball" | grep -q '/src/cli/main\.c$'
	tar -tzf "$tarball" | grep -q '/scripts/install$'
	[ ! -e build/web/explore.html ] ||
		tar -tzf "$tarball" | grep -q '/build/web/explore\.html$'
}
