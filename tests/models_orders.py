"""Rows of queries, keys and values in an order that a model's class or GGUF does not read.

compare names each right file the same and each wrong one not the same, with what its rows are
and what they have to be. TAP on standard output.
"""

import os
import re
import subprocess
import sys
import tempfile

import numpy as np

from models_compare import (HEAD, HEADS, HIDDEN, KV, LAYERS, POSENC, RESULTS, SAME, Pair, check, check_that,
                            config, converted, decoder, draw, keys, permuted, write_npz)

QUERIES = "all queries, then all keys, then all values"
WRONG = "^not the same (positions|weights): "


def count(what, a, b, n):
    """So many tensors have rows in another order, which is right."""
    done = subprocess.run([POSENC, "compare", a, b], capture_output=True, text=True)
    check_that(what, re.search(f"permuted correctly +{n}\n", done.stdout))


def joined(q, k, v, groups=1, order="qkv"):
    """One tensor: the queries, keys and values of each of so many groups."""
    rows = {x: y.reshape(groups, -1, *y.shape[1:]) for x, y in zip("qkv", (q, k, v))}
    return np.concatenate([rows[x] for x in order], 1).reshape(-1, *q.shape[1:])


# A model: its name, the name of its tensors, its keys, its architecture in GGUF, heads, heads of
# keys, groups in its class, the words that say its order.
NEOX = {"rotary_pct": 0.5, "rotary_emb_base": 10000, "max_position_embeddings": 2048}
FALCON = {"alibi": False, "max_position_embeddings": 2048}
EACH = "the query, key and value of each of 4 heads"
MODELS = (
    ("gpt_neox", "gpt_neox.layers.{}.attention.query_key_value", NEOX, "gptneox", 4, 4, 4, EACH),
    ("bloom", "transformer.h.{}.self_attention.query_key_value",
     {"n_head": 4, "n_layer": LAYERS}, "bloom", 4, 4, 4, EACH),
    ("falcon", "transformer.h.{}.self_attention.query_key_value",
     {**FALCON, "multi_query": True}, "falcon", 6, 1, 1, QUERIES),
    ("falcon", "transformer.h.{}.self_attention.query_key_value",
     {**FALCON, "new_decoder_architecture": True, "num_kv_heads": 2}, "falcon", 6, 2, 2,
     "3 queries, a key and a value of each of 2 groups"),
    ("falcon", "transformer.h.{}.self_attention.query_key_value",
     {**FALCON, "multi_query": False}, "falcon", 4, 4, 4, EACH),
    ("RefinedWeb", "transformer.h.{}.self_attention.query_key_value",
     {**FALCON, "n_head": 6, "n_head_kv": 2, "n_layer": LAYERS}, "falcon", 6, 2, 2,
     "3 queries, a key and a value of each of 2 groups"),
    ("RefinedWebModel", "transformer.h.{}.self_attention.query_key_value",
     {**FALCON, "n_head": 6, "multi_query": True, "n_layer": LAYERS}, "falcon", 6, 1, 1, QUERIES),
    ("gpt_bigcode", "transformer.h.{}.attn.c_attn",
     {"multi_query": True, "n_head": 4, "n_positions": 32}, "starcoder", 4, 1, 1, QUERIES),
    ("gpt_bigcode", "transformer.h.{}.attn.c_attn",
     {"multi_query": False, "n_head": 4, "n_positions": 32}, "starcoder", 4, 4, 4, EACH),
    ("mpt", "transformer.blocks.{}.attn.Wqkv",
     {"n_heads": 4, "n_layers": LAYERS, "max_seq_len": 2048}, "mpt", 4, 4, 1, QUERIES),
    ("qwen", "transformer.h.{}.attn.c_attn", {"seq_length": 2048, "kv_channels": HEAD,
     "use_dynamic_ntk": False}, "qwen", 4, 4, 1, QUERIES),
    ("phi3", "model.layers.{}.self_attn.qkv_proj",
     {"num_key_value_heads": 2, "max_position_embeddings": 2048}, "phi3", 4, 2, 1, QUERIES),
    ("chatglm", "transformer.encoder.layers.{}.self_attention.query_key_value",
     {"multi_query_attention": True, "multi_query_group_num": 2, "kv_channels": HEAD,
      "seq_length": 2048}, "chatglm", 4, 2, 1, QUERIES),
)


