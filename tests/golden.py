"""Compares posenc with the tables in tests/golden, which the peers produced.

A group of the manifest is a row of GROUPS: its name, and the arguments that
make posenc compute what the peer did. None may be missing. TAP on standard
output.
"""

import io
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
FULL = "FULL" in os.environ
SCRATCH = tempfile.TemporaryDirectory()
POSENC = os.path.join(os.environ.get("B", "build"), "posenc")


def posenc(command):
    """The table that a command makes, as numpy reads it."""
    run = subprocess.run([POSENC, *command, "--npy", "-"], capture_output=True)
    if run.returncode:
        raise RuntimeError(run.stderr.decode().strip())
    return np.load(io.BytesIO(run.stdout))


def sinusoid(n, d, *more):
    return ["sinusoid", "--len", n, "--dim", d, *more]


def positions(values):
    return ",".join(repr(float(v)) for v in values)


def split_half_1(n, d, *more):
    """fairseq, whisper, tensor2tensor, diffusers: the base is 10000 unless more says."""
    return sinusoid(n, d, "--layout", "split", "--denom", "half-1", "--odd", "zero", *more)


def split_dim(n, d, *more):
    return sinusoid(n, d, "--layout", "split", *more)


def timescales(n, d, low, high, start=0):
    """tensor2tensor multiplies all frequencies by what it calls the least timescale."""
    denom = "half" if d < 4 else "half-1"
    return split_half_1(n, d, "--denom", denom, "--base", high / low, "--angle-scale", low,
                        "--start", start)


def fairseq_positions(tokens, pad, past=0):
    """Non-padding tokens count on from pad + 1 + past; padding has position pad."""
    m = np.array(tokens) != pad
    return ((np.cumsum(m, axis=1) + past) * m + pad).ravel()


def padding(row):
    return [] if row is None else ["--zero-row", row]


def reverse(p, n, d):
    return sinusoid(n, d, *(["--start", n - 1, "--step", -1] if p else []))


def diffusers(p):
    return ["sinusoid", "--positions", positions(p["timesteps"]), "--dim", p["embedding_dim"],
            "--layout", "split", "--odd", "zero", "--base", p["max_period"],
            "--denom", f"shift:{p['downscale_freq_shift']}", "--angle-scale", p["scale"],
            "--first", "cos" if p["flip_sin_to_cos"] else "sin"]


def grid(size, d, variant, *more):
    return ["grid", "--grid", "x".join(map(str, size)), "--dim", d, "--variant", variant, *more]


def timm(p):
    size = p["feat_shape"][::-1] if p["reverse_coord"] else p["feat_shape"]
    return grid(size, p["dim"], "timm", "--temperature", p["temperature"],
                "--layout", "interleaved" if p["interleave_sin_cos"] else "split")


def diffusers_2d(p):
    cls = p["extra_tokens"] if p["cls_token"] else 0
    return grid(p["grid_size"], p["embed_dim"], "diffusers", "--cls", cls,
                "--base-size", p["base_size"], "--interpolation", p["interpolation_scale"],
                "--dtype", "f64")


def diffusers_3d(p):
    width, height = p["spatial_size"]
    scale = f"{p['spatial_interpolation_scale']},{p['temporal_interpolation_scale']}"
    return grid([height, width, p["temporal_size"]], p["embed_dim"], "diffusers",
                "--interpolation", scale, "--dtype", "f64")


def bits(order):
    return ["--bits", order.removesuffix("-first")]


def shaw(queries, keys, clip):
    return ["relative", "--query-len", queries, "--key-len", keys, "--clip", clip]


def deberta(p):
    if p["bucket_size"] < 0:
        return ["relative", "--kind", "deberta"]
    return ["relative", "--kind", "deberta", "--buckets", p["bucket_size"],
            "--max-position", p["max_position"]]


def window(option, sides):
    return [option, "x".join(map(str, sides))]


def swin_v2(p):
    trained = p["pretrained_window_size"]
    return ["relative", "--kind", "swin", "--out", "logcoords",
            *window("--window", p["window_size"]),
            *(window("--pretrained", trained) if trained[0] else [])]


def clamp(p):
    return ["--clip", p["clamp_len"]] if p["clamp_len"] > 0 else []


def xlnet(p):
    return ["relative", "--kind", "xlnet", "--out", "sinusoids", "--query-len", p["qlen"],
            "--key-len", p["klen"], "--dim", p["d_model"], *clamp(p),
            *(["--causal"] if p["attn_type"] == "uni" else [])]


def t5(p, *more):
    way = "--bidirectional" if p["bidirectional"] else "--causal"
    return ["t5-bucket", way, "--num-buckets", p["num_buckets"],
            "--max-distance", p["max_distance"], *more]


