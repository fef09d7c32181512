"""Compares the module of make web, under node, with golden tables and with posenc.

The golden tables of its encodings whose commands need no file; every preset; and SETS
random tables, of options drawn from what the module says of its encodings: the same
bytes as posenc --raw, or the same refusal. TAP on standard output.
Usage: web.py [SETS [SEED]]
"""

import base64
import json
import os
import random
import shlex
import shutil
import subprocess
import sys

import numpy as np

import golden

BUILD = os.environ.get("B", "build")
WASM = os.path.join(BUILD, "web", "posenc.wasm")
HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMES = ("sinusoid", "rope", "t5-bucket", "relative", "alibi", "naive", "grid")
# What a table needs, unless it is drawn
NEEDS = {"sinusoid": {"len": "9", "dim": "8"}, "rope": {"len": "9", "dim": "8"},
         "t5-bucket": {"len": "9"}, "relative": {"len": "9"}, "naive": {"len": "9"},
         "alibi": {"len": "9", "heads": "3"}, "grid": {"grid": "3x4", "dim": "24"}}
# Values of options without choices, where a number of their range won't do
TEXTS = {"positions": ["0,1,5,2.5", "-3,1e6,0.1", "1:4", "9007199254740991,7"],
         "scaling": ["linear:4", "ntk:2", "dynamic:2,64", "yarn:4,4096", "llama3:8,8192",
                     "longrope:8,short=1:2:3:4,long=4:3:2:1"],
         "grid": ["2x3", "2x3x2", "4x4"], "window": ["2x3", "3x3"],
         "denom": ["dim", "half", "half-1", "shift:0.5"], "sections": ["2,1,1"],
         "distances": ["-9:9", "0:200"], "base": ["10000", "500000", "1e2", "2.5"]}


class Library:
    """The module in a process of node."""

    def __init__(self):
        self.node = subprocess.Popen(
            ["node", os.path.join(HERE, "web_library.mjs"), WASM], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, line):
        self.node.stdin.write(line + "\n")
        self.node.stdin.flush()
        return json.loads(self.node.stdout.readline())

    def table(self, command):
        """The values of a command as golden.posenc() has them; --dtype f64: not rounded."""
        words = list(command)
        double = "--dtype" in words
        if double:
            at = words.index("--dtype")
            double = words[at + 1] in ("f64", "float64")
            del words[at:at + 2]
        made = self.ask(shlex.join(words))
        if "error" in made:
            raise RuntimeError(made["error"])
        dtype = "float64" if double else made["dtype"]
        values = np.frombuffer(base64.b64decode(made["doubles" if double else "bytes"]), dtype)
        shape = (made["planes"], made["rows"], made["cols"])
        return values.reshape(shape if made["plane_axis"] else shape[1:])


def has_file(words):
    return any(os.sep in str(w) or str(w) == "--config" for w in words)


def golden_cases(manifest):
    """The names of cases and what is wrong with them: arrays whose commands need no file."""
    for case in manifest["cases"]:
        group = case["scheme"] + "." + case["group"]
        if group not in golden.GROUPS:
            continue
        files = {name: os.path.join(golden.HERE, a["file"]) for name, a in case["arrays"].items()}
        commands = golden.GROUPS[group](case["params"], files)
        if not isinstance(commands[0], tuple):
            commands = [("exact" if "exact" in case["arrays"] else "out", commands)]
        commands = [(name, words) for name, words in commands if not has_file(words)]
        if commands and commands[0][1][0] in SCHEMES:
            wrong = (golden.run_array(case, words, name) for name, words in commands)
            yield case["id"], next(filter(None, wrong), None)


def golden_sets(manifest):
    """The same of tables from multiple-precision arithmetic, and of emulations."""
    cases = [c for c in manifest["cases"] if c["scheme"] == "sinusoid"]
    for group, way in golden.EMULATED.items():
        yield f"{group} --emulate {way}", golden.run_emulated(
            [c for c in cases if "sinusoid." + c["group"] == group], group, way)
    for truth in manifest["truth_tables"]:
        yield truth["id"], golden.run_truth(truth)
    for file in manifest["other_files"]:
        if "samples" in file["file"]:
            yield file["file"], golden.run_samples(os.path.join(golden.HERE, file["file"]))
    yield "truth/alibi_slopes.json", golden.run_slopes()
    yield "t5/exact_boundaries.json", golden.run_boundaries()
    yield "t5/hf_vs_exact.npy", golden.run_disagreements()


