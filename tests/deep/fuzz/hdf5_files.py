#!/usr/bin/env python3
"""Changes bytes of HDF5 files and lets posenc read them with the real libhdf5.

The library is not built for fuzzers, and one run takes 20 ms, so that this says less
than the fuzzed readers: the answer must be a table or one sentence, whatever libhdf5 does
in its process. Tells how often it crashed there, and keeps such files.

Usage: hdf5_files.py SECONDS [SEED], with B, the build folder.
"""

import collections
import os
import random
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
POSENC = os.path.abspath(os.path.join(os.environ.get("B", "build"), "posenc"))
FOLDERS = [os.path.join(TOP, "tests", "hdf5"), os.path.join(TOP, "tests", "golden", "files", "h5")]


def seeds():
    """Files, each with the datasets that can be read."""
    for folder in FOLDERS:
        for name in sorted(os.listdir(folder)):
            if name.endswith((".h5", ".hdf5")):
                with open(os.path.join(folder, name), "rb") as f:
                    data = f.read()
                if 0 < len(data) < 30000:
                    yield name, data


def names(path):
    """What posenc lists, or the only one."""
    said = subprocess.run([POSENC, "show", path], capture_output=True).stderr.decode()
    return said.partition(":NAME: ")[2].strip().split(", ") if ":NAME: " in said else []


def change(data, chance):
    data = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        at = chance.randrange(len(data))
        # Most bytes of small files are 0, and most that mean something are not
        if data[at] == 0 and chance.random() < 0.8:
            continue
        kind = chance.randrange(4)
        if kind == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[at] = chance.choice([0, 1, 0x7f, 0x80, 0xff, chance.randrange(256)])
        elif kind == 2:
            n = chance.choice([2, 4, 8])
            data[at:at + n] = chance.choice([b"\xff" * n, b"\0" * n, chance.randbytes(n)])[:len(data) - at]
        else:
            n = chance.randrange(1, 64)
            to = chance.randrange(len(data))
            data[to:to + n] = data[at:at + n][:len(data) - to]
    return bytes(data)


def main():
    end = time.monotonic() + float(sys.argv[1])
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    answers, crashes, n, longest = collections.Counter(), collections.Counter(), 0, 0
    keep = os.path.join(os.environ.get("B", "build"), "hdf5")
    os.makedirs(keep, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        all_names = {}
        for name, data in seeds():
            path = os.path.join(folder, name)
            with open(path, "wb") as f:
                f.write(data)
            all_names[name, data] = names(path)
        files = list(all_names.items())
        path = os.path.join(folder, "x.h5")
        while time.monotonic() < end:
            (_, data), tensors = chance.choice(files)
            data = change(data, chance)
            with open(path, "wb") as f:
                f.write(data)
            argument = f"{path}:{chance.choice(tensors)}" if tensors else path
            begin = time.monotonic()
            done = subprocess.run([POSENC, "show", argument, "--csv", "-"], capture_output=True,
                                  timeout=60)
            longest = max(longest, time.monotonic() - begin)
            n += 1
            answers[done.returncode] += 1
            said = done.stderr.decode(errors="replace")
            if "libhdf5 failed on this file" in said:
                crashes[said.rpartition("(")[2].strip(" )\n")] += 1
                with open(os.path.join(keep, f"crash-{n}.h5"), "wb") as f:
                    f.write(data)
                print(f"crash-{n}.h5: {argument.removeprefix(path)}: {said.strip()}", flush=True)
            if done.returncode not in (0, 2) or done.returncode == 2 and (
                    said.count("\n") != 1 or done.stdout):
                print(f"not ok: {argument}: {done.returncode} {said}")
                with open(os.path.join(keep, f"bad-{n}.h5"), "wb") as f:
                    f.write(data)
                return 1
    print(f"{n} files: {answers[0]} tables, {answers[2]} sentences, of which {sum(crashes.values())} "
          f"about libhdf5's end {dict(crashes)}; the longest took {longest:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