def t5_range(p):
    return t5(p, "--distances", f"{p['rel_from']}:{p['rel_to']}")


def lookup(table, ids):
    return ["embed", "--table", table, "--ids", ",".join(str(int(i)) for i in np.ravel(ids))]


def bart(p, case):
    at = p["past_key_values_length"] + 2 + np.arange(p["seq_len"])
    return lookup(case["table"], np.tile(at, p["batch"]))


def bias(heads, keys, *more):
    return ["alibi", "--heads", heads, "--len", keys, *more]


def row_bias(heads, mask):
    """BLOOM numbers the keys that are not masked; masked ones have position 0."""
    at = (np.cumsum(mask) - 1) * mask
    return ["alibi", "--heads", heads, "--form", "row", "--positions", positions(at)]


def last_row_bias(heads, keys, most):
    """MPT: the row of the last query."""
    return ["alibi", "--heads", heads, "--query-len", 1, "--key-len", keys, "--bias-max", most]


def rope(p, *more):
    return ["rope", "--dim", p.get("head_dim", p.get("dim")), *more]


def cos_sin_freqs(command, at, case):
    """The command of each array of a case."""
    words = {"out": "cos-full", "sin": "sin-full", "inv_freq": "freqs"}
    return [(name, command + ["--positions", positions(at), "--out", words[name]])
            for name in words if name in case]


def hf_scaling(p):
    """What --scaling says of a model of transformers, beside what --config does."""
    r = p["rope_parameters"]
    kind, factor = r["rope_type"], r.get("factor", 1)
    original = r.get("original_max_position_embeddings", p["max_position_embeddings"])
    if kind == "default":
        return "none"
    if kind in ("linear", "proportional"):
        return f"{kind}:{factor}"
    if kind == "longrope":
        factor = r.get("factor", p["max_position_embeddings"] / original)
        lists = [":".join(map(str, r[which])) for which in ("short_factor", "long_factor")]
        return f"longrope:{factor},{original},short={lists[0]},long={lists[1]}"
    names = {"beta_fast": "fast", "beta_slow": "slow", "low_freq_factor": "low",
             "high_freq_factor": "high", "mscale": "mscale", "mscale_all_dim": "mscale_all_dim",
             "truncate": "truncate", "attention_factor": "attention_factor"}
    named = [f",{ours}={str(r[theirs]).lower()}" for theirs, ours in names.items() if theirs in r]
    return f"{kind}:{factor},{original}" + "".join(named)


def hf_rope(p, case):
    """By options, and by a model's config.json."""
    r = p["rope_parameters"]
    command = rope(p, "--base", r["rope_theta"], "--scaling", hf_scaling(p))
    if r["rope_type"] == "proportional":
        turning = int(r.get("partial_rotary_factor", 1) * p["head_dim"])
        command += ["--rotary-dim", turning]
    config = os.path.join(SCRATCH.name, os.path.basename(case["out"]) + ".json")
    with open(config, "w") as file:
        json.dump(p, file)
    return (cos_sin_freqs(command, p["positions"], case) +
            cos_sin_freqs(["rope", "--config", config], p["positions"], case))


def original_scaling(p, kind, extra=""):
    original = p["original_max_position_embeddings"]
    return f"{kind}:{p.get('scale', p.get('max_position_embeddings', 0) / original)},{original}{extra}"


def apply(path, *more, along="rows"):
    """Rotate a file of four dimensions: all in front of a plane are its heads."""
    return ["rope", "--apply", path, "--along", along, *more]


def queries_keys(case, *more):
    return [("out", apply(case["q"], *more)), ("k_out", apply(case["k"], *more))]


def meta_llama(p, case):
    more = ["--pairs", "interleaved", "--base", p["theta"]]
    return [("out", rope(p, "--len", p["end"], "--out", "cis", *more)),
            ("x_rotated", apply(case["x"], *more, along="planes"))]


def lucidrains(p, case):
    more = ["--pairs", "interleaved", "--rotary-dim", p["dim"], "--start", p["offset"],
            "--len", p["seq_len"], "--base", p.get("theta", 10000)]
    if p.get("freqs_for") == "pixel":
        more += ["--spacing", f"linear:{p['max_freq']}"]
    if "interpolate_factor" in p:
        more += ["--scaling", f"linear:{p['interpolate_factor']}"]
    if "theta_rescale_factor" in p:
        more += ["--scaling", f"ntk:{p['theta_rescale_factor']}"]
    return apply(case["q"], *more)


def lucidrains_xpos(p, case):
    more = ["--pairs", "interleaved", "--xpos", p["xpos_scale_base"]]
    return [("out", apply(case["q"], *more)),
            ("k_out", apply(case["k"], *more, "--downscale"))]


