# Where the kernel has less to offer, or refuses it: the same tables.

load common

setup() {
	confined="$PWD/tests/confined.py"
	cd "$BATS_TEST_TMPDIR"
	"$python" "$confined" landlock /bin/true || skip "calls can't be refused here"
}

# same CALLS WORDS...: what posenc prints is the same without those calls.
same() {
	local want
	want=$("$posenc" "${@:2}" | cksum)
	[ "$("$python" "$confined" "$1" "$posenc" "${@:2}" | cksum)" = "$want" ]
}

@test "tables are read under kernels that know less of Landlock, or nothing" {
	"$posenc" sinusoid --len 4 --dim 4 --csv t.csv
	for calls in landlock 'landlock>8' 'landlock>16'; do
		same "$calls" similarity t.csv
	done
}

@test "without threads, or a count of processors, one thread does the work" {
	case ${B:-build} in *san*) skip "the sanitizer asks for them, too" ;; esac
	same clone,clone3 sinusoid --len 70000 --dim 64 --raw - --threads 100
	same affinity sinusoid --len 70000 --dim 64 --raw -
}

@test "without memory for many threads, one does the work" {
	case ${B:-build} in *san*) skip "the sanitizer wants more" ;; esac
	local row=(naive --kind onehot --len 4 --dim 1048576 --raw)
	"$posenc" "${row[@]}" want.raw --threads 1
	(ulimit -v 200000; "$posenc" "${row[@]}" - --threads 64) | cmp - want.raw
}

@test "large CSV is read where there is no memory for threads" {
	case ${B:-build} in *san*) skip "the sanitizer wants more" ;; esac
	"$posenc" embed --vocab 3000 --dim 64 --csv t.csv
	"$posenc" show t.csv --threads 1 --raw want.raw
	kb=4000
	until (ulimit -v $kb; "$posenc" show t.csv --threads 1 --raw one.raw); do
		kb=$((kb + 500))
	done 2>&-
	for more in {3000..20000..1000}; do
		(ulimit -v $((kb + more)); "$posenc" show t.csv --threads 3 --raw -) | cmp - want.raw
	done
}

@test "a closed stream that can't be filled ends the run before it writes" {
	[ -e "$preload" ] || skip "it takes Linux and glibc"
	case ${B:-build} in *san*) skip "the sanitizer has calls of its own" ;; esac
	closed() {
		env LD_PRELOAD="$preload" FAULT_CALLS=open FAULT_AT="$1" FAULT_ERRNO=24 \
			"$posenc" sinusoid --len 1 --dim 2 <&-
	}
	run -0 --separate-stderr closed 0
	[ "$output" = 0,1 ]
	run -2 --separate-stderr closed 1
	[ -z "$output$stderr" ]
}
