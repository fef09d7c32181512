/*
 * measured.c: what is measured of a difference where no command is found for
 * both tables: noise, or signs.
 */
#include "compare/compare.h"

enum {
	LEAST_VALUES = 64,     /* fewer tell nothing of noise */
	CERTAIN = 4,           /* standard errors that noise may be off by */
	LAGS = 8,              /* rows and columns apart, where noise differs */
};

/* One table, and the other that may be it with noise. */
struct pair {
	const struct table *plain, *noisy;
	double n, mean;        /* of values, and of differences */
	double variance;       /* of differences, */
	double fourth;         /* and their fourth moment: 3 of normal noise */
	double common;         /* the mean product with the plain table's */
};

/* noisy - plain at row i of all and column j. */
static double difference(const struct pair *p, size_t i, size_t j)
{
	return row_of(p->noisy, i)[j] - row_of(p->plain, i)[j];
}

static struct pair measure_pair(const struct table *plain,
				const struct table *noisy)
{
	const size_t rows = plain->planes * plain->rows, cols = plain->cols;
	struct pair p = { plain, noisy, .n = (double)rows * (double)cols };
	double mean = 0;

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < cols; j++) {
			p.mean += difference(&p, i, j) / p.n;
			mean += row_of(plain, i)[j] / p.n;
		}
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < cols; j++) {
			const double d = difference(&p, i, j) - p.mean;

			p.variance += d * d / p.n;
			p.fourth += d * d * d * d / p.n;
			p.common += d * (row_of(plain, i)[j] - mean) / p.n;
		}
	p.fourth /= p.variance * p.variance;
	return p;
}

/* Whether differences so many rows and columns apart have nothing in common. */
static bool apart(const struct pair *p, size_t down, size_t right)
{
	const size_t rows = p->plain->planes * p->plain->rows;
	double sum = 0, n = 0;

	for (size_t i = down; i < rows; i++)
		for (size_t j = right; j < p->plain->cols; j++) {
			sum += (difference(p, i, j) - p->mean) *
			       (difference(p, i - down, j - right) - p->mean);
			n++;
		}
	return fabs(sum) <= CERTAIN * sqrt(n) * p->variance;
}

/*
 * Whether the noisy table is the plain one with small, normal differences
 * that have no mean, and nothing in common with its values or with their own
 * neighbours.
 */
static bool add_noise(const struct comparison *c, bool back,
		      char text[SENTENCE])
{
	const struct pair p = measure_pair(back ? c->b : c->a,
					   back ? c->a : c->b);
	const double deviation = finite_values(p.plain).deviation;
	const double sd = sqrt(p.variance), few = CERTAIN / sqrt(p.n);
	const char *x = back ? "B" : "A", *y = back ? "A" : "B";
	bool noise = p.n >= LEAST_VALUES && sd > 0 && 2 * sd <= deviation &&
		     2 * (double)c->differing > p.n &&
		     fabs(p.mean) <= few * sd &&
		     fabs(p.fourth - 3) <= few * sqrt(24) &&
		     fabs(p.common) <= few * sd * deviation;

	for (size_t k = 1; noise && k <= LAGS; k++)
		noise = apart(&p, k, 0) && apart(&p, 0, k);
	if (noise)
		add(text, "%s is near %s: %s - %s looks like normal noise "
			  "with a standard deviation of %.2g (%.2g %% of %s's "
			  "variance)", y, x, y, x, sd,
		    100 * p.variance / (deviation * deviation), x);
	return noise;
}

bool same_magnitudes(const struct comparison *c)
{
	for (size_t i = 0; i < c->a->planes * c->a->rows; i++)
		for (size_t j = 0; j < c->a->cols; j++)
			if (value_difference(fabs(row_of(c->a, i)[j]),
					     fabs(row_of(c->b, i)[j])) > 0)
				return false;
	return true;
}

/* Values that differ in their signs; or of which one table has none. */
static void add_signs(const struct comparison *c, char text[SENTENCE])
{
	if (!(finite_values(c->b).low < 0))
		add(text, "B is the absolute values of A");
	else if (!(finite_values(c->a).low < 0))
		add(text, "A is the absolute values of B");
	else
		add(text, "B is A with the signs of %zu values changed",
		    c->differing);
}

void add_measured(const struct comparison *c, char text[SENTENCE])
{
	const struct finite a = finite_values(c->a), b = finite_values(c->b);

	if (!c->shaped)
		return;
	if (table_size(c->a) > 1 && a.low >= a.high && b.low >= b.high &&
	    !c->nans && isfinite(c->absolute.value))
		add(text, "all values of A are %.9g, those of B %.9g", a.low,
		    b.low);
	else if (same_magnitudes(c))
		add_signs(c, text);
	else if (!add_noise(c, false, text))
		add_noise(c, true, text);
}
