/* rotary.h: the rotary positions of a model, from its configuration. */
#ifndef ROTARY_H
#define ROTARY_H

#include "model/config.h"

enum { HEAD_MOST = 1 << 20 };  /* dimensions of a head */

struct rotary_positions {
	double base;
	double head;          /* dimensions of a head */
	double dims;          /* those of them that rotate, the first ones */
	bool interleaved;     /* 2k and 2k + 1 rotate together, not halves */
	bool reversed;        /* by minus the angle */
	const char *scaling;  /* value of --scaling; NULL: none */
	const char *sections; /* pairs by time, row, column; NULL: one axis */
	bool alternate;       /* the sections alternate */
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

/* As options of rope: "--dim 128 --base 10000 ..."; NULL with an error. */
char *rotary_options(const struct config *c, const struct rotary_positions *r);

/*
 * mask.c: options of mask for what the chosen layers see, "--kind causal"; NULL
 * with an error.
 */
char *mask_options(struct config *c);

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

/* They as options of temperature; NULL: none, or with an error. */
char *query_factors_options(struct config *c);

/* head.c: the size of a head. */
bool rotary_head(struct config *c, double *head);

/* sections.c: pairs by time, row and column, of rope or NULL. */
bool rotary_sections(struct config *c, const struct cJSON *rope,
		     struct rotary_positions *r);

/* scaling.c: the value of --scaling while it is written. */
struct scaling_line {
	char *text;
	size_t n, room;
};

/* Append a word and a number, for which there is room. */
void scaling_put(struct scaling_line *s, const char *before, double x);

/* The scaling that rope, an object or NULL, says; dims are known. */
bool rotary_scaling(struct config *c, const struct cJSON *rope,
		    struct rotary_positions *r);

#endif
