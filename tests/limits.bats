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
