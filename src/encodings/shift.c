/* shift.c: the matrix that moves a sinusoidal encoding to a later position. */
#include <math.h>
#include <string.h>

#include "waves/convention.h"
#include "recipe/positions.h"
#include "recipe/recipe.h"

struct shift {
	double by;
	struct convention convention;

	struct wave wave;         /* of the convention */
	double *sine, *cosine;    /* [dim / 2], of the angle by * w_k */
};

static const struct option shift_options[] = {
	{ OPTION(struct shift, by), .role = ROLE_EXTENT, .initial = "1",
	  .min = -POSITION_MOST, .max = POSITION_MOST,
	  .arg = "PHI", .help = "number of positions to shift by; may be a "
				"fraction or negative" },
	CONVENTION_OPTIONS(offsetof(struct shift, convention)),
	{0}
};

/* The pair of column j, and whether the column is the second of the pair. */
static bool is_second_of(const struct wave *w, size_t j, size_t *pair)
{
	if (w->stride == 2) {
		*pair = j / 2;
		return j % 2;
	}
	*pair = j < w->apart ? j : j - w->apart;
	return j >= w->apart;
}

/*
 * sin(t + by) = sin t cos by + cos t sin by
 * cos(t + by) = cos t cos by - sin t sin by
 */
static const double *shift_row(const struct table *t, size_t i,
			       double *scratch)
{
	const struct shift *s = t->state;
	const struct wave *w = &s->wave;
	size_t pair, other;
	bool is_second, is_cosine;

	memset(scratch, 0, t->cols * sizeof *scratch);
	if (i >= 2 * w->turns.n) {
		scratch[i] = 1;  /* keeps a column of zeros as it is */
		return scratch;
	}
	is_second = is_second_of(w, i, &pair);
	is_cosine = is_second != w->cosine_first;
	other = is_second ? i - w->apart : i + w->apart;
	scratch[i] = s->cosine[pair] + 0.0;  /* not -0 */
	scratch[other] = (is_cosine ? -s->sine[pair] : s->sine[pair]) + 0.0;
	return scratch;
}

static bool shift_make(void *self, const struct table *inputs,
		       struct table *t, struct error *err)
{
	struct shift *s = self;
	const struct convention *c = &s->convention;
	size_t pairs;

	(void)inputs;
	if (c->dim % 2 && (c->odd == ODD_SINE || c->odd == ODD_ROUND_UP))
		return fail(err, "--dim %zu leaves a sine without its cosine, "
			    "which no matrix can shift; use an even --dim, "
			    "--odd zero or --odd fewer", c->dim);
	if (!convention_wave(c, &s->wave, t, err))
		return false;
	pairs = s->wave.turns.n;
	s->sine = table_alloc(t, pairs, sizeof(double), err);
	s->cosine = table_alloc(t, pairs, sizeof(double), err);
	if (!s->sine || !s->cosine)
		return false;
	if (pairs)
		turns_sincos(&s->wave.turns, 0, pairs, s->by, s->sine,
			     s->cosine);
	t->title = "Shift of a sinusoid";
	t->rows = t->cols = s->wave.cols;
	t->dtype = F32;
	t->bounds = BOUNDS_TIGHT;
	t->lo = -1;
	t->hi = 1;
	t->row_axis = t->col_axis = wave_axis(&s->wave);
	t->row = shift_row;
	t->state = s;
	return true;
}

const struct recipe shift_recipe = {
	.name = "shift",
	.summary = "the matrix M that shifts a sinusoid: P[t + by] = M P[t]",
	.about =
"Makes the matrix [dim, dim] that turns the sinusoidal encoding of any\n"
"position t into that of position t + by. A shift is the same linear map at\n"
"every position, which is why the paper chose sinusoids.\n",
	.details =
"  M = diag(M_0, M_1, ...)    M_k = [  cos(by w_k)  sin(by w_k) ]\n"
"                                   [ -sin(by w_k)  cos(by w_k) ]\n"
"\n"
"P[t] is a row of 'posenc sinusoid' with the same options, as a column\n"
"vector. M_k takes its k-th pair (sin, cos) from t to t + by for every t.\n"
"The first row of --dim 4 --by 3 is -0.9899925, 0.14112, 0, 0.\n"
"\n"
"An odd --dim needs --odd zero or --odd fewer: the next value of a sine\n"
"cannot be computed without its cosine.\n",
	.paper = "Vaswani et al. 2017, arXiv:1706.03762, section 3.5",
	.example = "posenc shift --dim 4 --by 3",
	.options = shift_options,
	.size = sizeof(struct shift),
	.make = shift_make,
};
