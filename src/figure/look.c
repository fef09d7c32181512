/* look.c: the options of a figure, checked against its table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/decimal.h"
#include "text/utf8.h"
#include "text/words.h"
#include "figure/colormap.h"
#include "figure/look.h"

enum {
	CELLS_MOST = 32,      /* rows, and columns, of --plot cells */
	PIXELS_MOST = 8192,   /* of a panel with --cell, */
	PANEL_MOST = 1024,    /* and of each of several panels */
};

const char *const plot_words[] = { "heatmap", "lines", "cells", "steps", NULL };
const char *const theme_words[] = { "light", "dark", "auto", NULL };

/* Well-known maps that are perceptually uneven; ends with NULL. */
static const char *const refused[] = {
	"jet", "rainbow", "hsv", "nipy_spectral", "gist_rainbow", NULL
};

static bool is_one(const char *word, const char *const *words)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words;
}

static bool check_cmap(const char *name, struct error *err)
{
	struct lookup l = lookup_begin(name);
	char all[160] = "";
	size_t n = 0;

	for (const struct map *m = maps; m->name; m++) {
		if (lookup_is(&l, m->name))
			return true;
		n += (size_t)snprintf(all + n, sizeof all - n, "%s%s",
				      !n ? "" : m[1].name ? ", " : " or ",
				      m->name);
	}
	if (is_one(name, refused))
		return fail(err, "--cmap %s is perceptually uneven: it shows "
			    "edges that the values do not have; use viridis, "
			    "or vik for values of both signs", name);
	return lookup_fail_value(&l, "--cmap", all, err);
}

/* Halves, since the span of all doubles overflows; figures divide by it. */
static bool spans(double lo, double hi)
{
	return 0.5 * hi - 0.5 * lo > 0;
}

/* "A:B" with A less than B. */
static bool two_values(const char *text, double *a, double *b)
{
	double at[2];

	if (parse_reals(text, ':', at, 2) != 2 || !spans(at[0], at[1]))
		return false;
	*a = at[0];
	*b = at[1];
	return true;
}

enum span look_span(const struct look *look, double *a, double *b)
{
	if (!look->range)
		return SPAN_TABLE;
	if (strcmp(look->range, "sym") == 0)
		return SPAN_SYM;
	return two_values(look->range, a, b) ? SPAN_GIVEN : SPAN_AUTO;
}

void look_widen(double *lo, double *hi)
{
	const double half = fabs(*lo) / 2, more = half > 0 ? half : 1;

	if (spans(*lo, *hi))
		return;
	*lo -= more;
	*hi += more;
}

void look_center(double *lo, double *hi)
{
	*hi = fmax(-*lo, *hi);
	*lo = -*hi;
}

struct colormap look_colormap(const struct look *look, double lo, double hi)
{
	struct colormap m = colormap_for(lo, hi);
	const enum span span = look_span(look, &m.lo, &m.hi);

	if (span == SPAN_SYM || span == SPAN_AUTO) {
		m.lo = lo;
		m.hi = hi;
	}
	if (span == SPAN_SYM)
		look_center(&m.lo, &m.hi);
	if (look->cmap)
		m.name = look->cmap;
	return m;
}

static bool check_range(const char *text, struct error *err)
{
	double a, b;

	if (strcmp(text, "sym") == 0 || strcmp(text, "auto") == 0 ||
	    two_values(text, &a, &b))
		return true;
	return fail(err, "--range must be A:B with A less than B, sym or auto, "
		    "got '%.60s'", text);
}

const char *look_first(const char *text, size_t *n)
{
	text += strspn(text, " \t\n");
	*n = strcspn(text, " \t\n");
	return text;
}

bool look_word(const char *text, size_t i, char *word, size_t size)
{
	size_t n;

	for (text = look_first(text, &n); i; i--)
		text = look_first(text + n, &n);
	utf8_show(text, n, word, size);
	return n;
}

/* The rows of a plane, or those of it that --rows selects. */
static size_t rows_of(const struct table *t)
{
	size_t shape[3] = { 0 };
	const size_t rank = table_shape(t, shape);

	return shape[rank - 2];
}

