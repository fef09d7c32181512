/*
 * measured.c: what is measured of a difference where no command is found for
 * both tables: noise, or signs.
 */
#include "compare/compare.h"
#include "identify/identify.h"

enum {
	LINES = 8,             /* rows and columns that tests of noise need */
	MOST_VALUES = 1 << 18, /* of more, the first rows are measured */
	CERTAIN = 4,           /* standard errors that noise may be off by */
};

/*
 * Whether the noisy table is the plain one with small, normal differences
 * that have no mean, and nothing in common with its values.
 */
static bool add_noise(const struct comparison *c, bool back,
		      char text[SENTENCE])
{
	const struct table *plain = back ? c->b : c->a;
	const struct table *noisy = back ? c->a : c->b;
	const char *x = back ? "B" : "A", *y = back ? "A" : "B";
	const double deviation = finite_values(plain).deviation;
	const size_t all = table_size(plain);
	const size_t n = all < MOST_VALUES ? all : MOST_VALUES;
	double mean = 0, centre = 0, square = 0, common = 0, sd, few;
	struct table room = { 0 }, d = *plain;
	struct error err = { 0 };
	double *e = table_alloc(&room, n, sizeof *e, &err);
	bool noise = e && 2 * c->differing > all;

	for (size_t k = 0; noise && k < n; k++) {
		const double from = value_of(plain, k);

		e[k] = value_of(noisy, k) - from;
		mean += e[k] / (double)n;
		centre += from / (double)n;
		square += e[k] * e[k] / (double)n;
		common += e[k] * from / (double)n;
	}
	common -= mean * centre;
	sd = sqrt(square);
	few = CERTAIN * sd / sqrt((double)n);
	d.planes = 1;
	d.cols = d.cols < LINES || n / d.cols < LINES ? LINES : d.cols;
	d.rows = n / d.cols;
	table_dense(&d, e);
	noise = noise && d.rows && sd > 0 && 2 * sd <= deviation &&
		fabs(mean) <= few && fabs(common) <= few * deviation &&
		looks_like_noise(&d, &room, &err);
	table_close(&room);
	if (noise)
		add(text, "%s is near %s: %s - %s looks like normal noise "
			  "with a standard deviation of %.2g (%.2g %% of %s's "
			  "variance)", y, x, y, x, sd,
		    100 * square / (deviation * deviation), x);
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
