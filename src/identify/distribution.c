/* distribution.c: whether values look normal or uniform. */
#include <math.h>

#include "identify/distribution.h"
#include "table/sort.h"

enum { SAMPLE = 1 << 16 };

/* Smaller probabilities reject: of the distance, of the largest value. */
#define DISTANCE_P 1e-4
#define EXTREME_P 1e-4
/* Greater ones, too: no draws are so evenly spread. */
#define EVEN_P 0.9999

/* Sorted values, and half of the interval that is rounded to each. */
struct sample {
	const struct profile *profile;
	double *x;
	size_t n;
};

/* Whether row i is one of zeros; of wide rows, each is read once. */
static bool is_zero_row(const struct profile *p, unsigned char *known, size_t i)
{
	enum { ZERO = 1, OTHER };

	if (p->n > SAMPLE)
		return profile_zero_row(p, i);
	if (!known[i])
		known[i] = profile_zero_row(p, i) ? ZERO : OTHER;
	return known[i] == ZERO;
}

/* Values spread over the table; none of its rows of zeros. */
static bool draw_sample(struct sample *s, const struct profile *p,
			struct table *owner, struct error *err)
{
	const size_t all = p->n * p->cols, n = all < SAMPLE ? all : SAMPLE;
	unsigned char *known = table_alloc(owner, SAMPLE, 1, err);

	*s = (struct sample){
		.profile = p, .x = table_alloc(owner, n, sizeof *s->x, err),
	};
	if (!s->x || !known)
		return false;
	for (size_t k = 0; k < n; k++) {
		const size_t at = all > SAMPLE ? sample_index(k, all) : k;
		const double x = profile_value(p, at / p->cols, at % p->cols);

		if (x != 0 || !is_zero_row(p, known, at / p->cols))
			s->x[s->n++] = x;
	}
	sort_doubles(s->x, s->n);
	return true;
}

/* Half of the interval that is rounded to x, as a dtype or as text. */
static double half_unit(const struct profile *p, double x)
{
	static const int bits[] = {
		[F64] = 53, [F32] = 24, [F16] = 11, [BF16] = 8,
	};
	const double last = p->decimals < MAX_DIGITS ? -p->decimals : -HUGE_VAL;
	double half;
	int exponent;

	frexp(x, &exponent);
	half = fmax(ldexp(0.5, exponent - bits[p->stored]),
		    p->stored == F16 ? 0x1p-25 : 0);
	if (p->digits < MAX_DIGITS)
		half = fmax(half, 0.5 * pow(10, fmax(floor(log10(fabs(x))) + 1 -
							     p->digits,
						     last)));
	return half;
}

static double normal_cdf(const struct distribution *d, double x)
{
	return 0.5 * erfc((d->mean - x) / (d->deviation * sqrt(2)));
}

static double uniform_cdf(const struct distribution *d, double x)
{
	return fmax(0, fmin(1, (x - d->min) / (d->max - d->min)));
}

/*
 * The largest distance between the empirical distribution function of the
 * values first to last - 1 and cdf(), where rounding leaves the former known.
 */
static double largest_distance(const struct sample *s,
			       const struct distribution *d, size_t first,
			       size_t last,
			       double (*cdf)(const struct distribution *d,
					     double x))
{
	const double n = (double)(last - first);
	double most = 0;

	for (size_t i = first, j; i < last; i = j) {
		const double x = s->x[i], half = half_unit(s->profile, x);

		for (j = i + 1; j < last && s->x[j] <= x; j++)
			;
		most = fmax(most, cdf(d, x - half) - (double)(i - first) / n);
		most = fmax(most, (double)(j - first) / n - cdf(d, x + half));
	}
	return most;
}

/* The probability that draws from a known distribution are further away. */
static double kolmogorov_p(double distance, double n)
{
	const double x = (sqrt(n) + 0.12 + 0.11 / sqrt(n)) * distance;
	double sum = 0;

	if (x < 0.3)
		return 1;
	for (int k = 1; k < 100; k++)
		sum += (k % 2 ? 2 : -2) * exp(-2 * k * k * x * x);
	return fmin(1, sum);
}

/*
 * The same for a normal distribution whose mean and deviation were estimated
 * (Lilliefors 1967): the tail by Dallal and Wilkinson 1986 for many values,
 * the rest quantiles of 60,000 samples of 1500 values.
 */
