# HDF5: libhdf5, in a process of its own, when it is missing, breaks or is turned against
# the user. What files hold is in hdf5/list and golden/files.

load common

setup() {
	files=$PWD/tests/hdf5
	empty_folder
}

# fake WHAT WORDS...: posenc with a libhdf5 that does that (hdf5/fake.c).
fake() {
	case ${B:-build} in *san*) skip "the sanitizer has calls of its own" ;; esac
	command -v "${CC:-cc}" >/dev/null || skip "there is no compiler"
	[ -e fake ] || {
		mkdir fake
		${CC:-cc} -shared -fPIC -o fake/libhdf5_serial.so.103 "$files/fake.c"
	}
	run -2 --separate-stderr env FAKE="$1" LD_LIBRARY_PATH="$PWD/fake" "$posenc" "${@:2}" 3>&- 4>&-
	[ "$(wc -l <<<"$stderr")" -eq 1 ]
	[ -z "$output" ]
	echo "$stderr"
}

# broken WHAT MESSAGE: showing one.hdf5 with such a libhdf5 fails with that message.
broken() {
	fake "$1" show "$files/one.hdf5"
	[ "$stderr" = "posenc: $files/one.hdf5: $2" ]
}

# found: without libhdf5, skip.
found() {
	"$posenc" --version | grep -q 'libhdf5 not found' && skip "libhdf5 is not installed"
	return 0
}

@test "dtypes are named as NumPy names them, bfloat16 too" {
	found
	run -0 "$posenc" list "$files/types.h5"
	[[ $output = *'bf16-be              bfloat16         [2,3]'* ]]
	[[ $output = *'bf16-le              bfloat16         [2,3]'* ]]
	[[ $output = *'f2-be                float16          [2,3]'* ]]
	[[ $output = *'u2-le                uint16           [2,3]'* ]]
	[[ $output = *'bool                 bool             [2,3]'* ]]
}

@test "without libhdf5 the package is named" {
	needs_faults
	export LD_PRELOAD=$preload FAULT_CALLS=dlopen FAULT_AT=1 FAULT_EVER=1 FAULT_ERRNO=2
	refuses "posenc: $files/one.hdf5: HDF5 files need the library libhdf5, version 1.10 or newer: not found (Debian: hdf5-tools)" \
		show "$files/one.hdf5"
}

@test "a libhdf5 that cannot be loaded is told with the reason" {
	mkdir broken
	for name in libhdf5_serial.so.{103,200,310,320} libhdf5.so.{103,200,310,320} \
		libhdf5_serial.so libhdf5.so; do
		echo broken >broken/$name
	done
	export LD_LIBRARY_PATH=$PWD/broken
	run -2 --separate-stderr "$posenc" show "$files/one.hdf5"
	[[ "$stderr" == "posenc: $files/one.hdf5: HDF5 files need the library libhdf5, version 1.10 or newer: cannot be loaded: "*'libhdf5_serial.so.103: '* ]]
	[[ "$("$posenc" --version)" == *$'\n''libhdf5 cannot be loaded: '* ]]
}

@test "a libhdf5 before 1.10, or of no version, is none" {
	fake old show "$files/one.hdf5"
	[[ "$stderr" == *" need the library libhdf5, version 1.10 or newer: version 1.8.0 is too old" ]]
	fake none show "$files/one.hdf5"
	[[ "$stderr" == *" need the library libhdf5, version 1.10 or newer: does not tell its version" ]]
}

@test "a crash of libhdf5 is an error, not a signal" {
	fake crash show "$files/one.hdf5" --csv out.csv
	[ "$stderr" = "posenc: $files/one.hdf5: libhdf5 failed on this file (Segmentation fault)" ]
	[ ! -e out.csv ]
	broken exit "libhdf5 failed on this file (it ended its process)"
}

@test "libhdf5's process ends where it computes for ever" {
	broken hang "libhdf5 failed on this file (CPU time limit exceeded)"
}

# runs PID: there is such a process, and it has not ended.
runs() {
	grep -qs '^State:.[^ZX]' "/proc/$1/status"
}

@test "libhdf5's process ends where posenc is killed" {
	local child='' k
	fake exit show "$files/one.hdf5"
	FAKE=hang LD_LIBRARY_PATH=$PWD/fake "$posenc" show "$files/one.hdf5" >/dev/null 2>&1 3>&- 4>&- &
	until grep -qs "$PWD/fake/lib" "/proc/$child/maps"; do
		runs $!
		child=$(cut -d' ' -f1 "/proc/$!/task/$!/children")
	done
	kill -KILL $!
	for ((k = 0; k < 20; k++)); do
		runs "$child" || break
		sleep 0.1
	done
	! runs "$child"
}

