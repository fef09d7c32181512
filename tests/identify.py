"""Identify tables that posenc and other libraries made.

posenc must make each of its own tables again, bit for bit, with the command that
identify reports. --all adds more shapes and every golden table; it lists and
counts the golden tables without a match. TAP on standard output.
"""

import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter

import numpy as np

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
POSENC = os.path.join(os.environ.get("B", "build"), "posenc")
SCRATCH = tempfile.TemporaryDirectory()
PATH = os.path.join(SCRATCH.name, "table.npy")


def run(*words):
    return subprocess.run([POSENC, *words], capture_output=True)


def make(command):
    """The table that a command makes, or None if there is no such command."""
    made = run(*command, "--npy", "-")
    if made.returncode and b"unknown command" in made.stderr:
        return None
    if made.returncode:
        raise RuntimeError(made.stderr.decode().strip())
    return np.load(io.BytesIO(made.stdout))


def bfloat16(x):
    """x, of float64, rounded once to bfloat16, as float32."""
    bits = np.asarray(x, dtype=np.float64).view(np.uint64)
    bits = bits + np.uint64((1 << 44) - 1) + (bits >> np.uint64(45) & np.uint64(1))
    bits &= ~np.uint64((1 << 45) - 1)
    return bits.view(np.float64).astype(np.float32)


def identify(table):
    """Exit status and report."""
    np.save(PATH, table)
    answer = run("identify", PATH, "--json", "-")
    if answer.returncode not in (0, 1):
        raise RuntimeError(answer.stderr.decode().strip())
    return answer.returncode, json.loads(answer.stdout)


def again(report):
    """The table that the reported command makes, in its dtype."""
    words = shlex.split(report["scheme"]["command"])[1:]
    if "bfloat16" in words:
        at = words.index("bfloat16")
        return bfloat16(make(words[:at - 1] + words[at + 1:] + ["--dtype", "f64"]))
    return make(words)


def named(report):
    """All commands that a report names, wherever they stand."""
    if isinstance(report, str):
        return {report} if report.startswith("posenc ") else set(re.findall(r"'(posenc [^']*)'", report))
    parts = report.values() if isinstance(report, dict) else report if isinstance(report, list) else []
    return set().union(*(named(part) for part in parts))


def refused(report):
    """None, or which named command does not run as it is printed, unless it reads a FILE."""
    for command in sorted(named({**report, "invocation": None})):
        words = shlex.split(command)[1:]
        if not {"-", "FILE"} & set(words) and run(*words).returncode:
            return f"'{command}' does not run"
    return None


def round_trip(command, dtype):
    """None, what went wrong, or "skip" if posenc has no such command."""
    if dtype == "bf16":
        table = make(command + ["--dtype", "f64"])
        table = table if table is None else bfloat16(table)
    else:
        table = make(command + (["--dtype", dtype] if dtype else []))
    if table is None:
        return "skip"
    if (table == table.flat[0]).all():
        return None
    status, report = identify(table)
    if status:
        return report["answer"]
    made = again(report)
    made = made.reshape(table.shape) if made.size == table.size else made
    said = report["scheme"]["command"]
    if "rope" in command and "--emulate" in command and command[-1] not in said:
        return "of low precision, but not said to be: " + said
    if made.shape != table.shape or not (made.astype(table.dtype) == table).all():
        return "not made again by: " + said
    return refused(report)


def presets():
    names, recipe = [], None
    for line in run("presets").stdout.decode().splitlines():
        if line.startswith("posenc "):
            recipe = line.split()[1]
        elif line[:2] == "  " and line[2] not in " -" and recipe == "sinusoid":
            names.append(line.split()[0])
    return names


FLOATS = ["f64", "f32", "f16", "bf16"]


def sinusoids(full):
    for preset in presets():
        for n in [8, 64, 512] if full else [8, 64]:
            for d in [4, 6, 7, 16, 33, 512] if full else [16]:
                refused = run("sinusoid", "--preset", preset, "--len", "1", "--dim", str(d))
                for dtype in FLOATS if not refused.returncode else []:
                    yield ["sinusoid", "--preset", preset, "--len", str(n),
                           "--dim", str(d)], dtype
    for more in ["--start 1", "--start 100 --step -1", "--step 0.25", "--angle-scale 0.1 --start 3",
                 "--base 500000", "--first cos", "--layout split --first cos", "--amp 0.5",
                 "--positions 5,5,5,4,3,2,1,0,-1,-2", "--full-turns", "--denom shift:0.5",
                 "--start 7.5 --step 50", "--zero-row 3 --start 3"]:
        for n in ["8", "64", "512"] if full else ["64"]:
            length = [] if "--positions" in more else ["--len", n]
            for d in ["4", "16", "33", "512"] if full else ["32"]:
                for dtype in FLOATS[:3] if full else ["f32"]:
                    # two pairs do not determine these parameters
                    if d != "4" or more not in ("--full-turns", "--start 7.5 --step 50"):
                        yield ["sinusoid", "--dim", d, *length, *more.split()], dtype


