/* inspect_rows.c: norms of rows, repeated rows, unusual rows. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bits.h"
#include "table/table.h"
#include "views/inspect.h"

/* Location and scale of a sample, which a few outliers do not change. */
struct robust {
	double median;
	double deviation;  /* 1.4826 times the median absolute deviation: the
			      standard deviation, for a normal distribution */
};

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

/*
 * The value with k smaller ones, some bits of its rank at a time. It needs no
 * memory, and no order of the values makes it slow.
 */
static double order_statistic(const struct sample *s, size_t k)
{
	enum { BITS = 11, COUNTS = 1 << BITS };
	uint64_t rank = 0, known = 0;

	for (int shift = 64 - BITS; known != UINT64_MAX;
	     shift = shift > BITS ? shift - BITS : 0) {
		size_t counts[COUNTS] = { 0 }, digit = 0;

		for (size_t i = 0; i < s->n; i++) {
			const uint64_t r = rank_of(sample_at(s, i));

			if ((r & known) == rank && isfinite(s->x[i]))
				counts[r >> shift & (COUNTS - 1)]++;
		}
		while (k >= counts[digit])
			k -= counts[digit++];
		rank |= (uint64_t)digit << shift;
		known |= (uint64_t)(COUNTS - 1) << shift;
	}
	return double_of(rank & SIGN ? rank ^ SIGN : ~rank);
}

/* The value with k + 1 smaller ones, where x has k. */
static double next_statistic(const struct sample *s, size_t k, double x)
{
	double next = HUGE_VAL;
	size_t count = 0;

	for (size_t i = 0; i < s->n; i++) {
		const double y = sample_at(s, i);

		if (!isfinite(s->x[i]))
			continue;
		if (y <= x)
			count++;
		else
			next = fmin(next, y);
	}
	return count > k + 1 ? x : next;
}

/* Of count finite values. */
static double median(const struct sample *s, size_t count)
{
	const size_t k = (count - 1) / 2;
	const double low = order_statistic(s, k);

	return count % 2 ? low : (low + next_statistic(s, k, low)) / 2;
}

/* Of the finite values of x [n]; 0 if there are none. */
static struct robust measure_robust(const double *x, size_t n)
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

/*
 * A row is unusual if it is more than DEVIATIONS from the median, and also by
 * this much.
 */
#define DEVIATIONS 6.0
#define NORM_DIFFERENCE 1e-3     /* relative to the median norm */
#define COSINE_DIFFERENCE 0.2
#define COSINE_ALIKE 0.5         /* median from which neighbours are alike */

enum {
	ROWS_MIN = 16,     /* medians of fewer rows mean little */
	LINES_MAX = 12, LINE_ROOM = 200,
};

struct rows {
	const struct table *x;
	double *norm;      /* [rows] */
	double *cosine;    /* [rows] the larger one with a neighbour */
	size_t *first;     /* [rows] the first row equal to each */
	struct robust norms, cosines;
};

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t j = 0; j < n; j++)
		sum += a[j] * b[j];
	return sum;
}

static const double *row_of(const struct rows *s, size_t i)
{
	return s->x->row(s->x, i, NULL);
}

/* The cosine similarity of two rows; 0 if one of them is zero. */
static double cosine_of(const struct rows *s, size_t i, size_t j)
{
	const double c = dot(row_of(s, i), row_of(s, j), s->x->cols) /
			 (s->norm[i] * s->norm[j]);

	return isfinite(c) ? c : 0;
}

static void measure_norm(struct rows *s, size_t i)
{
	s->norm[i] = sqrt(dot(row_of(s, i), row_of(s, i), s->x->cols));
}

static void measure_rows(struct rows *s)
{
	const size_t n = s->x->rows;

	double above = -1, below;

	measure_norm(s, 0);
	for (size_t i = 0; i + 1 < n; i++) {
		measure_norm(s, i + 1);
		below = cosine_of(s, i, i + 1);
		s->cosine[i] = fmax(above, below);
		above = below;
	}
	s->cosine[n - 1] = above;
}

static uint64_t hash(const double *x, size_t n)
{
	uint64_t h = 0xcbf29ce484222325;  /* FNV-1a, eight bytes at a time */

	for (size_t j = 0; j < n; j++) {
		h = (h ^ bits_of(x[j] + 0.0)) * 0x100000001b3;
		h ^= h >> 29;
	}
	return h;
}

static bool equal(const double *x, const double *y, size_t n)
{
	for (size_t j = 0; j < n; j++)
		if (x[j] != y[j])
			return false;
	return true;
}

/*
 * Earlier rows that others were compared with, each at its index modulo n. To
 * read a block of rows for each from a file would take long.
 */
