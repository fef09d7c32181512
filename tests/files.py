"""Compares tensors and keys of files with tests/golden/files, which libraries wrote.

A case of its manifest is a command and the table it gives, a refusal (exit
status 2, one line on standard error and no file) or a verdict: an exit status,
and what standard output has to match. TAP on standard output.
"""

import io
import json
import os
import re
import subprocess
import sys

import numpy as np

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden", "files")
POSENC = os.path.abspath(os.path.join(os.environ.get("B", "build"), "posenc"))


def run(words):
    return subprocess.run([POSENC, *words], capture_output=True, cwd=HERE)


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
    if case.get("says") and case["says"].encode() not in done.stderr:
        return done.stderr.decode()
    if case.get("inspect"):
        first = run(["inspect", words[words.index("--table") + 1]]).stdout.decode()
        if not first.startswith(case["inspect"]):
            return first.split("\n")[0]
    return None


def main():
    with open(os.path.join(HERE, "manifest.json"), encoding="utf-8") as f:
        cases = json.load(f)["cases"]
    bad = 0
    for n, case in enumerate(cases, 1):
        wrong = check(case)
        bad += bool(wrong)
        print(f"{'not ' if wrong else ''}ok {n} {case['id']}{': ' + wrong if wrong else ''}")
    print(f"1..{len(cases)}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
