"""Compares tensors and keys of files with tests/golden/files, which libraries wrote.

A case of its manifest is a command and the table it gives, a refusal (exit
status 2, one line on standard error and no file) or a verdict: an exit status,
and what standard output has to match. Hostile files have limits of time and
memory, and would leave a marker if anything in them were executed. TAP on
standard output.
"""

import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden", "files")
POSENC = os.path.abspath(os.path.join(os.environ.get("B", "build"), "posenc"))


# Other builds, of sanitizers or that count lines, take their own time and memory
MEASURED = os.path.dirname(POSENC).endswith("/build")
MARKERS = [os.path.join(folder, "POSENC_EXECUTED") for folder in (HERE, "/tmp", os.getcwd())]


class Done:
    """What a command printed, its exit status, and what it took."""

    def __init__(self, words, folder):
        begin = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            with subprocess.Popen([POSENC, *words], stdout=out, stderr=err,
                                  cwd=folder) as child:
                _, status, usage = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            self.stdout, self.stderr = out.read(), err.read()
        self.returncode = child.returncode
        self.seconds = time.monotonic() - begin
        self.megabytes = usage.ru_maxrss / 1024


def run(words, folder=HERE):
    return Done(words, folder)


def excess(done, case):
    """A limit that was exceeded, or a sign that a file was executed, or None."""
    if MEASURED and done.seconds > case.get("seconds", 60):
        return f"{done.seconds:.1f} s"
    if MEASURED and done.megabytes > case.get("memory_mb", 4096):
        return f"{done.megabytes:.0f} MB"
    return next((f"{m} was made" for m in MARKERS if os.path.exists(m)), None)


def refused(done):
    return done.returncode == 2 and not done.stdout and done.stderr.count(b"\n") == 1


def same(done, file):
    """The array that was written is that of the file, bit for bit."""
    if done.returncode:
        return False
    made, wanted = np.load(io.BytesIO(done.stdout)), np.load(os.path.join(HERE, file))
    return made.dtype == wanted.dtype and made.shape == wanted.shape \
        and made.tobytes() == wanted.tobytes()


def verdict(case):
    """What is wrong with the answer about two files, or None."""
    done = run(case["argv"][1:])
    text = " ".join(done.stdout.decode().split("\n"))
    missing = [m for m in case["matches"] if not re.search(m, text, re.IGNORECASE)]
    if done.returncode not in case["exit"] or missing:
        return f"exit status {done.returncode}, no {missing}: {text} {done.stderr.decode()}"
    return None


def close(done, case):
    """What is wrong with an array that must be close to a float32 peer and to the truth."""
    if done.returncode:
        return done.stderr.decode().strip()
    made = np.load(io.BytesIO(done.stdout))
    for file, atol in (case["file"], case["atol"]), (case["truth"], case["truth_atol"]):
        wanted = np.load(os.path.join(HERE, file))
        if made.shape != wanted.shape:
            return f"shape {made.shape}"
        error = np.abs(made.astype("f8") - wanted).max()
        if not error <= atol:
            return f"{error} from {file}"
    return None


def check(case):
    """What is wrong, or None."""
    if case["mode"] == "verdict":
        return verdict(case)
    words = ["-" if w == "{out}" else w for w in case["argv"][1:]]
    done = run(words)
    if case["mode"] == "close":
        return close(done, case)
    mode, exits = case["mode"], case["exit"]
    if not (mode != "refused" and same(done, case["file"]) or 2 in exits and refused(done)):
        return done.stderr.decode().strip() or "another table"
    if excess(done, case):
        return excess(done, case)
    if case.get("says") and case["says"].encode() not in done.stderr:
        return done.stderr.decode()
    if case.get("inspect"):
        first = run(["inspect", words[words.index("--table") + 1]]).stdout.decode()
        if not first.startswith(case["inspect"]):
            return first.split("\n")[0]
    return None


def missing(case):
    """The library that a case needs, if it is not installed."""
    needs = any(".h5" in word for word in case["argv"])
    return "libhdf5" if needs and b"libhdf5 not found" in run(["--version"]).stdout else None


def main():
    with open(os.path.join(HERE, "manifest.json"), encoding="utf-8") as f:
        cases = json.load(f)["cases"]
    bad = 0
    for n, case in enumerate(cases, 1):
        if missing(case):
            print(f"ok {n} {case['id']} # skip {missing(case)} is not installed")
            continue
        wrong = check(case)
        bad += bool(wrong)
        print(f"{'not ' if wrong else ''}ok {n} {case['id']}{': ' + wrong if wrong else ''}")
    print(f"1..{len(cases)}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