struct earlier {
	size_t n;
	size_t *index;       /* [n] + 1; 0: none */
	const double **row;  /* [n] */
	double *values;      /* [n, cols] */
};

static bool open_earlier(struct earlier *e, size_t cols, struct table *owner,
			 struct error *err)
{
	enum { VALUES = 1 << 16 };

	e->n = VALUES / cols + 1;
	e->index = table_alloc(owner, e->n, sizeof *e->index, err);
	e->row = table_alloc(owner, e->n, sizeof *e->row, err);
	e->values = table_alloc(owner, e->n * cols, sizeof *e->values, err);
	return e->index && e->row && e->values;
}

static const double *earlier_row(struct earlier *e, const struct table *x,
				 size_t i)
{
	const size_t at = i % e->n;

	if (e->index[at] != i + 1) {
		e->row[at] = x->row(x, i, e->values + at * x->cols);
		e->index[at] = i + 1;
	}
	return e->row[at];
}

/*
 * A hash table with open addressing, at most half full. A slot has a row's
 * index + 1 in these bits and in the others those of the row's hash, so that
 * few rows are compared that differ.
 */
struct slots {
	size_t n;
	uint64_t *slot;  /* [n]; 0: none */
	uint64_t bits;
};

static bool open_slots(struct slots *all, size_t rows, struct table *owner,
		       struct error *err)
{
	all->n = 2 * rows + 1;
	all->slot = table_alloc(owner, all->n, sizeof *all->slot, err);
	for (all->bits = 1; all->bits < rows;)
		all->bits = all->bits << 1 | 1;
	return all->slot;
}

/* The first row equal to row i; it is put into a slot if there is none yet. */
static size_t first_equal(const struct rows *s, struct earlier *e,
			  struct slots *all, size_t i)
{
	const size_t cols = s->x->cols;
	const double *x = row_of(s, i);
	const uint64_t h = hash(x, cols), high = h & ~all->bits;
	size_t at = h % all->n;
	uint64_t *slot = all->slot;

	if (!equal(x, x, cols))
		return i;  /* it has a NaN, which nothing is equal to */
	while (slot[at] &&
	       ((slot[at] & ~all->bits) != high ||
		!equal(earlier_row(e, s->x, (slot[at] & all->bits) - 1), x,
		       cols)))
		at = (at + 1) % all->n;
	if (!slot[at])
		slot[at] = high | (i + 1);
	return (slot[at] & all->bits) - 1;
}

static bool find_equal(struct rows *s, struct error *err)
{
	struct table owner = { 0 };
	struct earlier e;
	struct slots all;
	const bool good = open_slots(&all, s->x->rows, &owner, err) &&
			  open_earlier(&e, s->x->cols, &owner, err);

	for (size_t i = 0; good && i < s->x->rows; i++)
		s->first[i] = first_equal(s, &e, &all, i);
	table_close(&owner);
	return good;
}

static bool is_constant(const double *x, size_t n)
{
	size_t j = 1;

	while (j < n && x[j] <= x[0] && x[j] >= x[0])
		j++;
	return n > 1 && j == n;
}

static bool has_unusual_norm(const struct rows *s, size_t i)
{
	const double difference = fabs(s->norm[i] - s->norms.median);

	return s->x->rows >= ROWS_MIN &&
	       difference > DEVIATIONS * s->norms.deviation &&
	       difference > NORM_DIFFERENCE * s->norms.median;
}

static bool is_unlike_neighbours(const struct rows *s, size_t i)
{
	const double difference = s->cosines.median - s->cosine[i];

	return s->x->rows >= ROWS_MIN && s->x->cols > 1 &&
	       s->cosines.median >= COSINE_ALIKE && s->norm[i] > 0 &&
	       difference > DEVIATIONS * s->cosines.deviation &&
	       difference > COSINE_DIFFERENCE;
}

static bool is_unusual(const struct rows *s, size_t i)
{
	return !isfinite(s->norm[i]) || s->first[i] != i ||
	       is_constant(row_of(s, i), s->x->cols) ||
	       has_unusual_norm(s, i) || is_unlike_neighbours(s, i);
}

/* A row's index, and why the row is unusual. */
struct line {
	size_t row;
	char text[LINE_ROOM];
	size_t n;
};

