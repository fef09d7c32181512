/* t5_boundaries.c: where T5's buckets begin, in integers and in float32. */
#include <math.h>
#include <stdio.h>

#include "core/powers.h"
#include "encodings/t5.h"

/*
 * The bucket of a distance n >= 0 within its direction (section 2.1): n below
 * E = one_way / 2, then E + floor(log(n / E) / log(M / E) (one_way - E)), at
 * most the last. That is the last bucket whose first distance is not above n.
 */
size_t t5_bucket_of(const struct t5_bucket *s, const double *first, double n)
{
	size_t low = 0, high = s->one_way;

	while (high - low > 1) {
		const size_t middle = (low + high) / 2;

		if (first[middle] <= n)
			low = middle;
		else
			high = middle;
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
 * The step of n >= E as float32 arithmetic has it. logf() is the C library's,
 * as it is for those who get these buckets: to round the logarithm correctly
 * would give others.
 */
static size_t torch_step(size_t n, size_t e, size_t m, size_t l)
{
	const float part = logf((float)n / (float)e);
	const float whole = (float)log((double)m / (double)e);
	const float step = part / whole * (float)l;

	return (size_t)step;
}

/* Move the first distance of step j to where float32 arithmetic has it. */
static void emulate_torch(double *first, size_t e, size_t m, size_t l,
			  size_t j)
{
	size_t n = (size_t)*first;

	while (n > e && torch_step(n - 1, e, m, l) >= j)
		n--;
	while (torch_step(n, e, m, l) < j)
		n++;
	*first = (double)n;
}

bool t5_boundaries(struct t5_bucket *s, struct table *t, struct error *err)
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

bool t5_note(const struct t5_bucket *s, struct table *t, double a, double b,
	     struct error *err)
{
	enum { ROOM = 192 };
	double least = 0, count = 0;
	char *text;

	for (size_t i = 0; i < s->one_way; i++) {
		const double first = fmin(s->exact[i], s->torch[i]);
		const double end = fmax(s->exact[i], s->torch[i]);
		const double from = fmax(first, a), to = fmin(end, b + 1);

		if (!(from < to))
			continue;
		least = count > 0 ? least : from;
		count += to - from;
	}
	if (!(count > 0))
		return true;
	t->note = text = table_alloc(t, ROOM, 1, err);
	if (text)
		snprintf(text, ROOM, "distance %zu has bucket %zu exactly and "
			 "%zu in torch's float32 (--emulate torch); distances "
			 "that differ: %zu", (size_t)least,
			 t5_bucket_of(s, s->exact, least),
			 t5_bucket_of(s, s->torch, least), (size_t)count);
	return text;
}
