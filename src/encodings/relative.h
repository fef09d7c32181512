/* relative.h: what the files of relative share. */
#ifndef RELATIVE_H
#define RELATIVE_H

#include "recipe/positions.h"
#include "recipe/recipe.h"
#include "waves/wave.h"

enum relative_out {
	OUT_LABELS, OUT_DISTANCES, OUT_VECTORS, OUT_LOGCOORDS, OUT_SINUSOIDS,
};
enum relative_sign { KEY_QUERY, QUERY_KEY };
enum relative_align { ALIGN_START, ALIGN_END };

/* Rows and columns of a window. */
struct window {
	size_t height, width;
};

/* The value that a kind gives to the distance x = j - i. */
typedef double relative_number(long x, const void *self);

struct relative {
	struct pairs pairs;
	struct range distances;
	int kind;
	struct integer clip;
	int out;
	const struct table *table;
	int sign, align;
	size_t buckets, max_position;  /* deberta */
	const char *window, *pretrained;  /* swin */
	bool cls;
	size_t dim;  /* xl, xlnet */
	bool causal;

	long past;               /* positions before the first query */
	relative_number *label;  /* for --out vectors */
	double *last;            /* [steps], the last distance of each bucket */
	size_t steps;            /*   of a logarithm */
	struct window size, trained;
	struct wave wave;
};

/*
 * Make t of s->out: distances, labels 0 to labels - 1, or a vector for each
 * label. distance rises or falls throughout. label may be NULL where s->out
 * needs none.
 */
bool relative_pairs(struct relative *s, struct table *t,
		    relative_number *distance, relative_number *label,
		    size_t labels, struct error *err);

/* Check that --table has one row per label. */
bool relative_rows(const struct relative *s, size_t labels, struct error *err);

/* Change the shape of t from [rows, cols] to [rows, cols, dim of --table]. */
void relative_vectors(const struct relative *s, struct table *t);

/* The kinds that have a file; t has the shape of the pairs but for swin. */
bool deberta_make(struct relative *s, struct table *t, struct error *err);
bool swin_make(struct relative *s, struct table *t, struct error *err);

#endif
