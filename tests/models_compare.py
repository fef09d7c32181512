"""Conversions of small models with and without a fault: what compare says. TAP on standard output.

A model is written as a folder of Hugging Face, as GGUF, as NPZ and as PyTorch does, with
NumPy and the rules of the formats alone; then one thing is done wrong.
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

POSENC = os.path.abspath(os.path.join(os.environ.get("B", "build"), "posenc"))
RANDOM = np.random.default_rng(7)
LAYERS, HIDDEN, HEADS, KV, HEAD, WORDS = 2, 24, 4, 2, 8, 20


def draw(*shape):
    return (RANDOM.standard_normal(shape) * 0.1).astype("f4")


# What tensors are called by Hugging Face and in GGUF.
NAMES = {
    "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output",
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
}


def in_gguf(name):
    stem, end = name.rsplit(".", 1)
    layer = re.fullmatch(r"model\.layers\.(\d+)\.(.*)", stem)
    return f"blk.{layer[1]}.{NAMES[layer[2]]}.{end}" if layer else f"{NAMES[stem]}.{end}"


def decoder(bias=False):
    """Tensors of a decoder with grouped queries, as Hugging Face names them."""
    t = {"model.embed_tokens.weight": draw(WORDS, HIDDEN), "model.norm.weight": draw(HIDDEN)}
    for i in range(LAYERS):
        at = f"model.layers.{i}."
        for name, rows in (("q", HEADS * HEAD), ("k", KV * HEAD), ("v", KV * HEAD)):
            t[f"{at}self_attn.{name}_proj.weight"] = draw(rows, HIDDEN)
            if bias:
                t[f"{at}self_attn.{name}_proj.bias"] = draw(rows)
        t[at + "self_attn.o_proj.weight"] = draw(HIDDEN, HEADS * HEAD)
        for name in ("gate", "up"):
            t[f"{at}mlp.{name}_proj.weight"] = draw(2 * HIDDEN, HIDDEN)
        t[at + "mlp.down_proj.weight"] = draw(HIDDEN, 2 * HIDDEN)
        t[at + "input_layernorm.weight"] = draw(HIDDEN)
        t[at + "post_attention_layernorm.weight"] = draw(HIDDEN)
    return t


def config(kind, **more):
    return {"model_type": kind, "hidden_size": HIDDEN, "num_attention_heads": HEADS,
            "num_key_value_heads": KV, "head_dim": HEAD, "num_hidden_layers": LAYERS,
            "vocab_size": WORDS, "max_position_embeddings": 2048, "rope_theta": 10000.0, **more}


def keys(arch, **more):
    k = {"general.architecture": arch, f"{arch}.context_length": 2048,
         f"{arch}.embedding_length": HIDDEN, f"{arch}.block_count": LAYERS,
         f"{arch}.attention.head_count": HEADS, f"{arch}.attention.head_count_kv": KV,
         f"{arch}.attention.key_length": HEAD, f"{arch}.attention.value_length": HEAD,
         f"{arch}.rope.dimension_count": HEAD, f"{arch}.rope.freq_base": 10000.0}
    k.update({f"{arch}.{name.replace('__', '.')}": x for name, x in more.items()})
    return {name: x for name, x in k.items() if x is not None}


def permuted(x, heads):
    """Rows of heads from half to interleaved order: llama.cpp's permute()."""
    return x.reshape(heads, 2, x.shape[0] // heads // 2, *x.shape[1:]).swapaxes(1, 2) \
        .reshape(x.shape)


def converted(tensors, q=HEADS, k=KV):
    """The tensors of a GGUF file; q and k of so many heads are permuted, 0: not at all."""
    t = {}
    for name, x in tensors.items():
        heads = q if ".q_proj" in name else k if ".k_proj" in name else 0
        t[in_gguf(name)] = permuted(x, heads) if heads else x
    return t


# Writers of the formats.
DTYPES = {"<f4": ("F32", 0), "<f2": ("F16", 1), "<f8": ("F64", 28), "<i4": ("I32", 26),
          "<u2": ("BF16", 30)}  # a view of its bits


def write_safetensors(path, tensors):
    header, data = {}, b""
    for name, x in tensors.items():
        header[name] = {"dtype": DTYPES[x.dtype.str][0], "shape": list(x.shape),
                        "data_offsets": [len(data), len(data) + x.nbytes]}
        data += x.tobytes()
    text = json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)


def text_of(s):
    return struct.pack("<Q", len(s)) + s.encode()


def value_of(x):
    if isinstance(x, str):
        return struct.pack("<I", 8) + text_of(x)
    if isinstance(x, list):
        return struct.pack("<IIQ", 9, 4, len(x)) + struct.pack(f"<{len(x)}I", *x)
    return struct.pack("<If", 6, x) if isinstance(x, float) else struct.pack("<II", 4, x)


def padded(b):
    return b + b"\0" * (-len(b) % 32)


def q8(x):
    """Blocks of 32 values: a float16 scale and integers, as ggml makes them."""
    out = b""
    for block in x.astype("f4").reshape(-1, 32):
        scale = np.abs(block).max() / 127
        whole = np.round(block / scale) if scale else block * 0
        out += np.float16(scale).tobytes() + whole.astype("i1").tobytes()
    return out


