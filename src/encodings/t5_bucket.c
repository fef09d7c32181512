/* t5_bucket.c: buckets of distances and their biases, Raffel et al. 2020. */
#include <math.h>

#include "exact/limbs.h"
#include "recipe/positions.h"
#include "recipe/recipe.h"

enum t5_emulate { EXACT, TORCH };

struct t5_bucket {
	struct lengths lengths;
	size_t past;
	bool bidirectional, causal;
	size_t num_buckets, max_distance;
	const struct table *table;
	struct range distances;
	bool boundaries;
	int emulate;

	size_t one_way;  /* buckets of one direction */
	double *first;   /* [one_way], the first distance of each */
	double *exact, *torch;  /* first in exact and float32 arithmetic */
};

static const char *const emulations[] = { "exact", "torch", NULL };

#define PLACED "len query-len key-len past"  /* queries and keys are */

static const struct option t5_bucket_options[] = {
	LENGTHS_OPTIONS,
	CONFIG_OPTION,
	{ OPTION(struct t5_bucket, past), .initial = "0",
	  .phrase = "queries from %",
	  .max = LENGTHS_MOST, .arg = "N",
	  .help = "position of the first query; the first key is at 0" },
	{ OPTION(struct t5_bucket, bidirectional), .excludes = "causal",
	  .help = "half of the buckets for keys before the query, half for "
		  "keys after it (default: on, unless --causal)" },
	{ OPTION(struct t5_bucket, causal),
	  .help = "all buckets for keys before the query; keys after it "
		  "are in bucket 0" },
	{ OPTION(struct t5_bucket, num_buckets), .initial = "32",
	  .one = "bucket", .many = "buckets", .stated = "boundaries",
	  .min = 2, .max = 4096, .arg = "N", .help = "number of buckets" },
	{ OPTION(struct t5_bucket, max_distance), .initial = "128",
	  .phrase = "maximum distance %",
	  .min = 2, .max = 0x1p31, .arg = "M",
	  .help = "maximum distance M: all distances from M on are in the last "
		  "bucket" },
	{ OPTION(struct t5_bucket, table), .arg = "FILE",
	  .help = "file of biases [buckets, heads]; makes the table of biases "
		  "[heads, queries, keys]" },
	{ OPTION(struct t5_bucket, distances), .excludes = "table " PLACED,
	  .arg = "A:B",
	  .help = "make one row: the buckets of the distances A to B (key - "
		  "query), both included" },
	{ OPTION(struct t5_bucket, boundaries),
	  .excludes = "table distances " PLACED,
	  .help = "make one column: the first distance of each bucket of one "
		  "direction" },
	{ OPTION(struct t5_bucket, emulate), .role = ROLE_ARITHMETIC,
	  .initial = "exact",
	  .words = emulations, .arg = "WHOSE",
	  .help = "arithmetic of the bucket boundaries: exact, or float32 as "
		  "in PyTorch" },
	{0}
};

/*
 * The bucket of a distance n >= 0 within its direction (section 2.1): n below
 * E = one_way / 2, then E + floor(log(n / E) / log(M / E) (one_way - E)), at
 * most the last. That is the last bucket whose first distance is not above n.
 */
