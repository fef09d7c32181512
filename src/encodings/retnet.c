/* retnet.c: the decay of retention, Sun et al. 2023. */
#include <math.h>

#include "exact/floating.h"
#include "recipe/biases.h"
#include "recipe/recipe.h"

enum out { OUT_GAMMA, OUT_MASK };
enum normalize { ROOT_SUM, NONE };

struct retnet {
	struct lengths lengths;
	size_t heads;
	int out, normalize;

	double *gamma;      /* [heads] */
	double *power;      /* [heads, keys], gamma^distance */
	double *root;       /* [heads, keys], divisor of a query's row */
};

static const char *const outs[] = { "gamma", "mask", NULL };
static const char *const normalizes[] = { "root-sum", "none", NULL };
static const char *const normalize_phrases[] = {
	"normalized", "not normalized",
};

static const struct option retnet_options[] = {
	LENGTHS_OPTIONS,
	{ OPTION(struct retnet, heads), .min = 1, .max = 49,
	  .one = "head", .many = "heads", .required = true,
	  .arg = "H", .help = "number of heads; gamma of the 50th is 1 in "
			      "float64" },
	{ OPTION(struct retnet, out), .phrase = "",
	  .words = outs, .arg = "WHAT",
	  .help = "values to make: the decay of each head, or the mask of each "
		  "head, query and key (default: mask if a length is given, "
		  "else gamma)" },
	{ OPTION(struct retnet, normalize), .initial = "root-sum",
	  .words = normalizes, .phrases = normalize_phrases, .arg = "NAME",
	  .help = "what each row of the mask is divided by: the square root of "
		  "its sum, or nothing" },
	{0}
};

static const double *mask_row(const struct table *t, size_t i, double *scratch)
{
	const struct retnet *s = t->state;
	const size_t head = i / t->rows, at = i % t->rows + (size_t)t->past;
	const double *power = s->power + head * t->cols;
	const double root = s->root[head * t->cols + at];

	for (size_t j = 0; j < t->cols; j++)
		scratch[j] = j <= at ? power[at - j] / root : 0;
	return scratch;
}

/*
 * Powers of gamma, and for each query the root of the sum of its row: the
 * square root of (1 - gamma^(n + 1)) / (1 - gamma) at position n.
 */
static void make_powers(const struct retnet *s, size_t head, size_t keys)
{
	enum { LIMBS = 4 };
	const struct floating gamma = floating_from(s->gamma[head], LIMBS);
	struct floating power = floating_from(1, LIMBS), sum = power;

	for (size_t n = 0; n < keys; n++) {
		s->power[head * keys + n] = floating_double(&power, LIMBS);
		s->root[head * keys + n] = s->normalize == NONE ? 1
			: sqrt(floating_double(&sum, LIMBS));
		floating_multiply(&power, &gamma, LIMBS);
		floating_multiply(&sum, &gamma, LIMBS);
		floating_add(&sum, 1, LIMBS);
	}
}

static bool make_mask(struct retnet *s, struct table *t, struct error *err)
{
	if (!lengths_kept(&s->lengths, t, err))
		return false;
	if (t->rows > t->cols)
		return fail(err, "--query-len must be at most --key-len %zu, "
			    "got %zu: a row without keys has no sum", t->cols,
			    t->rows);
	s->power = table_alloc(t, s->heads, t->cols * sizeof *s->power, err);
	s->root = table_alloc(t, s->heads, t->cols * sizeof *s->root, err);
	if (!s->power || !s->root)
		return false;
	for (size_t h = 0; h < s->heads; h++)
		make_powers(s, h, t->cols);
	t->title = "RetNet's decay";
	t->value = "decay";
	t->planes = s->heads;
	t->plane_axis = axis_of(AXIS_HEAD);
	t->bounds = BOUNDS_TIGHT;
	t->uneven = true;
	t->hi = 1;
	t->row = mask_row;
	t->state = s;
	return true;
}

static bool retnet_make(void *self, const struct table *inputs,
			struct table *t, struct error *err)
{
	struct retnet *s = self;

	(void)inputs;
	if (s->out == NO_CHOICE)
		s->out = lengths_given(&s->lengths) ? OUT_MASK : OUT_GAMMA;
	s->gamma = table_alloc(t, s->heads, sizeof *s->gamma, err);
	for (size_t h = 0; s->gamma && h < s->heads; h++)
		s->gamma[h] = 1 - ldexp(1, -5 - (int)h);
	t->dtype = F32;
	if (s->out == OUT_MASK)
		return s->gamma && make_mask(s, t, err);
	t->title = "RetNet's gamma";
	t->value = "gamma";
	heads_row(t, "gamma", s->gamma, s->heads);
	return s->gamma;
}

const struct recipe retnet_recipe = {
	.name = "retnet",
	.summary = "RetNet: the decay of each head, masks by distance",
	.about =
"Makes the decays [heads] of retention, or the masks [heads, queries, keys]\n"
"that a model multiplies its products of queries and keys by, in place of a\n"
"softmax.\n",
	.details =
"  gamma[h]   = 1 - 2^(-5 - h)         h = 0..H - 1\n"
"  D[h, i, j] = gamma[h]^(i - j)       key j up to query i, else 0\n"
"  mask       = D[h, i, j] / sqrt(sum_j D[h, i, j])\n"
"\n"
"--normalize none makes D. The last query is at the position of the last key.\n"
"The angles that RetNet rotates queries and keys by are those of posenc rope.\n"
"\n"
"  --heads 3: 0.96875 0.984375 0.9921875\n",
	.paper = "Sun et al. 2023, arXiv:2307.08621, section 2; "
		 "microsoft/torchscale, retnet.py, RetNetRelPos",
	.example = "posenc retnet --heads 2 --len 4",
	.options = retnet_options,
	.size = sizeof(struct retnet),
	.make = retnet_make,
};