def others(full):
    for line in ["naive --kind binary --len 16", "naive --kind gray --len 20 --bits lsb",
                 "naive --kind onehot --len 9", "naive --kind binary --len 16 --signed",
                 "naive --kind integer --len 9 --start 3", "naive --kind normalized --len 9",
                 "naive --kind normalized --len 9 --norm n-1",
                 "naive --kind normalized --len 9 --norm center",
                 "relative --len 9", "relative --len 9 --clip 3", "relative --query-len 3 --key-len 8",
                 "relative --len 9 --sign query-key", "relative --len 9 --clip 3 --out distances",
                 "relative --kind swin --window 3x4", "relative --kind swin --window 2x5 --cls",
                 "relative --kind deberta --len 60 --buckets 16 --max-position 40",
                 "relative --kind swin --window 5x4 --out logcoords",
                 "positions --sequence text:5,image:4x6,text:3,video:2x4x6,text:2",
                 "positions --sequence text:5,video:4x4x6,text:2 --time seconds:2 --seconds 1.5",
                 "positions --grid 4x6 --merge 2", "positions --grid 4x6x3",
                 "positions --preset roberta --ids 5,6,7,8,9,9,9,1,1,1,1",
                 "t5-bucket --len 64", "t5-bucket --len 64 --causal", "t5-bucket --len 300 --causal",
                 "t5-bucket --num-buckets 64 --max-distance 512 --distances -600:600",
                 "t5-bucket --query-len 3 --key-len 40 --past 20",
                 "t5-bucket --causal --num-buckets 17 --max-distance 27 --distances -32:32 "
                 "--emulate torch"]:
        yield line.split(), None
    for line in ["alibi --heads 12", "alibi --heads 8 --len 9", "alibi --heads 6 --len 9 --form causal",
                 "alibi --heads 12 --key-len 9 --form row", "alibi --heads 8 --len 9 --bias-max 4",
                 "alibi --heads 8 --head-range 4:8 --len 9", "alibi --heads 112 --head-range 14:28",
                 "kerple --heads 3 --r1 1.5,0.5,2 --r2 0.25,1,0.75 --len 12",
                 "kerple --kind power --heads 2 --r1 0.5,0.0625 --r2 1,1.5 --len 10 --form causal",
                 "sandwich --heads 4 --len 12", "sandwich --heads 3 --dim 32 --len 20",
                 "retnet --heads 4 --len 12", "retnet --heads 3 --len 20 --normalize none",
                 "alibi --heads 12 --len 9 --form masked", "fire --len 12",
                 "fire --len 20 --c 0.5 --threshold 4", "temperature --preset llama4 --len 17000",
                 "temperature --attn-scale 0.2 --floor-scale 16 --len 100",
                 "fourier --preset perceiver --grid 6x8 --bands 4",
                 "fourier --preset perceiver-pytorch --grid 6x8 --bands 4 --max-freq 10",
                 "rope --dim 128 --len 400 --out decay", "rope --dim 16 --len 50 --out bound --base 777",
                 "shift --dim 8 --by 3", "shift --dim 16 --by -2 --layout split",
                 "shift --dim 8 --by 1234", "shift --dim 6 --by 0.5 --base 1000",
                 "grid --grid 5x7 --dim 16", "grid --grid 3x3 --dim 24 --cls 1",
                 "grid --grid 5x7 --dim 16 --variant timm", "grid --grid 5x7 --dim 16 --preset loftr",
                 "grid --grid 5x7 --dim 16 --order y,x --start 1",
                 "grid --grid 4x6 --dim 16 --variant detr",
                 "grid --grid 4x6 --dim 16 --variant detr --normalize",
                 "grid --grid 4x6 --dim 16 --variant multidim",
                 "grid --grid 4x6x3 --dim 24 --variant multidim",
                 "grid --grid 4x6 --dim 16 --variant diffusers",
                 "grid --grid 3x4x2 --dim 32 --variant diffusers",
                 "grid --grid 4x6 --dim 16 --variant t2t"]:
        for dtype in FLOATS if full else ["f32", "f16"]:
            yield line.split(), dtype
    for line in ["sinusoid --len 64 --dim 32 --base 12345", "sinusoid --len 64 --dim 32 --amp 0.7071",
                 "rope --len 80 --dim 64 --out cos-full --base 12345"]:
        for dtype in FLOATS[1:]:
            yield line.split(), dtype
    for line in ["sinusoid --len 64 --start 1000000 --dim 4 --base 1000",
                 "sinusoid --len 100 --dim 64 --step 1.154781984689458",
                 "rope --len 100 --dim 64 --out cos --scaling linear:1.154781984689458"]:
        yield line.split(), "f32"
    yield from ropes(full)
    yield from low_precision(full)


