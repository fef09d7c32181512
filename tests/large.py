"""Reads a small tensor of files of 4 GiB, which are mostly holes, within 32 MB of memory.

A file of each container has the tensor large and, behind its values, small. What a pipe
brings is kept up to a limit, if its format is read in any order. Tells how long
the fastest of three runs took, which is no test. TAP on standard output.
"""

import io
import json
import os
import pickle
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
POSENC = os.path.abspath(os.path.join(os.environ.get("B", "build"), "posenc"))
# Other builds, of sanitizers or that count lines, take their own memory
LIMIT = 32 << 20 if os.path.dirname(POSENC).endswith("/build") else 0
LARGE, SMALL = 1 << 30, np.arange(12, dtype="<f4")  # values of 4 bytes


def tensor(key, numel, shape):
    """The opcodes of a float32 tensor; numbers as LONG1, of 8 bytes."""
    def number(n):
        return b"\x8a\x08" + struct.pack("<q", n)

    def numbers(all_of_them):
        return b"(" + b"".join(map(number, all_of_them)) + b"t"

    def text(word):
        return b"X" + struct.pack("<I", len(word)) + word
    return b"ctorch._utils\n_rebuild_tensor_v2\n((" + text(b"storage") + \
        b"ctorch\nFloatStorage\n" + text(key) + text(b"cpu") + number(numel) + b"tQ" + \
        number(0) + numbers(shape) + numbers([shape[1], 1]) + b"\x89}tR"


def objects():
    """A pickle of a tensor of 4 GiB and one of 48 bytes."""
    return b"\x80\x02}(X\x05\0\0\0large" + tensor(b"0", LARGE, [LARGE >> 10, 1 << 10]) + \
        b"X\x05\0\0\0small" + tensor(b"1", 12, [3, 4]) + b"u."


def end_zip(f, central, members):
    """A central directory, and its end with numbers of 64 bits."""
    at = f.tell()
    f.write(central + b"PK\6\6" + struct.pack("<Q2H2I4Q", 44, 45, 45, 0, 0, members, members,
                                              len(central), at))
    f.write(b"PK\6\7" + struct.pack("<IQI", 0, at + len(central), 1))
    f.write(b"PK\5\6" + struct.pack("<4H2IH", 0, 0, 2**16 - 1, 2**16 - 1, 2**32 - 1, 2**32 - 1, 0))


def write_archive(f):
    """An archive with a hole of 4 GiB: zip64 sizes, no CRC-32."""
    members = [(b"a/data.pkl", objects()), (b"a/data/0", None), (b"a/data/1", SMALL.tobytes())]
    central = b""
    for name, data in members:
        at, size = f.tell(), 4 * LARGE if data is None else len(data)
        f.write(b"PK\3\4" + struct.pack("<5H3I2H", 45, 8, 0, 0, 0, 0, 0, 0, len(name), 0) + name)
        f.write(data or b"")
        f.seek(at + 30 + len(name) + size)
        extra = struct.pack("<2H3Q", 1, 24, size, size, at)
        central += b"PK\1\2" + struct.pack("<6H3I5H2I", 45, 45, 8, 0, 0, 0, 0, 2**32 - 1, 2**32 - 1,
                                           len(name), len(extra), 0, 0, 0, 0, 2**32 - 1) + name + extra
    end_zip(f, central, 3)


def write_legacy(f):
    """A file of PyTorch before 1.6 with a hole of 4 GiB."""
    for o in 0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}:
        f.write(pickle.dumps(o, 2))
    f.write(objects() + pickle.dumps(["0", "1"], 2))
    f.write(struct.pack("<q", LARGE))
    f.seek(4 * LARGE, os.SEEK_CUR)
    f.write(struct.pack("<q", 12) + SMALL.tobytes())


def write_safetensors(f):
    """Both tensors in one file."""
    head = json.dumps({
        "large": {"dtype": "F32", "shape": [LARGE], "data_offsets": [0, 4 * LARGE]},
        "small": {"dtype": "F32", "shape": [3, 4], "data_offsets": [4 * LARGE, 4 * LARGE + 48]},
    }).encode()
    f.write(struct.pack("<Q", len(head)) + head)
    f.seek(4 * LARGE, os.SEEK_CUR)
    f.write(SMALL.tobytes())


def write_shards(f):
    """An index, and the file that it names."""
    json.dump({"weight_map": {"large": "shard.safetensors", "small": "shard.safetensors"}},
              io.TextIOWrapper(f, write_through=True))
    with open(os.path.join(os.path.dirname(f.name), "shard.safetensors"), "wb") as shard:
        write_safetensors(shard)


