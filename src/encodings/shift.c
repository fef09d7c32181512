/* shift.c: the matrix that moves a sinusoidal encoding to a later position. */
#include <math.h>
#include <string.h>

#include "waves/convention.h"
#include "recipe/positions.h"
#include "recipe/recipe.h"

struct shift {
	double by;
	const struct table *apply;
	struct convention convention;

	struct wave wave;         /* of the convention */
	double *sine, *cosine;    /* [dim / 2], of the angle by * w_k */
};

static const struct option shift_options[] = {
	{ OPTION(struct shift, by), .role = ROLE_EXTENT, .initial = "1",
	  .phrase = "by %",
	  .stated = "",
	  .min = -POSITION_MOST, .max = POSITION_MOST,
	  .arg = "PHI", .help = "number of positions to shift by; may be a "
				"fraction or negative" },
	{ OPTION(struct shift, apply), .arg = "TABLE",
	  .help = "file [n, dim]: make M p of each row p, not M" },
	CONVENTION_OPTIONS_OR(offsetof(struct shift, convention), "apply"),
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
 * Row i of M has at most two values: *near in column i, and *far in the column
 * returned, which may be i with 0.
 *
 * sin(t + by) = sin t cos by + cos t sin by
 * cos(t + by) = cos t cos by - sin t sin by
 */
static size_t values(const struct shift *s, size_t i, double *near,
		     double *far)
{
	const struct wave *w = &s->wave;
	size_t pair;
	bool is_second, is_cosine;

	*near = 1;  /* keeps a column of zeros as it is */
	*far = 0;
	if (i >= 2 * w->turns.n)
		return i;
	is_second = is_second_of(w, i, &pair);
	is_cosine = is_second != w->cosine_first;
	*near = s->cosine[pair] + 0.0;  /* not -0 */
	*far = (is_cosine ? -s->sine[pair] : s->sine[pair]) + 0.0;
	return is_second ? i - w->apart : i + w->apart;
}

static const double *shift_row(const struct table *t, size_t i,
			       double *scratch)
{
	double near, far;
	const size_t other = values(t->state, i, &near, &far);

	memset(scratch, 0, t->cols * sizeof *scratch);
	scratch[other] = far;
	scratch[i] = near;
	return scratch;
}

/* M times row i of --apply. */
static const double *applied_row(const struct table *t, size_t i,
				 double *scratch)
{
	const struct shift *s = t->state;
	const double *x = s->apply->row(s->apply, i, NULL);  /* it is dense */

	for (size_t j = 0; j < t->cols; j++) {
		double near, far;
		const size_t other = values(s, j, &near, &far);

		scratch[j] = near * x[j] + far * x[other];
	}
	return scratch;
}

static bool make_applied(const struct shift *s, struct table *t,
			 struct error *err)
{
	const struct table *x = s->apply;

	if (x->cols != t->cols)
		return fail(err, "--apply: expected %zu columns, got %zu",
			    t->cols, x->cols);
	t->title = "Shifted table";
	t->planes = x->planes;
	t->rows = x->rows;
	t->plane_axis = x->plane_axis;
	t->row_axis = x->row_axis;
	t->bounds = BOUNDS_NONE;
	t->row = applied_row;
	return true;
}

static bool shift_make(void *self, const struct table *inputs,
		       struct table *t, struct error *err)
{
	struct shift *s = self;
	struct convention *c = &s->convention;
	size_t pairs;

	(void)inputs;
	if (s->apply && !c->dim)
		c->dim = s->apply->cols;
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
	if (s->apply)
		return make_applied(s, t, err);
	t->row_axis.name = "dimension of P[t + by]";
	t->col_axis.name = "dimension of P[t]";
	return true;
}

const struct recipe shift_recipe = {
	.name = "shift",
	.summary = "the matrix M that shifts a sinusoid: P[t + by] = M P[t]",
	.about =
"Makes the matrix [dim, dim] that turns the sinusoidal encoding of any\n"
"position t into that of position t + by. A shift is the same linear map at\n"
"every position, which is why the paper chose sinusoids. With --apply TABLE,\n"
"it moves the rows of a table instead.\n",
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