def low_precision(full):
    for way in ["bf16-freqs", "fp16-freqs", "bf16-positions", "bf16-angles", "fp16-angles",
                "bf16-all", "fp16-all"]:
        for line in ["rope --out cos", "rope --out sin-full --pairs interleaved",
                     "rope --out cossin --base 500000 --scaling llama3:8,8192",
                     "sinusoid --layout split --denom half-1", "sinusoid --base 12000"]:
            for dtype in FLOATS if full else ["f32", "bf16"]:
                yield [*line.split(), "--dim", "32", "--len", "300", "--emulate", way], dtype


def ropes(full):
    for out in ["cos", "sin", "cos-full", "sin-full", "cossin", "cis", "angles", "freqs"]:
        for scaling in ["none", "linear:4", "ntk:8", "dynamic:2,16", "yarn:4,2048", "yarn:16,4096",
                        "yarn:40,4096,attention_factor=1", "llama3:8,8192"]:
            for pairs in ["half", "interleaved"] if out.endswith("full") else ["half"]:
                for base in ["10000", "500000"] if full else ["10000"]:
                    if (full or scaling in ("none", "linear:4", "yarn:4,2048")) and (
                            out != "freqs" or scaling[:7] != "dynamic"):
                        length = [] if out == "freqs" else ["--len", "64"]
                        more = [] if scaling == "none" else ["--scaling", scaling]
                        yield ["rope", "--dim", "64", "--out", out, "--pairs", pairs,
                               "--base", base, *length, *more], "f32"


def unusual():
    """Commands with parameters that are nearly, but not, the usual ones."""
    for scaling in ["llama3:8,8190 --base 500000", "yarn:4.01,4096", "linear:3.999"]:
        for out in ["cos", "angles", "freqs"]:
            more = [] if out == "freqs" else ["--len", "100"]
            yield ["rope", "--dim", "128", "--out", out, *more, "--scaling", *scaling.split()], "bf16"
    yield "rope --dim 128 --out sin --len 512 --scaling llama3:8.01,8192 --base 500000".split(), "f32"
    yield "rope --dim 128 --out freqs --scaling llama3:8.01,8192 --base 500000".split(), "f16"


def named_falsely(command, dtype):
    """What is false about a command that is named, whose unrounded values are other ones."""
    exact = make(command + ["--dtype", "f64"])
    table = bfloat16(exact) if dtype == "bf16" else exact.astype(dtype.replace("f", "float"))
    status, report = identify(table)
    if status or report["match"]["exact"]:
        return None
    words = shlex.split(report["scheme"]["command"])[1:]
    if "--dtype" in words:
        at = words.index("--dtype")
        del words[at:at + 2]
    off = np.abs(make(words + ["--dtype", "f64"]) - exact).max(axis=0)
    off = (off / np.abs(exact).max(axis=0)).max()
    return f"{off:.2g} from {report['answer']}" if off > 2e-5 else None


def golden():
    """Counts of identified and declined golden tables, and a line per declined one."""
    said, declined = Counter(), []
    for case in json.load(open(os.path.join(HERE, "manifest.json")))["cases"]:
        for name, array in case["arrays"].items():
            table = np.load(os.path.join(HERE, array["file"]))
            if array["role"] != "output" or table.dtype == np.uint16:
                continue
            while table.ndim > 3:
                table = table[0] if table.shape[0] == 1 else table.reshape(
                    (-1,) + table.shape[2:])
            status, report = identify(table)
            said["declined" if status else "identified"] += 1
            if status:
                declined.append(f"{case['id']} {name}: {report['answer']}")
    return said, declined


def main():
    full = "--all" in sys.argv
    cases = [*sinusoids(full), *others(full)]
    sample = "FULL" not in os.environ and not full
    cases = cases[::15 if sample else 1]
    bad = 0
    print(f"1..{len(cases) + 1}")
    for i, (command, dtype) in enumerate(cases, 1):
        why = round_trip(command, dtype)
        name = " ".join(["identify", *command, dtype or ""])
        if why == "skip":
            print(f"ok {i} - {name} # skip: no such command")
            continue
        bad += why is not None
        print(f"{'not ok' if why else 'ok'} {i} - {name}" + (f": {why}" if why else ""))
    why = [f"{' '.join(c)} {d}: {w}" for c, d in list(unusual())[::5 if sample else 1] for w in [named_falsely(c, d)] if w]
    bad += bool(why)
    print(f"{'not ok' if why else 'ok'} {len(cases) + 1} - no unusual parameter is told as a usual one")
    print("".join(f"# {w}\n" for w in why), end="")
    if full:
        said, declined = golden()
        print("\n".join("# " + line for line in declined))
        print(f"# golden tables: {said['identified']} identified, {said['declined']} declined")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
