#!/usr/bin/env python3
"""growth.py POSENC FOLDER [PATTERN]: how processor time grows with what an input has many of.

Each command, or those that match the regular expression, is measured with n, 4 n and 16 n tensors,
members, rows, columns, values of a list or options; printed is the exponent of n (1 is linear) from
n to 4 n and from 4 n to 16 n, less the start of the process. MOST is the greatest that is allowed,
but where the table itself has n x n values; the exit status is 1 if one is above.
"""

import io
import json
import math
import os
import re
import struct
import subprocess
import sys
import zipfile

POSENC, OUT = os.path.abspath(sys.argv[1]), sys.argv[2]
MOST, RUNS, TRIES = 1.1, 3, 3
ENOUGH = 5e-3  # seconds that are no noise


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


def onnx(n):
    def varint(k):
        return bytes([k & 127 | 128]) + varint(k >> 7) if k > 127 else bytes([k])

    def field(number, value):
        return varint(number << 3) + varint(value) if isinstance(value, int) else (
            varint(number << 3 | 2) + varint(len(value)) + value)
    graph = b"".join(field(5, field(1, 2) + field(1, 2) + field(2, 1) + field(8, b"layers.%d.weight" % i)
                           + field(9, bytes(16))) for i in range(n))
    with open(path(f"{n}.onnx"), "wb") as f:
        f.write(field(1, 8) + field(2, b"pytorch") + field(7, graph))


def config(n):
    with open(path(f"{n}.config"), "w", encoding="utf-8") as f:
        json.dump({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2,
                   "max_position_embeddings": 2048, **{f"key{i}": i for i in range(n)}}, f)


def numbers(n):
    for name, number in (("list", lambda i: i * 7 % n), ("zeros", lambda i: 0), ("ends", lambda i: i),
                         ("ascending", lambda i: i)):
        with open(path(f"{n}.{name}"), "w", encoding="utf-8") as f:
            f.writelines(f"{number(i)}\n" for i in range(n))


def table(n):
    for name, shape in (("rows", (n, 16)), ("cols", (16, n))):
        for made, words in (("", ["embed", "--vocab"]), ("sines", ["sinusoid", "--len"])):
            subprocess.run([POSENC, *words, str(shape[0]), "--dim", str(shape[1]), *(
                word for e in ("csv", "tsv", "json", "npy", "raw", "safetensors")
                for word in (f"--{e}", path(f"{made}{name}{n}.{e}")))], check=True)
        with zipfile.ZipFile(path(f"{name}{n}.npz"), "w", zipfile.ZIP_DEFLATED) as f:
            f.write(path(f"{name}{n}.npy"), "x.npy")


def nothing(_):
    pass


