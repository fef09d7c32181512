#!/usr/bin/env python3
"""Compares posenc with the golden tables of models, tests/golden/models: those of their
configurations, of low precision, position ids, Fourier features and biases.

Each case is a command, run in that folder: its table is the peer's, or it is refused
with one sentence. TAP on standard output.
"""

import io
import json
import os
import subprocess
import sys

import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HERE = os.path.join(TOP, "tests", "golden", "models")
POSENC = os.path.join(TOP, os.environ.get("B", "build"), "posenc")


def run(argv, *more):
    return subprocess.run([POSENC, *argv[1:], *more], capture_output=True, cwd=HERE)


def compare(array):
    """None, or how the table of the array's command differs from the peer's."""
    made = run(array["argv"], "--npy", "-")
    if made.returncode:
        return made.stderr.decode().strip()
    ours = np.load(io.BytesIO(made.stdout)).astype(np.float64)
    golden = np.load(os.path.join(HERE, array["file"])).astype(np.float64)
    if ours.shape != golden.shape:
        return f"shape {ours.shape}, not {golden.shape}"
    rule = array["compare"]
    if rule["mode"] == "exact":
        return None if np.array_equal(ours, golden) else "differs"
    allowed = rule["atol"] + rule["rtol"] * np.abs(golden)
    worst = np.max(np.abs(ours - golden) - allowed)
    return None if worst <= 0 else f"differs by {worst} more than allowed"


def check(case):
    if case.get("expected") == "refuse":
        made = run(case["argv"], "--csv", "-")
        if made.returncode != 2:
            return f"status {made.returncode}, not 2"
        lines = made.stderr.decode().splitlines()
        return None if len(lines) == 1 and not made.stdout else f"says {lines}"
    for name, array in case["arrays"].items():
        why = compare(array) if array["role"] != "input" else None
        if why:
            return f"{name}: {why}"
    return None


def main():
    cases = json.load(open(os.path.join(HERE, "manifest.json")))["cases"]
    bad = False
    print(f"1..{len(cases)}")
    for i, case in enumerate(cases, 1):
        why = check(case)
        bad |= why is not None
        print(f"{'not ok' if why else 'ok'} {i} - {case['id']}" + (f": {why}" if why else ""))
    return bad


if __name__ == "__main__":
    sys.exit(main())