def folder(p, model, tensors):
    kind, _, more, _, heads, _, _, _ = model
    settings = {"model_type": kind, "hidden_size": heads * HEAD, "num_hidden_layers": LAYERS}
    if "n_head" not in more and "n_heads" not in more:
        settings["num_attention_heads"] = heads
    return p.folder({**settings, **more}, tensors)


def gguf(p, model, tensors):
    kind, _, _, arch, heads, kv, _, _ = model
    k = keys(arch, attention__head_count=heads, attention__head_count_kv=kv,
             embedding_length=heads * HEAD)
    if kind == "mpt":
        k["mpt.attention.max_alibi_bias"] = 8.0
    if kind == "gpt_neox" or kind == "chatglm":
        k[f"{arch}.rope.dimension_count"] = HEAD // 2
    return p.gguf(k, tensors)


def fused(model):
    """Files of a model whose rows are as its class, or llama.cpp, has them, and others."""
    kind, name, _, _, heads, kv, groups, words = model
    p = Pair()
    n = heads * HEAD
    parts = {(i, end): [draw(rows * HEAD, *([n] if end == "weight" else []))
                        for rows in (heads, kv, kv)]
             for i in range(LAYERS) for end in ("weight", "bias")}

    def hf(of=groups, order="qkv", ends=("weight", "bias")):
        return folder(p, model, {f"{name.format(i)}.{end}": joined(*three, *(
            (of, order) if end in ends else (groups, "qkv"))) for (i, end), three in parts.items()})

    def ggml(of=1, order="qkv", ends=("weight", "bias")):
        return gguf(p, model, {f"blk.{i}.attn_qkv.{end}": joined(*three, *(
            (of, order) if end in ends else ())) for (i, end), three in parts.items()})

    a, b = hf(), ggml()
    what = f"{kind} of {groups} group{'s' * (groups > 1)}"
    check(f"{what}, a folder", a, hf(), 0, SAME)
    check(f"{what}, GGUF", a, b, 0, SAME + f"{2 * LAYERS} equal tensors", long=False)
    count(f"{what}, GGUF, counted", a, b, 2 * LAYERS if groups > 1 else 0)
    check(f"{what}, two GGUF files", b, ggml(), 0, SAME)
    other = groups if groups > 1 else heads if kv == heads else kv
    if other == 1:
        other = 2
    if groups > 1:
        same = "its rows are in the same order in both models, but"
        check(f"{what}, bytes copied", a, ggml(groups), 1, WRONG, same, QUERIES, words)
        check(f"{what}, biases copied", a, ggml(groups, ends=("bias",)), 1, WRONG + r"\S*bias", same)
        check(f"{what}, weights copied", a, ggml(groups, ends=("weight",)), 1,
              WRONG + r"\S*weight", same)
        check(f"{what}, a folder as GGUF", a, hf(1), 1, WRONG, QUERIES, words)
        check(f"{what}, a folder and GGUF as GGUF", hf(1), b, 1, WRONG, same)
    elif kv * heads % other == 0 and kv % other == 0:
        check(f"{what}, regrouped", a, ggml(other), 1, WRONG, QUERIES)
        check(f"{what}, a folder regrouped", a, hf(other), 1, WRONG, QUERIES)
    check(f"{what}, values before keys", a, ggml(order="qvk"), 1, WRONG,
          "all queries, then all values, then all keys")
    check(f"{what}, keys before queries", a, ggml(order="kqv"), 1, WRONG,
          "all keys, then all queries, then all values")
    noise = {(i, end): [x + draw(*x.shape) / 20 for x in three] for (i, end), three in parts.items()}
    tuned = gguf(p, model, {f"blk.{i}.attn_qkv.{end}": joined(*three)
                            for (i, end), three in noise.items()})
    check(f"{what}, other values", a, tuned, 0, f"^the same positions, but {2 * LAYERS} of")
    if groups > 1:
        tuned = gguf(p, model, {f"blk.{i}.attn_qkv.{end}": joined(*three, groups)
                                for (i, end), three in noise.items()})
        check(f"{what}, other values, bytes copied", a, tuned, 1, WRONG, "same order in both models")