# Encodings of n rows, then of n columns, and the first n
MADE = [
    ("sinusoid --len {n} --dim 32", 16000), ("sinusoid --len 16 --dim {n}", 16000),
    ("embed --vocab {n} --dim 32", 16000), ("embed --vocab 16 --dim {n}", 16000),
    ("relative --query-len {n} --key-len 32", 32000), ("relative --query-len 32 --key-len {n}", 32000),
    ("t5-bucket --query-len {n} --key-len 32", 32000), ("t5-bucket --query-len 32 --key-len {n}", 32000),
    ("naive --kind binary --len {n} --dim 32", 32000), ("naive --kind onehot --len 32 --dim {n}", 16000),
    ("rope --len {n} --dim 32", 16000), ("rope --len 16 --dim {n}", 16000),
    ("alibi --heads 1 --query-len {n} --key-len 32", 32000), ("alibi --heads 1 --query-len 32 --key-len {n}", 32000),
    ("kerple --heads 1 --r1 1 --r2 1 --query-len {n} --key-len 32", 16000),
    ("kerple --heads 1 --r1 1 --r2 1 --query-len 32 --key-len {n}", 16000),
    ("sandwich --heads 1 --dim 8 --query-len 32 --key-len {n}", 16000),
    ("sandwich --heads 1 --len 8 --dim {n}", 16000),
    ("fire --c 0.5 --threshold 2 --query-len 32 --key-len {n}", 16000),
    ("retnet --heads 1 --query-len 32 --key-len {n}", 16000), ("grid --grid {n}x4 --dim 32", 8000),
    ("grid --grid 4x4 --dim {n}", 16000), ("positions --grid {n}x4", 32000),
    ("fourier --variant perceiver --grid {n}x4 --bands 4", 8000),
    ("fourier --variant perceiver --grid 4x4 --bands {n}", 4000), ("enformer --len {n} --dim 12", 16000),
    ("enformer --len 32 --dim {n}", 1200), ("spherical --grid {n}x4 --legendre-polys 4", 16000),
    ("mask --query-len {n} --key-len 32", 64000), ("mask --query-len 32 --key-len {n}", 64000),
    ("temperature --len {n}", 320000),
]
# What makes files of n things; the command, with the file's name; the first n; the exponent that is allowed,
# where that is more, as of squares by definition
ROWS = [
    *((nothing, words + " --raw /dev/null", n) for words, n in MADE),
    # The matrix has n x n values, and there are as many pairs of rows
    (nothing, "shift --dim {n} --by 3 --raw /dev/null", 256, 2),
    (table, "similarity rows{n}.npy --raw /dev/null", 512, 2),
    (table, "similarity cols{n}.npy --raw /dev/null", 8000),
    (table, "attend rows{n}.npy --heads 1 --raw /dev/null", 512, 2),
    (table, "attend cols{n}.npy --heads 1 --raw /dev/null", 8000),
    (table, "inspect rows{n}.npy", 4000), (table, "inspect cols{n}.npy", 4000),
    # Up to --seconds; a row of more than 128 KB takes pages of its own
    (table, "identify rows{n}.npy", 1000, 2), (table, "identify cols{n}.npy", 1000, 2),
    (table, "identify sinesrows{n}.npy", 4000), (table, "identify sinescols{n}.npy", 4000, 1.5),
    (table, "compare rows{n}.npy sinesrows{n}.npy", 4000), (table, "compare cols{n}.npy sinescols{n}.npy", 4000),
    (table, "compare rows{n}.csv rows{n}.json", 4000), (table, "compare cols{n}.csv cols{n}.json", 4000),
    (table, "resize rows{n}.npy --to 64 --raw /dev/null", 4000),
    (table, "resize cols{n}.npy --to 64 --raw /dev/null", 4000),
    (table, "permute rows{n}.npy --heads 4 --to interleaved --raw /dev/null", 4000),
    (table, "permute cols{n}.npy --heads 2 --to interleaved --raw /dev/null", 4000),
    (table, "rope --apply rows{n}.npy --raw /dev/null", 2000),
    (table, "rope --apply cols{n}.npy --raw /dev/null", 4000),
    *((table, f"show {of}{{n}}.npy --{e} /dev/null", 1000) for of in ("rows", "cols")
      for e in ("csv", "json", "npy", "safetensors")),
    (table, "show rows{n}.npy --plain --png /dev/null", 4000),
    (table, "show cols{n}.npy --plain --png /dev/null", 4000),
    (table, "show rows{n}.npy --png /dev/null", 8000), (table, "show cols{n}.npy --svg /dev/null", 8000),
    (config, "config {n}.config", 2000), (onnx, "list {n}.onnx", 4000), (onnx, "show {n}.onnx:layers.7.weight", 4000),
    (onnx, "compare {n}.onnx {n}.onnx", 1000), (gguf, "compare {n}.gguf {n}.gguf", 1000),
    (pt, "compare {n}.pt {n}.pt", 500),
    (safetensors, "list {n}.safetensors", 4000), (metadata, "list metadata{n}.safetensors", 4000),
    (npz, "list {n}.npz", 4000), (npz, "show {n}.npz:layers.7.weight", 4000),
    (npz, "compare {n}.npz {n}.npz", 1000), (safetensors, "compare {n}.safetensors {n}.safetensors", 1000),
    (gguf, "list {n}.gguf", 4000), (pt, "list {n}.pt", 4000), (pt, "show {n}.pt:layers.7.weight", 4000),
    (shards, "list {n}.index.json", 4000),
    (numbers, "sinusoid --dim 2 --positions @{n}.list --raw /dev/null", 16000),
    (numbers, "rope --dim 4 --positions @{n}.list --raw /dev/null", 16000),
    (numbers, "embed --vocab 1000000 --dim 2 --ids @{n}.list --raw /dev/null", 15000),
    (numbers, "alibi --heads 1 --form row --positions @{n}.list --raw /dev/null", 4000),
    (numbers, "positions --ids @{n}.list --raw /dev/null", 16000),
    (numbers, "positions --cu-seqlens @{n}.ascending --raw /dev/null", 16000),
    (numbers, "mask --segments @{n}.zeros --query-len 4 --key-len {n} --raw /dev/null", 8000),
    (numbers, "temperature --positions @{n}.list --raw /dev/null", 16000),
    (numbers, "naive --positions @{n}.list --raw /dev/null", 16000),
    (nothing, "sinusoid --dim 2 --positions {list} --raw /dev/null", 400),
    (nothing, "positions --sequence {parts} --raw /dev/null", 200),
    (nothing, "sinusoid --len 2 --dim 2 {options} --raw /dev/null", 400),
    *((table, f"show {of}{{n}}.{e} --raw /dev/null", 4000) for of in ("rows", "cols")
      for e in ("csv", "tsv", "json", "npy", "npz", "safetensors")),
    (table, "show rows{n}.raw --dim 16 --dtype f32 --raw /dev/null", 8000),
]


