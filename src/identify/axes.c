/* axes.c: what pairs of columns tell of the axes of images and videos. */
#include <math.h>

#include "exact/turns.h"
#include "identify/axes.h"

/* Changes from here on are known to several digits. */
#define WELL 1e-2

size_t cells_step(const struct cells *c, char along)
{
	return along == 't' ? c->w * c->h : along == 'x' ? 1
	       : c->merge > 1 ? c->merge : c->w;
}

size_t cells_along(const struct cells *c, char along)
{
	return along == 'y' ? c->h : along == 'x' ? c->w
	       : along == 't' ? c->t : 1;
}

/* The angle of pair k in a row x of so many pairs, or one of the same cosine */
static double angle(const double *x, size_t k, size_t pairs,
		    enum rope_form form, bool interleaved)
{
	const size_t full = interleaved ? 2 * k : k;

	switch (form) {
	case COS:
		return acos(fmax(-1, fmin(1, x[k])));
	case SIN:
		return asin(fmax(-1, fmin(1, x[k])));
	case COS_FULL:
		return acos(fmax(-1, fmin(1, x[full])));
	case SIN_FULL:
		return asin(fmax(-1, fmin(1, x[full])));
	case COSSIN:
		return atan2(x[k + pairs], x[k]);
	case CIS:
		return atan2(x[2 * k + 1], x[2 * k]);
	case ANGLES:
	case FORMS:
	default:
		return x[k];
	}
}

/* How far an angle may be off: small ones have cosines as good as 1. */
static double error_of(const struct profile *p, enum rope_form form)
{
	const double noise = 4 * (p->noise + p->epsilon);

	return form == COS || form == COS_FULL ? 2 * sqrt(noise) : noise;
}

/* Set along which axis pair k turns, and how far; '0' for none. */
static void measure_pair(const struct profile *p, const struct cells *c,
			 enum rope_form form, bool interleaved, size_t k,
			 struct axis_turn *turn)
{
	const char axes[] = { 'y', 'x', 't' };
	const size_t pairs = form < COS_FULL ? p->cols : p->cols / 2;
	const double from = angle(profile_row(p, c->first), k, pairs, form,
				  interleaved);

	*turn = (struct axis_turn){
		.along = '0', .pairs = 1, .size = 1, .start = from,
		.within = error_of(p, form),
	};
	for (size_t a = 0; a < sizeof axes; a++) {
		const size_t size = cells_along(c, axes[a]);
		const size_t row = c->first + cells_step(c, axes[a]);
		double change;

		if (size < 2)
			continue;
		change = angle(profile_row(p, row), k, pairs, form,
			       interleaved) - from;
		if (form != ANGLES)
			change = remainder(change, TWO_PI);
		if (fabs(change) <= turn->within * fmax(1, fabs(from)))
			continue;
		turn->along = axes[a];
		turn->size = size;
		turn->fastest = fabs(change);
	}
}

size_t measure_axes(const struct profile *p, const struct cells *c,
		    enum rope_form form, bool interleaved,
		    struct axis_turn *axes)
{
	const size_t pairs = form < COS_FULL ? p->cols : p->cols / 2;
	struct axis_turn turn, *last = axes;
	size_t n = 0;

	for (size_t k = 0; k < pairs; k++) {
		measure_pair(p, c, form, interleaved, k, &turn);
		/* Slow pairs do not tell their axis: they are the last of it */
		if (n && (turn.along == '0' || turn.along == last->along)) {
			if (turn.fastest >= WELL) {
				last->k = last->pairs;
				last->slow = turn.fastest;
				last->start = turn.start * last->fastest /
					      turn.fastest;
			}
			last->pairs++;
			continue;
		}
		if (n == AXES_MOST)
			return 0;
		last = axes + n++;
		*last = turn;
	}
	return n;
}