def classes():
    """Orders that GGUF has no architecture for: the same class on both sides."""
    for kind, name, more, groups, order, words in (
        ("gpt_neox_japanese", "gpt_neox_japanese.layers.{}.attention.query_key_value",
         {"rotary_pct": 1.0, "rotary_emb_base": 10000, "max_position_embeddings": 2048}, 8, "qkv",
         "the query, key and value of each of 8 heads"),
        ("codegen", "transformer.h.{}.attn.qkv_proj",
         {"n_head": 8, "n_layer": 1, "n_embd": 8 * HEAD, "rotary_dim": 4, "n_positions": 2048}, 4,
         "qvk", "2 queries, 2 values and 2 keys of each of 4 groups"),
    ):
        p = Pair()
        q, k, v = (draw(8 * HEAD, 8 * HEAD) for _ in range(3))
        settings = {"model_type": kind, "hidden_size": 8 * HEAD, "num_attention_heads": 8,
                    "num_hidden_layers": 1, **more}
        right, blocks, mixed, three = (p.folder(settings, t) for t in (
            *({name.format(0) + ".weight": joined(q, k, v, *how)}
              for how in ((groups, order), (1,), (groups, order[0] + order[:0:-1]))),
            {f"transformer.h.0.attn.{x}_proj.weight": y for x, y in zip("qkv", (q, k, v))}))
        check(f"{kind}, the same", right, right, 0, SAME)
        check(f"{kind}, blocks", right, blocks, 1, WRONG, QUERIES, words)
        check(f"{kind}, keys and values exchanged", right, mixed, 1, WRONG, words)
        check(f"{kind}, split", right, three, 0, SAME + "3 equal")
        check(f"{kind}, blocks, split", blocks, three, 1, WRONG, QUERIES, words)


def columns():
    """GPT-2: matrices [in, out] in a folder, [out, in] in GGUF."""
    p, n = Pair(), HEADS * HEAD
    q, k, v, o = (draw(n, n) for _ in range(4))
    up, wpe = draw(4 * n, n), draw(32, n)
    settings = {"model_type": "gpt2", "n_embd": n, "n_head": HEADS, "n_layer": 1, "n_positions": 32}
    t = {"transformer.wpe.weight": wpe, "transformer.h.0.attn.c_attn.weight": joined(q, k, v).T.copy(),
         "transformer.h.0.attn.c_attn.bias": joined(q[0], k[0], v[0]),
         "transformer.h.0.attn.c_proj.weight": o.T.copy(),
         "transformer.h.0.mlp.c_fc.weight": up.T.copy()}
    g = {"position_embd.weight": wpe, "blk.0.attn_qkv.weight": joined(q, k, v),
         "blk.0.attn_qkv.bias": joined(q[0], k[0], v[0]), "blk.0.attn_output.weight": o,
         "blk.0.ffn_up.weight": up}
    k = keys("gpt2", embedding_length=n, block_count=1, context_length=32,
             attention__head_count_kv=HEADS)
    a = p.folder(settings, t)
    check("gpt2, a folder", a, p.folder(settings, t), 0, SAME)
    check("gpt2, GGUF", a, p.gguf(k, g), 0, SAME + "5 equal")
    check("gpt2, GGUF in heads", a, p.gguf(k, {
        **g, "blk.0.attn_qkv.weight": joined(*np.split(g["blk.0.attn_qkv.weight"], 3), HEADS)}), 1,
        WRONG, "the query, key and value of each of 4 heads", QUERIES)
    check("gpt2, GGUF of matrices that are not transposed", a, p.gguf(k, {
        **g, "blk.0.attn_output.weight": o.T.copy()}), 0,
        "^the same positions, but 1 of 5 tensors in both differ")


