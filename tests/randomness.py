#!/usr/bin/env python3
"""What identify says of tables without a law: draws are told from what only resembles them.

randomness.py [COUNT [SEED]]: COUNT tables of each family (default: 1). A table of
independent draws must be said to be one, of its distribution; no other table may be.
TAP on standard output.
"""

import json
import os
import subprocess
import sys
import tempfile
import zlib

import numpy as np

POSENC = os.path.join(os.environ.get("B", "build"), "posenc")
FAMILIES = {}


def family(says):
    def add(make):
        FAMILIES[make.__name__] = make, says
        return make
    return add


def shape(r, least=32, most=160):
    return int(r.integers(least, most)), int(r.integers(least, most))


def brain(x):
    """x rounded to bfloat16."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    bits = bits + 0x7fff + (bits >> np.uint64(16) & np.uint64(1))
    return (bits.astype(np.uint32) & np.uint32(0xffff0000)).view(np.float32)


def smoothed(x, axis, width):
    kernel = np.ones(width) / width
    return np.apply_along_axis(np.convolve, axis, x, kernel, "same")


@family("normal")
def normal(r):
    return r.choice([0.02, 1, 7]) * r.normal(size=shape(r)) + r.choice([0, 0, 3])


@family("normal")
def normal_half(r):
    return (0.02 * r.normal(size=shape(r))).astype(np.float16)


@family("normal")
def normal_bfloat16(r):
    return brain(0.02 * r.normal(size=shape(r)))


@family("normal")
def normal_decimals(r):
    return np.round(r.normal(size=shape(r)), 2).astype(np.float64)


@family("normal")
def normal_digits(r):
    x = r.normal(size=shape(r))
    return np.array([float(f"{v:.3g}") for v in x.ravel()]).reshape(x.shape)


@family("normal")
def padded(r):
    x = 0.02 * r.normal(size=shape(r))
    x[r.integers(len(x))] = 0
    return x


@family("uniform")
def uniform(r):
    return r.uniform(-1, r.choice([0, 1, 1]), shape(r))


@family("uniform")
def xavier_half(r):
    n = shape(r)
    a = np.sqrt(6 / sum(n))
    return r.uniform(-a, a, n).astype(np.float16)


@family("uniform")
def uniform_decimals(r):
    return np.round(r.uniform(0, 1, shape(r)), 4)


@family("normal")
def large(r):
    return r.normal(size=(512, 512))


@family(None)
def truncated(r):
    x = r.normal(size=400000)
    return x[np.abs(x) < 2][:10000].reshape(100, 100)


@family(None)
def clipped(r):
    return np.clip(r.normal(size=shape(r)), -2.5, 2.5)


@family(None)
def bimodal(r):
    n = shape(r)
    return r.choice([-1, 1], n) + 0.5 * r.normal(size=n)


@family(None)
def low_rank(r):
    n, d = shape(r)
    k = int(r.integers(1, min(n, d) // 2))
    return r.normal(size=(n, k)) @ r.normal(size=(k, d)) / np.sqrt(k)


@family(None)
def cosines(r):
    n = int(r.integers(32, 200))
    x = np.cos(np.pi / n * np.outer(np.arange(n), np.arange(n) + 0.5)) * np.sqrt(2 / n)
    x[0] /= np.sqrt(2)
    return x


@family(None)
def legendre(r):
    return np.polynomial.legendre.legvander(np.linspace(-1, 1, 100), 40)


@family(None)
def hadamard(_):
    x = np.ones((1, 1))
    for _ in range(6):
        x = np.block([[x, x], [x, -x]])
    return x / 8


@family(None)
def random_walk(r):
    return np.cumsum(r.normal(size=shape(r)), int(r.integers(2)))


@family(None)
def smooth(r):
    return smoothed(r.normal(size=shape(r)), int(r.integers(2)), int(r.integers(2, 6)))


@family(None)
def copied_rows(r):
    x = r.normal(size=shape(r))
    return r.permutation(np.vstack([x, x[:len(x) // 4]]))


@family(None)
def copied_columns(r):
    x = r.normal(size=shape(r))
    return r.permutation(np.hstack([x, x[:, :1]]).T).T


@family("normal")
def scaled_half(r):
    return np.float32(0.3) * r.normal(size=shape(r)).astype(np.float16).astype(np.float32)


@family("uniform")
def fifteen_bits(r):
    return (r.integers(0, 2 ** 15, size=(160, 160)) / (2 ** 15 - 1)).astype(np.float32)


@family(None)
def copied_values(r):
    x = r.normal(size=(80, 80)).astype(np.float32)
    return np.concatenate([x, r.permutation(r.permutation(x), axis=1)])


@family(None)
def copied_twice(r):
    x = r.random((80, 80)) - 0.5
    return np.concatenate([x, np.roll(x, 3, 1), r.permutation(x.ravel()).reshape(x.shape)])


@family(None)
def rotated_half(r):
    x = 0.02 * r.normal(size=(80, 80))
    return np.concatenate([x, x[::-1, ::-1]])


@family(None)
def transposed_half(r):
    x = r.normal(size=(80, 80))
    return np.concatenate([x, x.T], 1)


@family(None)
def negated_half(r):
    x = r.normal(size=shape(r))
    return np.vstack([x, -x])


@family(None)
def permuted_rows(r):
    x = r.normal(size=int(r.integers(32, 200)))
    return np.array([r.permutation(x) for _ in range(60)])


@family(None)
def orthogonal(r):
    n = int(r.integers(32, 150))
    x = np.linalg.qr(r.normal(size=(n, n)))[0]
    return x[:, :int(r.integers(32, n + 1))].astype(np.float32)


@family(None)
def unit_rows(r):
    x = r.normal(size=shape(r))
    return x / np.linalg.norm(x, axis=1)[:, None]


@family(None)
def symmetric(r):
    x = r.normal(size=(64, 64))
    return np.tril(x) + np.tril(x, -1).T * r.choice([-1, 1])


@family(None)
def mirrored(r):
    x = r.normal(size=(40, 64))
    return np.vstack([x, x[::-1] + 0.5 * r.normal(size=x.shape)])


@family(None)
def one_row(r):
    return r.normal(size=(1, 4000))


@family(None)
def one_column(r):
    return r.uniform(size=(4000, 1))


@family(None)
def few_columns(r):
    return r.normal(size=(2000, 4))


@family(None)
def few_values(r):
    return r.choice(r.normal(size=int(r.integers(2, 200))), shape(r))


@family(None)
def quantized(r):
    return np.round(40 * r.normal(size=shape(r))).astype(np.int8)


@family(None)
def laplace(r):
    return r.laplace(size=shape(r))


@family(None)
def students(r):
    return r.standard_t(4, size=shape(r))


@family(None)
def logistic(r):
    return r.logistic(size=(200, 200))


@family(None)
def exponential(r):
    return r.exponential(size=shape(r))


@family(None)
def sparse(r):
    n = shape(r)
    return r.normal(size=n) * (r.random(n) < 0.5)


@family(None)
def rows_of_scales(r):
    n = shape(r)
    return r.normal(size=n) * r.uniform(0.5, 1.5, (n[0], 1))


@family(None)
def columns_of_scales(r):
    n = shape(r)
    return r.normal(size=n) * r.uniform(0.5, 1.5, n[1])


@family(None)
def columns_of_means(r):
    n = shape(r)
    return r.normal(size=n) + r.normal(size=n[1])


@family(None)
def common_row(r):
    n = shape(r)
    return r.normal(size=n) + np.outer(0.7 * r.normal(size=n[0]), r.normal(size=n[1]))


@family(None)
def evenly_spread(r):
    n = shape(r)
    return r.permutation(np.linspace(-1, 1, n[0] * n[1])).reshape(n)


@family(None)
def beta(r):
    return r.beta(1.3, 1.3, size=(100, 100))


@family(None)
def waves_in_noise(r):
    n, d = shape(r)
    return np.sin(np.outer(np.arange(n), r.uniform(0.01, 1, d))) + r.normal(size=(n, d))


@family(None)
def random_features(r):
    n, d = shape(r)
    return np.cos(r.normal(size=(n, 8)) @ r.normal(size=(8, d)) + r.uniform(0, 7, d))


@family(None)
def products(r):
    n = shape(r)
    return r.normal(size=n) * r.normal(size=n)


def identify(table):
    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file.name, table)
        answer = subprocess.run([POSENC, "identify", file.name, "--json", "-"],
                                capture_output=True, check=False)
    if answer.returncode not in (0, 1):
        raise RuntimeError(answer.stderr.decode().strip())
    return json.loads(answer.stdout)["answer"]


def judge(says, answer):
    """None, or what is wrong."""
    claims = [word for word in ("normal", "uniform") if f"{word} distribution" in answer]
    return None if claims == ([says] if says else []) else answer


def main():
    count, seed = (int(x) for x in (sys.argv[1:] + ["1", "1"][len(sys.argv) - 1:])[:2])
    bad = 0
    print(f"1..{len(FAMILIES)}")
    for i, (name, (make, says)) in enumerate(FAMILIES.items(), 1):
        wrong, answer = [], ""
        for k in range(count):
            r = np.random.default_rng([seed + k, zlib.crc32(name.encode())])
            table = make(r)
            if table.dtype == np.float64 and not name.endswith(("decimals", "digits")):
                table = table.astype(np.float32)
            answer = identify(table)
            if judge(says, answer):
                wrong.append(f"# seed {seed + k}: {table.shape} {answer}")
        bad += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {i} - {name}: {len(wrong)} of {count} wrong")
        print("\n".join(wrong) if wrong else "# " + answer)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