def torchscale_xpos(p, case):
    return apply(case["x"], "--pairs", "interleaved", "--xpos", p["scale_base"], "--center", "ceil",
                 "--start", p["offset"], "--len", p["seq_len"],
                 *(["--downscale"] if p["downscale"] else []))


def diffusers_rope(p, case):
    base = p.get("theta", 10000) * p.get("ntk_factor", 1)
    return cos_sin_freqs(rope(p, "--pairs", "interleaved", "--base", base, "--scaling",
                              f"linear:{p.get('linear_factor', 1)}"), p["pos"], case)


def coefficients(case, *more):
    return ["--coefficients", f"{case['cos_coef']},{case['sin_coef']}", *more]


def fope(p, case):
    command = rope(p, "--base", p["rope_theta"], *coefficients(case))
    return cos_sin_freqs(command, p["positions"], case)


def resonance(p):
    scaling = ["--scaling", original_scaling(p, "yarn")] if "scale" in p else []
    command = rope(p, "--base", p["base"], "--resonance", *scaling, "--len", p["seq_len"])
    return [(name, [*command, "--out", what])
            for name, what in (("out", "cos"), ("sin", "sin"), ("inv_freq", "freqs"))]


def mip_nerf(p, case):
    variances = ["--variances", case["x_cov_diag"]] if "x_cov_diag" in case else []
    return ["fourier", "--preset", "mip-nerf", "--points", case["x"], "--bands", p["max_deg"],
            *variances]


def enformer(p, *more):
    names = ",".join(p["feature_functions"]).replace("_", "-")
    return ["enformer", "--len", p["seq_length"], "--dim", p["feature_size"],
            "--functions", names, *(["--symmetric"] if p["symmetric"] else []), *more]


def mrope(p, order, *more):
    return rope(p, "--base", p["base"], "--sections", positions(p["mrope_section"]), "--mrope", order,
                "--positions-by", "token", "--positions", positions(np.ravel(p["positions"])), *more)


def mhrope(p, case):
    return [(name, mrope(p, "heads", *more)) for name, more in
            (("out", ["--out", "cos-full"]), ("sin", ["--out", "sin-full"]),
             ("rotated", ["--apply", case["q"]]))]


def spherical(p, case, *more):
    return ["spherical", "--points", case["lonlat"], "--legendre-polys", p["legendre_polys"],
            "--variant", p["variant"], *more]


def norm(p):
    return [] if p["max_norm"] is None else ["--max-norm", p["max_norm"]]


def add_sinusoid(case, *more):
    return ["embed", "--table", case["X"], "--add", "sinusoid", *more]


def bert(p, case):
    flat = {name: ",".join(str(i) for i in np.ravel(p[name]))
            for name in ("input_ids", "token_type_ids", "position_ids") if p[name]}
    segments = flat.get("token_type_ids")
    at = flat.get("position_ids")
    past = p["past_key_values_length"]
    sums = ["embed", "--table", case["word"], "--ids", flat["input_ids"],
            "--batch", len(p["input_ids"]),
            "--segment-table", case["segment"], *(["--segments", segments] if segments else []),
            "--position-table", case["position"],
            *(["--positions", at] if at else ["--past", past])]
    return [("sum", sums),
            ("out", sums + ["--layernorm", "--eps", p["layer_norm_eps"],
                            "--gamma", case["ln_weight"], "--beta", case["ln_bias"]])]


