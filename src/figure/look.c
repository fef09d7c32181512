/* look.c: how a figure is to look, as its user says. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/parse.h"
#include "figure/look.h"
#include "figure/maps.h"

enum {
	CELLS_MOST = 32,      /* with numbers in them, either way */
	PIXELS_MOST = 8192,   /* of cells whose size was asked for, */
	PANEL_MOST = 1024,    /* and of each of several panels */
};

const char *const plot_words[] = { "heatmap", "lines", "cells", "steps", NULL };
const char *const theme_words[] = { "light", "dark", NULL };

/* Maps that many know, whose steps are uneven to the eye; ends with NULL. */
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
	const char *near = NULL;
	char all[160] = "";
	size_t n = 0, best = (size_t)-1;

	for (const struct map *m = maps; m->name; m++) {
		if (strcmp(m->name, name) == 0)
			return true;
		if (nearer_word(name, m->name, &best))
			near = m->name;
		n += (size_t)snprintf(all + n, sizeof all - n, "%s%s",
				      n ? " " : "", m->name);
	}
	if (is_one(name, refused))
		return fail(err, "--cmap %s shows steps where there are none "
			    "and hides others; try viridis, or vik for both "
			    "signs", name);
	if (near)
		return fail(err, "--cmap has no '%.60s' (did you mean '%s'?); "
			    "it takes %s", name, near, all);
	return fail(err, "--cmap must be one of %s, not '%.60s'", all, name);
}

/* Halves, for all doubles: so figures divide by it. */
static bool spans(double lo, double hi)
{
	return 0.5 * hi - 0.5 * lo > 0;
}

/* "A:B", with A less than B. */
static bool two_numbers(const char *text, double *a, double *b)
{
	const char *colon = strchr(text, ':');
	char first[40];
	size_t n;

	if (!colon || (n = (size_t)(colon - text)) >= sizeof first)
		return false;
	memcpy(first, text, n);
	first[n] = '\0';
	return parse_real(first, a) && parse_real(colon + 1, b) &&
	       spans(*a, *b);
}

enum span look_span(const struct look *look, double *a, double *b)
{
	if (!look->range)
		return SPAN_TABLE;
	if (strcmp(look->range, "sym") == 0)
		return SPAN_SYM;
	return two_numbers(look->range, a, b) ? SPAN_GIVEN : SPAN_AUTO;
}

void look_widen(double *lo, double *hi)
{
	const double half = fabs(*lo) / 2, more = half > 0 ? half : 1;

	if (spans(*lo, *hi))
		return;
	*lo -= more;
	*hi += more;
}

static bool check_range(const char *text, struct error *err)
{
	double a, b;

	if (strcmp(text, "sym") == 0 || strcmp(text, "auto") == 0 ||
	    two_numbers(text, &a, &b))
		return true;
	return fail(err, "--range must be A:B with A less than B, sym or auto, "
		    "not '%.60s'", text);
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
	snprintf(word, size, "%.*s", (int)n, text);
	return n;
}

/* The rows of a plane, as far as they are asked for. */
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
	return fail(err, "--words must label each of %zu positions, not %s%zu",
		    rows, n > rows ? "more than " : "", n > rows ? rows : n);
}

bool look_words_across(const struct look *look, const struct table *t)
{
	const char *name = t->across.name;

	return look->words && t->cols == rows_of(t) &&
	       (strcmp(name, "key") == 0 || strcmp(name, t->down.name) == 0);
}

static bool check_dims(const struct look *look, const struct table *t,
		       struct error *err)
{
	struct range d = look->dims;
	char text[RANGE_TEXT];

	if (!d.given)
		return true;
	if (look->plot != LINES)
		return fail(err, "--dims chooses the columns of --plot lines");
	if (!range_fill(&d, t->cols))
		return fail(err, "--dims must be A:B with A less than B, "
			    "within 0:%zu, not %s", t->cols,
			    range_text(&look->dims, text));
	if (d.last - d.first <= CURVES_MOST)
		return true;
	return fail(err, "--dims must choose at most %d lines, not %ld",
		    CURVES_MOST, d.last - d.first);
}

static bool check_plot(const struct look *look, const struct table *t,
		       size_t planes, size_t rows, struct error *err)
{
	if (look->transpose && (look->plot == LINES || look->plot == STEPS))
		return fail(err, "--transpose turns heat maps and cells, not "
			    "--plot %s", plot_words[look->plot]);
	if (planes > 1 && (look->plot == LINES ||
			   (look->plot == STEPS && !t->diagonals)))
		return fail(err, "--plot %s draws one plane of a table, not "
			    "%zu; choose its rows with --rows",
			    plot_words[look->plot], planes);
	if (look->plot == CELLS && (rows > CELLS_MOST || t->cols > CELLS_MOST))
		return fail(err, "--plot cells has room for %d x %d numbers, "
			    "not %zu x %zu", CELLS_MOST, CELLS_MOST, rows,
			    t->cols);
	if (look->plot == STEPS && !t->diagonals && rows > 1 && t->cols > 1)
		return fail(err, "--plot steps draws one row or column, or a "
			    "table of distances, not %zu x %zu numbers",
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
	return fail(err, "--cell %zu makes %zu x %zu numbers more than %zu "
		    "pixels high or wide; leave it out, or ask for fewer "
		    "--rows", look->cell, rows, t->cols, most);
}

bool look_check_planes(const struct table *t, struct error *err)
{
	if (table_shape(t, NULL) == 3 ||
	    t->begin / t->rows == (t->end - 1) / t->rows)
		return true;
	return fail(err, "--rows %zu:%zu begins in one %s of %zu rows and ends "
		    "in another; a figure shows rows of one, or all of each",
		    t->begin, t->end, t->over.name, t->rows);
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
