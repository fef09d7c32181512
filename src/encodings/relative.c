/* relative.c: distances between positions, clipped, Shaw et al. 2018. */
#include "core/pairs.h"
#include "core/recipe.h"

enum out { OUT_LABELS, OUT_DISTANCES, OUT_VECTORS };
enum sign { KEY_QUERY, QUERY_KEY };
enum align { ALIGN_START, ALIGN_END };

struct relative {
	struct pairs pairs;
	long clip;
	int out;
	const struct table *table;
	int sign, align;

	long past;  /* positions before the first query */
};

static const char *const outs[] = { "labels", "distances", "vectors", NULL };
static const char *const signs[] = { "key-query", "query-key", NULL };
static const char *const aligns[] = { "start", "end", NULL };

static const struct option relative_options[] = {
	PAIRS_OPTIONS,
	{ OPTION(struct relative, clip), .min = 0, .max = 0x1p52,
	  .arg = "K", .help = "the longest distance told apart" },
	{ OPTION(struct relative, out), .words = outs, .arg = "WHAT",
	  .help = "labels 0..2K (the default with --clip), distances (without "
		  "it), or the vector of each label (with --table)" },
	{ OPTION(struct relative, table), .arg = "FILE",
	  .help = "a vector for each label, [2K + 1, dim]" },
	{ OPTION(struct relative, sign), .initial = "key-query",
	  .words = signs, .arg = "NAME", .help = "which is taken from which" },
	{ OPTION(struct relative, align), .initial = "end",
	  .words = aligns, .arg = "NAME",
	  .help = "whether fewer queries than keys are the first or the last" },
	{0}
};

/* clip(x, k) = max(-k, min(k, x)), section 3.2; x = j - i. */
static double distance(long x, const void *self)
{
	const struct relative *s = self;
	const long k = s->clip;

	if (s->sign == QUERY_KEY)
		x = -x;
	if (k != NOT_GIVEN)
		x = x < -k ? -k : x > k ? k : x;
	return (double)x;
}

/* clip(x, k) + k, the index of a_ij in w = (w_-k, ..., w_k). */
static double label(long x, const void *self)
{
	const struct relative *s = self;

	return distance(x, s) + (double)s->clip;
}

/* The vector of query i / keys, key i % keys, where it lies in the table. */
static const double *vector_row(const struct table *t, size_t i,
				double *scratch)
{
	const struct relative *s = t->state;
	const long x = (long)(i % t->rows) - (long)(i / t->rows) - s->past;

	return s->table->row(s->table, (size_t)label(x, s), scratch);
}

/* Fill in what --out and --clip follow from, and check that they agree. */
static bool settle(struct relative *s, struct error *err)
{
	if (s->out == NOT_GIVEN)
		s->out = s->table ? OUT_VECTORS :
			 s->clip != NOT_GIVEN ? OUT_LABELS : OUT_DISTANCES;
	if ((s->out == OUT_VECTORS) != (s->table != NULL))
		return fail(err, s->table ? "--table is for --out vectors"
			    : "--out vectors needs --table FILE");
	if (s->out == OUT_LABELS && s->clip == NOT_GIVEN)
		return fail(err, "--out labels needs --clip K");
	if (!s->table)
		return true;
	if (s->table->planes != 1)
		return fail(err, "--table must be [2K + 1, dim], not a table "
			    "of %zu planes", s->table->planes);
	if (s->clip == NOT_GIVEN && s->table->rows % 2)
		s->clip = (long)(s->table->rows / 2);
	if (s->clip == NOT_GIVEN ||
	    s->table->rows != 2 * (size_t)s->clip + 1)
		return fail(err, "--table must have 2K + 1 rows for --clip K, "
			    "not %zu", s->table->rows);
	return true;
}

static bool make_vectors(struct relative *s, struct table *t)
{
	t->over = t->down;
	t->down = t->across;
	t->across = (struct axis){ .name = "dimension", .step = 1 };
	t->planes = t->rows;
	t->rows = t->cols;
	t->cols = s->table->cols;
	t->dtype = F32;
	t->bounds = s->table->bounds;
	t->lo = s->table->lo;
	t->hi = s->table->hi;
	t->row = vector_row;
	t->state = s;
	return true;
}

static bool relative_make(void *self, const struct table *inputs,
			  struct table *t, struct error *err)
{
	struct relative *s = self;
	double before, after, a, b;

	(void)inputs;
	t->title = "Relative positions";
	if (!settle(s, err) || !pairs_shape(&s->pairs, t, err))
		return false;
	if (s->align == ALIGN_END)
		s->past = (long)t->cols - (long)t->rows;
	if (s->out == OUT_VECTORS)
		return make_vectors(s, t);
	before = -(double)(t->rows - 1) - (double)s->past;
	after = (double)(t->cols - 1) - (double)s->past;
	a = distance((long)before, s);
	b = distance((long)after, s);
	t->dtype = I32;
	t->bounds = BOUNDS_TIGHT;
	t->lo = a < b ? a : b;
	t->hi = a < b ? b : a;
	if (s->out == OUT_LABELS) {
		t->lo = 0;
		t->hi = 2 * (double)s->clip;
	}
	return table_toeplitz(t, s->out == OUT_LABELS ? label : distance, s,
			      s->past, err);
}

const struct recipe relative_recipe = {
	.name = "relative",
	.summary = "distances of queries and keys, clipped labels, vectors",
	.about =
"  distance[i, j] = j - i\n"
"  label[i, j]    = max(-K, min(K, j - i)) + K    from 0 to 2K\n"
"  vector[i, j]   = table[label[i, j]]\n"
"\n"
"i counts queries, j keys. The last query stands at the last key, as in\n"
"decoding with a cache (--align start: the first at the first). DeBERTa and\n"
"Swin take the key from the query (--sign query-key).\n",
	.paper = "Shaw et al. 2018, arXiv:1803.02155, section 3.2",
	.example = "posenc relative --len 5 --clip 2",
	.options = relative_options,
	.size = sizeof(struct relative),
	.make = relative_make,
};
