/* unrecognized.c: the report on a table without a match. */
#include <math.h>
#include <string.h>

#include "identify/identify.h"
#include "identify/rounding.h"

/* Fourth standardized moment: 3 if normal, 1.8 if uniform. */
static double kurtosis(const struct profile *p)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++)
			sum += pow((profile_row(p, i)[j] - p->mean) /
					   p->deviation,
				   4);
	return sum / ((double)p->n * (double)p->cols);
}

/* The mean cosine of adjacent rows, less the mean of all values. */
static double adjacent_cosine(const struct profile *p)
{
	double sum = 0;

	for (size_t i = 0; i + 1 < p->n; i++) {
		const double *x = profile_row(p, i), *y = profile_row(p, i + 1);
		double xx = 0, yy = 0, xy = 0;

		for (size_t j = 0; j < p->cols; j++) {
			const double a = x[j] - p->mean, b = y[j] - p->mean;

			xx += a * a;
			yy += b * b;
			xy += a * b;
		}
		sum += xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
	}
	return p->n > 1 ? sum / (double)(p->n - 1) : 0;
}

/* Whether row j of plane i always equals row j - 1 of plane i - 1. */
static bool toeplitz_vectors(const struct profile *p)
{
	const size_t keys = p->table->rows, bytes = p->cols * sizeof(double);

	for (size_t i = keys; i < p->n; i += keys)
		for (size_t j = 1; j < keys; j++)
			if (memcmp(profile_row(p, i + j),
				   profile_row(p, i + j - keys - 1),
				   bytes) != 0)
				return false;
	return p->table->planes > 2 && keys > 2;
}

/* A verdict from the table's structure, or NULL. */
static const char *structure(const struct profile *p)
{
	if (p->table->rows > 2 && p->cols > 2 && profile_toeplitz(p))
		return "no match found: learned or unknown relative biases; "
		       "each plane depends only on the distance of query and "
		       "key, as T5's biases do";
	if (toeplitz_vectors(p))
		return "no match found: learned or unknown relative vectors; "
		       "one for each distance of query and key, as Shaw's";
	return NULL;
}

/* Enough values to tell their distribution. */
enum { MANY_VALUES = 200 };

static void distribution(const struct profile *p, double fourth, double cosine,
			 struct report *r)
{
	const double count = (double)p->n * (double)p->cols;
	const bool centred = fabs(p->mean) < 5 * p->deviation / sqrt(count);
	const double round =
		round_to_nice(p->deviation, 3 * p->deviation / sqrt(count));
	const bool unrelated = fabs(cosine) < 5 / sqrt(count);
	/* Nearer to 1.8 of a uniform distribution than to 3 of a normal one. */
	const bool flat = fourth < 2.2;

	if (count < MANY_VALUES)
		report_headline(r, "no match found: no command that was tried "
				"makes these %.0f values", count);
	else if (centred && unrelated && !flat &&
		 fabs(fourth - 3) < 20 / sqrt(count))
		report_headline(r, "no match found: the values look random, "
				"normal with standard deviation %.9g, as in "
				"learned tables before training", round);
	else if (unrelated && flat && fabs(fourth - 1.8) < 20 / sqrt(count))
		report_headline(r, "no match found: the values look random, "
				"uniform from %.3g to %.3g", p->min, p->max);
	else if (unrelated)
		report_headline(r, "no match found: learned or unknown; "
				"adjacent rows are not similar");
	else
		report_headline(r, "no match found: learned or unknown; "
				"adjacent rows are similar (mean cosine %.3g)",
				cosine);
}

static void evidence(const struct profile *p, const char *verdict,
		     struct report *r)
{
	const double fourth = kurtosis(p), cosine = adjacent_cosine(p);

	if (verdict)
		report_headline(r, "%s", verdict);
	else
		distribution(p, fourth, cosine, r);
	report_group(r, "evidence");
	report_number(r, "rows", (double)p->n, NULL);
	report_number(r, "columns", (double)p->cols, NULL);
	report_text(r, "dtype", "%s", dtype_name(p->stored));
	report_number(r, "min", p->min, NULL);
	report_number(r, "max", p->max, NULL);
	report_number(r, "mean", p->mean, NULL);
	report_number(r, "standard_deviation", p->deviation, NULL);
	report_number(r, "excess_kurtosis", fourth - 3,
		      "(normal: 0, uniform: -1.2)");
	report_number(r, "adjacent_row_cosine", cosine, "(mean)");
}

void report_unrecognized(const struct profile *p, const char *verdict,
			 struct report *r)
{
	r->no = true;
	if (!p->finite)
		report_headline(r, "no match found: some values are infinite "
				"or NaN, and the table is not a known mask");
	else if (!(p->max > p->min))
		report_headline(r, "all values are %.9g: the table does not "
				"tell positions apart", p->min);
	else
		evidence(p, verdict ? verdict : structure(p), r);
}
