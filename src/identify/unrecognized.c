/* unrecognized.c: the report on a table without a match. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/draws.h"
#include "identify/identify.h"
#include "identify/rounding.h"

enum {
	MANY_VALUES = 200,      /* enough to test whether lines are related, */
	SAMPLE_VALUES = 1 << 22, /* of larger tables, every so many rows */
	RANDOM_VALUES = 1000,   /* and to tell similar distributions apart */
	FEW_DIFFERENT = 256,    /* values of a table that was quantized; */
	FEW_DECIMALS = 16,      /* or of one that was rounded as text */
};

/* Values of other magnitudes have squares that are out of range. */
#define LEAST_SQUARED 1e-100
#define MOST_SQUARED 1e100

/* What was found out about a table without a match. */
struct unrecognized {
	const struct profile *profile;
	double unit;           /* of its values, deviations and differences */
	struct profile scaled; /* of those, if the unit is not 1 */
	struct table table;
	struct distribution values;
	bool tested;           /* there are enough rows and columns for */
	struct independence lines;
	size_t zero_rows, zero_row; /* how many, the first */
};

/*
 * The mean cosine of adjacent rows, less the mean of all values; of large
 * tables, every step-th.
 */
static double adjacent_cosine(const struct profile *p, size_t step)
{
	double sum = 0, count = 0;

	for (size_t i = 0; i + 1 < p->n; i += step) {
		const double *x = profile_row(p, i), *y = profile_row(p, i + 1);
		double xx = 0, yy = 0, xy = 0;

		for (size_t j = 0; j < p->cols; j++) {
			const double a = x[j] - p->mean, b = y[j] - p->mean;

			xx += a * a;
			yy += b * b;
			xy += a * b;
		}
		sum += xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
		count++;
	}
	return p->n > 1 ? sum / count : 0;
}

static bool same_rows(const struct profile *p, size_t i, size_t k)
{
	return memcmp(profile_row(p, i), profile_row(p, k),
		      p->cols * sizeof(double)) == 0;
}

/* Whether row j of plane i always equals row j - 1 of plane i - 1. */
static bool toeplitz_vectors(const struct profile *p)
{
	const size_t keys = p->table->rows;

	for (size_t i = keys; i < p->n; i++)
		if (i % keys && !same_rows(p, i, i - keys - 1))
			return false;
	return p->table->planes > 2 && keys > 2;
}

static bool all_equal(const struct profile *p)
{
	for (size_t i = 1; i < p->n; i++)
		if (!same_rows(p, i, 0))
			return false;
	return p->n > 1;
}

/* A verdict from the table's structure, or NULL. */
static const char *structure(const struct profile *p)
{
	if (all_equal(p))
		return "no match found: all rows are equal, so the table does "
		       "not tell positions apart";
	if (p->table->rows > 2 && p->cols > 2 && profile_toeplitz(p))
		return "no match found: learned or unknown relative biases; "
		       "each plane depends only on the distance of query and "
		       "key, as T5's biases do";
	if (toeplitz_vectors(p))
		return "no match found: learned or unknown relative vectors; "
		       "one for each distance of query and key, as Shaw's";
	return NULL;
}

enum { WHY = 160 };        /* bytes of a sentence */

/*
 * Say what the k-th of RELATIONS tests found of rows or columns, "lines", the
 * most telling first; whether it found anything.
 */
enum { RELATIONS = 8 };

