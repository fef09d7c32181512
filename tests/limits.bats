# Small limits of resources (ulimit), one after the other: the output is whole, or one sentence says why there is none.
load common

setup() {
	empty_folder
}

@test "small limits of resources end in a sentence, never in part of a file" {
	case ${B:-build} in *san* | *cover* | *mcdc*) skip "the build has files and memory of its own" ;; esac
	mkdir out
	"$python" - "$posenc" <<'PY'
import os, resource, subprocess, sys

posenc = sys.argv[1]
made = "out"

def run(words, limits=()):
    def lower():
        for name, value in limits:
            resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, resource.getrlimit(getattr(resource, "RLIMIT_" + name))[1]))
    done = subprocess.run([posenc, *words], preexec_fn=lower, capture_output=True)
    files = {name: open(os.path.join(made, name), "rb").read() for name in os.listdir(made)}
    for name in files:
        os.remove(os.path.join(made, name))
    return done.returncode, done.stderr.decode(), done.stdout, files

for words in (["sinusoid", "--len", "64", "--dim", "16", "--npy", "in.npy"],
              ["rope", "--apply", "in.npy", "--npy", "rotated.npy"]):
    subprocess.run([posenc, *words], check=True)

commands = [words.split() for words in (
    "sinusoid --len 64 --dim 16 --svg out/a.svg --png out/b.png --csv out/c.csv",
    "sinusoid --len 64 --dim 16 --plot lines --svg out/a.svg --png out/b.png",
    "sinusoid --len 70000 --dim 64 --threads 16 --raw out/a.raw",
    "embed --vocab 70000 --dim 64 --threads 16 --raw out/a.raw",
    "mask --len 60 --plot cells --svg out/a.svg",
    "sinusoid --len 64 --dim 16 --preview",
    "similarity in.npy --json out/a.json",
    "inspect in.npy --json out/a.json",
    "compare in.npy rotated.npy --json out/a.json",
    "identify rotated.npy --seconds 0.1 --json out/a.json",
    "identify --before in.npy rotated.npy",
    "config in.npy",
    "help sinusoid --full",
)]
small = {
    "AS": [k << 20 for k in (12, 16, 20, 24, 32, 64, 128, 512)],
    "DATA": [k << 18 for k in (1, 2, 3, 4, 6, 8, 16, 64)],
    "STACK": [k << 10 for k in (24, 32, 48, 64, 96, 256)],
    "FSIZE": [0, 1, 100, 4096, 1 << 16, 1 << 20],
    "NOFILE": [4, 5, 6, 7, 8, 10],
    "NPROC": [0, 1, 2],
}
small = {name: values for name, values in small.items() if hasattr(resource, "RLIMIT_" + name)}
whole = {tuple(words): run(words) for words in commands}
wrong, refused = [], 0
for name, values in small.items():
    for value in values:
        status, said, _, _ = run(["--version"], [(name, value)])
        # Less than the system's loader needs
        if status == 127 or status < 0 and name in ("AS", "DATA"):
            continue
        for words in commands:
            got = run(words, [(name, value)])
            status, said, out, files = got
            if got == whole[tuple(words)]:
                continue
            refused += 1
            if not (status == 2 and said.startswith("posenc") and said.count("\n") == 1 and not files):
                wrong.append((name, value, words[0], status, said, list(files)))
for line in wrong[:10]:
    print(*line)
print(len(wrong), "wrong of", refused)
assert not wrong and refused > 20
PY
}

@test "rows of a million columns need no more memory because there are many of them" {
	case ${B:-build} in *san* | *cover* | *mcdc*) skip "the build has memory of its own" ;; esac
	ulimit -v 100000
	[ "$("$posenc" sinusoid --len 2000 --dim 1048576 --rows 0:1 --raw - | wc -c)" = 4194304 ]
}

@test "float32 values of a pipe take 4 bytes each" {
	case ${B:-build} in *san* | *cover* | *mcdc*) skip "the build has memory of its own" ;; esac
	"$posenc" sinusoid --len 8192 --dim 1024 --raw "$BATS_TEST_TMPDIR/t.raw"
	cat "$BATS_TEST_TMPDIR/t.raw" |
		(ulimit -v 100000; "$posenc" show - --dim 1024 --dtype f32 --raw -) |
		cmp - "$BATS_TEST_TMPDIR/t.raw"
}

@test "a stack that is too small is told" {
	case ${B:-build} in *san*) skip "the sanitizer takes more itself" ;; esac
	run -2 --separate-stderr bash -c "ulimit -s 63; exec '$posenc' sinusoid --len 4 --dim 4 --png a.png"
	[ "$stderr" = "posenc: the stack is limited to 63 KiB (ulimit -s), 64 are needed" ]
	[ -z "$(ls -A)" ]
}

@test "a stack of 64 KiB is enough for columns that have no first" {
	case ${B:-build} in *san*) skip "the sanitizer takes more itself" ;; esac
	"$posenc" sinusoid --len 100 --dim 96 --base 1234.5 --layout split --npy s.npy
	"$posenc" show s.npy --select :,29:49 --npy c.npy
	bash -c "ulimit -s 64; exec '$posenc' identify c.npy" | grep -q '^candidates'
}

