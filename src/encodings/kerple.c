/* kerple.c: biases by kernels of the distance, Chi et al. 2022. */
#include "exact/floating.h"
#include "exact/logarithm.h"
#include "recipe/biases.h"
#include "recipe/recipe.h"

enum kind { LOG, POWER };
enum form { SYMMETRIC, CAUSAL };

struct kerple {
	struct lengths lengths;
	int kind, form;
	size_t heads;
	struct list r1, r2;
};

static const char *const kinds[] = { "log", "power", NULL };
static const char *const forms[] = { "symmetric", "causal", NULL };

static const struct option kerple_options[] = {
	LENGTHS_OPTIONS,
	{ OPTION(struct kerple, kind), .phrase = "% kernel",
	  .initial = "log", .words = kinds,
	  .arg = "NAME", .help = "kernel: -r1 ln(1 + r2 d) or -r1 d^r2, for "
				 "the distance d" },
	HEADS_OPTION(struct kerple),
	{ OPTION(struct kerple, r1), .required = true, .arg = "LIST|@FILE|-",
	  .help = "learned factor r1 of each head, above 0" },
	{ OPTION(struct kerple, r2), .required = true, .arg = "LIST|@FILE|-",
	  .help = "learned r2 of each head, above 0; for power at most 2" },
	{ OPTION(struct kerple, form), .phrase = "%",
	  .initial = "symmetric", .words = forms,
	  .arg = "NAME", .help = "keys after the query: the bias of their "
				 "distance, or 0" },
	{0}
};

/* d^r2 */
static double power(double d, double r2)
{
	enum { LIMBS = 4 };
	const struct floating x = floating_power(d > 1 ? d : 2, r2, LIMBS);

	return d > 1 ? floating_double(&x, LIMBS) : d;
}

static void biases(const void *self, double distance, double *v)
{
	const struct kerple *s = self;

	for (size_t h = 0; h < s->heads; h++) {
		const double r2 = s->r2.at[h];
		const double x = s->kind == LOG ? log_one_plus(r2, distance)
						: power(distance, r2);

		v[h] = 0 - s->r1.at[h] * x;  /* not -0 */
	}
}

/* Fail unless list has a number in (0, most] for each head. */
static bool check_list(const struct list *list, const char *flag, size_t heads,
		       double most, struct error *err)
{
	if (list->n != heads)
		return fail(err, "%s: expected %zu numbers, one per head, got "
			    "%zu", flag, heads, list->n);
	for (size_t h = 0; h < heads; h++)
		if (!(list->at[h] > 0 && list->at[h] <= most))
			return fail(err, "%s: expected numbers above 0 and at "
				    "most %g, got %.17g for head %zu", flag,
				    most, list->at[h], h);
	return true;
}

static bool kerple_make(void *self, const struct table *inputs,
			struct table *t, struct error *err)
{
	const struct kerple *s = self;

	(void)inputs;
	t->title = "KERPLE";
	t->value = "bias";
	return check_list(&s->r1, "--r1", s->heads, 1e100, err) &&
	       check_list(&s->r2, "--r2", s->heads,
			   s->kind == LOG ? 1e100 : 2, err) &&
	       biases_make(t, &s->lengths, s->heads, s->form == CAUSAL, biases,
			   s, err);
}

const struct recipe kerple_recipe = {
	.name = "kerple",
	.summary = "KERPLE: attention biases by kernels of the distance",
	.about =
"Makes the biases [heads, queries, keys] that a model adds to its attention\n"
"logits: a logarithm or a power of the distance, with two learned numbers per\n"
"head. They are given as lists, or in files.\n",
	.details =
"  log    bias[h, i, j] = -r1[h] ln(1 + r2[h] |i - j|)\n"
"  power  bias[h, i, j] = -r1[h] |i - j|^r2[h]\n"
"\n"
"The last query is at the position of the last key. --form causal has 0 for\n"
"keys after the query, as the authors' code. In that code r1 and r2 are\n"
"bias_p and bias_a of ParallelKerpleLog, bias_a and bias_p of\n"
"ParallelKerplePower; it keeps them at 0.01 or more. Smaller ones are taken\n"
"as they are here. power with r2 = 1 is ALiBi with the slopes r1. log with\n"
"r1 = r2 = 1 is the proximity bias of tensor2tensor.\n"
"\n"
"  --kind log --heads 1 --r1 1 --r2 1: 0 -0.6931472 -1.0986123 -1.3862944\n",
	.paper = "Chi et al. 2022, arXiv:2205.09921, section 4",
	.example = "posenc kerple --heads 2 --r1 1,0.5 --r2 1,0.25 --len 4",
	.options = kerple_options,
	.size = sizeof(struct kerple),
	.make = kerple_make,
};
