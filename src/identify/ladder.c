/* ladder.c: geometric frequencies, measured. */
#include <math.h>

#include "identify/ladder.h"

#define ANGLE_ERROR 1e-30  /* for none is known without error */
#define TURN 6.283185307179586

/* What is left of a after whole turns, from -half to half of one. */
static double wrapped(double a)
{
	return a - TURN * rint(a / TURN);
}

double reading_angle(const struct reading *r, const struct sight *s, size_t i,
		     size_t k, double *error)
{
	const double *x = sight_row(s, i) + k * r->stride;
	const double a = r->negated ? -x[0] : x[0];
	const double b = r->negated ? -x[r->apart] : x[r->apart];
	const double angle = r->cosine_first ? atan2(b, a) : atan2(a, b);

	*error = 2 * (s->noise + 8 * s->arithmetic) * fmin(fabs(angle), 1) +
		 s->least / r->amp + ANGLE_ERROR;
	return angle;
}

/* Refine the turns by the rows first and first + lag. */
static void refine(const struct reading *r, const struct sight *s,
		   size_t first, size_t lag, double *w, double *error)
{
	const double far = (double)lag;

	for (size_t k = 0; k < r->pairs; k++) {
		double e, more;
		double d = reading_angle(r, s, first + lag, k, &more) -
			   reading_angle(r, s, first, k, &e);

		e = (e + more) / far;
		if (lag > 1 && (error[k] * far > TURN / 8 || e >= error[k]))
			continue;
		w[k] += wrapped(d - w[k] * far) / far;
		error[k] = e;
	}
}

void reading_turns(const struct reading *r, const struct sight *s,
		   size_t first, double *w, double *error)
{
	for (size_t k = 0; k < r->pairs; k++)
		w[k] = error[k] = 0;
	for (size_t lag = 1; first + lag < s->n; lag *= 2)
		if (!sight_zero_row(s, first + lag))
			refine(r, s, first, lag, w, error);
}

double ladder_share(const struct sight *s)
{
	return 0x1p-46 + 16 * s->arithmetic;
}

/* How much a measured w counts; one lost in rounding counts nothing. */
static double weight(const struct ladder *l, double w, double error)
{
	return fabs(w) > 3 * error
		? 1 / (pow(error / w, 2) + pow(l->share, 2)) : 0;
}

/* Weighted least squares of log |w| from first to n - 1. */
static void fit(struct ladder *l, const double *w, const double *error,
		size_t first, size_t n)
{
	double sum = 0, sum_k = 0, sum_y = 0, kk = 0, ky = 0;

	for (size_t k = first; k < n; k++) {
		const double g = weight(l, w[k], error[k]);

		if (!(g > 0))
			continue;
		sum += g;
		sum_k += g * (double)k;
		sum_y += g * log(fabs(w[k]));
	}
	for (size_t k = first; k < n; k++) {
		const double g = weight(l, w[k], error[k]);
		const double d = (double)k - sum_k / sum;

		if (!(g > 0))
			continue;
		kk += g * d * d;
		ky += g * d * (log(fabs(w[k])) - sum_y / sum);
	}
	l->fall = kk > 0 ? -ky / kk : 0;
	l->fall_error = kk > 0 ? 1 / sqrt(kk) : 0;
	l->unit = copysign(exp((sum_y + l->fall * sum_k) / sum), w[first]);
	l->unit_error = sqrt(1 / sum) + sum_k / sum * l->fall_error;
}

static double step_at(const struct ladder *l, size_t k)
{
	return l->unit * exp(-(double)k * l->fall);
}

/* Whether w from first on keep to the ladder. */
static bool keeps(const struct ladder *l, const double *w, const double *error,
		  size_t first, size_t n)
{
	for (size_t k = first; k < n; k++)
		if (!(fabs(w[k] - step_at(l, k)) <=
		      6 * (error[k] + l->share * fabs(w[k]))))
			return false;
	return true;
}

/* Of one sign, as turns from a row to the next are, and not all lost. */
static bool one_way(const double *w, const double *error, size_t first,
		    size_t n)
{
	size_t up = 0, down = 0;

	for (size_t k = first; k < n; k++) {
		up += w[k] > 3 * error[k];
		down += w[k] < -3 * error[k];
	}
	return !up != !down;
}

bool ladder_fit(struct ladder *l, double *w, const double *error, size_t n)
{
	size_t k = n - (n + 3) / 4;

	if (one_way(w, error, 0, n)) {
		fit(l, w, error, 0, n);
		if (keeps(l, w, error, 0, n))
			return true;
	}
	/* The slow quarter lacks no turns; it tells how many others lack. */
	k = n < 2 ? 0 : k > n - 2 ? n - 2 : k;
	if (!one_way(w, error, k, n))
		return false;
	fit(l, w, error, k, n);
	while (k--) {
		w[k] += TURN * rint((step_at(l, k) - w[k]) / TURN);
		if (!one_way(w, error, k, n))
			return false;
		fit(l, w, error, k, n);
	}
	return keeps(l, w, error, 0, n);
}

/* How far the position p may be off, as pair k has it. */
static double position_error(const struct ladder *l, size_t k, double error,
			     double p)
{
	return error / fabs(step_at(l, k)) +
	       fabs(p) * (l->unit_error + (double)k * l->fall_error);
}

bool ladder_position(const struct ladder *l, const double *angle,
		     const double *error, size_t n, double turns, double *p,
		     double *p_error)
{
	size_t k = n - 1;

	*p = (angle[k] + TURN * turns) / step_at(l, k);
	*p_error = position_error(l, k, error[k], *p);
	while (k--) {
		const double w = step_at(l, k);
		const double off = wrapped(angle[k] - *p * w) / w;
		const double e = position_error(l, k, error[k], *p);

		if (*p_error * fabs(w) > TURN / 4 ||
		    fabs(off) > 6 * (*p_error + e))
			return false;
		*p += off * pow(*p_error, 2) / (pow(*p_error, 2) + e * e);
		*p_error = 1 / sqrt(1 / (e * e) + pow(*p_error, -2));
	}
	return true;
}
