#!/usr/bin/env python3
"""A configuration gives its model's table or is refused, whatever is done to its keys.

The oracle is tests/golden/models/class_defaults.json: what each class of transformers
assumes where a file says nothing. Of every model type a file is written with all keys;
then each key is removed, misspelt or given another value. posenc must take the value of
the file, or the class's default with a note that names both, or end with status 2 and
one sentence. TAP on standard output.
"""

import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODELS = os.path.join(TOP, "tests", "golden", "models")
POSENC = os.path.join(TOP, os.environ.get("B", "build"), "posenc")
WORKERS = os.cpu_count() + 1
DEFAULTS = json.load(open(os.path.join(MODELS, "class_defaults.json")))

# Runs posenc for each line "FILE WHAT" of standard input: FILE.out, .err, .status.
LOOP = """while read -r file what; do
"$0" rope --config "$file$what" --len 1 --out freqs --json - >"$file.out" 2>"$file.err"
echo $? >"$file.status"
done"""

# Keys that make a type rotate, where it can do without.
ROTATES = {
    "esm": {"position_embedding_type": "rotary"},
    "granitemoehybrid": {"position_embedding_type": "rope"},
    "zamba2": {"use_mem_rope": True},
    "cohere2": {"sliding_window": 4096},
    "exaone4": {"sliding_window": 4096},
    "exaone_moe": {"sliding_window": 4096},
    "afmoe": {"sliding_window": 4096},
}
# Layers of which one type rotates, or of which each type has a base.
LAYERS = {
    "cohere2": "sliding_attention", "exaone4": "sliding_attention",
    "exaone_moe": "sliding_attention", "afmoe": "sliding_attention",
    "llama4_text": "chunked_attention",
    "gemma3_text": "full_attention", "gemma3n_text": "full_attention",
    "modernbert": "full_attention", "modernbert-decoder": "full_attention",
}
# Spellings of keys that are not the usual ones.
SPELLING = {
    "dbrx": {"rope_theta": "attn_config.rope_theta", "hidden_size": "d_model",
             "num_attention_heads": "n_heads"},
    "gptj": {"hidden_size": "n_embd", "num_attention_heads": "n_head"},
    "codegen": {"hidden_size": "n_embd", "num_attention_heads": "n_head"},
    "gpt_neox": {"rope_theta": "rotary_emb_base", "partial_rotary_factor": "rotary_pct"},
    "gpt_neox_japanese": {"rope_theta": "rotary_emb_base"},
    "modernbert": {"rope_theta": "global_rope_theta"},
    "modernbert-decoder": {"rope_theta": "global_rope_theta"},
    "moonshine": {"num_attention_heads": "decoder_num_attention_heads"},
    "jetmoe": {"head_dim": "kv_channels"},
    # These take a base beside rope_parameters in version 4 alone, or not at all.
    **{name: {"rope_theta": "rope_parameters.rope_theta"} for name in (
        "apertus", "cwm", "higgs_audio_v2", "ministral3", "pe_audio_encoder")},
}
# Pairs of positions by time, row and column: as many as the class's sections have.
SECTIONS = {"qwen3_vl_text": 64, "qwen3_vl_moe_text": 64, "qwen3_5_text": 32,
            "qwen3_5_moe_text": 32, "glm4v_text": 32, "glm4v_moe_text": 32,
            "glm_image_text": 32, "glm_ocr_text": 32}
# transformers 4 and 5 rotate different parts of a head: refused, whatever the file says.
REFUSED = {"bamba"}
# Without the key versions differ.
NO_PART = {"recurrent_gemma"}
# The class's default of rope_interleave is true: the table was made with false.
INTERLEAVED = {"glm4_moe_lite", "youtu"}
HEAD_OF_CLASS = {"jetmoe": 128}  # kv_channels
DIM_OF_CLASS = {"gptj": 64, "codegen": 64}  # rotary_dim
TWO_D = re.compile("rows")
WRONG = ['"12"', "-4", "0", "[8]", "true", "{}"]
ON_GRIDS = "dinov3_vit", "pixtral"  # 'rope --config' makes their tables, not with --len
OTHER = ["1e300", "2.5", "null"]


