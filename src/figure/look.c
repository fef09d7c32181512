/* look.c: the options of a figure, checked against its table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/decimal.h"
#include "text/utf8.h"
#include "text/words.h"
#include "figure/colormap.h"
#include "figure/columns.h"
#include "figure/formula.h"
#include "figure/marks.h"
#include "figure/page.h"
#include "figure/plots.h"

enum {
	PIXELS_MOST = 8192,   /* of a panel with --cell, */
	PANEL_MOST = 1024,    /* and of each of several panels */
};

const char *const theme_words[] = { "light", "dark", "auto", "print",
				    NULL };
const char *const frame_words[] = { "fit", "fixed", NULL };
const char *const log_words[] = { "x", "y", "xy", NULL };
const char *const scale_colors_words[] = { "linear", "sqrt", "log", NULL };

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

	if (colormap_known(name))
		return true;
	for (const struct map *m = maps; m->name; m++) {
		lookup_is(&l, m->name);
		n += (size_t)snprintf(all + n, sizeof all - n, "%s%s",
				      !n ? "" : m[1].name ? ", " : " or ",
				      m->name);
	}
	snprintf(all + n, sizeof all - n, ", or one of them reversed, as in "
		 "viridis_r");
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

static bool is_each(const struct look *look)
{
	return look->range && strcmp(look->range, "each") == 0;
}

enum span look_span(const struct look *look, double *a, double *b)
{
	if (!look->range)
		return SPAN_TABLE;
	if (strcmp(look->range, "sym") == 0)
		return SPAN_SYM;
	if (is_each(look))
		return SPAN_EACH;
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

	if (is_one(text, (const char *const[]){ "sym", "auto", "each",
						NULL }) ||
	    two_values(text, &a, &b))
		return true;
	return fail(err, "--range must be A:B with A less than B, sym, auto or "
		    "each, got '%.60s'", text);
}

/* The length of a word in quotes at text; 0: it is none. */
static size_t quoted(const char *text)
{
	const char ends[] = { text[0], '\n', '\0' };
	size_t n;

	if (text[0] != '\'' && text[0] != '"')
		return 0;
	n = strcspn(text + 1, ends);
	return text[1 + n] == text[0] && strchr(" \t\n", text[2 + n]) ? n : 0;
}

const char *look_next(struct word *w, const char *text)
{
	text += strspn(text, " \t\n");
	*w = (struct word){ text + 1, quoted(text) };
	if (w->n)
		return w->text + w->n + 1;
	*w = (struct word){ text, strcspn(text, " \t\n") };
	return text + w->n;
}

bool look_word(const char *text, size_t i, char *word, size_t size)
{
	struct word w;

	do
		text = look_next(&w, text);
	while (i--);
	formula_show(w.text, w.n, word, size);
	return w.n;
}

/* The rows of a plane, or those of it that --rows selects. */
static size_t rows_of(const struct table *t)
{
	size_t shape[3] = { 0 };
	const size_t rank = table_shape(t, shape);

	return shape[rank - 2];
}

/* Whether text, if given, has a word for each of wanted things. */
static bool check_count(const char *text, const char *flag, const char *thing,
			size_t wanted, struct error *err)
{
	size_t n = 0;
	struct word w;

	if (!text)
		return true;
	while (text = look_next(&w, text), w.n)
		n++;
	return n == wanted ||
	       fail(err, "%s must have one word per %s: expected %zu, got %zu",
		    flag, thing, wanted, n);
}

bool look_check_words(const struct look *look, const struct table *t,
		      struct error *err)
{
	return check_count(look->words, "--words", "position", rows_of(t),
			   err) &&
	       check_count(look->key_words, "--key-words", "column", t->cols,
			   err);
}

const char *look_words_across(const struct look *look, const struct table *t)
{
	if (look->key_words)
		return look->key_words;
	return t->cols == rows_of(t) &&
	       (t->col_axis.kind == AXIS_KEY ||
		axis_alike(&t->col_axis, &t->row_axis)) ? look->words : NULL;
}

static bool check_dims(const struct look *look, const struct table *t,
		       struct error *err)
{
	if (!look->dims || plot_of(look)->columns)
		return columns_check(look, t, err);
	return fail(err, "--dims needs --plot lines, clocks, maps or tiles");
}

/* Whether the rows of t are the cells of a grid, all of them. */
static bool check_grid(const struct look *look, const struct table *t,
		       size_t rows, struct error *err)
{
	if (!t->grid.height)
		return fail(err, "--plot %s draws the cells of a grid, as "
			    "'resize' makes, and 'grid', 'rope', 'show' and "
			    "'similarity' with --grid; "
			    "the rows of this table are not known to be cells",
			    plot_name(look));
	if (rows < t->rows)
		return fail(err, "--plot %s draws all rows, got --rows %zu:%zu",
			    plot_name(look), t->begin, t->end);
	return !look->words ||
	       fail(err, "--words does not apply to --plot %s, where each row "
		    "of the table is a cell", plot_name(look));
}