@test "libhdf5's process has more seconds for a larger file" {
	broken seconds "libhdf5 cannot open this file: 10 seconds, killed after 11"
	cp "$files/one.hdf5" large.hdf5
	truncate -s 84M large.hdf5
	fake seconds show large.hdf5
	[ "$stderr" = "posenc: large.hdf5: libhdf5 cannot open this file: 31 seconds, killed after 32" ]
}

@test "whoever takes over libhdf5 opens no second file, prints nothing and fills no memory" {
	broken try "libhdf5 cannot open this file: open a file: done, open another: Too many open files, open a directory: Too many open files, take memory: Cannot allocate memory, print: Bad file descriptor, complain: Bad file descriptor" 0<>terminal
	needs_faults
	for at in {2..6}; do  # also without /dev/null
		run -2 --separate-stderr env FAKE=try LD_LIBRARY_PATH="$PWD/fake" LD_PRELOAD="$preload" \
			FAULT_CALLS=open FAULT_AT=$at FAULT_ERRNO=2 "$posenc" show "$files/one.hdf5"
		[[ "$stderr" == *"print: Bad file descriptor, complain: Bad file descriptor" ]]
	done
}

@test "a read that fails is an error, not a dataset that nothing is known of" {
	needs_faults
	"$posenc" list "$files/layouts.h5" >good
	for at in $(seq 1 40); do
		LD_PRELOAD=$preload FAULT_LOG=log FAULT_CALLS=pread FAULT_AT=$at FAULT_ERRNO=5 \
			"$posenc" list "$files/layouts.h5" >list 2>said && status=0 || status=$?
		if [ "$status" -eq 0 ]; then
			cmp list good
		else
			grep 'libhdf5 cannot [a-z]* this file: Input/output error$' said
			failed=1
		fi
	done
	[ "$failed" ]
}

@test "what libhdf5 sends is checked" {
	broken garbage "libhdf5 sent an incomplete list"
	broken endless "input is larger than 1 MB"
	broken silent "libhdf5 cannot open this file: no reason given"
}

@test "a file that crashes libhdf5 1.10.8 is an error" {
	found
	run -2 --separate-stderr "$posenc" show "$files/crash.h5:many/5"
	[[ "$stderr" == "posenc: $files/crash.h5: "* ]]
	[ "$(wc -l <<<"$stderr")" -eq 1 ]
	[ -z "$output" ]
}

@test "HDF5 is known by its first bytes, in a regular file only" {
	cp "$files/one.hdf5" plain
	refuses 'posenc: standard input: HDF5 is read from a regular file that is not empty, not from a pipe' \
		show - < <(cat plain)
	found
	prints $'0,1,2\n3,4,5' show plain --csv -
	prints $'0,1,2\n3,4,5' show - --csv - <plain
	mkdir model
	cp plain model/model.h5
	prints $'0,1,2\n3,4,5' show model:x --csv -
}

@test "the title of a figure names the dataset that a pattern matched" {
	found
	cp "$files/links.h5" .
	title() {
		"$posenc" show "$1" --svg - <links.h5 | grep -o '<title>.*</title>'
	}
	[ "$(title 'links.h5:*h/x')" = '<title>links.h5:g/h/x</title>' ]
	[ "$(title 'links.h5:/*h/x')" = '<title>links.h5:/g/h/x</title>' ]
	[ "$(title '-:*h/x')" = '<title>g/h/x</title>' ]
}

@test "a link to an object of no kind is listed with what libhdf5 says of it" {
	found
	local why='unable to determine object type'
	run -2 --separate-stderr "$posenc" show "$files/object.h5:x"
	# libhdf5 2 lists no file that has one
	if [[ "$stderr" == *"cannot list this file: $why" ]]; then
		"$posenc" --version | grep '^libhdf5 2'
	else
		[[ "$stderr" == *"tensor 'x': libhdf5: $why" ]]
		"$posenc" list "$files/object.h5" | grep '^  x  unknown  unknown$'
	fi
}