class Model:
    """A row of class_defaults.json, and a file that has all of its keys."""

    def __init__(self, row):
        self.row, self.type = row, row["model_type"]
        self.fixed = "fixed" in row.get("note", "")
        self.key = {name: name for name in ("rope_theta", "hidden_size", "num_attention_heads",
                                            "head_dim", "partial_rotary_factor", "rotary_dim")}
        if "qk_rope_head_dim" in row:
            self.key["head_dim"] = "qk_rope_head_dim"
        self.key.update(SPELLING.get(self.type, {}))
        self.default = self.defaults()

    def defaults(self):
        row, key = self.row, self.key
        base = row["rope_theta"]
        gpt = {"hidden_size": 4096, "num_attention_heads": 16} if self.type in DIM_OF_CLASS else {}
        plain = {"hidden_size": 768, "num_attention_heads": 12} if self.fixed and not gpt else {}
        row = {**gpt, **plain, **row}
        default = {
            "rope_theta": base["full_attention"] if isinstance(base, dict) else base,
            "head_dim": row.get("qk_rope_head_dim") or HEAD_OF_CLASS.get(self.type) or
                        row["head_dim"],
            "partial_rotary_factor": row.get("partial_rotary_factor", 1),
            "rotary_dim": DIM_OF_CLASS.get(self.type),
            "hidden_size": row.get("hidden_size"),
            "num_attention_heads": row.get("num_attention_heads"),
        }
        return {key[name]: value for name, value in default.items()}

    def of(self, name):
        return self.default[self.key[name]]

    def file(self):
        """A file with every key that the class reads, none at its default."""
        heads = self.of("num_attention_heads")
        sections = SECTIONS.get(self.type)
        keys = {"model_type": self.type, **ROTATES.get(self.type, {})}
        if not self.fixed:
            keys[self.key["rope_theta"]] = 12345.0
        if self.of("head_dim"):
            keys[self.key["head_dim"]] = 96
        if "qk_rope_head_dim" not in self.row:
            keys[self.key["hidden_size"]] = 64 * (heads or 8)
            keys[self.key["num_attention_heads"]] = 4
        if self.of("partial_rotary_factor") != 1:
            keys[self.key["partial_rotary_factor"]] = 0.75
        if sections:  # of this many pairs, as those of the class
            part = keys.get("partial_rotary_factor", 1)
            keys["head_dim"] = int(2 * sections / part)
            if part != 1:
                keys["head_dim"], keys["partial_rotary_factor"] = 4 * sections, 0.5
        if self.type in DIM_OF_CLASS:
            keys["rotary_dim"] = 32
        return keys

    def wide(self):
        """Some classes have heads of more than hidden_size / num_attention_heads."""
        if "rotary_dim" not in self.row or self.of("head_dim") or self.fixed:
            return 1
        head = self.of("hidden_size") / self.of("num_attention_heads")
        return max(1, round(self.row["rotary_dim"] / head / self.of("partial_rotary_factor")))


