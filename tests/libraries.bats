# Libraries that are loaded when they are needed, when they are missing or are others.
# libhdf5 is in hdf5.bats, LAPACK in transcripts/inspect.txt.

load common

setup() {
	empty_folder
}

# without NAME LIBRARY...: from now on, these files are no libraries, or are libm. Where the
# program knows the folder of its libraries, skip.
without() {
	local name=$1
	shift
	mkdir -p none other
	for library; do
		echo none >"none/$library"
		cp "$(ldd "$posenc" | awk '/libm\.so/ { print $3 }')" "other/$library"
	done
	export LD_LIBRARY_PATH=$PWD/none
	"$posenc" --version | grep -q "^$name not found" ||
		skip "the program finds $name in a folder of its own"
}

@test "without FreeType the package is named, and what has no text works" {
	without FreeType libfreetype.so.6
	for folder in none other; do
		export LD_LIBRARY_PATH=$PWD/$folder
		for format in png svg pdf; do
			declines "text in figures needs the library FreeType; Debian's package libfreetype6 brings it" \
				sinusoid --len 2 --dim 2 --$format out.$format
		done
		"$posenc" --version | grep -qx 'FreeType not found (libfreetype6)'
		"$posenc" sinusoid --len 2 --dim 2 --plain --png "$BATS_TEST_TMPDIR/out.png"
	done
}

@test "a library that memory is too short for is not called missing" {
	local kb said told=0
	for ((kb = 4000; kb < 16000; kb += 100)); do
		said=$(ulimit -v $kb; "$posenc" --version 2>&1) && break
		[[ $said != 'posenc: '*'out of memory' ]] || told=1
	done
	[[ $said != *'FreeType not found'* ]]
	[ $told = 1 ] || skip "this build takes more memory at its start"
}
