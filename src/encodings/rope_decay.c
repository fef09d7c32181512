/* rope_decay.c: the decay of xPos, Sun et al. 2022. */
#include <math.h>

#include "core/floating.h"
#include "encodings/rope.h"

/*
 * Pair k of h decays with the distance from the centre, by zeta^(distance / B),
 * zeta = (2k / d + 0.4) / 1.4 with d = 2 h. The centre only moves queries and
 * keys against each other: the peers differ in it.
 */
void rope_decay(const struct rope *s, double position, double *x)
{
	enum { LIMBS = 3 };
	const struct wave *w = &s->wave;
	const double h = (double)w->turns.n, half = s->extent / 2;
	const double centre = s->center == CENTER_FLOOR ? floor(half) :
			      s->center == CENTER_CEIL ? ceil(half) : 0;
	const double way = s->downscale != s->inverse ? -1 : 1;
	const double power = way * (position - centre) / s->xpos;

	for (size_t k = 0; k < w->turns.n; k++) {
		const double zeta = (5 * (double)k + 2 * h) / (7 * h);
		const struct floating f = floating_power(zeta, power, LIMBS);
		const double scale = floating_double(&f, LIMBS);
		const size_t at = k * w->stride;

		x[at] *= scale;
		if (at + w->apart < w->cols)
			x[at + w->apart] *= scale;
	}
}