# group: arguments of the case's parameters p (and of its files, case); or, with
# names of its arrays, the arguments for each
GROUPS = {
    "sinusoid.seed0": lambda p, case: sinusoid(p["max_seq_len"], p["hidden_size"]),
    "sinusoid.annotated": lambda p, case: sinusoid(p["max_len"], p["d_model"]),
    "sinusoid.opennmt_interleaved": lambda p, case: sinusoid(p["max_len"], p["dim"]),
    "sinusoid.opennmt_concat": lambda p, case: split_half_1(p["max_len"], p["dim"]),
    "sinusoid.fairseq_espnet": lambda p, case: reverse(p["reverse"], p["max_len"], p["d_model"]),
    "sinusoid.hf_distilbert": lambda p, case: sinusoid(p["n_pos"], p["dim"]),
    "sinusoid.hf_videomae": lambda p, case: sinusoid(p["n_position"], p["d_hid"]),
    "sinusoid.d2l": lambda p, case: sinusoid(p["max_len"], p["num_hiddens"]),
    "sinusoid.bert_pytorch": lambda p, case: sinusoid(p["max_len"], p["d_model"]),
    "sinusoid.tatp22_1d": lambda p, case: sinusoid(p["x"], p["channels"], "--odd", "round-up"),
    "sinusoid.keras_sine": lambda p, case: sinusoid(
        p["seq_length"], p["hidden_size"], "--base", p["max_wavelength"],
        "--start", p["start_index"]),
    "sinusoid.hf_marian": lambda p, case: split_dim(p["n_pos"], p["dim"]),
    "sinusoid.hf_gptj_table": lambda p, case: split_dim(p["num_pos"], p["dim"]),
    "sinusoid.gpt_neox": lambda p, case: split_dim(p["seq_len"], p["dim"], "--base", p["base"]),
    "sinusoid.seed1": lambda p, case: [
        "sinusoid", "--positions", positions(p["steps"]), "--dim", p["dim"], "--base", p["T"],
        "--layout", "split", "--denom", "half-1", "--odd", "fewer"],
    "sinusoid.fairseq": lambda p, case: split_half_1(
        p["num_embeddings"], p["embedding_dim"], *padding(p["padding_idx"])),
    "sinusoid.fairseq_tokens": lambda p, case: split_half_1(
        1, p["embedding_dim"], *padding(p["padding_idx"]), "--positions",
        positions(fairseq_positions(p["tokens"], p["padding_idx"]))),
    "sinusoid.hf_speech_to_text": lambda p, case: split_half_1(
        1, p["embedding_dim"], *padding(p["padding_idx"]), "--positions",
        positions(fairseq_positions(
            p["input_ids"], p["padding_idx"], p["past_key_values_length"]))),
    "sinusoid.hf_m2m100": lambda p, case: split_half_1(
        1, p["embedding_dim"], *padding(p["padding_idx"]), "--positions",
        positions(fairseq_positions(
            p["input_ids"], p["padding_idx"], p["past_key_values_length"]))),
    "sinusoid.whisper": lambda p, case: split_half_1(
        p["length"], p["channels"], "--base", p["max_timescale"]),
    "sinusoid.t2t": lambda p, case: timescales(
        p["length"], p["channels"], p["min_timescale"], p["max_timescale"], p["start_index"]),
    "sinusoid.flaxformer": lambda p, case: timescales(*p["shape"], p["min_scale"], p["max_scale"]),
    "sinusoid.diffusers_timestep": lambda p, case: diffusers(p),
    "sinusoid.xt_scaled": lambda p, case: split_dim(
        p["seq_len"], p["dim"], "--base", p["theta"], "--amp", repr(p["dim"] ** -0.5),
        "--start", p["offset"]),
    "relative.fairseq_relpos_sinusoid": lambda p, case: sinusoid(
        2 * p["max_len"] - 1, p["d_model"], "--start", p["max_len"] - 1, "--step", -1),
    "relative.transformer_xl": lambda p, case: [
        "relative", "--kind", "xl", "--out", "sinusoids", "--len", p["klen"],
        "--dim", p["demb"], *clamp(p)],
    "relative.xlnet": lambda p, case: xlnet(p),
    "relative.t2t_shaw": lambda p, case: shaw(
        p["length_q"], p["length_k"], p["max_relative_position"]),
    "relative.opennmt_shaw": lambda p, case: shaw(
        1 if p["cache"] else p["length"], p["length"], p["max_relative_positions"]),
    "relative.shaw_lookup": lambda p, case: [
        "relative", "--len", p["length"], "--clip", p["max_relative_positions"],
        "--table", case["table"]],
    "binary.numpy_bits": lambda p, case: [
        "naive", "--kind", "binary", "--len", p["n"], "--dim", p["bits"], *bits(p["order"])],
    "shift.exact_rotation": lambda p, case: [
        "shift", "--dim", p["d"], "--base", p["base"], "--by", p["phi"], "--dtype", "f64"],
    "sincos2d.mae": lambda p, case: grid(
        [p["grid_size"]] * 2, p["embed_dim"], "mae", "--cls", int(p["cls_token"]),
        "--dtype", "f64"),
    "sincos2d.detr": lambda p, case: grid(
        [p["height"], p["width"]], 2 * p["num_pos_feats"], "detr",
        "--temperature", p["temperature"], *(["--normalize"] if p["normalize"] else [])),
    "sincos2d.timm": lambda p, case: timm(p),
    "sincos2d.tatp22": lambda p, case: grid(p["shape"], p["channels"], "multidim"),
    "sincos3d.tatp22": lambda p, case: grid(p["shape"], p["channels"], "multidim"),
    "sincos2d.diffusers": lambda p, case: diffusers_2d(p),
    "sincos3d.diffusers": lambda p, case: diffusers_3d(p),
    "relative.deberta_v2": lambda p, case: [
        *deberta(p), "--query-len", p["query_size"], "--key-len", p["key_size"]],
    "relative.deberta_v2_vector": lambda p, case: [
        *deberta(p), "--distances", f"{p['rel_from']}:{p['rel_to']}"],
    "relative.swin": lambda p, case: [
        "relative", "--kind", "swin", *window("--window", p["window_size"])],
    "relative.timm_beit": lambda p, case: [
        "relative", "--kind", "swin", *window("--window", p["q_size"]),
        *(["--cls"] if p["class_token"] else [])],
    "relative.swinv2_table": lambda p, case: swin_v2(p),
    "t5-bucket.seed2_matrix512": lambda p, case: t5(p, "--len", 512),
    "t5-bucket.seed2_diagonals512": lambda p, case: t5(p, "--distances", "-511:511"),
    "t5-bucket.hf_range": lambda p, case: t5_range(p),
    "t5-bucket.hf_disagreement": lambda p, case: t5_range(p),
    "t5-bucket.t5x_range": lambda p, case: t5_range(p),
    "t5-bucket.hf_bias": lambda p, case: t5(
        p, "--query-len", p["query_length"], "--key-len", p["key_length"],
        "--past", p["past_seen_tokens"], "--table", case["table"]),
    "embed.torch_embedding": lambda p, case: lookup(case["table"], p["ids"]) + norm(p),
    "embed.learned_add": lambda p, case: [
        "embed", "--table", case["X"], "--add", case["P"], "--past", p["first_position"]],
    "embed.add_annotated": lambda p, case: add_sinusoid(case),
    "embed.add_scaled_fairseq": lambda p, case: add_sinusoid(case, "--multiplier", "sqrt-dim"),
    "embed.add_scaled_opennmt": lambda p, case: add_sinusoid(
        case, "--multiplier", "sqrt-dim", "--past", p["step"]),
    "embed.hf_bert": bert,
    "embed.roberta_position_ids": lambda p, case: [
        "embed", "--ids", ",".join(str(i) for i in np.ravel(p["input_ids"])),
        "--batch", len(p["input_ids"]), "--out", "positions",
        "--padding-idx", p["padding_idx"], "--past", p["past_key_values_length"]],
    "embed.bart_learned": bart,
    "alibi.original_slopes": lambda p, case: ["alibi", "--heads", p["heads"], "--dtype", "f64"],
    "alibi.hf_bloom": lambda p, case: row_bias(p["num_heads"], np.ravel(p["attention_mask"])),
    "alibi.hf_falcon": lambda p, case: bias(
        p["num_heads"], p["seq_len"], "--form", "row", "--emulate", "falcon"),
    "alibi.hf_mpt": lambda p, case: last_row_bias(
        p["num_heads"], p["sequence_length"], p["alibi_bias_max"]),
    "alibi.llm_foundry": lambda p, case: (
        bias(p["n_heads"], p["seq_len"], "--bias-max", p["alibi_bias_max"]) if p["full"] else
        last_row_bias(p["n_heads"], p["seq_len"], p["alibi_bias_max"])),
    "alibi.gpt_neox": lambda p, case: bias(
        p["num_heads"], p["seq_len"], "--form", "causal"),
    "alibi.data2vec": lambda p, case: bias(p["attention_heads"], p["max_positions"]),
    "permute.llama_cpp": lambda p, case: [
        "permute", case["x"], "--heads", p["heads"], "--to", p["to"]],
    "rope.hf_default": hf_rope,
    "rope.hf_linear": hf_rope,
    "rope.hf_dynamic": hf_rope,
    "rope.hf_yarn": hf_rope,
    "rope.hf_longrope": hf_rope,
    "rope.hf_llama3": hf_rope,
    "rope.hf_proportional": hf_rope,
    "rope.hf_llama_apply": lambda p, case: queries_keys(
        case, "--base", p["theta"], "--start", p["first_position"], "--len", p["seq_len"]),
    "rope.hf_gptj_apply": lambda p, case: apply(
        case["x"], "--pairs", "interleaved", "--start", p["first_position"],
        "--len", p["seq_len"], along="planes"),
    "rope.hf_roformer": lambda p, case: queries_keys(case, "--pairs", "interleaved"),
    "rope.opennmt": lambda p, case: queries_keys(
        case, "--pairs", "interleaved" if p["interleave"] else "half"),
    "rope.meta_llama": meta_llama,
    "rope.lucidrains": lucidrains,
    "rope.lucidrains_xpos": lucidrains_xpos,
    "rope.torchscale_xpos": torchscale_xpos,
    "rope.diffusers_1d": diffusers_rope,
    "rope.axial_2d": lambda p, case: rope(
        p, "--grid", f"{p['end_y']}x{p['end_x']}", "--base", p["theta"], "--out", "cis"),
    "rope.yarn_original": lambda p, case: cos_sin_freqs(
        rope(p, "--base", p["base"], "--scaling", original_scaling(p, "yarn")),
        range(p["seq_len"]), case),
    "rope.xtuner_fope": fope,
    "rope.lmdeploy_fope": lambda p, case: apply(case["q"], *coefficients(case), along="planes"),
    "rope.resonance": lambda p, case: resonance(p),
    "fourier.mip_nerf": mip_nerf,
    "enformer.deepmind": lambda p, case: enformer(p),
    "enformer.exact": lambda p, case: enformer(p, "--dtype", "f64"),
    "enformer.baskerville": lambda p, case: [
        "enformer", "--preset", "borzoi", "--len", p["seq_length"], "--dim", p["feature_size"]],
    "rope.vllm_openpangu": lambda p, case: mrope(p, "rarest", "--out", "cos"),
    "rope.videorope": lambda p, case: mrope(p, "alternate", "--out", "cos"),
    "rope.mhrope": mhrope,
    "positions.videorope": lambda p, case: [
        "positions", "--preset", "videorope", "--time", f"diagonal:{p['scale_factor']}",
        "--sequence", p["sequence"]],
    "spherical.satclip": spherical,
    "spherical.scipy": lambda p, case: spherical(p, case, "--dtype", "f64"),
    "rope.longrope_original": lambda p, case: cos_sin_freqs(
        rope(p, "--scaling", original_scaling(
            p, "longrope", ",short=" + ":".join(map(str, p["rescale_factors"])))),
        range(p["seq_len"]), case),
}

