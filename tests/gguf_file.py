"""Writes a GGUF file of keys and tensors, right or wrong ones, for tests.

python3 gguf_file.py FILE ARCHITECTURE [KEY=TYPE:VALUE]... [@TENSOR=TYPE:VALUES]...

A KEY that begins with a dot stands behind the architecture. TYPE is u8, i8, u16, i16,
u32, i32, f32, bool, str, u64, i64 or f64; [TYPE] is an array of values between commas.
Tensors have one dimension and are of f32 or f16; TENSOR/N has rows of N values;
@@TENSOR is listed before those whose values it follows.
ARCHITECTURE may be empty: no key.
"@0" in a name is a NUL.
"""

import struct
import sys

TYPES = {"u8": (0, "B"), "i8": (1, "b"), "u16": (2, "H"), "i16": (3, "h"), "u32": (4, "I"),
         "i32": (5, "i"), "f32": (6, "f"), "bool": (7, "B"), "str": (8, ""),
         "u64": (10, "Q"), "i64": (11, "q"), "f64": (12, "d")}
ARRAY = 9
TENSORS = {"f32": (0, "f"), "f16": (1, "e")}


def string(text):
    raw = text.replace("@0", "\0").encode()
    return struct.pack("<Q", len(raw)) + raw


def scalar(kind, text):
    if kind == "str":
        return string(text)
    code = TYPES[kind][1]
    return struct.pack("<" + code, float(text) if code in "fd" else int(text))


def value(kind, text):
    if not kind.startswith("["):
        return struct.pack("<I", TYPES[kind][0]) + scalar(kind, text)
    kind = kind.strip("[]")
    items = text.split(",") if text else []
    return struct.pack("<IIQ", ARRAY, TYPES[kind][0], len(items)) + \
        b"".join(scalar(kind, i) for i in items)


def write(file, architecture, words):
    keys, tensors, data = [], [], b""
    if architecture:
        keys.append(string("general.architecture") + value("str", architecture))
    for word in words:
        name, _, rest = word.partition("=")
        kind, _, text = rest.partition(":")
        if name.startswith("@"):
            items = [float(i) for i in text.split(",")]
            name, _, cols = name[1:].partition("/")
            shape = [int(cols), len(items) // int(cols)] if cols else [len(items)]
            place = 0 if name.startswith("@") else len(tensors)
            tensors.insert(place, string(name.lstrip("@")) + struct.pack(
                f"<I{len(shape)}QIQ", len(shape), *shape, TENSORS[kind][0], len(data)))
            data += struct.pack(f"<{len(items)}{TENSORS[kind][1]}", *items)
            data += bytes(-len(data) % 32)
        else:
            name = architecture + name if name.startswith(".") else name
            keys.append(string(name) + value(kind, text))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys)) + b"".join(keys + tensors)
    with open(file, "wb") as f:
        f.write(head + bytes(-len(head) % 32) + data)


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], sys.argv[3:])
