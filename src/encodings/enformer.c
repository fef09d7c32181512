/* enformer.c: features of the distance of two positions, Avsec et al. 2021. */
#include <math.h>
#include <string.h>

#include "exact/floating.h"
#include "recipe/positions.h"
#include "recipe/recipe.h"
#include "text/words.h"

enum { LIMBS = 4, FUNCTIONS_MOST = 8, FEATURES_MOST = 1024 };

struct enformer {
	size_t len, dim;
	const char *functions;
	bool symmetric;

	/* Computed from the options. */
	size_t each;                 /* features of each function, F */
	size_t n;                    /* number of functions */
	const struct function *of[FUNCTIONS_MOST];
	double *half_life;           /* [F], of exponential */
	double *width;               /* [F], of scaled-mask */
	struct floating *scale;      /* [F], of gamma: what does not depend on
					the distance */
	double most;                 /* the greatest density of gamma */
};

/* A family of F functions of the distance x, which is not negative. */
struct function {
	const char *name;
	double (*at)(const struct enformer *s, size_t k, double x);

	/* Set what it needs, in memory of t; or NULL */
	bool (*prepare)(struct enformer *s, struct table *t, struct error *err);
};

static const struct option enformer_options[] = {
	PRESET_OPTION,
	{ OPTION(struct enformer, len), .role = ROLE_EXTENT, .required = true,
	  .min = 1, .max = POSITION_MOST,
	  .one = "position", .many = "positions",
	  .arg = "L", .help = "number of positions; rows are distances from "
			      "-(L - 1) to L - 1" },
	{ OPTION(struct enformer, dim), .role = ROLE_COLUMNS, .required = true,
	  .min = 1, .max = 2 * FUNCTIONS_MOST * FEATURES_MOST,
	  .one = "feature", .many = "features", .arg = "D",
	  .help = "number of features, of which each function has the same "
		  "share" },
	{ OPTION(struct enformer, functions),
	  .initial = "exponential,central-mask,gamma", .phrase = "%",
	  .arg = "LIST",
	  .help = "functions of the distance: exponential, central-mask, "
		  "scaled-mask or gamma" },
	{ OPTION(struct enformer, symmetric),
	  .help = "leave out the second half of the features, the first times "
		  "the sign of the distance" },
	{0}
};

static const struct preset enformer_presets[] = {
	{ "enformer", "--functions exponential,central-mask,gamma",
	  "google-deepmind/deepmind-research; the model has --len 1536 --dim "
	  "192",
	  "enformer/attention_module.py, positional_features_all",
	  "commit 08ed214", NULL },
	{ "borzoi", "--functions scaled-mask",
	  "calico/baskerville; the model has --len 4096 --dim 32",
	  "src/baskerville/layers.py, positional_features", "commit 0ba9122",
	  NULL },
	{0}
};

/* 2^(-x / h): h is 8 for the first, L for the last, in even ratios. */
static double exponential(const struct enformer *s, size_t k, double x)
{
	const struct floating f = floating_power(2, -x / s->half_life[k],
						 LIMBS);

	return floating_double(&f, LIMBS);
}

static bool set_half_lives(struct enformer *s, struct table *t,
			   struct error *err)
{
	const double steps = s->each > 1 ? (double)(s->each - 1) : 1;

	s->half_life = table_alloc(t, s->each, sizeof *s->half_life, err);
	for (size_t k = 0; s->half_life && k < s->each; k++) {
		const struct floating f = floating_power(
			(double)s->len / 8, (double)k / steps, LIMBS);

		s->half_life[k] = 8 * floating_double(&f, LIMBS);
	}
	return s->half_life;
}

static double central_mask(const struct enformer *s, size_t k, double x)
{
	(void)s;
	return ldexp(1, (int)k + 1) - 1 > x;
}

static double scaled_mask(const struct enformer *s, size_t k, double x)
{
	return s->width[k] > x;
}

/* (L + 1)^(k / F) - 1 for k from 1 to F; whole numbers are exact. */
static bool set_widths(struct enformer *s, struct table *t, struct error *err)
{
	const struct floating root = floating_root((double)s->len + 1,
						   -(double)s->each, LIMBS);
	struct floating power = root;

	s->width = table_alloc(t, s->each, sizeof *s->width, err);
	for (size_t k = 0; s->width && k < s->each; k++) {
		s->width[k] = floating_double(&power, LIMBS) - 1;
		floating_multiply(&power, &root, LIMBS);
	}
	return s->width;
}

/*
 * The gamma distribution of mean k L / F and standard deviation L / (2 F), k
 * from 1 to F: its shape a is 4 k^2, its rate c / L with c = 4 k F, and its
 * density (c / L)^a / (a - 1)! x^(a - 1) exp(-c x / L).
 */
static double density(const struct enformer *s, size_t k, double x)
{
	const double m = (double)(k + 1), length = (double)s->len;
	const double c = 4 * m * (double)s->each, y = c * x / length;
	const double rest = fma(-y, length, c * x) / length;
	struct floating f = s->scale[k], g;
	double p;

	if (!(x > 0))
		return 0;
	g = floating_power(x, 4 * m * m - 1, LIMBS);
	floating_multiply(&f, &g, LIMBS);
	g = floating_exponential(-y, LIMBS);
	floating_multiply(&f, &g, LIMBS);
	p = floating_double(&f, LIMBS);
	return p - p * rest;
}

/* The code adds 1e-8 and makes the greatest value of the table 1. */
static double gamma_share(const struct enformer *s, size_t k, double x)
{
	return (density(s, k, x) + 1e-8) / (s->most + 1e-8);
}

