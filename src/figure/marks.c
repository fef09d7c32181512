/*
 * marks.c: frames around rows, columns and cells of a heat map, and words at
 * them, outside of the panel: of a row on its right, of a column above, of a
 * cell where it is nearer, with a frame around the cell and a line to it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/formula.h"
#include "figure/marks.h"

enum {
	LINE = 2, HALO = 1,      /* of a frame, points: a line between two */
	SMALL = 16,              /* cells below have thin frames */
	LABEL_LINE = 16,         /* height of a line of annotations */
	LINES_MOST = 8,          /* of annotations above a panel */
	LABEL = 4 * TICK_TEXT,
};

enum kind { MARK_ROW, MARK_COLUMN, MARK_CELL, KINDS };

static const char *const kinds[] = { "row=", "col=", "cell=" };

/* Rows and columns, first to last of each, and what is said of them. */
struct mark {
	enum kind kind;
	long row[2], column[2];
	char text[LABEL];
	struct box at;     /* from the corner of the panel, */
	bool above;        /* over which the text stands, not beside it; */
	int from;          /* from where on that side there is a line to it */
};

/*
 * "3", or "3:5" of which 4 is the last; if words follow a colon, "3..4". What
 * follows, or NULL.
 */
static const char *read_span(const char *text, bool words, long span[2])
{
	const char *sign = words ? ".." : ":";

	for (int i = 0; i < 2; i++) {
		const size_t n = strspn(text, "0123456789");

		if (!n || n > 15)
			return NULL;
		span[i] = strtol(text, NULL, 10) - (i && !words);
		text += n;
		if (!i && strncmp(text, sign, strlen(sign)) != 0) {
			span[1] = span[0];
			return text;
		}
		text += i ? 0 : strlen(sign);
	}
	return span[0] <= span[1] ? text : NULL;
}

/*
 * Read the mark at text; words: with what is said of it after a colon. What
 * follows it and its |, the end of text, or NULL: it is no mark.
 */
static const char *read_mark(const char *text, bool words, struct mark *m)
{
	size_t n;

	*m = (struct mark){ 0 };
	while (m->kind < KINDS && strncmp(text, kinds[m->kind],
					  strlen(kinds[m->kind])) != 0)
		m->kind++;
	if (m->kind == KINDS)
		return NULL;
	text += strlen(kinds[m->kind]);
	if (m->kind != MARK_COLUMN && !(text = read_span(text, words, m->row)))
		return NULL;
	if (m->kind == MARK_CELL && *text++ != ',')
		return NULL;
	if (m->kind != MARK_ROW &&
	    !(text = read_span(text, words, m->column)))
		return NULL;
	if (words && *text++ != ':')
		return NULL;
	n = words ? strcspn(text, "|") : 0;
	formula_show(text, n, m->text, sizeof m->text);
	text += n;
	return (words && !n) || (*text && *text != '|') ? NULL
		: text + (*text == '|');
}

/* Whether a span of a mark is among rows or columns begin to end. */
static bool within(const char *flag, const char *things, const long span[2],
		   size_t begin, size_t end, struct error *err)
{
	return (span[0] >= (long)begin && span[1] < (long)end) ||
	       fail(err, "%s: %ss are %zu to %zu, got %ld", flag, things, begin,
		    end - 1, span[0] < (long)begin ? span[0] : span[1]);
}

static bool check(const char *text, const char *flag, bool words,
		  const struct table *t, size_t rows, struct error *err)
{
	const size_t begin = t->begin % t->rows;
	struct mark m;

	for (const char *at = text; at && *at;) {
		const char *next = read_mark(at, words, &m);

		if (!next)
			return fail(err, "%s must be %s, or several with | "
				    "between them, got '%.60s'", flag, words
				    ? "row=I:TEXT, col=J:TEXT or "
				      "cell=I,J:TEXT, where A..B is A to B"
				    : "row=I, col=J or cell=I,J, where A:B is "
				      "A to B-1", at);
		if ((m.kind != MARK_COLUMN &&
		     !within(flag, "row", m.row, begin, begin + rows, err)) ||
		    (m.kind != MARK_ROW &&
		     !within(flag, "column", m.column, 0, t->cols, err)))
			return false;
		at = next;
	}
	return !text || *text || fail(err, "%s: expected a mark", flag);
}

bool marks_check(const struct look *look, const struct table *t, size_t rows,
		 struct error *err)
{
	return check(look->highlight, "--highlight", false, t, rows, err) &&
	       check(look->annotate, "--annotate", true, t, rows, err);
}

