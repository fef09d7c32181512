"""Compares sinusoid --emulate with the same steps taken in numpy.

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


def main():
    bad = 0
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
