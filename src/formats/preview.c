/* preview.c: the numbers of a table for somebody's eyes, on a terminal. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "formats/number.h"
#include "formats/preview.h"

enum {
	WHOLE_MOST = 1000,  /* numbers that are shown without leaving any out */
	EDGE = 3,           /* else so many at either end of an axis */
	DIGITS = 6,         /* significant */
	CUT = -1,           /* stands where some are left out */
};

/* The indices of an axis that are shown; CUT where some are left out. */
struct shown {
	long at[WHOLE_MOST + 1];
	size_t n;
};

struct cell {
	char text[NUMBER_ROOM];
	size_t before, n;   /* characters before the point, and all */
	double x;
};

/* One plane of a table, or all of a table that has none. */
struct sheet {
	const struct table *t;
	const struct terminal *on;
	struct out *o;
	size_t digits;
	struct shown planes, rows, cols;
	struct cell *cells; /* [rows, cols] of those that are shown */
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
			s->at[s->n++] = CUT;
			i = n - edge;
		}
		s->at[s->n++] = (long)i;
	}
}

static void fill_cell(struct sheet *s, size_t i, size_t j, double x)
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

/* The cells of a plane whose rows begin at first; CUT's stay empty. */
static void fill(struct sheet *s, size_t first)
{
	memset(s->before, 0, sizeof s->before);
	memset(s->after, 0, sizeof s->after);
	for (size_t i = 0; i < s->rows.n; i++) {
		const double *x;

		if (s->rows.at[i] == CUT)
			continue;
		x = s->t->row(s->t, first + (size_t)s->rows.at[i], s->scratch);
		for (size_t j = 0; j < s->cols.n; j++)
			if (s->cols.at[j] != CUT)
				fill_cell(s, i, j, x[s->cols.at[j]]);
	}
}

/*
 * From grey for 0 to a colour that is read on dark and on light: orange for
 * what is above, blue for what is below.
 */
static void tint(const struct sheet *s, double x)
{
	static const int to[2][3] = { { 214, 106, 32 }, { 40, 122, 214 } };
	const double part = s->most > 0 ? fmin(fabs(x) / s->most, 1) : 0;
	unsigned char c[3];

	for (int i = 0; i < 3; i++)
		c[i] = (unsigned char)(138 + part * (to[x < 0][i] - 138) + 0.5);
	preview_colour(s->on, FOREGROUND, (struct color){ c[0], c[1], c[2] },
		       s->o);
}

static void send_cell(const struct sheet *s, size_t i, size_t j)
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

static void send_row(const struct sheet *s, size_t i)
{
	out_text(s->o, i ? " [" : "[[");
	for (size_t j = 0; j < s->cols.n; j++) {
		out_text(s->o, j ? " " : "");
		if (s->cols.at[j] == CUT)
			out_text(s->o, "...");
		else
			send_cell(s, i, j);
	}
	out_text(s->o, i + 1 < s->rows.n ? "]\n" : "]]\n");
}

static void send_plane(struct sheet *s, size_t first)
{
	fill(s, first);
	for (size_t i = 0; i < s->rows.n; i++)
		if (s->rows.at[i] == CUT)
			out_text(s->o, " ...\n");
		else
			send_row(s, i);
}

/* Characters of a line, as filled. */
static size_t line_width(const struct sheet *s)
{
	size_t n = 4;

	for (size_t j = 0; j < s->cols.n; j++)
		n += 1 + (s->cols.at[j] == CUT ? 3
						: s->before[j] + s->after[j]);
	return n;
}

/* Leave out as many columns of the first plane as its lines are too long. */
static void fit(struct sheet *s, size_t first)
{
	size_t edge = s->cols.n / 2;

	for (fill(s, first); line_width(s) > (size_t)s->on->wide && edge > 1;
	     fill(s, first))
		choose(&s->cols, s->t->cols, --edge);
}

static void send_planes(struct sheet *s)
{
	const size_t begin = s->t->begin;

	for (size_t k = 0; k < s->planes.n; k++) {
		const long plane = s->planes.at[k];

		if (k)
			out_text(s->o, "\n");
		if (plane == CUT)
			out_text(s->o, "...\n");
		else
			send_plane(s, begin + (size_t)plane * s->t->rows);
	}
}

static void send_shape(const struct sheet *s)
{
	size_t shape[3];
	const size_t rank = table_shape(s->t, shape);
	char text[SHAPE_TEXT];

	out_format(s->o, "%s %s\n", shape_text(shape, rank, text),
		   dtype_name(s->t->dtype));
}

void preview_numbers(const struct style *style, const struct table *t,
		     const struct terminal *on, struct out *o)
{
	const bool deep = table_shape(t, NULL) == 3;
	const size_t rows = deep ? t->rows : t->end - t->begin;
	const size_t edge = (t->end - t->begin) * t->cols > WHOLE_MOST
			    ? EDGE : WHOLE_MOST;
	struct sheet s = {
		.t = t, .on = on, .o = o,
		.digits = style->precision ? style->precision : DIGITS,
	};
	struct table memory = { 0 };  /* owns what s points to */

	send_shape(&s);
	choose(&s.planes, deep ? t->planes : 1, edge);
	choose(&s.rows, rows, edge);
	choose(&s.cols, t->cols, edge);
	s.scratch = table_alloc(&memory, t->cols, sizeof *s.scratch, &o->err);
	s.cells = table_alloc(&memory, s.rows.n * s.cols.n, sizeof *s.cells,
			      &o->err);
	if (s.scratch && s.cells) {
		fit(&s, t->begin);
		send_planes(&s);
	}
	table_close(&memory);
}
