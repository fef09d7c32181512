/* convention.c: a wave from its options. */
#include <math.h>

#include "waves/convention.h"

const char *const convention_layouts[] = { "interleaved", "split", NULL };
const char *const convention_denoms[] = {
	"dim", "half", "half-1", "t2t", "shift:S", NULL
};
const char *const convention_denom_meanings[] = {
	"dim/2", "half", "half - 1", "max(half - 1, 1)", "half - S",
};
const char *const convention_denom_phrases[] = {
	"divisor dim/2", "divisor half", "divisor half \xe2\x88\x92 1",
	"divisor max(half \xe2\x88\x92 1, 1)", "divisor half less %",
};
const char *const convention_firsts[] = { "sin", "cos", NULL };
const char *const convention_odds[] = {
	"sine", "zero", "round-up", "fewer", "error", NULL
};
const char *const convention_odd_phrases[] = {
	"", "zeros in a last odd column", "an odd dim counted as one more",
	"no last odd column", "",
};
const char *const convention_odd_meanings[] = {
	"omit the second function of the last pair",
	"end with a column of zeros",
	"as sine, with dim + 1 in the formula",
	"make dim - 1 columns", "report an error",
};

/*
 * Set the layout of the columns and return the number of pairs. Published
 * formulas agree for an even dim and differ for an odd one (see --odd).
 */
static size_t lay_out(const struct convention *c, struct wave *w)
{
	const bool odd = c->dim % 2;
	size_t pairs = c->dim / 2;

	w->cols = c->dim;
	if (odd && (c->odd == ODD_SINE || c->odd == ODD_ROUND_UP))
		pairs++;
	if (odd && c->odd == ODD_FEWER)
		w->cols--;
	w->stride = c->layout == INTERLEAVED ? 2 : 1;
	w->apart = c->layout == INTERLEAVED ? 1 : pairs;
	w->cosine_first = c->first;
	w->amplitude = 1;
	return pairs;
}

double convention_denominator(const struct convention *c)
{
	const bool odd = c->dim % 2;
	double d = (double)c->dim;

	if (odd && c->odd == ODD_ROUND_UP)
		d++;
	if (odd && c->odd == ODD_FEWER)
		d--;
	switch (c->denom.word) {
	case DENOM_HALF:
		return floor(d / 2);
	case DENOM_HALF_1:
		return floor(d / 2) - 1;
	case DENOM_T2T:
		return fmax(floor(d / 2) - 1, 1);
	case DENOM_SHIFT:
		return floor(d / 2) - c->denom.at[0];
	default:
		return d / 2;
	}
}

static bool check_dim(const struct convention *c, struct error *err)
{
	if (c->odd == ODD_ERROR && c->dim % 2)
		return fail(err, "--dim must be even with --odd error, got %zu",
			    c->dim);
	if (c->odd == ODD_FEWER && c->dim == 1)
		return fail(err, "--dim must be at least 2 with --odd fewer, "
			    "got 1");
	return true;
}

bool convention_wave(const struct convention *c, struct wave *w,
		     struct table *t, struct error *err)
{
	const size_t pairs = lay_out(c, w);
	const double d = convention_denominator(c);

	if (!check_dim(c, err))
		return false;
	if (!pairs)
		return true;
	if (d == 0)
		return fail(err, "--denom %s divides by zero for --dim %zu",
			    convention_denoms[c->denom.word], c->dim);
	return (c->full_turns ? turns_geometric_in_turns : turns_geometric)
		(&w->turns, pairs, c->base, d, c->angle_scale, t, err);
}