def write_gguf(f):
    def describe(name, shape, at):
        return struct.pack("<Q", len(name)) + name + struct.pack("<I", len(shape)) + \
            struct.pack(f"<{len(shape)}Q", *reversed(shape)) + struct.pack("<IQ", 0, at)
    f.write(b"GGUF" + struct.pack("<IQQ", 3, 2, 0) + describe(b"large", [LARGE], 0)
            + describe(b"small", [3, 4], 4 * LARGE))
    f.seek((f.tell() + 31) // 32 * 32 + 4 * LARGE)
    f.write(SMALL.tobytes())


def write_npz(f):
    """Stored members; sizes of 64 bits are in the central directory."""
    def npy(shape):
        head = str({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
        return b"\x93NUMPY\1\0" + struct.pack("<H", len(head) + 1) + head + b"\n"
    central, large = b"", npy((LARGE,))
    for name, data, size in ((b"large.npy", large, len(large) + 4 * LARGE),
                             (b"small.npy", npy((3, 4)) + SMALL.tobytes(), 0)):
        at, size = f.tell(), size or len(data)
        crc = zlib.crc32(data)  # of the large one it is never looked at
        f.write(b"PK\3\4" + struct.pack("<5H3I2H", 45, 0, 0, 0, 0, crc, 2**32 - 1, 2**32 - 1,
                                        len(name), 0) + name + data)
        f.seek(at + 30 + len(name) + size)
        extra = struct.pack("<2H3Q", 1, 24, size, size, at)
        central += b"PK\1\2" + struct.pack("<6H3I5H2I", 45, 45, 0, 0, 0, 0, crc, 2**32 - 1, 2**32 - 1,
                                           len(name), len(extra), 0, 0, 0, 0, 2**32 - 1) + name + extra
    end_zip(f, central, 2)


def varint(n):
    return bytes([n & 127 | 128]) + varint(n >> 7) if n > 127 else bytes([n])


def field(number, value, size=None):
    """A number, or the begin of bytes of which the rest may follow."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value) if size is None else size) + value


def onnx(name, shape, *more):
    return b"".join(field(1, n) for n in shape) + field(2, 1) + field(8, name) + b"".join(more)


def write_onnx(f):
    """Raw values in the model."""
    large = onnx(b"large", [LARGE], field(9, b"", 4 * LARGE))
    small = field(5, onnx(b"small", [3, 4], field(9, SMALL.tobytes())))
    first = field(5, large, len(large) + 4 * LARGE)
    f.write(field(1, 8) + field(2, b"pytorch") + field(7, first, len(first) + 4 * LARGE + len(small)))
    f.seek(4 * LARGE, os.SEEK_CUR)
    f.write(small)


def write_external(f):
    """Values in a file beside the model."""
    def outside(name, shape, **more):
        return field(5, onnx(name, shape, field(14, 1), *(
            field(13, field(1, key.encode()) + field(2, value.encode())) for key, value in more.items())))
    f.write(field(1, 8) + field(2, b"pytorch") + field(7, outside(
        b"large", [LARGE], location="data", offset="0")
        + outside(b"small", [3, 4], location="data", offset=str(4 * LARGE))))
    with open(os.path.join(os.path.dirname(f.name), "data"), "wb") as data:
        data.seek(4 * LARGE)
        data.write(SMALL.tobytes())


def write_hdf5(f):
    """What h5py wrote: large.parts has what is not 0, each part after its offset and size."""
    with open(os.path.join(HERE, "hdf5", "large.parts"), "rb") as parts:
        while head := parts.read(16):
            at, size = struct.unpack("<QQ", head)
            f.seek(at)
            f.write(parts.read(size))


WRITERS = {write_safetensors: "safetensors", write_shards: "index.json", write_gguf: "gguf",
           write_npz: "npz", write_onnx: "onnx", write_external: "onnx", write_archive: "pt",
           write_legacy: "pt", write_hdf5: "h5"}


def limit():
    if LIMIT:
        resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, resource.RLIM_INFINITY))


def read(name, folder):
    """What posenc printed, and the seconds that it took."""
    begin = time.monotonic()
    done = subprocess.run([POSENC, "show", name + ":small", "--npy", "-"], cwd=folder,
                          capture_output=True, preexec_fn=limit)
    return done, time.monotonic() - begin


def check(write, folder):
    """What is wrong, or None, and the seconds of the fastest run."""
    name = "large." + WRITERS[write]
    with open(os.path.join(folder, name), "wb") as f:
        write(f)
    if sum(os.path.getsize(os.path.join(folder, n)) for n in os.listdir(folder)) < 4 * LARGE:
        return "a small file", 0
    runs = [read(name, folder) for _ in range(3)]
    done, seconds = min(runs, key=lambda r: r[1])
    if done.returncode or done.stderr:
        return done.stderr.decode().strip(), seconds
    made = np.load(io.BytesIO(done.stdout))
    return (None if made.shape == (3, 4) and made.tobytes() == SMALL.tobytes() else "another table"), seconds


def check_pipe():
    """What is wrong with the answer to an archive in a pipe that does not end, or None."""
    with subprocess.Popen([POSENC, "show", "-:small"], bufsize=0, stdin=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        try:
            process.stdin.write(b"PK\3\4")
            while True:
                process.stdin.write(bytes(1 << 20))
        except BrokenPipeError:
            pass
        said = process.stderr.read().decode()
    return None if said == ("posenc: standard input: a pipe of this format is kept in memory, which may "
                            "take 1024 MB; expected less, or a file ('< FILE')\n") else said


def main():
    bad = 0
    version = subprocess.run([POSENC, "--version"], capture_output=True).stdout
    for n, write in enumerate(WRITERS, 1):
        what = write.__name__.removeprefix("write_")
        if write is write_hdf5 and b"libhdf5 not found" in version:
            print(f"ok {n} {what} # skip libhdf5 is not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            wrong, seconds = check(write, folder)
        bad += bool(wrong)
        print(f"{'not ' if wrong else ''}ok {n} {what}{': ' + wrong if wrong else f', {1000 * seconds:.0f} ms'}")
    wrong = check_pipe()
    bad += bool(wrong)
    print(f"{'not ' if wrong else ''}ok {len(WRITERS) + 1} a pipe{': ' + wrong if wrong else ''}")
    print(f"1..{len(WRITERS) + 1}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
