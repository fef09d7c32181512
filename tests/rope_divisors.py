"""Divisors of rotary frequencies, as llama.cpp's converter computes them for Llama 3, or wrong ones.

python3 rope_divisors.py [pairs=64] [base=500000] [factor=8] [length=8192] [low=1] [high=4] [how=HOW] [times=X]

prints them, of float32, between commas. HOW: mixed (divisors between 1 and factor in place of
frequencies), swapped (the ends of the band), inverse (no reciprocal), step (no band), factors (the
reciprocals of all). times multiplies that of pair 32.
"""

import sys

import numpy as np

f = np.float32
DEFAULTS = {"pairs": 64, "base": 500000, "factor": 8, "length": 8192, "low": 1, "high": 4, "how": "", "times": 1}


def main():
    option = {**DEFAULTS, **dict(word.split("=") for word in sys.argv[1:])}
    n, base, factor, length, low, high, times = (
        f(option[k]) for k in ("pairs", "base", "factor", "length", "low", "high", "times"))
    wave = f(2 * np.pi) / (f(1) / base ** (np.arange(0, 2 * n, 2, dtype=f) / (2 * n)))
    s = (length / wave - low) / (high - low)
    ends = np.where(wave > length / low, factor, f(1))
    right = f(1) / ((f(1) - s) / factor + s)
    between = {"mixed": (1 - s) * factor + s, "step": np.full_like(s, factor),
               "swapped": 1 / ((1 - s) + s / factor), "inverse": (1 - s) / factor + s}.get(option["how"], right)
    x = np.where((wave < length / high) | (wave > length / low), ends, between).astype(f)
    if option["how"] == "factors":
        x = f(1) / x
    x[min(32, len(x) - 1)] *= times
    print(",".join(str(v) for v in x.tolist()))


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        main()
