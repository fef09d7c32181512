/*
 * stackings.c: tables as code stacks them for its arithmetic: each column of
 * cosines and sines twice, in any place; rotation matrices; axes in turn; cells
 * column by column; batches; biases with a causal mask.
 */
#include <math.h>
#include <string.h>

#include "identify/reading.h"

/*
 * Columns j = (group P + letter) inner + i of a pattern of P letters: those of
 * a letter are equal, and of opposite sign to those of its capital. The table
 * that is read has one column for each letter, group and i.
 */
struct stacking {
	const char *pattern;
	size_t parts;          /* inner is so small a part of all columns, */
	size_t inner;          /* or this; then parts are such patterns each */
	const char *words;
};

static const struct stacking stackings[] = {
	{ "aa", 2, 0, "its columns stored twice, as by cat((x, x))" },
	{ "aa", 0, 1, "each column stored twice, as by repeat_interleave" },
	{ "aa", 4, 0, "each half of its columns stored twice" },
	{ "aa", 8, 0, "each quarter of its columns stored twice" },
	{ "aa", 0, 2, "each pair of columns stored twice" },
	{ "Aa", 2, 0, "its columns stored twice, at first with opposite sign" },
	{ "aBba", 0, 1, "as rotation matrices [[cos, -sin], [sin, cos]]" },
	{ "aBba", 4, 0, "as rotation matrices [[cos, -sin], [sin, cos]]" },
	/* Axes in turn: in one row of cells, only one of them changes. */
	{ "ab", 1, 1, "the columns of two axes in turn" },
	{ "ab", 2, 1, "in each half, the columns of two axes in turn" },
	{ "ab", 1, 2, "the pairs of columns of two axes in turn" },
};

static bool is_turns(const struct stacking *k)
{
	return strcmp(k->pattern, "ab") == 0;
}

/* The column of which j is a copy, in the first group's order. */
static size_t source(const struct stacking *k, size_t inner, size_t j)
{
	const size_t p = strlen(k->pattern), at = j / inner % p;
	const char letter = (char)(k->pattern[at] | 0x20);
	const size_t from = (size_t)(strchr(k->pattern, letter) - k->pattern);

	return j - at * inner + from * inner;
}

/* Whether the columns repeat so. */
static bool repeats(const struct table *t, const struct stacking *k,
		    size_t inner)
{
	const size_t p = strlen(k->pattern);

	for (size_t i = 0; i < t->rows; i++) {
		const double *x = t->row(t, i, NULL);

		for (size_t j = 0; j < t->cols; j++) {
			const bool minus = k->pattern[j / inner % p] < 'a';
			const double y = x[source(k, inner, j)];

			if (fabs(x[j] - (minus ? -y : y)) > 0)
				return false;
		}
	}
	return true;
}

/* Whether columns of one letter, but not all, are those of the row before. */
static bool takes_turns(const struct table *t, size_t inner)
{
	const double *x = t->row(t, 0, NULL);
	bool same[2] = { true, true };

	for (size_t j = 0; t->rows > 2 && j < t->cols; j++)
		if (fabs(x[j] - t->row(t, 1, NULL)[j]) > 0)
			same[j / inner % 2] = false;
	return same[0] != same[1];
}

/* Make the view of one column for each letter, group and i. */
static bool take_columns(struct finding *f, const struct table *t,
			 const struct stacking *k, size_t inner)
{
	const bool turns = is_turns(k);
	const size_t blocks = turns ? 2 * k->parts : 1;
	const size_t part = turns ? t->cols / k->parts : t->cols;
	double *x = reading_view(f, t, 1, t->rows,
				 turns ? t->cols : t->cols / 2);

	for (size_t i = 0; x && i < t->rows; i++)
		for (size_t block = 0; block < blocks; block++) {
			const double *from = t->row(t, i, NULL) +
					     block / 2 * part;

			for (size_t j = 0; j < part; j++)
				if (turns ? j / inner % 2 == block % 2
					  : source(k, inner, j) == j)
					*x++ = from[j];
		}
	return x;
}

/* Whether the table has the stacking. */
static bool has_stacking(const struct table *t, const struct stacking *k,
			 size_t inner)
{
	const size_t all = strlen(k->pattern) * inner;
	const size_t part = k->inner && k->parts ? t->cols / k->parts : t->cols;

	if (!inner || part % all)
		return false;
	return is_turns(k) ? part > all && takes_turns(t, inner)
			   : repeats(t, k, inner);
}

/*
 * Run all families on the columns of each stacking that the table has, and of
 * one within one.
 */