def write_gguf(path, key_values, tensors, quantized=(), quant=8):
    infos, data = b"", b""
    for name, x in tensors.items():
        kind, raw = DTYPES[x.dtype.str][1], x.tobytes()
        if name in quantized:
            kind, raw = quant, q8(x) if quant == 8 else raw[:-(-x.size // 256) * 144]
        infos += text_of(name) + struct.pack(f"<I{x.ndim}Q", x.ndim, *x.shape[::-1]) \
            + struct.pack("<IQ", kind, len(data))
        data = padded(data + raw)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(key_values))
    head += b"".join(text_of(k) + value_of(x) for k, x in key_values.items())
    with open(path, "wb") as f:
        f.write(padded(head + infos) + data)


def text_of_pickle(s):
    return b"X" + struct.pack("<I", len(s)) + s.encode()


def write_torch(path, tensors):
    """What torch.save() writes of a dict of float32 tensors: a pickle and storages."""
    out = b"\x80\2}("
    with zipfile.ZipFile(path, "w") as archive:
        for i, (name, x) in enumerate(tensors.items()):
            archive.writestr(f"archive/data/{i}", x.tobytes())
            sizes = b"".join(b"J" + struct.pack("<i", n) for n in x.shape)
            strides = b"".join(b"J" + struct.pack("<i", n // x.itemsize) for n in x.strides)
            out += text_of_pickle(name) + b"ctorch._utils\n_rebuild_tensor_v2\n((" \
                + text_of_pickle("storage") + b"ctorch\nFloatStorage\n" \
                + text_of_pickle(str(i)) + text_of_pickle("cpu") \
                + b"J" + struct.pack("<i", x.size) + b"tQK\0(" + sizes + b"t(" + strides \
                + b"t\x89ccollections\nOrderedDict\n)RtR"
        archive.writestr("archive/data.pkl", out + b"u.")
        archive.writestr("archive/version", "3\n")


def write_folder(path, settings, tensors, npz=False):
    os.makedirs(path, exist_ok=True)
    if npz:
        np.savez(f"{path}/model.npz", **tensors)
    else:
        write_safetensors(f"{path}/model.safetensors", tensors)
    with open(f"{path}/config.json", "w", encoding="utf-8") as f:
        json.dump(settings, f)


class Pair:
    """A folder and another model, in a folder of their own."""

    count = 0

    def __init__(self):
        Pair.count += 1
        self.at = f"pair{Pair.count}"
        os.mkdir(self.at)

    def folder(self, settings, tensors, npz=False):
        path = f"{self.at}/{len(os.listdir(self.at))}"
        write_folder(path, settings, tensors, npz)
        return path

    def gguf(self, key_values, tensors, quantized=(), quant=8):
        path = f"{self.at}/{len(os.listdir(self.at))}.gguf"
        write_gguf(path, key_values, tensors, quantized, quant)
        return path


RESULTS = []


def check(what, a, b, status, *patterns, long=False):
    """Compare both ways; the first line matches all patterns. Without FULL one way, if not long."""
    ways = [(a, b), (b, a)]
    if "FULL" not in os.environ:
        if long:
            return
        ways = [ways[len(RESULTS) % 2]]
    wrong = []
    for x, y in ways:
        done = subprocess.run([POSENC, "compare", x, y], capture_output=True, text=True)
        first = done.stdout.split("\n")[0]
        if done.returncode != status or not all(re.search(p, first) for p in patterns):
            wrong.append(f"{done.returncode}: {first}{done.stderr}")
    RESULTS.append(not wrong)
    print("\n# ".join([f"{'not ' if wrong else ''}ok {len(RESULTS)} - {what}", *wrong]))


SAME = r"^the same positions and weights: "


def containers():
    t = decoder()
    p = Pair()
    a = p.folder(config("llama"), t)
    check("NPZ beside a configuration", a, p.folder(config("llama"), t, npz=True), 0, SAME)
    b = p.folder(config("llama"), {})
    os.remove(f"{b}/model.safetensors")
    write_torch(f"{b}/pytorch_model.bin", t)
    slashes = {n.replace(".", "/"): x for n, x in t.items()}
    check("names with slashes, as in HDF5", a, p.folder(config("llama"), slashes, npz=True), 0,
          SAME)
    check("a checkpoint of PyTorch beside a configuration", a, b, 0, SAME)
    check("llama in GGUF", a, p.gguf(keys("llama"), converted(t)), 0, SAME, "permuted")
    half = {n: x.astype("f2") if x.ndim > 1 else x for n, x in t.items()}
    check("float16 in GGUF", a, p.gguf(keys("llama"), converted(half)), 0, SAME, "rounding")
    names = [n for n, x in converted(t).items() if x.size % 32 == 0 and x.shape[-1] % 32 == 0]
    check("Q8_0 in GGUF", a, p.gguf(keys("llama"), converted(t), names), 0, SAME, "the error of Q8_0.s blocks")
    other = {n: x + (x == x.max()) if n == names[0] else x for n, x in converted(t).items()}
    check("Q8_0 of another value", a, p.gguf(keys("llama"), other, names), 0,
          "^the same positions, but 1 of 20")
    zeros = [{**t, "model.norm.weight": x * np.zeros(HIDDEN, "f4")} for x in (1, -1)]
    check("zeros of other signs", *(p.folder(config("llama"), z) for z in zeros), 0,
          SAME + "(?!.*rounding)")
    shuffled = dict(reversed(list(converted(t).items())))
    names = [n for n, x in converted(t).items() if "attn" not in n and x.shape[-1] == 24]
    check("types that are not read", a, p.gguf(keys("llama"), converted(t), names, 16), 0,
          "^the same positions; 8 of 20 tensors in both are not read")
    names = [n for n in converted(t) if "attn_q" in n]
    check("types of q that are not read", a, p.gguf(keys("llama"), converted(t), names, 16), 1,
          "^not known.*(q_proj|attn_q).weight and 1 more: its type IQ2_XXS is not read")
    check("two GGUF files", p.gguf(keys("llama"), converted(t)),
          p.gguf(keys("llama", file_type=1), shuffled), 0, SAME)
    t = decoder(bias=True)
    check("qwen2 is not permuted", p.folder(config("qwen2"), t),
          p.gguf(keys("qwen2"), converted(t, 0, 0)), 0, SAME)
    check("llama with biases", p.folder(config("llama", attention_bias=True), t),
          p.gguf(keys("llama"), converted(t)), 0, SAME, "permuted")
    bare = {n.removeprefix("model."): x for n, x in t.items()}
    check("names without the model's", p.folder(config("llama"), t),
          p.folder(config("llama"), bare), 0, SAME)


def layouts():
    t = decoder()
    p = Pair()
    a = p.folder(config("llama"), t)
    for what, q, k, says in (
        ("llama that is not permuted", 0, 0, r"[qk]_proj|attn_[qk].*same order.*interleaved"),
        ("k not permuted", HEADS, 0, r"(k_proj|attn_k).*same order.*permuted"),
        ("k permuted in the heads of q", HEADS, HEADS, r"as if it had 4 heads.*it has 2"),
        ("q permuted as one head", 1, KV, r"(q_proj|attn_q).*as if it had 1 head of 32.*it has 4"),
    ):
        check(what, a, p.gguf(keys("llama"), converted(t, q, k)), 1, says)
    back = {n: x.reshape(KV, HEAD // 2, 2, HIDDEN).swapaxes(1, 2).reshape(x.shape)
            if ".k_proj" in n else x for n, x in t.items()}
    check("k permuted backwards", a, p.gguf(keys("llama"), converted(back, HEADS, 0)), 1,
          "from (interleaved to half|half to interleaved) order, but A rotates")
    torn = {n: x * np.where(np.arange(x.shape[0]) == 3, np.nan, 1).astype("f4")
            .reshape(-1, *[1] * (x.ndim - 1)) if ".v_proj" in n else x for n, x in t.items()}
    check("NaN in weights", a, p.folder(config("llama"), torn), 0,
          "^the same positions, but 2 of 20")
    check("NaN in both", p.folder(config("llama"), torn), p.folder(config("llama"), torn), 0, SAME)
    large = {**t, "large": np.zeros((1100, 1000), "f4")}
    last = {**t, "large": large["large"] + (np.arange(1100) == 1099)[:, None].astype("f4")}
    wide = {"model.embed_tokens.weight": draw(2, 40000)}
    check("rows of 40000 values", p.folder(config("llama"), wide),
          p.folder(config("llama"), {n: -x for n, x in wide.items()}), 0,
          "^the same positions, but 1 of 1")
    norm, up = {"model.norm.weight": t["model.norm.weight"]}, draw(4, 4)
    check("a name of GGUF with a prefix that it never has",
          p.folder(config("llama"), {**norm, "model.blk.0.ffn_up.weight": up}),
          p.folder(config("llama"), {**norm, "model.layers.0.mlp.up_proj.weight": up}), 0,
          "1 tensor is only in A, 1 tensor is only in B")
    alone = [p.folder(config(kind), {}) + "/config.json" for kind in ("llama", "cohere")]
    check("configurations alone", *alone, 1, r"^not known.*rotates halves and . neighbours, and the rows")
    tiny = config("llama", num_attention_heads=1, num_key_value_heads=1, head_dim=2)
    two = {"model.layers.0.self_attn.q_proj.weight": draw(2, HIDDEN)}
    check("two rows", p.folder(tiny, two),
          p.folder(tiny, {n: x * np.array([[1], [3]], "f4") for n, x in two.items()}), 1, "^not known")
    deep = {f"model.layers.{i}.mlp.up_proj.weight": draw(3, 4) for i in range(11)}
    tuned = {n: x + (".2." in n or ".10." in n) for n, x in deep.items()}
    check("layers 2 and 10", p.folder(config("llama"), deep), p.folder(config("llama"), tuned), 0,
          r"^the same positions, but 2 of 11 tensors.*\.2\.")
    check("the last row of many", p.folder(config("llama"), large),
          p.folder(config("llama"), last), 0, "^the same positions, but 1 of 21")
    for what, shape in (("planes", (3, 5, 4)), ("rows", (2, 6, 4)), ("columns", (2, 5, 3))):
        check(f"a shape with other {what}", p.folder(config("llama"), {**t, "x": draw(2, 5, 4)}),
              p.folder(config("llama"), {**t, "x": draw(*shape)}), 0,
              "^the same positions, but 1 of 21")
    for name in "model.norm.weight", "model.layers.0.self_attn.q_proj.weight":
        pickled = {**t, name: np.array([1, "a"], dtype=object)}
        check(f"{name} as a pickle", a, p.folder(config("llama"), pickled, npz=True),
              int("q_proj" in name), "^not known.*q_proj" if "q_proj" in name else "1 of 20")
    odd = {n: np.roll(x, 1, 0)[:20] if ".q_proj" in n else x for n, x in t.items()}
    check("rows that are no heads, moved", p.folder(config("llama"), odd),
          p.folder(config("llama"), {n: x[:20] if ".q_proj" in n else x for n, x in t.items()}),
          1, "^not known.*row i of B is row i [+-] 1 of A")
    odd = {n: x[:20] if ".q_proj" in n else x for n, x in t.items()}
    check("rows that are no heads", p.folder(config("llama"), odd),
          p.gguf(keys("llama"), converted(odd, 0, KV)), 1, "not a multiple of the size of a head")
    whole = {**t, "ids": np.arange(6, dtype="i4")}
    check("integers", p.folder(config("llama"), whole),
          p.folder(config("llama"), {**whole, "ids": np.arange(6, dtype="f4") + 0.5}), 0,
          "^the same positions, but 1 of 21")
    check("rows that are missing", a, p.folder(config("llama"), odd), 1,
          "^not known.*q_proj.*its shape is (20 x 24 in A, 32|32 x 24 in A, 20) x 24 in B")
    few = {"model.norm.weight": t["model.norm.weight"]}
    check("no rows", p.folder(config("llama"), few), p.gguf(keys("llama"), converted(few)), 1,
          r"^not known.*rotates halves and . neighbours, and the rows")
    twice = {n: permuted(x, HEADS) if ".q_proj" in n else x for n, x in t.items()}
    check("q permuted in a folder", a, p.folder(config("llama"), twice), 1,
          r"q_proj.* and 1 more: its rows are permuted within each of 4 heads of 8",
          "both models rotate halves")
    torn = {n: x * np.where(x < 0.1, 1, np.nan).astype("f4") if ".q_proj" in n else x
            for n, x in t.items()}
    twice = {n: permuted(x, HEADS) if ".q_proj" in n else x for n, x in torn.items()}
    check("q with NaN, permuted in a folder", p.folder(config("llama"), torn),
          p.folder(config("llama"), twice), 1,
          r"q_proj.* and 1 more: its rows are permuted within each of 4 heads of 8",
          "both models rotate halves")
    t = decoder(bias=True)
    check("qwen2 that is permuted", p.folder(config("qwen2"), t),
          p.gguf(keys("qwen2"), converted(t)), 1, "permuted within each", "both models")
    half = {n: x if n.endswith("bias") else converted(t)[n] for n, x in converted(t, 0, 0).items()}
    check("biases of llama that are not permuted", p.folder(config("llama"), t),
          p.gguf(keys("llama"), half), 1, r"(proj|attn_k)\.bias")
    tuned = {n: x + draw(*x.shape) / 20 for n, x in t.items()}
    check("other values, halves", p.folder(config("llama"), t),
          p.folder(config("llama"), tuned), 0, r"^the same positions, but 26 of 26 tensors")
    check("other values, permuted", p.folder(config("llama"), t),
          p.gguf(keys("llama"), converted(tuned)), 0, r"^the same positions, but .*permuted")
    check("other values, not permuted", p.folder(config("llama"), t),
          p.gguf(keys("llama"), converted(tuned, 0, 0)), 1, "same order")
    check("other weights", p.folder(config("llama"), t),
          p.gguf(keys("llama"), converted(decoder(bias=True))), 1, "^not known", "order of rows")


def rotary_parts():
    """Heads of which the first dimensions alone rotate."""
    p, head = Pair(), 2 * HEAD
    n = HEADS * head
    t = {f"model.layers.{i}.self_attn.{x}_proj.weight": draw(n, n)
         for i in range(LAYERS) for x in "qkv"}
    tuned = {name: x + draw(*x.shape) / 20 for name, x in t.items()}

    def halves(dims, tensors):
        return p.folder({"model_type": "phi", "hidden_size": n, "num_attention_heads": HEADS,
                         "num_key_value_heads": HEADS, "num_hidden_layers": LAYERS,
                         "partial_rotary_factor": dims / head, "max_position_embeddings": 2048}, tensors)

    def neighbours(dims, tensors):
        return p.folder({"model_type": "gptj", "n_embd": n, "n_head": HEADS,
                         "n_layer": LAYERS, "rotary_dim": dims, "n_positions": 2048}, tensors)

    def moved(tensors, dims):
        """The first rows of each head of q and k are permuted."""
        out = dict(tensors)
        for name in (x for x in tensors if ".v_proj" not in x):
            heads = tensors[name].reshape(HEADS, head, -1).copy()
            heads[:, :dims] = permuted(heads[:, :dims].reshape(HEADS * dims, -1), HEADS) \
                .reshape(HEADS, dims, -1)
            out[name] = heads.reshape(tensors[name].shape)
        return out

    a = halves(8, t)
    rotate = "order, but only the first 8 of each head rotate"
    first = "permuted within the first 8 of each of 4 heads of 16"
    check("the rows that rotate are permuted", a, neighbours(8, moved(t, 8)), 0, SAME, "permuted")
    check("all rows of heads are permuted", a, neighbours(8, moved(t, head)), 1,
          "^not the same.*: its rows are permuted within each of 4 heads of 16, from .* to .*" + rotate)
    check("no rows are, of those that rotate", a, neighbours(8, t), 1,
          "^not the same.*same order, but .*: they have to be " + first)
    check("rows that rotate are permuted where none should be", a, halves(8, moved(t, 8)), 1,
          f"^not the same.*its rows are {first}, from .* to .* order, but both models rotate halves")
    torn = {name: x * np.where(x < 0.2, 1, np.nan).astype("f4") for name, x in t.items()}
    check("rows with NaN that rotate are permuted where none should be", halves(8, torn),
          halves(8, moved(torn, 8)), 1, f"^not the same.*its rows are {first}", "both models rotate")
    check("other values, the rows that rotate permuted", a, neighbours(8, moved(tuned, 8)), 0,
          "^the same positions, but 6 of 6 tensors.*permuted")
    check("other values, no rows permuted", a, neighbours(8, tuned), 1, "^not the same.*" + first)
    check("other values, two pairs permuted", halves(4, t), neighbours(4, moved(tuned, 4)), 0,
          "^the same positions, but 6 of 6 tensors.*permuted")
    check("other values, all rows permuted", a, neighbours(8, moved(tuned, head)), 1, "^not known",
          long=True)
    a = halves(2, t)
    for what, x, says in ("", t, SAME), ("other values of ", tuned, "^the same positions, but 6 of 6"):
        check(what + "heads with one pair", a, neighbours(2, x), 0, says)
    check("heads with one pair, permuted", a, neighbours(2, moved(t, head)), 1, "^not the same.*permuted")


def norms_of_heads():
    """Norms of queries, whose order is that of the rows of q."""
    p = Pair()
    t = decoder()
    name, gguf = "model.layers.1.self_attn.q_norm.weight", "blk.1.attn_q_norm.weight"
    norm = draw(HEAD)
    a = p.folder(config("llama"), {**t, name: norm})
    for what, x, status, says in (
        ("permuted", permuted(norm, 1), 0, SAME),
        ("not permuted", norm, 1, "^not the same.*q_norm.weight: its rows are in the same order, but"),
        ("lost", None, 1, "^not known.*q_norm.weight: only . has it"),
    ):
        other = {**converted(t), **({} if x is None else {gguf: x})}
        check(f"a norm of queries, {what}", a, p.gguf(keys("llama"), other), status, says)
    check("a norm of queries, no configuration", write_npz(p, {**t, name: norm}),
          write_npz(p, {**t, name: norm}), 0, "^equal: 21 tensors in both")
    a = p.folder(config("qwen3"), {**t, name: norm})
    check("a norm of queries, lost where no rows move", a, p.folder(config("qwen3"), t), 0,
          "^the same positions, but 1 tensor is only in")
    check("a norm of queries plus 1 where no rows move", a,
          p.gguf(keys("qwen3"), {**converted(t, 0, 0), gguf: norm + 1}), 0,
          "^the same positions, but 1 of 21 tensors")


def names_without_ends():
    """A parameter that is a table has no '.weight'."""
    p = Pair()
    settings = {"model_type": "whisper", "d_model": 8, "encoder_attention_heads": 2,
                "max_source_positions": 20, "max_target_positions": 12}
    t = {f"model.{x}.embed_positions.weight": draw(n, 8) for x, n in (("encoder", 20), ("decoder", 12))}
    other = {n.replace("model.", "").replace("embed_positions.weight", "positional_embedding"): x
             for n, x in t.items()}
    check("whisper's names", p.folder(settings, t), p.folder(settings, other), 0, SAME)
    half = {n: x for n, x in t.items() if "decoder" in n}
    bare = {n.replace("model.decoder.", ""): x for n, x in half.items()}
    check("a half alone", p.folder(settings, half), p.folder(settings, bare), 0, SAME)
    # Names around which no other name has room, and words as long as those of halves
    more = {n: draw(4, 8) for n in ("z" * 185 + ".wte.weight", "z" * 250 + "attn_qkv.weight",
                                    "pooling.wte.weight")}
    check("long names", p.folder(settings, t), p.folder(settings, {**t, **more}), 0,
          "^the same positions, but 3 tensors are only in")


def without(tensors, *words):
    return {n: x for n, x in tensors.items() if not any(w in n for w in words)}


def missing():
    """Tensors of one model alone: those that positions need, and others."""
    t = decoder()
    p = Pair()
    a = p.folder(config("llama"), t)

    def of_one(what, tensors, status, *says, to=a):
        check(what, to, p.folder(config("llama"), tensors), status, *says)

    of_one("no q and k", without(t, "q_proj", "k_proj"), 1,
           "^not known.*model.layers.0.self_attn.k_proj.weight and 3 more: only [AB] has it")
    of_one("no k of a layer", without(t, "layers.1.self_attn.k_proj"), 1,
           "^not known.*model.layers.1.self_attn.k_proj.weight: only [AB] has it")
    of_one("no layer", without(t, "layers.1."), 1, "^not known.*k_proj.weight and 1 more: only")
    of_one("norms alone", {n: x for n, x in t.items() if "norm" in n}, 1, "^not known.*k_proj")
    fused = {f"model.layers.{i}.self_attn.qkv_proj.weight": draw(64, HIDDEN) for i in range(2)}
    of_one("q, k and v in one tensor, of other values",
           {**without(t, "q_proj", "k_proj", "v_proj"), **fused}, 1,
           r"^not known.*model.layers.0.self_attn.k_proj.weight and 1 more: its values are not "
           r"those that [AB] has for it in model.layers.0.self_attn.qkv_proj.weight; and 1 more")
    of_one("no v", without(t, "v_proj"), 0,
           "^the same positions, but 2 tensors are only in [AB]; 18 equal tensors in both$")
    of_one("no v, and another norm", {**without(t, "v_proj"), "model.norm.weight": draw(HIDDEN)},
           0, "^the same positions, but 1 of 18 .*; 2 tensors are only in [AB]$")
    head = {**t, "lm_head.weight": t["model.embed_tokens.weight"]}
    of_one("a head that is the table of tokens", head, 0, SAME)
    check("the same in GGUF", a, p.gguf(keys("llama"), converted(head)), 0, SAME)
    of_one("a head of its own", {**t, "lm_head.weight": draw(WORDS, HIDDEN)}, 0,
           "^the same positions, but 1 tensor is only in [AB]")
    of_one("a head of another shape", {**t, "lm_head.weight": draw(WORDS, HIDDEN + 1)}, 0,
           "^the same positions, but 1 tensor is only in [AB]")
    of_one("a head, and no table of tokens",
           {**without(t, "embed_tokens"), "lm_head.weight": t["model.embed_tokens.weight"]}, 0,
           "^the same positions, but 1 tensor is only in A, 1 tensor is only in B")
    of_one("buffers", {**t, "model.position_ids": draw(1, 9), "h.0.attn.masked_bias": draw(1),
                       "h.0.attn.bias": draw(9, 9)}, 0, SAME)
    check("no v, no configuration", write_npz(p, t), write_npz(p, without(t, "v_proj")), 0,
          "^equal: 18 tensors in both; 2 tensors are only in [AB]; neither has")
    check("no k, no configuration", write_npz(p, t), write_npz(p, without(t, "k_proj")), 1,
          "^not known.*k_proj.*only [AB] has it")
    pe = {"wpe.weight": draw(9, 8), "ln_f.weight": draw(8)}
    check("no positions, no configuration", write_npz(p, pe),
          write_npz(p, {**without(pe, "wpe"), "wte.weight": draw(4, 8)}), 1,
          "^not known.*wpe.weight: only [AB] has it")


def values():
    """Keys that differ in a way that posenc compare names."""
    t = decoder()
    p = Pair()
    a = p.folder(config("llama"), t)
    name = "model.layers.1.self_attn.k_proj.weight"
    x = t[name]
    for what, y, says in (
        ("other signs", -x, "B is A with every sign changed"),
        ("a factor", x * np.float32(0.25), "times"),
        ("rows rolled", np.roll(x, 1, 0), "rolled"),
        ("heads exchanged", np.concatenate([x[HEAD:], x[:HEAD]]), "rolled by 8"),
        ("NaN", np.where(np.arange(x.size).reshape(x.shape) == 9, np.nan, x).astype("f4"),
         "it has values that are infinite or NaN in one model only"),
        ("zeros", x * 0, "its values differ so much"),
        ("other values", draw(*x.shape), "its values differ so much"),
    ):
        b = p.folder(config("llama"), {**t, name: y})
        check(f"k with {what}", a, b, 1, f"^not known.*{name}: .*{says}")
        done = subprocess.run([POSENC, "compare", a, b], capture_output=True, text=True)
        check_that(f"k with {what}, counted", "permuted correctly    0\n" in done.stdout
                   and "other values          1\n" in done.stdout
                   and re.search(f"{name}: (384|1) of 384 values differ, by ", done.stdout)
                   and "rows are permuted" not in done.stdout)
    check("layers exchanged", a, p.folder(config("llama"), {
        n.translate(str.maketrans("01", "10")): y for n, y in t.items()}), 1,
        "^not known.*k_proj.weight and 3 more: its values differ so much")
    t = decoder(bias=True)
    a, b = (p.folder(config("qwen2"), {n: x * np.float32(sign if re.search("[qk]_proj", n) else 1)
                                       for n, x in t.items()}) for sign in (1, -1))
    done = subprocess.run([POSENC, "compare", a, b], capture_output=True, text=True)
    check_that("signs of 8 tensors, of which 4 are explained", re.search(
        r"and 3 more: B is A with every sign changed\n +\S+ and 3 more: its values differ so much",
        done.stdout))


def heads_of_keys():
    """Another number of them in a configuration than keys have."""
    t = decoder()
    p = Pair()
    a = p.folder(config("llama"), t)
    for n in 1, 4:
        says = f"k_proj.weight and 1 more: it has 16 rows, not {n} x 8 as the configuration of "
        check(f"{n} heads of keys", a, p.folder(config("llama", num_key_value_heads=n), t), 1,
              "^not known", says)
    check("4 heads of keys in GGUF", a,
          p.gguf(keys("llama", attention__head_count_kv=4), converted(t)), 1, "^not known",
          r"attn_k|k_proj", "it has 16 rows, not 4 x 8")
    check("heads of keys of each layer", a,
          p.gguf(keys("llama", attention__head_count_kv=[2, 2]), converted(t)), 0, SAME)
    missing = config("llama")
    del missing["num_key_value_heads"]
    says = "it has 16 rows, not 4 x 8: num_key_value_heads is not in [^ ]*/config.json, and its default is 4"
    for what, lacks in ("no heads", missing), ("heads that are null", {**missing, "num_key_value_heads": None}):
        check(f"{what} of keys", a, p.folder(lacks, t), 1, "^not known", "k_proj.weight and 1 more: " + says)
    del missing["num_attention_heads"]
    check("no heads at all", a, p.folder(missing, t), 1, "^not known", "not 32 x 8: .*its default is 32")
    check("no heads of keys in GGUF", a, p.gguf(keys("llama", attention__head_count_kv=None), converted(t)),
          1, "^not known", "not 4 x 8: llama.attention.head_count_kv is not in [^ ]*.gguf, and its default is 4")
    check("as many heads of keys as of queries", p.folder(config("llama", num_attention_heads=KV), t),
          p.folder({**missing, "num_attention_heads": KV}, t), 0, SAME)
    null = {**missing, "model_type": "mistral", "num_attention_heads": HEADS, "num_key_value_heads": None}
    check("heads of keys of mistral that are null", p.folder(config("mistral"), t), p.folder(null, t), 1,
          "^not known", "not 4 x 8: .*its default is 4")
    for kind, default in ("mistral", 8), ("qwen3", 32), ("olmo", None):
        lacks = {**missing, "model_type": kind, "num_attention_heads": HEADS}
        check(f"heads of keys of {kind}", p.folder(config(kind), t), p.folder(lacks, t), *(
            (1, "^not known", f"not {default} x 8: .*its default is {default}") if default else (0, SAME)))


def sizes():
    """Configurations with sizes that no model has."""
    t = decoder()
    p = Pair()
    a = p.folder(config("llama"), t)
    for key, x in (("num_attention_heads", 0), ("num_attention_heads", 3.5),
                   ("num_key_value_heads", -2), ("num_hidden_layers", -1), ("hidden_size", 0),
                   ("max_position_embeddings", -1)):
        b = p.folder(config("llama", **{key: x}), t)
        for of in a, b:
            check(f"{key} {x}", of, b, 1, f"^not known.*config.json:1:[0-9]+: {key}: expected "
                  f"(at least [01]|an integer from 1 to 1073741824), got {x}$")
    check("no heads in GGUF", a, p.gguf(keys("llama", attention__head_count=0), converted(t)), 1,
          "^not known.*llama.attention.head_count: expected at least 1, got 0$")
    check("other heads", a, p.folder(config("llama", num_attention_heads=2), t), 1,
          "^not known.*: the number of heads is (4|2) in A, (2|4) in B$")
    check("other layers", a, p.folder(config("llama", num_hidden_layers=3), t), 0,
          "^the same positions, but the number of layers is [23] in A, [23] in B; 20 equal")
    check("other layers, and tensors of one alone", a,
          p.gguf(keys("llama", block_count=3), converted(without(t, "v_proj"))), 0,
          "^the same positions, but the number of layers is [23] in A, [23] in B, 2 tensors "
          "are only in [AB]; 18 equal")
    check("no layers", a, p.folder(config("llama", num_hidden_layers=0), t), 0, SAME)


def towers():
    """Several stacks of layers: what stands around a layer decides which one it is."""
    p = Pair()
    one, other = decoder(), decoder()
    bert = {"model_type": "bert", "hidden_size": HIDDEN, "num_attention_heads": HEADS}

    def named(a, b):
        return {**{n.replace("model.", a, 1): x for n, x in one.items()},
                **{n.replace("model.", b, 1): x for n, x in other.items()}}

    def folder(tensors):
        return p.folder(config("llama"), tensors)

    for x, y in ("encoder.", "decoder."), ("pr-a.", "pr-b."), ("model.a.", "model.b."):
        a = folder(named(x, y))
        check(f"{x}, {y}", a, folder(named(x, y)), 0, SAME)
        check(f"{x}, {y} in another module", a, folder(named("model." + x, "model." + y)), 0, SAME)
        names = named(x, y)
        bare = {n.replace(".self_attn.q_proj", ".attention.wq"): t for n, t in names.items()}
        check(f"{x}, {y} with other names", a, folder(bare), 0, SAME)
        bare = {"model." + n.replace(".self_attn.q_proj", ".attention.wq"): t
                for n, t in names.items()}
        check(f"{x}, {y} with other names in another module", a, folder(bare), 0, SAME)
        check(f"{x}, {y} exchanged", a, folder(named(y, x)), 1, "^not known.*values differ so")
        check(f"{x}, {y} of other names", a, folder(named("c.", "d.")), 1, "only [AB] has it")
        check(f"{x} and {y} alone", folder({n.replace("model.", x): t for n, t in one.items()}),
              folder({n.replace("model.", y): t for n, t in one.items()}), 1, "only [AB] has it")
        check(f"{x}, {y} beside one", a, folder(one), 1, "only [AB] has it")
        check(f"{x}, {y} in GGUF", a, p.gguf(keys("llama"), converted(one)), 1, "only [AB] has it")
    check("an encoder in GGUF", folder({n.replace("model.", "encoder.", 1): x
                                        for n, x in one.items()}),
          p.gguf(keys("llama"), converted(one)), 0, SAME)
    norms = {"a.norm.weight": draw(8), "b.norm.weight": draw(8), "norm.weight": draw(8)}
    check("norms of modules", p.folder(bert, norms),
          p.folder(bert, {"output_norm.weight": norms["norm.weight"]}), 0,
          "^the same positions, but 2 tensors are only in [AB]; 1 equal tensor in both$")
    check("the end of another word", p.folder(bert, {"wte.weight": norms["norm.weight"],
                                                     "xwpe.weight": draw(4, 8)}),
          p.folder(bert, {"wte.weight": norms["norm.weight"], "wpe.weight": draw(4, 8)}), 1,
          "wpe.weight: only [AB] has it")


def first_rows():
    """Learned tables whose position 0 has another row."""
    p = Pair()
    t = {"embeddings.position_embeddings.weight": draw(32, 16), "norm.weight": draw(16)}
    settings = {"hidden_size": 16, "num_attention_heads": 2, "max_position_embeddings": 32}
    a = p.folder({**settings, "model_type": "bert"}, t)
    for kind in "roberta", "opt", "bart", "camembert":
        check(f"bert as {kind}", a, p.folder({**settings, "model_type": kind}, t), 1,
              r"^not the same positions: embeddings.position_embeddings.weight: rows begin at "
              r"(0 in A, at 2|2 in A, at 0) in B")
    for kind in "electra", "gpt2":
        check(f"bert as {kind}", a, p.folder({**settings, "model_type": kind}, t), 0, SAME)
    roberta = {**settings, "model_type": "roberta"}
    check("roberta with another padding token", p.folder(roberta, t),
          p.folder({**roberta, "pad_token_id": 4}, t), 1, "rows begin at (2 in A, at 5|5 in A)")
    check("roberta as opt", p.folder(roberta, t), p.folder({**settings, "model_type": "opt"}, t),
          0, SAME)
    name = "embeddings.position_embeddings.weight"
    for what, rows, status, says in (
        ("without the rows of padding", t[name][2:], 0, SAME),
        ("with other rows", draw(30, 16), 1, "rows begin at"),
        ("with another first row", np.vstack([draw(1, 16), t[name][3:]]), 1, "rows begin at"),
        ("with fewer rows", t[name][2:30], 1, "rows begin at"),
        ("with fewer columns", t[name][2:, :15], 1, "rows begin at"),
        ("with one row", t[name][:1], 1, "rows begin at"),
        ("in planes", np.stack([t[name], t[name]]), 1, "rows begin at"),
    ):
        check(f"roberta as bert {what}", p.folder(roberta, t),
              p.folder({**settings, "model_type": "bert"}, {**t, name: np.array(rows)}),
              status, says)
    planes = [np.stack([x, draw(*x.shape)]) for x in (t[name], t[name][2:])]
    check("both in planes", p.folder(roberta, {**t, name: planes[0]}),
          p.folder({**settings, "model_type": "bert"}, {**t, name: planes[1]}), 1, "rows begin at")
    check("roberta with the rows of padding alone", p.folder(roberta, {name: t[name][:2]}),
          p.folder({**settings, "model_type": "bert"}, {name: t[name][:1]}), 1, "rows begin at")


def stored():
    """Frequencies that one model alone stores."""
    p = Pair()
    t = decoder()
    w = (1e4 ** (-np.arange(0, HEAD, 2) / HEAD)).astype("f4")
    name = "model.layers.0.self_attn.rotary_emb.inv_freq"
    linear = {"rope_scaling": {"type": "linear", "factor": 4.0}}
    for what, x, status, says, more in (
        ("of its base", w, 0, SAME, {}),
        ("of its base in float16", w.astype("f2"), 0, SAME, {}),
        ("of its base in bfloat16", ((w.view("u4") + 0x8000) >> 16).astype("u2"), 0, SAME, {}),
        ("of its base, before its scaling", w, 0, SAME, linear),
        ("of its scaling", w / 4, 0, SAME, linear),
        ("of another base", w ** 2, 1, "inv_freq: these frequencies, which only [AB] has", {}),
        ("of another scaling", w / 2, 1, "inv_freq: these frequencies, which only", linear),
        ("of another head", w[:3], 1, "inv_freq: these frequencies, which only", {}),
        ("of no positions", w, 1, "kind of positions differs", {"model_type": "opt"}),
    ):
        check(f"frequencies of one alone {what}",
              p.folder({**config("llama", **more), "model_type": "llama"}, t),
              p.folder(config(more.get("model_type", "llama"), **{
                  k: v for k, v in more.items() if k != "model_type"}), {**t, name: x}),
              status, says)
    a = p.folder(config("llama"), t)
    check("frequencies of images", a, p.folder(config("llama"), {
        **t, "visual.rotary_pos_emb.inv_freq": w ** 2}), 0, SAME)
    check("frequencies of a type that is not read", a, p.folder(config("llama"), {
        **t, name: np.array(["a"], dtype=object)}, npz=True), 0, SAME)


def check_that(what, good):
    RESULTS.append(good)
    print(f"{'' if good else 'not '}ok {len(RESULTS)} - {what}")


def write_npz(p, tensors):
    path = f"{p.at}/{len(os.listdir(p.at))}"
    os.mkdir(path)
    np.savez(f"{path}/weights.npz", **tensors)
    return f"{path}/weights.npz"


def broken():
    """Values whose checksum is wrong."""
    p = Pair()

    def of(what, settings, tensors, name, status, says, other=None):
        a = p.folder(settings, other or tensors)
        b = p.folder(settings, tensors, npz=True)
        data = bytearray(open(f"{b}/model.npz", "rb").read())
        data[data.index(tensors[name].tobytes())] ^= 1
        open(f"{b}/model.npz", "wb").write(data)
        check(f"a wrong checksum of {what}", a, b, status, says)

    t = decoder()
    attn = "model.layers.0.self_attn."
    of("queries", config("llama"), t, attn + "q_proj.weight", 1, "^not known.*q_proj.*CRC-32")
    of("a norm", config("llama"), t, "model.norm.weight", 0,
       "^the same positions; 1 of 20 tensors in both are not read")
    qkv = attn + "qkv_proj.weight"
    one = {**without(t, *(f"layers.0.self_attn.{x}_proj" for x in "qkv")),
           qkv: np.concatenate([t[f"{attn}{x}_proj.weight"] for x in "qkv"])}
    of("fused weights", config("llama"), one, qkv, 1, "^not known.*qkv_proj.*CRC-32")
    of("fused weights, split", config("llama"), one, qkv, 1, "^not known.*k_proj.*CRC-32", t)
    settings = {"model_type": "gpt2", "n_embd": 8, "n_head": 2, "n_layer": 1, "n_positions": 32}
    t = {"wpe.weight": draw(32, 8), "wte.weight": draw(WORDS, 8)}
    of("positions", settings, t, "wpe.weight", 1, "^not known.*wpe.weight.*CRC-32")


def configurations():
    t = decoder()
    p = Pair()
    a = p.folder(config("llama"), t)

    def fault(what, status, says, **more):
        check(what, a, p.folder(config("llama", **more), t), status, says)

    def of_gguf(what, status, says, **more):
        check(what, a, p.gguf(keys("llama", **more), converted(t)), status, says)

    fault("a base", 1, r"rope base differs: .*1000000 in", rope_theta=1e6)
    fault("a scaling", 1, r"scales its frequencies \(linear:4\)",
          rope_scaling={"type": "linear", "factor": 4.0})
    fault("a scaling by 1", 0, SAME, rope_scaling={"type": "linear", "factor": 1.0})
    fault("a version", 0, SAME, transformers_version="4.1", torch_dtype="bfloat16")
    fault("a context", 0, SAME + ".*context", max_position_embeddings=4096)
    fault("a base and a scaling", 1, "rope base differs.*so does the scaling", rope_theta=1e6,
          rope_scaling={"type": "linear", "factor": 4.0})
    check("scalings that have no frequencies",
          *(p.folder(config("llama", rope_theta=0.5, rope_scaling={
              "type": "yarn", "factor": x, "original_max_position_embeddings": 512}), t)
            for x in (4.0, 8.0)), 1, "scaling of frequencies differs: yarn")
    check("a scaling that has frequencies, and one that has none",
          *(p.folder(config("llama", rope_theta=0.5, rope_scaling={
              "type": kind, "factor": 4.0, "original_max_position_embeddings": 512}), t)
            for kind in ("linear", "yarn")), 1, "scaling of frequencies differs: ")
    check("factors of 1", a, p.gguf(keys("llama"), {
        **converted(t), "rope_freqs.weight": np.ones(HEAD // 2, "f4")}), 0, SAME)
    for context in None, 4096:
        check("a context of one alone, or of none", p.folder(
            config("llama", max_position_embeddings=context), t),
            p.folder(config("llama", max_position_embeddings=None), t), 0, SAME)
    bare = {k: x for k, x in config("llama").items() if k != "model_type"}
    check("no model type", a, p.folder(bare, t), 0, SAME)
    wild = config("cohere2", sliding_window_pattern="x", sliding_window=16)
    check("layers that are not known", p.folder(wild, t), p.folder(wild, t), 1, "^not known")
    fault("an unknown type", 1, r"^not known.*unknown model type 'llama9'", model_type="llama9")
    of_gguf("a base in GGUF", 1, "rope base differs", rope__freq_base=500000.0)
    of_gguf("no base in GGUF", 0, SAME, rope__freq_base=None)
    of_gguf("linear in GGUF", 1, r"scales its frequencies \(linear:2\)",
            rope__scaling__type="linear", rope__scaling__factor=2.0)
    unknown = {**keys("llama"), "general.architecture": "llama9"}
    check("an unknown architecture", a, p.gguf(unknown, converted(t)), 1, "^not known", "llama9")
    check("no configuration", a, write_npz(p, t), 1, r"^not known.*no config.json")
    check("neither has one", write_npz(p, t), write_npz(p, t), 0, r"^equal: 20 tensors")
    check("neither has one, permuted", write_npz(p, t), write_npz(p, {
        n: permuted(x, HEADS) if ".q_proj" in n else x for n, x in t.items()}), 1,
        "^not known.*no config.json")
    check("neither has one, nothing in common", write_npz(p, {"a": draw(2, 2), "b": draw(2)}),
          write_npz(p, {"c": draw(2, 2), "d": draw(2)}), 1, "^not known.*no tensor of A")
    half = {"model_type": "gpt_neox", "hidden_size": 32, "rotary_emb_base": 10000}
    few = {"norm.weight": draw(4)}
    check("heads of another size, of which as much rotates",
          p.folder({**half, "num_attention_heads": 4, "rotary_pct": 0.5}, few),
          p.folder({**half, "num_attention_heads": 2, "rotary_pct": 0.25}, few), 1,
          "^not known.*: the number of heads is (4|2) in A, (2|4) in B$")
    check("neither has one, other values", write_npz(p, t), write_npz(p, decoder()), 1,
          "^not known.*order of rows|no config.json", long=True)
    other = {n.replace("proj", "map").replace("norm", "n").replace("embed", "e"): x
             for n, x in t.items()}
    check("no names in common", a, p.folder(config("llama"), other), 1, "only [AB] has it")
    fault("keys that are not read", 1, "^not known", rope_scaling={"type": "magic"})
    check("models that rotate, and one that does not", a,
          p.folder({"model_type": "opt", "hidden_size": HIDDEN, "max_position_embeddings": 30},
                   t), 1, "kind of positions differs", "rotary", "learned")
    opt = config("opt")
    check("q and k that do not rotate", p.folder(opt, t), p.folder(opt, t), 0, SAME)
    check("backwards", a, p.folder(config("nanochat"), t), 1, "direction of rotation differs")
    sections = {"type": "mrope", "mrope_section": [1, 1, 2]}
    b = p.folder(config("qwen2_vl_text", rope_scaling=sections), t)
    check("sections", b, p.folder(config("qwen2"), t), 1, r"sections .* differ: .*1,1,2 in",
          "none in")
    check("sections in another order", b,
          p.folder(config("qwen2_vl_text", rope_scaling={**sections, "mrope_section": [2, 1, 1]}),
                   t), 1, r"sections .*1,1,2 in")
    other = p.folder(config("qwen3_vl_text", rope_theta=1e4, rope_scaling={
        "mrope_section": [1, 1, 2], "rope_type": "default", "mrope_interleaved": True}), t)
    check("sections that alternate", b, other, 1, "sections .*1,1,2 interleaved in")
    check("types of layers that are all of one type", a,
          p.folder(config("qwen2", layer_types=["full_attention"] * 2), t), 0, SAME)
    two = [p.folder(config("qwen2", layer_types=["full_attention", kind], sliding_window=16), t)
           for kind in ("sliding_attention", "other_attention")]
    check("two types of layers, of which one is another", *two, 1,
          "only . has (other|sliding)_attention")
    two.append(p.folder(config("qwen2", layer_types=["sliding_attention", "full_attention"],
                               sliding_window=16), t))
    check("two types of layers, in another order", *two[1:], 1, "layers are . in A|only . has")
    check("layers that rotate", *(p.folder(config("smollm3", no_rope_layers=x), t)
                                  for x in ([1, 0], [0, 1])), 1, "rotating layers are . in A")
    kinds = {"sliding_window": 16, "layer_types": ["sliding_attention", "full_attention"]}
    b = p.folder(config("cohere2", **kinds), t)
    check("layers without positions", b, p.folder(config("cohere2", **kinds), t), 0, SAME)
    check("rows that are no heads, and layers without positions", b,
          p.folder(config("cohere2", **kinds), {**t, "model.layers.0.self_attn.q_proj.weight":
                                                draw(20, HIDDEN)}), 1, "^not known.*its shape is")
    check("layers that rotate, and that do not", b,
          p.folder(config("cohere", **{k: v for k, v in kinds.items() if k != "sliding_window"}),
                   t), 1, "full_attention layers: the kind of positions differs")
    check("layers that rotate by other angles, and that do not", b,
          p.folder(config("cohere", rope_theta=2e4, **{k: v for k, v in kinds.items()
                                                       if k != "sliding_window"}), t), 1,
          "the rope base differs|kind of positions differs")
    check("a type of layers of one alone", p.folder(config("qwen2", **kinds), t),
          p.folder(config("qwen2", layer_types=["full_attention"] * 2), t), 1,
          "only . has sliding_attention layers")
    shards(p, t)


def shards(p, t):
    """A model in two files, one of which is lost."""
    a = p.folder(config("llama"), t)
    b = p.folder(config("llama"), {})
    os.remove(f"{b}/model.safetensors")
    parts = {"one.safetensors": {}, "two.safetensors": {}}
    for n, x in t.items():
        parts["one.safetensors" if "self_attn" in n else "two.safetensors"][n] = x
    index = {n: part for part, of in parts.items() for n in of}
    for part, of in parts.items():
        write_safetensors(f"{b}/{part}", of)
    with open(f"{b}/model.safetensors.index.json", "w", encoding="utf-8") as f:
        json.dump({"weight_map": index}, f)
    check("two files", a, b, 0, SAME)
    os.rename(f"{b}/two.safetensors", f"{b}/lost")
    check("a file is lost", a, b, 0, "^the same positions; 12 of 20 tensors in both are not read")
    os.rename(f"{b}/lost", f"{b}/two.safetensors")
    os.remove(f"{b}/one.safetensors")
    check("the file of q and k is lost", a, b, 1,
          "^not known.*k_proj.weight and 3 more: .*one.safetensors is missing")


def scalings():
    t = decoder()
    p = Pair()
    llama3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
              "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
    a = p.folder(config("llama", rope_theta=5e5, rope_scaling=llama3,
                        max_position_embeddings=131072), t)
    k = keys("llama", rope__freq_base=5e5, context_length=131072)
    w = 5e5 ** (-np.arange(0, HEAD, 2) / HEAD)
    n = 8192 * w / (2 * np.pi)
    smooth = np.clip((n - 1) / 3, 0, 1)
    factors = (1 / ((1 - smooth) / 8 + smooth)).astype("f4")
    check("llama3", a, p.gguf(k, {**converted(t), "rope_freqs.weight": factors}), 0, SAME)
    check("llama3, lost", a, p.gguf(k, converted(t)), 1, "llama3:8,8192", "no rope_freqs.weight")
    check("llama3, another factor", a,
          p.gguf(k, {**converted(t), "rope_freqs.weight": np.minimum(factors, 4)}), 1,
          "scaling of frequencies differs")
    dynamic = [p.folder(config("llama", rope_scaling=x and {"type": "dynamic", "factor": x}), t)
               for x in (None, 2.0, 4.0)]
    late = {"rope_scaling": {"type": "dynamic", "factor": 2.0}, "max_position_embeddings": 8192}
    check("dynamic, beyond the context of the other", dynamic[0], p.folder(config("llama", **late), t),
          1, "scales its frequencies .dynamic:2,8192")
    check("dynamic, lost", dynamic[0], dynamic[1], 1, "scales its frequencies .dynamic:2,2048")
    check("dynamic, another factor", dynamic[1], dynamic[2], 1, "scaling of frequencies differs")
    yarn = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 2048}
    t = decoder(bias=True)
    a = p.folder(config("qwen2", rope_theta=1e6, rope_scaling=yarn,
                        max_position_embeddings=8192), t)
    more = {"rope__freq_base": 1e6, "context_length": 8192, "rope__scaling__type": "yarn",
            "rope__scaling__factor": 4.0, "rope__scaling__original_context_length": 2048}
    check("yarn", a, p.gguf(keys("qwen2", **more), converted(t, 0, 0)), 0, SAME)
    more["rope__scaling__type"] = "linear"
    check("yarn as linear", a, p.gguf(keys("qwen2", **more), converted(t, 0, 0)), 1,
          "scaling of frequencies differs", "yarn:4,2048", "linear:4")


def longrope():
    """Phi-3's factors, of JSON and in tensors, and the factor of cosines beside them."""
    p = Pair()
    t = {"model.norm.weight": draw(HIDDEN)}
    short, far = [1.0, 1.05, 1.1, 1.3], [1.5, 2.0, 8.0, 30.0]
    more = {"rope_scaling": {"type": "longrope", "short_factor": short, "long_factor": far},
            "original_max_position_embeddings": 4096, "max_position_embeddings": 131072}
    a = p.folder(config("phi3", **more), t)
    later = {**more, "original_max_position_embeddings": 8192}
    check("longrope, long factors from another position on", a, p.folder(config("phi3", **later), t),
          1, "^not the same positions", "4096", "8192")
    k = keys("phi3", context_length=131072, rope__scaling__original_context_length=4096,
             rope__scaling__attn_factor=float(np.sqrt(1 + np.log(32) / np.log(4096))))
    other = {**converted(t), "rope_factors_short.weight": np.array(short, "f4"),
             "rope_factors_long.weight": np.array(far, "f4")}
    check("longrope", a, p.gguf(k, other), 0, SAME)
    for name in "short", "long":
        wrong = {**other, f"rope_factors_{name}.weight": np.array([1, 1, 2, 3], "f4")}
        check(f"longrope, other {name} factors", a, p.gguf(k, wrong), 1,
              "scaling of frequencies differs")
    k["phi3.rope.scaling.attn_factor"] = 1.0
    check("longrope, without the factor of cosines", a, p.gguf(k, other), 1,
          "scaling of frequencies differs")


def gemma():
    """Two bases in GGUF; norms plus 1 are other values."""
    p = Pair()
    t = decoder()
    more = {"rope_theta": 1e6, "rope_local_base_freq": 1e4, "sliding_window": 512,
            "query_pre_attn_scalar": 8}
    a = p.folder(config("gemma3_text", **more), t)
    k = keys("gemma3", rope__freq_base=1e6, attention__sliding_window=512)
    check("gemma3", a, p.gguf(k, converted(t, 0, 0)), 0, SAME)
    plus = {n: x + 1 if "norm" in n else x for n, x in converted(t, 0, 0).items()}
    check("gemma3, norms plus 1", a, p.gguf(k, plus), 0, "^the same positions, but 5 of 20")
    k["gemma3.rope.freq_base"] = 1e4
    check("gemma3, one base", a, p.gguf(k, converted(t, 0, 0)), 1,
          "full_attention layers: the rope base differs")


def frequencies():
    """Stored frequencies."""
    p = Pair()
    w = (1e4 ** (-np.arange(0, HEAD, 2) / HEAD)).astype("f4")
    name = "model.layers.0.self_attn.rotary_emb.inv_freq"
    t = {name: w, "model.norm.weight": draw(HIDDEN)}
    a = p.folder(config("llama"), t)
    check("frequencies", a, p.folder(config("llama"), {**t, name: np.nextafter(w, 9, dtype="f4")}),
          0, SAME)
    check("frequencies in float16", a,
          p.folder(config("llama"), {**t, name: w.astype("f2").astype("f4")}), 1,
          "inv_freq: .* is . rounded to float16")
    check("frequencies of another base", a, p.folder(config("llama"), {**t, name: w ** 2}), 1,
          "inv_freq: ")
    check("frequencies in another shape", a, p.folder(config("llama"), {**t, name: w[:, None]}),
          1, "inv_freq: B is A transposed|inv_freq: ")
    check("frequencies of another head", a, p.folder(config("llama"), {**t, name: w[:3]}), 1,
          "inv_freq: ")
    check("frequencies of one alone, as a column", p.folder(config("llama"), {**t, name: w[:, None]}),
          p.folder(config("llama"), {"model.norm.weight": t["model.norm.weight"]}), 0, SAME)
    check("frequencies of one alone", a, p.folder(config("llama"), {"model.norm.weight":
          t["model.norm.weight"]}), 0, SAME)


def parts():
    """A model of images and text: what the parts are called is the same."""
    p = Pair()
    t = decoder()
    more = {"model.vision_tower.layers.0.self_attn.q_proj.weight": draw(8, 8),
            "model.layers.x.self_attn.q_proj.weight": draw(8, 8)}
    more["model.vision_tower.embeddings.position_embedding.weight"] = draw(4, 8)
    for name in "extra", "extra2", "extra10", f"model.layers.{10 ** 250}.self_attn.q_proj.weight":
        more[name] = draw(1, 8)
    a = p.folder(config("llama"), {**t, **more})
    other = {**converted(t), "extr": draw(2, 2)}
    check("a part that GGUF does not have", a, p.gguf(keys("llama"), other), 0,
          "^the same positions, but ", "6 tensors are only in", "1 tensor is only in")


def kinds():
    p = Pair()
    t = {"wte.weight": draw(WORDS, 16), "wpe.weight": draw(32, 16), "ln_f.weight": draw(16),
         "ln_f.bias": draw(16)}
    settings = {"model_type": "gpt2", "n_embd": 16, "n_head": 2, "n_layer": 0, "n_positions": 32}
    k = {"general.architecture": "gpt2", "gpt2.context_length": 32, "gpt2.embedding_length": 16,
         "gpt2.block_count": 0, "gpt2.attention.head_count": 2}
    other = {"token_embd.weight": t["wte.weight"], "position_embd.weight": t["wpe.weight"],
             "output_norm.weight": t["ln_f.weight"], "output_norm.bias": t["ln_f.bias"]}
    a = p.folder(settings, t)
    check("gpt2", a, p.gguf(k, other), 0, SAME)
    for what, pe, says in (
        ("rows of positions exchanged", t["wpe.weight"][::-1].copy(), "rows in reverse order"),
        ("rows of positions cut", t["wpe.weight"][2:], "without its first 2 rows"),
        ("positions transposed", t["wpe.weight"].T.copy(), "transposed"),
        ("a value", t["wpe.weight"] + np.float32(1) * (np.arange(16) == 3) *
         (np.arange(32) == 5)[:, None], "1 of 512 values"),
    ):
        check(what, a, p.gguf(k, {**other, "position_embd.weight": pe.astype("f4")}), 1,
              r"(wpe|position_embd)\.weight: ", says)
    check("types of positions that are not read", a, p.gguf(k, other, ["position_embd.weight"], 16),
          1, r"^not known.*(wpe|position_embd)\.weight: its type IQ2_XXS")
    fused = [{**other, "blk.0.attn_qkv.weight": draw(48, 16)} for _ in range(2)]
    check("other queries, keys and values in one tensor", *(p.gguf(k, x) for x in fused), 0,
          "^the same positions, but 1 of 5")
    left = {n: x for n, x in other.items() if n != "position_embd.weight"}
    check("no positions", a, p.gguf(k, left), 1, "wpe.weight: only [AB] has it")


    vit = {"model_type": "vit", "hidden_size": 8, "image_size": 96, "patch_size": 32}
    pe = draw(1, 10, 8)
    a = p.folder(vit, {"vit.embeddings.position_embeddings": pe})
    for name in "pos_embed", "Transformer/posembed_input/pos_embedding", "positional_embedding":
        check(f"positions called {name}", a, p.folder(vit, {name: pe}, npz="/" in name), 0, SAME)
    for key in "patch_size", "image_size":
        check(f"another {key}", a, p.folder({**vit, key: 16},
                                            {"vit.embeddings.position_embeddings": pe}), 1,
              "^not known.*: the configurations have images of [0-9]+ and patches of [0-9]+ in A, ")
    check("positions of other images", a, p.folder(vit, {"visual.positional_embedding": pe}), 1,
          "no tensor of A has|only")


def layer_types():
    t = decoder()
    p = Pair()
    more = {"rope_theta": 1e6, "rope_local_base_freq": 1e4, "sliding_window": 512,
            "layer_types": ["sliding_attention", "full_attention"]}
    a = p.folder(config("gemma3_text", **more), t)
    swapped = {**more, "rope_theta": 1e4, "rope_local_base_freq": 1e6}
    check("bases swapped", a, p.folder(config("gemma3_text", **swapped), t), 1,
          "bases of .* layers are swapped: [^;]*in A, [^;]*in B$")
    bases = (("full", 1e6, 1e4), ("sliding", 1e4, 1e6), ("chunked", 1e4, None))
    check("bases swapped, and layers of a third type", *(p.folder(config(
        "laguna", rope_theta=None, num_hidden_layers=len(of),
        layer_types=[f"{n}_attention" for n in of],
        rope_parameters={f"{n}_attention": {"rope_type": "default", "rope_theta": x}
                         for n, x in of.items()}), t) for of in (
        {n: x for n, x, _ in bases}, {n: x for n, _, x in bases if x})), 1,
          "full_attention layers: the rope base differs")
    half = {**more, "rope_theta": 1e4, "rope_local_base_freq": 5e4}
    check("one base in the place of the other", a, p.folder(config("gemma3_text", **half), t), 1,
          "full_attention layers: the rope base differs", "and 1 more")
    linear = {"layer_types": ["linear_attention", "full_attention"]}
    for share, status, says in (0.5, 1, "full_attention layers: the rope base"), (0.25, 0, SAME):
        check(f"layers without attention, others with {share * HEAD // 2} pairs", *(
            p.folder(config("qwen3_next", rope_theta=x, partial_rotary_factor=share, **linear), t)
            for x in (1e4, 1e6)), status, says)
    scaling = {"rope_type": "proportional", "rope_theta": 1e6}
    check("shares of heads of two sizes", *(p.folder(config("gemma4_text", rope_parameters={
        "full_attention": {**scaling, "partial_rotary_factor": 8 / x},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}, global_head_dim=x,
        sliding_window=512, rope_theta=None), t) for x in (16, 32)), 1, "full_attention layers: ")
    for what, key, x, says in (
        ("a base of a type of layers", "rope_local_base_freq", 2e4,
         "sliding_attention layers: the rope base differs"),
        ("a window", "sliding_window", 256, "sliding_attention layers: mask differs"),
        ("types of layers", "layer_types", ["full_attention", "sliding_attention"],
         "full_attention layers are 1 in .*0 in|full_attention layers are 0 in .*1 in"),
    ):
        check(what, a, p.folder(config("gemma3_text", **{**more, key: x}), t), 1, says)


def windows():
    """What layers see, where the file says it, its class does, or nobody."""
    t, p = decoder(), Pair()
    used = {"use_sliding_window": True, "sliding_window": 512, "max_window_layers": 1}

    def pair(what, kind, more, other, status, *says):
        check(what, p.folder(config(kind, **more), t), p.folder(config(kind, **other), t),
              status, *says)

    for key, x in ("sliding_window", 1024), ("max_window_layers", 2), ("use_sliding_window", False):
        pair(f"layers that are not named have a window, other {key}", "qwen2", used,
             {**used, key: x}, 1, "^not known.*masks may differ: .*which layers have the window")
    pair("windows of layers that are not named, from which on one file does not say", "qwen2", used,
         {k: x for k, x in used.items() if k != "max_window_layers"}, 1,
         "^not known.*masks may differ")
    pair("windows of layers that are not named, the same", "qwen2", used, used, 0, SAME)
    pair("windows of every other layer", "gemma2", {}, {"sliding_window": 512}, 1,
         "sliding_attention layers: mask differs: .*window:512 in")
    long = {"max_position_embeddings": 8192}
    pair("a window of the class", "mistral", long, {**long, "sliding_window": None}, 1,
         "mask differs: .*window:4096 in")
    pair("a window longer than the context", "mistral", {}, {"sliding_window": None}, 0, SAME)
    other = {k: x for k, x in config("mistral").items() if k != "max_position_embeddings"}
    exact = {"max_position_embeddings": 4096}
    pair("a window as long as the context", "mistral", exact, {**exact, "sliding_window": None}, 0,
         SAME)
    check("a window, the context is unknown", p.folder(other, t),
          p.folder({**other, "sliding_window": None}, t), 1, "mask differs")
    check("windows of gpt-oss", p.folder(config("gpt_oss", sliding_window=128, rope_scaling={
        "rope_type": "default"}), t), p.gguf(keys("gpt-oss", attention__sliding_window=128),
                                             converted(t, 0, 0)), 0, SAME)
    check("windows of gpt-oss, lost", p.gguf(keys("gpt-oss"), converted(t, 0, 0)), p.gguf(
        keys("gpt-oss", attention__sliding_window=128), converted(t, 0, 0)), 1,
          "^not known.*masks may differ: .*sliding_window is missing")


def windows_without_rotation():
    """Keys of what layers see that do not rotate."""
    p = Pair()
    sizes = {"hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 2, "pad_token_id": 1,
             "max_position_embeddings": 32}
    t = {"embeddings.position_embeddings.weight": draw(32, 8), "x.weight": draw(8, 8)}

    def pair(what, a, b, status, *says):
        check(what, p.folder({**sizes, **a}, t), p.folder({**sizes, **b}, t), status, *says)

    for kind, key, x, y in (
        ("longformer", "attention_window", [512, 512], [512, 64]), ("led", "attention_window", 512, 64),
        ("gpt_neo", "window_size", 256, 64),
        ("gpt_neo", "attention_types", [[["global", "local"], 12]], [[["global"], 24]]),
        ("longt5", "local_radius", 127, 64), ("longt5", "global_block_size", 16, 8),
        ("longt5", "encoder_attention_type", "local", "transient-global"),
        ("big_bird", "block_size", 64, 16), ("big_bird", "num_random_blocks", 3, 2),
        ("bigbird_pegasus", "attention_type", "block_sparse", "original_full")):
        of = {"model_type": kind}
        pair(f"{kind} with another {key}", {**of, key: x}, {**of, key: y}, 1,
             f"^not known.*masks may differ: .*{key} .* in A")
        pair(f"{kind} with the same {key}", {**of, key: x}, {**of, key: x}, 0, SAME)
        if x != [512, 512]:
            pair(f"{kind} without {key}", {**of, key: x}, of, 0, SAME)
    pair("a window of one type alone", {"model_type": "longformer"}, {"model_type": "roberta"}, 1,
         "^not known.*masks may differ: .*attention_window 512 by default in", "none in")
    pair("a null window", {"model_type": "led", "attention_window": None},
         {"model_type": "led", "attention_window": 64}, 1,
         "attention_window 512 by default in", "attention_window 64 in")


def factors():
    """Factors by which queries are multiplied."""
    t, p = decoder(), Pair()
    llama4 = [p.folder(config("llama4_text", **x), t) for x in (
        {}, {"attn_temperature_tuning": False}, {"attn_scale": 0.2}, {"floor_scale": 4096},
        {"attn_scale": "0.1"})]
    says = "full_attention layers: queries are multiplied by .*8192.* in"
    for i, what in enumerate(("not at all", "others", "others from another position"), 1):
        check(f"factors of queries, {what}", llama4[0], llama4[i], 1, says)
    check("factors of queries are not known", llama4[0], llama4[4], 1, "^not known.*attn_scale")
    yarn = {"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "beta_fast": 32.0,
            "beta_slow": 1.0, "original_max_position_embeddings": 512}
    a, b = (p.folder(config("ministral3", rope_parameters={**yarn, "llama_4_scaling_beta": x}), t)
            for x in (0.1, 0.2))
    check("factors of queries beside a scaling", a, b, 1, "multiplied by 1 . 0.1 ln.*p / 512|0.2 ln")
    check("factors of queries, the same", llama4[0], p.folder(config("llama4_text"), t), 0, SAME)
    check("factors of queries that are 1", llama4[1], p.folder(
        config("llama4_text", attn_scale=0, floor_scale=1), t), 0, SAME)


def fused():
    """Queries, keys and values in one tensor."""
    p = Pair()
    name = "model.layers.0.self_attn.qkv_proj.weight"
    t = {name: draw((HEADS + 2 * KV) * HEAD, HIDDEN), "model.norm.weight": draw(HIDDEN)}
    other = {"blk.0.attn_qkv.weight": t[name], "output_norm.weight": t["model.norm.weight"]}
    a = p.folder(config("phi3"), t)
    check("phi3", a, p.gguf(keys("phi3"), other), 0, SAME)
    moved = {**other, "blk.0.attn_qkv.weight": np.roll(t[name], 1, 0)}
    check("phi3, rows moved", a, p.gguf(keys("phi3"), moved), 1, "^not known.*rolled")
    tuned = {**other, "blk.0.attn_qkv.weight": t[name] + draw(*t[name].shape) / 20}
    check("phi3, other values", a, p.gguf(keys("phi3"), tuned), 0, "^the same positions, but 1")
    check("fused weights where pairs differ", p.folder(config("llama"), t),
          p.gguf(keys("llama"), other), 1, "same order, but A rotates")
    check("phi3, fewer rows", a,
          p.gguf(keys("phi3"), {**other, "blk.0.attn_qkv.weight": t[name][:56]}), 1,
          "^not known.*its shape is")
    check("phi3, other weights", a, p.gguf(keys("phi3"), {
        **other, "blk.0.attn_qkv.weight": draw(*t[name].shape)}), 1, "^not known.*no known order")
    small = {n: x / 100 for n, x in t.items()}
    check("phi3, other small weights", p.folder(config("phi3"), small), p.gguf(keys("phi3"), {
        **other, "blk.0.attn_qkv.weight": draw(*t[name].shape) / 100}), 1, "no known order", long=True)
    check("fused weights, no configuration", write_npz(p, t), write_npz(p, t), 0, "^equal")
    check("fused weights, one configuration", write_npz(p, t), a, 1, "^not known.*no config.json")
    check("fused weights that differ, no configuration", write_npz(p, t),
          write_npz(p, {**t, name: t[name][::-1]}), 1, "^not known.*reverse order")
    check("fused weights that are not read", a,
          p.gguf(keys("phi3"), other, ["blk.0.attn_qkv.weight"], 16), 1, "^not known.*IQ2_XXS")
    name = "transformer.h.0.self_attention.query_key_value.weight"
    t = {name: draw(10 * HEAD, HIDDEN)}
    heads = t[name].reshape(2, 5, HEAD, HIDDEN)
    rows = np.concatenate([heads[:, :3].reshape(-1, HIDDEN), heads[:, 3].reshape(-1, HIDDEN),
                           heads[:, 4].reshape(-1, HIDDEN)])
    settings = {"model_type": "falcon", "hidden_size": 6 * HEAD, "num_attention_heads": 6,
                "num_hidden_layers": 1, "alibi": False, "max_position_embeddings": 2048,
                "new_decoder_architecture": True, "num_kv_heads": 2}
    k = keys("falcon", attention__head_count=6, embedding_length=6 * HEAD, block_count=1)
    check("falcon", p.folder(settings, t), p.gguf(k, {"blk.0.attn_qkv.weight": rows}), 0,
          SAME + "1 equal tensor$")
    again = {"blk.0.attn_qkv.weight": rows}
    check("rows of falcon in phi3", p.folder(config("phi3"), {"model.layers.0.self_attn.qkv_proj"
          ".weight": t[name]}), p.gguf(keys("phi3"), again), 1, "queries, keys and values are regrouped")
    check("falcon, rows moved", p.folder(settings, t),
          p.gguf(k, {"blk.0.attn_qkv.weight": np.roll(rows, 1, 0)}), 1, "^not known.*rows permuted")
    name = "gpt_neox.layers.0.attention.query_key_value.weight"
    t = {name: draw(3 * HEADS * HEAD, HEADS * HEAD)}
    settings = {"model_type": "gpt_neox", "hidden_size": HEADS * HEAD,
                "num_attention_heads": HEADS, "num_hidden_layers": 1, "rotary_pct": 0.5,
                "rotary_emb_base": 10000, "max_position_embeddings": 2048}
    k = keys("gptneox", rope__dimension_count=HEAD // 2, embedding_length=HEADS * HEAD,
             block_count=1)
    groups = t[name].reshape(HEADS, 3, HEAD, -1).swapaxes(0, 1).reshape(t[name].shape)
    a = p.folder(settings, t)
    check("gpt_neox", a, p.gguf(k, {"blk.0.attn_qkv.weight": groups}), 0, SAME)
    check("gpt_neox, another share that rotates", a,
          p.gguf({**k, "gptneox.rope.dimension_count": HEAD}, {"blk.0.attn_qkv.weight": groups}),
          1, "number of rotary dimensions differs")
    check("regrouped in a folder", a, p.folder(settings, {name: groups}), 1, "regrouped")


def in_groups(q, k, v, head):
    """Rows of queries, then a key and a value, of each group of heads."""
    n = k.shape[0] // head
    rows = [x.reshape(n, -1, head, *x.shape[1:]) for x in (q, k, v)]
    return np.concatenate(rows, 1).reshape(-1, *q.shape[1:])


def split():
    """Queries, keys and values in one tensor of one model, in three of the other one."""
    p = Pair()
    t = decoder(bias=True)
    attn = "model.layers.{}.self_attn.{}_proj.{}"

    def fused(tensors, name, join):
        """The same with one tensor for three, of that name."""
        out = without(tensors, "q_proj", "k_proj", "v_proj")
        for i in range(LAYERS):
            for end in "weight", "bias":
                three = [tensors[attn.format(i, x, end)] for x in "qkv"
                         if attn.format(i, x, end) in tensors]
                if three:
                    out[f"{name.format(i)}.{end}"] = join(*three)
        return out

    def joined(*x):
        return np.concatenate(x)

    def groups(q, k, v):
        return in_groups(q, k, v, HEAD)

    def each_way(what, kind, name, join, other, status=0, *says):
        a = p.folder(config(kind), fused(t, name, join))
        check(f"{what}, split", a, other, status, *(says or (SAME,)))
        return a

    qkv, wqkv = "model.layers.{}.self_attn.qkv_proj", "model.layers.{}.attention.wqkv"
    llama = p.folder(config("llama"), t)
    gguf = p.gguf(keys("llama"), converted(t))
    each_way("llama's qkv_proj", "llama", qkv, joined, llama)
    each_way("llama's qkv_proj and GGUF", "llama", qkv, joined, gguf, 0, SAME, "permuted")
    each_way("internlm2's wqkv and GGUF", "internlm2", wqkv, groups,
             p.gguf(keys("internlm2", rope__freq_base=1e4), converted(t)), 0, SAME, "permuted")
    each_way("internlm2's wqkv and GGUF that is not permuted", "internlm2", wqkv, groups,
             p.gguf(keys("internlm2"), converted(t, 0, 0)), 1, r"([qk]_proj|attn_[qk]).(bias|weight) "
             "and 3 more: its rows are in the same order, but")
    each_way("llama's qkv_proj with parts exchanged", "llama", qkv,
             lambda q, k, v: joined(q, v, k), llama, 1,
             "^not the same.*k_proj.bias and 7 more: . has it in one tensor with others, whose rows "
             "are all queries, then all values, then all keys; . .llama. has to have all queries, then")
    each_way("llama's qkv_proj in groups", "llama", qkv, groups, llama, 1,
             "^not the same.*k_proj.bias and 11 more: .*2 queries, a key and a value of each of 2 groups;")
    each_way("internlm2's wqkv, not in groups", "internlm2", wqkv, joined,
             p.folder(config("internlm2"), t), 1,
             "^not the same.*k_proj.bias and 11 more: .*all queries, .*as llama.cpp has them; . .internlm2")
    each_way("a name of unknown order", "llama", "model.layers.{}.self_attn.query_key_value", joined,
             llama, 1, "^not known.*query_key_value.bias and 3 more: only . has it|k_proj.bias and 7")
    each_way("wqkv of another model", "llama", wqkv, joined, llama, 1, "^not known.*only . has it")
    phi = {**config("phi3")}
    a = p.folder(phi, t)
    b = {"blk." + n.split(".")[2] + ".attn_qkv." + n.split(".")[-1] if "qkv" in n else in_gguf(n): x
         for n, x in fused(t, qkv, joined).items()}
    check("attn_qkv of GGUF, split", a, p.gguf(keys("phi3"), b), 0, SAME)
    del b["blk.1.attn_qkv.weight"]
    check("attn_qkv of a layer missing", a, p.gguf(keys("phi3"), b), 1,
          "^not known.*layers.1.self_attn.k_proj.weight and 1 more: only . has it")
    for what, shape in (("short", (63, HIDDEN)), ("3-D", (8, 8, HIDDEN)), ("of a scalar", ())):
        b["blk.1.attn_qkv.weight"] = draw(*shape)
        check(f"attn_qkv that is {what}", a, p.gguf(keys("phi3"), b), 1,
              "^not known.*only . has it")
    half = {n: x for n, x in t.items() if "layers.1" not in n}
    uneven = {**half, attn.format(0, "v", "weight"): draw(2 * KV * HEAD, HIDDEN)}
    check("values of another number", p.folder(config("llama"), uneven), p.folder(
        config("llama"), {**fused(half, qkv, joined), qkv.format(0) + ".weight": joined(
            *(uneven[attn.format(0, x, "weight")] for x in "qkv"))}), 1, "only . has it")
    for what, q, k in (("queries that keys do not divide", 20, KV * HEAD),
                       ("keys that heads do not divide", 24, 12)):
        rows = {attn.format(0, x, "weight"): draw(n, HIDDEN) for x, n in zip("qkv", (q, k, k))}
        one = {(wqkv if q == 24 else qkv).format(0) + ".weight": joined(*rows.values())}
        kind = config("internlm2" if q == 24 else "llama")
        check(f"fused {what}", p.folder(kind, one), p.folder(kind, rows), 1, "only . has it")
    planes = {**half, attn.format(0, "k", "weight"): draw(2, KV * HEAD // 2, HIDDEN)}
    check("keys in planes", p.folder(config("llama"), planes), p.folder(
        config("llama"), fused(half, qkv, joined)), 1, "only . has it")
    two = {n.replace("model.", m): x for m in ("a.", "b.") for n, x in fused(t, qkv, joined).items()}
    check("fused in two towers", p.folder(config("llama"), two), llama, 1, "only . has it")
    check("fused twice", llama, p.folder(config("llama"), {
        **fused(t, qkv, joined), **{n.removeprefix("model."): x for n, x in fused(
            t, qkv, joined).items()}}), 1, "only . has it")
    check("three twice", p.folder(config("llama"), fused(t, qkv, joined)), p.folder(
        config("llama"), {**t, **{n.removeprefix("model."): x for n, x in t.items()}}), 1,
        "only . has it")
    check("fused, no configuration", write_npz(p, fused(t, qkv, joined)), write_npz(p, t), 1,
          "^not known.*only . has it")
    check("three in two towers", each_way("fused, once more", "llama", qkv, joined, llama),
          p.folder(config("llama"), {n.replace("model.", m): x for m in ("a.", "b.")
                                     for n, x in t.items()}), 1, "only . has it")
    check("fused in an encoder", p.folder(config("llama"), {
        n.replace("model.", "encoder."): x for n, x in fused(t, qkv, joined).items()}),
        p.folder(config("llama"), {n.replace("model.", "decoder."): x for n, x in t.items()}), 1,
        "only . has it")
    q4 = p.gguf(keys("phi3"), {**b, "blk.1.attn_qkv.weight": draw(64, HIDDEN)},
                ["blk.1.attn_qkv.weight"], 16)
    check("attn_qkv that is not read", a, q4, 1, "^not known.*its type IQ2_XXS is not read")
    split_other(p)


def split_other(p):
    """Models with as many keys as queries, and GPT-2, whose matrices are transposed."""
    n = HEADS * HEAD
    q, k, v = (draw(n, n) for _ in range(3))
    bias = [draw(n) for _ in range(3)]
    one = {"gpt_neox.layers.0.attention.query_key_value.weight": in_groups(q, k, v, HEAD),
           "gpt_neox.layers.0.attention.query_key_value.bias": in_groups(*bias, HEAD)}
    three = {f"gpt_neox.layers.0.self_attn.{x}_proj.{end}": y for x, w, b in zip("qkv", (q, k, v), bias)
             for end, y in (("weight", w), ("bias", b))}
    settings = {"model_type": "gpt_neox", "hidden_size": n, "num_attention_heads": HEADS,
                "num_hidden_layers": 1, "rotary_pct": 0.5, "rotary_emb_base": 10000,
                "max_position_embeddings": 2048}
    check("gpt_neox, split", p.folder(settings, one), p.folder(settings, three), 0, SAME)
    check("gpt_neox, split, not in groups", p.folder(settings, {
        list(one)[0]: np.concatenate([q, k, v]), list(one)[1]: one[list(one)[1]]}),
        p.folder(settings, three), 1,
        "^not the same.*k_proj.weight and 2 more: .*rows are all queries, then all keys, then all values")
    settings = {"model_type": "gpt2", "n_embd": n, "n_head": HEADS, "n_layer": 1,
                "n_positions": 32}
    shared = {"wpe.weight": draw(32, n), "wte.weight": draw(WORDS, n)}
    one = {"h.0.attn.c_attn.weight": np.concatenate([q, k, v]).T.copy(),
           "h.0.attn.c_attn.bias": np.concatenate(bias), **shared}
    three = {f"h.0.attn.{x}_proj.{end}": y for x, w, b in zip("qkv", (q, k, v), bias)
             for end, y in (("weight", w), ("bias", b))}
    a = p.folder(settings, one)
    check("gpt2, split", a, p.folder(settings, {**three, **shared}), 0, SAME)
    three["h.0.attn.v_proj.weight"] = v.T.copy()
    check("gpt2, split, values transposed", a, p.folder(settings, {**three, **shared}), 0,
          "^the same positions, but 1 of 8 tensors in both differ, the first is h.0.attn.v_proj")


def biases():
    """T5: learned biases, and buckets."""
    p = Pair()
    name = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
    t = {name: draw(32, 4), "shared.weight": draw(WORDS, 8)}
    settings = {"model_type": "t5", "d_model": 8, "num_heads": 4, "num_layers": 1,
                "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128}
    a = p.folder(settings, t)
    check("T5", a, p.folder(settings, dict(reversed(list(t.items())))), 0, SAME)
    check("T5, heads exchanged", a, p.folder(settings, {**t, name: t[name][:, ::-1].copy()}), 1,
          "relative_attention_bias.weight: B is A with its columns in reverse order")
    check("T5, no biases", a, p.folder(settings, {"shared.weight": t["shared.weight"]}), 1,
          "only [AB] has it")
    check("T5, buckets", a, p.folder({**settings, "relative_attention_num_buckets": 64}, t), 1,
          "tables differ")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for part in (containers, layouts, configurations, scalings, kinds, layer_types,
                     windows, windows_without_rotation, factors, fused, biases, longrope, gemma, frequencies, parts, missing, values,
                     heads_of_keys, first_rows, stored, sizes, towers, split, rotary_parts, norms_of_heads,
                     names_without_ends, broken):
            part()
        os.chdir("/")
    print(f"1..{len(RESULTS)}")
    return not all(RESULTS)


if __name__ == "__main__":
    sys.exit(main())
