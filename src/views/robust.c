/* robust.c: medians. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "exact/bits.h"
#include "views/robust.h"

/* x[i] if signed, else |x[i] - center|; only the finite ones count. */
struct sample {
	const double *x;
	size_t n;
	double center;
	bool is_signed;
};

static double sample_at(const struct sample *s, size_t i)
{
	return s->is_signed ? s->x[i] : fabs(s->x[i] - s->center);
}

#define SIGN ((uint64_t)1 << 63)

/* The bits of x as an integer that grows with x. */
static uint64_t rank_of(double x)
{
	const uint64_t u = bits_of(x + 0.0);

	return u & SIGN ? ~u : u | SIGN;
}

/* The least value above y. */
static double least_above(const struct sample *s, double y)
{
	double least = HUGE_VAL;

	for (size_t i = 0; i < s->n; i++) {
		const double z = sample_at(s, i);

		if (isfinite(s->x[i]) && z > y && z < least)
			least = z;
	}
	return least;
}

/* Values whose rank begins with some known bits. */
enum { DIGIT = 11, DIGITS = 1 << DIGIT };
struct prefix {
	uint64_t rank, known;
	size_t n;               /* how many */
	uint64_t low, high;     /* the least and the largest rank */
	size_t counts[DIGITS];  /* of the DIGIT bits that follow */
};

static void count_digits(const struct sample *s, struct prefix *p, int shift)
{
	p->n = 0;
	p->low = UINT64_MAX;
	p->high = 0;
	memset(p->counts, 0, sizeof p->counts);
	for (size_t i = 0; i < s->n; i++) {
		const uint64_t r = rank_of(sample_at(s, i));

		if ((r & p->known) != p->rank || !isfinite(s->x[i]))
			continue;
		p->n++;
		p->counts[r >> shift & (DIGITS - 1)]++;
		p->low = r < p->low ? r : p->low;
		p->high = r > p->high ? r : p->high;
	}
}

/*
 * The median of count finite values, found by some bits of its rank at a time.
 * It needs no memory, and no order of the values makes it slow.
 */
static double median(const struct sample *s, size_t count)
{
	size_t k = (count - 1) / 2;  /* so many values of the prefix precede */
	struct prefix p = { 0 };
	int shift = 64 - DIGIT;
	double low;  /* with k smaller ones */

	for (count_digits(s, &p, shift); p.low < p.high;
	     count_digits(s, &p, shift)) {
		size_t digit = 0;

		while (k >= p.counts[digit])
			k -= p.counts[digit++];
		p.rank |= (uint64_t)digit << shift;
		p.known |= (uint64_t)(DIGITS - 1) << shift;
		shift = shift > DIGIT ? shift - DIGIT : 0;
	}
	low = double_of(p.low & SIGN ? p.low ^ SIGN : ~p.low);
	if (count % 2 || k + 1 < p.n)
		return low;
	return (low + least_above(s, low)) / 2;
}

struct robust measure_robust(const double *x, size_t n)
{
	struct robust m = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += isfinite(x[i]) != 0;
	if (count) {
		m.median = median(&(struct sample){ x, n, 0, true }, count);
		m.deviation = 1.4826 *
			median(&(struct sample){ x, n, m.median, false },
			       count);
	}
	return m;
}
