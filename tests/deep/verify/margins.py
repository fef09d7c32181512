#!/usr/bin/env python3
"""Whether src/text/number.c can take a middle for a decimal that it only comes
near to: for each exponent of float64 and float32, all values at once.

It takes what is less than 2^-64 (float32: 2^-32) from a scaled decimal, and a
value that is less than 2^-66 (2^-34) from the middle of two, for equal to it;
what it drops is less than that."""

from fractions import Fraction
from math import floor


def first(a, m, low, high):
    """The least n >= 0 with low <= a n mod m <= high, or None."""
    if low == 0:
        return 0
    a %= m
    if a == 0:
        return None
    if 2 * a > m:
        return first(m - a, m, m - high, m - low)
    n = -(-low // a)
    if n * a <= high:
        return n
    k = first(-m % a, a, low % a, high % a)
    return None if k is None else -(-(m * k + low) // a)


def near(x, offset, begin, end, within):
    """Whether n x + offset is near an integer, but is none, for some n, begin to end."""
    m = x.denominator * offset.denominator
    a, at = int(x * m) % m, int((begin * x + offset) * m) % m
    width = floor(within * m)
    for low, high in ((1, width), (m - width, m - 1)) if width else ():
        low, high = (low - at) % m, (high - at) % m
        n = first(a, m, low, high) if low <= high else 0
        if n is not None and begin + n <= end:
            return True
    return False


def check(bits, least, greatest, decimals, middles):
    for q in range(least, greatest + 1):
        for power in (False, True) if q > least else (False,):
            unit = (q * 315653 - (power << 17)) >> 20
            x = Fraction(2) ** q / Fraction(10) ** unit
            begin = 2 ** (bits - 1) if q > least else 1
            end = begin if power else 2 ** bits - 1
            for offset in (x / -4 if power else x / -2, x / 2):
                assert not near(x, offset, begin, end, decimals), (bits, q)
            assert not near(x, Fraction(1, 2), begin, end, middles), (bits, q)
    print(f"{bits} bits: none of {greatest - least + 1} exponents")


check(24, -149, 104, Fraction(1, 2**32), Fraction(1, 2**34))
check(53, -1074, 971, Fraction(1, 2**64), Fraction(1, 2**66))
