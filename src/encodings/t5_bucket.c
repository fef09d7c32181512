/* t5_bucket.c: bucketed distances and their biases, Raffel et al. 2020. */
#include <math.h>

#include "encodings/t5.h"

static const char *const emulations[] = { "exact", "torch", NULL };

static const struct option t5_bucket_options[] = {
	PAIRS_OPTIONS,
	{ OPTION(struct t5_bucket, past), .initial = "0",
	  .max = PAIRS_MOST, .arg = "N",
	  .help = "positions before the first query; without it query 0 "
		  "stands at key 0" },
	{ OPTION(struct t5_bucket, bidirectional),
	  .help = "future and past have half the buckets each (the default)" },
	{ OPTION(struct t5_bucket, causal),
	  .help = "all buckets are for the past; the future is bucket 0" },
	{ OPTION(struct t5_bucket, num_buckets), .initial = "32",
	  .min = 2, .max = 4096, .arg = "N", .help = "buckets in all" },
	{ OPTION(struct t5_bucket, max_distance), .initial = "128",
	  .min = 2, .max = 0x1p31, .arg = "M",
	  .help = "the distance at which the logarithm would be full" },
	{ OPTION(struct t5_bucket, table), .arg = "FILE",
	  .help = "biases [buckets, heads]: makes [heads, queries, keys]" },
	{ OPTION(struct t5_bucket, distances), .arg = "A:B",
	  .help = "one row: the buckets of distances key - query, A to B, both "
		  "included" },
	{ OPTION(struct t5_bucket, boundaries),
	  .help = "one column: the first distance of each bucket of one "
		  "direction" },
	{ OPTION(struct t5_bucket, emulate), .initial = "exact",
	  .words = emulations, .arg = "WHOSE",
	  .help = "thresholds in integers, or in float32 as torch's users "
		  "have them" },
	{0}
};

/* The bucket of key - query = x. */
static double bucket(long x, const void *self)
{
	const struct t5_bucket *s = self;

	if (s->causal)
		return (double)t5_bucket_of(s, s->first,
					    x < 0 ? -(double)x : 0);
	return (double)(t5_bucket_of(s, s->first, fabs((double)x)) +
			(x > 0 ? s->one_way : 0));
}

/* The biases of one head, by distance from first - (rows - 1) - past on. */
static void bias_diagonals(const struct table *t, size_t head, size_t first,
			   size_t n, double *v)
{
	const struct t5_bucket *s = t->state;
	const long x = (long)first - (long)(t->rows - 1) - (long)s->past;

	for (size_t k = 0; k < n; k++) {
		const size_t b = (size_t)bucket(x + (long)k, s);

		v[k] = s->table->row(s->table, b, NULL)[head];
	}
}

/* Row i of planes * rows: query i % rows under head i / rows. */
static const double *bias_row(const struct table *t, size_t i, double *scratch)
{
	bias_diagonals(t, i / t->rows, t->rows - 1 - i % t->rows, t->cols,
		       scratch);
	return scratch;
}

static bool make_biases(const struct t5_bucket *s, struct table *t,
			struct error *err)
{
	char shape[SHAPE_TEXT];

	if (s->table->planes != 1 || s->table->rows != s->num_buckets)
		return fail(err, "--table must be [%zu, heads] for "
			    "--num-buckets %zu, not %s", s->num_buckets,
			    s->num_buckets, shape_of(s->table, shape));
	t->title = "T5 relative position bias";
	t->planes = s->table->cols;
	t->over = (struct axis){ .name = "head", .step = 1 };
	t->dtype = F32;
	t->bounds = s->table->bounds;
	t->lo = s->table->lo;
	t->hi = s->table->hi;
	t->row = bias_row;
	t->diagonals = bias_diagonals;
	t->state = s;
	return true;
}

static const double *distances_row(const struct table *t, size_t i,
				   double *scratch)
{
	const struct t5_bucket *s = t->state;

	(void)i;
	for (size_t j = 0; j < t->cols; j++)
		scratch[j] = bucket(s->distances.first + (long)j, s);
	return scratch;
}

static bool make_distances(const struct t5_bucket *s, struct table *t,
			   struct error *err)
{
	const struct range *d = &s->distances;
	const long most = (long)PAIRS_MOST;
	char text[RANGE_TEXT];

	if (d->first < -most || d->last > most || d->first > d->last)
		return fail(err, "--distances must be A:B with A not above B, "
			    "within 2^52, not %s", range_text(d, text));
	t->rows = 1;
	t->cols = (size_t)(d->last - d->first) + 1;
	t->down = (struct axis){ .name = "distance", .step = 1 };
	t->across = (struct axis){ .name = "distance", .step = 1,
				   .first = (double)d->first };
	t->row = distances_row;
	t->state = s;
	return true;
}

