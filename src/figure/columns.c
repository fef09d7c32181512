/* columns.c: which columns of a table, or pairs of them, a figure draws. */
#include <math.h>

#include "figure/columns.h"
#include "text/decimal.h"

#define TWO_PI 6.283185307179586

bool pair_columns(const struct table *t, size_t k, size_t *a, size_t *b)
{
	const struct axis *axis = &t->col_axis;
	const bool split = axis->pairs == PAIRS_SPLIT;

	*a = split ? k : 2 * k;
	*b = *a + axis->apart;
	return axis->apart && *b < t->cols && (!split || k < axis->apart);
}

size_t pair_of(const struct table *t, size_t j)
{
	const struct axis *axis = &t->col_axis;

	return axis->pairs == PAIRS_SPLIT ? j % axis->apart : j / 2;
}

size_t pairs_count(const struct table *t)
{
	size_t k = 0, a, b;

	while (pair_columns(t, k, &a, &b))
		k++;
	return k;
}

/* The pairs, from the first on, whose wavelength is at most most. */
static size_t turning(const struct frequencies *f, size_t all, double most)
{
	size_t k = 0;

	while (k < all && k < f->n &&
	       TWO_PI / fabs(f->at(f->self, k)) <= most)
		k++;
	return k;
}

/* The positions that rows of t span, and one more. */
static double span(const struct table *t, size_t rows)
{
	const size_t first = t->begin % t->rows;

	return fabs(axis_label(&t->row_axis, first + rows - 1) -
		    axis_label(&t->row_axis, first)) + 1;
}

void pairs_spread(size_t *to, size_t n, const struct table *t, size_t rows)
{
	const size_t pairs = pairs_count(t), all = pairs ? pairs : t->cols;
	size_t last = all;

	/* Up to twice the length, or to what n pairs need */
	if (pairs && t->frequencies.n >= pairs)
		for (double most = 2 * span(t, rows); most < HUGE_VAL;
		     most *= 2) {
			last = turning(&t->frequencies, all, most);
			if (last >= n)
				break;
		}
	for (size_t i = 0; i < n; i++)
		to[i] = n > 1 ? (i * (last - 1) + (n - 1) / 2) / (n - 1) : 0;
}

/* Columns first, first + step, ... n of them. */
struct part {
	size_t first, step, n;
};

/*
 * Read "4", "4:10" or "4:10:2" of a table of cols columns; what follows it and
 * its comma, the end of text, or NULL: it is none.
 */
static const char *read_part(const char *text, size_t cols, struct part *p)
{
	long step;
	struct range r = { .given = true };

	text = parse_slice(text, &r.first, &r.last, &step);
	if (!text || (*text && (*text != ',' || !text[1])))
		return NULL;
	range_fill(&r, cols);
	if (r.first < 0 || r.first >= r.last || step < 1)
		return NULL;
	*p = (struct part){ (size_t)r.first, (size_t)step,
			    (size_t)((r.last - r.first - 1) / step) + 1 };
	return text + (*text == ',');
}

size_t columns_at(const struct look *look, size_t cols, size_t k)
{
	const char *at = look->dims;
	struct part p;

	while (at && *at) {
		at = read_part(at, cols, &p);
		if (at && k < p.n)
			return p.first + k * p.step;
		k -= at ? p.n : 0;
	}
	return cols;
}

/* The first column of a part, from 0 on, that is none of cols columns. */
static size_t missing(const struct part *p, size_t cols)
{
	return p->first >= cols ? p->first : p->first + p->step *
	       ((cols - p->first - 1) / p->step + 1);
}

/* Check --dims against t, one of several or alone; n becomes its columns. */
static bool check_table(const char *dims, const struct table *t, bool alone,
			size_t *n, struct error *err)
{
	const char *at = dims;
	struct part p;

	do {
		at = read_part(at, t->cols, &p);
		if (!at)
			return fail(err, "--dims must be columns, as in 0,4 or "
				    "4:10 or 4:10:2, where A:B is A to B-1, "
				    "got '%.60s'", dims);
		if (p.first + (p.n - 1) * p.step >= t->cols)
			return fail(err, "--dims: columns%s%.200s are 0 to "
				    "%zu, got %zu", alone ? "" : " of ",
				    alone ? "" : t->title, t->cols - 1,
				    missing(&p, t->cols));
		*n += p.n;
	} while (*at);
	return true;
}

bool columns_check(const struct look *look, const struct table *t,
		   struct error *err)
{
	const bool alone = !t->beside;
	size_t n = 0;

	for (; look->dims && t; t = t->beside)
		if (!check_table(look->dims, t, alone, &n, err))
			return false;
	return n <= CURVES_MOST ||
	       fail(err, "--dims must select at most %d columns, got %zu",
		    CURVES_MOST, n);
}

size_t columns_selected(const struct look *look, size_t cols)
{
	size_t n = 0;

	while (columns_at(look, cols, n) < cols)
		n++;
	return n;
}

size_t columns_count(const struct look *look, const struct table *t, size_t all,
		     size_t usual)
{
	return look->dims ? columns_selected(look, t->cols)
	       : t->cols <= all ? t->cols : usual;
}

void columns_choose(size_t *to, size_t n, const struct look *look,
		    const struct table *t)
{
	const bool spread = !look->dims && n < t->cols;

	if (spread)
		pairs_spread(to, n, t, (t->end - 1) % t->rows -
			     t->begin % t->rows + 1);
	for (size_t i = 0; i < n; i++) {
		size_t ends[2];

		if (!spread)
			to[i] = look->dims ? columns_at(look, t->cols, i) : i;
		else if (pair_columns(t, to[i], &ends[0], &ends[1]))
			to[i] = ends[i % 2];
	}
}
