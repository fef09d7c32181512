"""Compares the module of make web, under node, with golden tables and with posenc; with
--page, the page of posenc explore in Chromium, set by its controls.

The golden tables of its encodings whose commands need no file; every preset; and SETS
random tables, of options drawn from what the module says of its encodings: the same
bytes as posenc --raw, or the same refusal. Hostile tables are shown as what they are.
TAP on standard output.
Usage: web.py [--page] [SETS [SEED]]
"""

import base64
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import golden

BUILD = os.environ.get("B", "build")
WASM = os.path.join(BUILD, "web", "posenc.wasm")
PAGE = os.path.abspath(os.path.join(BUILD, "web", "explore.html"))
HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMES = ("sinusoid", "rope", "t5-bucket", "relative", "alibi", "naive", "grid",
           "mask")
# What a table needs, unless it is drawn
NEEDS = {"sinusoid": {"len": "9", "dim": "8"}, "rope": {"len": "9", "dim": "8"},
         "t5-bucket": {"len": "9"}, "relative": {"len": "9"}, "naive": {"len": "9"},
         "alibi": {"len": "9", "heads": "3"}, "grid": {"grid": "3x4", "dim": "24"},
         "mask": {"len": "9"}}
# Values of options without choices, where a number of their range won't do
TEXTS = {"positions": ["0,1,5,2.5", "-3,1e6,0.1", "1:4", "9007199254740991,7"],
         "scaling": ["linear:4", "ntk:2", "dynamic:2,64", "yarn:4,4096", "llama3:8,8192",
                     "longrope:8,short=1:2:3:4,long=4:3:2:1"],
         "grid": ["2x3", "2x3x2", "4x4"], "window": ["2x3", "3x3"],
         "denom": ["dim", "half", "half-1", "shift:0.5"], "sections": ["2,1,1"],
         "distances": ["-9:9", "0:200"], "base": ["10000", "500000", "1e2", "2.5"]}


class Node:
    """A script in a process of node, which answers lines in JSON."""

    def __init__(self, *words):
        self.node = subprocess.Popen(["node", *words], text=True, stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)

    def ask(self, line):
        self.node.stdin.write(line + "\n")
        self.node.stdin.flush()
        return json.loads(self.node.stdout.readline())


class Library(Node):
    """The module."""

    def __init__(self):
        super().__init__(os.path.join(HERE, "web_library.mjs"), WASM)

    def recipes(self):
        return [r for r in self.ask("recipes") if r["name"] in SCHEMES]

    def made(self, words):
        return self.ask(shlex.join(words))

    def table(self, command):
        """The values of a command as golden.posenc() has them; --dtype f64: not rounded."""
        words = list(command)
        double = "--dtype" in words
        if double:
            at = words.index("--dtype")
            double = words[at + 1] in ("f64", "float64")
            del words[at:at + 2]
        made = self.made(words)
        if "error" in made:
            raise RuntimeError(made["error"])
        dtype = "float64" if double else made["dtype"]
        values = np.frombuffer(base64.b64decode(made["doubles" if double else "bytes"]), dtype)
        shape = (made["planes"], made["rows"], made["cols"])
        return values.reshape(shape if made["plane_axis"] else shape[1:])


class Page(Node):
    """The page in a browser, whose controls set the options."""

    def __init__(self, browser):
        super().__init__(os.path.join(HERE, "web_controls.mjs"), browser, PAGE)

    def recipes(self):
        """Those of the module, with the options that have a control."""
        recipes = Library().recipes()
        for r in recipes:
            names = self.ask(json.dumps({"scheme": r["name"]}))
            r["options"] = [o for o in r["options"] if o["name"] in names]
        return recipes

    def made(self, words):
        begin = [words[0]]
        for name, value in NEEDS[words[0]].items():
            begin += ["--" + name, value]
        return self.ask(json.dumps({"begin": " ".join(begin), "words": words}))


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
    if "temperature" in chosen and "base" in chosen:  # one option with two names
        chosen.remove("base")
    words = [recipe["name"]]
    for name, value in NEEDS[recipe["name"]].items():
        if name not in chosen:
            words += ["--" + name, value if draw.random() < 0.7 else
                      drawn_value(draw, options[name])]
    for name in chosen:
        value = drawn_value(draw, options[name])
        words += ["--" + name] + ([] if value is None else [value])
    return words


def unlike(made, words):
    """None, or how what was made of a command differs from what the program does."""
    run = subprocess.run([golden.POSENC, *words, "--raw", "-"], capture_output=True)
    if run.returncode:
        why = run.stderr.decode().strip().split(": ", 1)[1]
        # Integers of a page have 32 bits
        same = made.get("error") in (why, why.replace("2^53", "2^28"))
        return None if same else f"refused with {why!r}, not {made.get('error')!r}"
    if "error" in made:
        return f"refused with {made['error']!r}"
    if base64.b64decode(made["bytes"]) != run.stdout:
        return "other bytes"
    if "doubles" in made:
        run = subprocess.run([golden.POSENC, *words, "--dtype", "f64", "--raw", "-"],
                             capture_output=True)
        if base64.b64decode(made["doubles"]) != run.stdout:
            return "other bytes in double precision"
    text = subprocess.run([golden.POSENC, *words, "--csv", "-"], capture_output=True, text=True)
    cells = text.stdout.replace("\n", ",").strip(",").split(",")
    if (made["first"], made["last"], made["past"]) != (cells[0], cells[-1], None):
        return f"text {made['first']} to {made['last']}, not {cells[0]} to {cells[-1]}"
    return None