static double lilliefors_p(double distance, double n)
{
	static const double quantiles[][2] = {
		{ 0.294, 0.9999 }, { 0.327, 0.999 }, { 0.374, 0.99 },
		{ 0.428, 0.95 },   { 0.460, 0.9 },   { 0.507, 0.8 },
		{ 0.544, 0.7 },	   { 0.579, 0.6 },   { 0.615, 0.5 },
		{ 0.652, 0.4 },	   { 0.696, 0.3 },   { 0.751, 0.2 },
		{ 0.834, 0.1 },
	};
	const size_t count = sizeof quantiles / sizeof *quantiles;
	const double x = (sqrt(n) - 0.01 + 0.85 / sqrt(n)) * distance;
	size_t k = 0;

	while (k < count && x > quantiles[k][0])
		k++;
	if (k == 0)
		return 1;
	if (k == count)
		return exp(-7.01256 * x * x + 2.99587 * x - 0.122119);
	return quantiles[k - 1][1] +
	       (x - quantiles[k - 1][0]) /
		       (quantiles[k][0] - quantiles[k - 1][0]) *
		       (quantiles[k][1] - quantiles[k - 1][1]);
}

static void measure_moments(struct distribution *d, const struct sample *s)
{
	double squares = 0;
	size_t zeros = 0;

	d->different = 1;
	for (size_t i = 0; i < s->n; i++) {
		d->mean += s->x[i] / (double)s->n;
		zeros += s->x[i] == 0;
		d->different += i && s->x[i] > s->x[i - 1];
	}
	for (size_t i = 0; i < s->n; i++)
		squares += (s->x[i] - d->mean) * (s->x[i] - d->mean);
	d->deviation = sqrt(squares / (double)s->n);
	d->zeros = (double)zeros / (double)s->n;
}

/*
 * Whether most values occur 2 times, or most 3 times, and so on. Rounding makes
 * independent draws coincide, but the share of those that occur exactly so many
 * times is at most exp(-1): their numbers are Poisson distributed.
 */
static bool is_copied(const struct sample *s)
{
	enum { MOST_TIMES = 8 };
	size_t of[MOST_TIMES + 1] = { 0 }, most = 0;

	for (size_t i = 0, n; i < s->n; i += n) {
		for (n = 1; i + n < s->n && s->x[i + n] <= s->x[i]; n++)
			;
		if (n > 1 && n <= MOST_TIMES)
			of[n] += n;
	}
	for (size_t n = 2; n <= MOST_TIMES; n++)
		most = of[n] > most ? of[n] : most;
	return (double)most > 0.6 * (double)s->n;
}

/*
 * How many values equal the one at from, in the direction of step, where others
 * follow.
 */
static size_t equal_values(const struct sample *s, size_t from, int step)
{
	size_t n = 1;

	while (s->x[step < 0 ? from - n : from + n] == s->x[from])
		n++;
	return n;
}

/*
 * Whether an end of the values, at least three of which differ, is far more
 * frequent than the value next.
 */
static bool is_clipped(const struct sample *s)
{
	const size_t low = equal_values(s, 0, 1);
	const size_t high = equal_values(s, s->n - 1, -1);

	return low > 4 + 4 * equal_values(s, low, 1) ||
	       high > 4 + 4 * equal_values(s, s->n - 1 - high, -1);
}

bool distribution_test(struct distribution *d, const struct profile *p,
		       struct table *owner, struct error *err)
{
	struct sample s;
	double n, far, tail;

	*d = (struct distribution){ .n = 0 };
	if (!draw_sample(&s, p, owner, err))
		return false;
	d->n = s.n;
	/* All of the sample may be in rows of zeros. */
	if (!s.n)
		return true;
	d->min = s.x[0];
	d->max = s.x[s.n - 1];
	measure_moments(d, &s);
	if (d->different < 3)
		return true;
	d->clipped = is_clipped(&s);
	d->copied = is_copied(&s);
	n = (double)s.n;
	d->normal_p = lilliefors_p(largest_distance(&s, d, 0, s.n, normal_cdf),
				   n);
	/* Between the ends, the other values are draws from a known one. */
	d->uniform_p = kolmogorov_p(
		largest_distance(&s, d, 1, s.n - 1, uniform_cdf), n - 2);
	far = fmax(d->max - d->mean, d->mean - d->min) / d->deviation;
	tail = exp(n * log1p(-erfc(far / sqrt(2))));
	d->extreme_p = 2 * fmin(tail, 1 - tail);
	return true;
}

static bool is_likely(double p)
{
	return p > DISTANCE_P && p < EVEN_P;
}

bool looks_normal(const struct distribution *d)
{
	return !d->clipped && is_likely(d->normal_p) &&
	       d->extreme_p > EXTREME_P;
}

bool looks_uniform(const struct distribution *d)
{
	return !d->clipped && is_likely(d->uniform_p);
}
