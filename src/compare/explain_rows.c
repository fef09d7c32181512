/* explain_rows.c: rows reversed, shifted, or cells of a grid transposed. */
#include <stdio.h>
#include <stdlib.h>

#include "compare/explain.h"

static size_t reversed_source(const struct index_map *m, size_t i)
{
	return m->n - 1 - i;
}

void explain_reversed_rows(struct explainer *e)
{
	const struct index_map m = { .source = reversed_source,
				     .n = e->shape_b[ROWS] };

	if (e->c->shaped && m.n > 1 &&
	    try_change(e, &(struct change){ NO_CHANGE, .maps[ROWS] = &m,
					    .needed = CHANCE }))
		explained(e, "B is A with its rows in reverse order%s",
			  e->shape_b[PLANES] > 1 ? " in each plane" : "");
}

static size_t shifted_source(const struct index_map *m, size_t i)
{
	const long from = (long)i + m->by;

	return from < 0 || from >= (long)m->n ? NOWHERE : (size_t)from;
}

enum { REST_ROOM = 64 };

/* Of the rows that a shift leaves. */
static void say_unchanged(long by, char text[REST_ROOM])
{
	const char *where = by < 0 ? "first" : "last";

	if (labs(by) == 1)
		snprintf(text, REST_ROOM, "; the %s row is unchanged", where);
	else
		snprintf(text, REST_ROOM, "; the %s %ld rows are unchanged",
			 where, labs(by));
}

static void try_shift(struct explainer *e, long by)
{
	const size_t n = e->shape_b[ROWS];
	const struct index_map m = { .source = shifted_source, .n = n,
				     .by = by, .hint = n / 2 };

	const size_t first = by < 0 ? 0 : n - (size_t)by;
	const size_t end = by < 0 ? (size_t)-by : n;
	char rest[REST_ROOM] = "";

	if (!try_change(e, &(struct change){
			NO_CHANGE, .maps[ROWS] = &m,
			.needed = CHANCE + log2((double)n) }))
		return;
	if (same_rows(e, first, end))
		say_unchanged(by, rest);
	explained(e, "row i of B is row i %c %ld of A%s%s",
		  by < 0 ? '-' : '+', labs(by),
		  e->shape_b[PLANES] > 1 ? " in each plane" : "", rest);
}

/* A shift leaves some rows unexplained, at most half of them. */
void explain_shifted_rows(struct explainer *e)
{
	const size_t n = e->shape_b[ROWS];

	for (size_t k = 1; e->c->shaped && k <= n / 2 && spend(e, 0); k++) {
		try_shift(e, (long)k);
		try_shift(e, -(long)k);
	}
}

/*
 * The axis, from index first on, is [outer, p, q, inner] in A and [outer, q, p,
 * inner] in B.
 */
static size_t regrouped_source(const struct index_map *m, size_t i)
{
	const size_t j = i - m->first, in = j % m->inner;
	const size_t p = j / m->inner % m->p;
	const size_t q = j / m->inner / m->p % m->q;
	const size_t outer = j / m->inner / m->p / m->q;

	if (i < m->first)
		return i;
	return m->first + ((outer * m->p + p) * m->q + q) * m->inner + in;
}

static bool try_groups(struct explainer *e, int axis, struct index_map *m)
{
	struct change x = { NO_CHANGE, .needed = CHANCE };

	m->source = regrouped_source;
	m->n = e->shape_b[axis];
	m->hint = m->first + m->inner;
	x.maps[axis] = m;
	return try_change(e, &x);
}

/* Class tokens and the like come before the cells. */
enum { FIRST_MOST = 2 };

void explain_cells(struct explainer *e)
{
	static const char *const after[] = {
		"", ", after the first row", ", after the first two rows",
	};

	for (size_t first = 0; e->c->shaped && !explained_exactly(e) &&
	     first <= FIRST_MOST && first < e->shape_b[ROWS]; first++) {
		const size_t n = e->shape_b[ROWS] - first;

		for (size_t p = 2; p <= n / 2; p++) {
			struct index_map m = { .first = first, .p = p,
					       .q = n / p, .outer = 1,
					       .inner = 1 };

			if (n % p == 0 && try_groups(e, ROWS, &m))
				explained(e, "B is A with the cells of a grid "
					  "transposed: its rows are %zu x %zu "
					  "cells in A and %zu x %zu in B%s",
					  m.p, m.q, m.q, m.p, after[first]);
		}
	}
}

/* "its columns regrouped: reshaped to [3, 2, 4], the first two axes ..." */
static void say_groups(struct explainer *e, int axis,
		       const struct index_map *m)
{
	char outer[24] = "", inner[24] = "";

	if (m->outer > 1)
		snprintf(outer, sizeof outer, "%zu, ", m->outer);
	if (m->inner > 1)
		snprintf(inner, sizeof inner, ", %zu", m->inner);
	explained(e, "B is A with its %ss regrouped: reshaped to [%s%zu, "
		  "%zu%s], the %s two axes are exchanged", axis_word[axis],
		  outer, m->p, m->q, inner, m->outer == 1 ? "first" :
		  m->inner == 1 ? "last" : "middle");
}

/* All [outer, p, q, inner] of one outer and p. */
static void try_inner(struct explainer *e, int axis, size_t outer, size_t p)
{
	const size_t n = e->shape_b[axis] / outer / p;

	for (size_t q = 2; q <= n; q++) {
		struct index_map m = { .outer = outer, .p = p, .q = q,
				       .inner = n / q };

		if (n % q == 0 && outer * m.inner > 1 &&
		    try_groups(e, axis, &m))
			say_groups(e, axis, &m);
	}
}

/* Such as [heads, 3, dim] to [3, heads, dim]. */
void explain_regrouped(struct explainer *e)
{
	for (int axis = ROWS; e->c->shaped && axis < AXES; axis++)
		for (size_t outer = 1; outer <= e->shape_b[axis]; outer++) {
			const size_t n = e->shape_b[axis] / outer;

			if (e->shape_b[axis] % outer || explained_exactly(e))
				continue;
			for (size_t p = 2; p <= n; p++)
				if (n % p == 0)
					try_inner(e, axis, outer, p);
		}
}
