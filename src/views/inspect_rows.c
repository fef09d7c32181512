/* inspect_rows.c: lengths of rows, and rows that are not like the others. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/bits.h"
#include "views/inspect.h"
#include "views/middle.h"

/* A row this many spreads from the median is odd, if that is also so much. */
#define SPREADS 6.0
#define LENGTHS_APART 1e-3   /* of the median */
#define COSINES_APART 0.2
#define COSINE_USUAL 0.5     /* or more: then neighbours are alike */

enum {
	ROWS_LEAST = 16,     /* medians of fewer say little */
	LINES_MOST = 12, LINE_ROOM = 200,
};

struct rows {
	const struct table *x;
	double *length;    /* [rows] */
	double *beside;    /* [rows] the larger cosine with a neighbour */
	size_t *first;     /* [rows] the first row equal to each */
	struct middle lengths, besides;
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

/* The cosine of two rows; 0 where one of them has no direction. */
static double cosine(const struct rows *s, size_t i, size_t j)
{
	const double c = dot(row_of(s, i), row_of(s, j), s->x->cols) /
			 (s->length[i] * s->length[j]);

	return isfinite(c) ? c : 0;
}

static void measure(struct rows *s)
{
	const size_t n = s->x->rows;

	for (size_t i = 0; i < n; i++)
		s->length[i] = sqrt(dot(row_of(s, i), row_of(s, i),
					s->x->cols));
	for (size_t i = 0; i < n; i++) {
		const double above = i ? cosine(s, i - 1, i) : -1;
		const double below = i + 1 < n ? cosine(s, i, i + 1) : -1;

		s->beside[i] = fmax(above, below);
	}
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
		if (!(x[j] <= y[j] && x[j] >= y[j]))
			return false;
	return true;
}

/* Through a table of hashes, half of it empty. */
static bool find_equal(struct rows *s, struct table *owner, struct error *err)
{
	const size_t n = s->x->rows, room = 2 * n + 1;
	size_t *seen = table_alloc(owner, room, sizeof *seen, err);

	for (size_t i = 0; seen && i < n; i++) {
		size_t at = hash(row_of(s, i), s->x->cols) % room;

		while (seen[at] && !equal(row_of(s, seen[at] - 1),
					  row_of(s, i), s->x->cols))
			at = (at + 1) % room;
		if (!seen[at])
			seen[at] = i + 1;
		s->first[i] = seen[at] - 1;
	}
	return seen;
}

static bool is_constant(const double *x, size_t n)
{
	size_t j = 1;

	while (j < n && x[j] <= x[0] && x[j] >= x[0])
		j++;
	return n > 1 && j == n;
}

static bool is_long_or_short(const struct rows *s, size_t i)
{
	const double apart = fabs(s->length[i] - s->lengths.median);

	return s->x->rows >= ROWS_LEAST &&
	       apart > SPREADS * s->lengths.spread &&
	       apart > LENGTHS_APART * s->lengths.median;
}

static bool is_unlike(const struct rows *s, size_t i)
{
	const double apart = s->besides.median - s->beside[i];

	return s->x->rows >= ROWS_LEAST && s->x->cols > 1 &&
	       s->besides.median >= COSINE_USUAL && s->length[i] > 0 &&
	       apart > SPREADS * s->besides.spread && apart > COSINES_APART;
}

/* What is said of a row, in a line. */
struct line {
	char text[LINE_ROOM];
	size_t n;
	bool odd;
};

static void add(struct line *l, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct line *l, const char *format, ...)
{
	va_list list;

	l->n += (size_t)snprintf(l->text + l->n, LINE_ROOM - l->n, "%s ",
				 l->odd ? "," : ":");
	va_start(list, format);
	l->n += (size_t)vsnprintf(l->text + l->n, LINE_ROOM - l->n, format,
				  list);
	va_end(list);
	l->odd = true;
}

/* What is odd about row i, if anything. */
static struct line describe(const struct rows *s, size_t i)
{
	const double *x = row_of(s, i);
	struct line l = { .odd = false };