static bool try_stackings(struct finding *f, const struct table *t,
			  const char *how)
{
	struct reading *r = &f->reading;

	for (size_t s = 0; s < COUNT(stackings); s++) {
		const struct stacking *k = &stackings[s];
		const size_t inner = k->inner ? k->inner : t->cols / k->parts;
		struct table less;
		const char *words;

		if (!has_stacking(t, k, inner) || !take_columns(f, t, k, inner))
			continue;
		less = r->view;
		words = reading_format(f, "%s%s", how, k->words);
		r->text = words;
		r->made = reading_format(f, "this table, %s", words);
		if (run_families(&f->search, &r->profile, &r->view) ||
		    (!is_turns(k) &&
		     try_stackings(f, &less, reading_format(f, "%s, ", words))))
			return true;
	}
	return false;
}

bool read_stacked(struct finding *f, const struct table *t)
{
	static const struct {
		enum view_kind view;
		const char *words;
	} ways[] = {
		{ VIEW_OUTER_ROWS, "" },
		{ VIEW_BESIDE, "planes side by side, " },
		{ VIEW_BELOW, "" },
	};

	if (!f->profile.finite || f->profile.integers)
		return false;
	if (t->planes == 1)
		return try_stackings(f, t, "");
	for (size_t k = 0; k < COUNT(ways); k++)
		if (make_view(f, t, ways[k].view)) {
			const struct table laid_out = f->reading.view;

			if (try_stackings(f, &laid_out, ways[k].words))
				return true;
		}
	return false;
}

/* Whether columns tell one coordinate each of cells, h to a column. */
static bool may_be_cells(const struct profile *p, size_t h)
{
	size_t same = 0;

	for (size_t j = 0; j < p->cols; j++) {
		const double x = profile_row(p, 0)[j];
		const bool below = fabs(profile_row(p, 1)[j] - x) > 0;

		if (fabs(profile_row(p, below ? h : h - 1)[j] - x) > 0)
			return false;
		same += !below;
	}
	return same > 0 && same < p->cols;
}

bool view_cells(struct finding *f, const struct table *t)
{
	const struct profile *p = &f->profile;
	size_t h = 2;
	double *x;

	if (!p->finite || p->integers || t->planes > 1)
		return false;
	while (2 * h <= p->n && (p->n % h || !may_be_cells(p, h)))
		h++;
	if (2 * h > p->n)
		return false;
	x = reading_view(f, t, 1, p->n, p->cols);
	for (size_t i = 0; x && i < p->n; i++)
		memcpy(x + (i % h * (p->n / h) + i / h) * p->cols,
		       profile_row(p, i), p->cols * sizeof *x);
	return x;
}

/* Whether rows i and j of the table have the same bytes. */
static bool same_rows(const struct table *t, size_t i, size_t j)
{
	return memcmp(t->row(t, i, NULL), t->row(t, j, NULL),
		      t->cols * sizeof(double)) == 0;
}

/* Whether all rows equal those so many before them. */
static bool repeats_every(const struct table *t, size_t rows)
{
	size_t i = rows;

	while (i < t->planes * t->rows && same_rows(t, i, i - rows))
		i++;
	return i >= t->planes * t->rows;
}

bool view_plane(struct finding *f, const struct table *t)
{
	f->reading.view = *t;
	f->reading.view.planes = 1;
	return t->planes > 1 && t->rows > 1 && repeats_every(t, t->rows);
}

/* A batch whose tables are equal: [B, H, rows, cols], or rows [H, B, cols]. */
bool view_batch(struct finding *f, const struct table *t)
{
	const size_t all = t->planes * t->rows;
	size_t k = 0, planes = t->planes, rows = t->rows;
	double *x;

	while (k < t->outer_rank && t->outer[k] < 2)
		k++;
	if (k + 1 < t->outer_rank && repeats_every(t, all / t->outer[k]))
		planes /= t->outer[k];
	else if (planes < 2 || rows < 2)
		return false;
	else
		rows = 1;
	for (size_t i = 1; rows == 1 && i < all; i++)
		if (i % t->rows && !same_rows(t, i, i - 1))
			return false;
	x = reading_view(f, t, planes, rows, t->cols);
	for (size_t i = 0; x && i < planes * rows; i++)
		memcpy(x + i * t->cols, t->row(t, i * t->rows / rows, NULL),
		       t->cols * sizeof *x);
	return x;
}

