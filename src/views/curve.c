/* curve.c: similarity by the distance of positions. */
#include <math.h>

#include "core/each.h"
#include "views/curve.h"

bool curve_begin(struct curve *c, size_t n, struct table *owner,
		 struct error *err)
{
	double *all = table_alloc(owner, n, 5 * sizeof *all, err);

	if (all)
		*c = (struct curve){ n, all, all + n, all + 2 * n,
				     all + 3 * n, all + 4 * n };
	return all;
}

/*
 * Until the end mean and std hold the sums of x - first and of its square:
 * where all pairs of a distance are alike, nothing cancels.
 */
void curve_row(struct curve *c, size_t i, const double *x)
{
	for (size_t k = 0; k < c->n - i; k++) {
		const double y = x[i + k], d = i ? y - c->first[k] : 0;

		if (i == 0)
			c->first[k] = c->lo[k] = c->hi[k] = y;
		c->mean[k] += d;
		c->std[k] += d * d;
		c->lo[k] = y < c->lo[k] ? y : c->lo[k];
		c->hi[k] = y > c->hi[k] ? y : c->hi[k];
	}
}

void curve_end(struct curve *c)
{
	for (size_t k = 0; k < c->n; k++) {
		const double pairs = (double)(c->n - k);
		const double d = c->mean[k] / pairs;

		c->mean[k] = c->first[k] + d;
		c->std[k] = sqrt(fmax(0, c->std[k] / pairs - d * d));
	}
}

static bool look(void *self, size_t i, const double *x)
{
	curve_row(self, i, x);
	return true;
}

bool curve_open(struct curve *c, const struct table *t, struct table *owner,
		struct error *err)
{
	if (!curve_begin(c, t->rows, owner, err) ||
	    !table_each(t, look, c, err))
		return false;
	curve_end(c);
	return true;
}
