/* sinusoid.c: sines and cosines of positions, Vaswani et al. 2017. */
#include <math.h>
#include <string.h>

#include "core/recipe.h"
#include "core/wave.h"

enum layout { INTERLEAVED, SPLIT };
enum denom { DENOM_DIM, DENOM_HALF, DENOM_HALF_1, DENOM_SHIFT };
enum odd { ODD_SINE, ODD_ZERO, ODD_ROUND_UP, ODD_FEWER, ODD_ERROR };

struct sinusoid {
	size_t len, dim;
	double base, start, step;
	struct list positions;
	int layout;
	struct pick denom;
	int first, odd;
	double amp, angle_scale;
	long zero_row;

	struct wave wave;  /* made of the above */
};

#define POSITION_MOST 0x1p53

static const char *const layouts[] = { "interleaved", "split", NULL };
static const char *const denoms[] = {
	"dim", "half", "half-1", "shift:S", NULL
};
static const char *const firsts[] = { "sin", "cos", NULL };
static const char *const odds[] = {
	"sine", "zero", "round-up", "fewer", "error", NULL
};

static const struct option sinusoid_options[] = {
	{ OPTION(struct sinusoid, len), .min = 1, .max = POSITION_MOST,
	  .arg = "N", .help = "positions, a row each" },
	{ OPTION(struct sinusoid, dim), .min = 1, .max = 1048576,
	  .required = true, .arg = "D", .help = "columns" },
	{ OPTION(struct sinusoid, base), .initial = "10000",
	  .min = 1e-300, .max = 1e300,
	  .arg = "B", .help = "the geometric base of the wavelengths" },
	{ OPTION(struct sinusoid, start), .initial = "0",
	  .min = -POSITION_MOST, .max = POSITION_MOST,
	  .arg = "P", .help = "position of the first row" },
	{ OPTION(struct sinusoid, step), .initial = "1",
	  .min = -POSITION_MOST, .max = POSITION_MOST,
	  .arg = "S", .help = "from each position to the next" },
	{ OPTION(struct sinusoid, positions), .arg = "LIST|@FILE|-",
	  .help = "these positions, in place of --len, --start and --step" },
	{ OPTION(struct sinusoid, layout), .initial = "interleaved",
	  .words = layouts, .arg = "NAME",
	  .help = "sin and cos by turns, or sines then cosines" },
	{ OPTION(struct sinusoid, denom), .initial = "dim",
	  .words = denoms, .arg = "NAME",
	  .help = "the exponent's denominator: 2k/dim, k/half, k/(half-S)" },
	{ OPTION(struct sinusoid, first), .initial = "sin",
	  .words = firsts, .arg = "NAME", .help = "which comes first" },
	{ OPTION(struct sinusoid, odd), .initial = "sine",
	  .words = odds, .arg = "RULE",
	  .help = "an odd --dim: the formula per column (sine), a last column "
		  "of zeros (zero), dim + 1 in the formula (round-up), a "
		  "column fewer, or an error" },
	{ OPTION(struct sinusoid, amp), .initial = "1",
	  .min = -1e300, .max = 1e300,
	  .arg = "A", .help = "factor of every value" },
	{ OPTION(struct sinusoid, angle_scale), .initial = "1",
	  .min = -1e300, .max = 1e300,
	  .arg = "S", .help = "factor of every angle" },
	{ OPTION(struct sinusoid, zero_row),
	  .min = -POSITION_MOST, .max = POSITION_MOST,
	  .arg = "P", .help = "the row of this position is zeros (padding)" },
	{0}
};

/*
 * Lay out the columns for dim d; the number of pairs. The formulas of the
 * peers agree for even d and part ways for odd d.
 */
static size_t lay_out(const struct sinusoid *s, struct wave *w)
{
	const bool odd = s->dim % 2;
	size_t pairs = s->dim / 2;

	w->cols = s->dim;
	if (odd && (s->odd == ODD_SINE || s->odd == ODD_ROUND_UP))
		pairs++;
	if (odd && s->odd == ODD_FEWER)
		w->cols--;
	w->stride = s->layout == INTERLEAVED ? 2 : 1;
	w->apart = s->layout == INTERLEAVED ? 1 : pairs;
	w->cosine_first = s->first;
	w->amplitude = s->amp;
	return pairs;
}

/* What k is divided by in the exponent of frequency base^(-k / denominator). */
static double denominator(const struct sinusoid *s)
{
	const bool odd = s->dim % 2;
	double d = (double)s->dim;

	if (odd && s->odd == ODD_ROUND_UP)
		d++;
	if (odd && s->odd == ODD_FEWER)
		d--;
	switch (s->denom.word) {
	case DENOM_HALF:
		return floor(d / 2);
	case DENOM_HALF_1:
		return floor(d / 2) - 1;
	case DENOM_SHIFT:
		return floor(d / 2) - s->denom.at[0];
	default:
		return d / 2;
	}
}

