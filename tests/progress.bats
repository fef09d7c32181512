# What is said of work: how far it has come, and what it would come to.

load common

setup() {
	empty_folder
}

terminal() {
	"$python" -c "import pty; pty.openpty()" 2>/dev/null || skip "no terminal can be had here"
}

@test "long work shows a bar on a terminal, once a second has passed" {
	terminal
	"$python" - "$posenc" <<'PY'
import os, pty, re, select, signal, subprocess, sys, time

def start(*words):
    """A run whose standard error is a terminal, and that."""
    ours, its = pty.openpty()
    run = subprocess.Popen([sys.argv[1], *words], stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=its)
    os.close(its)
    os.set_blocking(ours, False)
    return run, ours

def said(run, terminal):
    run.terminate()
    run.wait()
    try:
        return os.read(terminal, 1 << 16).decode()
    except OSError:
        return ""

work = "sinusoid --len 1e12 --dim 512 --raw -".split()
slices = "alibi --heads 60000 --len 60000 --raw -".split()
runs = [start(*work), start(*slices), start(*work, "--quiet")]
time.sleep(0.1)  # they look at the clock and begin; then a second passes without work
for how in signal.SIGSTOP, signal.SIGCONT:
    for run, _ in runs:
        run.send_signal(how)
    time.sleep(1.1 if how == signal.SIGSTOP else 0)
for run, terminal in runs[:2]:  # however busy the machine is
    select.select([terminal], [], [], 30)
bars = [said(*run) for run in runs]
for bar in bars[:2]:
    assert re.match(r"\r\[#* {0,40}\] +\d+%  \d+ s left \x1b\[K", bar), bars
assert bars[2] == "", bars
run, terminal = start("sinusoid", "--len", "1e3", "--dim", "512", "--raw", "-")
run.wait()
assert said(run, terminal) == ""
PY
}

@test "a bar is removed at the end" {
	terminal
	"$python" - "$posenc" <<'PY'
import os, pty, subprocess, sys, time
ours, its = pty.openpty()
reader, pipe = os.pipe()
run = subprocess.Popen([sys.argv[1], *"sinusoid --len 2e4 --dim 64 --raw -".split()],
                       stdout=pipe, stderr=its)
os.close(pipe)
os.close(its)
time.sleep(1.1)  # nobody reads: the pipe is full
while os.read(reader, 1 << 20):
    pass
run.wait()
said = ""
try:
    while piece := os.read(ours, 1 << 16).decode():
        said += piece
except OSError:  # the terminal's end
    pass
assert said.startswith("\r[") and said.endswith("\r\x1b[K") and "%" in said, said
PY
}

@test "a dry run tells the sizes that files have" {
	"$posenc" sinusoid --len 1000 --dim 512 --dtype f16 --npy a.npy --raw a.raw
	[ "$("$posenc" sinusoid --len 1000 --dim 512 --dtype f16 --npy b.npy --raw b.raw --dry-run |
		grep -oE '[0-9]+ bytes' | paste -sd' ')" = "$(stat -c %s a.npy) bytes $(stat -c %s a.raw) bytes" ]
	[ "$(ls)" = "a.npy
a.raw" ]
}
