/* embed.h: what the files of embed share. */
#ifndef EMBED_H
#define EMBED_H

#include "core/recipe.h"
#include "core/wave.h"

struct embed {
	size_t vocab, dim;
	const struct table *table;
	size_t len;
	struct list ids;
	size_t batch;
	int out;
	struct pick init;
	size_t seed;
	int rng;
	int oob;
	long padding_idx;
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
	double *drawn;      /* [rows, dim], by a generator that goes in order */
	double factor;      /* that --multiplier says */
	struct wave wave;   /* that --add sinusoid adds */
	bool plain;         /* rows are the table's own */
};

/* embed_draw.c: check how the table is to be drawn, and say its bounds. */
bool draw_check(const struct embed *s, struct table *t, struct error *err);

/* Draw rows up to the last that is asked for, where that must be in order. */
bool draw_prepare(struct embed *s, size_t rows, struct table *t,
		  struct error *err);

/* Elements first to first + n - 1 of row id, where they lie or in x [n]. */
const double *draw_part(const struct embed *s, size_t id, size_t first,
			size_t n, double *x);

/* embed_check.c: check what is added to the rows and how they are scaled. */
bool sum_prepare(struct embed *s, struct table *t, struct error *err);

/* embed_sum.c: the position and the segment of row i of t. */
double sum_position(const struct embed *s, size_t i);
double sum_segment(const struct embed *s, size_t i);

/* Row i of t, of id (or vocab: zeros), to x [dim]. */
void sum_row(const struct embed *s, size_t i, size_t id, double *x);

/* embed_positions.c: make t the position ids of --ids. */
bool position_ids_make(const struct embed *s, struct table *t,
		       struct error *err);

#endif
