/* compare.c: how two tables differ, and what one did to the other. */
#include <math.h>
#include <stdio.h>

#include "core/recipe.h"
#include "views/explain.h"

struct compare {
	double atol, rtol;
	long ulp;
};

static const struct option compare_options[] = {
	{ OPTION(struct compare, atol), .initial = "0", .min = 0, .max = 1e300,
	  .arg = "X", .help = "numbers this far apart are equal" },
	{ OPTION(struct compare, rtol), .initial = "0", .min = 0, .max = 1e300,
	  .arg = "X", .help = "and this much of B's number further" },
	{ OPTION(struct compare, ulp), .min = 0, .max = 0x1p52, .arg = "N",
	  .help = "so are those at most N steps of the coarser dtype apart" },
	{0}
};

/* The largest of something, and where. */
struct peak {
	double most;
	size_t row, col;
};

struct measured {
	struct peak absolute, relative, ulps;
	double sum;                 /* of differences */
	size_t differ, over, nans;  /* numbers; NaN in one table only */
	double *rows, *cols;        /* the largest difference of each */
	size_t row_count, col_count;  /* that differ, and where most: */
	size_t worst_row, worst_col;
	double a, b;                /* where the absolute one is largest */
};

static void note_peak(struct peak *p, double x, size_t row, size_t col)
{
	if (x > p->most)
		*p = (struct peak){ x, row, col };
}

static void measure_number(const struct couple *c, struct measured *m,
			   size_t i, size_t j)
{
	const double a = c->a->row(c->a, i, NULL)[j];
	const double b = c->b->row(c->b, i, NULL)[j];
	const double apart = couple_apart(a, b);

	if (!(apart > 0))
		return;
	m->differ++;
	m->over += !couple_agree(c, a, b);
	m->nans += isnan(a) || isnan(b);
	m->sum += apart;
	if (apart > m->absolute.most) {
		m->a = a;
		m->b = b;
	}
	note_peak(&m->absolute, apart, i, j);
	note_peak(&m->relative, apart / fabs(b), i, j);
	note_peak(&m->ulps, dtype_ulps(c->dtype, a, b), i, j);
	m->rows[i] = fmax(m->rows[i], apart);
	m->cols[j] = fmax(m->cols[j], apart);
}

/* How many of x [n] are not 0, and which is the largest. */
static size_t count(const double *x, size_t n, size_t *worst)
{
	size_t differ = 0;

	*worst = 0;
	for (size_t i = 0; i < n; i++) {
		*worst = x[i] > x[*worst] ? i : *worst;
		differ += x[i] > 0;
	}
	return differ;
}

static bool measure(struct couple *c, struct measured *m, struct table *owner,
		    struct error *err)
{
	m->rows = table_alloc(owner, c->a_rows, sizeof *m->rows, err);
	m->cols = table_alloc(owner, c->a->cols, sizeof *m->cols, err);
	if (!m->rows || !m->cols)
		return false;
	for (size_t i = 0; i < c->a_rows; i++)
		for (size_t j = 0; j < c->a->cols; j++)
			measure_number(c, m, i, j);
	m->row_count = count(m->rows, c->a_rows, &m->worst_row);
	m->col_count = count(m->cols, c->a->cols, &m->worst_col);
	c->largest = m->absolute.most;
	return true;
}

/* The dtype of fewer digits: that of a copy, where the other is an original. */
static enum dtype coarser(enum dtype a, enum dtype b)
{
	if (dtype_integer(a) || dtype_integer(b))
		return a < b ? a : b;
	return a > b ? a : b;
}

static void tell_table(struct report *r, const char *name,
		       const struct table *t)
{
	if (t->planes != 1)
		report_text(r, name, "%zu x %zu x %zu %s  %s", t->planes,
			    t->rows, t->cols, dtype_name(t->dtype),
			    t->command);
	else
		report_text(r, name, "%zu x %zu %s  %s", t->rows, t->cols,
			    dtype_name(t->dtype), t->command);
}

static void tell_peak(struct report *r, const char *name,
		      const struct peak *p)
{
	report_place(r, name, p->most, p->row, p->col);
}

static void tell_lines(struct report *r, const struct measured *m)
{
	report_number(r, "rows_differing", (double)m->row_count, NULL);
	report_number(r, "worst_row", (double)m->worst_row, NULL);
	report_number(r, "columns_differing", (double)m->col_count, NULL);
	report_number(r, "worst_column", (double)m->worst_col, NULL);
}

