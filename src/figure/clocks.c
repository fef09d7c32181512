/*
 * clocks.c: pairs of columns as hands of clocks: a dial for each pair and row,
 * from whose centre a hand points to the pair's two values. The first value is
 * drawn to the right, the second upward: sines and cosines turn clockwise from
 * 12 o'clock, cosines and sines counterclockwise from 3 o'clock.
 */
#include <math.h>
#include <stdio.h>

#include "figure/clocks.h"

enum {
	PAIRS_USUAL = 6,     /* without --dims, spread over all pairs */
	ROWS_MOST = 16,
	DIALS_WIDE = 640,    /* all dials of a pair, points */
	DIAL_LEAST = 16,     /* as wide as its label is high, and */
	DIAL_MOST = 64,      /* points */
	TIP = 6,             /* the dot at the end of a hand, points, */
	TIP_MOST = 18,       /* and % of the cell of a dial; */
	DIAL_PART = 88,      /* the diameter of the dial */
};

#define HAND 1.75  /* width, points */

static size_t rows_drawn(const struct table *t)
{
	return t->end - t->begin < ROWS_MOST ? t->end - t->begin : ROWS_MOST;
}

/* Add pair k, unless it is none or was added. */
static void add_pair(struct pairs *p, const struct table *t, size_t k)
{
	size_t *a = &p->a[p->n], *b = &p->b[p->n], i = 0;

	if (!pair_columns(t, k, a, b))
		return;
	while (p->a[i] != *a)
		i++;
	p->n += i == p->n;
}

/* Pairs of which --dims selects a column, or some, evenly spaced. */
static void choose_pairs(struct pairs *p, const struct table *t,
			 const struct look *look)
{
	const size_t chosen = columns_selected(look, t->cols);
	const size_t all = pairs_count(t);
	const size_t n = all < PAIRS_USUAL ? all : PAIRS_USUAL;
	size_t at[PAIRS_USUAL];

	p->n = 0;
	for (size_t k = 0; k < chosen; k++)
		add_pair(p, t, pair_of(t, columns_at(look, t->cols, k)));
	if (look->dims)
		return;
	pairs_spread(at, n, t, rows_drawn(t));
	for (size_t k = 0; k < n; k++)
		add_pair(p, t, n < all ? at[k] : k);
}

struct point *clocks_values(struct figure *f, const struct table *t,
			    size_t begin, const struct clocks *c,
			    double *longest)
{
	const struct pairs *p = &c->pairs;
	double *row = figure_room(f, t->cols, sizeof *row);
	struct point *values = figure_room(f, c->rows * p->n, sizeof *values);

	for (size_t i = 0; row && values && i < c->rows; i++) {
		table_rows(t, F64, begin + i, 1, NULL, row);
		for (size_t k = 0; k < p->n; k++) {
			const struct point v = { row[p->a[k]], row[p->b[k]] };
			const double length = hypot(v.x, v.y);

			values[i * p->n + k] = v;
			if (isfinite(length))
				longest[k] = fmax(longest[k], length);
		}
	}
	return row ? values : NULL;
}

static void choose_ticks(struct clocks *c, const struct table *t,
			 const struct look *look)
{
	struct ticks *x = &c->p.x.ticks, *y = &c->p.y.ticks;

	if (look->words)
		ticks_words(x, look->words, NULL, c->rows, c->rows);
	else
		ticks_labels(x, &t->row_axis, t->begin % t->rows, c->rows,
			     c->rows);
	y->n = c->pairs.n;
	for (size_t k = 0; k < c->pairs.n; k++) {
		char a[TICK_TEXT], b[TICK_TEXT];

		tick_text(a, axis_label(&t->col_axis, c->pairs.a[k]));
		tick_text(b, axis_label(&t->col_axis, c->pairs.b[k]));
		y->tick[k].at = (double)k;
		snprintf(y->tick[k].text, TICK_TEXT, "%.24s, %.24s", a, b);
	}
	ticks_center(x, c->cell);
	ticks_center(y, c->cell);
	c->p.x.name = (struct name){ t->row_axis.name, look->xlabel };
	/* One row of clocks is lower than its name would be long */
	c->p.y.name = (struct name){ c->pairs.n > 1 ? "dimensions (right, up)"
						    : "dimensions",
				     look->ylabel };
	c->p.x.bare = c->p.y.bare = true;
}

struct point clocks_middle(const struct clocks *c, size_t i, size_t k)
{
	return (struct point){
		c->p.box.x + ((double)i + 0.5) * c->cell,
		c->p.box.y + ((double)k + 0.5) * c->cell,
	};
}

