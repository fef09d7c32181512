"""Blocks of ggml and FP8 as posenc reads and compares them, beside NumPy. TAP on standard output.

Decoders follow the structs of ggml-common.h, one block at a time, a group of values after
another; those of posenc follow a table of where bits are.
"""

import json
import os
import subprocess
import sys

import numpy as np

import models_compare as models
from cases import case, main

RANDOM = np.random.default_rng(11)
IQ4 = np.array([-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113])
FP4 = np.array([0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12])


def half(b, at):
    return np.float64(np.frombuffer(b[at:at + 2].tobytes(), "<f2")[0])


def nibbles(b):
    """The low halves of bytes, then the high ones."""
    return np.concatenate([b & 15, b >> 4]).astype(int)


def bit(b, i):
    return b[i // 8] >> i % 8 & 1


def fifth(b, at):
    return np.array([bit(b[at:at + 4], i) for i in range(32)]) * 16


def q2_k(b):
    out = []
    for g in range(16):  # of 16 values
        quarter = b[16 + g // 8 * 32 + g % 2 * 16:][:16] >> g % 8 // 2 * 2 & 3
        out.append(half(b, 80) * (b[g] & 15) * quarter - half(b, 82) * (b[g] >> 4))
    return np.concatenate(out)


def q3_k(b):
    out = []
    for g in range(16):
        scale = (b[96 + g % 8] >> (4 if g > 7 else 0) & 15) | (b[104 + g % 4] >> g // 4 * 2 & 3) << 4
        low = (b[32 + g // 8 * 32 + g % 2 * 16:][:16] >> g % 8 // 2 * 2 & 3).astype(int)
        high = b[g % 2 * 16:][:16] >> g // 2 & 1
        out.append(half(b, 108) * (int(scale) - 32) * np.where(high, low, low - 4))
    return np.concatenate(out)


def scale_of_6(s, j):
    """Scale and minimum j of 8."""
    if j < 4:
        return s[j] & 63, s[j + 4] & 63
    return (s[j + 4] & 15) | (s[j - 4] & 192) >> 2, s[j + 4] >> 4 | (s[j] & 192) >> 2


def q45_k(b, high):
    at = 48 if high else 16
    out = []
    for j in range(8):
        scale, least = scale_of_6(b[4:16], j)
        q = (b[at + j // 2 * 32:][:32] >> j % 2 * 4 & 15).astype(int)
        if high:
            q = q + (b[16:48] >> j & 1) * 16
        out.append(half(b, 0) * int(scale) * q - half(b, 2) * int(least))
    return np.concatenate(out)


def q6_k(b):
    out = np.empty(256)
    scales = b[192:208].view("i1").astype(int)
    for i in range(256):
        n, k = divmod(i, 128)
        part, j = divmod(k, 32)
        low = b[n * 64 + part % 2 * 32 + j] >> part // 2 * 4 & 15
        high = b[128 + n * 32 + j] >> part * 2 & 3
        out[i] = half(b, 208) * scales[i // 16] * (int(low) + 16 * int(high) - 32)
    return out


def iq4_xs(b):
    high = int(b[2]) + 256 * int(b[3])
    scales = [(int(b[4 + j // 2]) >> j % 2 * 4 & 15) + 16 * (high >> 2 * j & 3) - 32
              for j in range(8)]
    return np.concatenate([half(b, 0) * scales[j] * IQ4[nibbles(b[8 + 16 * j:][:16])]
                           for j in range(8)])


def nvfp4(b):
    # ggml's scale has no NaN: 0x7f is 0, 0xff its largest
    return np.concatenate([{127: 0, 255: 480}.get(int(b[g]), fp8(b[g] & 127, 4, 3)) / 2
                           * FP4[nibbles(b[4 + 8 * g:][:8])] for g in range(4)])


def fp8(byte, exponent_bits, mantissa_bits):
    """E4M3 without infinity, E5M2 with it."""
    byte = int(byte)
    bias = 2 ** (exponent_bits - 1) - 1
    e, m = byte >> mantissa_bits & (2 ** exponent_bits - 1), byte & (2 ** mantissa_bits - 1)
    sign = -1.0 if byte & 128 else 1.0
    if exponent_bits == 5 and e == 31:
        return np.nan if m else sign * np.inf
    if exponent_bits == 4 and byte & 127 == 127:
        return np.nan
    whole = (m + 2 ** mantissa_bits) if e else m
    return sign * whole * 2.0 ** (max(e, 1) - bias - mantissa_bits)


# Number of the type, values and bytes of a block, where its float16 are, its values.
TYPES = {
    "Q4_0": (2, 32, 18, [0], lambda b: half(b, 0) * (nibbles(b[2:]) - 8)),
    "Q4_1": (3, 32, 20, [0, 2], lambda b: half(b, 0) * nibbles(b[4:]) + half(b, 2)),
    "Q5_0": (6, 32, 22, [0], lambda b: half(b, 0) * (nibbles(b[6:]) + fifth(b, 2) - 16)),
    "Q5_1": (7, 32, 24, [0, 2],
             lambda b: half(b, 0) * (nibbles(b[8:]) + fifth(b, 4)) + half(b, 2)),
    "Q8_0": (8, 32, 34, [0], lambda b: half(b, 0) * b[2:].view("i1")),
    "Q2_K": (10, 256, 84, [80, 82], q2_k),
    "Q3_K": (11, 256, 110, [108], q3_k),
    "Q4_K": (12, 256, 144, [0, 2], lambda b: q45_k(b, False)),
    "Q5_K": (13, 256, 176, [0, 2], lambda b: q45_k(b, True)),
    "Q6_K": (14, 256, 210, [208], q6_k),
    "Q8_K": (15, 256, 292, [2],
             lambda b: np.float64(b[:4].view("<f4")[0]) * b[4:260].view("i1")),
    "IQ4_NL": (20, 32, 18, [0], lambda b: half(b, 0) * IQ4[nibbles(b[2:])]),
    "IQ4_XS": (23, 256, 136, [0], iq4_xs),
    "TQ2_0": (35, 256, 66, [64], lambda b: half(b, 64) * np.concatenate(
        [(b[c:c + 32] >> s & 3).astype(int) - 1 for c in (0, 32) for s in (0, 2, 4, 6)])),
    "MXFP4": (39, 32, 17, [], lambda b: 2.0 ** (int(b[0]) - 128) * FP4[nibbles(b[1:])]),
    "NVFP4": (40, 64, 36, [], nvfp4),
    "Q1_0": (41, 128, 18, [0],
             lambda b: half(b, 0) * np.array([2 * int(bit(b[2:], i)) - 1 for i in range(128)])),
    "Q2_0": (42, 64, 18, [0], lambda b: half(b, 0) * np.array(
        [int(b[2 + i // 4] >> i % 4 * 2 & 3) - 1 for i in range(64)])),
}


def random_blocks(name, rows, blocks):
    """Any bytes, with scales that are finite."""
    _, _, size, halves, _ = TYPES[name]
    b = RANDOM.integers(0, 256, (rows, blocks, size), dtype="u1")
    for at in halves:
        b[..., at:at + 2] = RANDOM.normal(0, 0.01, (rows, blocks, 1)).astype("<f2").view("u1")
    return b


def decoded(name, b):
    value = TYPES[name][4]
    return np.array([np.concatenate([value(block) for block in row]) for row in b]).astype("f4")


def write_gguf(path, keys, tensors):
    """Tensors are arrays, or a type, a shape and bytes."""
    infos, data = b"", b""
    for name, x in tensors.items():
        kind, shape, raw = (0, x.shape, x.tobytes()) if isinstance(x, np.ndarray) else x
        infos += models.text_of(name) + np.array([len(shape)], "<u4").tobytes() \
            + np.array(shape[::-1], "<u8").tobytes() + np.array([kind], "<u4").tobytes() \
            + np.array([len(data)], "<u8").tobytes()
        data = models.padded(data + raw)
    head = b"GGUF" + np.array([3], "<u4").tobytes() + \
        np.array([len(tensors), len(keys)], "<u8").tobytes()
    head += b"".join(models.text_of(k) + models.value_of(x) for k, x in keys.items())
    with open(path, "wb") as f:
        f.write(models.padded(head + infos) + data)


def write_safetensors(path, tensors, metadata=None):
    """Tensors are a dtype, a shape and bytes."""
    header, data = {"__metadata__": metadata} if metadata else {}, b""
    for name, (dtype, shape, raw) in tensors.items():
        header[name] = {"dtype": dtype, "shape": list(shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(np.array([len(text)], "<u8").tobytes() + text + data)


def posenc(*words, **more):
    return subprocess.run([models.POSENC, *words], capture_output=True, check=False, **more)


def shown(table, **more):
    done = posenc("show", table, "--npy", "out.npy", **more)
    assert done.returncode == 0, done.stderr
    return np.load("out.npy"), done.stderr.decode()


def same(x, y):
    assert x.dtype == y.dtype and x.shape == y.shape, (x.dtype, x.shape, y.dtype, y.shape)
    assert np.array_equal(x, y, equal_nan=True), (x[x != y][:4], y[x != y][:4])


@case
def blocks_have_the_values_of_numpy():
    for name, (kind, values, _, _, _) in TYPES.items():
        b = random_blocks(name, 3, 512 // values)
        write_gguf("x.gguf", {}, {"x": (kind, (3, 512), b.tobytes())})
        wanted = decoded(name, b)
        same(shown("x.gguf:x")[0], wanted)
        with open("x.gguf", "rb") as f:
            piped = subprocess.run(f"cat | {models.POSENC} show -:x --npy -", shell=True, stdin=f,
                                   capture_output=True, check=True).stdout
        assert piped == open("out.npy", "rb").read(), name
        assert f"  x  {name}" in posenc("list", "x.gguf").stdout.decode(), name


@case
def rows_that_do_not_fill_blocks_are_refused():
    for name, (kind, values, size, _, _) in TYPES.items():
        write_gguf("x.gguf", {}, {"x": (kind, (4, values // 2), bytes(2 * size))})
        done = posenc("show", "x.gguf:x")
        assert done.returncode == 2, name
        assert f"rows of {name} must be multiples of {values}, got {values // 2}" in \
            done.stderr.decode(), done.stderr


@case
def types_that_are_not_read_say_so():
    for kind, name in ((16, "IQ2_XXS"), (19, "IQ1_S"), (34, "TQ1_0"), (9, "Q8_1"), (43, "type 43")):
        write_gguf("x.gguf", {}, {"x": (kind, (1, 256), bytes(300))})
        done = posenc("show", "x.gguf:x")
        assert done.returncode == 2 and f"has dtype {name}, which" in done.stderr.decode()


FP8 = {"F8_E4M3": (4, 3), "F8_E5M2": (5, 2)}


@case
def every_byte_of_fp8():
    every = np.arange(256, dtype="u1")
    for dtype, bits in FP8.items():
        write_safetensors("x.safetensors", {"x": (dtype, (16, 16), every.tobytes())})
        wanted = np.array([fp8(b, *bits) for b in every], "f2").reshape(16, 16)
        same(shown("x.safetensors:x")[0], wanted)
    write_safetensors("x.safetensors", {"x": ("F8_E8M0", (16, 16), every.tobytes())})
    wanted = np.ldexp(1.0, np.arange(256) - 127)
    wanted[255] = np.nan
    done = posenc("show", "x.safetensors:x", "--dtype", "float64", "--npy", "out.npy")
    assert done.returncode == 0
    same(np.load("out.npy"), wanted.reshape(16, 16))


@case
def fp8_times_its_scale():
    rows, cols = 200, 300
    b = RANDOM.integers(0, 126, (rows, cols), dtype="u1")
    x = np.array([fp8(i, 4, 3) for i in range(256)])[b]
    w = ("F8_E4M3", (rows, cols), b.tobytes())
    for end, shape in (("_scale_inv", (2, 3)), ("_scale", ()), ("_scale", (1,)), ("_scale", (1, 1)),
                       ("_scale", (rows,)), ("_scale", (rows, 1)), ("_scale_inv", (2, 2)),
                       ("_scale", (rows, 2)), ("_scale", (cols,))):
        s = RANDOM.uniform(0.001, 0.1, shape).astype("f4")
        write_safetensors("x.safetensors", {"w" + end: ("F32", shape, s.tobytes()), "w": w})
        values, said = shown("x.safetensors:w")
        if shape in ((2, 2), (rows, 2), (cols,)):
            same(values, x.astype("f2"))
            assert f"values of w are unscaled F8_E4M3: w{end} F32 is not applied" in said, said
            continue
        whole = s.repeat(128, 0)[:rows].repeat(128, 1)[:, :cols] if shape == (2, 3) \
            else s.reshape(-1, 1)
        same(values, (x * whole).astype("f4"))
        assert f"values of w are its F8_E4M3 times w{end}" in said, said
    write_safetensors("x.safetensors", {"w_scale": ("F32", (), b"\0\0\x80\x40"), "w": w})
    values, _ = shown("x.safetensors:w")
    same(values, (x * 4).astype("f4"))
    with open("x.safetensors", "rb") as f:
        values, _ = shown("-:w", stdin=f)
        same(values, (x * 4).astype("f4"))
    done = subprocess.run(f"cat x.safetensors | {models.POSENC} show -:w --npy out.npy",
                          shell=True, capture_output=True, check=True)
    same(np.load("out.npy"), x.astype("f2"))
    assert b"values of w are unscaled" in done.stderr, done.stderr
    b, s = b[:, :256], RANDOM.uniform(0.001, 0.1, (rows, 8)).astype("f4")
    w = "F8_E4M3", (rows, 256), b.tobytes()
    write_safetensors("x.safetensors", {"w": w, "w_scale": ("F32", (rows, 8), s.tobytes())})
    same(shown("x.safetensors:w")[0], (x[:, :256] * s.repeat(32, 1)).astype("f4"))
    powers = RANDOM.integers(120, 130, (rows, 8), dtype="u1")
    write_safetensors("x.safetensors", {"w": w, "w_scale": ("F8_E8M0", (rows, 8),
                                                            powers.tobytes())})
    same(shown("x.safetensors:w")[0],
         (x[:, :256] * 2.0 ** (powers.astype(int) - 127).repeat(32, 1)).astype("f4"))
    write_safetensors("x.safetensors", {"w": w, "w_scale": ("U8", (rows, 8), powers.tobytes())})
    values, said = shown("x.safetensors:w")
    same(values, x[:, :256].astype("f2"))
    assert "w_scale U8 is not applied" in said, said
    write_safetensors("x.safetensors", {"w": w, "v_scale": ("F32", (), b"abcd")})
    assert shown("x.safetensors:w")[1] == ""


# Quantizers: each rounds to the nearest value that its scales allow.
def rounded(x):
    return np.floor(x + 0.5)


def pack(q):
    return (q[:q.size // 2] | q[q.size // 2:] << 4).astype("u1").tobytes()


def make_q4_0(x):
    d = np.float16(x[np.argmax(np.abs(x))] / -8)
    return d.tobytes() + pack(np.clip(rounded(x / np.float64(d)) + 8, 0, 15).astype(int))


def make_q4_k(x):
    x = x.reshape(8, 32).astype(float)
    least = np.minimum(x.min(1), 0)
    scale = (x.max(1) - least) / 15
    d, m = np.float16(scale.max() / 63), np.float16(-least.min() / 63)
    s, n = rounded(scale / d).astype(int), rounded(-least / m).astype(int)
    q = np.clip(rounded((x + m * n[:, None].astype(float)) / (d * s[:, None].astype(float))), 0, 15)
    first = s[:4] | s[4:] >> 4 << 6, n[:4] | n[4:] >> 4 << 6, s[4:] & 15 | (n[4:] & 15) << 4
    return d.tobytes() + m.tobytes() + np.concatenate(first).astype("u1").tobytes() + \
        b"".join(pack(q[i:i + 2].astype(int).ravel()) for i in range(0, 8, 2))


def make_q6_k(x):
    x = x.reshape(16, 16).astype(float)
    scale = np.abs(x).max(1) / 31
    d = np.float16(scale.max() / 127)
    s = np.maximum(rounded(scale / d), 1)
    q = (np.clip(rounded(x / (d * s[:, None])), -32, 31) + 32).astype(int).reshape(2, 4, 32)
    low = [np.concatenate([h[0] & 15 | (h[2] & 15) << 4, h[1] & 15 | (h[3] & 15) << 4]) for h in q]
    high = [h[0] >> 4 | h[1] >> 4 << 2 | h[2] >> 4 << 4 | h[3] >> 4 << 6 for h in q]
    return np.concatenate([*low, *high]).astype("u1").tobytes() + s.astype("i1").tobytes() + \
        d.tobytes()


def make_mxfp4(x):
    e = int(np.floor(np.log2(np.abs(x).max()))) - 2 + 127
    q = np.abs(x[:, None] / 2.0 ** (e - 128) - FP4[None]).argmin(1)
    return bytes([e]) + pack(q)


def make_q8_0(x):
    return models.q8(x)


MAKE = {"Q4_0": make_q4_0, "Q4_K": make_q4_k, "Q6_K": make_q6_k, "MXFP4": make_mxfp4,
        "Q8_0": make_q8_0}


def quantized(name, x):
    kind, values, _, _, _ = TYPES[name]
    blocks = x.astype("f4").reshape(-1, values)
    return kind, x.shape, b"".join(MAKE[name](b) for b in blocks)


def big_model():
    """A decoder whose rows fill blocks, and keys of its GGUF file."""
    models.HIDDEN, models.HEAD = 256, 64
    t = models.decoder()
    settings = models.config("llama", intermediate_size=512)
    return t, settings, models.keys("llama")


def compared(a, b):
    done = posenc("compare", a, b)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


SHORT = "the same positions and weights: 20 equal tensors within the error of "


@case
def quantized_models_are_the_same_within_the_error():
    t, settings, keys = big_model()
    models.write_folder("hf", settings, t)
    right = models.converted(t)
    for name in MAKE:
        write_gguf("q.gguf", keys, {n: quantized(name, x) if x.ndim == 2 and x.shape[1] % 256 == 0
                                    else x for n, x in right.items()})
        for a, b in (("hf", "q.gguf"), ("q.gguf", "hf")):
            status, said, _ = compared(a, b)
            assert status == 0 and said.startswith(f"{SHORT}{name}'s blocks, 0."), said
            assert "rows of q and k are permuted within each head" in said, said


@case
def two_types_are_both_named():
    t, settings, keys = big_model()
    models.write_folder("hf", settings, t)
    write_gguf("q.gguf", keys, {n: quantized("Q6_K" if "attn" in n else "Q4_K", x)
                                if x.ndim == 2 else x for n, x in models.converted(t).items()})
    status, said, _ = compared("hf", "q.gguf")
    assert status == 0 and "Q4_K's blocks" in said and "Q6_K's blocks" in said, said
    assert " and " in said.split("\n", maxsplit=1)[0], said


@case
def faults_are_found_beyond_the_error():
    t, settings, keys = big_model()
    models.write_folder("hf", settings, t)
    right = models.converted(t)
    for name in MAKE:
        def file(tensors, name=name):
            write_gguf("q.gguf", keys, {n: quantized(name, x) if x.ndim == 2 else x
                                        for n, x in tensors.items()})
        file(models.converted(t, 0, 0))
        status, said, _ = compared("hf", "q.gguf")
        assert status == 1 and "its rows are in the same order, but" in said, said
        one = {n: x.copy() for n, x in right.items()}
        one["blk.0.ffn_up.weight"][3, 5] += 1
        file(one)
        status, said, _ = compared("hf", "q.gguf")
        assert status == 0 and said.startswith("the same positions, but 1 of 20 tensors"), said
        assert f"differ by more than the error of {name}'s blocks" in said, said
        assert "an importance matrix may leave a few that do" in said, said


@case
def fp8_models_are_the_same_within_the_error():
    t, settings, _ = big_model()
    models.write_folder("hf", settings, t)
    table = np.array([fp8(i, 4, 3) for i in range(127)])
    for scaled in (True, False):
        tensors = {}
        for n, x in t.items():
            if x.ndim < 2 or "embed" in n:
                tensors[n] = "F32", x.shape, x.tobytes()
                continue
            scale = np.float32(np.abs(x).max() / 448) if scaled else np.float32(1)
            byte = np.abs(np.abs(x)[..., None] / scale - table).argmin(-1) | (x < 0) * 128
            tensors[n] = "F8_E4M3", x.shape, byte.astype("u1").tobytes()
            if scaled:
                tensors[n + "_scale"] = "F32", (1,), scale.tobytes()
        os.makedirs("f8", exist_ok=True)
        write_safetensors("f8/model.safetensors", tensors)
        with open("f8/config.json", "w", encoding="utf-8") as f:
            json.dump(settings, f)
        status, said, err = compared("hf", "f8")
        assert status == 0 and "within the error of F8_E4M3, 0.0" in said, said + err
        assert " but " not in said.split("\n", maxsplit=1)[0] or scaled, said


if __name__ == "__main__":
    sys.exit(main())
