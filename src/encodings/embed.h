/* embed.h: rows of a table and what is added to them (embed.c). */
#ifndef EMBED_H
#define EMBED_H

#include "recipe/recipe.h"
#include "waves/convention.h"

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

/* What is added, in this order; the first sets the row. */
enum term {
	TERM_SINUSOID, TERM_TOKEN, TERM_SEGMENT, TERM_POSITION, TERM_ADDED,
	TERMS
};

/* The id of row i, or vocab if the row is zeros; its position and segment. */
size_t embed_id(const struct embed *s, size_t i);
double embed_position(const struct embed *s, size_t i);
double embed_segment(const struct embed *s, size_t i);

/* Whether a term is among the options. */
bool embed_has_term(const struct embed *s, enum term term);

/* Write the term to x [dim], for row i of t, which has that id. */
void embed_add_term(const struct embed *s, enum term term, size_t i, size_t id,
		    double *x);

/*
 * Make what t is a sum of its terms, tables of their own for figures. There are
 * none if t is not a sum, or if it is normalized.
 */
bool embed_terms(const struct embed *s, struct table *t, struct error *err);

#endif
