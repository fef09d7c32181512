/* t5_slips.c: T5's buckets as code has them that strays from the formula. */
#include <math.h>
#include <string.h>

#include "identify/identify.h"

enum slip { ROUNDED, UP, ENDLESS, FEWER, ALIKE, SLIPS };

static const char *const words[SLIPS] = {
	[ROUNDED] = "logarithms are rounded to the nearest bucket, not down",
	[UP] = "logarithms are rounded up, not down",
	[ENDLESS] = "far distances have buckets beyond the last one",
	[FEWER] = "logarithms are multiplied by one bucket too few",
	[ALIKE] = "keys after the query have the same buckets as those before",
};

/* Usual numbers of buckets of one direction, and largest distances. */
static const double sizes[] = { 16, 32, 64, 128, 8 };
static const double farthest[] = { 128, 64, 256, 512, 1024, 32 };

struct buckets {
	enum slip slip;
	double size, most;
	bool causal;
};

/* The bucket of a distance; nudge: what rounding adds to logarithms. */
static double bucket(const struct buckets *b, double distance, double nudge)
{
	const double n = fabs(distance), e = floor(b->size / 2);
	const double scale = b->size - e - (b->slip == FEWER);
	const double x = e + log(n / e) / log(b->most / e) * scale + nudge;
	double y = n;

	if (b->causal && distance > 0)
		return 0;
	if (n >= e)
		y = b->slip == ROUNDED ? rint(x) : b->slip == UP ? ceil(x)
		    : floor(x);
	if (b->slip != ENDLESS)
		y = fmin(y, b->size - 1);
	return distance > 0 && b->slip != ALIKE ? y + b->size : y;
}

/* Whether row i has these buckets, key here being at distance 0. */
static bool has_row(const struct profile *p, const struct buckets *b, size_t i,
		    size_t here)
{
	for (size_t j = 0; j < p->cols; j++) {
		const double x = profile_row(p, i)[j];
		const double d = (double)j - (double)here;

		if (fabs(x - bucket(b, d, 1e-5)) > 0 &&
		    fabs(x - bucket(b, d, -1e-5)) > 0)
			return false;
	}
	return true;
}

void identify_t5_slips(struct search *s)
{
	const struct profile *p = s->profile;
	const double *row = profile_row(p, p->n - 1);
	struct buckets b;
	size_t here = 0;

	if (s->n || s->verdict || !p->integers || p->min < 0 || p->max > 512 ||
	    p->n != p->table->rows || !profile_toeplitz(p))
		return;
	while (here < p->cols && row[here] > 0)
		here++;
	if (here == p->cols || here + 1 < p->n)
		return;
	for (size_t k = 0; k < COUNT(sizes) * COUNT(farthest) * SLIPS * 2;
	     k++) {
		const size_t kind = k / 2 % SLIPS;
		const size_t size = k / 2 / SLIPS;

		b = (struct buckets){
			.slip = (enum slip)kind, .causal = k % 2,
			.size = sizes[size / COUNT(farthest)],
			.most = farthest[size % COUNT(farthest)],
		};
		/* Few logarithms are those of many formulas. */
		if ((b.causal && kind == ALIKE) || b.most <= b.size ||
		    (double)here < 1.5 * b.size ||
		    !has_row(p, &b, p->n - 1, here) ||
		    !has_row(p, &b, 0, here - (p->n - 1)))
			continue;
		s->verdict = search_text(s, "T5's buckets with a mistake: %s "
					 "(%.0f buckets%s, distances up to "
					 "%.0f)", words[kind], b.causal
					 ? b.size : 2 * b.size, b.causal
					 ? ", causal" : "", b.most);
		s->family = "t5-bucket";
		return;
	}
}