def internlm2():
    """Groups in a folder; three tensors in GGUF, the rows of q and k permuted."""
    p = Pair()
    t = decoder()
    attn, name = "model.layers.{}.self_attn.{}_proj.weight", "model.layers.{}.attention.wqkv.weight"

    def one(groups, order="qkv", turn=lambda q, k, v: (q, k, v)):
        out = {n: x for n, x in t.items() if not re.search("[qkv]_proj", n)}
        for i in range(LAYERS):
            out[name.format(i)] = joined(*turn(*(t[attn.format(i, x)] for x in "qkv")), groups, order)
        return out

    k = keys("internlm2")
    a = p.folder(config("internlm2"), one(KV))
    b = p.gguf(k, converted(t))
    words = "2 queries, a key and a value of each of 2 groups"
    check("internlm2", a, b, 0, SAME, "permuted")
    count("internlm2, counted", a, b, 2 * LAYERS)
    check("internlm2, a folder", a, p.folder(config("internlm2"), one(KV)), 0, SAME)
    for what, groups, order, says in (("blocks", 1, "qkv", QUERIES), ("groups with values first", KV,
                                      "qvk", "2 queries, a value and a key of each of 2 groups")):
        wrong = p.folder(config("internlm2"), one(groups, order))
        check(f"internlm2, {what} and GGUF", wrong, b, 1, WRONG, says, words)
        check(f"internlm2, {what} in a folder", a, wrong, 1, WRONG, says, words)
        check(f"internlm2, {what} in both folders", wrong, p.folder(
            config("internlm2"), one(groups, order)), 0, SAME)
    check("internlm2, not permuted", a, p.gguf(k, converted(t, 0, 0)), 1, WRONG,
          "same order, but .* they have to be permuted within each of . heads of 8")
    check("internlm2, keys permuted in the heads of queries", a, p.gguf(k, converted(t, HEADS, HEADS)),
          1, WRONG, r"as if it had 4 heads of 4; it has 2 of 8")
    check("internlm2, permuted in the folder", p.folder(config("internlm2"), one(KV, turn=lambda q, k, v: (
        permuted(q, HEADS), permuted(k, KV), v))), a, 1, WRONG, "permuted within each head of 8 of", "both models rotate")


def parts_in_gguf():
    """One tensor in a folder, all queries first; three in GGUF, the rows of q and k permuted."""
    for kind, arch, name, kv, more in (
        ("baichuan", "baichuan", "model.layers.0.self_attn.W_pack.weight", HEADS, {"model_max_length": 2048}),
        ("bailing_moe", "bailingmoe", "model.layers.0.attention.query_key_value.weight", KV,
         {"rope_theta": 10000.0, "max_position_embeddings": 2048, "head_dim": HEAD}),
        ("llama", "llama", "model.layers.0.self_attn.qkv_proj.weight", KV, {"head_dim": HEAD}),
    ):
        p, n = Pair(), HEADS * HEAD
        q, k, v = draw(n, n), draw(kv * HEAD, n), draw(kv * HEAD, n)
        settings = {"model_type": kind, "hidden_size": n, "num_attention_heads": HEADS,
                    "num_key_value_heads": kv, "num_hidden_layers": 1, **more}
        has = keys(arch, attention__head_count_kv=kv, embedding_length=n, block_count=1)

        def ggml(heads_q=HEADS, heads_k=kv):
            return p.gguf(has, {"blk.0.attn_q.weight": permuted(q, heads_q) if heads_q else q,
                                "blk.0.attn_k.weight": permuted(k, heads_k) if heads_k else k,
                                "blk.0.attn_v.weight": v})

        a = p.folder(settings, {name: joined(q, k, v)})
        check(f"{kind}, three in GGUF", a, ggml(), 0, "^the same positions and weights: 3 equal", "permuted")
        check(f"{kind}, keys as other heads in GGUF", a, ggml(HEADS, 1), 1, WRONG, "as if it had 1 head of")
        check(f"{kind}, not permuted in GGUF", a, ggml(0, 0), 1, WRONG, "same order, but")
        check(f"{kind}, groups and three in GGUF", p.folder(settings, {name: joined(q, k, v, kv)}), ggml(),
              1, WRONG, "each of . (groups|heads)", QUERIES)


