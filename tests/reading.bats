# Reads that fail, wait or bring little, in the middle of every format.

bats_require_minimum_version 1.5.0
load common

setup() {
	good="$PWD/tests/good"
	bad="$PWD/tests/bad"
	[ -e "$preload" ] || skip "it takes Linux and glibc"
	case ${B:-build} in *san*) skip "the sanitizer has calls of its own" ;; esac
	cd "$BATS_TEST_TMPDIR"
}

# read_fails K ERRNO TABLE: the K-th read of it fails.
read_fails() {
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=read \
		FAULT_AT="$1" FAULT_ERRNO="$2" "$posenc" embed --table "$3" --ids 0
}

# tells FILE: what its second read fails for.
tells() {
	read_fails 2 5 "$1"
	[ "$stderr" = "posenc: $1: Input/output error" ] || echo "said: $stderr" >&2
	[ "$stderr" = "posenc: $1: Input/output error" ]
	[ "$status" -eq 2 ]
	[ -z "$output" ]
}

@test "a read that fails is told, wherever in a file" {
	cp "$bad"/{cut-string.json,value-cut.json,header-past.npy,length-past.safetensors} .
	printf '[1,0.%080d' 1 >number.json
	printf '[1]%99s' '' >blanks.json
	cp "$good"/{crlf.csv,numbers.raw} .
	for file in *.json *.npy *.safetensors *.csv; do
		tells "$file"
	done
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=read FAULT_AT=1 \
		FAULT_ERRNO=5 "$posenc" similarity numbers.raw --dim 3 --dtype f32
	[ "$stderr" = "posenc: numbers.raw: Input/output error" ]
	head -c 1048576 /dev/zero >long.raw
	for k in 1 2 3 4 5; do
		run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=read FAULT_AT=$k \
			FAULT_ERRNO=5 "$posenc" similarity long.raw --dim 1024 --dtype f32
		[ "$stderr" = "posenc: long.raw: Input/output error" ]
		[ "$status" -eq 2 ]
	done
	echo '{"head_dim": 2}' >config.json
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=read FAULT_AT=1 \
		FAULT_ERRNO=5 "$posenc" rope --config config.json --len 1
	[ "$stderr" = "posenc: config.json: Input/output error" ]
	# Nor what kind of file it is
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=fstat FAULT_AT=1 \
		FAULT_ERRNO=5 "$posenc" embed --table "$good/index.csv" --ids 0
	[ "$stderr" = "posenc: $good/index.csv: Input/output error" ]
}

@test "reads that are interrupted or find nothing yet are tried again" {
	printf '1,2\n3,4\n' >t.csv
	for errno in 4 11; do
		for k in 1 2; do
			read_fails $k $errno t.csv
			[ "$status" -eq 0 ]
			[ "$output" = "1,2" ]
		done
	done
}

# 400,000 bytes of zero before the tensor x.
far() {
	head='{"a":{"dtype":"U8","shape":[400000],"data_offsets":[0,400000]},
"x":{"dtype":"U8","shape":[2],"data_offsets":[400000,400002]}}'
	printf "\\x$(printf %x ${#head})\0\0\0\0\0\0\0%s" "$head"
	head -c 400000 /dev/zero
	printf '\7\10'
}

@test "a tensor far behind in a pipe, whole, cut or not to be read" {
	mkfifo far.safetensors
	far >far.safetensors &
	[ "$("$posenc" embed --table far.safetensors:x --ids 0)" = "7,8" ]
	far | head -c 300000 >far.safetensors &
	run --separate-stderr "$posenc" embed --table far.safetensors:x --ids 0
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: far.safetensors: ends at byte 300000, 2 bytes before the end of its values" ]
	far >far.safetensors &
	read_fails 3 5 far.safetensors:x
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: far.safetensors: Input/output error" ]
}

@test "a tensor far behind in a file, and where that place is not to be had" {
	far >far.safetensors
	[ "$("$posenc" embed --table far.safetensors:x --ids 0)" = "7,8" ]
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=lseek FAULT_AT=2 \
		FAULT_ERRNO=75 "$posenc" embed --table far.safetensors:x --ids 0
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: far.safetensors: Value too large for defined data type" ]
}

@test "a pipe that does not wait is waited for, by tables and lists" {
	for reads in 'embed --table -' 'naive --kind integer --positions -'; do
		run "$python" - "$posenc" $reads <<-'PY'
			import os, subprocess, sys, time
			theirs, ours = os.pipe()
			os.set_blocking(theirs, False)
			run = subprocess.Popen(sys.argv[1:], stdin=theirs)
			for part in b"1\n2", b"3\n":
			    time.sleep(0.1)
			    os.write(ours, part)
			os.close(ours)
			sys.exit(run.wait())
		PY
		[ "$status" -eq 0 ]
		[ "$output" = $'1\n23' ]
	done
}
