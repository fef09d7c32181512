#!/usr/bin/env python3
"""Makes the HDF5 files of this folder with h5py, which the tests do not need.

Run in an empty folder, copy what is new. Broken files are good ones with other bytes;
crash.h5 is one that tests/deep/fuzz/hdf5_files.py found.
"""

import os
import struct

import h5py
import numpy as np

T = np.arange(6, dtype="f4").reshape(2, 3)
SPACE = h5py.h5s.create_simple(T.shape)


def low(file, name, kind, values, memory, plist=None):
    """A dataset of a type that h5py's own functions do not make."""
    h5py.h5d.create(file.id, name, kind, SPACE, plist).write(
        h5py.h5s.ALL, h5py.h5s.ALL, values, mtype=memory)


def custom(kind, change):
    made = kind.copy()
    change(made)
    return made


def types(f):
    for dtype in ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
        f[dtype + "-le"] = T.astype("<" + dtype)
        f[dtype + "-be"] = T.astype(">" + dtype)
    f["negative"] = -T.astype("i2")
    f["bool"] = T > 3
    f["u8-large"] = np.array([2**63], "u8")
    bits = (T.view("u4") >> 16).astype("u2")

    def bfloat(kind):
        kind.set_fields(15, 7, 8, 0, 7)
        kind.set_ebias(127)
    for name, base in ((b"bf16-le", h5py.h5t.IEEE_F16LE), (b"bf16-be", h5py.h5t.IEEE_F16BE)):
        kind = custom(base, bfloat)
        low(f, name, kind, bits.astype("<u2" if b"le" in name else ">u2"), kind)
    # Not read
    f["complex"] = T.astype("c8")
    f["longdouble"] = T.astype(np.longdouble)
    f["string"] = np.array([b"a", b"b"])
    f["words"] = ["a", "b"]
    f["opaque"] = np.zeros(4, dtype="V2")
    f["reference"] = f["f4-le"].ref
    f.create_dataset("vlen", shape=(3,), dtype=h5py.vlen_dtype(np.int32))
    f.create_dataset("array", shape=(3,), dtype=np.dtype(("f4", (2,))))
    low(f, b"bits", h5py.h5t.STD_B8LE, T.astype("u1"), h5py.h5t.STD_B8LE)
    for name, values in (("enum-4", {"FALSE": 0, "TRUE": 1}), ("enum-3", {"FALSE": 0, "TRUE": 1, "X": 2}),
                         ("enum-names", {"NO": 0, "YES": 1}), ("enum-name", {"FALSE": 0, "YES": 1}),
                         ("enum-values", {"FALSE": 1, "TRUE": 0})):
        f.create_dataset(name, shape=(2,), dtype=h5py.enum_dtype(
            values, basetype="i4" if name == "enum-4" else "i1"))
    for name, base, change in (
            (b"int-12", h5py.h5t.STD_I16LE, lambda t: t.set_precision(12)),
            (b"int-3-bytes", h5py.h5t.STD_I32LE, lambda t: (t.set_precision(24), t.set_size(3))),
            (b"float-sign", h5py.h5t.IEEE_F32LE, lambda t: t.set_fields(0, 24, 8, 1, 23)),
            (b"float-exponent", h5py.h5t.IEEE_F32LE, lambda t: t.set_fields(31, 22, 9, 0, 22)),
            (b"float-exponent-at", h5py.h5t.IEEE_F32LE, lambda t: t.set_fields(31, 0, 8, 8, 23)),
            (b"float-exponent-size", h5py.h5t.IEEE_F32LE, lambda t: t.set_fields(31, 23, 7, 0, 23)),
            (b"float-mantissa-at", h5py.h5t.IEEE_F32LE, lambda t: t.set_fields(31, 23, 8, 1, 22)),
            (b"float-mantissa", h5py.h5t.IEEE_F32LE, lambda t: t.set_fields(31, 23, 8, 0, 22)),
            (b"float-bias", h5py.h5t.IEEE_F32LE, lambda t: t.set_ebias(126)),
            (b"float-norm", h5py.h5t.IEEE_F32LE, lambda t: t.set_norm(h5py.h5t.NORM_NONE))):
        kind = custom(base, change)
        h5py.h5d.create(f.id, name, kind, SPACE)


def shapes(f):
    f["one"] = np.arange(3.0)
    f["four"] = np.arange(24, dtype="i1").reshape(2, 1, 3, 4)
    f["nine"] = np.zeros((1,) * 8 + (2,), "f4")
    f["scalar"] = 1.0
    f["empty"] = h5py.Empty("f4")
    f["none"] = np.zeros((0, 4), "f4")
    # Far more values than the file has
    f.create_dataset("holes", shape=(4, 4), maxshape=(None, None), dtype="f4", chunks=(3, 3),
                     fillvalue=2.5)
    f.create_dataset("huge", shape=(1 << 40,), dtype="f4", chunks=(1 << 20,))
    f.create_dataset("huge-2", shape=(1 << 40, 1 << 40), dtype="f4", chunks=(1, 1 << 20))
    f.create_dataset("contiguous", shape=(1 << 40,), dtype="f4")
    f.create_dataset("chunk", shape=(4, 4), maxshape=(None, None), dtype="f4", chunks=(30000, 30000))


