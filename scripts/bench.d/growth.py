#!/usr/bin/env python3
"""growth.py POSENC FOLDER: how processor time grows with what an input has many of.

Each command is measured with n, 4 n and 16 n tensors, members, rows, columns, values of a list
or words; printed is the exponent of n (1 is linear) from n to 4 n and from 4 n to 16 n, less the
start of the process. MOST is the greatest that is allowed; the exit status is 1 if one is above.
"""

import io
import json
import math
import os
import struct
import subprocess
import sys
import zipfile

POSENC, OUT = os.path.abspath(sys.argv[1]), sys.argv[2]
MOST, RUNS = 1.1, 3


def path(name):
    return os.path.join(OUT, name)


def npy(shape):
    head = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
    head += b" " * (-(10 + len(head) + 1) % 64) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + bytes(4 * math.prod(shape))


def safetensors(n):
    header = {f"layers.{i}.weight": {"dtype": "F32", "shape": [2, 2], "data_offsets": [16 * i, 16 * i + 16]}
              for i in range(n)}
    text = json.dumps(header).encode()
    with open(path(f"{n}.safetensors"), "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + bytes(16 * n))


def metadata(n):
    header = {"__metadata__": {f"key{i}": "value" for i in range(n)},
              "x": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}
    text = json.dumps(header).encode()
    with open(path(f"metadata{n}.safetensors"), "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + bytes(16))


def npz(n):
    one = npy((2, 2))
    with zipfile.ZipFile(path(f"{n}.npz"), "w") as f:
        for i in range(n):
            f.writestr(zipfile.ZipInfo(f"layers.{i}.weight.npy"), one)


def gguf(n):
    def text(word):
        return struct.pack("<Q", len(word)) + word
    info = b"".join(text(b"blk.%d.weight" % i) + struct.pack("<IQQIQ", 2, 2, 2, 0, 32 * i) for i in range(n))
    head = b"GGUF" + struct.pack("<IQQ", 3, n, 0) + info
    with open(path(f"{n}.gguf"), "wb") as f:
        f.write(head + bytes(-len(head) % 32 + 32 * n))


def pt(n):
    def text(word):
        return b"X" + struct.pack("<I", len(word)) + word
    out = io.BytesIO(b"\x80\x02}(")
    out.seek(0, os.SEEK_END)
    for i in range(n):
        out.write(text(b"layers.%d.weight" % i) + b"ctorch._utils\n_rebuild_tensor_v2\n((" + text(b"storage")
                  + b"ctorch\nFloatStorage\n" + text(b"%d" % i) + text(b"cpu") + b"K\4tQK\0K\2K\2\x86K\2K\1\x86\x89}tR")
    out.write(b"u.")
    with zipfile.ZipFile(path(f"{n}.pt"), "w") as f:
        f.writestr("a/data.pkl", out.getvalue())
        for i in range(n):
            f.writestr(zipfile.ZipInfo(f"a/data/{i}"), bytes(16))


def shards(n):
    names = [f"model-{1 + i % 8}.safetensors" for i in range(n)]
    with open(path(f"{n}.index.json"), "w", encoding="utf-8") as f:
        json.dump({"weight_map": {f"layers.{i}.weight": name for i, name in enumerate(names)}}, f)


def numbers(n):
    with open(path(f"{n}.list"), "w", encoding="utf-8") as f:
        f.writelines(f"{i * 7 % n}\n" for i in range(n))


def table(n):
    for name, shape in (("rows", (n, 16)), ("cols", (16, n))):
        subprocess.run([POSENC, "embed", "--vocab", str(shape[0]), "--dim", str(shape[1]),
                        *(word for e in ("csv", "json", "npy") for word in (f"--{e}", path(f"{name}{n}.{e}")))],
                       check=True)


# What makes files of n things; the command, with the file's name; the first n; a bound that is known
ROWS = [
    (safetensors, "list {n}.safetensors", 4000), (metadata, "list metadata{n}.safetensors", 4000),
    (npz, "list {n}.npz", 4000), (npz, "show {n}.npz:layers.7.weight", 4000),
    (npz, "compare {n}.npz {n}.npz", 1000), (safetensors, "compare {n}.safetensors {n}.safetensors", 1000),
    (gguf, "list {n}.gguf", 4000), (pt, "list {n}.pt", 4000), (pt, "show {n}.pt:layers.7.weight", 4000),
    (shards, "list {n}.index.json", 4000),
    (numbers, "sinusoid --dim 2 --positions @{n}.list --raw /dev/null", 16000),
    (numbers, "rope --dim 4 --positions @{n}.list --raw /dev/null", 16000),
    (numbers, "embed --vocab 1000000 --dim 2 --ids @{n}.list --raw /dev/null", 16000),
    *((table, f"show {of}{{n}}.{e} --raw /dev/null", 4000) for of in ("rows", "cols") for e in ("csv", "json", "npy")),
]


def seconds(command):
    """The processor time of the fastest run."""
    def once():
        with open(os.devnull, "wb") as null:
            process = subprocess.Popen([POSENC, *command.split()], cwd=OUT, stdout=null, stderr=null)
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
        return used.ru_utime + used.ru_stime
    return min(once() for _ in range(RUNS))


def main():
    start, above = seconds("sinusoid --len 1 --dim 1 --raw /dev/null"), 0
    print("| command | n | ms | exponent to 4 n | to 16 n |\n|---|---|---|---|---|")
    for make, command, n in ROWS:
        for k in (n, 4 * n, 16 * n):
            make(k)
        times = [seconds(command.format(n=k)) - start for k in (n, 4 * n, 16 * n)]
        powers = [math.log(b / a, 4) if a > 1e-3 else math.nan for a, b in zip(times, times[1:])]
        above += any(p > MOST for p in powers)
        print(f"| `{command.format(n='N')}` | {n} | {times[0] * 1e3:.1f} | "
              + " | ".join("too short" if math.isnan(p) else f"{p:.2f}" for p in powers) + " |", flush=True)
        for name in os.listdir(OUT):
            if any(str(k) in name for k in (n, 4 * n, 16 * n)):
                os.unlink(path(name))
    return above > 0


if __name__ == "__main__":
    sys.exit(main())