def words(command, n):
    """Of the command line, each of at most 128 KB, with lists of n values, parts or options."""
    return command.format(n=n, list=",".join(str(i % 10) for i in range(n)), parts=",".join(["text:1"] * n),
                          options=" ".join(["--start 1"] * n)).split()


def once(command, n):
    """The processor time of a run."""
    with open(os.devnull, "wb") as null, open(path("said"), "wb") as said:
        process = subprocess.Popen([POSENC, *words(command, n)], cwd=OUT, stdout=null, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        with open(path("said"), encoding="utf-8") as said:
            sys.exit(f"{command}: {said.read()}")
    return used.ru_utime + used.ru_stime


def powers(times, start):
    """The exponents from each time to the next."""
    return [math.log((b - start) / (a - start), 4) if a - start > ENOUGH / 4 and b > start else math.nan
            for a, b in zip(times, times[1:])]


def begin_with(make, command, n, start):
    """The first size: n, or 4 n where a run of n does little more than start."""
    make(n)
    return n if min(once(command, n) for _ in range(RUNS)) - start > ENOUGH else 4 * n


def measure(command, sizes, most, start):
    """The least time of each size; where that grows by more than most, of more runs."""
    times = [math.inf] * len(sizes)
    for _ in range(TRIES):
        times = [min(t, *(once(command, n) for _ in range(RUNS))) for t, n in zip(times, sizes)]
        if all(not p > most for p in powers(times, start)):
            break
    return times


def main():
    os.makedirs(OUT, exist_ok=True)
    start, above = min(once("sinusoid --len 1 --dim 1 --raw /dev/null", 1) for _ in range(10 * RUNS)), 0
    pattern = re.compile(sys.argv[3] if len(sys.argv) > 3 else "")
    print("| command | n | ms | exponent to 4 n | to 16 n | allowed |\n|---|---|---|---|---|---|")
    for make, command, n, *allowed in ROWS:
        if not pattern.search(command):
            continue
        most = MOST + (allowed[0] - 1 if allowed else 0)
        n = begin_with(make, command, n, start)
        sizes = (n, 4 * n, 16 * n)
        for k in sizes:
            make(k)
        times = measure(command, sizes, most, start)
        above += any(p > most for p in powers(times, start))
        name = command.format(n="N", list="0,1,...", parts="text:1,...", options="--start 1 ...")
        print(f"| `{name}` | {n} | {(times[0] - start) * 1e3:.1f} | " + " | ".join(
            "too short" if math.isnan(p) else f"{p:.2f}{' ABOVE' * (p > most)}" for p in powers(times, start))
            + f" | {most:.1f} |", flush=True)
        for name in os.listdir(OUT):
            os.unlink(path(name))
    return above > 0


if __name__ == "__main__":
    sys.exit(main())
