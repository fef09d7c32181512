/* unknown.c: what can be said of a table that no formula makes. */
#include <math.h>
#include <string.h>

#include "identify/snap.h"
#include "identify/unknown.h"

/* The fourth moment in units of the deviation: 3 of a normal, 1.8 uniform. */
static double kurtosis(const struct sight *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < s->cols; j++)
			sum += pow((sight_row(s, i)[j] - s->mean) /
				   s->deviation, 4);
	return sum / ((double)s->n * (double)s->cols);
}

/* The mean cosine of each row and the next, from the mean of all. */
static double likeness(const struct sight *s)
{
	double sum = 0;

	for (size_t i = 0; i + 1 < s->n; i++) {
		const double *x = sight_row(s, i), *y = sight_row(s, i + 1);
		double xx = 0, yy = 0, xy = 0;

		for (size_t j = 0; j < s->cols; j++) {
			const double a = x[j] - s->mean, b = y[j] - s->mean;

			xx += a * a;
			yy += b * b;
			xy += a * b;
		}
		sum += xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
	}
	return s->n > 1 ? sum / (double)(s->n - 1) : 0;
}

/* Whether vector (i, j) of planes of rows is always that of (i - 1, j - 1). */
static bool toeplitz_vectors(const struct sight *s)
{
	const size_t keys = s->table->rows, bytes = s->cols * sizeof(double);

	for (size_t i = keys; i < s->n; i += keys)
		for (size_t j = 1; j < keys; j++)
			if (memcmp(sight_row(s, i + j),
				   sight_row(s, i + j - keys - 1), bytes) != 0)
				return false;
	return s->table->planes > 2 && keys > 2;
}

/* What structure says where numbers don't; or NULL. */
static const char *structure(const struct sight *s)
{
	if (s->table->rows > 2 && s->cols > 2 && sight_toeplitz(s))
		return "learned or unknown, and relative: each plane depends "
		       "on the distance of query and key alone, as T5's biases "
		       "do";
	if (toeplitz_vectors(s))
		return "learned or unknown, and relative: a vector for each "
		       "distance of query and key, as Shaw's";
	return NULL;
}

/* Enough numbers for their distribution to mean something. */
enum { NUMBERS_MANY = 200 };

static void distribution(const struct sight *s, double fourth, double alike,
			 struct report *r)
{
	const double count = (double)s->n * (double)s->cols;
	const bool centred = fabs(s->mean) < 5 * s->deviation / sqrt(count);
	const double round = snap(s->deviation, 3 * s->deviation / sqrt(count));
	const bool fresh = fabs(alike) < 5 / sqrt(count);
	/* Of uniform numbers it is 1.8, and nearer to that than a normal's. */
	const bool flat = fourth < 2.2;

	if (count < NUMBERS_MANY)
		report_headline(r, "unknown: no scheme makes these %.0f "
				"numbers", count);
	else if (centred && fresh && !flat &&
		 fabs(fourth - 3) < 20 / sqrt(count))
		report_headline(r, "drawn at random: normal with standard "
				"deviation %.9g, as learned tables are before "
				"training", round);
	else if (fresh && flat && fabs(fourth - 1.8) < 20 / sqrt(count))
		report_headline(r, "drawn at random: uniform from %.3g to "
				"%.3g", s->lo, s->hi);
	else if (fresh)
		report_headline(r, "learned or unknown: no scheme makes it, "
				"and neighbouring rows are not alike");
	else
		report_headline(r, "learned or unknown: no scheme makes it, "
				"and neighbouring rows are alike (mean cosine "
				"%.3g)", alike);
}

static void evidence(const struct sight *s, const char *verdict,
		     struct report *r)
{
	const double fourth = kurtosis(s), alike = likeness(s);

	if (verdict)
		report_headline(r, "%s", verdict);
	else
		distribution(s, fourth, alike, r);
	report_group(r, "evidence");
	report_number(r, "rows", (double)s->n, NULL);
	report_number(r, "columns", (double)s->cols, NULL);
	report_text(r, "dtype", "%s", dtype_name(s->stored));
	report_number(r, "least", s->lo, NULL);
	report_number(r, "greatest", s->hi, NULL);
	report_number(r, "mean", s->mean, NULL);
	report_number(r, "standard_deviation", s->deviation, NULL);
	report_number(r, "kurtosis", fourth, "(normal 3, uniform 1.8)");
	report_number(r, "neighbours_cosine", alike, NULL);
}

void unknown_report(const struct sight *s, const char *verdict,
		    struct report *r)
{
	r->no = true;
	if (!s->finite)
		report_headline(r, "unknown: some numbers are not finite, and "
				"it is no mask");
	else if (!(s->hi > s->lo))
		report_headline(r, "every number is %.9g: nothing here tells "
				"one position from another", s->lo);
	else
		evidence(s, verdict ? verdict : structure(s), r);
}
