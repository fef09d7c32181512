# How a run goes: its threads, descriptors and waits, and the disk it may fill.

load common

setup() {
	empty_folder
}

# threads_of WORDS...: how many threads a run starts.
threads_of() {
	env LD_PRELOAD="$preload" FAULT_CALLS=pthread_create FAULT_AT=0 FAULT_TRACE=trace \
		timeout 60 "$posenc" "$@" --raw /dev/null
	wc -l <trace
}

@test "as many threads work as --threads says, the first included, up to 64 and never for little work" {
	needs_faults
	large=(sinusoid --len 80000 --dim 64 --threads)
	for n in 2 3 17; do
		[ "$(threads_of "${large[@]}" $n)" -eq $((n - 1)) ]
	done
	[ "$(threads_of "${large[@]}" 1)" -eq 0 ]
	for n in 64 65 1000 65536; do
		[ "$(threads_of "${large[@]}" $n)" -eq 63 ]
	done
	[ "$(threads_of sinusoid --len 100 --dim 64 --threads 4)" -eq 0 ]
}

@test "any number of threads that is allowed gives the same bytes" {
	large=(sinusoid --len 80000 --dim 64 --raw)
	"$posenc" "${large[@]}" one.raw --threads 1
	for n in 2 64 65 129 1000 65536; do
		timeout 60 "$posenc" "${large[@]}" - --threads $n | cmp - one.raw
	done
	declines "--threads must be between 1 and 65536, got 65537" \
		sinusoid --len 1 --dim 1 --threads 65537
	declines "--threads must be between 1 and 65536, got 0" sinusoid --len 1 --dim 1 --threads 0
}

@test "a wait for a slow writer or reader takes no processor time" {
	"$python" - "$posenc" <<'PY'
import os, resource, subprocess, sys, time

def spent():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime

def waits(words, act, limit=0.7):
    """Run with pipes that do not block, as some shells and programs leave them."""
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    os.set_blocking(in_read, False)
    os.set_blocking(out_write, False)
    before = spent()
    run = subprocess.Popen([sys.argv[1], *words], stdin=in_read, stdout=out_write)
    os.close(in_read)
    os.close(out_write)
    time.sleep(2)
    with os.fdopen(in_write, "wb") as to, os.fdopen(out_read, "rb") as out:
        to.write(act)
        to.close()
        data = out.read()
    assert run.wait() == 0
    took = spent() - before
    assert took < limit, f"{words}: {took} s of processor time"
    return data

waits(["show", "-", "--csv", "-"], b"1,2\n") == b"1,2\n" or sys.exit("read other values")
size = 4 * 200000 * 4
assert len(waits(["naive", "--len", "200000", "--dim", "4", "--raw", "-"], b"")) == size
PY
}

@test "files that are open are closed in programs that posenc would start" {
	[ -d /proc/self/fdinfo ] || skip "there is no /proc"
	mkfifo in.csv out.raw
	"$python" - "$posenc" <<'PY'
import os, subprocess, sys, time

def inherited(words, path):
    """Descriptors above 2 that a child would have, once the FIFO is open."""
    run = subprocess.Popen([sys.argv[1], *words], stdout=subprocess.DEVNULL)
    folder, opened, kept = f"/proc/{run.pid}/fd", False, []
    while not opened and run.poll() is None:
        time.sleep(0.01)
        for fd in os.listdir(folder):
            try:
                opened |= os.readlink(f"{folder}/{fd}").endswith(path)
            except FileNotFoundError:
                pass
    for fd in os.listdir(folder):
        flags = open(f"{folder}info/{fd}").read().split("flags:")[1].split()[0]
        if int(fd) > 2 and not int(flags, 8) & os.O_CLOEXEC:
            kept.append(os.readlink(f"{folder}/{fd}"))
    run.kill()
    run.wait()
    assert opened, f"{path} was not opened"
    return kept

hold = os.open("in.csv", os.O_RDWR), os.open("out.raw", os.O_RDWR)
os.set_inheritable(hold[0], False)
for words, path in ((["show", "in.csv"], "in.csv"),
                    (["embed", "--table", "in.csv"], "in.csv"),
                    (["sinusoid", "--positions", "@in.csv", "--dim", "2"], "in.csv"),
                    (["config", "in.csv"], "in.csv"),
                    (["sinusoid", "--len", "1e6", "--dim", "8", "--raw", "out.raw"], "out.raw")):
    assert not inherited(words, path), f"{words}: {inherited(words, path)} would be inherited"
PY
}

@test "what a disk reserves for root is room for root alone" {
	needs_faults
	reserved() {
		env LD_PRELOAD="$preload" FAULT_RESERVED=1 FAULT_CALLS=geteuid FAULT_AT=$1 FAULT_EVER=1 \
			"$posenc" sinusoid --len 100 --dim 8 --raw table.raw
	}
	# 0: who runs the tests; 1: geteuid() says root for others, and a user for root
	root=0 user=1
	[ "$(id -u)" -eq 0 ] || root=1 user=0
	reserved $root
	[ "$(stat -c %s table.raw)" -eq 3200 ]
	rm table.raw
	run -2 --separate-stderr reserved $user
	[ "$stderr" = "posenc: table.raw: not enough disk space: 3200 bytes needed, 0 available" ]
	[ ! -e table.raw ]
}

@test "a chain of 40 symbolic links is followed, one of 41 is refused" {
	"$posenc" naive --len 2 --csv 0
	for n in $(seq 41); do
		ln -s $((n - 1)) $n
	done
	ln -s 39 table.csv && ln -s 40 long.csv
	[ "$("$posenc" show table.csv)" = $'0\n1' ]
	refuses "posenc: long.csv: Too many levels of symbolic links" show long.csv
	# The folders of its links are closed again
	(ulimit -n 30 && "$posenc" naive --len 1 --csv 40)
	[ "$(cat 0)" = 0 ]
	refuses "posenc: 41: Too many levels of symbolic links" naive --len 3 --csv 41
	[ "$(cat 0)" = 0 ]
	[ -L 40 ]
}

@test "a signal ends an animation between its files" {
	"$posenc" shift --dim 96 --animate 0:240 -o 'f%d.png' 3>&- &
	until [ -e f3.png ]; do
		sleep 0.02
	done
	kill $!
	status=0
	wait $! || status=$?
	[ "$status" -eq 143 ]
	[ ! -e f240.png ]
	[ "$(ls -A | grep -c '^\.posenc')" -eq 0 ]
}