/* From where to where rows or columns span[0] to span[1] are on an axis. */
static void find_pixels(const struct heat *h, const struct heat_axis *w,
			const long span[2], int *at, int *size)
{
	size_t cell[2];

	for (int i = 0; i < 2; i++) {
		const size_t k = (size_t)span[i] - w->first;

		cell[i] = w->columns ? sample_column_of(&h->s, k)
				     : sample_row_of(&h->s, k);
	}
	*at = (int)cell[0] * w->cell;
	*size = (int)(cell[1] - cell[0] + 1) * w->cell;
}

/* The rectangle of a mark in the panel b. */
static struct box box_of(const struct heat *h, const struct mark *m,
			 const struct box *b)
{
	const bool turned = !h->x.columns;
	struct box at = *b;
	int from;

	if (m->kind != (turned ? MARK_COLUMN : MARK_ROW)) {
		find_pixels(h, &h->x, turned ? m->row : m->column, &from,
			    &at.w);
		at.x += from;
	}
	if (m->kind != (turned ? MARK_ROW : MARK_COLUMN)) {
		find_pixels(h, &h->y, turned ? m->column : m->row, &from,
			    &at.h);
		at.y += from;
	}
	return at;
}

/* Lines around a rectangle: so wide, so far from it. */
static void draw_frame(struct figure *f, int ink, const struct box *b,
		       int width, int apart)
{
	const struct box o = { b->x - apart - width, b->y - apart - width,
			       b->w + 2 * (apart + width),
			       b->h + 2 * (apart + width) };

	figure_rect(f, ink, o.x, o.y, o.w, width);
	figure_rect(f, ink, o.x, o.y + o.h - width, o.w, width);
	figure_rect(f, ink, o.x, o.y, width, o.h);
	figure_rect(f, ink, o.x + o.w - width, o.y, width, o.h);
}

/* How wide the lines of a thin frame are. */
static int thin(const struct figure *f)
{
	return greatest(1, pt(f, 0.7));
}

/*
 * Black between white lines, which any colour of cells differs from; cells that
 * the inner line would hide have none.
 */
static void draw_around(struct figure *f, const struct box *o, int line,
			int halo)
{
	const int inner = o->w < 6 * halo || o->h < 6 * halo ? 0 : halo;

	draw_frame(f, INK_WHITE, o, line + halo + inner, -inner);
	draw_frame(f, INK_BLACK, o, line, 0);
}

/* Thin ones around small cells: those beside them are to be seen as well. */
static void draw_highlights(struct figure *f, const struct heat *h,
			    const struct look *look, const struct box *b)
{
	const bool small = h->x.cell < pt(f, SMALL) || h->y.cell < pt(f, SMALL);
	struct mark m;

	for (const char *at = look->highlight; at && *at;) {
		struct box o;

		at = read_mark(at, false, &m);
		o = box_of(h, &m, b);
		draw_around(f, &o, small ? thin(f) : pt(f, LINE),
			    small ? thin(f) : pt(f, HALO));
	}
}

