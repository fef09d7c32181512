/* positional.c: which tensors of a model concern positions, by their names. */
#include <ctype.h>
#include <string.h>

#include "checkpoint/checkpoint.h"
#include "text/words.h"

#define NAME(name, holds, form, ...)                                    \
	{ .end = name, .length = sizeof name - 1,                       \
	  .content = CONTENT_##holds, .shape = SHAPE_##form,            \
	  .meaning = __VA_ARGS__ }
#define TABLE(name, ...) NAME(name, POSITIONS, TABLE, __VA_ARGS__)
#define OTHER(name, ...) NAME(name, OTHER, ANY, __VA_ARGS__)

#define UNEXPECTED(since)                                               \
	"by from_pretrained() of transformers since " since             \
	"; unexpected to load_state_dict()"

/*
 * Ends of names, without ".weight" and the like; each was found in the code
 * that is named. An end begins a word: "wpe" is at the end of
 * "transformer.wpe". What ignores a tensor: transformers, pull requests 23256
 * and 24505 (buffers out of the state dict), 24998 (inv_freq of Llama; that of
 * GPT-NeoX in 4.36, that of ESM not at all); vLLM, llama.py, load_weights();
 * convert_llama_weights_to_hf.py, convert_hf_to_gguf.py.
 */
static const struct positional names[] = {
	TABLE("wpe", "learned positions",
	     "transformers, modeling_gpt2.py; karpathy/nanoGPT, model.py"),
	TABLE("position_embeddings", "learned positions",
	     "transformers, modeling_bert.py, modeling_vit.py"),
	TABLE("position_embedding", "learned positions",
	     "transformers, modeling_clip.py, modeling_siglip.py"),
	TABLE("positions_embed", "learned positions",
	     "transformers, modeling_openai.py"),
	TABLE("embed_positions", "learned or fixed positions",
	     "transformers, modeling_bart.py, modeling_whisper.py; fairseq"),
	TABLE("positional_embedding", "learned or fixed positions",
	     "openai/CLIP and openai/whisper, model.py; open_clip"),
	TABLE("positional_encoding", "learned or fixed positions",
	     "tutorials of vision and series, a parameter"),
	TABLE("positional_encodings", "learned or fixed positions",
	     "labmlai/annotated_deep_learning_paper_implementations"),
	TABLE("pos_embed", "learned or fixed positions",
	     "timm, vision_transformer.py; MAE and DINO"),
	TABLE("pos_embed_win", "learned positions of windows",
	     "facebookresearch/sam2, hieradet.py; timm, hiera.py"),
	TABLE("pos_embedding", "learned positions",
	     "torchvision, vision_transformer.py; "
	     "google-research/vision_transformer, models_vit.py"),
	TABLE("pos_emb", "learned positions", "karpathy/minGPT, model.py"),
	TABLE("position_embd", "learned positions",
	     "llama.cpp, gguf-py/gguf/constants.py, POS_EMBD"),
	TABLE("pos_encoder.pe", "fixed positions",
	     "pytorch/examples, word_language_model, PositionalEncoding"),
	TABLE("positional_encoding.pe", "fixed positions",
	     "tutorials, PositionalEncoding, a buffer"),
	TABLE("row_embed", "learned positions of rows",
	     "facebookresearch/detr, position_encoding.py"),
	TABLE("col_embed", "learned positions of columns",
	     "facebookresearch/detr, position_encoding.py"),
	TABLE("row_embeddings", "learned positions of rows",
	     "transformers, modeling_detr.py"),
	TABLE("column_embeddings", "learned positions of columns",
	     "transformers, modeling_detr.py"),
	NAME("positional_encoding_gaussian_matrix", OTHER, TABLE,
	     "frequencies of Fourier features",
	     "facebookresearch/segment-anything, prompt_encoder.py"),
	OTHER("position_ids", "position ids",
	     "transformers, modeling_bert.py, a buffer",
	     UNEXPECTED("4.31"), true),
	NAME("inv_freq", FREQUENCIES, ANY, "rotary frequencies",
	     "transformers, modeling_llama.py, a buffer",
	     "by vLLM, and since 4.32 by transformers, of Llama"),
	NAME("rope.freqs", FREQUENCIES, ANY, "rotary frequencies",
	     "meta-llama/llama, checkpoints of 2023",
	     "by converters to transformers and GGUF, which compute it"),
	OTHER("rotary_emb.freqs", "rotary frequencies",
	     "lucidrains/rotary-embedding-torch"),
	OTHER("rope_embed.periods", "periods of rotary positions",
	     "facebookresearch/dinov3, rope_position_encoding.py, a buffer"),
	OTHER("cos_cached", "rotary cosines",
	     "transformers, modeling_llama.py of 2023, a buffer",
	     "by vLLM, which computes it", true),
	OTHER("sin_cached", "rotary sines",
	     "transformers, modeling_llama.py of 2023, a buffer",
	     "by vLLM, which computes it", true),
	OTHER("freqs_cos", "rotary cosines",
	     "baaivision/EVA, EVA-02, rope.py; karpathy/llama2.c"),
	OTHER("freqs_sin", "rotary sines",
	     "baaivision/EVA, EVA-02, rope.py; karpathy/llama2.c"),
	OTHER("cos_sin_cache", "rotary cosines and sines",
	     "vllm, rotary_embedding, a buffer"),
	OTHER("freqs_cis", "rotary cosines and sines",
	     "pytorch/torchtitan, models/llama3, a buffer"),
	NAME("rotary_emb", OTHER, FLOATS,
	     "rotary cosines, sines or frequencies, folded",
	     "transformers, modeling_llama.py, in ONNX"),
	NAME("rotary_pos_emb", OTHER, FLOATS,
	     "rotary cosines, sines or frequencies, folded",
	     "THUDM/chatglm, modeling_chatglm.py, in ONNX"),
	NAME("rotary_embeddings", OTHER, FLOATS,
	     "rotary cosines, sines or frequencies, folded",
	     "transformers, modeling_esm.py, in ONNX"),
	NAME("rope_freqs", FACTORS, ANY, "divisors of rotary frequencies",
	     "llama.cpp, gguf-py/gguf/constants.py, ROPE_FREQS"),
	NAME("rope_factors_long", FACTORS, ANY,
	     "divisors of rotary frequencies",
	     "llama.cpp, gguf-py/gguf/constants.py, ROPE_FACTORS_LONG"),
	NAME("rope_factors_short", FACTORS, ANY,
	     "divisors of rotary frequencies",
	     "llama.cpp, gguf-py/gguf/constants.py, ROPE_FACTORS_SHORT"),
	TABLE("relative_attention_bias", "biases by relative position",
	     "transformers, modeling_t5.py"),
	TABLE("relpos_bias.rel_embedding", "biases by relative position",
	     "google-research/t5x, checkpoints"),
	TABLE("attn_rel_b", "biases by relative position",
	     "llama.cpp, gguf-py/gguf/constants.py, ENC_ATTN_REL_B"),
	TABLE("relative_position_bias_table", "biases by relative position",
	     "microsoft/Swin-Transformer, swin_transformer.py; BEiT"),
	OTHER("relative_position_index", "indices of relative positions",
	     "microsoft/Swin-Transformer, swin_transformer.py, a buffer",
	     .computed = true),
	OTHER("relative_coords_table", "relative positions",
	     "microsoft/Swin-Transformer, swin_transformer_v2.py, a buffer",
	     .computed = true),
	TABLE("rel_pos_h", "learned relative positions of rows",
	     "facebookresearch/segment-anything, image_encoder.py; MViT"),
	TABLE("rel_pos_w", "learned relative positions of columns",
	     "facebookresearch/segment-anything, image_encoder.py; MViT"),
	TABLE("rel_pos_t", "learned relative positions of frames",
	     "facebookresearch/SlowFast, attention.py, MViT"),
	TABLE("attention_biases", "biases by relative position",
	     "facebookresearch/LeViT, levit.py"),
	OTHER("attention_bias_idxs", "indices of relative positions",
	     "facebookresearch/LeViT, levit.py, a buffer", .computed = true),
	TABLE("rel_embeddings", "learned relative positions",
	     "transformers, modeling_deberta_v2.py"),
	TABLE("distance_embedding", "learned relative positions",
	     "transformers, modeling_wav2vec2_bert.py; BERT of relative_key"),
	NAME("pos_bias_u", OTHER, TABLE,
	     "biases of queries beside relative positions",
	     "transformers, modeling_wav2vec2_conformer.py"),
	NAME("pos_bias_v", OTHER, TABLE,
	     "biases of queries to relative positions",
	     "transformers, modeling_wav2vec2_conformer.py"),
	NAME("r_r_bias", OTHER, TABLE,
	     "biases of queries to relative positions",
	     "kimiyoung/transformer-xl, mem_transformer.py; XLNet"),
	NAME("pos_conv_embed.conv", OTHER, TABLE, "positions by convolution",
	     "transformers, modeling_wav2vec2.py"),
	NAME("alibi", POSITIONS, ANY, "biases of ALiBi",
	     "jinaai/jina-bert-implementation, modeling_bert.py, a buffer"),
	NAME("attn.bias", OTHER, MASK, "a causal mask",
	     "transformers, modeling_gpt2.py; nanoGPT, model.py, a buffer",
	     UNEXPECTED("4.30, of GPT-2"), true),
	NAME("attention.bias", OTHER, MASK, "a causal mask",
	     "transformers, modeling_gpt_neo.py, modeling_gpt_neox.py, a "
	     "buffer", .computed = true),
	NAME("causal_mask", OTHER, MASK, "a causal mask",
	     "transformers, modeling_llama.py of 2024, a buffer",
	     .computed = true),
	OTHER("masked_bias", "what a causal mask adds",
	     "transformers, modeling_gpt2.py, a buffer",
	     UNEXPECTED("4.30, of GPT-2"), true),
};

