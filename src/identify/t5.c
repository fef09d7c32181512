/* t5.c: T5's buckets, how many and up to which distance. */
#include <math.h>
#include <stdio.h>

#include "identify/identify.h"
#include "identify/rounding.h"

enum { TRIES = 300, TIES = 8 };

/* What the table shows of its buckets. */
struct buckets {
	char size[96]; /* "query-len=2 key-len=7 past=5" */
	bool causal;
	size_t one_way;	   /* buckets per direction */
	const struct profile *profile;
	size_t here;	   /* column of distance 0 in the last row, which
			      has the longest past */
};

/* The bucket of the key n positions before the query. */
static double past_bucket(const struct buckets *b, size_t n)
{
	return profile_row(b->profile, b->profile->n - 1)[b->here - n];
}

/*
 * Bounds of --max-distance M: bucket E + j begins at the distance n with
 * n - 1 < E (M / E)^(j / L) <= n. Float32 arithmetic moves that a little.
 */
static void bound_distance(const struct buckets *b, double *least, double *most)
{
	const double e = floor((double)b->one_way / 2);
	const double l = (double)b->one_way - e;

	*least = e + 1;
	*most = 0x1p31;
	for (size_t n = 1; n <= b->here; n++) {
		const double after = past_bucket(b, n) - e;
		const double before = past_bucket(b, n - 1) - e;

		if (after <= before || after < 1)
			continue;
		/* n is the first of one bucket, n - 1 the last of another. */
		*most = fmin(*most, e * pow((double)n / e, l / after) * 1.0001);
		*least = fmax(*least,
			      e * pow(((double)n - 1) / e, l / (before + 1)) *
				      0.9999);
	}
}

/* Try a --max-distance. */
static bool try_distance(struct search *s, const struct buckets *b, double most)
{
	const size_t all = b->causal ? b->one_way : 2 * b->one_way;
	const char *way = b->causal ? " causal" : "";

	return try_recipe(s, "t5-bucket", 0,
			  "%s%s num-buckets=%zu max-distance=%.0f",
			  b->size, way, all, most) ||
	       try_recipe(s, "t5-bucket", 0,
			  "%s%s num-buckets=%zu "
			  "max-distance=%.0f emulate=torch",
			  b->size, way, all, most);
}

/* Try the usual distances, then the roundest, then any between the bounds. */
static bool find_distance(struct search *s, const struct buckets *b)
{
	double least, most;
	bool found;

	if (b->one_way < 2)
		return false;
	bound_distance(b, &least, &most);
	if (least > most)
		return false;
	if (least <= 128 && most >= 128 && try_distance(s, b, 128))
		return true;
	for (int k = 1; k < 32; k++)
		if (ldexp(1, k) >= least && ldexp(1, k) <= most &&
		    try_distance(s, b, ldexp(1, k)))
			return true;
	found = try_distance(
		s, b,
		rint(round_to_nice((least + most) / 2, (most - least) / 2)));
	if (found && most - least > TIES)
		return true;
	for (int k = 0; k < TRIES && ceil(least) + k <= most; k++)
		if (try_distance(s, b, ceil(least) + k))
			found = true;
	return found;
}

/* Find the column of distance 0: the first value 0 of the last row. */
static bool find_here(const struct profile *p, struct buckets *b)
{
	const size_t last = p->n - 1;
	const double *row = profile_row(p, last);
	size_t at = 0;

	b->profile = p;
	while (at < p->cols && row[at] > 0)
		at++;
	if (at == p->cols || at < last || (at && row[at - 1] != 1))
		return false;
	b->here = at;
	if (p->n == 1)
		snprintf(b->size, sizeof b->size, "distances=-%zu:%zu", at,
			 p->cols - 1 - at);
	else
		snprintf(b->size, sizeof b->size,
			 "query-len=%zu key-len=%zu past=%zu",
			 p->n, p->cols, at - last);
	if (p->n == p->cols)
		snprintf(b->size, sizeof b->size, "len=%zu", p->n);
	return true;
}

void identify_t5(struct search *s)
{
	static const size_t usual[] = { 32, 64, 128, 256, 16, 8, 320 };
	const struct profile *p = s->profile;
	struct buckets b = { .causal = true };
	double top = 0;

	if (!p->integers || p->min < 0 || p->max > 8192 ||
	    p->n != p->table->rows || !profile_toeplitz(p) || !find_here(p, &b))
		return;
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = b.here - (p->n - 1) + i + 1; j < p->cols; j++)
			b.causal = b.causal && profile_row(p, i)[j] <= 0;
	for (size_t n = 0; n <= b.here; n++)
		top = fmax(top, past_bucket(&b, n));
	if (!b.causal) {
		/* Buckets of the future come after those of the past. */
		const double *x = profile_row(p, 0);
		const size_t at = b.here - (p->n - 1);

		b.one_way = (size_t)fmax(x[at + 1] - 1, 0);
		find_distance(s, &b);
		return;
	}
	b.one_way = (size_t)top + 1;
	if (find_distance(s, &b))
		return;
	for (size_t k = 0; k < sizeof usual / sizeof *usual; k++) {
		b.one_way = usual[k];
		if ((double)usual[k] > top && find_distance(s, &b))
			return;
	}
}
