/* rotary.c: the frequencies and positions of a RoPE table. */
#include <math.h>

#include "identify/rotary.h"

#define TURN 6.283185307179586

enum { POSITIONS_MOST = 1 << 15, ROWS_LISTED = 256, SOME_PAIRS = 8 };

bool rotary_open(struct rotary *r, struct hunt *h)
{
	r->w = hunt_room(h, r->pairs, sizeof *r->w);
	r->error = hunt_room(h, r->pairs, sizeof *r->error);
	r->at = hunt_room(h, r->s->n, sizeof *r->at);
	r->where = hunt_room(h, r->s->n + 4, 32);
	return !h->err->text[0];
}

size_t rotary_some(const struct rotary *r)
{
	return r->pairs < SOME_PAIRS ? r->pairs : SOME_PAIRS;
}

static double wrapped(double a)
{
	return a - TURN * rint(a / TURN);
}

/* The angle of pair k in row i that is nearest to what is expected. */
static double angle(const struct rotary *r, size_t i, size_t k, double expected,
		    double *error)
{
	const double *x = sight_row(r->s, i) + k * r->stride;
	const double unit = r->s->noise + 2 * r->s->arithmetic;
	const double turns = 0x1p-52 * fabs(expected);  /* rounded, too */
	const double y = fmax(-1, fmin(1, x[0] / r->amp));
	double a, b;

	*error = unit;
	if (r->form == FORM_ANGLES) {
		*error = unit * fabs(x[0]);
		return x[0];
	}
	if (r->form == FORM_BOTH) {
		a = atan2(x[r->apart], x[0]);
		*error = 2 * unit * fmin(1, fabs(a)) + r->s->least + turns;
		return expected + wrapped(a - expected);
	}
	a = r->form == FORM_COS ? acos(y) : asin(y);
	b = r->form == FORM_COS ? -a : TURN / 2 - a;
	*error = unit * fabs(y) /
		 fmax(sqrt(1 - y * y), sqrt(unit)) + r->s->least + turns;
	a = wrapped(a - expected);
	b = wrapped(b - expected);
	return expected + (fabs(a) <= fabs(b) ? a : b);
}

/* The factor of all sines and cosines. */
static double amplitude(const struct rotary *r, bool first_is_one)
{
	const double *x = sight_row(r->s, 0);

	switch (r->form) {
	case FORM_COS:
		return fabs(x[0]);
	case FORM_BOTH:
		return hypot(x[0], x[r->apart]);
	case FORM_SIN:
		return first_is_one ? fabs(sight_row(r->s, 1)[0]) / sin(1) : 1;
	case FORM_ANGLES:
	default:
		return 1;
	}
}

/* Sharpen the frequencies by a row whose position is known. */
static void sharpen(struct rotary *r, size_t i, double position)
{
	for (size_t k = 0; k < r->pairs; k++) {
		double e;
		const double a = angle(r, i, k, position * r->w[k], &e);

		e /= position;
		if (r->error[k] * position > 0.5 || e >= r->error[k])
			continue;
		r->w[k] = a / position;
		r->error[k] = e;
	}
}

bool rotary_measure(struct rotary *r, bool first_is_one)
{
	if (r->s->n < 2)
		return false;
	r->amp = amplitude(r, first_is_one);
	if (!(r->amp > 0))
		return false;
	for (size_t k = 0; k < r->pairs; k++) {
		r->w[k] = angle(r, 1, k, 0.5, &r->error[k]);
		if (r->w[k] < 0 && r->form != FORM_ANGLES)
			r->w[k] = -r->w[k];
	}
	return r->w[0] > 0;
}

void rotary_suppose(struct rotary *r, double base)
{
	const double *x = sight_row(r->s, 0);
	const size_t known = rotary_some(r);

	r->amp = r->form == FORM_BOTH ? hypot(x[0], x[r->apart]) : 1;
	for (size_t k = 0; k < r->pairs; k++) {
		r->w[k] = pow(base, -(double)k / (double)r->pairs);
		r->error[k] = k < known ? 0 : 1;
	}
}

/* What a pair of frequency w shows at position p. */
static double value(const struct rotary *r, double p, double w)
{
	return r->form == FORM_ANGLES ? p * w :
	       r->amp * (r->form == FORM_SIN ? sin(p * w) : cos(p * w));
}

/* Whether row i may stand at p, as its first pairs have it. */
static bool stands_at(const struct rotary *r, size_t i, double p, size_t known)
{
	const double *x = sight_row(r->s, i);

	for (size_t k = 0; k < known; k++) {
		const double e = fabs(value(r, p, r->w[k]) -
				      x[k * r->stride]);
		const double far = r->form == FORM_ANGLES ? p * r->w[k]
							  : r->amp;

		if (e > 4 * (r->s->noise + r->s->arithmetic) * far +
		    p * (6 * r->error[k] + 8 * r->s->arithmetic * r->w[k]))
			return false;
	}
	return true;
}

bool rotary_locate(struct rotary *r, size_t known)
{
	const size_t n = r->s->n;

	r->even = true;
	for (size_t i = 0; i < n && r->even; i++) {
		r->at[i] = (double)i;
		r->even = stands_at(r, i, (double)i, known);
		if (r->even && i && (i & (i - 1)) == 0)
			sharpen(r, i, (double)i);
	}
	if (r->even)
		return true;
	for (size_t i = 0; i < n; i++) {
		double p = 0;

		while (p < POSITIONS_MOST && !stands_at(r, i, p, known))
			p++;
		if (p == POSITIONS_MOST || n > ROWS_LISTED)
			return false;
		r->at[i] = p;
		if (p > 1)
			sharpen(r, i, p);
	}
	r->even = n > 1;
	for (size_t i = 2; i < n; i++)
		r->even = r->even && fabs(r->at[i] - 2 * r->at[i - 1] +
					  r->at[i - 2]) < 0.5;
	return true;
}

bool rotary_holds(const struct rotary *r)
{
	for (size_t i = 0; i < r->s->n; i++)
		if (!stands_at(r, i, r->at[i], r->pairs))
			return false;
	return r->s->n > 3;
}
