/*
 * models.h: what each model_type of a config.json, or architecture of a GGUF
 * file, does with positions. One row is one of them, or several that are alike;
 * a contributor adds a row.
 */
#ifndef MODELS_H
#define MODELS_H

#include <stdbool.h>

struct rotary_scaling;

/* How a model encodes positions. */
enum model_kind {
	MODEL_ROTARY,     /* rotates queries and keys by position: 'rope' */
	MODEL_ROTARY_2D,  /* by rows and columns, or frames: no 1-D table */
	MODEL_LEARNED,    /* adds rows of a learned table */
	MODEL_SINUSOID,   /* adds fixed sines and cosines */
	MODEL_ALIBI,      /* adds biases linear in distance */
	MODEL_T5,         /* adds learned biases of T5's buckets of distances to
			     logits that are not divided by sqrt(dim) */
	MODEL_RELATIVE,   /* learns vectors or biases of distances */
	MODEL_CONVOLUTION, /* a convolution lets neighbours differ */
	MODEL_NONE,       /* uses no positions */
	MODEL_PARTS,      /* the parts of the file have configurations each */
};

/* Layer types that differ in positions. */
enum model_layers {
	LAYERS_ALIKE,
	LAYERS_OWN_BASE,   /* sliding_attention: local_base, and no scaling */
	LAYERS_OWN_BASE_BOTH, /* the same; kernels and versions of transformers
				 differ in whether these are scaled */
	LAYERS_SLIDING,    /* with a window, only sliding_attention rotates */
	LAYERS_CHUNKED,    /* only chunked_attention rotates */
	LAYERS_LISTED,     /* those of no_rope_layers, 0: without positions */
	LAYERS_OLMO3,      /* sliding_attention: transformers 4 does not scale
			      it, 5 does */
	LAYERS_GLOBAL_HEAD, /* full_attention: heads of global_head_dim */
	LAYERS_WINDOWS,    /* sliding_attention differs in its window alone */
	LAYERS_LINEAR,     /* every n-th rotates, linear_attention does not */
	LAYERS_CONV,       /* those of full_attn_idxs rotate, conv does not */
	LAYERS_BY_TYPE,    /* the file has rope_parameters for each type */
	LAYERS_COMPRESSED, /* those of KEY_RATIOS with a ratio have the base
			      and are scaled: rope_parameters.compress; others
			      local_base: rope_parameters.main */
};

/*
 * What files state under a key; key.c has the names, and what may stand there.
 * local: of layers with a window of their own.
 */
enum key {
	/* Those for which a row may have names of its own. */
	KEY_BASE, KEY_BASES, KEY_LOCAL_BASE, KEY_RATIO, KEY_PARTIAL, KEY_DIMS,
	KEY_PAIRS,
	KEY_HEAD, KEY_HIDDEN, KEY_HEADS, KEY_WINDOW, KEY_BOTH_SIDES,
	KEY_LOGIT_SCALE, KEY_QUERY_SCALAR, KEY_SOFTCAP, KEY_FACTOR,
	KEY_ORIGINAL, KEY_INDEXER_PAIRS, KEY_CROSS, KEY_PATTERN,
	KEYS_OF_ROWS,

	/* Rotary positions. */
	KEY_LOCAL_DIMS = KEYS_OF_ROWS, KEY_LOCAL_HEAD, KEY_GLOBAL_HEAD,
	KEY_OTHER_HEAD,    /* dimensions of a head that do not rotate */
	KEY_INDEXER_HEAD,
	KEY_SECTIONS, KEY_ALTERNATE,
	/* Their scaling. */
	KEY_SCALING, KEY_ATTENTION, KEY_FAST, KEY_SLOW, KEY_MSCALE,
	KEY_MSCALE_ALL, KEY_TRUNCATE, KEY_LOW, KEY_HIGH,
	KEY_MIXED, KEY_SHORT, KEY_LONG, KEY_SHORT_MSCALE, KEY_LONG_MSCALE,
	KEY_ALPHA,
	KEY_LOG_MULTIPLIER, KEY_EXTRAPOLATION, KEY_YARN_ATTENTION,
	/* Sizes of the model. */
	KEY_KEY_HEADS, KEY_LAYERS, KEY_CONTEXT,
	/* Layers, and what they see. */
	KEY_LAYER_TYPES, KEY_RATIOS, KEY_ROTATES, KEY_ROTATES_EVERY,
	KEY_FULL_AT,
	KEY_CHUNK, KEY_WINDOWED, KEY_WINDOW_FROM, KEY_CAUSAL,
	KEY_BIDIRECTIONAL,
	/* Factors of queries. */
	KEY_QUERY_BETA, KEY_QUERY_TUNING, KEY_QUERY_SCALE, KEY_QUERY_LENGTH,
	KEYS
};