def alibi():
    """Baichuan of 13 billions: nothing rotates, and llama.cpp permutes rows of q and k all the same."""
    p, n = Pair(), HEADS * HEAD
    q, k, v = (draw(n, n) for _ in range(3))
    a = p.folder({"model_type": "baichuan", "hidden_size": 5120, "num_attention_heads": HEADS,
                  "num_hidden_layers": 40, "model_max_length": 2048},
                 {"model.layers.0.self_attn.W_pack.weight": joined(q, k, v)})
    has = keys("baichuan", attention__head_count_kv=HEADS, embedding_length=n, block_count=40)
    for what, heads_q, heads_k, status, says in (
        ("permuted", HEADS, HEADS, 0, "^the same positions and weights: 3 equal tensors"),
        ("not permuted", 0, 0, 0, "^the same positions and weights: 3 equal tensors"),
        ("queries permuted", HEADS, 0, 1, WRONG + "rows of heads are not permuted alike in queries and keys"),
        ("permuted back", HEADS, -HEADS, 1, WRONG + "rows of heads are not permuted alike"),
        ("permuted in other heads", 2, 2, 1, WRONG + ".*within each of 2 heads of 16, .*, but it has 4 of 8"),
    ):
        check(f"baichuan of ALiBi, {what}", a, p.gguf(has, {
            "blk.0.attn_q.weight": permuted(q, heads_q) if heads_q else q,
            "blk.0.attn_k.weight": permuted(k, heads_k) if heads_k > 0 else back(k, HEADS) if heads_k else k,
            "blk.0.attn_v.weight": v}), status, says)


def types():
    """Rows of other types: float16, and Q8_0 in GGUF."""
    p, n = Pair(), 32 * HEADS
    q, k, v = (draw(n, n) for _ in range(3))
    settings = {"model_type": "gpt_neox", "hidden_size": n, "num_attention_heads": HEADS,
                "num_hidden_layers": 1, **NEOX}
    name = "gpt_neox.layers.0.attention.query_key_value.weight"
    has = keys("gptneox", attention__head_count_kv=HEADS, embedding_length=n, block_count=1,
               rope__dimension_count=16, attention__key_length=32, attention__value_length=32)
    a = p.folder(settings, {name: joined(q, k, v, HEADS)})
    for groups, status, says in (1, 0, SAME + "1 equal tensor up to rounding"), (HEADS, 1, WRONG):
        x = joined(q, k, v, groups)
        check(f"float16, {groups}", a, p.gguf(has, {"blk.0.attn_qkv.weight": x.astype("f2")}), status, says)
        check(f"Q8_0, {groups}", a, p.gguf(has, {"blk.0.attn_qkv.weight": x}, ["blk.0.attn_qkv.weight"]),
              status, says if status else SAME + "1 equal tensor within the error of Q8_0")


