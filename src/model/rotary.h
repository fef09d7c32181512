/* rotary.h: the rotary positions of a model, from its configuration. */
#ifndef ROTARY_H
#define ROTARY_H

#include "model/config.h"

enum { HEAD_MOST = 1 << 20 };  /* dimensions of a head */

/* A scaling of frequencies; numbers of 0 are the defaults of its kind. */
struct rotary_scaling {
	const char *kind;     /* as --scaling names it; NULL: none */
	double factor, original;
	double fast, slow, mscale, mscale_all;  /* of yarn */
	double low, high;                       /* of llama3 */
	double mixed;         /* mixed_b of ntk-fixed */
	double attention;     /* factor of cosines and sines */
	double short_mscale, long_mscale;
	bool sharp;           /* yarn's ramp is not widened to whole pairs */
	const double *near, *far;  /* [pairs], divisors of frequencies, those
				 beyond the original context; or NULL */
};

struct rotary_positions {
	double base;
	double head;          /* dimensions of a head */
	double dims;          /* those of them that rotate, the first ones */
	bool interleaved;     /* 2k and 2k + 1 rotate together, not halves */
	bool reversed;        /* by minus the angle */
	struct rotary_scaling scale;
	const char *scaling;  /* it as the value of --scaling; NULL: none */
	const char *sections; /* pairs by time, row, column, or as mrope has
				 them; NULL: one axis */
	const char *mrope;    /* their order as --mrope has it; NULL: chunked */
};

/*
 * Read the rotary positions of c's layers. Fails where they are unknown or
 * differ between layers or versions of transformers. Adds notes on defaults.
 */
bool rotary_read(struct config *c, struct rotary_positions *r);

/* gguf_rotary.c: the same of a GGUF file. */
bool gguf_rotary(struct config *c, struct rotary_positions *r);

/* Whether layers with a window were chosen. */
bool gguf_is_sliding(const struct config *c);

/* gguf_scaling.c: the scaling of a GGUF file; base and dims are known. */
bool gguf_scaling(struct config *c, struct rotary_positions *r);

/*
 * Fail if the layers that were chosen do not exist or have no positions, or if
 * types of layers differ and none was chosen.
 */
bool rotary_chosen(const struct config *c, bool differ);

/* Fail if the layers that were chosen do not exist. */
bool rotary_exists(const struct config *c);

/* Whether those that were chosen have attention; others see no positions. */
bool rotary_has_attention(const struct config *c);

/* Whether the layers that were chosen, which exist, have no positions. */
bool rotary_absent(const struct config *c);

/* As options of rope, dim, base and others. */
void rotary_options(const struct config *c, const struct rotary_positions *r,
		    struct assignments *a);

/*
 * frequencies.c: the first row of a table of rope, in a context of that length:
 * frequencies (out "freqs") or cosines ("cos"); NULL: rope refuses them.
 */
double *rotary_values(const struct rotary_positions *r, double length,
		      const char *out, size_t *n, struct table *owner,
		      struct error *err);

/* mask.c: what the chosen layers see, "causal", as --kind of mask; NULL with an
   error. */
char *mask_kind(struct config *c);

/* The model's type, or "the model". */
const char *rotary_name(const struct config *c);

/* Note that the default of the class, or llama.cpp's, is taken for a key: the
   first of keys. */
bool rotary_assume(struct config *c, const char *keys, double value);

/* Fail as the first of keys is missing and has no default. */
bool rotary_missing(const struct config *c, const char *keys);

/*
 * temperature.c: queries at position p are multiplied by 1 + scale ln(1 +
 * floor((p + shift) / length)), shift 0 or 1; scale 0: they are not.
 */
struct query_factors {
	double scale, length, shift;
};

/* Those of the layers that were chosen; false with an error. */
bool query_factors_read(struct config *c, struct query_factors *f);

/* They as options of temperature; none, or with an error: false. */
bool query_factors_options(struct config *c, struct assignments *a);

/* head.c: the size of a head; where hidden_size and the heads make it. */
bool rotary_head(struct config *c, double *head);
bool rotary_divide_head(struct config *c, double *head);

/* sections.c: pairs by time, row and column. */
bool rotary_sections(struct config *c, struct rotary_positions *r);

/*
 * scaling.c: a kind of scaling. Where files have several words for one, the
 * first row of that name is what is written.
 */
struct scaling_kind {
	const char *type;     /* in files of JSON */
	const char *name;     /* in --scaling */
	const char *flag;     /* of --rope-scaling of llama.cpp; NULL: none */
	const char *gguf;     /* in GGUF files; NULL: they have none */
	bool factor, original; /* a file must have them */
	bool own;             /* only classes whose row says that read it */
	const char *only;     /* the one program that reads it; NULL: all */
};
enum { SCALING_KINDS = 15 };
extern const struct scaling_kind scaling_kinds[SCALING_KINDS];

/* A number of a scaling. */
struct scaling_number {
	const char *name;     /* in --scaling; "": by its place */
	const char *kinds;    /* names of kinds that read it; "": by rules of
				 their own */
	size_t at;            /* in struct rotary_scaling */
	enum key key;
	bool required;
	double initial;       /* of a file without it; 0: the kind has none */
};
enum { SCALING_NUMBERS = 12 };
extern const struct scaling_number scaling_numbers[SCALING_NUMBERS];
double *scaling_field(const struct scaling_number *n,
		      struct rotary_scaling *s);

/* Set the value of --scaling from the scaling. */
bool scaling_write(struct config *c, struct rotary_positions *r);

/* Read the scaling of c->rope, or the class's; dims are known. */
bool rotary_scaling(struct config *c, struct rotary_positions *r);

/* params.c: params.json of Meta's and of Mistral's own files. */

/* Whether the file, which names no model type, is one. */
bool params_recognized(const struct config *c);

/* The keys that such files have and others don't, "a|b". */
extern const char params_keys[];

/* The scaling that it says; dims are known. */
bool params_scaling(struct config *c, struct rotary_positions *r);

#endif