static bool relation(const struct lines *t, const char *lines, int k,
		     double unit, char text[WHY])
{
	const bool correlated = fabs(t->correlation_z) > REJECTED;
	const double *norms = t->norms, *means = t->means;

	text[0] = '\0';
	if (k == 0 && t->repeated)
		snprintf(text, WHY, "some %s are equal, such as %zu and %zu",
			 lines, t->equal[0], t->equal[1]);
	else if (k == 1 && t->orthogonal)
		snprintf(text, WHY, "the %s are orthogonal and have equal "
			 "norms (%.3g)", lines, norms[0] * unit);
	else if (k == 6 && t->norm_z < -REJECTED)
		snprintf(text, WHY, "all %s have nearly the same norm (%.3g to "
			 "%.3g)", lines, norms[0] * unit, norms[1] * unit);
	else if (k == 2 && correlated && t->lag == 1)
		snprintf(text, WHY, "neighbouring %s are correlated (%.2g)",
			 lines, t->correlation);
	else if (k == 3 && correlated && t->lag == 0)
		snprintf(text, WHY, "the first %s are correlated with the "
			 "last ones in reverse order (%.2g)", lines,
			 t->correlation);
	else if (k == 3 && correlated && t->lag > 1)
		snprintf(text, WHY, "%s %zu apart are correlated (%.2g)",
			 lines, t->lag, t->correlation);
	else if (k == 4 && t->mean_z > REJECTED)
		snprintf(text, WHY, "the %s have different means (%.3g to "
			 "%.3g)", lines, means[0] * unit, means[1] * unit);
	else if (k == 5 && t->norm_z > REJECTED)
		snprintf(text, WHY, "the %s have different norms (%.3g to "
			 "%.3g)", lines, norms[0] * unit, norms[1] * unit);
	else if (k == 6 && t->mean_z < -REJECTED)
		snprintf(text, WHY, "all %s have nearly the same mean (%.3g to "
			 "%.3g)", lines, means[0] * unit, means[1] * unit);
	else if (k == 7 && t->product_z > REJECTED)
		snprintf(text, WHY, "pairs of %s are too similar for draws "
			 "(effective rank about %.2g)", lines, t->rank);
	else if (k == 7 && t->product_z < -REJECTED)
		snprintf(text, WHY, "pairs of %s are too nearly orthogonal "
			 "for draws", lines);
	return text[0];
}

/* Why the values are no independent draws, or NULL. */
static const char *dependence(const struct unrecognized *u, char text[WHY])
{
	const struct independence *t = &u->lines;

	for (int k = 0; k < RELATIONS; k++) {
		if (k == 2 && t->rank == 1)
			return "all rows are multiples of one, up to rounding "
			       "(rank 1)";
		if (k == 2 && t->rank) {
			snprintf(text, WHY, "all rows are combinations of %zu "
				 "of them, up to rounding (rank %zu)", t->rank,
				 t->rank);
			return text;
		}
		if (relation(&t->rows, "rows", k, u->unit, text) ||
		    relation(&t->columns, "columns", k, u->unit, text))
			return text;
	}
	if (fabs(t->symmetry_z) > REJECTED)
		return t->symmetry_z > 0 ? "the table is nearly symmetric"
					 : "the table is nearly antisymmetric";
	return u->values.copied ? "most values occur more than once" : NULL;
}

/* "Apart from ..., ", or nothing. */
static const char *except_zero_rows(const struct unrecognized *u,
				    char text[80])
{
	text[0] = '\0';
	if (u->zero_rows == 1)
		snprintf(text, 80, "apart from row %zu, which is zero, ",
			 u->zero_row);
	else if (u->zero_rows)
		snprintf(text, 80, "apart from %zu rows that are zero, ",
			 u->zero_rows);
	return text;
}

/* Say which distribution, normal or uniform, values look like draws from. */
static void say_distribution(const struct unrecognized *u, char text[WHY])
{
	const struct distribution *d = &u->values;
	const double deviation = d->deviation * u->unit;
	const double centre = d->mean * u->unit;
	const double error = deviation / sqrt((double)d->n);
	char mean[64] = "";

	if (fabs(centre) > 4 * error)
		snprintf(mean, sizeof mean, "mean %.9g and ",
			 copysign(round_to_nice(fabs(centre), 3 * error),
				  centre));
	if (looks_normal(d))
		snprintf(text, WHY, "a normal distribution with %sstandard "
			 "deviation %.9g (Kolmogorov-Smirnov p = %.2g)", mean,
			 round_to_nice(deviation, 2 * error), d->normal_p);
	else
		snprintf(text, WHY, "a uniform distribution; they are between "
			 "%.3g and %.3g (Kolmogorov-Smirnov p = %.2g)",
			 d->min * u->unit, d->max * u->unit, d->uniform_p);
}

/* Few different values are no draws from a continuous distribution. */
static bool few_different(const struct unrecognized *u)
{
	return u->values.different <= (u->profile->digits < MAX_DIGITS
					       ? FEW_DECIMALS
					       : FEW_DIFFERENT);
}