# group: the peer's arithmetic, by the name that --emulate has for it
EMULATED = {
    "sinusoid.seed0": "torch-exp",
    "sinusoid.annotated": "torch-exp",
    "sinusoid.opennmt_interleaved": "torch-exp",
    "sinusoid.opennmt_concat": "fairseq",
    "sinusoid.fairseq_espnet": "torch-exp",
    "sinusoid.hf_distilbert": "numpy64",
    "sinusoid.hf_videomae": "numpy64",
    "sinusoid.d2l": "torch-div",
    "sinusoid.bert_pytorch": "torch-exp",
    "sinusoid.tatp22_1d": "torch-pow",
    "sinusoid.keras_sine": "keras",
    "sinusoid.hf_marian": "numpy64",
    "sinusoid.hf_gptj_table": "torch-pow",
    "sinusoid.gpt_neox": "torch-pow",
    "sinusoid.seed1": "fairseq",
    "sinusoid.fairseq": "fairseq",
    "sinusoid.fairseq_tokens": "fairseq",
    "sinusoid.hf_speech_to_text": "fairseq",
    "sinusoid.hf_m2m100": "fairseq",
    "sinusoid.whisper": "fairseq",
    "sinusoid.t2t": "t2t",
    "sinusoid.flaxformer": "numpy64",
    "sinusoid.diffusers_timestep": "diffusers",
    "sinusoid.xt_scaled": "xt",
}