static void tell_differences(struct report *r, const struct couple *c,
			     const struct measured *m)
{
	const double n = (double)c->a_rows * (double)c->a->cols;

	report_group(r, "differences");
	report_number(r, "numbers", n, NULL);
	report_number(r, "differing", (double)m->differ, NULL);
	report_number(r, "over_tolerance", (double)m->over, NULL);
	if (!m->differ)
		return;
	tell_peak(r, "largest_absolute", &m->absolute);
	report_text(r, "there", "%.9g in A, %.9g in B", m->a, m->b);
	tell_peak(r, "largest_relative", &m->relative);
	tell_peak(r, "largest_ulp", &m->ulps);
	report_text(r, "ulp_of", "%s", dtype_name(c->dtype));
	report_number(r, "mean_absolute", m->sum / n, NULL);
	tell_lines(r, m);
}

/* What differs and is not explained. */
static void tell_different(struct report *r, const struct couple *c,
			   const struct measured *m)
{
	char where[60] = "", how[60];

	if (m->row_count == 1)
		snprintf(where, sizeof where, "in row %zu, ", m->worst_row);
	else if (m->col_count == 1)
		snprintf(where, sizeof where, "in column %zu, ", m->worst_col);
	if (m->nans)
		snprintf(how, sizeof how, "%zu of them NaN in one table only",
			 m->nans);
	else
		snprintf(how, sizeof how, "%.3g apart at most", c->largest);
	report_headline(r, "different: %zu of %zu numbers, %s%s", m->over,
			c->a_rows * c->a->cols, where, how);
}

static void sum_up(struct report *r, const struct couple *c,
		   const struct measured *m)
{
	char why[200];

	r->no = m->over;
	if (!m->differ)
		report_headline(r, "equal: all %zu numbers are the same",
				c->a_rows * c->a->cols);
	else if (!m->over)
		report_headline(r, "equal within the tolerance: %.3g apart at "
				"most", c->largest);
	else if (explain(c, why, sizeof why))
		report_headline(r, "different, but explained: %s", why);
	else
		tell_different(r, c, m);
}

static void other_shapes(struct report *r, const struct couple *c)
{
	char why[200];

	r->no = true;
	if (explain(c, why, sizeof why))
		report_headline(r, "different shapes, but explained: %s", why);
	else
		report_headline(r, "different shapes: %zu x %zu and %zu x %zu",
				c->a_rows, c->a->cols, c->b_rows, c->b->cols);
}

static bool compare_report(void *self, const struct table *inputs,
			   struct report *r, struct error *err)
{
	const struct compare *s = self;
	const struct table *a = &inputs[0], *b = &inputs[1];
	struct measured m = { 0 };
	struct couple c = {
		.a = a, .a_rows = a->planes * a->rows,
		.b = b, .b_rows = b->planes * b->rows,
		.dtype = coarser(a->dtype, b->dtype),
		.atol = s->atol, .rtol = s->rtol,
		.ulp = s->ulp == NOT_GIVEN ? -1 : (double)s->ulp,
		.largest = (double)INFINITY,
	};

	report_group(r, "tables");
	tell_table(r, "A", a);
	tell_table(r, "B", b);
	if (c.a_rows != c.b_rows || a->cols != b->cols) {
		other_shapes(r, &c);
		return true;
	}
	if (!measure(&c, &m, r->owner, err))
		return false;
	tell_differences(r, &c, &m);
	sum_up(r, &c, &m);
	return true;
}

const struct recipe compare_recipe = {
	.name = "compare",
	.summary = "how two tables differ",
	.about =
"Numbers a of A and b of B are equal where |a - b| <= atol + rtol |b|, or\n"
"where at most N numbers of the coarser dtype are passed from one to the\n"
"other (ulp). NaN is equal to NaN. Where tables differ, it is tried whether B\n"
"is A with its columns interleaved, split or swapped, its rows shifted or\n"
"reversed, a sign, a scale, a rounding, or with rows or columns more or less.\n"
"Exit status 0: equal within the tolerance; 1: not.\n",
	.paper = "the tolerances of numpy.allclose, equal_nan",
	.example = "posenc compare pe.npy other.npy --atol 1e-6",
	.options = compare_options,
	.size = sizeof(struct compare),
	.inputs = 2,
	.report = compare_report,
};