/* What was tested may be a part of the table. */
static const char *tested_part(const struct unrecognized *u, char text[96])
{
	const struct lines *t = &u->lines.rows;

	text[0] = '\0';
	if ((t->n + u->zero_rows) * t->length !=
	    u->profile->n * u->profile->cols)
		snprintf(text, 96, " in the first %zu rows and %zu columns",
			 t->n, t->length);
	return text;
}

/* What tests found. */
static void report_tests(const struct unrecognized *u, struct report *r)
{
	const struct distribution *d = &u->values;
	char text[WHY], rest[96], zeros[80];
	const char *why = u->tested ? dependence(u, text) : NULL;
	/* All values of float64 from 2^53 on are integers. */
	const bool integers =
		u->profile->integers && fmax(-d->min, d->max) < 0x1p53;

	except_zero_rows(u, zeros);
	if (d->n < MANY_VALUES)
		report_headline(r, "no match found: no command that was tried "
				"makes these %zu values",
				u->profile->n * u->profile->cols);
	else if (few_different(u) || integers)
		report_headline(r, "no match found: %s%zu different %s among "
				"%zu values", zeros, d->different,
				integers ? "integers" : "numbers", d->n);
	else if (d->zeros > 0.25)
		report_headline(r, "no match found: %s%.0f %% of the values "
				"are 0", zeros, 100 * d->zeros);
	else if (why)
		report_headline(r, "no match found: %s%s", why,
				tested_part(u, rest));
	else if (!u->tested || d->n < RANDOM_VALUES)
		report_headline(r, "no match found: no command that was tried "
				"makes these %zu values; tests of randomness "
				"need 8 rows, 8 columns and 1000 values",
				u->profile->n * u->profile->cols);
	else if (looks_normal(d) || looks_uniform(d)) {
		say_distribution(u, text);
		report_headline(r, "no match found: %sthe values look like "
				"independent draws from %s", zeros, text);
	} else
		report_headline(r, "no match found: %srows and columns look "
				"unrelated, the values follow no distribution "
				"that was tested", zeros);
}

/* What was tested, and how far it is from what independent draws have. */
static void report_statistics(const struct unrecognized *u, struct report *r)
{
	const struct distribution *d = &u->values;
	const struct lines *a = &u->lines.rows, *b = &u->lines.columns;
	const double tested[] = { (double)a->n, (double)b->n };
	const struct {
		const char *name;
		double z;
	} scores[] = {
		{ "row_norms_z", a->norm_z },
		{ "row_means_z", a->mean_z },
		{ "row_products_z", a->product_z },
		{ "row_correlation_z", a->correlation_z },
		{ "column_norms_z", b->norm_z },
		{ "column_means_z", b->mean_z },
		{ "column_products_z", b->product_z },
		{ "column_correlation_z", b->correlation_z },
	};

	report_group(r, "tests");
	report_number(r, "values", (double)d->n, "(all, or a sample)");
	report_number(r, "different_values", (double)d->different, NULL);
	report_number(r, "normal_p", d->normal_p, "(Kolmogorov-Smirnov, "
		      "estimated mean and standard deviation)");
	report_number(r, "extreme_p", d->extreme_p, "(largest distance from "
		      "the mean, if normal)");
	report_number(r, "uniform_p", d->uniform_p, "(Kolmogorov-Smirnov, "
		      "between minimum and maximum)");
	if (!u->tested)
		return;
	report_numbers(r, "rows_and_columns", tested, 2);
	for (size_t k = 0; k < COUNT(scores); k++)
		report_number(r, scores[k].name, scores[k].z, NULL);
	report_number(r, "symmetry_z", u->lines.symmetry_z, "(z-scores: 0 if "
		      "independent, rejected beyond 4.8)");
}

/* dtype: of the values as they are. */
static void report_evidence(const struct unrecognized *u, enum dtype dtype,
			    struct report *r)
{
	const struct profile *p = u->profile;
	const size_t step = p->n * p->cols / SAMPLE_VALUES | 1;

