/* turning.c: whether one frequency for each pair of columns explains rows. */
#include <math.h>
#include <stdio.h>

#include "identify/turning.h"

/* At most this residual is left, in units of the amplitude, besides rounding */
#define RESIDUAL 1e-3

enum { ROWS_LEAST = 4, ROOM = 200 };

/* Half the squared residuals of row i, made of row first and frequencies. */
static double row_residual(const struct pair_layout *layout,
			   const struct profile *p, size_t first, size_t i,
			   const double *w)
{
	double sum = 0, error;

	for (size_t k = 0; k < layout->pairs; k++) {
		const double a = pair_phase(layout, p, first, k, &error) +
				 (double)(i - first) * w[k];
		const double chord =
			sin((pair_phase(layout, p, i, k, &error) - a) / 2);

		sum += 2 * chord * chord;
	}
	return sum;
}

/*
 * The root-mean-square residual of rows made of the first and frequencies; that
 * of some first rows if that of all is beyond most.
 */
static double turning_residual(const struct pair_layout *layout,
			       const struct profile *p, size_t first,
			       const double *w, double most)
{
	const double limit = pow(most / layout->amp, 2);
	const double all =
		(double)(p->n - first) * (double)layout->pairs;
	double sum = 0, count = 0;

	for (size_t i = first; i < p->n && sum <= limit * all; i++) {
		if (profile_zero_row(p, i))
			continue;
		sum += row_residual(layout, p, first, i, w);
		count += (double)layout->pairs;
	}
	return layout->amp * sqrt(sum / count);
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
	char *text = search_alloc(s, ROOM, 1);
	const double most = (RESIDUAL + 2 * p->noise) * layout->amp;
	double residual;

	if (!text)
		return NULL;
	snprintf(text, ROOM, "no match found: no law was found; each pair of "
		 "columns has the norm %.6g in all rows", layout->amp);
	if (p->n - first < ROWS_LEAST)
		return text;
	measure_frequencies(layout, p, first, w, error);
	residual = turning_residual(layout, p, first, w, most);
	if (residual <= most &&
	    turns(layout, (double)(p->n - 1 - first), w)) {
		s->family = "sinusoid";
		snprintf(text, ROOM, "no match found: pairs of columns are "
			 "sines and cosines of one frequency each "
			 "(root-mean-square residual %.2g), but no law of the "
			 "frequencies was found", residual);
	}
	return text;
}
