/* emulation.c: sines and cosines by other programs' arithmetic. */
#include <math.h>

#include "core/emulation.h"
#include "core/floating.h"
#include "core/precise.h"
#include "core/within.h"

/*
 * Doubles hold the numbers of single precision. A product, quotient or root of
 * two such, rounded to double and then to single, is what rounding it to single
 * at once would give.
 */
static double single(double x)
{
	return (double)(float)x;
}

enum { LIMBS = 4 };

const char *const emulation_words[] = {
	"exact", "torch-exp", "torch-pow", "torch-div", "keras", "fairseq",
	"t2t", "diffusers", "xt", "numpy64", NULL
};

/* Of what is far from any double or single, not a number. */
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
 * What a position is multiplied by (NUMPY64 and TORCH_DIV: divided by) for
 * frequency k, base b; 2 d is what the programs call dim. Scalars of Python
 * are doubles until they meet a tensor.
 */
static double factor(const struct emulation *e, size_t index, double b,
		     double d)
{
	const double k = (double)index;

	switch (e->way) {
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
	case T2T_SIGNAL: /* least * exp(k * -(ln b / d)) */
		return single(single(e->scale) * single(exponential(single(
			k * -single(single(floating_log(b)) / single(d))))));
	case DIFFUSERS_TIMESTEP:  /* exp(-ln b * k / d) */
		return single(exponential(single(single(
			single(-floating_log(b)) * k) / single(d))));
	default:         /* NUMPY64: b^(2k / dim) */
		return power(b, k / d);
	}
}

static bool divides(const struct emulation *e)
{
	return e->way == NUMPY64 || e->way == TORCH_DIV;
}

bool emulation_begin(struct emulation *e, int way, size_t n, double base,
		     double denominator, double scale, struct table *t,
		     struct error *err)
{
	const double least = way == NUMPY64 ? 1e-300 : 1e-37;

	e->way = way;
	e->scale = scale;
	e->by = table_alloc(t, n, sizeof *e->by, err);
	if (!e->by || !turns_geometric(&e->radian, 1, 1, 1, 1, t, err))
		return false;
	if (way != NUMPY64 && !within(base, 1e-30, 1e30))
		return fail(err, "--emulate %s has single precision, in which "
			    "--base must be from 1e-30 to 1e30, not %g",
			    emulation_words[way], base);
	for (size_t k = 0; k < n; k++) {
		const double by = factor(e, k, base, denominator);

		if (!within(by, least, 1 / least))
			return fail(err, "--emulate %s leaves its precision at "
				    "frequency %zu", emulation_words[way], k);
		e->by[k] = by;
		e->most = fmax(e->most, divides(e) ? 1 / by : by);
	}
	e->most *= way == T2T_SIGNAL ? 1 : fabs(scale);
	return true;
}

static double angle(const struct emulation *e, size_t k, double position)
{
	const double p = single(position);

	switch (e->way) {
	case NUMPY64:
		return e->scale * (position / e->by[k]);
	case T2T_SIGNAL:
		return single(p * e->by[k]);
	case TORCH_DIV:
		return single(single(e->scale) * single(p / e->by[k]));
	default:
		return single(single(e->scale) * single(p * e->by[k]));
	}
}

void emulation_sincos(const struct emulation *e, size_t k, size_t n,
		      double position, double *sine, double *cosine)
{
	for (size_t i = 0; i < n; i++) {
		const double a = angle(e, k + i, position);

		if (e->way == NUMPY64) {
			precise_sincos(&e->radian, 0, fabs(a), TO_NEAREST,
				       &sine[i], &cosine[i]);
			sine[i] = a < 0 ? 0 - sine[i] : sine[i];
			continue;
		}
		turns_sincos(&e->radian, 0, 1, a, &sine[i], &cosine[i]);
		sine[i] = single(sine[i]);
		cosine[i] = single(cosine[i]);
	}
}
