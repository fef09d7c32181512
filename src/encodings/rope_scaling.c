/* rope_scaling.c: rotary frequencies stretched for longer contexts. */
#include <math.h>

#include "core/floating.h"
#include "core/within.h"
#include "encodings/rope_scaling.h"

/* ln(2 pi) */
static const double log_two_pi = 1.8378770664093453;

/*
 * The base becomes base * F^(d / (d - 2)), d = 2 pairs: the longest wave grows
 * F times, the shortest stays (bloc97 2023, "NTK-aware").
 */
static bool ntk(const struct scaling *s, const struct rotary *r, double factor,
		struct turns *turns, struct error *err)
{
	if (r->pairs < 2)
		return fail(err, "--scaling %s divides by d - 2: it needs "
			    "at least 4 rotary dimensions, not %zu", s->name,
			    2 * r->pairs);
	turns_stretch(turns, factor, (double)(r->pairs - 1));
	return true;
}

/* NTK with F E / L - (F - 1) for a length E beyond L (emozilla 2023). */
static bool dynamic(const struct scaling *s, const struct rotary *r,
		    struct turns *turns, struct error *err)
{
	const double f = s->factor;
	const double extent = fmax(r->extent, s->original);

	return ntk(s, r, f * extent / s->original - (f - 1), turns, err);
}

/* The pair, counted in dimensions, that turns so often within L. */
static double pair_of(const struct scaling *s, const struct rotary *r,
		      double rotations)
{
	const double turns = floating_log(s->original) - log_two_pi -
			     floating_log(rotations);

	return (double)r->pairs * turns / floating_log(r->base);
}

/*
 * Frequencies that turn more than fast times within L stay, those of less than
 * slow turns are divided by F, and those between are mixed, by a ramp that is
 * linear in k (Peng et al. 2023, section 3.2, as their code has it).
 */
static bool yarn(const struct scaling *s, const struct rotary *r,
		 struct turns *turns, struct error *err)
{
	const double last = (double)(2 * r->pairs) - 1;
	double low, high;

	if (!(r->base > 1))
		return fail(err, "--scaling yarn needs a --base above 1, not "
			    "%.17g", r->base);
	low = pair_of(s, r, s->fast);
	high = pair_of(s, r, s->slow);
	if (s->truncate > 0) {
		low = floor(low);
		high = ceil(high);
	}
	low = fmax(low, 0);
	high = fmin(high, last);
	if (!(low < high) && !(low > high))
		high += 0.001;
	for (size_t k = 0; k < r->turning; k++) {
		const double way = high < low ? -1 : 1;
		const double width = way * (high - low);
		const double x = fmin(way * ((double)k - low), width);

		if (x > 0)
			turns_change(turns, k, x + (width - x) * s->factor, 0,
				     width * s->factor);
	}
	return true;
}

/*
 * Waves longer than L / low are divided by F, those shorter than L / high stay,
 * and between t = (L / wavelength - low) / (high - low) of a frequency stays
 * and 1 - t is divided. With f turns a position L / wavelength is L f, and the
 * mixture f (high - low F + L (F - 1) f) / (F (high - low)). (Llama 3.1)
 */
static bool llama3(const struct scaling *s, const struct rotary *r,
		   struct turns *turns)
{
	const double two_pi = 6.283185307179586;
	const double f = s->factor, width = s->high - s->low;

	for (size_t k = 0; k < r->turning; k++) {
		const double x = turns_radians(turns, k, s->original) / two_pi;

		if (x < s->low)
			turns_change(turns, k, 1, 0, f);
		else if (x <= s->high)
			turns_change(turns, k, s->high - s->low * f,
				     s->original * (f - 1), f * width);
	}
	return true;
}

/* Each frequency has a divisor of its own (Ding et al. 2024). */
static bool longrope(const struct scaling *s, const struct rotary *r,
		     struct turns *turns, struct error *err)
{
	const bool beyond = s->far.at && r->extent > s->original;
	const struct list *by = beyond ? &s->far : &s->near;

	if (by->n != r->turning)
		return fail(err, "--scaling longrope needs a factor for each "
			    "of %zu pairs, not %zu", r->turning, by->n);
	for (size_t k = 0; k < by->n; k++) {
		if (!within(by->at[k], 1e-3, 1e9))
			return fail(err, "--scaling longrope: factors must be "
				    "from 0.001 to 1e9, not %.17g",
				    by->at[k]);
		turns_change(turns, k, 1, 0, by->at[k]);
	}
	return true;
}

static bool linear(const struct scaling *s, const struct rotary *r,
		   struct turns *turns)
{
	for (size_t k = 0; k < r->turning; k++)
		turns_change(turns, k, 1, 0, s->factor);
	return true;
}

/* As linear, and pairs beyond those of --rotary-dim don't turn (Gemma 4). */
static bool proportional(const struct scaling *s, const struct rotary *r,
			 struct turns *turns)
{
	for (size_t k = r->turning; k < r->pairs; k++)
		turns_stop(turns, k);
	return linear(s, r, turns);
}

bool scaling_change(const struct scaling *s, const struct rotary *r,
		    struct turns *turns, struct error *err)
{
	switch (s->kind) {
	case SCALING_LINEAR:
		return linear(s, r, turns);
	case SCALING_NTK:
		return ntk(s, r, s->factor, turns, err);
	case SCALING_DYNAMIC:
		return dynamic(s, r, turns, err);
	case SCALING_YARN:
		return yarn(s, r, turns, err);
	case SCALING_LLAMA3:
		return llama3(s, r, turns);
	case SCALING_LONGROPE:
		return longrope(s, r, turns, err);
	case SCALING_PROPORTIONAL:
		return proportional(s, r, turns);
	default:
		return true;
	}
}

/* YaRN's temperature: 0.1 m ln F + 1 */
static double temperature(double factor, double m)
{
	return factor > 1 ? 0.1 * m * floating_log(factor) + 1 : 1;
}

double scaling_attention(const struct scaling *s)
{
	if (s->attention_factor > 0)
		return s->attention_factor;
	if (s->kind == SCALING_YARN && s->mscale > 0 && s->mscale_all_dim > 0)
		return temperature(s->factor, s->mscale) /
		       temperature(s->factor, s->mscale_all_dim);
	if (s->kind == SCALING_YARN)
		return temperature(s->factor, 1);
	if (s->kind == SCALING_LONGROPE && s->factor > 1 && s->original > 1)
		return sqrt(1 + floating_log(s->factor) /
			    floating_log(s->original));
	return 1;
}
