#!/usr/bin/env python3
"""identify's answers about tables that posenc did not make, each of them judged.

foreign.py [COUNT [SEED [FAMILY...]]]: COUNT tables of each family of foreign_tables.py
(default: 4), or of some.
An answer that names a command is true if the command makes the table, with the residual
that is told; a sentence about a table without a match is true if the family says so. One
false answer fails its family, and so do fewer named tables than the group's share of
them, rounded down: 3 of 4 at a share of 0.9. TAP on standard output.
"""

import concurrent.futures
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import zlib

import numpy as np

import foreign_tables as tables
from identify import refused

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
POSENC = os.path.join(TOP, os.environ.get("B", "build"), "posenc")

# Groups of families, with the least share of tables to be named.
GROUPS = [(tables.PLAIN, 1), (tables.NOISY, 0.95), (tables.LOW, 1), (tables.ARRANGED, 0.9),
          (tables.FOIL, None)]

# Words of a report without a match, and what a family must say for them to be true.
CLAIMS = {r"\bnormal\b": "normal", r"\buniform\b": "uniform", r"sines and cosines": "sines and cosines",
          r"\brope\b": "rope", r"binary|mask|one-hot|bucket": "integers"}


def run(*words):
    return subprocess.run([POSENC, *words], capture_output=True, timeout=60)


def make(command):
    """The table that a reported command makes, as float64; bfloat16 is rounded here."""
    words = shlex.split(command)[1:]
    brain = "bfloat16" in words
    if brain:
        at = words.index("bfloat16")
        words[at] = "f64"
    made = run(*words, "--npy", "-")
    if made.returncode:
        raise RuntimeError(f"{command}: {made.stderr.decode().strip()}")
    table = np.load(io.BytesIO(made.stdout)).astype(np.float64)
    return tables.bfloat16(table).astype(np.float64) if brain else table


def arrange(made, shape):
    """A made table in the shape of another, or None: reshaped, transposed."""
    if made.shape == shape:
        return made
    flat = made.reshape(-1, made.shape[-1])
    if flat.T.shape == shape:
        return flat.T
    return made.reshape(shape) if made.size == np.prod(shape) else None


def nearest_columns(made, table):
    """For each column of a table the nearest of a made one, up to sign."""
    made = made.reshape(-1, made.shape[-1])
    if len(made) != len(table):
        return None
    signed = np.hstack([made, -made])
    finite = np.isfinite(signed).all()
    if not finite:
        return None
    far = (table ** 2).sum(0)[:, None] + (signed ** 2).sum(0) - 2 * table.T @ signed
    return signed[:, far.argmin(1)]


def part_told(table, read_as):
    """The rows or columns of a table that a command is said to make."""
    told = re.match(r"(row|column)s? (\d+)(?: to (\d+))? of this table", read_as or "")
    if not told:
        return table
    part = slice(int(told[2]), int(told[3] or told[2]) + 1)
    return table[part] if told[1] == "row" else table[:, part]


def differences(made, table, report):
    """Differences of the table from what the command makes, as it is said to be read."""
    read_as, reading = report["scheme"].get("read_as"), report.get("reading", {})
    if "columns" in reading:
        again = made[:, reading["columns"]] * np.array(reading.get("signs", 1.0))
        return table - again if again.shape == table.shape else None
    for name, by in (("scale", np.s_[:]), ("row_scales", np.s_[:, None]), ("column_scales", np.s_[:])):
        if name in reading:
            offset = reading[name.replace("scale", "offset")]
            made = made * np.atleast_1d(reading[name])[by] + np.atleast_1d(offset)[by]
            return np.where((table == 0) & ("dropout" in read_as), 0, table - made)
    if read_as and read_as.startswith("columns of ") and made.size == table.size:
        return table - made.T.reshape(table.shape)
    again = arrange(made, table.shape)
    in_order = not re.search("column|sign", read_as or "")
    if again is not None and (in_order or np.array_equal(again, table)):
        return table - again
    if table.ndim == 2 and read_as:
        for t in (table, table.T):
            again = nearest_columns(made, t)
            if again is not None:
                return t - again
    return None