def layouts(f):
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_layout(h5py.h5d.COMPACT)
    low(f, b"compact", h5py.h5t.IEEE_F32LE, T, h5py.h5t.NATIVE_FLOAT, plist)
    three = np.arange(24, dtype="i1").reshape(2, 3, 4)
    f.create_dataset("filters", data=three, chunks=(1, 2, 3), compression=9, shuffle=True,
                     fletcher32=True)
    f.create_dataset("lzf", data=T, chunks=T.shape, compression="lzf")
    f.create_dataset("scaleoffset", data=T.astype("i4"), chunks=T.shape, scaleoffset=0)
    f.create_dataset("external", shape=T.shape, dtype="f4", external=[("/etc/hostname", 0, 24)])
    for name, file in (("virtual", "links.h5"), ("virtual-self", ".")):
        layout = h5py.VirtualLayout(T.shape, "f4")
        layout[:] = h5py.VirtualSource(file, "compact", shape=T.shape)
        f.create_virtual_dataset(name, layout)


def links(f):
    f["g/h/x"] = T
    f["g/loop"] = f["g"]
    f["hard"] = f["g/h/x"]
    f["soft"] = h5py.SoftLink("g/h/x")
    f["soft-group"] = h5py.SoftLink("/g")
    f["nowhere"] = h5py.SoftLink("/none")
    f["external"] = h5py.ExternalLink("one.h5", "x")
    f["through"] = h5py.SoftLink("/external")
    f["external-group"] = h5py.ExternalLink("types.h5", "/")
    f["type"] = np.dtype("f4")


def versions(f):
    big = np.arange(99, dtype="i2").reshape(11, 9)
    for name, more in (("fixed", {}), ("one-way", {"maxshape": (None, 9)}),
                       ("two-ways", {"maxshape": (None, None)}), ("whole", {"chunks": (11, 9)})):
        f.create_dataset("c/" + name, data=big, **{"chunks": (2, 4), "compression": "gzip", **more})
    for i in range(20):  # links in a heap
        f[f"many/{i}"] = T


def blocks(f):
    # More than is read at once, in a whole number of chunks
    x = (np.arange(1100)[:, None] + np.arange(1000)) % 101
    f.create_dataset("x", data=x, dtype="i1", chunks=(100, 1000), compression=9)
    f["y"] = T


def limits(f):
    # A value more than is read of a file that has none of them; rows of no values
    f.create_dataset("above", shape=((1 << 24) + 1,), dtype="i1")
    f.create_dataset("none", shape=(3, 0), dtype="i1")
    f.create_dataset("enum-true", shape=(2,), dtype=h5py.enum_dtype({"NO": 0, "TRUE": 1}, basetype="i1"))


def broken(data, at, new):
    return data[:at] + new + data[at + len(new):]


def parts(path):
    """What a file has besides zeros, each part after its offset and size, and its last byte."""
    made, blocks = b"", {}
    with open(path, "rb") as f:
        size, at = os.stat(path).st_size, 0
        while at < size - 1:
            begin = os.lseek(f.fileno(), at, os.SEEK_DATA)
            at = os.lseek(f.fileno(), begin, os.SEEK_HOLE)
            f.seek(begin)
            data = f.read(at - begin)
            blocks.update({begin + i: data[i:i + 64] for i in range(0, len(data), 64)})
        for at, block in sorted(blocks.items()):
            if any(block) or at + len(block) == size:
                made += struct.pack("<QQ", at, len(block)) + block
    return made


def main():
    for fill, old in ((types, "earliest"), (shapes, "earliest"), (layouts, "v110"),
                      (links, "earliest"), (versions, "earliest"), (blocks, "earliest"),
                      (limits, "earliest")):
        with h5py.File(fill.__name__ + ".h5", "w", libver=(old, "v110")) as f:
            fill(f)
    with h5py.File("latest.h5", "w", libver="latest", userblock_size=1024) as f:
        versions(f)
    with h5py.File("one.hdf5", "w") as f:
        f["x"] = T
    with h5py.File("none.h5", "w") as f:
        f.create_group("g")
    with h5py.File("sum.h5", "w") as f:
        f.create_dataset("x", data=T, chunks=T.shape, fletcher32=True)
        f["y"] = T
    with open("sum.h5", "rb") as f:
        sums = f.read()
    at = sums.index(T.tobytes())
    with open("sum.h5", "wb") as f:
        f.write(broken(sums, at, b"\1"))
    # The header of no object, a type of no version, the list of no group
    with h5py.File("header.h5", "w") as f:
        f["x"] = T
        f["y"] = T
        at = h5py.h5o.get_info(f["x"].id).addr
    with open("header.h5", "rb") as f:
        data = f.read()
    with open("header.h5", "wb") as f:
        f.write(broken(data, at, b"\xee"))
    # An object without messages of a shape and a type is of no kind
    shape = at + 16
    dtype = shape + 8 + int.from_bytes(data[shape + 2:shape + 4], "little")
    with open("object.h5", "wb") as f:
        f.write(broken(broken(data, shape, b"\0"), dtype, b"\0"))
    at = data.index(b"\x11\x20\x1f\0\4\0\0\0")
    with open("type.h5", "wb") as f:
        f.write(broken(data, at, b"\xf1"))
    with open("vax.h5", "wb") as f:
        f.write(broken(data, at, b"\x31\x61"))
    with open("tree.h5", "wb") as f:
        f.write(data.replace(b"SNOD", b"NONE"))
    with open("short.h5", "wb") as f:
        f.write(data[:100])
    with open("text.h5", "wb") as f:
        f.write(b"1,2,3,4,5,6\n")
    with open("empty.h5", "wb"):
        pass
    # 4 GiB, for tests/large.py
    with h5py.File("large.h5", "w") as f:
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        plist.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        h5py.h5d.create(f.id, b"large", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple((1 << 30,)), plist)
        f["small"] = np.arange(12, dtype="f4").reshape(3, 4)
    with open("large.parts", "wb") as f:
        f.write(parts("large.h5"))
    os.unlink("large.h5")


if __name__ == "__main__":
    main()