/* Set scale, and most: a density is greatest beside x = (a - 1) L / c. */
static bool set_gammas(struct enformer *s, struct table *t, struct error *err)
{
	const double last = (double)s->len - 1;
	struct floating inverse = floating_from(1, LIMBS); /* of (a - 1)! */
	double i = 1;

	s->scale = table_alloc(t, s->each, sizeof *s->scale, err);
	for (size_t k = 0; s->scale && k < s->each; k++) {
		const double m = (double)(k + 1), a = 4 * m * m;
		const double c = 4 * m * (double)s->each;
		const double peak = floor((a - 1) * (double)s->len / c);
		struct floating f = floating_power(c, a, LIMBS);
		const struct floating g = floating_power((double)s->len, -a,
							 LIMBS);

		for (; i < a; i++)
			floating_divide(&inverse, i, LIMBS);
		floating_multiply(&f, &g, LIMBS);
		floating_multiply(&f, &inverse, LIMBS);
		s->scale[k] = f;
		s->most = fmax(s->most, density(s, k, fmin(peak, last)));
		s->most = fmax(s->most, density(s, k, fmin(peak + 1, last)));
	}
	return s->scale;
}

static const struct function functions[] = {
	{ "exponential", exponential, set_half_lives },
	{ "central-mask", central_mask, NULL },
	{ "scaled-mask", scaled_mask, set_widths },
	{ "gamma", gamma_share, set_gammas },
};

static const struct function *function_of(const char *name, struct error *err)
{
	struct lookup l = lookup_begin(name);

	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (lookup_is(&l, functions[i].name))
			return &functions[i];
	lookup_fail_value(&l, "--functions", "exponential, central-mask, "
			  "scaled-mask or gamma", err);
	return NULL;
}

/* Set of [n] to the functions of --functions. */
static bool read_functions(struct enformer *s, struct table *t,
			   struct error *err)
{
	char *name = table_copy(t, s->functions, err);

	for (char *end; name; name = end) {
		end = strchr(name, ',');
		if (end)
			*end++ = '\0';
		if (s->n == FUNCTIONS_MOST)
			return fail(err, "--functions: expected at most %d, "
				    "got '%.60s'", FUNCTIONS_MOST,
				    s->functions);
		s->of[s->n] = function_of(name, err);
		if (!s->of[s->n++])
			return false;
	}
	return s->n;
}

static const double *feature_row(const struct table *t, size_t i,
				 double *scratch)
{
	const struct enformer *s = t->state;
	const double distance = axis_label(&t->row_axis, i);
	const double sign = distance > 0 ? 1 : distance < 0 ? -1 : 0;
	const size_t half = s->n * s->each;

	for (size_t j = 0; j < half; j++) {
		const double v = s->of[j / s->each]->at(s, j % s->each,
							fabs(distance));

		scratch[j] = v;
		if (!s->symmetric)
			scratch[half + j] = sign * v + 0.0;  /* not -0 */
	}
	return scratch;
}

static bool enformer_make(void *self, const struct table *inputs,
			  struct table *t, struct error *err)
{
	struct enformer *s = self;
	size_t parts;

	(void)inputs;
	if (!read_functions(s, t, err))
		return false;
	parts = s->n * (s->symmetric ? 1 : 2);
	s->each = s->dim / parts;
	if (s->dim % parts || s->each > FEATURES_MOST)
		return fail(err, "--dim must be a multiple of %zu, for %zu "
			    "function%s%s, and at most %zu, got %zu", parts,
			    s->n, s->n > 1 ? "s" : "", s->symmetric ? ""
			    : " and signs", parts * FEATURES_MOST, s->dim);
	for (size_t i = 0; i < s->n; i++)
		if (s->of[i]->prepare && !s->of[i]->prepare(s, t, err))
			return false;
	t->title = "Relative positional features";
	t->dtype = F32;
	t->rows = 2 * s->len - 1;
	t->cols = s->dim;
	t->row_axis = axis_from(AXIS_DISTANCE, 1 - (double)s->len, 1);
	t->col_axis = axis_of(AXIS_DIMENSION);
	t->bounds = BOUNDS_LOOSE;
	t->lo = s->symmetric ? 0 : -1;
	t->hi = 1;
	t->state = s;
	t->row = feature_row;
	return true;
}

const struct recipe enformer_recipe = {
	.name = "enformer",
	.summary = "features of distances: Enformer, Borzoi",
	.about =
"Makes the features [2 L - 1, D] of the distances of L positions, key minus\n"
"query, that models of genomes project to keys of relative positions, as\n"
"Transformer-XL does with sinusoids.\n",
	.details =
"Each of n functions has F = D/(2 n) features, or D/n with --symmetric, of\n"
"the magnitude x of the distance; k = 1..F:\n"
"\n"
"  exponential   2^(-x/h), h = 8 (L/8)^((k - 1)/(F - 1))\n"
"  central-mask  1 if x < 2^k - 1, else 0\n"
"  scaled-mask   1 if x < (L + 1)^(k/F) - 1, else 0 (Borzoi)\n"
"  gamma         (p(x) + 1e-8)/(m + 1e-8), p the density of the gamma\n"
"                distribution of mean k L/F and standard deviation L/(2 F),\n"
"                m the greatest of all densities of the table\n"
"\n"
"Behind the features of all functions are the same times the sign of the\n"
"distance, which is 0 for distance 0.\n",
	.paper = "Avsec et al. 2021, doi:10.1038/s41592-021-01252-x; Linder et "
		 "al. 2025, doi:10.1038/s41588-024-02053-6",
	.example = "posenc enformer --len 4 --dim 12",
	.options = enformer_options,
	.presets = enformer_presets,
	.size = sizeof(struct enformer),
	.make = enformer_make,
};
