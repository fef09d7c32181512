/*
 * models.h: what each model_type of a config.json, or architecture of a GGUF
 * file, does with positions. One row is one of them, or several that are alike;
 * a contributor adds a row.
 */
#ifndef MODELS_H
#define MODELS_H

#include <stdbool.h>

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
				 adds 2. "decoder: " may stand in front. NULL:
				 none */

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
	int dim;              /* rotary dimensions where dim_key is missing */
	int hidden, heads;    /* 0: a file must have them */
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
	enum model_layers layers;
	const char *scaling;  /* of the class, where a file has none, as the
				 value of --scaling; or with "{key}" of the
				 file, as in commands; or NULL */
	const char *base_key;     /* NULL: rope_theta */
	const char *ratio_key;    /* a factor of a fixed base, or NULL */
	const char *partial_key;  /* NULL: partial_rotary_factor */
	const char *dim_key;      /* number of rotary dimensions, or NULL */
	const char *head_key;     /* NULL: head_dim */
	const char *hidden_key;   /* NULL: hidden_size */
	const char *heads_key;    /* NULL: num_attention_heads */
	const char *pairs_key;    /* true: interleaved; or NULL */
	const char *local_key;    /* of local_base, or NULL */
	const char *window_key;   /* NULL: sliding_window */
	const char *both_sides;   /* of a window of an encoder; or NULL */
	enum model_sides sides;   /* of both_sides */
	const char *reads;    /* keys of a scaling that only this class reads,
				 separated by blanks; or NULL */
	const char *sections; /* of M-RoPE, "24,20,20"; of GGUF the key that
				 has them; or NULL */
	bool alternate;       /* the sections alternate */
	const char *refuse;   /* "key=value: reason; ...": files refused */

	/* Of GGUF alone. */
	bool permuted;        /* converters turned the rows of q and k, which
				 were of halves, into neighbours */
	double fast;          /* beta_fast of YaRN where a file has none; 0:
				 32 */
};

/* All rows of config.json, and of GGUF; the last has no types. */
extern const struct model models[], gguf_models[];

#endif
