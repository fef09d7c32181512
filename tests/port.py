"""What posenc config --for says, said: merged into a config.json or written as a GGUF file, it
must be the same positions. TAP on standard output.

Models are those of golden/models/configs, and some of them with another scaling.
"""

import glob
import json
import os
import re
import subprocess
import sys

from cases import case, main

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
POSENC = os.path.abspath(os.path.join(os.environ.get("B", "build"), "posenc"))
CONFIGS = os.path.join(TOP, "tests", "golden", "models", "configs")
TYPES = {"uint32": "u32", "float32": "f32", "string": "str"}

LISTS = {"short_factor": [1 + 0.01 * k for k in range(64)],
         "long_factor": [1 + 0.5 * k for k in range(64)]}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
SCALINGS = {
    "linear": {"rope_type": "linear", "factor": 2.5},
    "dynamic": {"type": "dynamic", "factor": 3.0},
    "yarn": YARN,
    "yarn-attention": {**YARN, "attention_factor": 0.9, "beta_fast": 16, "beta_slow": 2},
    "yarn-mscale": {**YARN, "mscale": 1.2, "mscale_all_dim": 0.7},
    "yarn-sharp": {**YARN, "truncate": False},
    "llama3": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
               "high_freq_factor": 4.0, "original_max_position_embeddings": 2048},
    "longrope": {"rope_type": "longrope", "attention_factor": 1.1, **LISTS},
}

# Keys that vLLM alone reads; masks that posenc does not read in GGUF files.
VLLM_ONLY = {"llama-yarn-attention", "llama-longrope"}
UNREAD = {"modernbert-base"}


def posenc(*argv):
    made = subprocess.run([POSENC, *argv], capture_output=True, text=True)
    return made.returncode, made.stdout, made.stderr


def merged(a, b):
    """jq's .[0] * .[1]."""
    if not (isinstance(a, dict) and isinstance(b, dict)):
        return b
    return {**a, **{k: merged(a[k], v) if k in a else v for k, v in b.items()}}


def bare(config):
    """Without what is said about rotation."""
    names = ("rope_theta", "rope_scaling", "rope_parameters", "partial_rotary_factor", "rotary_pct",
             "rotary_emb_base", "rope_local_base_freq", "global_rope_theta", "local_rope_theta",
             "rope_ratio", "rotary_emb_fraction", "original_max_position_embeddings")
    return {k: bare(v) if isinstance(v, dict) and k.endswith("_config") else v
            for k, v in config.items() if k not in names}


def models():
    """Names and configurations."""
    for file in sorted(glob.glob(os.path.join(CONFIGS, "*.json"))):
        yield os.path.basename(file)[:-5], json.load(open(file))
    llama = json.load(open(os.path.join(CONFIGS, "llama-2-7b.json")))
    hunyuan = {**llama, "model_type": "hunyuan_v1_dense",
               "rope_scaling": {"type": "dynamic", "alpha": 1000.0, "factor": 1.0}}
    for name, scaling in SCALINGS.items():
        lengths = {"max_position_embeddings": 16384, "original_max_position_embeddings": 4096}
        yield "llama-" + name, {**llama, **(lengths if name == "longrope" else {}),
                                "rope_scaling": scaling}
    yield "hunyuan-alpha", hunyuan


def write(name, config):
    with open(name, "w") as file:
        json.dump(config, file)
    return name


def said(file, target, *more):
    """The status of --for, and its report; None: refused."""
    status, out, _ = posenc("config", file, "--for", target, *more, "--json", "-")
    return status, None if status == 2 else json.loads(out)


# Without weights, compare does not know whether they were permuted; all else is the same. And
# llama.cpp has no windows in some architectures, which the report says.
PERMUTED = re.compile("not known whether .*: [AB] rotates halves and [AB] neighbours, and the rows")
WINDOW = "not the same positions: mask differs: "


