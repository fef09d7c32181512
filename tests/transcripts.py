#!/usr/bin/env python3
"""Sessions at a shell, replayed: tests/transcripts/*.txt say what is typed and printed.

    $ posenc alibi --heads 0
    posenc alibi: ...         what it prints, standard error after standard output
    ? 2                       its status, if not 0
    $$ posenc identify big.npy
    ...                       this takes long: only with FULL (make check-all)

A file's commands run one after another in a folder of their own, several files at
a time. $GOLDEN is the folder of golden tables, $PYTHON a Python that has NumPy. Lines
that begin with "# " are for readers. A single posenc that ends with status 2 prints nothing on
standard output and leaves no new file; if it does, the line of its status says so.

Usage: transcripts.py [--update] [FILE | SUBJECT]...; TAP. SUBJECT: files whose names begin
with it. --update writes what is printed now, of all commands: read the difference before
you commit it. --rest: only files that have commands which take long.
"""

import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
B = os.path.join(TOP, os.environ.get("B", "build"))
ENV = {**os.environ, "PATH": B + ":" + os.environ["PATH"], "COLUMNS": "80", "LC_ALL": "C",
       "GOLDEN": TOP + "/tests/golden/data",
       "PYTHON": os.environ.get("PYTHON") or
                 subprocess.check_output([TOP + "/tests/python"], text=True).strip()}
SHELL = ("sh", "-c")
SINGLE = re.compile(r"posenc [^;|&<>`]*")
PLAIN = re.compile(r"posenc [\w ./:,=@%+-]*")  # words that a shell would leave as they are


def said(command, folder, env=ENV, shell=SHELL):
    """What a command prints, then its status."""
    before = os.listdir(folder)
    words = command.split() if shell is SHELL and PLAIN.fullmatch(command) else [*shell, command]
    run = subprocess.run(words, cwd=folder, env=env, capture_output=True, stdin=subprocess.DEVNULL)
    text = (run.stdout + run.stderr).decode(errors="backslashreplace")
    text += "\n" if text and not text.endswith("\n") else ""
    status = f"? {run.returncode}\n" if run.returncode else ""
    if run.returncode == 2 and SINGLE.fullmatch(command):
        new = sorted(set(os.listdir(folder)) - set(before))
        status = "? 2" + ", after output" * bool(run.stdout) + ", " * bool(new) + " ".join(new) + "\n"
    return text + status


def steps(lines):
    """(line number, command or None, what follows it, lines between) of a file."""
    at = 0
    while at < len(lines):
        begin, at = at, at + 1
        while at < len(lines) and not lines[at].startswith(("$ ", "$$ ", "# ")):
            at += 1
        end = at
        while end > begin + 1 and not lines[end - 1]:
            end -= 1
        sign, _, command = lines[begin].partition(" ")
        command = command if sign in ("$", "$$") else None
        yield begin + 1, command, lines[begin + 1:end], lines[end:at]


def replay(path, update, full):
    """What TAP says of a file's commands; without full, of those that do not take long."""
    now, tap = [], []
    lines = open(path).read().split("\n")
    with tempfile.TemporaryDirectory() as folder:
        for number, command, wanted, between in steps(lines):
            if lines[number - 1].startswith("$$") and not full:
                continue
            got = wanted if command is None else said(command, folder).rstrip("\n").split("\n")
            got = [] if got == [""] else got
            now += [lines[number - 1], *got, *between]
            if command is None:
                continue
            good = update or got == wanted
            tap.append(f"{'ok' if good else 'not ok'} - {os.path.basename(path)}:{number}: {command}")
            tap += [] if good else [f"# {line}" for line in got]
    if update:
        open(path, "w").write("\n".join(now))
    return tap


def takes_long(path):
    """Whether some command of the file does."""
    return any(line.startswith("$$ ") for line in open(path))


def chosen(words):
    """The files that the arguments name, the longest first."""
    named = [path for path in glob.glob(TOP + "/tests/transcripts/*.txt")
             if os.path.basename(path).startswith(tuple(words or [""]))]
    return sorted({*named, *(word for word in words if word.endswith(".txt"))},
                  key=lambda path: (-takes_long(path), -os.path.getsize(path)))


def main():
    update, rest = "--update" in sys.argv, "--rest" in sys.argv
    full = update or rest or "FULL" in os.environ
    paths = chosen([word for word in sys.argv[1:] if not word.startswith("--")])
    paths = [path for path in paths if not rest or takes_long(path)]
    failed = False
    with tempfile.TemporaryDirectory() as links, concurrent.futures.ThreadPoolExecutor(2 * os.cpu_count()) as pool:
        # Commands name it without quotes
        os.symlink(ENV["GOLDEN"], links + "/golden")
        ENV["GOLDEN"] = links + "/golden"
        for tap in pool.map(lambda path: replay(path, update, full), paths):
            print("\n".join(tap), flush=True)
            failed = failed or any(line.startswith("not ok") for line in tap)
    return failed


if __name__ == "__main__":
    sys.exit(main())
