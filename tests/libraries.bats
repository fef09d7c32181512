# Libraries that are loaded when they are needed, when they are missing, are others or
# cannot be opened. More of libhdf5 is in hdf5.bats.

load common

setup() {
	empty_folder
}

# enlarge LIBRARY: its last segment has 2^62 bytes, for which no machine has room.
enlarge() {
	"$python" - "$1" <<-'END'
		import struct, sys
		with open(sys.argv[1], "r+b") as file:
		    data = file.read()
		    if data[:6] != b"\x7fELF\2\1":
		        sys.exit(1)
		    begin, = struct.unpack_from("<Q", data, 32)
		    size, n = struct.unpack_from("<HH", data, 54)
		    segments = range(begin, begin + n * size, size)
		    last = [at for at in segments if data[at:at + 4] == b"\1\0\0\0"][-1]
		    file.seek(last + 40)
		    file.write(struct.pack("<Q", 1 << 62))
	END
}

# pretend WHAT LIBRARY...: in a folder of that name, these are no libraries, or are libm.
# Where the program knows the folder of its libraries, skip.
pretend() {
	local what=$1
	shift
	mkdir -p "$what"
	for library; do
		echo none >"$what/$library"
		[ "$what" = none ] ||
			cp "$(ldd "$posenc" | awk '/libm\.so/ { print $3 }')" "$what/$library"
	done
	export LD_LIBRARY_PATH=$PWD/$what
	"$posenc" --version | grep -q "^FreeType cannot be loaded: " ||
		skip "the program finds FreeType in a folder of its own"
}

# no_text REASON: why figures have no text; those that have none work.
no_text() {
	for format in png svg pdf; do
		run -2 --separate-stderr "$posenc" sinusoid --len 2 --dim 2 --$format out.$format
		[[ "$stderr" == "posenc sinusoid: text in figures needs the library FreeType: "$1 ]]
		[ ! -e out.$format ]
	done
	[[ "$("$posenc" --version | grep FreeType)" == "FreeType "$1 ]]
	"$posenc" sinusoid --len 2 --dim 2 --plain --png out.png
	rm out.png
}

@test "libraries that are not installed are named with their packages" {
	needs_faults
	export LD_PRELOAD=$preload FAULT_CALLS=dlopen FAULT_AT=1 FAULT_EVER=1 FAULT_ERRNO=2
	no_text 'not found (Debian: libfreetype6)'
	diff - <("$posenc" --version | tail -n 2) <<-'END'
		FreeType not found (Debian: libfreetype6)
		libhdf5 not found (Debian: hdf5-tools)
	END
}

@test "GIF without giflib is refused" {
	needs_faults
	export LD_PRELOAD=$preload FAULT_CALLS=dlopen FAULT_AT=1 FAULT_EVER=1 FAULT_ERRNO=2
	run -2 --separate-stderr "$posenc" sinusoid --len 2 --dim 2 --gif out.gif
	[ "$stderr" = "posenc sinusoid: --gif: the library giflib is not found (Debian: libgif7)" ]
	[ ! -e out.gif ]
}

@test "a file that is not the library of its name is told from one that is missing" {
	pretend none libfreetype.so.6
	no_text 'cannot be loaded: '*'libfreetype.so.6: '*
	pretend other libfreetype.so.6
	no_text 'cannot be loaded: '*'undefined symbol: FT_'*
}

@test "a library that cannot be mapped is told as memory that ran out" {
	pretend other libfreetype.so.6
	enlarge other/libfreetype.so.6 || skip "libraries are no little-endian ELF files of 64 bits"
	declines 'out of memory' sinusoid --len 2 --dim 2 --png out.png
}

# shortened LIBRARY BYTES: in a folder of its own, as a full disk leaves it.
shortened() {
	local whole
	whole=$(PATH=$PATH:/sbin ldconfig -p | awk -v name="$1" '$1 == name { print $NF; exit }')
	[ -e "$whole" ] || skip "$1 is not installed"
	mkdir -p short
	head -c "$2" "$whole" >short/"$1"
	export LD_LIBRARY_PATH=$PWD/short
}