def row_positions(command, rows):
    """|position| of each row of a command, for tolerances that grow with it."""
    given = dict(zip(command, command[1:]))
    scale = float(given.get("--angle-scale", 1))
    if "--positions" in given:
        return np.abs(np.array(given["--positions"].split(","), dtype=float)) * scale
    start, step = float(given.get("--start", 0)), float(given.get("--step", 1))
    return np.abs(start + step * np.arange(rows))


def agrees(ours, case, command, name="out", exact=True):
    """None, or what differs from array name of the case; exact: ours has no error of its own."""
    array = case["arrays"][name]
    golden = np.load(os.path.join(HERE, array["file"]))
    if ours.size != golden.size:
        return f"shape {ours.shape}, not {golden.shape}"
    if case["group"] == "detr":  # [1, channels, height, width]
        ours = ours.T
    ours = ours.reshape(golden.shape).astype(np.float64)
    golden = golden.astype(np.float64)
    rule = array["compare"]
    if rule["mode"] == "exact":
        allowed = np.zeros(golden.shape)
    else:
        allowed = rule["atol"] + rule["rtol"] * np.abs(golden)
        by = rule.get("by_position")
        if exact and by and golden.ndim == 2:
            at = np.array(case["params"].get("pos_seq") or
                          row_positions(command, len(golden)))[:, None]
            allowed = np.minimum(allowed, by["base"] + by["per_position"] * at)
    worst = np.max(np.abs(ours - golden) - allowed)
    return None if worst <= 0 else f"differs by {worst} more than allowed"


def run_array(case, words, name="out"):
    command = [str(word) for word in words]
    try:
        return agrees(posenc(command), case, command, name)
    except RuntimeError as error:
        return str(error)


def differs(ours, golden, rule, skipped=None):
    """None, or how far ours is from golden beyond what rule allows, but for skipped rows."""
    if ours.shape != golden.shape:
        return f"shape {ours.shape}, not {golden.shape}"
    off = np.abs(ours.astype(np.float64) - golden) - rule.get("atol", 0)
    if skipped:
        off[slice(*skipped)] = 0
    return None if off.max() <= 0 else f"differs by {off.max()} more than allowed"


