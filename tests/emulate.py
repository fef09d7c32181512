"""Compares --emulate of sinusoid and rope with the same steps taken in numpy.

Elementary functions are those of double precision, rounded: that is correct
rounding to single precision but for one value in some hundred million.
"""

import io
import math
import os
import subprocess
import sys

import numpy as np

POSENC = os.path.join(os.environ.get("B", "build"), "posenc")
f = np.float32


def exactly(function, *of):
    """A function of single precision, correctly rounded."""
    return function(*[np.float64(x) for x in of]).astype(f)


def angles(way, p, k, b, d, scale):
    """In the order of the program it is named after; d is what k is divided by."""
    if way == "torch-exp":
        return f(scale) * (p * exactly(np.exp, f(2) * k * f(-math.log(b) / (2 * d))))
    if way == "torch-pow":
        return f(scale) * (p * (f(1) / exactly(np.power, f(b), f(2) * k / f(2 * d))))
    if way == "torch-div":
        return f(scale) * (p / exactly(np.power, f(b), f(2) * k / f(2 * d)))
    if way == "keras":
        return f(scale) * (p * exactly(np.power, f(1 / b), f(2) * k / f(2 * d)))
    if way == "xt":
        return f(scale) * (p * exactly(np.power, f(b), -(k / f(d))))
    if way == "fairseq":
        return f(scale) * (p * exactly(np.exp, k * -f(math.log(b) / d)))
    if way == "t2t":
        step = f(math.log(b)) / f(d)
        return p * (f(scale) * exactly(np.exp, k * -step))
    if way == "diffusers":
        return f(scale) * (p * exactly(np.exp, (f(-math.log(b)) * k) / f(d)))
    raise ValueError(way)


def compare(way, b, denom, d, scale):
    n, dim = 300, 66
    command = [POSENC, "sinusoid", "--start", "-20", "--step", "7", "--len", str(n), "--dim",
               str(dim), "--layout", "split", "--base", str(b), "--denom", denom,
               "--angle-scale", str(scale), "--emulate", way, "--npy", "-"]
    ours = np.load(io.BytesIO(subprocess.run(command, capture_output=True, check=True).stdout))
    p = (np.arange(n) * 7 - 20).astype(f)[:, None]
    a = angles(way, p, np.arange(dim // 2).astype(f), b, d, scale)
    assert a.dtype == f
    theirs = np.hstack([exactly(np.sin, a), exactly(np.cos, a)])
    return int((ours != theirs).sum())


def bfloat16(x):
    """Rounded to 8 bits, to nearest, ties to even; nothing here is subnormal."""
    mantissa, exponent = np.frexp(np.float64(x))
    return np.ldexp(np.rint(mantissa * 256), exponent - 8)


def float16(x):
    return np.float64(x).astype(np.float16).astype(np.float64)


def low_precision(way, p, w):
    """Sines and cosines of float32 positions and frequencies, as the name of the way says."""
    dtype, what = way.split("-")
    short = bfloat16 if dtype == "bf16" else float16
    if what in ("freqs", "all"):
        w = short(w)
    if what in ("positions", "all"):
        p = short(p)
    a = np.multiply.outer(np.float64(p), np.float64(w))
    if what in ("angles", "all"):
        a = short(a.astype(f))
    waves = np.sin(a), np.cos(a)
    return [(short(x) if what == "all" else x).astype(f) for x in waves]


def made(*command):
    run = subprocess.run([POSENC, *map(str, command), "--npy", "-"], capture_output=True, check=True)
    return np.load(io.BytesIO(run.stdout))


def compare_low(way, seed):
    """Cells that differ: of rope's cosines and sines, then of a sinusoid, both at random."""
    random = np.random.default_rng(seed)
    base, pairs = int(random.choice([100, 10000, 500000, 1000000])), int(random.integers(2, 70))
    start, step, n = int(random.integers(-9, 900)), int(random.integers(1, 5)), 400
    w = (np.float64(base) ** -(np.arange(pairs) / pairs)).astype(f)
    p = (start + step * np.arange(n)).astype(f)
    sine, cosine = low_precision(way, p, w)
    common = ["--dim", 2 * pairs, "--base", base, "--start", start, "--step", step, "--len", n,
              "--emulate", way]
    rope = made("rope", *common, "--out", "cossin")
    sinusoid = made("sinusoid", *common, "--layout", "split")
    return int((rope != np.hstack([cosine, sine])).sum() +
               (sinusoid != np.hstack([sine, cosine])).sum())


def main():
    bad = 0
    for way in ["bf16-freqs", "fp16-freqs", "bf16-positions", "fp16-positions", "bf16-angles",
                "fp16-angles", "bf16-all", "fp16-all"]:
        for seed in range(6):
            cells = compare_low(way, seed)
            if cells:
                print(f"{way}, seed {seed}: {cells} cells differ")
                bad = 1
    for way in ["torch-exp", "torch-pow", "torch-div", "keras", "xt", "fairseq", "t2t",
                "diffusers"]:
        for case in [(10000, "dim", 33, 1), (500, "half-1", 32, 1), (1e6, "shift:0.5", 32.5, 3)]:
            cells = compare(way, *case)
            if cells:
                print(f"{way} {case}: {cells} cells differ")
                bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
