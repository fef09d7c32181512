/*
 * preview.c: a table on a terminal, as values in aligned columns or as a heat
 * map of half blocks.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text/decimal.h"
#include "figure/colormap.h"
#include "cli/preview.h"

static const char *from_environment(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

static enum colours colours(void)
{
	const char *kind = from_environment("COLORTERM");
	const char *term = from_environment("TERM");

	if (!isatty(STDOUT_FILENO) || from_environment("NO_COLOR")[0] ||
	    !term[0] || strcmp(term, "dumb") == 0)
		return COLOURS_NONE;
	return strcmp(kind, "truecolor") == 0 || strcmp(kind, "24bit") == 0
		? COLOURS_ALL : COLOURS_256;
}

struct terminal terminal_query(void)
{
	struct winsize size = { .ws_col = 0 };
	struct terminal on = { .wide = 80, .high = 24, .colours = colours() };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
		if (size.ws_col)
			on.wide = size.ws_col;
		if (size.ws_row)
			on.high = size.ws_row;
	}
	return on;
}

/* Whether a colour is that of the characters or behind them. */
enum ground { FOREGROUND = 38, BACKGROUND = 48 };

/* The nearest of the 6 x 6 x 6 colours that every terminal has. */
static int cube(struct color c)
{
	return 16 + 36 * ((c.red * 5 + 127) / 255) +
	       6 * ((c.green * 5 + 127) / 255) + (c.blue * 5 + 127) / 255;
}

static void set_colour(const struct terminal *on, enum ground ground,
		       struct color c, struct output_file *o)
{
	if (on->colours == COLOURS_ALL)
		out_format(o, "\033[%d;2;%d;%d;%dm", (int)ground, c.red,
			   c.green, c.blue);
	else
		out_format(o, "\033[%d;5;%dm", (int)ground, cube(c));
}

enum {
	WHOLE_MOST = 1000,  /* values of a table that is shown in full */
	EDGE = 3,           /* of a larger one: indices at each end */
	DIGITS = 6,         /* significant */
	GAP = -1,           /* in place of the indices that are left out */
};

/* The indices of an axis that are shown, with a GAP where some are left out. */
struct shown {
	long at[WHOLE_MOST + 1];
	size_t n;
};

struct cell {
	char text[NUMBER_ROOM];
	size_t before, n;   /* characters before the point, and all */
	double x;
};

/* The part of a table that is shown. */
struct value_preview {
	const struct table *t;
	const struct terminal *on;
	struct output_file *o;
	size_t digits;
	struct shown planes, rows, cols;
	struct cell *cells; /* [rows, cols] of one plane */
	double *scratch;    /* [t->cols] */
	size_t before[WHOLE_MOST + 1], after[WHOLE_MOST + 1];
	                    /* the widest cells of each column */
	double most;        /* the largest magnitude */
};

static void choose(struct shown *s, size_t n, size_t edge)
{
	s->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (n > 2 * edge && i == edge) {
			s->at[s->n++] = GAP;
			i = n - edge;
		}
		s->at[s->n++] = (long)i;
	}
}

static void fill_cell(struct value_preview *s, size_t i, size_t j, double x)
{
	struct cell *c = &s->cells[i * s->cols.n + j];
	const enum dtype d = s->t->dtype;

	c->x = dtype_round(d, x);
	c->n = number_text(c->text, c->x, d, s->digits);
	c->before = 0;
	while (c->before < c->n && c->text[c->before] != '.' &&
	       c->text[c->before] != 'e')
		c->before++;
	if (c->before > s->before[j])
		s->before[j] = c->before;
	if (c->n - c->before > s->after[j])
		s->after[j] = c->n - c->before;
	if (isfinite(c->x) && fabs(c->x) > s->most)
		s->most = fabs(c->x);
}

/* The cells of the plane whose rows begin at first; gaps stay empty. */
static void fill_cells(struct value_preview *s, size_t first)
{
	memset(s->before, 0, sizeof s->before);
	memset(s->after, 0, sizeof s->after);
	for (size_t i = 0; i < s->rows.n; i++) {
		const double *x;

		if (s->rows.at[i] == GAP)
			continue;
		x = s->t->row(s->t, first + (size_t)s->rows.at[i], s->scratch);
		for (size_t j = 0; j < s->cols.n; j++)
			if (s->cols.at[j] != GAP)
				fill_cell(s, i, j, x[s->cols.at[j]]);
	}
}

/*
 * From grey for 0 to orange for positive values and blue for negative ones;
 * legible on dark and light terminals.
 */
static void tint(const struct value_preview *s, double x)
{
	static const int to[2][3] = { { 214, 106, 32 }, { 40, 122, 214 } };
	const double part = s->most > 0 ? fabs(x) / s->most : 0;
	unsigned char c[3];

	for (int i = 0; i < 3; i++)
		c[i] = (unsigned char)(138 + part * (to[x < 0][i] - 138) + 0.5);
	set_colour(s->on, FOREGROUND, (struct color){ c[0], c[1], c[2] },
		   s->o);
}