static size_t bucket_of(const struct t5_bucket *s, const double *first,
			double n)
{
	size_t low = 0, high = s->one_way;

	while (high - low > 1) {
		const size_t mid = (low + high) / 2;

		if (first[mid] <= n)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* The smallest n with floor(log(n / E) / log(M / E) L) >= j, in integers. */
static bool first_distance(double *first, size_t e, size_t m, size_t l,
			   size_t j, struct error *err)
{
	const double guess = (double)e * pow((double)m / (double)e,
					     (double)j / (double)l);
	size_t n = (size_t)guess;
	int reaches;

	n = n > e + 1 ? n - 1 : e;
	while ((reaches = power_reaches(n, m, e, l, j)) == 0)
		n++;
	*first = (double)n;
	if (reaches < 0)
		return fail_memory(err);
	return true;
}

/*
 * The step of n >= E in float32 arithmetic. logf() is the C library's, as in
 * PyTorch: a correctly rounded logarithm would give other buckets.
 */
static size_t torch_step(size_t n, size_t e, size_t m, size_t l)
{
	const float part = logf((float)n / (float)e);
	const float whole = (float)log((double)m / (double)e);
	const float step = part / whole * (float)l;

	return (size_t)step;
}

/* Move the first distance of step j to where float32 arithmetic puts it. */
static void emulate_torch(double *first, size_t e, size_t m, size_t l, size_t j)
{
	size_t n = (size_t)*first;

	while (n > e && torch_step(n - 1, e, m, l) >= j)
		n--;
	while (torch_step(n, e, m, l) < j)
		n++;
	*first = (double)n;
}

/* Find the first distance of each bucket of one direction. */
static bool find_boundaries(struct t5_bucket *s, struct table *t,
			    struct error *err)
{
	const size_t e = s->one_way / 2, l = s->one_way - e;

	s->exact = table_alloc(t, s->one_way, sizeof *s->exact, err);
	s->torch = table_alloc(t, s->one_way, sizeof *s->torch, err);
	if (!s->exact || !s->torch)
		return false;
	for (size_t b = 0; b < e; b++)
		s->exact[b] = s->torch[b] = (double)b;
	for (size_t j = 0; j < l; j++) {
		if (!first_distance(&s->exact[e + j], e, s->max_distance, l, j,
				    err))
			return false;
		s->torch[e + j] = s->exact[e + j];
		emulate_torch(&s->torch[e + j], e, s->max_distance, l, j);
	}
	s->first = s->emulate == TORCH ? s->torch : s->exact;
	return true;
}

/* Note in t where exact and float32 buckets of distances a to b >= 0 differ. */
static bool note_difference(const struct t5_bucket *s, struct table *t,
			    double a, double b, struct error *err)
{
	double least = 0, count = 0;

	for (size_t i = 0; i < s->one_way; i++) {
		const double first = fmin(s->exact[i], s->torch[i]);
		const double end = fmax(s->exact[i], s->torch[i]);
		const double from = fmax(first, a), to = fmin(end, b + 1);

		if (!(from < to))
			continue;
		least = count > 0 ? least : from;
		count += to - from;
	}
	return !(count > 0) ||
	       table_note(t, err, "distance %zu: bucket %zu in exact "
			  "arithmetic, %zu in PyTorch's float32 (--emulate "
			  "torch); distances that differ: %zu", (size_t)least,
			  bucket_of(s, s->exact, least),
			  bucket_of(s, s->torch, least), (size_t)count);
}

/* The bucket of key - query = x, for all heads. */
static double bucket(const void *self, size_t head, long x)
{
	const struct t5_bucket *s = self;
	const bool after = x > 0;

	(void)head;
	if (s->causal)
		return (double)bucket_of(s, s->first, after ? 0 : -(double)x);
	return (double)(bucket_of(s, s->first, fabs((double)x)) +
			(after ? s->one_way : 0));
}

static double bias(const void *self, size_t head, long x)
{
	const struct t5_bucket *s = self;

	return s->table->row(s->table, (size_t)bucket(s, head, x), NULL)[head];
}

static bool make_biases(const struct t5_bucket *s, struct table *t,
			struct error *err)
{
	char shape[SHAPE_TEXT];

	if (s->table->planes != 1 || s->table->rows != s->num_buckets)
		return fail(err, "--table: expected shape [%zu, heads] for "
			    "--num-buckets %zu, got %s", s->num_buckets,
			    s->num_buckets, shape_of(s->table, shape));
	t->title = "T5 relative position bias";
	t->planes = s->table->cols;
	t->plane_axis = axis_of(AXIS_HEAD);
	t->dtype = F32;
	t->bounds = s->table->bounds;
	t->lo = s->table->lo;
	t->hi = s->table->hi;
	return table_by_distance(t, bias, s, err);
}

static void make_boundaries(const struct t5_bucket *s, struct table *t)
{
	t->rows = s->one_way;
	t->cols = 1;
	t->lo = 0;
	t->hi = s->first[s->one_way - 1];
	t->row_axis = axis_of(AXIS_BUCKET);
	t->col_axis = (struct axis){ .name = "first distance", .step = 1 };
	table_dense(t, s->first);
}

/* A row of --distances, or queries and keys; range: of their distances. */
static bool make_matrix(const struct t5_bucket *s, struct table *t,
			struct range *range, struct error *err)
{
	if (range->given) {
		t->row_axis = axis_of(AXIS_DISTANCE);
		return distances_shape(range, t, err) &&
		       table_by_distance(t, bucket, s, err);
	}
	if (!lengths_shape(&s->lengths, t, err))
		return false;
	range->first = -(long)(t->rows - 1 + s->past);
	range->last = (long)(t->cols - 1) - (long)s->past;
	t->past = (long)s->past;
	t->causal = s->causal;
	return s->table ? make_biases(s, t, err)
			: table_by_distance(t, bucket, s, err);
}

static bool check(struct t5_bucket *s, struct error *err)
{
	s->bidirectional = !s->causal;
	s->one_way = s->causal ? s->num_buckets : s->num_buckets / 2;
	if (s->one_way < 2)
		return fail(err, "--num-buckets must be at least 4 with "
			    "--bidirectional, got %zu", s->num_buckets);
	if (s->max_distance <= s->one_way / 2)
		return fail(err, "--max-distance must be more than half of the "
			    "%zu buckets of a direction, got %zu", s->one_way,
			    s->max_distance);
	return true;
}

/* Note where exact and float32 buckets differ, for this range of distances. */
static bool note(const struct t5_bucket *s, struct table *t,
		 const struct range *range, struct error *err)
{
	const long a = range->first, b = range->last;
	const double left = a < 0 ? -(double)a : 0;
	const double right = b > 0 && !s->causal ? (double)b : 0;
	double least = 0;

	if (a > 0)
		least = (double)a;
	if (b < 0)
		least = -(double)b;
	return note_difference(s, t, least, fmax(left, right), err);
}

static bool t5_bucket_make(void *self, const struct table *inputs,
			   struct table *t, struct error *err)
{
	struct t5_bucket *s = self;
	struct range range = s->distances;

	(void)inputs;
	if (!check(s, err) || !find_boundaries(s, t, err))
		return false;
	t->title = "T5 relative position buckets";
	t->dtype = I32;
	t->bounds = BOUNDS_TIGHT;
	t->lo = 0;
	t->hi = (double)(s->causal ? s->one_way : 2 * s->one_way) - 1;
	if (s->boundaries) {
		make_boundaries(s, t);
		range.first = LONG_MIN;
		return note(s, t, &range, err);
	}
	t->value = s->table ? "bias" : "bucket";
	t->halves = s->causal ? HALVES_ALIKE : HALVES_REPEATED;
	return make_matrix(s, t, &range, err) && note(s, t, &range, err);
}

const struct recipe t5_bucket_recipe = {
	.name = "t5-bucket",
	.summary = "T5's buckets of distances, and the biases they select",
	.about =
"Makes the table [queries, keys] of the buckets that T5 sorts distances\n"
"into: one bucket per short distance, wider buckets for long ones. The model\n"
"adds a learned bias per bucket and head to its attention logits. --table\n"
"makes these biases.\n",
	.details =
"  n = |j - i|, E = half the buckets of a direction, L the other half\n"
"  bucket = n                                         if n < E\n"
"         = E + floor(log(n / E) / log(M / E) * L)    else, at most E + L - 1\n"
"  With --bidirectional, keys after the query (j > i) add half the buckets.\n"
"\n"
"posenc computes the boundaries of buckets in exact integers. The usual\n"
"float32 formula puts some distances into a neighbouring bucket (--emulate\n"
"torch). A note on standard error says if the table has such a distance.\n"
"\n"
"With 32 buckets and M = 128 the last bucket begins at distance 91 (113 with\n"
"--causal), and --bidirectional never uses bucket 16:\n"
"\n"
"  --distances -8:8 has 8 7 6 5 4 3 2 1 0 17 18 19 20 21 22 23 24.\n",
	.paper = "Raffel et al. 2020, arXiv:1910.10683, section 2.1",
	.example = "posenc t5-bucket --distances -8:8",
	.options = t5_bucket_options,
	.starts = (const struct start[]){
		{ "len", "64", "query-len key-len distances boundaries" }, {0}
	},
	.size = sizeof(struct t5_bucket),
	.make = t5_bucket_make,
};