@test "no pipe, no process or no memory for libhdf5 is an error" {
	needs_faults
	found
	name=$files/one.hdf5
	fails() { run --separate-stderr env LD_PRELOAD="$preload" "$@" "$posenc" show "$name" --csv -; }
	for k in 1 2; do
		# A pattern is chosen from the list, and read in a second process
		[ $k = 1 ] || name="$files/one.hdf5:*"
		fails FAULT_CALLS=pipe FAULT_AT=$k FAULT_ERRNO=24
		[ "$stderr" = "posenc: $files/one.hdf5: Too many open files" ]
		fails FAULT_CALLS=fork FAULT_AT=$k FAULT_ERRNO=11
		[ "$stderr" = "posenc: $files/one.hdf5: HDF5 is read in a process of its own: Resource temporarily unavailable" ]
		fails FAULT_CALLS=waitpid FAULT_AT=$k FAULT_ERRNO=4
		[ "$output" = $'0,1,2\n3,4,5' ]
	done
	name=$files/one.hdf5
	for k in {1..40} 100 1000 3000; do
		fails FAULT_CALLS=alloc FAULT_AT=$k FAULT_ERRNO=12
		[ "$status" -eq 0 ] && [ "$output" = $'0,1,2\n3,4,5' ] ||
			{ [ "$status" -eq 2 ] && [ "$(wc -l <<<"$stderr")" -eq 1 ] && [ -z "$output" ]; }
	done
}

@test "a list tells all datasets, and what of them is unknown" {
	found
	diff - <("$posenc" list "$files/layouts.h5" | tail -n 7) <<-'END'
		  compact       float32  [2,3]
		  filters       int8     [2,3,4]
		  lzf           float32  [2,3]
		  scaleoffset   int32    [2,3]
		  external      float32  [2,3]
		  virtual       unknown  unknown
		  virtual-self  unknown  unknown
	END
	for file in links:7 shapes:11 types:51; do
		[[ "$("$posenc" list "$files/${file%:*}.h5")" == "${file#*:} tensors of "* ]]
	done
}

@test "what libhdf5's process cannot send is an error, not a shorter list" {
	needs_faults
	found
	for at in 1 3 5; do
		run -2 --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=write FAULT_AT=$at FAULT_ERRNO=5 \
			"$posenc" list "$files/layouts.h5"
		[ "$stderr" = "posenc: $files/layouts.h5: Input/output error" ]
	done
}

@test "a dataset that libhdf5 lists, and then cannot describe or open, is an error" {
	broken shape "tensor 'x': libhdf5: no reason given"
	broken gone "libhdf5 cannot open this dataset: no reason given"
	broken virtual "tensor 'x': a virtual dataset, whose values are in others; posenc does not read it"
}

@test "a dataset that libhdf5 describes in part, or then otherwise, is an error" {
	broken new "libhdf5 cannot read these values: no reason given"
	broken chunk "tensor 'x': libhdf5: no reason given"
	broken group "libhdf5 cannot open this dataset: no reason given"
	broken class "tensor 'x' has dtype unknown, which posenc does not read"
	broken empty "shape [1, 0] has no elements"
	broken scalar "expected values up to byte 514, got the end at byte 513"
}

@test "a dataset of too many dimensions is told, and not sent" {
	found
	refuses "posenc: $files/shapes.h5: tensor 'nine': expected 1 to 8 dimensions, got 9" \
		show "$files/shapes.h5:nine"
}

@test "an HDF5 file that shrinks while it is read is an error of its own" {
	cp "$files/one.hdf5" shrinks.hdf5
	# Once the library, which waits for that, is loaded; for a minute at most
	(for _ in {1..600}; do
		! grep -qs "$PWD/fake/libhdf5" /proc/[0-9]*/maps || break
		sleep 0.1
	done; truncate -s 100 shrinks.hdf5) 3>&- 4>&- &
	fake shrinks show shrinks.hdf5
	[ "$stderr" = "posenc: shrinks.hdf5: has changed while it was read" ]
}

@test "models in HDF5 are compared, but for what is not read" {
	found
	run --separate-stderr "$posenc" compare "$files/layouts.h5" "$files/layouts.h5"
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "equal: 2 tensors in both; 5 more are not read; "* ]]
}

@test "a dataset is whole that is larger than what is read at once" {
	found
	"$posenc" show "$files/blocks.h5:x" --npy x.npy
	"$python" -c "import numpy as np
assert (np.load('x.npy') == (np.arange(1100)[:, None] + np.arange(1000)) % 101).all()"
}
