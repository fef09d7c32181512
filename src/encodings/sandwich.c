/* sandwich.c: biases that are products of sinusoids, Chi et al. 2023. */
#include "exact/turns.h"
#include "recipe/biases.h"
#include "recipe/recipe.h"

struct sandwich {
	struct lengths lengths;
	size_t heads, dim;
	double base;

	struct turns turns;        /* [dim / 2] */
	double *sine, *cosine;     /* [dim / 2] */
};

static const struct option sandwich_options[] = {
	LENGTHS_OPTIONS,
	HEADS_OPTION(struct sandwich),
	{ OPTION(struct sandwich, dim), .role = ROLE_COLUMNS,
	  .initial = "128", .min = 2, .max = 1048576,
	  .one = "dimension", .many = "dimensions", .arg = "D",
	  .help = "dim of the sinusoids, even; it does not depend on the dim "
		  "of a head" },
	{ OPTION(struct sandwich, base), .initial = "10000",
	  .min = 1e-300, .max = 1e300, .arg = "B",
	  .help = "base (theta) of the geometric series of frequencies" },
	{0}
};

/* The sum of the cosines of all frequencies, 8 (h + 1) / H times smaller. */
static void biases(const void *self, double distance, double *v)
{
	const struct sandwich *s = self;
	double sum = 0, error = 0;

	turns_sincos(&s->turns, 0, s->turns.n, distance, s->sine, s->cosine);
	for (size_t k = 0; k < s->turns.n; k++) {
		const double x = s->cosine[k], next = sum + x;
		const double part = next - sum;

		/* What the addition lost (Knuth's two-sum) */
		error += (sum - (next - part)) + (x - part);
		sum = next;
	}
	for (size_t h = 0; h < s->heads; h++)
		v[h] = (sum + error) * (double)s->heads /
		       (8 * (double)(h + 1));
}

static bool sandwich_make(void *self, const struct table *inputs,
			  struct table *t, struct error *err)
{
	struct sandwich *s = self;
	const size_t pairs = s->dim / 2;

	(void)inputs;
	if (s->dim % 2)
		return fail(err, "--dim must be even, got %zu", s->dim);
	s->sine = table_alloc(t, s->dim, sizeof *s->sine, err);
	if (!s->sine ||
	    !turns_geometric(&s->turns, pairs, s->base, (double)pairs, 1, t,
			     err))
		return false;
	s->cosine = s->sine + pairs;
	t->title = "Sandwich";
	t->value = "bias";
	return biases_make(t, &s->lengths, s->heads, false, biases, s, err);
}

const struct recipe sandwich_recipe = {
	.name = "sandwich",
	.summary = "Sandwich: attention biases that are products of sinusoids",
	.about =
"Makes the biases [heads, queries, keys] that a model adds to its attention\n"
"logits: the dot product of the sinusoidal encodings of query and key, which\n"
"depends on their distance alone, scaled for each head.\n",
	.details =
"  bias[h, i, j] = H / (8 (h + 1)) sum_k cos((i - j) w_k)    h = 0..H - 1\n"
"  w_k           = base^(-2k / D)                            k = 0..D/2 - 1\n"
"\n"
"D is a parameter of its own, 128 in the paper. The biases are the same for\n"
"keys before and after the query; the paper's models are causal and mask the\n"
"latter. The last query is at the position of the last key.\n"
"\n"
"  --heads 2 --dim 2: at distance 0, 0.25 and 0.125; at 1, 0.1350756 and\n"
"  0.06753779\n",
	.paper = "Chi et al. 2023, arXiv:2212.10356, appendix",
	.example = "posenc sandwich --heads 2 --dim 8 --len 4",
	.options = sandwich_options,
	.size = sizeof(struct sandwich),
	.make = sandwich_make,
};