static void send_cell(const struct value_preview *s, size_t i, size_t j)
{
	const struct cell *c = &s->cells[i * s->cols.n + j];
	const bool tinted = s->on->colours && isfinite(c->x);

	out_format(s->o, "%*s", (int)(s->before[j] - c->before), "");
	if (tinted)
		tint(s, c->x);
	out_bytes(s->o, c->text, c->n);
	if (tinted)
		out_text(s->o, "\033[0m");
	out_format(s->o, "%*s", (int)(s->after[j] - (c->n - c->before)), "");
}

static void send_row(const struct value_preview *s, size_t i)
{
	out_text(s->o, i ? " [" : "[[");
	for (size_t j = 0; j < s->cols.n; j++) {
		out_text(s->o, j ? " " : "");
		if (s->cols.at[j] == GAP)
			out_text(s->o, "...");
		else
			send_cell(s, i, j);
	}
	out_text(s->o, i + 1 < s->rows.n ? "]\n" : "]]\n");
}

static void send_plane(struct value_preview *s, size_t first)
{
	fill_cells(s, first);
	for (size_t i = 0; i < s->rows.n; i++)
		if (s->rows.at[i] == GAP)
			out_text(s->o, " ...\n");
		else
			send_row(s, i);
}

/* Characters of a line. */
static size_t line_width(const struct value_preview *s)
{
	size_t n = 4;

	for (size_t j = 0; j < s->cols.n; j++)
		n += 1 + (s->cols.at[j] == GAP ? 3
						: s->before[j] + s->after[j]);
	return n;
}

/* Leave out columns until the lines of the first plane fit the terminal. */
static void fit(struct value_preview *s, size_t first)
{
	size_t edge = s->cols.n / 2;

	fill_cells(s, first);
	while (line_width(s) > (size_t)s->on->wide && edge > 1) {
		choose(&s->cols, s->t->cols, --edge);
		fill_cells(s, first);
	}
}

static void send_planes(struct value_preview *s)
{
	const size_t begin = s->t->begin;

	for (size_t k = 0; k < s->planes.n; k++) {
		const long plane = s->planes.at[k];

		if (k)
			out_text(s->o, "\n");
		if (plane == GAP)
			out_text(s->o, "...\n");
		else
			send_plane(s, begin + (size_t)plane * s->t->rows);
	}
}

static void send_shape(const struct value_preview *s)
{
	size_t shape[3];
	const size_t rank = table_shape(s->t, shape);
	char text[SHAPE_TEXT];

	out_format(s->o, "%s %s\n", shape_text(shape, rank, text),
		   dtype_name(s->t->dtype));
}

void preview_numbers(const struct style *style, const struct table *t,
		     const struct terminal *on, struct output_file *o)
{
	const bool deep = table_shape(t, NULL) == 3;
	const size_t all = t->end - t->begin, rows = deep ? t->rows : all;
	const size_t edge = all * t->cols > WHOLE_MOST
			    ? EDGE : WHOLE_MOST;
	struct table memory = { 0 };  /* owns what is too large for a stack */
	struct value_preview *s = table_alloc(&memory, 1, sizeof *s, &o->err);

	if (!s)
		return;
	s->t = t;
	s->on = on;
	s->o = o;
	s->digits = style->precision ? style->precision : DIGITS;
	send_shape(s);
	choose(&s->planes, all / rows, edge);
	choose(&s->rows, rows, edge);
	choose(&s->cols, t->cols, edge);
	s->scratch = table_alloc(&memory, t->cols, sizeof *s->scratch, &o->err);
	s->cells = table_alloc(&memory, s->rows.n * s->cols.n,
			       sizeof *s->cells, &o->err);
	if (s->scratch && s->cells) {
		fit(s, t->begin);
		send_planes(s);
	}
	table_close(&memory);
}

enum { LEGEND = 2 };    /* lines below a picture */

/* A heat map of a table; planes are stacked as rows. */
struct heat_preview {
	const struct look *look;
	const struct table *t;
	const struct terminal *on;
	struct output_file *o;
	size_t high, wide;      /* cells shown */
	bool pairs;             /* columns are sampled in pairs */
	struct color palette[PALETTE_MOST];
	unsigned char *levels;  /* [high, wide] */
	struct table memory;    /* owns them */
};

/*
 * The column shown at j. Where there are too many they are picked by the
 * pair: sines and cosines take turns, and every second would be one kind.
 */
static size_t column_of(const struct heat_preview *p, size_t j)
{
	const size_t cols = p->t->cols;

	if (!p->pairs)
		return j * cols / p->wide;
	return j / 2 * (cols / 2) / (p->wide / 2) * 2 + j % 2;
}