/* Keys after the query in biases [planes, queries, keys], and what they have */
struct masked {
	double low, high;      /* of keys after the query */
	double least, most;    /* of others */
	bool same_rows;        /* of a plane, but for the mask */
};

/* Measure them; false for tables that have no such keys. */
static bool measure_mask(const struct table *t, struct masked *m)
{
	*m = (struct masked){ HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL, true };
	if (t->rows < 3 || t->cols < t->rows)
		return false;
	for (size_t i = 0; i < t->planes * t->rows; i++) {
		const double *x = t->row(t, i, NULL);
		const double *last = t->row(t, i / t->rows * t->rows +
					    t->rows - 1, NULL);
		const size_t keys = t->cols - t->rows + i % t->rows + 1;

		for (size_t j = 0; j < keys; j++) {
			m->least = fmin(m->least, x[j]);
			m->most = fmax(m->most, x[j]);
			m->same_rows &= !(fabs(x[j] - last[j]) > 0);
		}
		for (size_t j = keys; j < t->cols; j++) {
			if (isnan(x[j]))
				return false;
			m->low = fmin(m->low, x[j]);
			m->high = fmax(m->high, x[j]);
		}
	}
	return m->most > m->least && isfinite(m->most - m->least) &&
	       (!(m->high > m->low) || m->high < fmin(m->least, -1e3));
}

/* Biases with 0 after the query or, where only that differs, the last query. */
bool view_causal(struct finding *f, const struct table *t)
{
	struct masked m;
	size_t rows;
	double *x;

	if (!measure_mask(t, &m))
		return false;
	rows = m.same_rows ? 1 : t->rows;
	x = reading_view(f, t, t->planes, rows, t->cols);
	for (size_t i = 0; x && i < t->planes * rows; i++) {
		const size_t at = m.same_rows ? (i + 1) * t->rows - 1 : i;
		const size_t keys = t->cols - t->rows + at % t->rows + 1;

		memcpy(x + i * t->cols, t->row(t, at, NULL),
		       keys * sizeof *x);
	}
	f->reading.made = reading_format(
		f, "%sthis table without its causal mask of %.9g%s",
		m.same_rows ? "every query of " : "", m.low,
		m.high > m.low ? " or more" : "");
	return x;
}

bool view_batch_causal(struct finding *f, const struct table *t)
{
	const bool batch = view_batch(f, t);
	const struct table one = f->reading.view;

	if (!batch || !view_causal(f, &one))
		return false;
	f->reading.made = reading_format(f, "%s, in each of the batch",
					 f->reading.made);
	return true;
}

/* Coordinate c of point i, in columns or, in two planes, apart. */
static double coordinate(const struct table *t, bool apart, size_t i, size_t c)
{
	return apart ? t->row(t, c * t->rows + i / t->cols, NULL)[i % t->cols]
		     : t->row(t, i, NULL)[c];
}

/*
 * Copy the points [n, 2] of a grid with w to a row to x, coordinate first of
 * the table as that of the rows; false if they are none of such a grid.
 */
static bool copy_points(const struct table *t, bool apart, size_t first,
			const size_t size[2], double *x)
{
	const size_t w = size[1];

	for (size_t i = 0; i < size[0] * w; i++) {
		x[2 * i] = coordinate(t, apart, i, first);
		x[2 * i + 1] = coordinate(t, apart, i, !first);
		if (fabs(x[2 * i] - x[2 * (i / w * w)]) > 0 ||
		    fabs(x[2 * i + 1] - x[2 * (i % w) + 1]) > 0)
			return false;
	}
	return true;
}

/* Two coordinates of the points of a grid of odd sizes, as of windows. */
bool view_window(struct finding *f, const struct table *t)
{
	const bool apart = t->planes == 2 && t->cols > 2;
	const size_t n = t->planes * t->rows * t->cols / 2;

	if ((!apart && t->cols != 2) || !f->profile.finite)
		return false;
	for (size_t k = 0; k / 2 * 2 + 3 <= n / 3; k++) {
		const size_t w = k / 2 * 2 + 3, first = k % 2;
		const size_t size[2] = { n / w, w };
		double *x;

		if (n % w || size[0] % 2 == 0 ||
		    (!apart && t->planes == size[0] && !first))
			continue;
		x = reading_view(f, t, size[0], w, 2);
		f->reading.text = first ? "coordinates in the other order"
					: "as the points of a grid";
		f->reading.made = first ? "this table, its coordinates in the "
					  "other order"
					: "this table in the shape of a grid";
		if (x && copy_points(t, apart, first, size, x))
			return true;
	}
	return false;
}