def random_sets(library, recipes, sets, seed):
    """As many tables of each encoding, and the sets that were refused meanwhile."""
    draw = random.Random(seed)
    for recipe in recipes:
        wrong, counts = [], {"bytes": 0, "error": 0, "unset": 0}
        while counts["bytes"] * len(recipes) < sets and sum(counts.values()) < 9 * sets:
            words = drawn(draw, recipe)
            made = library.made(words)
            counts[next(c for c in counts if c in made)] += 1
            why = "unset" not in made and unlike(made, words)
            if why:
                wrong.append(f"{shlex.join(words)}: {why}")
        if counts["bytes"] * len(recipes) < sets:
            wrong.append("too few tables")
        yield (f"{recipe['name']}: {counts['bytes']} random tables and {counts['error']} "
               f"refusals, seed {seed}", "; ".join(wrong[:3]))


def presets(library, recipes):
    for recipe in recipes:
        wrong = []
        for preset in recipe["presets"]:
            words = [recipe["name"], "--preset", preset["name"]]
            for name, value in NEEDS[recipe["name"]].items():
                words += ["--" + name, value]
            why = unlike(library.made(words), words)
            if why:
                wrong.append(f"{preset['name']}: {why}")
        yield f"{recipe['name']}: {len(recipe['presets'])} presets", "; ".join(wrong)


def as_shown(x):
    """A number as JavaScript writes it, but for the digits of large and small ones."""
    return repr(float(x)).removesuffix(".0").replace("nan", "NaN").replace("inf", "Infinity")


def hostile(page):
    """Tables with names and values that a page could take for something else."""
    name = "</script><script>console.log(1)<!--&\u2028'\"`${1}.npy"
    tables = {"odd": (name.replace("/", "\u2215"), [[np.nan, np.inf, -np.inf, -0.5]]),
              "row": ("row.npy", [[1.5] * 7]), "column": ("column.npy", [[0.25]] * 300),
              "wide": ("wide.npy", np.arange(8192.).reshape(2, 4096)),
              "equal": ("equal.npy", np.zeros((64, 64))),
              "empty name": (".npy", np.eye(3)), "heads": ("heads.npy", np.ones((3, 4, 5)))}
    with tempfile.TemporaryDirectory() as folder:
        for what, (file, values) in tables.items():
            path, out = os.path.join(folder, "out.html"), os.path.join(folder, file)
            np.save(out, values)
            subprocess.run([golden.POSENC, "explore", out, "-o", path], check=True)
            seen = page.ask(json.dumps({"open": path}))
            plain = [as_shown(x) for x in np.ravel(values)]
            ok = (len(seen["shown"]) == 1 and seen["shown"][0]["name"].endswith(file) and
                  seen["shown"][0]["values"] == plain and seen["said"] == [] and
                  seen["elements"] == 3)
            yield f"a table: {what}", None if ok else f"{seen['said']}, {seen['elements']} elements, " \
                f"{[(t['name'], t['values'][:4]) for t in seen['shown']]}"


def module_results(sets, seed):
    library = Library()
    recipes = library.recipes()
    golden.posenc = library.table
    with open(os.path.join(golden.HERE, "manifest.json")) as file:
        manifest = json.load(file)
    return [*golden_cases(manifest), *golden_sets(manifest), *presets(library, recipes),
            *random_sets(library, recipes, sets, seed)]


def page_results(sets, seed):
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, names)), None) or \
        skip("Chromium is missing (Debian: chromium)")
    page = Page(browser)
    recipes = page.recipes()
    results = [*presets(page, recipes), *random_sets(page, recipes, sets, seed), *hostile(page)]
    said = page.ask('"said"')
    return results + [("the console says nothing", "; ".join(said[:3]))]


def skip(why):
    print(f"1..1\nok 1 - the module for pages # skip {why}")
    sys.exit()


def main():
    words = sys.argv[1:]
    with_page = "--page" in words
    numbers = [int(w) for w in words if w != "--page"]
    sets, seed = numbers + [210, 1][len(numbers):]
    for file in (WASM, PAGE):
        if not os.path.exists(file):
            skip(f"{os.path.relpath(file)} is missing: make web")
    if not shutil.which("node"):
        skip("node is missing (Debian: nodejs)")
    results = (page_results if with_page else module_results)(sets, seed)
    print(f"1..{len(results)}")
    for i, (name, why) in enumerate(results, 1):
        what = "page" if with_page else "web"
        print(f"{'not ok' if why else 'ok'} {i} - {what} {name}" + (f": {why}" if why else ""))
    return any(why for _, why in results)


if __name__ == "__main__":
    sys.exit(main())
