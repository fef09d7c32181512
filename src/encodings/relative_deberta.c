/*
 * relative_deberta.c: distances in logarithmic buckets, He et al. 2021,
 * arXiv:2006.03654, and the code of its second version.
 */
#include "exact/limbs.h"
#include "encodings/relative.h"

enum { STEPS_MOST = 1 << 16 };

/*
 * The bucket of a distance n > 0: n up to m = B / 2, then m + c with the least
 * c that has (n / m)^(m - 1) <= ((M - 1) / m)^c.
 */
static long bucket(const struct relative *s, long n)
{
	const long m = (long)(s->buckets / 2);
	size_t low = 0, high = s->steps;

	if (!s->buckets || n <= m)
		return n;
	while (low < high) {
		const size_t mid = (low + high) / 2;

		if (s->last[mid] < (double)n)
			low = mid + 1;
		else
			high = mid;
	}
	return m + (long)low;
}

static double distance(long x, const void *self)
{
	const struct relative *s = self;
	const long k = s->clip.value;

	if (s->sign == QUERY_KEY)
		x = -x;
	x = x < 0 ? -bucket(s, -x) : bucket(s, x);
	if (s->clip.given)
		x = x < -k ? -k : x > k - 1 ? k - 1 : x;
	return (double)x;
}

/* delta(i, j), section 3.1: from 0 to 2 k - 1. */
static double label(long x, const void *self)
{
	const struct relative *s = self;

	return distance(x, s) + (double)s->clip.value;
}

/* The largest distance up to most in step c, or -1 without memory. */
static double last_of_step(const struct relative *s, size_t c, size_t most)
{
	const size_t m = s->buckets / 2;
	size_t low = m, high = most;  /* low is in step c or before it */

	while (low < high) {
		const size_t mid = high - (high - low) / 2;
		const int reaches = power_reaches(s->max_position - 1, mid,
						  m, c, m - 1);

		if (reaches < 0)
			return -1;
		if (reaches)
			low = mid;
		else
			high = mid - 1;
	}
	return (double)low;
}

/* The last distance of each step of the logarithm, up to distance most. */
static bool find_steps(struct relative *s, size_t most, struct table *t,
		       struct error *err)
{
	const size_t m = s->buckets / 2;

	s->last = table_alloc(t, STEPS_MOST, sizeof *s->last, err);
	if (!s->last)
		return false;
	/* If m = 1, the weight m - 1 of the logarithm is 0: one step. */
	s->last[0] = m > 1 ? (double)m : (double)most;
	for (s->steps = 1; s->last[s->steps - 1] < (double)most; s->steps++) {
		double *last = &s->last[s->steps];

		if (s->steps == STEPS_MOST)
			return fail(err, "--max-position %zu is too close to "
				    "half of --buckets: it makes more than %d "
				    "buckets",
				    s->max_position, STEPS_MOST);
		*last = last_of_step(s, s->steps, most);
		if (*last < 0)
			return fail_memory(err);
	}
	return true;
}

static bool check(struct relative *s, struct error *err)
{
	if (!s->buckets != !s->max_position)
		return fail(err, "--buckets and --max-position must be given "
			    "together");
	if (s->buckets && s->max_position < s->buckets / 2 + 2)
		return fail(err, "--max-position must be at least %zu for "
			    "--buckets %zu, got %zu", s->buckets / 2 + 2,
			    s->buckets, s->max_position);
	if (s->clip.given && s->clip.value == 0)
		return fail(err, "--clip must be at least 1 with --kind "
			    "deberta, got 0");
	if (s->clip.given || s->out == OUT_DISTANCES)
		return true;
	if (s->buckets)
		s->clip = integer_of(s->buckets);
	else if (s->table && s->table->rows % 2 == 0)
		s->clip = integer_of(s->table->rows / 2);
	else
		return fail(err, s->table ? "--table: expected 2K rows for "
			    "--clip K, got %zu" : "--out labels needs --clip K "
			    "or --buckets B",
			    s->table ? s->table->rows : 0);
	return true;
}

bool deberta_make(struct relative *s, struct table *t, struct error *err)
{
	const long before = (long)(t->rows - 1) + s->past;
	const long after = (long)(t->cols - 1) - s->past;
	const long most = before > after ? before : after;

	t->title = "DeBERTa's relative positions";
	if (!check(s, err))
		return false;
	if (s->buckets && !find_steps(s, (size_t)(most > 0 ? most : 0), t, err))
		return false;
	return relative_pairs(s, t, distance, label,
			      2 * (size_t)s->clip.value, err);
}
