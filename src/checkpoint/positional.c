/* positional.c: which tensors of a model concern positions, by their names. */
#include <string.h>

#include "checkpoint/positional.h"
#include "text/words.h"

#define END(text) text, sizeof text - 1

/*
 * Ends of names, without ".weight" and the like. An end begins a word: "wpe" is
 * at the end of "transformer.wpe". Of a table two dimensions have more than one
 * element, as rows of positions do. Each was found in the code that is named.
 */
static const struct positional names[] = {
	{ END("wpe"), "learned positions",
	  "transformers, modeling_gpt2.py; karpathy/nanoGPT, model.py", true },
	{ END("position_embeddings"), "learned positions",
	  "transformers, modeling_bert.py, modeling_vit.py", true },
	{ END("position_embedding"), "learned positions",
	  "transformers, modeling_clip.py, modeling_siglip.py", true },
	{ END("positions_embed"), "learned positions",
	  "transformers, modeling_openai.py", true },
	{ END("embed_positions"), "learned or fixed positions",
	  "transformers, modeling_bart.py, modeling_whisper.py; fairseq",
	  true },
	{ END("positional_embedding"), "learned or fixed positions",
	  "openai/CLIP and openai/whisper, model.py; open_clip", true },
	{ END("pos_embed"), "learned or fixed positions",
	  "timm, vision_transformer.py; MAE and DINO", true },
	{ END("pos_embed_win"), "learned positions of windows",
	  "facebookresearch/sam2, hieradet.py; timm, hiera.py", true },
	{ END("pos_embedding"), "learned positions",
	  "torchvision, vision_transformer.py; google-research/"
	  "vision_transformer, models_vit.py", true },
	{ END("pos_emb"), "learned positions",
	  "karpathy/minGPT, model.py", true },
	{ END("position_embd"), "learned positions",
	  "llama.cpp, gguf-py/gguf/constants.py, POS_EMBD", true },
	{ END("pos_encoder.pe"), "fixed positions",
	  "pytorch/examples, word_language_model, PositionalEncoding", true },
	{ END("row_embed"), "learned positions of rows",
	  "facebookresearch/detr, position_encoding.py", true },
	{ END("col_embed"), "learned positions of columns",
	  "facebookresearch/detr, position_encoding.py", true },
	{ END("row_embeddings"), "learned positions of rows",
	  "transformers, modeling_detr.py", true },
	{ END("column_embeddings"), "learned positions of columns",
	  "transformers, modeling_detr.py", true },
	{ END("position_ids"), "position ids",
	  "transformers, modeling_bert.py, a buffer", false },
	{ END("inv_freq"), "rotary frequencies",
	  "transformers, modeling_llama.py, a buffer", false },
	{ END("rope.freqs"), "rotary frequencies",
	  "meta-llama/llama, checkpoints of 2023", false },
	{ END("rotary_emb.freqs"), "rotary frequencies",
	  "lucidrains/rotary-embedding-torch", false },
	{ END("cos_cached"), "rotary cosines",
	  "transformers, modeling_llama.py of 2023, a buffer", false },
	{ END("sin_cached"), "rotary sines",
	  "transformers, modeling_llama.py of 2023, a buffer", false },
	{ END("rope_freqs"), "divisors of rotary frequencies",
	  "llama.cpp, gguf-py/gguf/constants.py, ROPE_FREQS", false },
	{ END("rope_factors_long"), "divisors of rotary frequencies",
	  "llama.cpp, gguf-py/gguf/constants.py, ROPE_FACTORS_LONG", false },
	{ END("rope_factors_short"), "divisors of rotary frequencies",
	  "llama.cpp, gguf-py/gguf/constants.py, ROPE_FACTORS_SHORT", false },
	{ END("relative_attention_bias"), "biases by relative position",
	  "transformers, modeling_t5.py", true },
	{ END("relpos_bias.rel_embedding"), "biases by relative position",
	  "google-research/t5x, checkpoints", true },
	{ END("attn_rel_b"), "biases by relative position",
	  "llama.cpp, gguf-py/gguf/constants.py, ENC_ATTN_REL_B", true },
	{ END("relative_position_bias_table"), "biases by relative position",
	  "microsoft/Swin-Transformer, swin_transformer.py; BEiT", true },
	{ END("relative_position_index"), "indices of relative positions",
	  "microsoft/Swin-Transformer, swin_transformer.py, a buffer", false },
	{ END("relative_coords_table"), "relative positions",
	  "microsoft/Swin-Transformer, swin_transformer_v2.py, a buffer",
	  false },
	{ END("rel_pos_h"), "learned relative positions of rows",
	  "facebookresearch/segment-anything, image_encoder.py; MViT", true },
	{ END("rel_pos_w"), "learned relative positions of columns",
	  "facebookresearch/segment-anything, image_encoder.py; MViT", true },
	{ END("attention_biases"), "biases by relative position",
	  "facebookresearch/LeViT, levit.py", true },
	{ END("attention_bias_idxs"), "indices of relative positions",
	  "facebookresearch/LeViT, levit.py, a buffer", false },
	{ END("rel_embeddings"), "learned relative positions",
	  "transformers, modeling_deberta_v2.py", true },
	{ END("distance_embedding"), "learned relative positions",
	  "transformers, modeling_wav2vec2_bert.py; BERT of relative_key",
	  true },
	{ END("pos_bias_u"), "biases of queries beside relative positions",
	  "transformers, modeling_wav2vec2_conformer.py", true },
	{ END("pos_bias_v"), "biases of queries to relative positions",
	  "transformers, modeling_wav2vec2_conformer.py", true },
	{ END("r_r_bias"), "biases of queries to relative positions",
	  "kimiyoung/transformer-xl, mem_transformer.py; XLNet", true },
	{ END("pos_conv_embed.conv"), "positions by convolution",
	  "transformers, modeling_wav2vec2.py", true },
};

enum { NAMES = sizeof names / sizeof *names };

/* Length [n] without an end. */
static size_t without(const char *name, size_t n, const char *end)
{
	return text_ends_in(name, n, end) ? n - strlen(end) : n;
}

/* Length of a name [n] without what frameworks append to names of modules. */
static size_t stem(const char *name, size_t n)
{
	n = without(name, n, ":0");  /* Keras */
	n = without(name, n, ".weight");
	n = without(name, n, "/embeddings");
	return without(name, n, "/embedding");
}

static bool begins_word(char before)
{
	return before == '.' || before == '_' || before == '/';
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
	return !m && (!n || begins_word(name[n - 1]));
}

/* Whether two dimensions have more than one element, if any are known. */
static bool is_table(const struct tensor *t)
{
	size_t n = 0;

	for (size_t i = 0; i < RANK_MOST; i++)  /* 0 after the last */
		n += t->shape[i] > 1;
	return n >= 2 || !t->dtype[0];
}

const struct positional *positional(const struct tensor *t)
{
	const size_t n = stem(t->name, t->length);

	for (size_t i = 0; i < NAMES; i++)
		if (ends_in(t->name, n, &names[i]))
			return !names[i].table || is_table(t) ? &names[i]
							      : NULL;
	return NULL;
}