/* The end of a hand, which is in the middle if all hands have no length. */
static struct point hand_end(const struct clocks *c, size_t i, size_t k)
{
	const struct point from = clocks_middle(c, i, k);
	const struct point v = c->values[i * c->pairs.n + k];
	const double most = c->longest[k] > 0 ? c->longest[k] : 1;
	const double radius = DIAL_PART / 200.0 * c->cell;

	return (struct point){ from.x + v.x / most * radius,
			       from.y - v.y / most * radius };
}

/* All dials; those with NaN or infinities have no hand. */
static void draw_dials(struct figure *f, const struct clocks *c,
		       const struct table *t)
{
	const size_t n = c->rows * c->pairs.n;
	struct point *at = figure_room(f, 2 * n, sizeof *at);
	size_t ends = 0;

	(void)t;
	if (!at)
		return;
	for (size_t k = 0; k < n; k++)
		at[k] = clocks_middle(c, k / c->pairs.n, k % c->pairs.n);
	figure_points(f, ITEM_DOTS, INK_GRID, at, n)->width =
		DIAL_PART / 100.0 * c->cell;
	for (size_t k = 0; k < n; k++) {
		struct point hand[2] = { at[k] };

		hand[1] = hand_end(c, k / c->pairs.n, k % c->pairs.n);
		if (!isfinite(hypot(hand[1].x, hand[1].y)))
			continue;
		figure_points(f, ITEM_PATH, INK_TEXT, hand, 2)->width =
			HAND * f->unit;
		at[n + ends++] = hand[1];
	}
	if (ends)
		figure_points(f, ITEM_DOTS, INK_LINE + 1, at + n,
			      ends)->width = fmin(pt(f, TIP), TIP_MOST /
						  100.0 * c->cell);
}

static void draw(struct figure *f, struct clocks *c, const struct table *t,
		 const struct look *look, const struct dials *dials)
{
	const struct box *b = &c->p.box;
	char note[80];

	if (look->words)
		ticks_cut(f, &c->p.x.ticks);
	c->p.x.upright = ticks_width(f, &c->p.x.ticks) + pt(f, GAP) > c->cell;
	c->p.box.w = (int)c->rows * c->cell;
	c->p.box.h = (int)c->pairs.n * c->cell;
	panels_place(f, &c->p, t, look);
	dials->draw(f, c, t);
	side_left(f, b, &c->p.y, true);
	side_bottom(f, b, &c->p.x, true);
	if (c->rows < t->end - t->begin) {
		snprintf(note, sizeof note, "the first %zu of %zu rows",
			 c->rows, t->end - t->begin);
		figure_note(f, note);
	}
}

void clocks_layout(struct figure *f, const struct table *t,
		   const struct look *look, const struct dials *dials)
{
	struct clocks *c = figure_room(f, 1, sizeof *c);
	const int wide = panels_wide(f, DIALS_WIDE);

	if (!c)
		return;
	c->rows = rows_drawn(t);
	while (c->rows > 1 && (c->rows > dials->rows_most ||
			       wide / (int)c->rows < pt(f, dials->least)))
		c->rows--;
	c->cell = wide / (int)c->rows;
	if (c->cell > pt(f, dials->most))
		c->cell = pt(f, dials->most);
	choose_pairs(&c->pairs, t, look);
	c->values = clocks_values(f, t, t->begin, c, c->longest);
	if (f->err.text[0])
		return;
	choose_ticks(c, t, look);
	draw(f, c, t, look, dials);
}

static void layout(struct figure *f, const struct table *t,
		   const struct look *look, size_t threads)
{
	(void)threads;
	clocks_layout(f, t, look, &(struct dials){
		.rows_most = ROWS_MOST, .least = DIAL_LEAST,
		.most = DIAL_MOST, .draw = draw_dials });
}

static bool check(const struct look *look, const struct table *t,
		  size_t planes, size_t rows, struct error *err)
{
	struct pairs pairs;

	(void)rows;
	if (!t->col_axis.apart)
		return fail(err, "--plot clocks needs columns in pairs of sine "
			    "and cosine, as in 'sinusoid' and 'rope --out "
			    "cis'; those of this table are not known to be "
			    "pairs");
	choose_pairs(&pairs, t, look);
	if (!pairs.n)
		return fail(err, "--dims %.60s selects no pair of columns",
			    look->dims);
	return plot_one_plane(look, planes, err);
}

const struct plot plot_clocks = {
	.plain = true, .columns = true, .check = check, .layout = layout,
};