def compare(a, b, what, windows=False):
    _, out, error = posenc("compare", a, b)
    assert (out.startswith(("the same positions", WINDOW) if windows else "the same positions") or
            "gguf" in a + b and PERMUTED.match(out)), f"{what}: {(out or error).splitlines()[0]}"


def gguf_file(file, keys, tensors, config):
    """A GGUF file of what is said, and of sizes that are no positions."""
    architecture = keys[0]["name"].split(".")[0]
    text = config.get("text_config", config)
    sizes = {"block_count": "num_hidden_layers", "embedding_length": "hidden_size",
             "attention.head_count": "num_attention_heads"}
    args = [f".{k}=u32:{text[v]}" for k, v in sizes.items() if v in text]
    factors = {"attention.scale": "attention_multiplier",
               "attn_logit_softcapping": "attn_logit_softcapping"}
    args += [f".{k}=f32:{text[v]}" for k, v in factors.items() if text.get(v)]
    if "qk_nope_head_dim" in text:
        size = text["qk_nope_head_dim"] + text["qk_rope_head_dim"]
        args.append(f".attention.key_length=u32:{size}")
    for key in keys:
        kind, value = TYPES.get(key["type"], "[i32]"), key["value"]
        args.append(f"{key['name']}={kind}:{value}")
    args += ["@x=f32:1", *(f"@{t['name']}=f32:{t['value']}" for t in tensors)]
    subprocess.run([sys.executable, os.path.join(TOP, "tests", "gguf_file.py"), file, architecture,
                    *args], check=True)


def merge_all(target):
    count = 0
    for name, config in models():
        status, report = said(write("a.json", config), target)
        if status or "json" not in report.get("set", {}):
            continue
        count += 1
        for base in (config, bare(config)):
            both = write("b.json", merged(base, report["set"]["json"]))
            compare("a.json", both, f"{name} for {target}, {'bare' if base != config else 'whole'}")
    assert count > 50, count


@case
def keys_of_transformers_4_are_the_same_positions():
    merge_all("transformers4")


@case
def keys_of_transformers_5_are_the_same_positions():
    merge_all("transformers5")


@case
def overrides_of_vllm_are_the_same_positions():
    for name, config in models():
        status, report = said(write("a.json", config), "vllm")
        if status or "flags" not in report or name in VLLM_ONLY:
            continue
        keys = report["flags"]["--hf-overrides"]
        model, keys = (config["text_config"], keys["text_config"]) if "text_config" in keys else \
            (config, keys)
        model.update({**keys, "rope_scaling": None})
        compare("a.json", write("b.json", config), name)


@case
def keys_and_tensors_of_gguf_are_the_same_positions_and_say_them_again():
    count = 0
    for name, config in models():
        status, report = said(write("a.json", config), "gguf")
        if status or name in UNREAD:
            continue
        count += 1
        gguf_file("b.gguf", report["keys"], report.get("tensors", []), config)
        windows = any("window" in line for line in report.get("limits", {}).get("differs", []))
        compare("a.json", "b.gguf", name, windows)
        status, report = said("b.gguf", "transformers5")
        assert not status, name
        keys, model = report["set"]["json"], bare(config)
        if "text_config" in model:
            keys = {"text_config": keys}
        compare("b.gguf", write("c.json", merged(model, keys)), name + " again", windows)
    assert count > 30, count


@case
def a_longer_context_is_covered_when_it_is_set():
    for name, config in models():
        for target in ("transformers4", "transformers5"):
            status, report = said(write("a.json", config), target, "--context", "4M")
            if status or not report["answer"].endswith("needs a change, in the words of " + target):
                continue
            write("b.json", merged(config, report["set"]["json"]))
            _, out, error = posenc("config", "b.json", "--context", "4M", "--json", "-")
            assert "which the file covers" in out, f"{name}: {error}"
            again = json.loads(out)["context"]
            assert again["attention_factor"] == report["context"]["attention_factor"], name


if __name__ == "__main__":
    sys.exit(main())