def back(x, heads):
    """permuted() undone."""
    return x.reshape(heads, x.shape[0] // heads // 2, 2, *x.shape[1:]).swapaxes(1, 2).reshape(x.shape)


def heads():
    """Rows of q and k that were permuted, or permuted back, in heads of another number."""
    p = Pair()
    t = decoder(bias=True)

    def folder_of(q=lambda x: x, k=lambda x: x, ends="weight|bias"):
        return p.folder(config("llama"), {
            n: q(x) if ".q_proj" in n and re.search(ends, n) else
            k(x) if ".k_proj" in n and re.search(ends, n) else x for n, x in t.items()})

    def gguf_of(q, k, ends="weight|bias"):
        right, out = converted(t), converted(t, 0, 0)
        for n, x in out.items():
            if re.search(ends, n):
                out[n] = q(x) if "attn_q." in n else k(x) if "attn_k." in n else x
            else:
                out[n] = right[n]
        return p.gguf(keys("llama"), out)

    def turned(*steps):
        """Positive: permuted in so many heads; negative: back."""
        def turn(x):
            for n in steps:
                x = permuted(x, n) if n > 0 else back(x, -n)
            return x
        return turn

    # Twice is backwards in heads of 8, not in those of 16
    large = config("llama", head_dim=2 * HEAD)
    x = {f"model.layers.0.self_attn.{x}_proj.weight": draw(2 * n * HEAD, HIDDEN)
         for x, n in (("q", HEADS), ("k", KV), ("v", KV))}
    q = "model.layers.0.self_attn.q_proj.weight"
    check("heads of 16 permuted twice", p.folder(large, x), p.folder(large, {
        **x, q: turned(HEADS, HEADS)(x[q])}), 1, "^not the same positions: .*, twice, but both models")
    check("heads of 16 permuted twice in GGUF", p.folder(large, x), p.gguf(
        keys("llama", attention__key_length=2 * HEAD, attention__value_length=2 * HEAD,
             rope__dimension_count=2 * HEAD), {**converted(x), "blk.0.attn_q.weight": turned(
                 HEADS, HEADS)(x[q])}), 1, "^not the same positions: .*, twice, but A")
    a, b = folder_of(), gguf_of(turned(HEADS), turned(KV))
    check("permuted rightly", a, b, 0, SAME)
    as_if = "as if it had {} heads of {}; it has {} of {}"
    keys_as = as_if.format(HEADS, KV * HEAD // HEADS, KV, HEAD)
    queries_as = as_if.format(KV, HEADS * HEAD // KV, HEADS, HEAD)
    q, k = turned(HEADS), turned(KV)
    for what, x, says in (
        ("keys permuted back in the heads of queries", folder_of(k=turned(KV, -HEADS)), keys_as),
        ("queries permuted back in the heads of keys", folder_of(turned(HEADS, -KV)), queries_as),
        ("keys permuted back as queries were, biases alone", folder_of(
            k=turned(KV, -HEADS), ends="bias"), keys_as),
        ("permuted back twice", folder_of(turned(-HEADS), turned(-KV)), "permuted within each of"),
        ("permuted in a folder", folder_of(turned(HEADS)), "permuted within each of"),
        ("permuted twice in a folder", folder_of(turned(HEADS, HEADS)), "interleaved to half|half to interleaved"),
        ("keys permuted in other heads in a folder", folder_of(k=turned(HEADS)), "permuted"),
    ):
        check(what, a, x, 1, "^not the same positions: .*", says)
        check(f"{what}, and GGUF", x, b, 1, "^not the same positions: ")
    for what, x, says in (
        ("keys permuted in the heads of queries", gguf_of(q, turned(HEADS)), keys_as),
        ("queries permuted in the heads of keys", gguf_of(turned(KV), k), queries_as),
        ("permuted twice", gguf_of(turned(HEADS, HEADS), turned(KV, KV)), "permuted within each"),
        ("permuted back", gguf_of(turned(-HEADS), turned(-KV)), "from interleaved to half|from half to"),
        ("not permuted", gguf_of(turned(), turned()), "same order, but"),
        ("biases not permuted", gguf_of(turned(), turned(), "bias"), r"bias.* same order, but"),
        ("weights not permuted", gguf_of(turned(), turned(), "weight"), r"weight.* same order, but"),
        ("keys permuted right, and in the heads of queries", gguf_of(q, turned(KV, HEADS)), "permuted"),
    ):
        check(f"{what} in GGUF", a, x, 1, "^not the same positions: .*", says)
        check(f"{what} in GGUF, two", b, x, 1, "^not the same positions: ")


def values():
    """Values, whose rows are never permuted."""
    p = Pair()
    t = decoder(bias=True)

    def turned(tensors, turn, part):
        return {n: turn(x) if part in n else x for n, x in tensors.items()}

    a, b = p.folder(config("llama"), t), p.gguf(keys("llama"), converted(t))
    wrong, says = "^not the same weights: .*(v_proj|attn_v)", "permuted .*but values do not rotate"
    for what, turn in (("as keys", lambda x: permuted(x, KV)), ("back", lambda x: back(x, KV)),
                       ("as queries", lambda x: permuted(x, HEADS))):
        check(f"values permuted {what}", a, p.folder(config("llama"), turned(t, turn, ".v_proj")),
              1, wrong, says)
        of = p.gguf(keys("llama"), turned(converted(t), turn, "attn_v."))
        check(f"values permuted {what} in GGUF", a, of, 1, wrong, says)
        check(f"values permuted {what}, two GGUF files", b, of, 1,
              wrong, says)
    tuned = turned(converted(t), lambda x: x + draw(*x.shape) / 20, "attn_v.")
    check("values tuned", a, p.gguf(keys("llama"), tuned), 0, "^the same positions, but 4 of")


def unknown():
    """What no row says is not called the same, nor wrong."""
    p = Pair()
    x = draw(3 * HEADS * HEAD, HEADS * HEAD)
    more = {"num_attention_heads": HEADS, "num_key_value_heads": HEADS, "hidden_size": HEADS * HEAD}
    name = "model.layers.0.self_attn.query_key_value.weight"
    a = p.folder(config("llama", **more), {name: x})
    check("a name of unknown order", a, p.folder(config("llama", **more), {name: x}), 0, SAME)
    y = x.reshape(HEADS, 3, HEAD, -1).swapaxes(0, 1).reshape(x.shape)
    check("a name of unknown order, regrouped", a, p.folder(config("llama", **more), {name: y}), 1,
          "^not the same positions: .*regrouped, from the query, key and value of each of 4 heads in A "
          "to all|from all queries, then all keys, then all values in A to the query")
    check("a name of unknown order, regrouped in GGUF", a, p.gguf(
        keys("llama", attention__head_count_kv=HEADS), {"blk.0.attn_qkv.weight": y}), 1,
        "^not known.*not known in which order")
    bare = [write_npz(p, {name: z, "norm.weight": x[0]}) for z in (x, y)]
    check("rows regrouped, no configuration", *bare, 1, "^not known")
    check("rows regrouped, one configuration", a, bare[1], 1, "^not known")
    odd = {"model.layers.0.self_attn.q_proj.weight": draw(12, 8)}
    check("rows that are no heads, permuted", p.folder(config("llama"), odd), p.folder(
        config("llama"), {n: permuted(z, 3) for n, z in odd.items()}), 1, "^not the same.*3 heads of 4")
    check("a name of unknown order, and GGUF", a, p.gguf(
        keys("llama", attention__head_count_kv=HEADS), {"blk.0.attn_qkv.weight": x}), 1, "^not ")
    name = "transformer.h.0.self_attention.query_key_value.weight"
    bloom = {"model_type": "bloom", "hidden_size": HEADS * HEAD, "n_head": HEADS + 1}
    check("heads that do not divide the rows", p.folder(bloom, {name: x}), p.gguf(
        keys("bloom", attention__head_count=HEADS + 1, attention__head_count_kv=HEADS + 1),
        {"blk.0.attn_qkv.weight": x}), 1, "^not known.*rows")
    bloom["n_head"] = HEADS
    check("bloom, other weights", p.folder(bloom, {name: x}), p.gguf(
        keys("bloom", attention__head_count_kv=HEADS), {"blk.0.attn_qkv.weight": draw(*x.shape)}), 0,
        "^the same positions, but 1 of 1 tensors")
    check("bloom, a tensor lost", p.folder(bloom, {name: x, "ln_f.weight": x[0]}), p.folder(
        bloom, {"ln_f.weight": x[0]}), 0, "^the same positions, but 1 tensor is only in")
    check("bloom, a type that is not read", p.folder(bloom, {name: x}), p.gguf(
        keys("bloom", attention__head_count_kv=HEADS), {"blk.0.attn_qkv.weight": x},
        ["blk.0.attn_qkv.weight"], 12), 0, "^the same positions; 1 of 1 tensors in both are not read")
    check("bloom of one head", p.folder({**bloom, "n_head": 1}, {name: x}), p.gguf(
        keys("bloom", attention__head_count=1, attention__head_count_kv=1),
        {"blk.0.attn_qkv.weight": x}), 0, SAME)


def main():
    with tempfile.TemporaryDirectory() as at:
        os.chdir(at)
        for model in MODELS:
            fused(model)
        for part in classes, columns, internlm2, parts_in_gguf, alibi, types, heads, values, unknown:
            part()
        os.chdir("/")
    print(f"1..{len(RESULTS)}")
    return not all(RESULTS)


if __name__ == "__main__":
    sys.exit(main())