@test "a stack of 64 KiB is enough to explain what differs" {
	case ${B:-build} in *san*) skip "the sanitizer takes more itself" ;; esac
	"$posenc" embed --vocab 32 --dim 64 --npy q.npy
	"$posenc" rope --apply q.npy --npy r.npy
	bash -c "ulimit -s 64; exec '$posenc' compare q.npy r.npy" >said || [ $? -eq 1 ]
	grep -q "^different, but explained: B is A rotated: 'posenc rope" said
}

@test "the end of the processor time is told" {
	"$posenc" sinusoid --len 300000 --dim 64 --npy in.npy
	run -2 --separate-stderr bash -c "ulimit -S -t 1; '$posenc' similarity in.npy --curve --csv out.csv"
	[ "$stderr" = "posenc: CPU time limit exceeded (ulimit -t)" ]
	[ "$(ls -A)" = in.npy ]
}

# tables ROWS: t.npy, .npz, .csv, .json, .raw, .safetensors and .pt of 2048 columns, float32.
tables() {
	"$posenc" embed --vocab "$1" --dim 2048 --npy t.npy --csv t.csv --json t.json --raw t.raw \
		--safetensors t.safetensors
	"$bare_python" - "$1" <<'PY'
import struct, sys, zipfile

rows = int(sys.argv[1])
with zipfile.ZipFile("t.npz", "w") as z:
    z.write("t.npy", "x.npy")
with zipfile.ZipFile("deflated.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
    z.write("t.npy", "x.npy")
with zipfile.ZipFile("t.pt", "w") as z:
    z.writestr("a/data.pkl", b"\x80\2}X\1\0\0\0xctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storage"
               b"ctorch\nFloatStorage\nX\1\0\0\0000X\3\0\0\0cpuJ" + struct.pack("<i", rows * 2048) + b"tQK\0J"
               + struct.pack("<i", rows) + b"M\0\x08\x86M\0\x08K\1\x86\x89}tRs.")
    z.write("t.raw", "a/data/0")
PY
}

@test "a table takes 8 bytes a value, in each format, and commands what the manual says" {
	case ${B:-build} in *san* | *cover* | *mcdc*) skip "the build has memory of its own" ;; esac
	tables 1024
	"$bare_python" -S - "$posenc" <<'PY'
import os, sys

MB, VALUES = 1 << 20, 1024 * 2048
BY_ROWS, READ = ["t.npy", "t.raw", "t.safetensors", "t.pt"], ["t.npz", "deflated.npz", "t.csv", "t.json"]
# Bytes a value, and MB besides: where a table is read, where its rows are
ALLOWED = {"show": (8, 4, 0, 32), "compare": (16, 4, 0, 32), "identify": (8, 8, 8, 8),
           "inspect": (8, 128, 0, 160), "similarity": (24, 4, 24, 4)}

def peak(command, *files):
    """Bytes of the most memory that it has had."""
    words = [sys.argv[1], command, *files]
    words += ["--raw", "/dev/null"] if command in ("sinusoid", "show", "similarity") else []
    words += ["--dim", "2048", "--dtype", "f32"] if "t.raw" in files else []
    pid = os.posix_spawn(words[0], words, os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, used = os.wait4(pid, 0)
    assert os.WEXITSTATUS(status) in (0, command == "identify"), words
    return used.ru_maxrss << 10

start = peak("sinusoid", "--len=1", "--dim=1")
wrong = []
for name in BY_ROWS + READ:
    for command, limits in ALLOWED.items():
        value, besides = limits[2:] if name in BY_ROWS else limits[:2]
        taken = peak(command, *[name] * (1 + (command == "compare"))) - start
        if taken > value * VALUES + besides * MB:
            wrong.append(f"{command} {name}: {taken / VALUES:.1f} bytes a value")
print(*wrong, sep="\n")
assert not wrong
PY
}

# in_group MB WORDS...: posenc in a control group of its own that has this much memory.
in_group() {
	local limit=memory.limit_in_bytes own
	own=/sys/fs/cgroup/memory$(sed -n 's/.*:memory://p' /proc/self/cgroup)
	if ! [ -e "$own/$limit" ]; then
		limit=memory.max
		own=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
	fi
	group=$own/posenc-$$
	mkdir "$group" 2>/dev/null && echo "$(($1 << 20))" 2>/dev/null >"$group/$limit" || {
		rmdir "$group" 2>/dev/null || true
		skip "no control group with a limit of memory can be made here"
	}
	shift
	run --separate-stderr sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" "$posenc" "$@"
	rmdir "$group"
}

@test "in a small control group commands end in a sentence, never by a signal" {
	case ${B:-build} in *san* | *cover* | *mcdc*) skip "the build has memory of its own" ;; esac
	tables 4096
	for words in '60 identify t.npz' '80 identify t.csv' '80 inspect t.npz' '110 inspect t.npz' '110 inspect t.csv' \
		'60 inspect t.npy' '100 compare t.npz t.csv' '80 similarity t.npy'; do
		# shellcheck disable=SC2086 # words
		in_group $words
		echo "$words: $status $stderr" >&2
		[ "$status" -le 1 ] || [[ "$status $stderr" == "2 posenc"*"memory"* ]]
	done
	# What there is room for is read
	in_group 110 identify t.npz
	[ "$status" -eq 1 ]
	in_group 60 identify t.npy
	[ "$status" -eq 1 ]
	in_group 150 inspect t.npz
	[ "$status" -eq 0 ]
}
