"""Which tests reach which lines of the sources, as a build with reach.c notes it.

A test is a command of tests/transcripts, which runs in the folder that the commands
before it left, or a suite of `tests/run -list`.
"""

import bisect
import collections
import concurrent.futures
import dataclasses
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(TOP, "tests"))
sys.dont_write_bytecode = True
import transcripts  # noqa: E402  (of the folder above)

LOCK = threading.Lock()
OVERHEAD = 0.015  # seconds to run a command


@dataclasses.dataclass
class Test:
    """A command with its folder and what it prints, or a suite."""
    name: str
    command: str = ""
    folder: str = ""
    wanted: str = ""
    seconds: float = 0
    fails: bool = False  # without a change

    def file(self):
        """The file of tests/transcripts, or the suite."""
        return self.name.split(":")[0]


def listing(folder):
    """What changes when a command changes a folder."""
    return [(name, *os.lstat(os.path.join(at, name))[6:9])
            for at, folders, files in os.walk(folder) for name in folders + files]


def shell(test, env, limit, memory):
    """What a command prints in a copy of its folder, with so many seconds and bytes of addresses."""
    most = f"ulimit -v {memory >> 10}; " if memory else ""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cp", "-a", test.folder + "/.", folder], check=True)
        return transcripts.said(test.command, folder, env, (
            "timeout", "-s", "KILL", str(limit), "sh", "-c", most + 'exec sh -c "$0"')).rstrip("\n")


def suite_command(name, b, python):
    """How tests/run runs a suite; fewer numbers beside MPFR."""
    name, *part = name.split()
    return ([python, name, *part] if ".py" in name else ["bats", "--tap", name] if ".bats" in name
            else [f"{b}/verify/{name}", "3000"] if name in ("cells", "axes") else [f"{b}/tests/units", name])


class Notes:
    """What was reached: bits of the tests for each line that any of them reaches."""

    def __init__(self, top, scratch):
        self.top, self.scratch = top, scratch
        self.tests, self.seen, self.lines, self.sorted = [], {}, {}, {}

    def run(self, test, act):
        """Runs act(environment), which says whether the test passes, and keeps where the programs were."""
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            begin = time.monotonic()
            test.fails = not act({**transcripts.ENV, "REACH": folder, "B": os.path.join(self.top, "build"),
                                  "PATH": f"{self.top}/build:{os.environ['PATH']}"})
            test.seconds = time.monotonic() - begin
            with LOCK:
                bit = 1 << len(self.tests)
                self.tests.append(test)
                for path in glob.glob(folder + "/*"):
                    places = self.seen.setdefault(os.path.basename(path), {})
                    for found in re.finditer(b"\1", open(path, "rb").read()):
                        places[found.start()] = places.get(found.start(), 0) | bit

    def replay(self, path):
        """A file of tests/transcripts; each state of its folder is kept."""
        base = os.path.join(self.scratch, os.path.basename(path))
        live, states = os.path.join(base, "live"), 0
        os.makedirs(live)
        before = None
        for number, command, wanted, _ in transcripts.steps(open(path).read().split("\n")):
            if command is None:
                continue
            if listing(live) != before:
                before, states = listing(live), states + 1
                subprocess.run(["cp", "-a", live, f"{base}/{states}"], check=True)
            test = Test(f"{os.path.basename(path)}:{number}", command, f"{base}/{states}",
                        "\n".join(wanted))
            self.run(test, lambda env: transcripts.said(command, live, env).rstrip("\n") == test.wanted)

    def place(self):
        """Addresses become lines."""
        for program, places in self.seen.items():
            paths = [f"{self.top}/build/{folder}{program}" for folder in ("", "tests/", "verify/")]
            asked = "\n".join(hex(at - 1) for at in places)
            run = subprocess.run(["addr2line", "-e", next(filter(os.path.exists, paths))],
                                 input=asked, text=True, capture_output=True, check=True)
            for bits, where in zip(places.values(), run.stdout.split("\n")):
                where = re.search(r"(src/.*):(\d+)", where)
                if where:
                    key = where[1], int(where[2])
                    self.lines[key] = self.lines.get(key, 0) | bits
        for path, line in sorted(self.lines):
            self.sorted.setdefault(path, []).append(line)

    def of(self, path, line):
        """The tests that reach a line: its block begins there or at the next line above, or
        below where the compiler moved what it does."""
        lines, bits = self.sorted.get(path, []), 0
        at = bisect.bisect(lines, line)
        for near in lines[max(0, at - 2):at + 1]:
            bits |= self.lines[path, near]
        return [test for n, test in enumerate(self.tests) if bits >> n & 1 and not test.fails]

    def check(self, passes):
        """Tests that fail where this is noted may pass where it is not; those that do not are left out."""
        for test in self.tests:
            test.fails = test.fails and not passes(test)
            if test.fails:
                print(f"# {test.name} fails without a change: left out", file=sys.stderr)

    def nearest(self, commands):
        """Commands in the order in which they are tried: quick ones, and of files of
        tests/transcripts most of whose commands are among them."""
        commands = list(commands)
        all_of = collections.Counter(test.file() for test in self.tests)
        some_of = collections.Counter(test.file() for test in commands)
        return sorted(commands, key=lambda t: (OVERHEAD + t.seconds) * all_of[t.file()] / some_of[t.file()])

    def suites_near(self, path, chosen):
        """Suites in the order in which they are tried: quick ones, and those that reach lines of
        the file which few others do."""
        weight = collections.Counter()
        for line in self.sorted.get(path, []):
            of = [test.name for n, test in enumerate(self.tests)
                  if not test.command and self.lines[path, line] >> n & 1]
            weight.update({name: 1 / len(of) for name in of})
        return sorted(chosen, key=lambda t: (1 + t.seconds) / weight[t.name])


def suites(top):
    """Suites, but for the transcripts, which are not run as a whole."""
    run = subprocess.run(["tests/run", "-list"], cwd=top, text=True, capture_output=True, check=True)
    return [name for name in run.stdout.split("\n")
            if name and not re.match(r"tests/(transcripts|man)|scripts/", name)]


def passes(name, top, env, python):
    """Whether a suite passes."""
    run = subprocess.run(["timeout", "120", *suite_command(name, "build", python)], cwd=top, env=env,
                         stdin=subprocess.DEVNULL, capture_output=True)
    return run.returncode == 0 and not re.search(rb"^not ok", run.stdout, re.M)


def reached(top, scratch, python):
    """Notes of all tests, which run in a build of the folder top."""
    notes = Notes(top, scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    subprocess.run(["cc", "-O1", "-fPIC", "-c", "-o", "reach.o", "tests/deep/mutation/reach.c"],
                   cwd=top, check=True)
    subprocess.run(["make", "-s", "build/faults/preload.so", "build/faults/step"],
                   cwd=top, check=True)
    subprocess.run(["make", "-s", "-j2", "CC=gcc -fsanitize-coverage=trace-pc", "CFLAGS=-O1 -g",
                    "programs"], cwd=top, env={**os.environ, "LDFLAGS": top + "/reach.o"}, check=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(notes.replay, transcripts.chosen([])))
        list(pool.map(lambda name: notes.run(Test(name), lambda env: passes(name, top, env, python)),
                      suites(top)))
    notes.place()
    return notes
