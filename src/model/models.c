/* models.c: the rows of all model types. */
#include <stddef.h>

#include "model/models.h"
#include "model/rotary.h"

/* The scaling of a class. */
#define SCALING(...) &(const struct rotary_scaling){ __VA_ARGS__ }

const struct model models[] = {
#include "model/rows_rotary.inc"
#include "model/rows_absolute.inc"
#include "model/rows_relative.inc"
#include "model/rows_parts.inc"
	{ .types = NULL },
};

const struct model gguf_models[] = {
#include "model/rows_gguf.inc"
	{ .types = NULL },
};

/* Only what such files say themselves is known. */
const struct model unnamed_model = {
	.kind = MODEL_ROTARY, .partial = 1,
	.key[KEY_BASE] = "rope_theta|rotary_emb_base",
	.key[KEY_PARTIAL] =
		"partial_rotary_factor|rotary_pct|rope_pct|rotary_emb_fraction",
	.key[KEY_DIMS] = "rotary_dim",
	.key[KEY_HEAD] = "qk_rope_head_dim|head_dim",
	.key[KEY_HIDDEN] = "hidden_size|n_embd",
	.key[KEY_HEADS] = "num_attention_heads|n_head",
	.key[KEY_PAIRS] = "rotary_emb_interleaved|rope_interleave",
};

const struct model params_model = {
	.types = "params.json", .kind = MODEL_ROTARY, .base = 1e4,
	.interleaved = true, .windowed = true,
	.project = "Meta's code of Llama 2",
	.key[KEY_HEAD] = "head_dim", .key[KEY_HIDDEN] = "dim",
	.key[KEY_HEADS] = "n_heads",
};
