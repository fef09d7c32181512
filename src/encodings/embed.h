/* embed.h: what the files of embed share. */
#ifndef EMBED_H
#define EMBED_H

#include "recipe/recipe.h"
#include "waves/wave.h"

struct embed {
	size_t vocab, dim;
	const struct table *table;
	size_t len;
	struct list ids;
	size_t batch;
	int out;
	struct pick init;
	struct seed seed;
	int rng;
	int oob;
	struct integer padding_idx;
	double max_norm;
	const char *multiplier;
	const struct table *add;
	struct list positions;
	size_t past;
	struct list segments;
	const struct table *segment_table, *position_table;
	bool layernorm;
	double eps;
	const struct table *gamma, *beta;

	size_t sequence;    /* rows of one sequence */
	size_t padding;     /* row of zeros, or vocab */
	double *drawn;      /* [rows, dim], of generators that draw in order */
	double factor;      /* value of --multiplier */
	struct wave wave;   /* of --add sinusoid */
	bool plain;         /* rows are those of the table, unchanged */
};

/* Elements first to first + n - 1 of random row id: in place, or in x [n]. */
const double *draw_part(const struct embed *s, size_t id, size_t first,
			size_t n, double *x);

/* embed_sum.c: check the options of sums, scaling and normalization. */
bool sum_prepare(struct embed *s, struct table *t, struct error *err);

/* The id of row i, or vocab if the row is zeros. */
size_t embed_id(const struct embed *s, size_t i);

/*
 * Make what t is a sum of its terms, tables of their own for figures. There are
 * none if t is not a sum, or if it is normalized.
 */
bool terms_make(const struct embed *s, struct table *t, struct error *err);

/* Write row i of t, which has that id (vocab: zeros), to x [dim]. */
void sum_row(const struct embed *s, size_t i, size_t id, double *x);

/* Make t the position ids of --ids. */
bool position_ids_make(const struct embed *s, struct table *t,
		       struct error *err);

#endif
