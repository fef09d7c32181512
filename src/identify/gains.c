/* gains.c: the phases that pairs of columns gain, as means of many rows. */
#include <math.h>
#include <string.h>

#include "identify/gains.h"

enum { SAMPLE_ROWS = 64 };
enum { MEAN_ROWS = 4096, MEAN_PAIRS = 1 << 20 };
enum { BLOCK = 64 };	       /* pairs that are adjacent in a cache */

/* Rows first to first + n - 1, and those that are lag rows after them. */
struct lagged {
	const struct pair_layout *layout;
	const struct profile *profile;
	size_t first, n, lag;
};

/*
 * Sums over the rows of the products of pairs k to k + count - 1 with their
 * conjugates lag rows before: real and imaginary parts.
 */
static void correlate(const struct lagged *r, size_t k, size_t count,
		      double sums[][2])
{
	const size_t stride = r->layout->stride, gap = r->layout->gap;

	memset(sums, 0, count * sizeof *sums);
	for (size_t i = r->first; i < r->first + r->n; i++) {
		const double *x = profile_row(r->profile, i) + k * stride;
		const double *y = profile_row(r->profile, i + r->lag) +
				  k * stride;

		for (size_t j = 0; j < count; j++, x += stride, y += stride) {
			sums[j][0] += x[0] * y[0] + x[gap] * y[gap];
			sums[j][1] += x[0] * y[gap] - x[gap] * y[0];
		}
	}
}

/* The number of pairs from k on that are correlated together. */
static size_t block_size(const struct pair_layout *layout, size_t k)
{
	return layout->pairs - k < BLOCK ? layout->pairs - k : BLOCK;
}

bool pairs_turn(const struct pair_layout *layout, const struct profile *p,
		size_t first)
{
	const size_t all = p->n - first - 1;
	const struct lagged r = {
		.layout = layout, .profile = p, .first = first, .lag = 1,
		.n = all < SAMPLE_ROWS ? all : SAMPLE_ROWS,
	};
	double sum = 0, sums[BLOCK][2];

	for (size_t k = 0; k < layout->pairs; k += BLOCK) {
		const size_t count = block_size(layout, k);

		correlate(&r, k, count, sums);
		for (size_t j = 0; j < count; j++)
			sum += hypot(sums[j][0], sums[j][1]);
	}
	return 2 * sum >= layout->amp * layout->amp * (double)r.n *
				  (double)layout->pairs;
}

/* The number of rows over which phase gains are averaged. */
static size_t mean_rows(const struct lagged *r)
{
	const size_t all = r->profile->n - r->first - r->lag;
	const size_t many = MEAN_PAIRS / (r->layout->pairs + 1) + SAMPLE_ROWS;
	const size_t most = many < MEAN_ROWS ? many : MEAN_ROWS;

	return all < most ? all : most;
}

bool gains_begin(struct gains *g, const struct profile *p, struct table *owner,
		 struct error *err)
{
	size_t lags = 0;

	while (p->n >> lags > 0)
		lags++;
	*g = (struct gains){ .lags = lags };
	g->known = table_alloc(owner, 2 * lags, sizeof *g->known, err);
	g->phase = table_alloc(owner, 2 * lags, (p->cols / 2 + 1) *
						sizeof *g->phase, err);
	return g->known && g->phase;
}

/* Set the phases that all pairs gain, means of many rows. */
static void measure_gains(const struct lagged *r, double *phase)
{
	double sums[BLOCK][2];

	for (size_t k = 0; k < r->layout->pairs; k += BLOCK) {
		const size_t count = block_size(r->layout, k);

		correlate(r, k, count, sums);
		for (size_t j = 0; j < count; j++)
			phase[k + j] = atan2(sums[j][1], sums[j][0]);
	}
}

const double *mean_gains(const struct pair_layout *layout,
			 const struct profile *p, size_t first, size_t l,
			 double *rows)
{
	struct gains *g = p->gains;
	struct lagged r = {
		.layout = layout, .profile = p, .first = first,
		.lag = (size_t)1 << l,
	};
	const size_t split = layout->stride == 1;
	bool *known = g->known + split * g->lags;
	double *phase = g->phase + (split * g->lags + l) * (p->cols / 2 + 1);

	r.n = mean_rows(&r);
	*rows = (double)r.n;
	if (g->first[split] != first)
		memset(known, 0, g->lags * sizeof *known);
	g->first[split] = first;
	if (!known[l])
		measure_gains(&r, phase);
	known[l] = true;
	return phase;
}