def run_resize(case):
    """A command of golden/resize, run in that folder; also beside the truth, in both dtypes."""
    folder = os.path.join(HERE, "resize")
    out = os.path.join(SCRATCH.name, "out.npy")
    argv = [os.path.abspath(POSENC)] + [a.replace("{out}", out) for a in case["argv"][1:]]
    rule, truth = case["compare"], case.get("truth")
    wanted = [("file", rule, [])] if case["file"] else []
    if truth:
        wanted += [("truth", truth[f"compare_{d}"], ["--dtype", d]) for d in ("float32", "float64")]
    if rule["mode"] == "refused":
        run = subprocess.run(argv, cwd=folder, capture_output=True, text=True)
        refused = (run.returncode, run.stderr.count("\n"), os.path.exists(out)) == (2, 1, False)
        return None if refused else "is not refused with one line"
    for which, rule, more in wanted:
        subprocess.run(argv + more, cwd=folder, check=True, capture_output=True)
        golden = np.load(os.path.join(folder, (case if which == "file" else truth)["file"]))
        why = differs(np.load(out), golden, rule, case.get("rows_not_compared"))
        os.remove(out)
        if why:
            return f"{which} {' '.join(more)}: {why}"
    return None


def run_cast(case):
    """Numbers of single precision as 16 bits; what would be infinite is refused."""
    dtype = case["params"]["to"]
    x, bits = (np.load(os.path.join(HERE, case["arrays"][name]["file"])) for name in ("x", "out"))
    infinite = (bits & 0x7fff) == {"float16": 0x7c00, "bfloat16": 0x7f80}[dtype]
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "x.npy")
        command = [POSENC, "embed", "--table", file, "--dtype", dtype, "--raw", "-"]
        np.save(file, x[~infinite][:, None])
        ours = subprocess.run(command, capture_output=True, check=True).stdout
        if (np.frombuffer(ours, np.uint16) != bits[~infinite]).any():
            return "other bits"
        for value in x[infinite & np.isfinite(x)]:
            np.save(file, [[value]])
            if subprocess.run(command, capture_output=True).returncode != 2:
                return f"{value} is not refused"
    return None


def run_case(case):
    group = case["scheme"] + "." + case["group"]
    files = {name: os.path.join(HERE, a["file"]) for name, a in case["arrays"].items()}
    commands = GROUPS[group](case["params"], files)
    if isinstance(commands[0], tuple):
        wrong = (run_array(case, words, name) for name, words in commands)
        return next(filter(None, wrong), None)
    if "exact" not in case["arrays"]:
        return run_array(case, commands)
    command = [str(word) for word in commands]
    ours = posenc(command)
    # beside it stands what a peer's float32 formula gives
    return (agrees(ours, case, command, "exact") or
            agrees(posenc(command + ["--emulate", "torch"]), case, command))


def run_emulated(cases, group, way):
    """Within the tolerances; in most cells, or all in double, the peer's very bits."""
    same = size = 0
    for case in cases:
        command = [str(w) for w in GROUPS[group](case["params"], {})] + ["--emulate", way]
        ours = posenc(command)
        why = agrees(ours, case, command, exact=False)
        if why:
            return why
        golden = np.load(os.path.join(HERE, case["file"]))
        same += (ours.ravel() == golden.ravel()).sum()
        size += golden.size
    least = 1 if way == "numpy64" else 0.75
    return None if same >= least * size else f"{same} of {size} cells are equal"


def run_truth(truth):
    """Correctly rounded tables, to be equal at the bit."""
    half = truth["denominator"] == "half-1"
    command = (split_half_1 if half else sinusoid)(
        truth["length"], truth["d"], "--start", truth["start"], "--base", truth["base"],
        "--dtype", truth["dtype"])
    ours = posenc([str(word) for word in command])
    golden = np.load(os.path.join(HERE, truth["file"]))
    bits = np.uint32 if truth["dtype"] == "float32" else np.uint64
    distance = np.abs(ours.view(bits).astype(np.int64) - golden.view(bits).astype(np.int64))
    most = 0 if truth["dtype"] == "float32" else 1
    return None if distance.max() <= most else f"{distance.max()} units in the last place"


