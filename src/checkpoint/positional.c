/* positional.c: which tensors of a model concern positions, by their names. */
#include <string.h>

#include "checkpoint/positional.h"

/*
 * Ends of names, without ".weight" and the like. An end begins a word: "wpe" is
 * at the end of "transformer.wpe". Of a table two dimensions have more than one
 * element, as rows of positions do.
 */
static const struct positional names[] = {
	{ "wpe", "learned positions",
	  "transformers, modeling_gpt2.py; karpathy/nanoGPT, model.py", true },
	{ "position_embeddings", "learned positions",
	  "transformers, modeling_bert.py, modeling_vit.py", true },
	{ "position_embedding", "learned positions",
	  "transformers, modeling_clip.py, modeling_siglip.py", true },
	{ "positions_embed", "learned positions",
	  "transformers, modeling_openai.py", true },
	{ "embed_positions", "learned or fixed positions",
	  "transformers, modeling_bart.py, modeling_whisper.py; fairseq",
	  true },
	{ "positional_embedding", "learned or fixed positions",
	  "openai/CLIP and openai/whisper, model.py; open_clip", true },
	{ "pos_embed", "learned or fixed positions",
	  "timm, vision_transformer.py; MAE and DINO", true },
	{ "pos_embed_win", "learned positions of windows",
	  "facebookresearch/hiera, hiera.py", true },
	{ "pos_embedding", "learned positions",
	  "torchvision, vision_transformer.py; google-research/"
	  "vision_transformer, models_vit.py", true },
	{ "pos_emb", "learned positions", "karpathy/minGPT, model.py", true },
	{ "position_embd", "learned positions",
	  "llama.cpp, gguf-py/gguf/constants.py, POS_EMBD", true },
	{ "pos_encoder.pe", "fixed positions",
	  "PyTorch, tutorial of transformers, PositionalEncoding", true },
	{ "row_embed", "learned positions of rows",
	  "facebookresearch/detr, position_encoding.py", true },
	{ "col_embed", "learned positions of columns",
	  "facebookresearch/detr, position_encoding.py", true },
	{ "row_embeddings", "learned positions of rows",
	  "transformers, modeling_detr.py", true },
	{ "column_embeddings", "learned positions of columns",
	  "transformers, modeling_detr.py", true },
	{ "position_ids", "position ids",
	  "transformers, modeling_bert.py, a buffer", false },
	{ "inv_freq", "rotary frequencies",
	  "transformers, modeling_llama.py, a buffer", false },
	{ "rope.freqs", "rotary frequencies",
	  "meta-llama/llama, checkpoints of 2023", false },
	{ "rotary_emb.freqs", "rotary frequencies",
	  "lucidrains/rotary-embedding-torch", false },
	{ "cos_cached", "rotary cosines",
	  "transformers, modeling_llama.py of 2023, a buffer", false },
	{ "sin_cached", "rotary sines",
	  "transformers, modeling_llama.py of 2023, a buffer", false },
	{ "rope_freqs", "divisors of rotary frequencies",
	  "llama.cpp, gguf-py/gguf/constants.py, ROPE_FREQS", false },
	{ "rope_factors_long", "divisors of rotary frequencies",
	  "llama.cpp, gguf-py/gguf/constants.py, ROPE_FACTORS_LONG", false },
	{ "rope_factors_short", "divisors of rotary frequencies",
	  "llama.cpp, gguf-py/gguf/constants.py, ROPE_FACTORS_SHORT", false },
	{ "relative_attention_bias", "biases by relative position",
	  "transformers, modeling_t5.py", true },
	{ "relpos_bias.rel_embedding", "biases by relative position",
	  "google-research/t5x, checkpoints", true },
	{ "attn_rel_b", "biases by relative position",
	  "llama.cpp, gguf-py/gguf/constants.py, ENC_ATTN_REL_B", true },
	{ "relative_position_bias_table", "biases by relative position",
	  "microsoft/Swin-Transformer, swin_transformer.py; BEiT", true },
	{ "relative_position_index", "indices of relative positions",
	  "microsoft/Swin-Transformer, swin_transformer.py, a buffer", false },
	{ "relative_coords_table", "relative positions",
	  "microsoft/Swin-Transformer, swin_transformer_v2.py, a buffer",
	  false },
	{ "rel_pos_h", "learned relative positions of rows",
	  "facebookresearch/segment-anything, image_encoder.py; MViT", true },
	{ "rel_pos_w", "learned relative positions of columns",
	  "facebookresearch/segment-anything, image_encoder.py; MViT", true },
	{ "attention_biases", "biases by relative position",
	  "facebookresearch/LeViT, levit.py", true },
	{ "attention_bias_idxs", "indices of relative positions",
	  "facebookresearch/LeViT, levit.py, a buffer", false },
	{ "rel_embeddings", "learned relative positions",
	  "transformers, modeling_deberta_v2.py", true },
	{ "distance_embedding", "learned relative positions",
	  "transformers, modeling_wav2vec2_bert.py; BERT of relative_key",
	  true },
	{ "pos_bias_u", "biases of queries beside relative positions",
	  "transformers, modeling_wav2vec2_conformer.py", true },
	{ "pos_bias_v", "biases of queries to relative positions",
	  "transformers, modeling_wav2vec2_conformer.py", true },
	{ "r_r_bias", "biases of queries to relative positions",
	  "kimiyoung/transformer-xl, mem_transformer.py; XLNet", true },
	{ "pos_conv_embed.conv", "positions by convolution",
	  "transformers, modeling_wav2vec2.py", true },
};

enum { NAMES = sizeof names / sizeof *names };

/* Length [n] without an end. */
static size_t without(const char *name, size_t n, const char *end)
{
	const size_t m = strlen(end);

	return n > m && memcmp(name + n - m, end, m) == 0 ? n - m : n;
}

/* Length of a name [n] without what frameworks append to names of modules. */
static size_t stem(const char *name, size_t n)
{
	n = without(name, n, ":0");  /* Keras */
	n = without(name, n, ".weight");
	n = without(name, n, "/embeddings");
	return without(name, n, "/embedding");
}

/* Whether name [n] ends in that, at the begin of a word; '/' is as '.'. */
static bool ends_in(const char *name, size_t n, const char *end)
{
	const size_t m = strlen(end);

	if (n < m || name[n - 1] != end[m - 1] ||
	    (n > m && !strchr("._/", name[n - m - 1])))
		return false;
	name += n - m;
	for (size_t i = 0; i < m; i++)
		if (name[i] != end[i] && !(name[i] == '/' && end[i] == '.'))
			return false;
	return true;
}

/* Whether two dimensions have more than one element, if any are known. */
static bool is_table(const struct tensor *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->rank && i < RANK_MOST; i++)
		n += t->shape[i] > 1;
	return n >= 2 || !t->dtype[0];
}

const struct positional *positional(const struct tensor *t)
{
	const size_t n = stem(t->name, t->length);

	for (size_t i = 0; i < NAMES; i++)
		if (ends_in(t->name, n, names[i].end))
			return !names[i].table || is_table(t) ? &names[i]
							      : NULL;
	return NULL;
}
