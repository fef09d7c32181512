/* emulation.c: sines and cosines in the arithmetic of other programs. */
#include <math.h>

#include "exact/floating.h"
#include "exact/series.h"
#include "exact/within.h"
#include "waves/wave.h"

/*
 * x rounded to single precision, as a double. A product, quotient or root of
 * two singles that is rounded to double and then to single is the same as one
 * rounded to single at once (Figueroa 1995, "When is double rounding
 * innocuous?").
 */
static double single(double x)
{
	return (double)(float)x;
}

enum { LIMBS = 4 };

const char *const emulation_names[] = {
	"exact", "torch-exp", "torch-pow", "torch-div", "keras", "fairseq",
	"t2t", "diffusers", "xt", "numpy64", LOW_PRECISION_NAMES, NULL
};

/* e^x; NaN if it is far out of the range of a double. */
static double exponential(double x)
{
	struct floating f;

	if (!(fabs(x) < 1e4))
		return (double)NAN;
	f = floating_exponential(x, LIMBS);
	return floating_double(&f, LIMBS);
}

static double power(double x, double y)
{
	struct floating f;

	if (!(fabs(y * log2(x)) < 1e4))
		return (double)NAN;
	f = floating_power(x, y, LIMBS);
	return floating_double(&f, LIMBS);
}

/*
 * The factor of positions (NUMPY64 and TORCH_DIV: the divisor) for frequency
 * index of base b; 2 d is what the programs call dim. Python's scalars are
 * doubles until they meet a tensor.
 */
static double factor(const struct emulation *e, size_t index, double b,
		     double d)
{
	const double k = (double)index;

	switch (e->program) {
	case TORCH_EXP:  /* exp(2k * (-ln b / dim)) */
		return single(exponential(single(
			2 * k * single(-floating_log(b) / (2 * d)))));
	case TORCH_POW:  /* 1 / b^(2k / dim) */
		return single(1 / single(power(single(b),
					       single(k / single(d)))));
	case TORCH_DIV:  /* b^(2k / dim) */
		return single(power(single(b), single(k / single(d))));
	case KERAS:      /* (1 / b)^(2k / dim) */
		return single(power(single(1 / b), single(k / single(d))));
	case X_TRANSFORMERS:  /* b^-(k / d) */
		return single(power(single(b), -single(k / single(d))));
	case FAIRSEQ:    /* exp(k * -(ln b / d)) */
		return single(exponential(single(
			k * single(-floating_log(b) / d))));
	case T2T_SIGNAL: /* min_timescale * exp(k * -(ln b / d)) */
		return single(single(e->scale) * single(exponential(single(
			k * -single(single(floating_log(b)) / single(d))))));
	case DIFFUSERS_TIMESTEP:  /* exp(-ln b * k / d) */
		return single(exponential(single(single(
			single(-floating_log(b)) * k) / single(d))));
	default:         /* NUMPY64: b^(2k / dim) */
		return power(b, k / d);
	}
}

bool emulation_begin(struct emulation *e, int program, size_t n, double base,
		     double denominator, double scale, struct table *t,
		     struct error *err)
{
	const double min = program == NUMPY64 ? 1e-300 : 1e-37;
	/* Positions are divided by the factor */
	const bool divides = program == NUMPY64 || program == TORCH_DIV;

	e->program = program;
	e->scale = scale;
	e->factor = table_alloc(t, n, sizeof *e->factor, err);
	if (!e->factor || !turns_radian(&e->radian, t, err))
		return false;
	if (program != NUMPY64 && !within(base, 1e-30, 1e30))
		return fail(err, "--base must be between 1e-30 and 1e30 with "
			    "--emulate %s (single precision), got %g",
			    emulation_names[program], base);
	for (size_t k = 0; k < n; k++) {
		const double f = factor(e, k, base, denominator);

		if (!within(f, min, 1 / min))
			return fail(err, "--emulate %s: frequency %zu is out "
				    "of range for %s", emulation_names[program],
				    k, program == NUMPY64 ? "float64"
				    : "float32");
		e->factor[k] = f;
		e->angle_max = fmax(e->angle_max, divides ? 1 / f : f);
	}
	e->angle_max *= program == T2T_SIGNAL ? 1 : fabs(scale);
	return true;
}

/* The angle of a position at frequency k, in radians. */
static double angle(const struct emulation *e, size_t k, double position)
{
	const double p = single(position);

	switch (e->program) {
	case NUMPY64:
		return e->scale * (position / e->factor[k]);
	case T2T_SIGNAL:
		return single(p * e->factor[k]);
	case TORCH_DIV:
		return single(single(e->scale) * single(p / e->factor[k]));
	default:
		return single(single(e->scale) * single(p * e->factor[k]));
	}
}

void emulation_sincos(const struct emulation *e, size_t k, size_t n,
		      double position, double *sine, double *cosine)
{
	for (size_t i = 0; i < n; i++) {
		const double a = angle(e, k + i, position);

		if (e->program == NUMPY64) {
			series_sincos(&e->radian, 0, fabs(a), TO_NEAREST,
				       &sine[i], &cosine[i]);
			sine[i] = a < 0 ? 0 - sine[i] : sine[i];
			continue;
		}
		turns_sincos(&e->radian, 0, 1, a, &sine[i], &cosine[i]);
		sine[i] = single(sine[i]);
		cosine[i] = single(cosine[i]);
	}
}