bool look_check_words(const struct look *look, const struct table *t,
		      struct error *err)
{
	const size_t rows = rows_of(t);
	size_t n = 0, length = 0;
	const char *word = look->words;

	if (!word)
		return true;
	while (n <= rows && (word = look_first(word + length, &length), length))
		n++;
	if (n == rows)
		return true;
	return fail(err, "--words must have one word per position: expected "
		    "%zu, got %s%zu", rows, n > rows ? "more than " : "",
		    n > rows ? rows : n);
}

bool look_words_across(const struct look *look, const struct table *t)
{
	return look->words && t->cols == rows_of(t) &&
	       (t->col_axis.kind == AXIS_KEY ||
		axis_alike(&t->col_axis, &t->row_axis));
}

static bool check_dims(const struct look *look, const struct table *t,
		       struct error *err)
{
	struct range d = look->dims;
	char text[RANGE_TEXT];

	if (!d.given)
		return true;
	if (look->plot != LINES)
		return fail(err, "--dims needs --plot lines");
	if (!range_fill(&d, t->cols))
		return fail(err, "--dims must be A:B with A less than B, "
			    "within 0:%zu, got %s", t->cols,
			    range_text(&look->dims, text));
	if (d.last - d.first <= CURVES_MOST)
		return true;
	return fail(err, "--dims must select at most %d columns, got %ld",
		    CURVES_MOST, d.last - d.first);
}

static bool check_plot(const struct look *look, const struct table *t,
		       size_t planes, size_t rows, struct error *err)
{
	if (look->zlabel && look->plot > HEATMAP)
		return fail(err, "--zlabel names the colour bar, which --plot "
			    "%s does not have", plot_words[look->plot]);
	if (look->transpose && (look->plot == LINES || look->plot == STEPS))
		return fail(err, "--transpose works with heat maps and cells, "
			    "not with --plot %s", plot_words[look->plot]);
	if (planes > 1 && (look->plot == LINES ||
			   (look->plot == STEPS && !t->diagonals)))
		return fail(err, "--plot %s draws one plane, got %zu: select "
			    "the rows of one with --rows",
			    plot_words[look->plot], planes);
	if (look->plot == CELLS && (rows > CELLS_MOST || t->cols > CELLS_MOST))
		return fail(err, "--plot cells draws at most %d x %d values, "
			    "got %zu x %zu", CELLS_MOST, CELLS_MOST, rows,
			    t->cols);
	if (look->plot == STEPS && !t->diagonals && rows > 1 && t->cols > 1)
		return fail(err, "--plot steps draws one row or column, or a "
			    "table of distances, got %zu x %zu values",
			    rows, t->cols);
	return true;
}

static bool check_cell(const struct look *look, const struct table *t,
		       size_t planes, size_t rows, struct error *err)
{
	const size_t most = planes > 1 ? PANEL_MOST : PIXELS_MOST;

	if (!look->cell || (rows <= most / look->cell &&
			    t->cols <= most / look->cell))
		return true;
	return fail(err, "--cell %zu makes a figure of %zu x %zu values more "
		    "than %zu pixels high or wide: omit --cell, or select "
		    "fewer --rows",
		    look->cell, rows, t->cols, most);
}

bool look_check_planes(const struct table *t, struct error *err)
{
	if (table_shape(t, NULL) == 3 ||
	    t->begin / t->rows == (t->end - 1) / t->rows)
		return true;
	return fail(err, "--rows %zu:%zu begins in one %s of %zu rows and ends "
		    "in another: a figure shows rows of one, or all rows of "
		    "each", t->begin, t->end, t->plane_axis.name, t->rows);
}

bool look_check(const struct look *look, const struct table *t,
		struct error *err)
{
	size_t shape[3];
	const bool deep = table_shape(t, shape) == 3;
	const size_t planes = deep ? shape[0] : 1;

	return (!look->cmap || check_cmap(look->cmap, err)) &&
	       (!look->range || check_range(look->range, err)) &&
	       look_check_words(look, t, err) && check_dims(look, t, err) &&
	       check_plot(look, t, planes, rows_of(t), err) &&
	       check_cell(look, t, planes, rows_of(t), err);
}
