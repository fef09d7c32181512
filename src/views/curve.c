/* curve.c: similarity by the distance of positions. */
#include <math.h>

#include "core/each.h"
#include "views/curve.h"

/*
 * While rows are looked at, mean and std hold the sums of x - first and of its
 * square: where all pairs of a distance are alike, nothing cancels.
 */
struct looker {
	struct curve *c;
	double *first;  /* [n] of each distance, row 0's */
};

static bool look(void *self, size_t i, const double *x)
{
	const struct looker *l = self;
	struct curve *c = l->c;

	for (size_t k = 0; k < c->n - i; k++) {
		const double y = x[i + k], d = i ? y - l->first[k] : 0;

		if (i == 0)
			l->first[k] = c->lo[k] = c->hi[k] = y;
		c->mean[k] += d;
		c->std[k] += d * d;
		c->lo[k] = y < c->lo[k] ? y : c->lo[k];
		c->hi[k] = y > c->hi[k] ? y : c->hi[k];
	}
	return true;
}

bool curve_open(struct curve *c, const struct table *t, struct table *owner,
		struct error *err)
{
	const size_t n = t->rows;
	double *all = table_alloc(owner, n, 5 * sizeof *all, err);
	struct looker l = { c, all + 4 * n };

	if (!all)
		return false;
	*c = (struct curve){ n, all, all + n, all + 2 * n, all + 3 * n };
	if (!table_each(t, look, &l, err))
		return false;
	for (size_t k = 0; k < n; k++) {
		const double pairs = (double)(n - k), d = c->mean[k] / pairs;
		const double spread = c->std[k] / pairs - d * d;

		c->mean[k] = l.first[k] + d;
		c->std[k] = sqrt(fmax(0, spread));
	}
	return true;
}