class Reading:
    """What a file must mean: facts and notes, or why it is refused."""

    def __init__(self, model, keys):
        self.model, self.keys, self.read = model, keys, set()
        self.notes, self.why = [], None
        self.facts = self.make()

    def number(self, name, least=1, whole=True):
        """The value of a key, or the default of the class."""
        key = self.model.key[name]
        self.read.add(key)
        value = self.keys.get(key)
        if value is None:
            value = self.model.default[key]
            if value is None:
                self.refuse(key.split(".")[-1])
            self.notes.append((key.split(".")[-1], value))
        elif isinstance(value, bool) or not isinstance(value, (int, float)) or value < least \
                or whole and (value != int(value) or value > 1 << 30):
            self.refuse(key.split(".")[-1])
        return value

    def refuse(self, *words):
        self.why = self.why or words

    def base(self):
        model = self.model
        if model.fixed:
            return model.of("rope_theta")
        before = len(self.notes)
        base = self.number("rope_theta", 1e-300, False)
        if self.keys.get(model.key["rope_theta"], 0) is None:
            self.refuse("null")
        if len(self.notes) > before and "rope_theta_transformers_4" in model.row:
            self.refuse(f"{model.row['rope_theta_transformers_4']:.15g}", f"{base:.15g}")
        return base

    def head(self):
        model = self.model
        if model.of("head_dim") or self.keys.get(model.key["head_dim"]) is not None:
            return self.number("head_dim", 2)
        hidden, heads = self.number("hidden_size"), self.number("num_attention_heads")
        if self.why:
            return None
        hidden *= model.wide()
        if hidden % heads or not 2 <= hidden // heads <= 1 << 20:
            self.refuse(model.key["hidden_size"])
        return hidden // heads

    def make(self):
        model = self.model
        base, head, part = self.base(), self.head(), 1
        if model.of("partial_rotary_factor") != 1:
            before = len(self.notes)
            part = self.number("partial_rotary_factor", 1e-6, False)
            if len(self.notes) > before and model.type in NO_PART:
                self.refuse("partial_rotary_factor")
            if not self.why and part > 1:
                self.refuse(model.key["partial_rotary_factor"])
        if self.why:
            return None
        dims = int(head * part)
        if model.type in DIM_OF_CLASS:
            dims = self.number("rotary_dim", 2)
            if self.keys.get("rotary_dim", 0) is None:
                self.refuse("rotary_dim=null")
        pairs = SECTIONS.get(model.type)
        if self.why or dims < 2 or dims % 2 or dims > head or head > 1 << 20 or \
                pairs and dims != 2 * pairs:
            self.refuse()
            return None
        pairs = "interleaved" if model.type in INTERLEAVED else model.row["pairing"]
        return {"dim": head, "rotary-dim": dims, "base": base, "pairs": pairs}


def misspelt(key):
    """A letter less, two letters swapped, one letter twice: in the last word."""
    head, dot, name = key.rpartition(".")
    at = len(name) // 2
    swap = next((i for i in range(at, len(name) - 1) if name[i] != name[i + 1]), 0)
    for new in (name[:at] + name[at + 1:],
                name[:swap] + name[swap + 1] + name[swap] + name[swap + 2:],
                name[:at] + name[at] + name[at:]):
        yield head + dot + new