enum { NAMES = sizeof names / sizeof *names };

/*
 * Without the node of an ONNX graph, whose output a constant is, in a module:
 * "/Constant_4_output_0".
 */
static size_t without_node(const char *name, size_t n)
{
	size_t at = n;

	while (at && name[at - 1] != '/')
		at--;
	for (size_t i = at; at && i + 8 < n; i++)
		if (isupper((unsigned char)name[at]) &&
		    memcmp(name + i, "_output_", 8) == 0)
			return at - 1;
	return n;
}

/* Whether name [n] ends in p->end as whole words; '/' in it is as '.'. */
static bool ends_in(const char *name, size_t n, const struct positional *p)
{
	size_t m = p->length;

	while (n && m &&
	       (name[n - 1] == '/' ? '.' : name[n - 1]) == p->end[m - 1]) {
		n--;
		m--;
	}
	return !m && (!n || strchr("._/", name[n - 1]));
}

const struct positional *positional_named(const char *name, size_t n)
{
	/* What frameworks append to names of modules; ":0" is Keras's */
	static const char *const appended[] = {
		":0", ".weight", ".weights", "/embeddings", "/embedding",
	};

	n = without_node(name, n);
	for (size_t i = 0; i < sizeof appended / sizeof *appended; i++)
		if (text_ends_in(name, n, appended[i]))
			n -= strlen(appended[i]);
	for (size_t i = 0; i < NAMES; i++)
		if (ends_in(name, n, &names[i]))
			return &names[i];
	return NULL;
}

/* Whether a shape is what a name says; what is unknown may be. */
static bool fits(const struct tensor *t, const struct positional *p)
{
	const size_t *last = t->shape + t->rank - 1;
	size_t n = 0;

	for (size_t i = 0; i < RANK_MOST; i++)  /* 0 after the last */
		n += t->shape[i] > 1;
	if (!t->dtype[0] || p->shape == SHAPE_ANY)
		return true;
	if (p->shape == SHAPE_MASK)
		return t->rank > 1 && t->rank <= RANK_MOST && n == 2 &&
		       last[0] == last[-1];
	return p->shape == SHAPE_TABLE ? n >= 2 : n >= 1 &&
	       (t->element.kind == 'f' || t->element.kind == 'B');
}

const struct positional *positional(const struct tensor *t)
{
	const struct positional *p = positional_named(t->name, t->length);

	return p && fits(t, p) ? p : NULL;
}