static void make_boundaries(const struct t5_bucket *s, struct table *t)
{
	t->rows = s->one_way;
	t->cols = 1;
	t->lo = 0;
	t->hi = s->first[s->one_way - 1];
	t->down = (struct axis){ .name = "bucket", .step = 1 };
	t->across = (struct axis){ .name = "first distance", .step = 1 };
	table_dense(t, s->first);
}

static bool make_pairs(const struct t5_bucket *s, struct table *t,
		       struct range *asked, struct error *err)
{
	if (!pairs_shape(&s->pairs, t, err))
		return false;
	asked->first = -(long)(t->rows - 1 + s->past);
	asked->last = (long)(t->cols - 1) - (long)s->past;
	return s->table ? make_biases(s, t, err)
			: table_toeplitz(t, bucket, s, (long)s->past, err);
}

static bool check(struct t5_bucket *s, struct error *err)
{
	const struct pairs *p = &s->pairs;

	if (s->bidirectional && s->causal)
		return fail(err, "--bidirectional and --causal exclude each "
			    "other");
	s->bidirectional = !s->causal;
	s->one_way = s->causal ? s->num_buckets : s->num_buckets / 2;
	if (s->one_way < 2)
		return fail(err, "--num-buckets must be at least 4 with "
			    "--bidirectional, not %zu", s->num_buckets);
	if (s->max_distance <= s->one_way / 2)
		return fail(err, "--max-distance must be more than %zu, the "
			    "distances that have a bucket each, not %zu",
			    s->one_way / 2, s->max_distance);
	if (s->boundaries + s->distances.given + (s->table != NULL) > 1)
		return fail(err, "--boundaries, --distances and --table "
			    "exclude one another");
	if ((s->boundaries || s->distances.given) &&
	    (p->len || p->query_len || p->key_len || s->past))
		return fail(err, "--%s is in place of --len, --query-len, "
			    "--key-len and --past", s->boundaries
			    ? "boundaries" : "distances");
	return true;
}

/* Note where the two arithmetics part, for key - query as asked. */
static bool note(const struct t5_bucket *s, struct table *t,
		 const struct range *asked, struct error *err)
{
	const long a = asked->first, b = asked->last;
	const double left = a < 0 ? -(double)a : 0;
	const double right = b > 0 && !s->causal ? (double)b : 0;
	double least = 0;

	if (a > 0)
		least = (double)a;
	if (b < 0)
		least = -(double)b;
	return t5_note(s, t, least, fmax(left, right), err);
}

static bool t5_bucket_make(void *self, const struct table *inputs,
			   struct table *t, struct error *err)
{
	struct t5_bucket *s = self;
	struct range asked = s->distances;

	(void)inputs;
	if (!check(s, err) || !t5_boundaries(s, t, err))
		return false;
	t->title = "T5 relative position buckets";
	t->dtype = I32;
	t->bounds = BOUNDS_TIGHT;
	t->lo = 0;
	t->hi = (double)(s->causal ? s->one_way : 2 * s->one_way) - 1;
	if (s->boundaries) {
		make_boundaries(s, t);
		asked.first = LONG_MIN;
		return note(s, t, &asked, err);
	}
	t->value = s->table ? "bias" : "bucket";
	t->halves = s->causal ? HALVES_ALIKE : HALVES_REPEATED;
	return (asked.given ? make_distances(s, t, err)
			    : make_pairs(s, t, &asked, err)) &&
	       note(s, t, &asked, err);
}

const struct recipe t5_bucket_recipe = {
	.name = "t5-bucket",
	.summary = "T5's buckets of distances, and the biases they choose",
	.about =
"  n = |j - i|, E = half the buckets of a direction, L the other half\n"
"  bucket = n                                         for n < E\n"
"         = E + floor(log(n / E) / log(M / E) * L)    from E on, at most the\n"
"           last; with --bidirectional, plus half of all buckets for j > i\n"
"\n"
"The logarithm is decided in integers, so no bucket is off by one where the\n"
"usual float32 formula is (--emulate torch); where the two part in what was\n"
"asked for, a note says so. With 32 buckets and M = 128 the last bucket\n"
"begins at distance 91 (113 with --causal), and bucket 16 is never used:\n"
"--distances -8:8 has 8 7 6 5 4 3 2 1 0 17 18 19 20 21 22 23 24.\n",
	.paper = "Raffel et al. 2020, arXiv:1910.10683, section 2.1",
	.example = "posenc t5-bucket --distances -8:8",
	.options = t5_bucket_options,
	.size = sizeof(struct t5_bucket),
	.make = t5_bucket_make,
};
