/* positions.h: what configurations say of positions, and how they differ. */
#ifndef CONVERSIONS_POSITIONS_H
#define CONVERSIONS_POSITIONS_H

#include "model/logits.h"
#include "recipe/report.h"
#include "conversions/orders.h"

struct conversion;
struct side;

/* The positions of a model's layers of a type. */
struct layer_positions {
	const char *type;      /* "full_attention"; NULL: all layers */
	const char *kind;      /* "rotary", "learned", "none" */
	const char *unknown;   /* why they are not known, or NULL */
	bool no_attention;     /* such as convolutions */
	bool rotary;           /* they rotate, and it is known how: */
	struct rotary_positions r;
	const char *mask;      /* "causal", "window:512"; NULL: unknown */
	const char *mask_unknown; /* why; then this is known of windows: */
	double window;         /* that of some layers; 0: not given */
	double windowless;     /* how many layers have none; 0: not given */
	struct query_factors queries;
	bool logits_known;     /* then this is what is done to logits: */
	struct logits logits;
	const char *logits_words;
	const char *commands;  /* of other kinds: that make their tables */
	const char *mask_keys; /* of layers that do not rotate, "window_size
				  256"; "": none; NULL: they rotate */
	const char *mask_words; /* the same, "window_size 256 by default" where
				   the file has no such key */
	const char *text;      /* the configuration, of kinds that posenc has no
				  commands for; NULL: of others */
	const char *layers;    /* "0-4, 6-10"; "": unknown */
	const char *first;     /* the row of position 0 of a learned table;
				  NULL: unknown */
};

/* What a configuration says. */
struct model_positions {
	const char *type;      /* "llama" */
	const char *unknown;   /* why nothing is known, or NULL */
	bool absent;           /* as there is no configuration */
	bool gguf;
	struct layer_positions at[LAYER_TYPES];  /* [n] */
	size_t n;
	double context;        /* the maximum length; 0: not given */
	double keys;           /* heads of keys; 0: not known as a number */
	const char *assumed;   /* ": KEY is not in FILE, and its default is 8";
				  NULL: the file has it */
	struct fusion fusion;  /* of queries, keys and values */
	double heads, layers, image, patch;  /* the same of other sizes */
};

/* positions_read.c: read what the configuration of a model says. */
void positions_read(struct conversion *c, struct side *s);

/* Compare both, and report them. */
void positions_compare(struct conversion *c);
void positions_report(struct conversion *c, struct report *r);

/*
 * The kind of a model's positions that a configuration does not tell in full,
 * as tables are learned, or posenc has no command for some; NULL: none.
 */
const char *positions_untold(const struct side *s);

/* Heads, of which n rows are a multiple; of size 0: unknown. */
struct head_layout positions_head(const struct conversion *c, size_t n);

/*
 * Whether a model rotates, and it is known how; then, whether dimensions 2k and
 * 2k + 1 rotate together, not halves.
 */
bool positions_rotate(const struct side *s, bool *interleaved);

/* The longer context of both, at most 2^40; 1: neither says it. */
double positions_longest(const struct conversion *c);

/* Whether both rotate: positions_rotate(). */
bool positions_orders(const struct conversion *c, bool interleaved[2]);

/* The rows of position 0 in learned tables, if both models say them. */
bool positions_first(const struct conversion *c, size_t first[2]);

/*
 * Whether keys of n rows have the heads that the configuration says; if it is
 * known, else true. *head: their size.
 */
bool positions_keys(const struct side *s, size_t n, size_t *head);

#endif
