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

#include "cli/run.h"
#include "figure/colormap.h"
#include "text/decimal.h"
#include "text/words.h"

static enum colours colours(void)
{
	const char *kind = getenv("COLORTERM"), *term = getenv("TERM");
	const char *no_color = getenv("NO_COLOR");

	if (!isatty(STDOUT_FILENO) || (no_color && no_color[0]) || !term ||
	    !term[0] || strcmp(term, "dumb") == 0)
		return COLOURS_NONE;
	return kind && text_has_word("truecolor 24bit", kind, " ")
	       ? COLOURS_ALL : COLOURS_256;
}

struct terminal terminal_query(void)
{
	struct winsize size = { .ws_col = 0 };

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);  /* a pipe has none */
	return (struct terminal){ size.ws_col ? size.ws_col : 80,
				  size.ws_row ? size.ws_row : 24, colours() };
}

/* Whether a colour is that of the characters or behind them. */
enum ground { FOREGROUND = 38, BACKGROUND = 48 };

static void set_colour(const struct terminal *on, enum ground ground,
		       struct color c, struct output_file *o)
{
	if (on->colours == COLOURS_ALL)
		out_format(o, "\033[%d;2;%d;%d;%dm", (int)ground, c.red,
			   c.green, c.blue);
	else
		/* The nearest of 6 x 6 x 6 that every terminal has */
		out_format(o, "\033[%d;5;%dm", (int)ground, 16 +
			   36 * ((c.red * 5 + 127) / 255) +
			   6 * ((c.green * 5 + 127) / 255) +
			   (c.blue * 5 + 127) / 255);
}

enum {
	WHOLE_MOST = 1000,  /* values of a table that is shown in full */
	EDGE = 3,           /* of a larger one: indices at each end */
	DIGITS = 6,         /* significant */
	GAP = -1,           /* in place of the indices that are left out */
};

/* The indices of an axis that are shown. */
struct shown {
	size_t n, all;      /* if less than all, the middle one is a GAP */
};

static struct shown choose(size_t all, size_t edge)
{
	return (struct shown){ all > 2 * edge ? 2 * edge + 1 : all, all };
}

static long shown_at(const struct shown *s, size_t i)
{
	const size_t edge = s->n / 2;

	return s->n == s->all || i < edge ? (long)i :
	       i == edge ? GAP : (long)(s->all - s->n + i);
}

struct cell {
	char text[NUMBER_ROOM + 1];
	size_t before, after;  /* characters before the point, and from there */
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
	struct { size_t before, after; } widest[WHOLE_MOST + 1];
	                    /* cells of each column */
	double most;        /* the largest magnitude */
};

static void fill_cell(struct value_preview *s, size_t i, size_t j, double x)
{
	struct cell *c = &s->cells[i * s->cols.n + j];
	const enum dtype d = s->t->dtype;
	size_t n;

	c->x = dtype_round(d, x);
	n = number_text(c->text, c->x, d, s->digits);
	c->text[n] = '\0';
	c->before = strcspn(c->text, ".e");
	c->after = n - c->before;
	if (c->before > s->widest[j].before)
		s->widest[j].before = c->before;
	if (c->after > s->widest[j].after)
		s->widest[j].after = c->after;
	if (isfinite(c->x) && fabs(c->x) > s->most)
		s->most = fabs(c->x);
}