def text_of(keys):
    """A file of one key per line; those with a dot are objects; values may be JSON."""
    def value(x):
        return x[1] if isinstance(x, tuple) else json.dumps(x)
    lines = []
    for key, x in keys.items():
        outer, dot, inner = key.partition(".")
        lines.append(f'"{outer}": {{"{inner}": {value(x)}}}' if dot else f'"{key}": {value(x)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def line_of(text, key):
    """The line of a key, from 1; 0: none."""
    return next((n for n, line in enumerate(text.split("\n"), 1)
                 if f'"{key.split(".")[-1]}":' in line), 0)


class Case:
    """A file, what it says, and how to judge what posenc says."""

    def __init__(self, group, name, text, layers, judge):
        self.group, self.name, self.text, self.layers, self.judge = group, name, text, layers, judge

    def verdict(self, path):
        """None, or what is wrong."""
        out, err = open(path + ".out").read(), open(path + ".err").read()
        said = Said(int(open(path + ".status").read()), out, err)
        return said.broken() or self.judge(said)


class Said:
    """What posenc said of a file."""

    def __init__(self, status, out, err):
        self.status, self.err = status, err
        self.lines = err.splitlines()
        self.out = json.loads(out) if status == 0 and out else out
        self.options = self.out["options"] if status == 0 and out else None

    def broken(self):
        if self.status not in (0, 2):
            return f"status {self.status}: {self.err[:200]}"
        if self.status == 2 and (self.out or len(self.lines) != 1):
            return f"more than a sentence: {self.lines}"
        return None

    def notes(self, key, *values):
        """Whether a note names the key and its value."""
        return any(re.search(rf"\b{re.escape(key)}\b", line) and
                   all(f"{value:.15g}" in line for value in values) for line in self.lines)

    def differs(self, facts):
        """None, or how the table is not that of the facts."""
        for name, value in facts.items():
            if value is not None and self.options[name] != value:
                return f"{name} {self.options[name]}, not {value}"
        if self.options["scaling"] is not None:
            return None
        for k, x in enumerate(self.out["data"][0]):
            wanted = facts["base"] ** (-2 * k / facts["rotary-dim"])
            if abs(abs(x) - wanted) > 1e-6 * wanted + 1e-44:
                return f"frequency {k} is {x}, not {wanted}"
        return None


def exactly(reading, place=None):
    """Judges by a reading; place: "LINE:KEY" where a refusal must point."""
    def judge(said):
        if reading.facts is None:
            if said.status != 2:
                return f"not refused, though {reading.why}"
            missing = [word for word in reading.why if word not in said.err]
            return f"does not name {missing}: {said.err}" if missing else pointed(said)
        if said.status:
            return f"refused: {said.err}"
        silent = [note for note in reading.notes if not said.notes(*note)]
        return f"no note on {silent}: {said.lines}" if silent else said.differs(reading.facts)

    def pointed(said):
        if place is None or re.search(rf":{place[0]}:\d+: {place[1]}: ", said.err):
            return None
        return f"does not point to line {place[0]}: {said.err}"
    return judge


def refused_or(judge, key, place):
    """Judges a misspelt key: refused by its name and place, or as if it were missing."""
    def either(said):
        if said.status == 2 and re.search(rf":{place}:\d+: {key}: ", said.err):
            return None
        return judge(said)
    return either


def refused(*words):
    def judge(said):
        if said.status != 2:
            return "not refused"
        missing = [word for word in words if word not in said.err]
        return f"does not say {missing}: {said.err}" if missing else None
    return judge


def cases_of_type(model):
    """Every file that is made of a type's full one."""
    name, full = model.type, model.file()
    layers = ":" + LAYERS[name] if name in LAYERS else ""

    def case(what, keys, judge):
        return Case(name, what, text_of(keys), layers, judge)

    yield case("all keys", full, exactly(Reading(model, full)))
    bare = {key: full[key] for key in ("model_type", *ROTATES.get(name, {}))}
    yield case("no keys", bare, exactly(Reading(model, bare)))
    if layers:
        yield Case(name, "no layers chosen", text_of(full), "", refused("_attention"))
        yield Case(name, "unknown layers", text_of(full), ":layers", refused("'layers'"))
    for wrong in misspelt("model_type"):
        keys = {wrong if k == "model_type" else k: v for k, v in full.items()}
        yield Case(name, wrong, text_of(keys), "", refused(":2:", f"{wrong}: unknown key"))
    for key in ROTATES.get(name, {}):
        for wrong in misspelt(key):
            keys = {wrong if k == key else k: v for k, v in full.items()}
            yield Case(name, wrong, text_of(keys), layers, refused())
    used = Reading(model, full).read
    for key in [key for key in full if key in model.default]:
        rest = {k: v for k, v in full.items() if k != key}
        removed = exactly(Reading(model, rest))
        yield case(f"without {key}", rest, removed)
        for wrong in misspelt(key):
            keys = {wrong if k == key else k: v for k, v in full.items()}
            last = wrong.split(".")[-1]
            yield case(f"{key} as {wrong}", keys,
                       refused_or(removed, last, line_of(text_of(keys), wrong)))
        if key in used:
            yield from cases_of_values(case, model, full, key)


def cases_of_values(case, model, full, key):
    """Values that a key can't have, and some that it can: another few for each type."""
    turn = sum(map(ord, model.type + key))
    for value in (WRONG * 2)[turn % len(WRONG):][:2]:
        keys = {**full, key: ("json", value)}
        place = (line_of(text_of(keys), key), key.split(".")[-1])
        reading = Reading(model, {**full, key: json.loads(value)})
        yield case(f"{key} {value}", keys, exactly(reading, place))
    for value in OTHER[turn % len(OTHER):][:1]:
        keys = {**full, key: ("json", value)}
        yield case(f"{key} {value}", keys, exactly(Reading(model, {**full, key: json.loads(value)})))


def cases_without_rotary():
    """Types that do not rotate are refused, and the sentence says what they use."""
    for name in DEFAULTS["without_rotary"]:
        yield Case("types without rotary positions", name, text_of({"model_type": name}), "",
                   refused(name, "position"))


# Keys of golden files that may be missing: another rule of the class holds.
OPTIONAL = {"rope_scaling", "rope_parameters", "head_dim", "attention_factor", "truncate"}


def changed(key, removed, before):
    """Judges a golden file without a key: the same table, a note, or a sentence."""
    def judge(said):
        if said.status == 2 or said.options == before() or said.notes(key) or \
                removed and key in OPTIONAL:
            return None
        return f"another table without a note on {key}: {said.options}"
    return judge


ABOUT = re.compile("rope|rotary|head|hidden_size|n_embd|d_model|theta|factor|beta|mscale|type$|"
                   "max_position|truncate|layer_types|alibi|window|kv_channels|partial")


def cases_of_file(path, layers):
    """A golden file with each key about positions removed or misspelt."""
    group = os.path.basename(path) + layers
    root = json.load(open(path))
    parts = [root] + [root[k] for k in ("text_config", "attn_config") if k in root]
    parts += [part[k] for part in parts[:2] for k in ("rope_scaling", "rope_parameters")
              if isinstance(part.get(k), dict)]
    first = {}

    def keep(said):
        first["options"] = said.options
        return None if said.status == 0 else f"refused: {said.err}"
    yield Case(group, "as it is", json.dumps(root, indent=1), layers, keep)
    for part in parts:
        for key in [key for key in part if ABOUT.search(key)]:
            items = list(part.items())
            for new in (None, list(misspelt(key))[sum(map(ord, group + key)) % 3]):
                if new in part:
                    continue
                part.clear()
                part.update((new if k == key else k, v) for k, v in items
                            if k != key or new is not None)
                yield Case(group, f"{key} as {new}", json.dumps(root, indent=1), layers,
                           changed(key, new is None, lambda: first["options"]))
            part.clear()
            part.update(items)


def golden_files():
    """Golden files that give a table, each with its layers."""
    found = {}
    for case in json.load(open(os.path.join(MODELS, "manifest.json")))["cases"]:
        if case.get("expected") != "refuse" and "--config" in case["argv"]:
            name, _, layers = case["argv"][case["argv"].index("--config") + 1].partition(":")
            found[name] = layers and ":" + layers
    return sorted(found.items())


def all_cases():
    step = 1 if "FULL" in os.environ else 17
    for row in DEFAULTS["rotary"][::step]:
        if TWO_D.search(row.get("note", "")) or row["model_type"] in REFUSED:
            text = text_of({"model_type": row["model_type"]})
            grid = row["model_type"] in ON_GRIDS
            yield Case(row["model_type"], "refused", text, "",
                       refused("--grid" if grid else row["model_type"]))
        else:
            yield from cases_of_type(Model(row))
    yield from cases_without_rotary()
    for name, layers in golden_files()[::step]:
        yield from cases_of_file(os.path.join(MODELS, name), layers)


def run_share(folder, numbered):
    """Let one shell run posenc on a share of the files."""
    lines = "".join(f"{i} {case.layers}\n" for i, case in numbered)
    subprocess.run(["sh", "-c", LOOP, POSENC], input=lines, text=True, cwd=folder, check=True)


def run_all(folder, cases):
    for i, case in enumerate(cases):
        with open(os.path.join(folder, str(i)), "w") as file:
            file.write(case.text)
    numbered = list(enumerate(cases))
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(lambda k: run_share(folder, numbered[k::WORKERS]), range(WORKERS)))


def main():
    cases, wrong = list(all_cases()), {}
    with tempfile.TemporaryDirectory() as folder:
        run_all(folder, cases)
        for i, case in enumerate(cases):
            why = case.verdict(os.path.join(folder, str(i)))
            wrong.setdefault(case.group, []).extend([f"{case.name}: {why}"] if why else [])
    print(f"1..{len(wrong)}")
    for n, (group, found) in enumerate(wrong.items(), 1):
        print(f"{'not ok' if found else 'ok'} {n} - {group}")
        print("".join(f"# {why.strip()}\n" for why in found), end="")
    print(f"# {len(cases)} files")
    return any(wrong.values())


if __name__ == "__main__":
    sys.exit(main())