def run_samples(path):
    """Single correctly rounded cells, many of them next to a zero of sine or cosine."""
    sets = {}
    for pos, d, base, denominator, i, function, _, f32, f64 in json.load(open(path))["rows"]:
        if function != "freq":
            key = (d, base, denominator)
            sets.setdefault(key, []).append((pos, i, function, int(f32, 16), int(f64, 16)))
    for (d, base, denominator), cells in list(sets.items())[::1 if FULL else 5]:
        layout, sines = ((split_half_1, d // 2) if denominator == "half-1"
                         else (split_dim, (d + 1) // 2))
        at = ",".join(cell[0] for cell in cells)
        command = [str(w) for w in layout(1, d, "--base", base, "--positions", at)]
        single = posenc(command + ["--dtype", "f32"]).view(np.uint32)
        double = posenc(command + ["--dtype", "f64"]).view(np.int64)
        for row, (pos, i, function, f32, f64) in enumerate(cells):
            column = i if function == "sin" else i + sines
            off = abs(int(np.uint64(f64).astype(np.int64)) - int(double[row, column]))
            if int(single[row, column]) != f32 or off > 1:
                return f"{function} of position {pos}, pair {i} of {d}, base {base}"
    return None


def run_slopes():
    """ALiBi's slopes, correctly rounded."""
    slopes = {}
    for heads, head, _, f32, f64 in json.load(open(os.path.join(HERE, "truth/alibi_slopes.json")))["rows"]:
        slopes.setdefault(heads, []).append((int(f32, 16), int(f64, 16)))
    for heads, wanted in slopes.items():
        single, double = (posenc(["alibi", "--heads", str(heads), "--dtype", d]) for d in ("f32", "f64"))
        if list(zip(single.view(np.uint32).flat, double.view(np.uint64).flat)) != wanted:
            return f"{heads} heads"
    return None


def run_boundaries():
    """The first distance of every bucket, by integer arithmetic."""
    rows = json.load(open(os.path.join(HERE, "t5/exact_boundaries.json")))["rows"]
    for buckets, most, first in rows[::1 if FULL else 5]:
        ours = posenc(["t5-bucket", "--causal", "--num-buckets", str(buckets),
                       "--max-distance", str(most), "--boundaries"])
        if ours.ravel().tolist() != first:
            return f"{buckets} buckets, max distance {most}"
    return None


def run_disagreements():
    """Distances where the usual float32 formula is one bucket off: every tenth or fiftieth pair."""
    rows = np.load(os.path.join(HERE, "t5/hf_vs_exact.npy"))
    pairs, start = np.unique(rows[:, :2], axis=0, return_index=True)
    for (buckets, most), i in list(zip(pairs, start))[::10 if FULL else 50]:
        few = rows[(rows[:, 0] == buckets) & (rows[:, 1] == most)]
        ours = posenc(["t5-bucket", "--causal", "--num-buckets", str(buckets), "--max-distance",
                       str(most), "--distances", f"-{most}:0"]).ravel()[::-1]
        if (ours[few[:, 2]] != few[:, 3]).any():
            return f"{buckets} buckets, max distance {most}"
        ours = posenc(["t5-bucket", "--causal", "--num-buckets", str(buckets), "--max-distance",
                       str(most), "--distances", f"-{most}:0", "--emulate", "torch"]).ravel()[::-1]
        if ((ours[few[:, 2]] != few[:, 4]) & (ours[few[:, 2]] != few[:, 5])).any():
            return f"torch's float32: {buckets} buckets, max distance {most}"
    return None


def main():
    manifest = json.load(open(os.path.join(HERE, "manifest.json")))
    cases = [c for c in manifest["cases"] if c["scheme"] + "." + c["group"] in GROUPS]
    results = [(c["id"], run_case(c)) for c in cases]
    casts = [c for c in manifest["cases"] if c["scheme"] == "dtype-cast"]
    results += [(c["id"], run_cast(c)) for c in casts]
    left = len(manifest["cases"]) - len(results)
    resized = json.load(open(os.path.join(HERE, "resize/manifest.json")))
    results += [(c["id"], run_resize(c)) for c in resized["cases"][::1 if FULL else 3]]
    results += [("manifest.json", f"{left} cases are not compared" if left else None)]
    results += [(f"{group} --emulate {way}",
                 run_emulated([c for c in cases if c["scheme"] + "." + c["group"] == group],
                              group, way)) for group, way in EMULATED.items()]
    results += [(t["id"], run_truth(t)) for t in manifest["truth_tables"]]
    results += [(f["file"], run_samples(os.path.join(HERE, f["file"])))
                for f in manifest["other_files"] if "samples" in f["file"]]
    results += [("truth/alibi_slopes.json", run_slopes()),
                ("t5/exact_boundaries.json", run_boundaries()),
                ("t5/hf_vs_exact.npy", run_disagreements())]
    print(f"1..{len(results)}")
    for i, (name, why) in enumerate(results, 1):
        print(f"{'not ok' if why else 'ok'} {i} - golden {name}" + (f": {why}" if why else ""))
    return any(why for _, why in results)


if __name__ == "__main__":
    sys.exit(main())