	l.n = (size_t)snprintf(l.text, LINE_ROOM, "row %zu", i);
	if (!isfinite(s->length[i])) {
		add(&l, "not all finite");
		return l;
	}
	if (s->first[i] != i)
		add(&l, "the same as row %zu", s->first[i]);
	if (is_constant(x, s->x->cols) && !(s->length[i] > 0))
		add(&l, "all zeros");
	else if (is_constant(x, s->x->cols))
		add(&l, "every number is %.6g", x[0]);
	else if (is_long_or_short(s, i))
		add(&l, "length %.4g, %.3g of the median", s->length[i],
		    s->length[i] / s->lengths.median);
	if (is_unlike(s, i))
		add(&l, "unlike its neighbours (cosine %.2f, usually %.2f)",
		    s->beside[i], s->besides.median);
	return l;
}

/* Rows that are odd from the first on, before those that are not. */
static size_t odd_prefix(const struct rows *s)
{
	size_t n = 0;

	while (n < s->x->rows / 2 && describe(s, n).odd)
		n++;
	return n < s->x->rows / 2 ? n : 0;
}

static void tell_odd(struct inspection *v, const struct rows *s)
{
	struct line lines[LINES_MOST + 1];
	const char *all[LINES_MOST + 1];
	const size_t prefix = odd_prefix(s);
	size_t n;

	for (size_t i = 0; i < s->x->rows; i++) {
		const struct line l = describe(s, i);

		if (l.odd && v->odd++ < LINES_MOST)
			lines[v->odd - 1] = l;
	}
	n = v->odd;
	if (n > LINES_MOST) {
		snprintf(lines[LINES_MOST].text, LINE_ROOM, "and %zu more",
			 n - LINES_MOST);
		n = LINES_MOST + 1;
	}
	for (size_t i = 0; i < n; i++)
		all[i] = lines[i].text;
	report_number(v->r, "odd_rows", (double)v->odd, NULL);
	if (n)
		report_lines(v->r, "which", all, n);
	if (prefix)
		report_text(v->r, "advice", "the first rows are unlike the "
			    "others: --drop-prefix %zu leaves them out",
			    prefix);
}

static void tell_lengths(struct report *r, const struct rows *s)
{
	const size_t n = s->x->rows;
	double least = HUGE_VAL, most = 0, sum = 0, squares = 0, mean;

	for (size_t i = 0; i < n; i++) {
		least = fmin(least, s->length[i]);
		most = fmax(most, s->length[i]);
		sum += s->length[i];
	}
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (s->length[i] - mean) * (s->length[i] - mean);
	report_number(r, "norm_min", least, NULL);
	report_number(r, "norm_mean", mean, NULL);
	report_number(r, "norm_max", most, NULL);
	report_number(r, "norm_squared_mean",
		      mean * mean + squares / (double)n, NULL);
	report_number(r, "norm_variation",
		      mean > 0 ? sqrt(squares / (double)n) / mean : 0,
		      "(std / mean)");
}

static bool allocate(struct rows *s, struct table *owner, struct error *err)
{
	const size_t n = s->x->rows;

	s->length = table_alloc(owner, n, sizeof *s->length, err);
	s->beside = table_alloc(owner, n, sizeof *s->beside, err);
	s->first = table_alloc(owner, n, sizeof *s->first, err);
	return s->length && s->beside && s->first;
}

bool inspect_rows(struct inspection *v, struct error *err)
{
	struct rows s = { .x = v->x };
	const size_t n = v->x->rows;

	if (!allocate(&s, v->r->owner, err) ||
	    !find_equal(&s, v->r->owner, err))
		return false;
	measure(&s);
	if (!middle_of(&s.lengths, s.length, n, err) ||
	    !middle_of(&s.besides, s.beside, n, err))
		return false;
	for (size_t i = 0; i < n; i++)
		v->repeated += s.first[i] != i;
	report_group(v->r, "rows");
	if (!v->not_finite)
		tell_lengths(v->r, &s);
	report_number(v->r, "repeated_rows", (double)v->repeated, NULL);
	tell_odd(v, &s);
	return true;
}