static bool check_marks(const struct look *look, const struct table *t,
			size_t rows, struct error *err)
{
	const struct table grid = { .rows = t->grid.height,
				    .cols = t->grid.width };
	const struct plot *plot = plot_of(look);

	if ((look->highlight || look->annotate) && !plot->transposes &&
	    !plot->maps)
		return fail(err, "--%s marks rows and columns of heat maps and "
			    "cells, which --plot %s does not have",
			    look->highlight ? "highlight" : "annotate",
			    plot_name(look));
	return plot->maps ? marks_check(look, &grid, grid.rows, err)
			  : marks_check(look, t, rows, err);
}

static bool check_plot(const struct look *look, const struct table *t,
		       size_t planes, size_t rows, struct error *err)
{
	const struct plot *plot = plot_of(look);

	if (look->zlabel && !plot->bar)
		return fail(err, "--zlabel names the colour bar, which --plot "
			    "%s does not have", plot_name(look));
	if (look->no_colorbar && !plot->bar)
		return fail(err, "--no-colorbar leaves out the colour bar, "
			    "which --plot %s does not have", plot_name(look));
	if (look->transpose && !plot->transposes)
		return fail(err, "--transpose works with heat maps and cells, "
			    "not with --plot %s", plot_name(look));
	if (is_each(look) && !plot->panels)
		return fail(err, "--range each is for the panels of a heat "
			    "map, which --plot %s does not have",
			    plot_name(look));
	if (look->key_words && !plot->transposes)
		return fail(err, "--key-words works with heat maps and cells, "
			    "not with --plot %s", plot_name(look));
	if (look->cell && !plot->transposes)
		return fail(err, "--cell applies to heat maps and cells, not "
			    "to --plot %s", plot_name(look));
	if (plot->plain && (look->range || look->cmap))
		return fail(err, "--%s does not apply to --plot %s",
			    look->range ? "range" : "cmap", plot_name(look));
	if (look->scale_colors != NO_CHOICE && (!plot->bar || plot->unscaled))
		return fail(err, "--scale-colors is for heat maps, which "
			    "--plot %s is not", plot_name(look));
	if (look->legend && !plot->curves)
		return fail(err, "--legend names lines, which --plot %s does "
			    "not have", plot_name(look));
	if (look->log != NO_CHOICE && !plot->curves)
		return fail(err, "--log needs --plot lines, steps or bars");
	if (t->beside && !plot->curves && !plot->sums)
		return fail(err, "--plot %s draws one TABLE; --plot lines and "
			    "--plot panels draw several", plot_name(look));
	if ((plot->cells && !check_grid(look, t, rows, err)) ||
	    !check_marks(look, t, rows, err))
		return false;
	return !plot->check || plot->check(look, t, planes, rows, err);
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

bool look_check_whole(const struct look *look, const char *flag,
		      struct error *err)
{
	return !is_each(look) ||
	       fail(err, "--range each is for figures; %s draws all values in "
		    "one range", flag);
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

/* Whether no text is given to what is left out. */
static bool check_left_out(const struct look *look, struct error *err)
{
	if (look->no_title && (look->title || look->subtitle))
		return fail(err, "--no-title leaves out the title and what "
			    "stands below it, and --%s sets it: expected one "
			    "of them", look->title ? "title" : "subtitle");
	return !look->no_colorbar || !look->zlabel ||
	       fail(err, "--zlabel names the colour bar, which --no-colorbar "
		    "leaves out: expected one of them");
}

/* Whether the formulas in all texts are known. */
static bool check_formulas(const struct look *look, struct error *err)
{
	return formula_check("--title", look->title, err) &&
	       formula_check("--subtitle", look->subtitle, err) &&
	       formula_check("--xlabel", look->xlabel, err) &&
	       formula_check("--ylabel", look->ylabel, err) &&
	       formula_check("--zlabel", look->zlabel, err) &&
	       formula_check("--legend", look->legend, err) &&
	       formula_check("--words", look->words, err) &&
	       formula_check("--key-words", look->key_words, err) &&
	       formula_check("--annotate", look->annotate, err);
}

bool look_check(const struct look *look, const struct table *t,
		struct error *err)
{
	size_t shape[3];
	const bool deep = table_shape(t, shape) == 3;
	const size_t planes = deep ? shape[0] : 1;

	if (!check_formulas(look, err) || !check_left_out(look, err))
		return false;
	if (look->subfigures)
		return page_check(look, err);
	return (!look->cmap || check_cmap(look->cmap, err)) &&
	       (!look->range || check_range(look->range, err)) &&
	       page_check(look, err) &&
	       look_check_words(look, t, err) && check_dims(look, t, err) &&
	       check_plot(look, t, planes, rows_of(t), err) &&
	       check_cell(look, t, planes, rows_of(t), err);
}