def judge_named(table, truth, report):
    """None, or what is false about a named command."""
    command, match = report["scheme"]["command"], report["match"]
    part = table[truth.get("rows", slice(None)), truth.get("columns", slice(None))] \
        if table.ndim == 2 else table
    told = report["scheme"].get("read_as")
    part = (part if {"rows", "columns"} & set(truth) else part_told(part, told)).astype(np.float64)
    if {"rows", "columns"} & set(truth) and not report["scheme"].get("read_as"):
        return f"'{command}' is said to make all of the table"
    with np.errstate(invalid="ignore"):
        off = differences(make(command), part, report)
        if off is None:
            return f"'{command}' makes a table of another shape"
        off = off[~np.isnan(off)]
    decimals = re.search("when rounded to (?:integers|([0-9]+) decimals)", report["answer"])
    if decimals or match["exact"]:
        return f"'{command}' is not exact" if np.abs(off).max(initial=0) > (
            0.6 * 10 ** -int(decimals[1] or 0) if decimals else 0) else None
    rms = np.sqrt(np.mean(off ** 2))
    # Values are scaled before they are rounded
    scales = [np.abs(v).max() for k, v in report.get("reading", {}).items() if "scale" in k]
    slack = 1e-7 * max(scales, default=1e-5)
    if "rms_residual" in match and abs(rms - match["rms_residual"]) > 0.02 * rms + slack:
        return f"'{command}' has a residual of {rms:.3g}, not {match['rms_residual']:.3g}"
    expected = 2 * truth.get("noise", 0) + 2e-7 * np.abs(part[np.isfinite(part)]).max() + slack
    if rms > expected and table.dtype != np.float16:
        return f"'{command}' leaves {rms:.3g}, more than {expected:.3g}"
    return None


def judge_dtype(table, report):
    """None, or what is false about the dtype of a table of integers."""
    told = {**report.get("evidence", {}), **report.get("match", {})}.get("dtype")
    if np.issubdtype(table.dtype, np.integer) and told not in (None, table.dtype.name):
        return f"says {told} of a table of {table.dtype}"
    return None


def judge(table, truth, status, report):
    """Whether the table was named, and what is false or None."""
    foil = "foil" in truth
    if judge_dtype(table, report):
        return False, judge_dtype(table, report)
    if status == 0 and foil and not (report["match"]["exact"] and
                                     np.issubdtype(table.dtype, np.integer)):
        return True, "a table without a law: " + report["answer"]
    if status == 0:
        return True, judge_named(table, truth, report)
    said = truth.get("says", []) if foil else ["sines and cosines", "rope", "integers"]
    for words, needed in CLAIMS.items():
        if re.search(words, report["answer"]) and needed not in said:
            return False, f"says '{report['answer']}'"
    return False, None


def try_one(name, make_table, foil, seed):
    """Make a table, ask identify about it and judge the answer."""
    made = make_table(np.random.default_rng([seed, zlib.crc32(name.encode())]))
    table, truth = made if isinstance(made, tuple) else (made, {})
    if foil:
        truth = {**truth, "foil": True}
    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file.name, table)
        try:
            answer = run("identify", file.name, "--json", "-")
        except subprocess.TimeoutExpired:
            return False, f"seed {seed}: no answer in a minute", None
        if answer.returncode not in (0, 1):
            return False, answer.stderr.decode().strip(), None
        report = json.loads(answer.stdout)
        found, wrong = judge(table, truth, answer.returncode, report)
        wrong = wrong or refused(report)
        keep = os.environ.get("KEEP")
        if keep and (wrong or not (found or foil)):
            np.save(os.path.join(keep, f"{name}-{seed}.npy"), table)
    return found, wrong and f"seed {seed}: {wrong}", f"seed {seed}: {report['answer']}"


def try_family(pool, name, make_table, least, seeds):
    """Print a family's result; whether it is good."""
    results = list(pool.map(lambda s: try_one(name, make_table, least is None, s), seeds))
    named = sum(r[0] for r in results)
    wrong = [r[1] for r in results if r[1]]
    good = not wrong and (least is None or named >= int(least * len(results) + 1e-9))
    print(f"{'ok' if good else 'not ok'} - {name}: {named} of {len(results)} named, "
          f"{len(wrong)} false", flush=True)
    for line in wrong[:3] if wrong else [r[2] for r in results if not r[0]][:3] if not good else []:
        print(f"# {line}")
    return good


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    families = [(name, f, least) for group, least in GROUPS for name, f in group.items()
                if name in sys.argv[3:] or not sys.argv[3:]]
    print(f"1..{len(families)}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() + 1) as pool:
        results = [try_family(pool, *f, range(first, first + count)) for f in families]
    return not all(results)


if __name__ == "__main__":
    sys.exit(main())