static size_t row_of(const struct heat_preview *p, size_t i)
{
	return p->t->begin + i * (p->t->end - p->t->begin) / p->high;
}

static bool fill_levels(struct heat_preview *p, struct error *err)
{
	const size_t cols = p->t->cols;
	double *scratch = table_alloc(&p->memory, cols + p->wide,
				      sizeof *scratch, err);
	double lo, hi, *x;
	struct colormap map;

	p->levels = table_alloc(&p->memory, p->high, p->wide, err);
	if (err->text[0] || !table_range(p->t, &lo, &hi, err))
		return false;
	x = scratch + cols;
	map = look_colormap(p->look, lo, hi);
	colormap_palette(&map, p->palette);
	for (size_t i = 0; i < p->high; i++) {
		const double *row = p->t->row(p->t, row_of(p, i), scratch);

		for (size_t j = 0; j < p->wide; j++)
			x[j] = row[column_of(p, j)];
		colormap_doubles(&map, x, p->wide, p->levels + i * p->wide);
	}
	return true;
}

static void set_level(const struct heat_preview *p, enum ground ground,
		      unsigned char level)
{
	set_colour(p->on, ground, p->palette[level], p->o);
}

/* Two rows of cells: the upper in the foreground, the lower behind it. */
static void send_blocks(const struct heat_preview *p, size_t i)
{
	const unsigned char *upper = p->levels + i * p->wide;
	const bool last = i + 1 == p->high;

	for (size_t j = 0; j < p->wide; j++) {
		if (!j || upper[j] != upper[j - 1])
			set_level(p, FOREGROUND, upper[j]);
		if (!last && (!j || upper[p->wide + j] !=
			      upper[p->wide + j - 1]))
			set_level(p, BACKGROUND, upper[p->wide + j]);
		out_text(p->o, "\u2580");
	}
	out_text(p->o, "\033[0m\n");
}

/* Values without a place on the map: how they look without colours. */
static const struct {
	const char *shade, *name;
} missing[MISSING_KINDS] = {
	[MISSING_NAN] = { "?", "NaN" }, [MISSING_INF] = { "^", "inf" },
	[MISSING_MINUS_INF] = { "_", "-inf" },
};

static void send_shades(const struct heat_preview *p, size_t i)
{
	static const char shades[] = " .:-=+*#%@";
	const unsigned char *levels = p->levels + i * p->wide;

	for (size_t j = 0; j < p->wide; j++)
		out_bytes(p->o, levels[j] >= LEVELS_MOST
			  ? missing[levels[j] - LEVELS_MOST].shade
			  : &shades[levels[j] * 10 / LEVELS_MOST], 1);
	out_text(p->o, "\n");
}

/* "; _ is -inf", with a block of its colour where there are colours. */
static void send_missing(const struct heat_preview *p)
{
	for (unsigned i = 0; i < MISSING_KINDS; i++) {
		if (!memchr(p->levels, (int)(LEVELS_MOST + i),
			    p->high * p->wide))
			continue;
		out_text(p->o, "; ");
		if (p->on->colours) {
			set_level(p, FOREGROUND,
				  (unsigned char)(LEVELS_MOST + i));
			out_text(p->o, "\u2588\033[0m");
		} else {
			out_text(p->o, missing[i].shade);
		}
		out_format(p->o, " is %s", missing[i].name);
	}
}

static void send_legend(const struct heat_preview *p)
{
	const size_t rows = p->t->end - p->t->begin;

	out_format(p->o, "%zu x %zu", rows, p->t->cols);
	if (p->high < rows || p->wide < p->t->cols)
		out_format(p->o, ", of which %zu row%s and %zu column%s%s",
			   p->high, p->high == 1 ? "" : "s", p->wide,
			   p->wide == 1 ? "" : "s",
			   p->pairs ? " in pairs" : "");
	send_missing(p);
	out_text(p->o, "\n");
}

void preview_picture(const struct look *look, const struct table *t,
		     const struct terminal *on, struct output_file *o)
{
	const size_t rows = t->end - t->begin;
	const size_t each = on->colours ? 2 : 1;  /* rows per line of text */
	const size_t most = each * (size_t)(on->high > 8 ? on->high - LEGEND
							 : 6);
	const size_t wide = (size_t)(on->wide > 8 ? on->wide : 8);
	struct heat_preview p = {
		.look = look, .t = t, .on = on, .o = o,
		.high = rows < most ? rows : most,
		.wide = t->cols < wide ? t->cols : wide,
		.pairs = t->cols > wide,
	};

	p.wide -= p.pairs && p.wide % 2;
	if (fill_levels(&p, &o->err)) {
		for (size_t i = 0; i < p.high; i += each)
			(on->colours ? send_blocks : send_shades)(&p, i);
		send_legend(&p);
	}
	table_close(&p.memory);
}