@test "a library that was cut short is named" {
	case ${B:-build} in *san*) skip "the sanitizer has a handler of its own" ;; esac
	for bytes in 5000 100000 400000; do
		shortened libfreetype.so.6 $bytes
		run -2 --separate-stderr "$posenc" sinusoid --len 2 --dim 2 --png out.png
		[[ "$stderr" != *"/libfreetype.so.6: "* ]] || skip "its first part is larger"
		[ "$stderr" = "posenc: $PWD/short/libfreetype.so.6 is cut short" ]
		[ ! -e out.png ]
	done
	rm short/*
	library=$(PATH=$PATH:/sbin ldconfig -p | awk '/libhdf5(_serial)?\.so\.[0-9]+ / { print $1; exit }')
	shortened "${library:-libhdf5.so}" 1000000
	"$posenc" --version | grep -x 'libhdf5 cannot be loaded: it is cut short, or a library that it needs'
	file=$golden/../../hdf5/one.hdf5
	refuses "posenc: $file: HDF5 files need the library libhdf5, version 1.10 or newer: cannot be loaded: it is cut short, or a library that it needs" \
		show "$file"
}

@test "a search for a font that never ends is an error" {
	takes_long
	case ${B:-build} in *san*) skip "the sanitizer takes all of the address space" ;; esac
	[ -n "$(PATH=$PATH:/sbin ldconfig -p | grep 'libfontconfig.so.1 ')" ] || skip "no fontconfig is installed"
	mkfifo fifo
	local figure=(mask --len 1 --title 가 --png)
	FONTCONFIG_FILE=$PWD/fifo "$posenc" "${figure[@]}" fifo.png 2>fifo.said 3>&- &
	FONTCONFIG_FILE=/dev/zero "$posenc" "${figure[@]}" zero.png 2>zero.said || [ $? -eq 2 ]
	wait $! || [ $? -eq 2 ]
	for name in fifo zero; do
		[ "$(cat $name.said)" = "posenc mask: fontconfig did not find a font for the text of a figure within 30 seconds; --font FILE names one" ]
		[ ! -e $name.png ]
	done
	command -v fc-match >/dev/null || return 0
	FONTCONFIG_FILE=$PWD/fifo "$posenc" "${figure[@]}" font.png \
		--font "$(fc-match -f '%{file}' :charset=ac00:scalable=true)"
}

@test "a font cannot be searched for without a descriptor or a thread" {
	needs_faults
	[ -n "$(PATH=$PATH:/sbin ldconfig -p | grep 'libfontconfig.so.1 ')" ] || skip "no fontconfig is installed"
	"$python" "$BATS_TEST_DIRNAME/confined.py" clone /bin/true || skip "calls can't be refused here"
	run -2 --separate-stderr "$python" "$BATS_TEST_DIRNAME/confined.py" clone,clone3 "$posenc" mask --len 1 --title 가 --png out.png
	[ "$stderr" = "posenc mask: no font can be searched for in a thread: Resource temporarily unavailable" ]
	[ ! -e out.png ]
}

@test "a picture of values has the same bytes without the libraries that are loaded" {
	needs_faults
	export FAULT_CALLS=dlopen FAULT_AT=1 FAULT_EVER=1 FAULT_ERRNO=2
	for words in "sinusoid --len 512 --dim 512" "embed --vocab 3 --dim 90000 --init uniform:-1,1" \
		"mask --len 2000 --threads 2"; do
		# shellcheck disable=SC2086
		cmp <("$posenc" $words --plain --png -) <(LD_PRELOAD=$preload "$posenc" $words --plain --png -)
	done
}

@test "a library that descriptors are too few for is not called missing" {
	case ${B:-build} in *san*) skip "the sanitizer has files of its own" ;; esac
	local told=0
	for n in {4..9}; do
		run sh -c 'ulimit -n "$1"; exec "$2" sinusoid --len 2 --dim 2 --png out.png' sh $n "$posenc" 3>&- 4>&-
		[ -n "$output" ] || break
		[[ "$output" == *'Too many open files' && "$output" != *'not found'* ]]
		[[ "$output" != *'FreeType: cannot be loaded: '* ]] || told=1
	done
	[ -z "$output" ]
	[ $told = 1 ]
}

@test "a library that memory is too short for is not called missing" {
	case ${B:-build} in *san*) skip "the sanitizer has memory of its own" ;; esac
	local kb said told=0
	for ((kb = 4000; kb < 16000; kb += 100)); do
		said=$(ulimit -v $kb; "$posenc" --version 2>&1) || continue
		[[ $said != *'FreeType '[0-9]* ]] || break
		[[ $said == *'FreeType out of memory'* ]]
		told=1
	done
	[[ $said == *'FreeType '[0-9]*$'\n''libhdf5 out of memory' ]]
	[ $told = 1 ] || skip "this build takes more memory at its start"
}

@test "a library is told with its file, or as memory that ran out" {
	needs_faults
	pretend none libfreetype.so.6
	local k told=0
	for k in {1..99}; do
		run -2 --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=alloc FAULT_AT=$k \
			FAULT_ERRNO=12 "$posenc" sinusoid --len 2 --dim 2 --png out.png
		case $stderr in
		*'out of memory'*) told=$((told + 1)) ;;
		*': cannot be loaded: '*'libfreetype.so.6: '*) ;;
		*) echo "$k: $stderr"; false ;;
		esac
	done
	[ $told -gt 0 ] && [[ "$stderr" == *'libfreetype.so.6: '* ]]
}

@test "without a process, or memory to share with it, --version says so" {
	needs_faults
	export LD_PRELOAD=$preload FAULT_CALLS=mmap FAULT_ERRNO=12
	[[ "$(FAULT_AT=1 "$posenc" --version)" == *$'\n''libhdf5 failed, possibly out of memory' ]]
	[[ "$(FAULT_CALLS=fork FAULT_AT=1 "$posenc" --version)" == *$'\n''libhdf5 failed, possibly out of memory' ]]
}
