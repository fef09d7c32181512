/* turning.c: whether one frequency for each pair of columns explains rows. */
#include <math.h>
#include <stdio.h>

#include "identify/turning.h"

/* At most this residual is left, in units of the amplitude, besides rounding */
#define RESIDUAL 1e-3

enum { ROWS_LEAST = 4, ROOM = 240 };

/* A pair as a complex number, or what it is multiplied by in each row. */
struct vector {
	double x, y;
};

/*
 * Pair k of row i of a layout whose cosines are first. A common sign does not
 * matter here.
 */
static struct vector vector_of(const struct pair_layout *layout,
			       const struct profile *p, size_t i, size_t k)
{
	const double *x = profile_row(p, i) + k * layout->stride;

	return (struct vector){ *x, x[layout->gap] };
}

/* The squared residuals of row i from at [pairs], which turn to the next row */
static double row_residual(const struct pair_layout *layout,
			   const struct profile *p, size_t i,
			   struct vector *at, const struct vector *turn)
{
	double sum = 0;

	for (size_t k = 0; k < layout->pairs; k++) {
		const struct vector z = vector_of(layout, p, i, k), a = at[k];
		const struct vector by = turn[k];

		sum += (z.x - a.x) * (z.x - a.x) + (z.y - a.y) * (z.y - a.y);
		at[k].x = a.x * by.x - a.y * by.y;
		at[k].y = a.x * by.y + a.y * by.x;
	}
	return sum;
}

/*
 * The root-mean-square residual of rows made of the first and frequencies; that
 * of some first rows if that of all is beyond most. room: [2 * pairs]
 */
static double turning_residual(const struct pair_layout *layout,
			       const struct profile *p, size_t first,
			       const double *w, double most,
			       struct vector *room)
{
	const double all =
		2 * (double)(p->n - first) * (double)layout->pairs;
	struct vector *turn = room + layout->pairs;
	double sum = 0, count = 0;

	for (size_t k = 0; k < layout->pairs; k++) {
		room[k] = vector_of(layout, p, first, k);
		turn[k] = (struct vector){ cos(w[k]), sin(w[k]) };
	}
	for (size_t i = first; i < p->n && sum <= most * most * all; i++) {
		const double off = row_residual(layout, p, i, room, turn);

		if (profile_zero_row(p, i))
			continue;
		sum += off;
		count += 2 * (double)layout->pairs;
	}
	return sqrt(sum / count);
}

/* Whether a pair turns by more than a quarter from the first row on. */
static bool turns(const struct pair_layout *layout, double rows,
		  const double *w)
{
	double fastest = 0;

	for (size_t k = 0; k < layout->pairs; k++)
		fastest = fmax(fastest, fabs(w[k]));
	return fastest * rows > TWO_PI / 4;
}

const char *pairs_verdict(struct search *s, const struct pair_layout *layout,
			  size_t first, double *w, double *error)
{
	const struct profile *p = s->profile;
	const size_t n = 2 * layout->pairs * sizeof(struct vector);
	struct vector *room = search_alloc(s, n + ROOM, 1);
	char *text;
	const double most = (RESIDUAL + 2 * p->noise) * layout->amp;
	double residual;

	if (!room)
		return NULL;
	text = (char *)room + n;
	snprintf(text, ROOM, "no match found: no formula fits; each pair of "
		 "columns has the norm %.6g in all rows%s", layout->amp,
		 layout->stride == 1 ? ", as in Gaussian Fourier features, "
		 "whose matrix and points the values do not tell" : "");
	if (p->n - first < ROWS_LEAST)
		return text;
	measure_frequencies(layout, p, first, w, error);
	residual = turning_residual(layout, p, first, w, most, room);
	if (residual <= most &&
	    turns(layout, (double)(p->n - 1 - first), w)) {
		s->family = "sinusoid";
		snprintf(text, ROOM, "no match found: pairs of columns are "
			 "sines and cosines of one frequency each "
			 "(root-mean-square residual %.2g), but no formula "
			 "gives the frequencies", residual);
	}
	return text;
}
