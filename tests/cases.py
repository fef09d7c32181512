"""Cases of a suite: functions that fail by an exception, run one after another in one folder."""

import os
import tempfile
import traceback

CASES = []
FULL = "FULL" in os.environ  # make check-all


def case(function):
    CASES.append(function)
    return function


def long(function):
    """A case of the full set only."""
    function.long = True
    return function


def is_left_out(function):
    return getattr(function, "long", False) and not FULL


def main():
    """Run all cases; what one returns is why it was skipped. Returns whether any failed."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for function in CASES:
            if is_left_out(function):
                continue
            name = function.__name__.replace("_", " ")
            try:
                skipped = function()
                print(f"ok - {name}" + (f" # skip {skipped}" if skipped else ""))
            except Exception as error:  # any failure is told, and the rest run
                failed += 1
                where = traceback.extract_tb(error.__traceback__)[1]
                print(f"not ok - {name}: line {where.lineno} {type(error).__name__} {error}")
        os.chdir("/")
    return failed > 0