/* How far the layers of an encoder see with a window of W. */
enum model_sides {
	SIDES_HALF,        /* W / 2 positions before and after, rounded down */
	SIDES_WHOLE,       /* W before and after */
	SIDES_LATER,       /* W in all: of an even W one more after */
	SIDES_DIFFER,      /* transformers 4: less than W, 5: W */
};

/* Keys are alternatives separated by '|', first match; a dot goes deeper. */
struct model {
	const char *types;    /* values of model_type, separated by blanks */
	const char *when;     /* "key=value" or "key!=value" of the file, for
				 which the row holds, before the one of the
				 type without a condition; NULL: always. A key
				 that is missing equals no value; "key!=null"
				 holds if it has one */
	enum model_kind kind;

	/* Of kinds that have no table for 'rope --config'. */
	const char *what;     /* "learned positions" */
	const char *commands; /* that make its tables, one per line, without
				 "posenc "; "{key}" is that number or word of
				 the file, "{key=8}" has a default, "{key=8+2}"
				 adds 2, "{key/other}" divides. "decoder: " may
				 stand in front. NULL: none */

	const char *project;  /* whose defaults they are; NULL: transformers or
				 llama.cpp */
	const char *first;    /* of MODEL_LEARNED: the row of position 0, as
				 in commands; NULL: 0 */

	/*
	 * Of MODEL_PARTS: types of parts that name none; "": they all do. NULL:
	 * there is no such part.
	 */
	const char *text, *vision, *audio;

	/* Of MODEL_ROTARY: what its class assumes where the file is silent. */
	double base;          /* 0: a file must have it */
	double base4;         /* in transformers 4 where that differs, else 0 */
	double local_base;    /* of LAYERS_OWN_BASE */
	double local_base4;   /* in transformers 4, likewise */
	double partial;       /* share of the head that rotates; 0: it all */
	int head;             /* head size; 0: wide * hidden / heads */
	int global_head;      /* that of LAYERS_GLOBAL_HEAD */
	int wide;             /* 0: 1 */
	int original;         /* original_max_position_embeddings; 0: none */
	int dim;              /* rotary dimensions where KEY_DIMS is missing */
	int hidden, heads;    /* 0: a file must have them */
	bool tail;            /* they are the last of those of head_dim */
	bool lone;            /* head_dim is not read, whatever it says */
	bool interleaved;     /* dimensions 2k and 2k + 1 rotate together */
	bool reversed;        /* queries and keys rotate by minus the angle */
	bool encoder;         /* sees later positions, too */
	bool roles;           /* the part "encoder" does; where both stand in
				 one part, these are FILE:encoder and
				 FILE:decoder */
	const char *unmasked; /* why 'posenc mask' has none, or NULL */
	bool windowed;        /* sliding_window, if any, is of all layers */
	int window;           /* sliding_window where a file has none; 0: there
				 is no window */
	bool fixed;           /* the base stands in the code, not in files */
	bool newer;           /* the class is not in transformers 4 */
	bool drops;           /* transformers 5 takes the default for a base
				 outside of rope_parameters */
	enum model_layers layers;
	const struct rotary_scaling *scaling;  /* of the class, where a file
				 has none; or NULL */
	const char *key[KEYS_OF_ROWS];  /* names in its files; NULL: those of
				 key.c */
	enum model_sides sides;   /* of KEY_BOTH_SIDES */
	double attention;     /* attention_factor of YaRN where it is missing */
	const char *reads;    /* keys of a scaling that only this class reads,
				 separated by blanks; or NULL */
	double logit_scale;   /* factor of q . k where KEY_LOGIT_SCALE is
				 missing; 0: 1 / sqrt(head size) */
	double query_scalar;  /* KEY_QUERY_SCALAR where it is missing */
	int wide_blocks;      /* of GGUF: with so many blocks, 1 / sqrt(hidden
				 size / heads) */
	double softcap;       /* the same of KEY_SOFTCAP; 0: none */
	bool indexer;         /* the first qk_rope_head_dim dimensions of heads
				 of KEY_INDEXER_HEAD rotate, too, halves but
				 where KEY_INDEXER_PAIRS says otherwise */
	bool sinks;           /* the softmax has a learned logit per head, */
	bool local_sinks;     /* or that of layers with a window */
	const char *sections; /* of M-RoPE, "24,20,20"; of GGUF the key that
				 has them; or NULL */
	const char *mrope;    /* order of the sections, as --mrope has it; NULL:
				 one after another */
	bool four;            /* there may be four: position, column, row,
				 image (XD-RoPE) */
	const char *refuse;   /* "key=value: reason; ...": files refused */
	const char *note;     /* of every file of the row; or NULL */

	/* Of GGUF alone. */
	bool permuted;        /* converters turned the rows of q and k, which
				 were of halves, into neighbours */
	double fast;          /* beta_fast of YaRN where a file has none; 0:
				 32 */
};

/* All rows of config.json, and of GGUF; the last has no types. */
extern const struct model models[], gguf_models[];

/* Of files that name no type: any, and params.json of Meta and of Mistral. */
extern const struct model unnamed_model, params_model;

#endif
