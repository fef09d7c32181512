/* fire.c: biases by functions of a relative distance, Li et al. 2024. */
#include <math.h>

#include "exact/logarithm.h"
#include "recipe/positions.h"
#include "recipe/recipe.h"

struct fire {
	struct lengths lengths;
	double c, threshold;
	struct tables weights;

	size_t heads, width;
	const double *w1, *b1;   /* [width] */
	const double *w2, *b2;   /* [heads, width], [heads] */
	double *log;             /* [distances], ln(|c| distance + 1) */
};

static const struct option fire_options[] = {
	LENGTHS_OPTIONS,
	{ OPTION(struct fire, c), .initial = "0.1", .min = -1e100,
	  .max = 1e100, .arg = "C", .help = "learned factor c of distances in "
		  "the logarithm" },
	{ OPTION(struct fire, threshold), .initial = "512", .min = 0,
	  .max = 1e100, .arg = "L", .help = "learned threshold L: earlier "
		  "queries are treated as if at position L" },
	{ OPTION(struct fire, weights), .arg = "W1,B1,W2,B2",
	  .help = "files of the network's learned weights, [width, 1], "
		  "[width], [heads, width] and [heads] (default: none, for "
		  "the network's input)" },
	{0}
};

/* The bias of a head: a network of one hidden layer, with relu. */
static double bias(const struct fire *s, size_t head, double x)
{
	const double *w2 = s->w2 + head * s->width;
	double sum = 0;

	for (size_t k = 0; k < s->width; k++)
		sum += w2[k] * fmax(s->w1[k] * x + s->b1[k], 0);
	return sum + s->b2[head];
}

/* The network takes the distance relative to the query's position. */
static const double *fire_row(const struct table *t, size_t i, double *scratch)
{
	const struct fire *s = t->state;
	const size_t head = i / t->rows, query = i % t->rows + (size_t)t->past;
	const double most = fmax((double)query, s->threshold);
	const double below = log_one_plus(fabs(s->c), most) + 1e-6;

	for (size_t j = 0; j < t->cols; j++) {
		const size_t d = j < query ? query - j : j - query;
		const double x = s->log[d] / below;

		scratch[j] = s->w1 ? bias(s, head, x) : x;
	}
	return scratch;
}

/* How many numbers file i has. */
static size_t count(const struct fire *s, size_t i)
{
	const struct table *t = s->weights.at[i];

	return t->planes * t->rows * t->cols;
}

/* The n numbers of file i; NULL if it has other numbers, or another shape. */
static const double *weights(const struct fire *s, size_t i, size_t n,
			     const char *shape, struct error *err)
{
	static const char *const names[] = { "W1", "B1", "W2", "B2" };
	const struct table *t = s->weights.at[i];
	const double *x = t->row(t, 0, NULL);
	char text[SHAPE_TEXT];

	if (count(s, i) != n || (i == 2 && t->cols != s->width)) {
		fail(err, "--weights: expected %s of shape %s with width %zu "
		     "(of B1) and %zu heads (of B2), got %s", names[i], shape,
		     s->width, s->heads, shape_of(t, text));
		return NULL;
	}
	for (size_t k = 0; k < n; k++)
		if (!(fabs(x[k]) <= 1e100)) {
			fail(err, "--weights: expected numbers from -1e100 to "
			     "1e100 in %s, got %g", names[i], x[k]);
			return NULL;
		}
	return x;
}

/* Take the network from the files: B1 has the width, B2 the heads. */
static bool take_weights(struct fire *s, struct error *err)
{
	if (s->weights.n != 4)
		return fail(err, "--weights: expected four files, W1,B1,W2,B2, "
			    "got %zu", s->weights.n);
	s->width = count(s, 1);
	s->heads = count(s, 3);
	return (s->w1 = weights(s, 0, s->width, "[width, 1]", err)) &&
	       (s->b1 = weights(s, 1, s->width, "[width]", err)) &&
	       (s->w2 = weights(s, 2, s->heads * s->width, "[heads, width]",
				err)) &&
	       (s->b2 = weights(s, 3, s->heads, "[heads]", err));
}

static bool fire_make(void *self, const struct table *inputs, struct table *t,
		      struct error *err)
{
	struct fire *s = self;

	(void)inputs;
	if (!lengths_kept(&s->lengths, t, err))
		return false;
	if (t->rows > t->cols)
		return fail(err, "--query-len must be at most --key-len %zu, "
			    "got %zu", t->cols, t->rows);
	if (s->weights.at && !take_weights(s, err))
		return false;
	s->log = table_alloc(t, t->cols, sizeof *s->log, err);
	for (size_t d = 0; s->log && d < t->cols; d++)
		s->log[d] = log_one_plus(fabs(s->c), (double)d);
	t->title = "FIRE";
	t->value = s->w1 ? "bias" : "relative distance";
	t->dtype = F32;
	if (s->w1) {
		t->planes = s->heads;
		t->plane_axis = axis_of(AXIS_HEAD);
	}
	t->row = fire_row;
	t->state = s;
	return s->log;
}

const struct recipe fire_recipe = {
	.name = "fire",
	.summary = "FIRE: attention biases by a network of relative distances",
	.about =
"Makes the biases [heads, queries, keys] that a model adds to its attention\n"
"logits: a small learned network of the distance, taken relative to the\n"
"position of the query. Without --weights it makes that relative distance,\n"
"[queries, keys].\n",
	.details =
"  x[i, j]       = ln(|c (i - j)| + 1) / (ln(|c max(i, L)| + 1) + 1e-6)\n"
"  bias[h, i, j] = B2[h] + sum_k W2[h, k] max(0, W1[k] x[i, j] + B1[k])\n"
"\n"
"i counts queries, j keys, from 0; the last query is at the position of the\n"
"last key. The weights are files of the two layers, as torch.nn.Linear has\n"
"them. c and L are learned, too; their initial values are the defaults.\n"
"\n"
"  --len 11: the last row begins with 0.175255\n",
	.paper = "Li et al. 2024, arXiv:2310.04418, section 3; "
		 "mcleish7/arithmetic, cramming/architectures/embeddings.py",
	.example = "posenc fire --len 4 --c 0.5 --threshold 2",
	.options = fire_options,
	.size = sizeof(struct fire),
	.make = fire_make,
};
