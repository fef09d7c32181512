"""Tables whose columns, rows or shape are in another arrangement, given to identify.

Tables by formulas of NumPy with fixed seeds, in arrangements that identify undoes. Each
answer must make the table again, value by value, as it is said to be read; tables
without a law, in the same arrangements, must not be named. TAP on standard output.
"""

import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

import numpy as np

POSENC = os.path.join(os.environ.get("B", "build"), "posenc")


def identify(table):
    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file.name, table)
        answer = subprocess.run([POSENC, "identify", file.name, "--json", "-"],
                                capture_output=True)
    if answer.returncode not in (0, 1):
        raise RuntimeError(answer.stderr.decode())
    return json.loads(answer.stdout)


def make(report):
    """The command's table, its columns and signs as the report says."""
    words = shlex.split(report["scheme"]["command"])[1:]
    made = np.load(io.BytesIO(subprocess.run([POSENC, *words, "--npy", "-"],
                                             capture_output=True, check=True).stdout))
    reading = report.get("reading", {})
    if "columns" in reading:
        made = made[:, reading["columns"]]
    return made * np.array(reading.get("signs", 1)).astype(made.dtype)


def part(table, report):
    """The rows or columns that the command is said to make."""
    told = re.match(r"(row|column)s (\d+) to (\d+) of this table",
                    report["scheme"].get("read_as", ""))
    if not told:
        return table
    some = slice(int(told[2]), int(told[3]) + 1)
    return table[some] if told[1] == "row" else table[:, some]


def waves(r):
    """Sines and cosines of a usual base, interleaved."""
    n, half = int(r.integers(24, 100)), int(r.choice([8, 16, 32, 64]))
    angles = np.outer(np.arange(n), float(r.choice([1e4, 5e5, 1e3])) ** (-np.arange(half) / half))
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(n, -1)


def random_signs(r, x):
    return r.choice([-1, 1], x.shape[1])


def random_part(r, x):
    width = int(r.integers(x.shape[1] // 2, x.shape[1]))
    first = int(r.integers(0, x.shape[1] - width + 1))
    return x[:, first:first + width]


ARRANGEMENTS = {
    "permuted": lambda r, x: x[:, r.permutation(x.shape[1])],
    "signs": lambda r, x: x * random_signs(r, x),
    "permuted and signs": lambda r, x: (x * random_signs(r, x))[:, r.permutation(x.shape[1])],
    "part": random_part,
    "part, permuted": lambda r, x: (lambda y: y[:, r.permutation(y.shape[1])])(random_part(r, x)),
    "sines": lambda r, x: x[:, ::2],
    "cosines, permuted": lambda r, x: x[:, 1::2][:, r.permutation(x.shape[1] // 2)],
    "beside learned columns": lambda r, x: np.hstack([x, r.normal(size=(len(x), 9))]),
    "below learned rows": lambda r, x: np.vstack([r.normal(size=(2, x.shape[1])), x]),
    "flattened": lambda r, x: x.reshape(1, -1),
    "flattened by columns": lambda r, x: x.T.reshape(-1, 1),
    "a batch": lambda r, x: np.stack([x, x, x]),
}
DTYPES = (np.float32, np.float16)
TRIES = 4 if "FULL" in os.environ else 2


def lawless(r, n=48, d=32):
    """Tables of no law that a command has."""
    t = np.arange(n)
    yield "normal", r.normal(size=(n, d))
    yield "random walks", np.cumsum(r.normal(size=(n, d)), 0)
    yield "low rank", r.normal(size=(n, 3)) @ r.normal(size=(3, d))
    yield "sines mixed", waves(r)[:, :8] @ r.normal(size=(8, d))
    yield "cosine transform", np.cos(np.pi / n * np.outer(t + 0.5, np.arange(d)))
    yield "random Fourier features", np.cos(np.outer(t / n, r.normal(0, 10, d)) + r.uniform(0, 6, d))
    yield "Legendre", np.polynomial.legendre.legvander(np.linspace(-1, 1, n), 20)
    yield "frequencies of no series", np.cos(np.outer(t, np.exp(r.uniform(-6, 0.5, d))))
    yield "phases of no start", np.sin(np.outer(t, 1e4 ** (-np.arange(d) / d)) + r.uniform(0, 6, d))
    yield "harmonics", np.sin(np.outer(t, 0.05 * np.arange(1, d + 1)))


def same(report, table):
    """Whether the command makes all the values that it is said to make."""
    if report["scheme"]["scheme"] not in ("sinusoid", "rope") or not report["match"]["exact"]:
        return False
    made, told = make(report), part(table, report)
    if report["scheme"].get("read_as", "").startswith("columns of "):
        made = made.T
    if table.ndim == 3:
        return (made == table).all()
    return made.size == told.size and (made.reshape(told.shape) == told).all()


def main():
    print(f"1..{len(ARRANGEMENTS) + 1}")
    good = True
    for number, (name, arrange) in enumerate(ARRANGEMENTS.items()):
        missed = []
        for seed in range(TRIES):
            r = np.random.default_rng([number, seed])
            table = arrange(r, waves(r)).astype(DTYPES[seed % 2])
            report = identify(table)
            if "scheme" not in report or not same(report, table):
                missed.append(f"seed {seed}: {report['answer']}")
        good = good and not missed
        print(f"{'not ok' if missed else 'ok'} - {name}", *missed, sep="\n# ", flush=True)
    named = []
    for seed in range(TRIES):
        for name, table in lawless(np.random.default_rng(seed)):
            report = identify(table.astype(DTYPES[seed % 2]))
            if "scheme" in report:
                named.append(f"{name}, seed {seed}: {report['answer']}")
    print(f"{'not ok' if named else 'ok'} - tables without a law", *named, sep="\n# ")
    return not good or bool(named)


if __name__ == "__main__":
    sys.exit(main())