/* The cells of the plane whose rows begin at first; gaps stay empty. */
static void fill_cells(struct value_preview *s, size_t first)
{
	memset(s->widest, 0, sizeof s->widest);
	for (size_t i = 0; i < s->rows.n; i++) {
		const long row = shown_at(&s->rows, i);
		const double *x = row == GAP ? NULL
			: s->t->row(s->t, first + (size_t)row, s->scratch);

		for (size_t j = 0; x && j < s->cols.n; j++)
			if (shown_at(&s->cols, j) != GAP)
				fill_cell(s, i, j, x[shown_at(&s->cols, j)]);
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

	out_format(s->o, "%*s", (int)(s->widest[j].before - c->before), "");
	if (tinted)
		tint(s, c->x);
	out_format(s->o, tinted ? "%s\033[0m" : "%s", c->text);
	out_format(s->o, "%*s", (int)(s->widest[j].after - c->after), "");
}

/* Lines of a plane. */
static void send_plane(struct value_preview *s, size_t first)
{
	fill_cells(s, first);
	for (size_t i = 0; i < s->rows.n; i++) {
		if (shown_at(&s->rows, i) == GAP) {
			out_text(s->o, " ...\n");
			continue;
		}
		out_text(s->o, i ? " [" : "[[");
		for (size_t j = 0; j < s->cols.n; j++) {
			out_text(s->o, j ? " " : "");
			if (shown_at(&s->cols, j) == GAP)
				out_text(s->o, "...");
			else
				send_cell(s, i, j);
		}
		out_text(s->o, i + 1 < s->rows.n ? "]\n" : "]]\n");
	}
}

/* Leave out columns until the lines of the first plane fit the terminal. */
static void fit(struct value_preview *s, size_t first)
{
	for (size_t edge = s->cols.n / 2;;) {
		size_t width = 4;

		fill_cells(s, first);
		for (size_t j = 0; j < s->cols.n; j++)
			width += 1 + (shown_at(&s->cols, j) == GAP ? 3
				      : s->widest[j].before +
					s->widest[j].after);
		if (width <= (size_t)s->on->wide || edge < 2)
			return;
		s->cols = choose(s->t->cols, --edge);
	}
}

static void send_planes(struct value_preview *s)
{
	for (size_t k = 0; k < s->planes.n; k++) {
		const long plane = shown_at(&s->planes, k);

		out_text(s->o, k ? "\n" : "");
		if (plane == GAP)
			out_text(s->o, "...\n");
		else
			send_plane(s, s->t->begin + (size_t)plane * s->t->rows);
	}
}

void preview_numbers(const struct style *style, const struct table *t,
		     const struct terminal *on, struct output_file *o)
{
	size_t shape[3];
	const size_t rank = table_shape(t, shape), all = t->end - t->begin;
	const size_t rows = rank == 3 ? t->rows : all;
	const size_t edge = all * t->cols > WHOLE_MOST ? EDGE : WHOLE_MOST;
	char text[SHAPE_TEXT];
	struct table memory = { 0 };  /* owns what is too large for a stack */
	struct value_preview *s = table_alloc(&memory, 1, sizeof *s, &o->err);

	if (!s)
		return;
	s->t = t;
	s->on = on;
	s->o = o;
	s->digits = style->precision ? style->precision : DIGITS;
	s->planes = choose(all / rows, edge);
	s->rows = choose(rows, edge);
	s->cols = choose(t->cols, edge);
	out_format(o, "%s %s\n", shape_text(shape, rank, text),
		   dtype_name(t->dtype));
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

static bool fill_levels(struct heat_preview *p, struct error *err)
{
	const struct table *t = p->t;
	double *scratch = table_alloc(&p->memory, t->cols + p->wide,
				      sizeof *scratch, err);
	double lo, hi, *x;
	struct colormap map;

	p->levels = table_alloc(&p->memory, p->high, p->wide, err);
	if (err->text[0] || !table_range(t, &lo, &hi, err))
		return false;
	x = scratch + t->cols;
	map = look_colormap(p->look, lo, hi);
	colormap_palette(&map, p->palette);
	for (size_t i = 0; i < p->high; i++) {
		const double *row = t->row(t, t->begin +
				i * (t->end - t->begin) / p->high, scratch);

		for (size_t j = 0; j < p->wide; j++)
			x[j] = row[column_of(p, j)];
		colormap_doubles(&map, x, p->wide, p->levels + i * p->wide);
	}
	return true;
}

/* Two rows of cells: the upper in the foreground, the lower behind it. */
static void send_blocks(const struct heat_preview *p, size_t i)
{
	const unsigned char *upper = p->levels + i * p->wide;
	const unsigned char *lower = i + 1 < p->high ? upper + p->wide : NULL;

	for (size_t j = 0; j < p->wide; j++) {
		if (!j || upper[j] != upper[j - 1])
			set_colour(p->on, FOREGROUND, p->palette[upper[j]],
				   p->o);
		if (lower && (!j || lower[j] != lower[j - 1]))
			set_colour(p->on, BACKGROUND, p->palette[lower[j]],
				   p->o);
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
			set_colour(p->on, FOREGROUND,
				   p->palette[LEVELS_MOST + i], p->o);
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
