/*
 * low_precision.c: the error that a model makes whose frequencies, positions or
 * angles are rounded to bfloat16 or float16 before the sine. All rounding is to
 * nearest, ties to even, from frequencies correctly rounded to float32.
 */
#include <math.h>

#include "waves/wave.h"

const char *const low_precision_names[] = {
	"exact", LOW_PRECISION_NAMES, NULL
};

/* What each name rounds, and to which dtype; F64: it is not rounded. */
static const struct rounded {
	enum dtype frequency, position, angle, value;
} rounded[] = {
	{ F64,  F64,  F64,  F64 },
	{ BF16, F64,  F64,  F64 },
	{ F16,  F64,  F64,  F64 },
	{ F32,  BF16, F64,  F64 },
	{ F32,  F16,  F64,  F64 },
	{ F32,  F32,  BF16, F64 },
	{ F32,  F32,  F16,  F64 },
	{ BF16, BF16, BF16, BF16 },
	{ F16,  F16,  F16,  F16 },
};

/*
 * Round all frequencies, which are finite: the largest of them, or infinity out
 * of range.
 */
static double round_frequencies(struct wave *w, enum dtype d)
{
	double most = 0;

	for (size_t k = 0; k < w->turns.n; k++) {
		const double x = turns_angle(&w->turns, k, 1);
		const double f = dtype_round(d, dtype_round(F32, x));

		if (!isfinite(f))
			return HUGE_VAL;
		w->emulation.factor[k] = f;
		most = fmax(most, fabs(f));
		turns_set(&w->turns, k, fabs(f));
	}
	return most;
}

/* Whether positions, and their angles, can be rounded. */
static bool check_range(const struct wave *w, const char *name, double farthest,
			struct error *err)
{
	const struct emulation *e = &w->emulation;
	const double angle = e->angle_max * farthest;
	const double most = e->angle == F16 ? 65504 : 0x1p53;

	if (!dtype_holds(e->position, farthest))
		return fail(err, "--emulate %s: position %.17g is out of range "
			    "for %s", name, farthest, dtype_name(e->position));
	if (e->angle != F64 && !(angle <= most))
		return fail(err, "--emulate %s: expected angles of at most "
			    "%.0f, got %g", name, most, angle);
	return true;
}

bool wave_lower_precision(struct wave *w, int which, double farthest,
			  struct table *t, struct error *err)
{
	const struct rounded *r = &rounded[which];
	const char *name = low_precision_names[which];
	struct emulation *e = &w->emulation;

	e->factor = table_alloc(t, w->turns.n, sizeof *e->factor, err);
	if (!e->factor || !turns_radian(&e->radian, t, err))
		return false;
	e->angle_max = round_frequencies(w, r->frequency);
	if (!(e->angle_max < HUGE_VAL))
		return fail(err, "--emulate %s: a frequency is out of range "
			    "for %s", name, dtype_name(r->frequency));
	e->position = r->position;
	e->angle = r->angle;
	e->value = r->value;
	if (r->position != F64)
		e->program = LOW_PRECISION;
	return check_range(w, name, farthest, err);
}

/*
 * Programs round the product of a position and a frequency to float32 first.
 * It is exact in a double, because both have float32's precision or less.
 */
static double rounded_angle(const struct emulation *e, size_t k, double p)
{
	return dtype_round(e->angle, dtype_round(F32, p * e->factor[k]));
}

double wave_angle(const struct wave *w, size_t k, double position)
{
	const struct emulation *e = &w->emulation;
	const double p = dtype_round(e->position, position);

	return e->angle == F64 ? turns_angle(&w->turns, k, p)
			       : rounded_angle(e, k, p);
}

void low_precision_sincos(const struct wave *w, size_t k, size_t n,
			  double position, double *sine, double *cosine)
{
	const struct emulation *e = &w->emulation;
	const double p = dtype_round(e->position, position);

	if (e->angle == F64)
		turns_sincos(&w->turns, k, n, p, sine, cosine);
	for (size_t i = 0; e->angle != F64 && i < n; i++) {
		turns_sincos(&e->radian, 0, 1, rounded_angle(e, k + i, p),
			     &sine[i], &cosine[i]);
		sine[i] = dtype_round(e->value, sine[i]);
		cosine[i] = dtype_round(e->value, cosine[i]);
	}
}