def drawn_value(draw, option):
    """A value of an option as it is typed; None: a flag."""
    if option["type"] == "flag":
        return None
    if option["name"] in TEXTS:
        return draw.choice(TEXTS[option["name"]])
    if "choices" in option:
        word = draw.choice(option["choices"])
        return word.split("[")[0].split(":")[0] + (":0.5" if ":" in word and "[" not in word else "")
    if option["type"] in ("real", "integer"):
        low, high = max(option.get("min", 0), -8), min(option.get("max", 64), 64)
        return str(draw.randint(int(low), int(high)) if option["type"] == "integer" else
                   round(draw.uniform(low, high), draw.choice((0, 3))))
    return draw.choice(("1", "2:5", "1,2,3", "0.5", "4x4"))


def drawn(draw, recipe):
    """A command of the encoding with up to three options of its own."""
    options = {o["name"]: o for o in recipe["options"] if o["type"] != "preset"}
    chosen = draw.sample(sorted(options), draw.randint(0, 3))
    words = [recipe["name"]]
    for name, value in NEEDS[recipe["name"]].items():
        if name not in chosen:
            words += ["--" + name, value if draw.random() < 0.7 else
                      drawn_value(draw, options[name])]
    for name in chosen:
        value = drawn_value(draw, options[name])
        words += ["--" + name] + ([] if value is None else [value])
    return words


def unlike(library, words):
    """None, or how the module and the program differ on a command."""
    run = subprocess.run([golden.POSENC, *words, "--raw", "-"], capture_output=True)
    made = library.ask(shlex.join(words))
    if run.returncode:
        why = run.stderr.decode().strip().split(": ", 1)[1]
        return None if made.get("error") == why else f"refused with {why!r}, not {made.get('error')!r}"
    if "error" in made:
        return f"refused with {made['error']!r}"
    if base64.b64decode(made["bytes"]) != run.stdout:
        return "other bytes"
    text = subprocess.run([golden.POSENC, *words, "--csv", "-"], capture_output=True, text=True)
    cells = text.stdout.replace("\n", ",").strip(",").split(",")
    if (made["first"], made["last"], made["past"]) != (cells[0], cells[-1], None):
        return f"text {made['first']} to {made['last']}, not {cells[0]} to {cells[-1]}"
    return None


def random_sets(library, recipes, sets, seed):
    """As many tables of each encoding, and the sets that were refused meanwhile."""
    draw = random.Random(seed)
    for recipe in recipes:
        wrong, made, refused = [], 0, 0
        while made * len(recipes) < sets:
            words = drawn(draw, recipe)
            why = unlike(library, words)
            if why:
                wrong.append(f"{shlex.join(words)}: {why}")
            if "error" in library.ask(shlex.join(words)):
                refused += 1
            else:
                made += 1
        yield (f"{recipe['name']}: {made} random tables and {refused} refusals, seed {seed}",
               "; ".join(wrong[:3]))


def presets(library, recipes):
    for recipe in recipes:
        wrong = []
        for preset in recipe["presets"]:
            words = [recipe["name"], "--preset", preset["name"]]
            for name, value in NEEDS[recipe["name"]].items():
                words += ["--" + name, value]
            why = unlike(library, words)
            if why:
                wrong.append(f"{preset['name']}: {why}")
        yield f"{recipe['name']}: {len(recipe['presets'])} presets", "; ".join(wrong)


def skip(why):
    print(f"1..1\nok 1 - the module for pages # skip {why}")
    sys.exit()


def main():
    if not os.path.exists(WASM):
        skip(f"{WASM} is missing: make web")
    if not shutil.which("node"):
        skip("node is missing (Debian: nodejs)")
    sets, seed = [int(a) for a in sys.argv[1:] + ["210", "1"][len(sys.argv) - 1:]]
    library = Library()
    recipes = [r for r in library.ask("recipes") if r["name"] in SCHEMES]
    golden.posenc = library.table
    with open(os.path.join(golden.HERE, "manifest.json")) as file:
        manifest = json.load(file)
    results = [*golden_cases(manifest), *golden_sets(manifest), *presets(library, recipes),
               *random_sets(library, recipes, sets, seed)]
    print(f"1..{len(results)}")
    for i, (name, why) in enumerate(results, 1):
        print(f"{'not ok' if why else 'ok'} {i} - web {name}" + (f": {why}" if why else ""))
    return any(why for _, why in results)


if __name__ == "__main__":
    sys.exit(main())
