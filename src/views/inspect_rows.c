/* inspect_rows.c: norms of rows, repeated rows, unusual rows. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "exact/bits.h"
#include "exact/limbs.h"
#include "table/sort.h"
#include "views/inspect.h"

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

struct finder {
	const struct table *x;
	uint64_t secret;     /* odd */
	struct earlier earlier;
	struct slots slots;
};

/* A number that nobody knows who makes a file of rows with equal hashes. */
static uint64_t make_secret(const void *place)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return ((uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15 ^
		(uint64_t)(uintptr_t)place * 0xbf58476d1ce4e5b9) | 1;
}

/* Both halves of each product count, so that all bits of x do. */
static uint64_t hash(const double *x, size_t n, uint64_t secret)
{
	uint64_t h = secret;

	for (size_t j = 0; j < n; j++) {
		const uint64_t u = h ^ bits_of(x[j] + 0.0);
		const uint128 product = (uint128)u * secret;

		h = (uint64_t)product + (uint64_t)(product >> 64);
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

static bool open_slots(struct slots *s, size_t rows, struct table *owner,
		       struct error *err)
{
	s->n = 2 * rows + 1;
	s->slot = table_alloc(owner, s->n, sizeof *s->slot, err);
	for (s->bits = 1; s->bits < rows;)
		s->bits = s->bits << 1 | 1;
	return s->slot;
}

/* Whether a slot has the row y of this hash. */
static bool has_row(struct finder *f, uint64_t slot, const double *y,
		    uint64_t h)
{
	const uint64_t bits = f->slots.bits;

	if ((slot ^ h) & ~bits)
		return false;
	return equal(earlier_row(&f->earlier, f->x, (slot & bits) - 1), y,
		     f->x->cols);
}

/* The first row equal to row i; it is put into a slot if there is none yet. */
static size_t first_equal(struct finder *f, size_t i)
{
	const struct slots *s = &f->slots;
	const double *y = f->x->row(f->x, i, NULL);
	const uint64_t h = hash(y, f->x->cols, f->secret);
	size_t at = h % s->n;

	if (!equal(y, y, f->x->cols))
		return i;  /* it has a NaN, which nothing is equal to */
	while (s->slot[at] && !has_row(f, s->slot[at], y, h))
		at = (at + 1) % s->n;
	if (!s->slot[at])
		s->slot[at] = (h & ~s->bits) | (i + 1);
	return (s->slot[at] & s->bits) - 1;
}

/*
 * Set first [rows] to the index of the first row equal to each; a row with a
 * NaN is equal to none. Takes 16 bytes per row until it returns.
 */
static bool equal_rows(const struct table *x, size_t *first, struct error *err)
{
	struct table owner = { 0 };
	struct finder f = { .x = x, .secret = make_secret(&owner) };
	const bool good = open_slots(&f.slots, x->rows, &owner, err) &&
			  open_earlier(&f.earlier, x->cols, &owner, err);

	for (size_t i = 0; good && i < x->rows; i++)
		first[i] = first_equal(&f, i);
	table_close(&owner);
	return good;
}

/* Location and scale of values of which some are far off. */
struct robust {
	double median;
	double deviation;  /* 1.4826 times the median absolute deviation: the
			      standard deviation, for a normal distribution */
};

/* Of x [n], which it sorts; 0 if there are none. */
static double median(double *x, size_t n)
{
	sort_doubles(x, n);
	return n ? (x[(n - 1) / 2] + x[n / 2]) / 2 : 0;
}

/* Of the finite values of x [n]; room [n]. */
static struct robust measure_robust(const double *x, size_t n, double *room)
{
	struct robust m;
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (isfinite(x[i]))
			room[count++] = x[i];
	m.median = median(room, count);
	for (size_t i = 0; i < count; i++)
		room[i] = fabs(room[i] - m.median);
	m.deviation = 1.4826 * median(room, count);
	return m;
}

struct rows {
	const struct table *x;
	double *norm;      /* [rows] */
	double *cosine;    /* [rows] the larger one with a neighbour; NULL if
			      there is one column */
	double *room;      /* [rows] */
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
		if (!s->cosine)
			continue;
		below = cosine_of(s, i, i + 1);
		s->cosine[i] = fmax(above, below);
		above = below;
	}
	if (s->cosine)
		s->cosine[n - 1] = above;
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
	double difference;

	if (!s->cosine || s->x->rows < ROWS_MIN)
		return false;
	difference = s->cosines.median - s->cosine[i];
	return s->cosines.median >= COSINE_ALIKE && s->norm[i] > 0 &&
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

/* The memory of equal_rows() is free before the rest is allocated. */
static bool allocate(struct rows *s, struct table *owner, struct error *err)
{
	const size_t n = s->x->rows;

	s->first = table_alloc(owner, n, sizeof *s->first, err);
	if (!s->first || !equal_rows(s->x, s->first, err))
		return false;
	s->norm = table_alloc(owner, n, sizeof *s->norm, err);
	s->room = table_alloc(owner, n, sizeof *s->room, err);
	if (s->x->cols > 1)
		s->cosine = table_alloc(owner, n, sizeof *s->cosine, err);
	return s->norm && s->room && (s->cosine || s->x->cols == 1);
}

bool inspect_rows(struct inspection *v, struct error *err)
{
	struct rows s = { .x = v->x };
	const size_t n = v->x->rows;

	if (!allocate(&s, v->r->owner, err))
		return false;
	measure_rows(&s);
	s.norms = measure_robust(s.norm, n, s.room);
	if (s.cosine)
		s.cosines = measure_robust(s.cosine, n, s.room);
	for (size_t i = 0; i < n; i++)
		v->repeated += s.first[i] != i;
	report_group(v->r, "rows");
	if (!v->not_finite)
		add_norms(v->r, &s);
	report_number(v->r, "repeated_rows", (double)v->repeated, NULL);
	add_unusual(v, &s);
	return true;
}