/* From the first row or column on. */
static int compare_marks(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/*
 * Where the text of a mark stands, and where its line begins: at the middle of
 * a row or column; of cells at an edge that is not the panel's, on the way that
 * is shorter, so that the line runs between cells and hides no value.
 */
static void find_side(const struct heat *h, struct mark *m)
{
	const struct box panel = { 0, 0, h->p.box.w, h->p.box.h };
	const struct box *o = &m->at;

	m->at = box_of(h, m, &panel);
	if (m->kind == MARK_CELL) {
		m->above = o->y < panel.w - o->x - o->w;
		m->from = m->above ? o->x + o->w : o->y;
	} else {
		m->above = (m->kind == MARK_ROW) != h->x.columns;
		m->from = m->above ? o->x + o->w / 2 : o->y + o->h / 2;
	}
}

/* All annotations of look, in memory of f, in the order of their places. */
static struct mark *annotations(struct figure *f, const struct heat *h,
				const struct look *look, size_t *n)
{
	struct mark *all = look->annotate
		? figure_room(f, strlen(look->annotate), sizeof *all) : NULL;

	*n = 0;
	for (const char *at = look->annotate; all && at && *at; ++*n) {
		at = read_mark(at, true, &all[*n]);
		find_side(h, &all[*n]);
	}
	if (all)
		qsort(all, *n, sizeof *all, compare_marks);
	return all;
}

int marks_right(struct figure *f, const struct heat *h,
		const struct look *look)
{
	size_t n;
	const struct mark *all = annotations(f, h, look, &n);
	int most = 0;

	for (size_t i = 0; i < n; i++)
		if (!all[i].above)
			most = greatest(most, pt(f, TICK + 2 * GAP) +
				figure_width(f, TICK_POINTS, all[i].text));
	return most;
}

/*
 * The line of a text above the panel, counted from 0: the first in which none
 * is in its way; ends: where the last one of each line ends.
 */
static int line_above(const struct figure *f, const struct mark *m,
		      int ends[LINES_MOST])
{
	const int w = figure_width(f, TICK_POINTS, m->text);
	/* Far from 0, as texts may begin before the panel */
	const int left = (1 << 24) + m->from - w / 2;
	int i = 0;

	while (i < LINES_MOST - 1 && left < ends[i])
		i++;
	ends[i] = left + w + pt(f, GAP);
	return i;
}

int marks_above(struct figure *f, const struct heat *h,
		const struct look *look)
{
	int ends[LINES_MOST] = { 0 }, lines = 0;
	size_t n;
	const struct mark *all = annotations(f, h, look, &n);

	for (size_t i = 0; i < n; i++)
		if (all[i].above)
			lines = greatest(lines, 1 + line_above(f, &all[i],
							       ends));
	return lines ? lines * pt(f, LABEL_LINE) + pt(f, TICK) : 0;
}

/* A line from a mark to what is said of it. */
static void draw_leader(struct figure *f, double x, double y, double to_x,
			double to_y)
{
	const struct point ends[] = { { x, y }, { to_x, to_y } };

	figure_points(f, ITEM_PATH, INK_TEXT, ends, 2)->width = f->scale;
}

/* A frame around cells, and a line from it to the edge of the panel. */
static void draw_cell(struct figure *f, const struct mark *m,
		      const struct box *b)
{
	const int line = thin(f);
	const struct box o = { b->x + m->at.x, b->y + m->at.y, m->at.w,
			       m->at.h };
	const struct box way = m->above
		? (struct box){ o.x + o.w, b->y, line, o.y - b->y }
		: (struct box){ o.x + o.w, o.y - line,
				b->x + b->w - o.x - o.w, line };

	figure_rect(f, INK_WHITE, way.x - m->above * line,
		    way.y - !m->above * line, way.w + m->above * 2 * line,
		    way.h + !m->above * 2 * line);
	draw_around(f, &o, line, line);
	figure_rect(f, INK_BLACK, way.x, way.y, way.w, way.h);
}

static void draw_beside(struct figure *f, const struct box *b,
			const struct mark *m, int *last)
{
	const int x = b->x + b->w + f->scale, from = b->y + m->from;
	const int y = greatest(from, *last);

	*last = y + pt(f, LABEL_LINE);
	draw_leader(f, x, from, x + pt(f, TICK + 3), y);
	figure_text(f, INK_TEXT, TICK_POINTS, x + pt(f, TICK + GAP),
		    y + cap_height(f, TICK_POINTS) / 2, m->text);
}

static void draw_above(struct figure *f, const struct box *b,
		       const struct mark *m, int ends[])
{
	const int x = b->x + m->from, y = b->y - f->scale;
	const int up = pt(f, TICK) + line_above(f, m, ends) *
				     pt(f, LABEL_LINE);

	draw_leader(f, x, y, x, y - up);
	figure_text(f, INK_TEXT, TICK_POINTS, x, y - up - pt(f, 5),
		    m->text)->anchor = ANCHOR_MIDDLE;
}

void marks_draw(struct figure *f, const struct heat *h,
		const struct look *look, const struct box *b)
{
	int ends[LINES_MOST] = { 0 }, last = 0;
	size_t n;
	const struct mark *all = annotations(f, h, look, &n);

	for (size_t i = 0; i < n; i++)
		if (all[i].kind == MARK_CELL)
			draw_cell(f, &all[i], b);
	draw_highlights(f, h, look, b);
	for (size_t i = 0; i < n; i++)
		if (all[i].above)
			draw_above(f, b, &all[i], ends);
		else
			draw_beside(f, b, &all[i], &last);
}

void marks_cell(struct figure *f, const struct heat *h, size_t i, size_t row,
		size_t column)
{
	const struct mark m = { .kind = MARK_CELL,
				.row = { (long)row, (long)row },
				.column = { (long)column, (long)column } };
	const struct box b = panels_at(&h->p, i), o = box_of(h, &m, &b);

	draw_around(f, &o, thin(f), thin(f));
}