static double position(const struct sinusoid *s, size_t i)
{
	return s->positions.at ? s->positions.at[i]
			       : fma((double)i, s->step, s->start);
}

static bool is_zero(const struct sinusoid *s, size_t i)
{
	const double zero = (double)s->zero_row;

	return s->zero_row != NOT_GIVEN && !(position(s, i) < zero) &&
	       !(position(s, i) > zero);
}

static const double *sinusoid_row(const struct table *t, size_t i,
				  double *scratch)
{
	const struct sinusoid *s = t->state;

	if (is_zero(s, i))
		memset(scratch, 0, t->cols * sizeof *scratch);
	else
		wave_row(&s->wave, position(s, i), scratch);
	return scratch;
}

static void sinusoid_floats(const struct table *t, size_t first, size_t n,
			    float *out)
{
	const struct sinusoid *s = t->state;

	wave_floats(&s->wave, first, n, out);
	for (size_t i = 0; s->zero_row != NOT_GIVEN && i < n; i++)
		if (is_zero(s, first + i))
			memset(out + i * t->cols, 0, t->cols * sizeof *out);
}

static bool check_positions(const struct sinusoid *s, struct error *err)
{
	if (!s->len && !s->positions.at)
		return fail(err, "--len N is missing (or --positions LIST)");
	if (!s->positions.at &&
	    fabs(position(s, s->len - 1)) > POSITION_MOST)
		return fail(err, "--len %zu with --start %.17g and --step "
			    "%.17g passes position 2^53, where positions stop "
			    "being exact", s->len, s->start, s->step);
	for (size_t i = 0; s->positions.at && i < s->positions.n; i++)
		if (fabs(s->positions.at[i]) > POSITION_MOST)
			return fail(err, "--positions must be from -2^53 to "
				    "2^53, not %.17g", s->positions.at[i]);
	return true;
}

static bool check_dim(const struct sinusoid *s, struct error *err)
{
	if (s->odd == ODD_ERROR && s->dim % 2)
		return fail(err, "--dim must be even with --odd error, not %zu",
			    s->dim);
	if (s->odd == ODD_FEWER && s->dim == 1)
		return fail(err, "--dim must be at least 2 with --odd fewer, "
			    "not 1");
	return true;
}

static bool make_wave(struct sinusoid *s, struct table *t, struct error *err)
{
	const size_t pairs = lay_out(s, &s->wave);
	const double d = denominator(s);

	if (!pairs)
		return true;
	if (!(d < 0 || d > 0))
		return fail(err, "--denom %s divides by zero for --dim %zu",
			    denoms[s->denom.word], s->dim);
	return turns_geometric(&s->wave.turns, pairs, s->base, d,
			       s->angle_scale, t, err);
}

static bool sinusoid_make(void *self, const struct table *inputs,
			  struct table *t, struct error *err)
{
	struct sinusoid *s = self;

	(void)inputs;
	if (!check_positions(s, err) || !check_dim(s, err) ||
	    !make_wave(s, t, err))
		return false;
	t->title = "Sinusoidal positional encoding";
	t->rows = s->positions.at ? s->positions.n : s->len;
	t->cols = s->wave.cols;
	t->dtype = F32;
	t->bounds = BOUNDS_TIGHT;
	t->lo = -fabs(s->amp);
	t->hi = fabs(s->amp);
	t->down = (struct axis){ .name = "position", .first = s->start,
				 .step = s->step, .at = s->positions.at };
	t->across = (struct axis){ .name = "dimension", .step = 1 };
	t->row = sinusoid_row;
	t->state = s;
	if (s->positions.at)
		return true;
	if (!wave_prepare(&s->wave, s->start, s->step, s->len, t, err))
		return false;
	t->floats = s->wave.block ? sinusoid_floats : NULL;
	t->together = s->wave.block;
	return true;
}

const struct recipe sinusoid_recipe = {
	.name = "sinusoid",
	.summary = "sines and cosines of positions",
	.about =
"  P[p, 2k]   = sin(p w_k)    w_k = base^(-2k/dim)\n"
"  P[p, 2k+1] = cos(p w_k)    p = start, start + step, ...\n"
"\n"
"Values are exact to the last digit at every position to 2^53. Other tools\n"
"lay the columns out as [sin ... | cos ...] (--layout split), divide by\n"
"dim/2 - 1 (--denom half-1) or begin at another position (--start).\n",
	.paper = "Vaswani et al. 2017, arXiv:1706.03762, section 3.5",
	.example = "posenc sinusoid --len 4 --dim 4",
	.options = sinusoid_options,
	.size = sizeof(struct sinusoid),
	.make = sinusoid_make,
};