	report_group(r, "evidence");
	report_number(r, "rows", (double)p->n, NULL);
	report_number(r, "columns", (double)p->cols, NULL);
	report_text(r, "dtype", "%s", dtype_name(dtype));
	report_number(r, "min", p->min * u->unit, NULL);
	report_number(r, "max", p->max * u->unit, NULL);
	report_number(r, "mean", p->mean * u->unit, NULL);
	report_number(r, "standard_deviation", p->deviation * u->unit, NULL);
	report_number(r, "excess_kurtosis", u->values.kurtosis - 3,
		      u->values.n < p->n * p->cols
			      ? "(of a sample; normal: 0, uniform: -1.2)"
			      : "(normal: 0, uniform: -1.2)");
	report_number(r, "adjacent_row_cosine", adjacent_cosine(p, step),
		      step > 1 ? "(mean of a sample)" : "(mean)");
}

/*
 * Measure the table in units of its largest magnitude, a power of two, if
 * squares of its values are out of range. False if memory is short.
 */
static bool choose_unit(struct unrecognized *u, struct report *r)
{
	const struct profile *p = u->profile;
	const double most = fmax(fabs(p->min), fabs(p->max));
	const size_t n = p->n * p->cols;
	double *x;

	u->unit = 1;
	if (most >= LEAST_SQUARED && most <= MOST_SQUARED)
		return true;
	x = table_alloc(r->owner, n, sizeof *x, r->err);
	if (!x)
		return false;
	u->unit = ldexp(1, ilogb(most));
	table_rows(p->table, F64, 0, p->n, NULL, x);
	for (size_t k = 0; k < n; k++)
		x[k] /= u->unit;
	u->table = *p->table;
	table_dense(&u->table, x);
	profile_table(&u->scaled, &u->table);
	u->profile = &u->scaled;
	return true;
}

static void report_finite(const struct profile *p, const char *verdict,
			  struct report *r)
{
	const enum dtype dtype = profile_dtype(p);
	struct unrecognized u = { .profile = p };

	if (!choose_unit(&u, r))
		return;
	p = u.profile;
	for (size_t i = 0; i < p->n; i++)
		if (profile_zero_row(p, i) && u.zero_rows++ == 0)
			u.zero_row = i;
	if (!distribution_test(&u.values, p, r->owner, r->err))
		return;
	u.tested = u.values.n >= MANY_VALUES && !few_different(&u) &&
		   independence_test(&u.lines, p, r->owner, r->err);
	if (!verdict)
		verdict = structure(p);
	if (verdict)
		report_headline(r, "%s", verdict);
	else
		report_tests(&u, r);
	report_evidence(&u, dtype, r);
	if (u.values.n >= MANY_VALUES)
		report_statistics(&u, r);
}

bool looks_like_noise(const struct table *t, struct table *owner,
		      struct error *err)
{
	struct profile p;
	struct unrecognized u = { .profile = &p, .unit = 1 };
	char why[WHY];

	profile_table(&p, t);
	return p.finite && p.max > p.min &&
	       distribution_test(&u.values, &p, owner, err) &&
	       looks_normal(&u.values) &&
	       independence_test(&u.lines, &p, owner, err) &&
	       !dependence(&u, why);
}

/* How many values are not finite, and where the first is. */
static void report_not_finite(const struct profile *p, struct report *r)
{
	size_t nan = 0, infinite = 0, row = 0, col = 0;

	for (size_t i = p->n; i-- > 0;)
		for (size_t j = p->cols; j-- > 0;) {
			const double x = profile_row(p, i)[j];

			nan += isnan(x) != 0;
			infinite += isinf(x) != 0;
			row = isfinite(x) ? row : i;
			col = isfinite(x) ? col : j;
		}
	if (nan == p->n * p->cols)
		report_headline(r, "no match found: all values are NaN");
	else
		report_headline(r, "no match found: not all values are finite: "
				"%zu NaN, %zu infinite, the first at row %zu, "
				"column %zu", nan, infinite, row, col);
}

void report_unrecognized(const struct profile *p, const char *verdict,
			 struct report *r)
{
	char text[64];

	r->no = true;
	if (!p->finite && verdict)
		report_headline(r, "%s", verdict);
	else if (!p->finite)
		report_not_finite(p, r);
	else if (!(p->max > p->min))
		report_headline(r, "all values are %s: the table does not tell "
				"positions apart", profile_constant(p, text));
	else
		report_finite(p, verdict, r);
}