static void append(struct line *l, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void append(struct line *l, const char *format, ...)
{
	va_list list;

	if (l->n)
		l->n += (size_t)snprintf(l->text + l->n, LINE_ROOM - l->n,
					 ", ");
	else
		l->n = (size_t)snprintf(l->text, LINE_ROOM, "row %zu: ",
					l->row);
	va_start(list, format);
	l->n += (size_t)vsnprintf(l->text + l->n, LINE_ROOM - l->n, format,
				  list);
	va_end(list);
}

/* Why row i is unusual. */
static struct line describe(const struct rows *s, size_t i)
{
	const double *x = row_of(s, i);
	struct line l = { .row = i };

	if (!isfinite(s->norm[i])) {
		append(&l, "norm is not finite");
		return l;
	}
	if (s->first[i] != i)
		append(&l, "equal to row %zu", s->first[i]);
	if (is_constant(x, s->x->cols) && !(s->norm[i] > 0))
		append(&l, "all zeros");
	else if (is_constant(x, s->x->cols))
		append(&l, "every value is %.6g", x[0]);
	else if (has_unusual_norm(s, i) && s->norms.median > 0)
		append(&l, "norm %.4g, %.3g times the median", s->norm[i],
		       s->norm[i] / s->norms.median);
	else if (has_unusual_norm(s, i))
		append(&l, "norm %.4g, where the median is 0", s->norm[i]);
	if (is_unlike_neighbours(s, i))
		append(&l, "unlike its neighbours (cosine similarity %.2f, "
		       "median %.2f)", s->cosine[i], s->cosines.median);
	return l;
}

/* The number of unusual rows before the first usual one; 0 if half are. */
static size_t unusual_prefix(const struct rows *s)
{
	size_t n = 0;

	while (n < s->x->rows / 2 && is_unusual(s, n))
		n++;
	return n < s->x->rows / 2 ? n : 0;
}

static void add_unusual(struct inspection *v, const struct rows *s)
{
	struct line lines[LINES_MAX + 1];
	const char *all[LINES_MAX + 1];
	const size_t prefix = unusual_prefix(s);
	size_t n;

	for (size_t i = 0; i < s->x->rows; i++) {
		if (is_unusual(s, i) && v->unusual++ < LINES_MAX)
			lines[v->unusual - 1] = describe(s, i);
	}
	n = v->unusual;
	if (n > LINES_MAX) {
		snprintf(lines[LINES_MAX].text, LINE_ROOM, "and %zu more",
			 n - LINES_MAX);
		n = LINES_MAX + 1;
	}
	for (size_t i = 0; i < n; i++)
		all[i] = lines[i].text;
	report_number(v->r, "unusual_rows", (double)v->unusual, NULL);
	if (n)
		report_lines(v->r, "which", all, n);
	if (prefix)
		report_text(v->r, "advice", "the first rows are unusual: "
			    "--drop-prefix %zu leaves them out", prefix);
}

static void add_norms(struct report *r, const struct rows *s)
{
	const size_t n = s->x->rows;
	double min = HUGE_VAL, max = 0, sum = 0, squares = 0, mean;

	for (size_t i = 0; i < n; i++) {
		min = fmin(min, s->norm[i]);
		max = fmax(max, s->norm[i]);
		sum += s->norm[i];
	}
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (s->norm[i] - mean) * (s->norm[i] - mean);
	report_number(r, "norm_min", min, NULL);
	report_number(r, "norm_mean", mean, NULL);
	report_number(r, "norm_max", max, NULL);
	report_number(r, "norm_squared_mean",
		      mean * mean + squares / (double)n, NULL);
	report_number(r, "norm_variation",
		      mean > 0 ? sqrt(squares / (double)n) / mean : 0,
		      "(std / mean of the norms)");
}

/* The memory of find_equal() is free before the rest is allocated. */
static bool allocate(struct rows *s, struct table *owner, struct error *err)
{
	const size_t n = s->x->rows;

	s->first = table_alloc(owner, n, sizeof *s->first, err);
	if (!s->first || !find_equal(s, err))
		return false;
	s->norm = table_alloc(owner, n, sizeof *s->norm, err);
	s->cosine = table_alloc(owner, n, sizeof *s->cosine, err);
	return s->norm && s->cosine;
}

bool inspect_rows(struct inspection *v, struct error *err)
{
	struct rows s = { .x = v->x };
	const size_t n = v->x->rows;

	if (!allocate(&s, v->r->owner, err))
		return false;
	measure_rows(&s);
	s.norms = measure_robust(s.norm, n);
	if (v->x->cols > 1)
		s.cosines = measure_robust(s.cosine, n);
	for (size_t i = 0; i < n; i++)
		v->repeated += s.first[i] != i;
	report_group(v->r, "rows");
	if (!v->not_finite)
		add_norms(v->r, &s);
	report_number(v->r, "repeated_rows", (double)v->repeated, NULL);
	add_unusual(v, &s);
	return true;
}
