/*
 * vectors.c: pairs of columns as arrows, before and after a rotation, with an
 * arc from one to the other and its angle. The first value is drawn to the
 * right, the second upward, so that angles are counterclockwise.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/clocks.h"

enum {
	ROWS_MOST = 8,
	DIAL_LEAST = 60, DIAL_MOST = 120,  /* points */
	ARC_STEPS = 48,
	HEAD_MOST = 7,       /* of an arrow, points, */
};

#define HEAD_PART 0.4        /* and of its length */
#define HEAD_ANGLE 0.45      /* radians, on either side */
#define RADIUS 0.44          /* of a cell, beside which is the text */
#define ARC 0.4              /* of the radius, */
#define ARC_MOST 0.75        /* and of the shorter arrow */
#define ANGLE_LEAST 0.5      /* that is seen, degrees */
#define ARROW 1.75           /* width, points */
#define DEGREES (180 / 3.14159265358979324)

/* The dials, and what is in each. */
struct vectors {
	struct figure *f;
	const struct clocks *c;
	const struct table *t;
	struct point *before;    /* [rows, pairs] */
	double *longest;         /* [pairs], of both */
	bool more;               /* some angle is more than a turn */
};

static bool measure(struct vectors *v)
{
	const struct clocks *c = v->c;

	v->longest = figure_room(v->f, c->pairs.n, sizeof *v->longest);
	if (!v->longest)
		return false;
	memcpy(v->longest, c->longest, c->pairs.n * sizeof *v->longest);
	v->before = clocks_values(v->f, v->t->turned, v->t->begin, c,
				  v->longest);
	return v->before;
}

static double angle_of(struct point p)
{
	return atan2(p.y, p.x) * DEGREES;
}

/*
 * The angle in degrees from one arrow to the other: with its full turns where
 * the frequency of the pair says how many, else from 0 up to one.
 */
static double angle_between(const struct vectors *v, size_t i, size_t k)
{
	const struct pairs *p = &v->c->pairs;
	const struct frequencies *known = &v->t->frequencies;
	const size_t at = i * p->n + k, first = v->t->begin % v->t->rows;
	const double angle = angle_of(v->c->values[at]) -
			     angle_of(v->before[at]);
	const size_t pair = v->t->col_axis.apart > 1 ? p->a[k] : p->a[k] / 2;
	const bool placed = v->t->row_axis.kind == AXIS_POSITION &&
			    pair < known->n;
	double whole = 0;

	if (placed)
		whole = known->at(known->self, pair) * DEGREES *
			axis_label(&v->t->row_axis, first + i);
	for (int sign = 1; sign >= -1; sign -= 2) {
		const double full = sign * whole;
		const double total = angle + 360 * rint((full - angle) / 360);

		if (placed && fabs(total - full) < 0.5)
			return total;
	}
	return angle - 360 * floor(angle / 360 + 1e-9);
}

/* An arrow from the middle of a dial, whose head is at the end. */
static void draw_arrow(struct figure *f, int ink, struct point from,
		       struct point to)
{
	const double length = hypot(to.x - from.x, to.y - from.y);
	const double head = fmin(pt(f, HEAD_MOST), HEAD_PART * length);
	const double back = atan2(from.y - to.y, from.x - to.x);
	const struct point line[] = { from, to };
	const struct point tip[] = {
		{ to.x + head * cos(back - HEAD_ANGLE),
		  to.y + head * sin(back - HEAD_ANGLE) }, to,
		{ to.x + head * cos(back + HEAD_ANGLE),
		  to.y + head * sin(back + HEAD_ANGLE) },
	};

	figure_points(f, ITEM_PATH, ink, line, 2)->width = ARROW * f->unit;
	figure_points(f, ITEM_PATH, ink, tip, 3)->width = ARROW * f->unit;
}

/* An arc over an angle from the direction begin on, both in degrees. */
static void draw_arc(struct figure *f, struct point middle, double radius,
		     double begin, double angle)
{
	struct point at[ARC_STEPS + 1];

	for (int i = 0; i <= ARC_STEPS; i++) {
		const double a = (begin + angle * i / ARC_STEPS) / DEGREES;

		at[i] = (struct point){ middle.x + radius * cos(a),
					middle.y - radius * sin(a) };
	}
	figure_points(f, ITEM_PATH, INK_LINE + 1, at,
		      ARC_STEPS + 1)->width = f->unit;
}

/* "57.3°", with three digits or, beyond 1000, in full. */
static void angle_text(char text[TICK_TEXT], double angle)
{
	char plain[TICK_PLAIN];

	snprintf(plain, sizeof plain, fabs(angle) < 999.5 ? "%.3g" : "%.0f",
		 angle + 0.0);
	tick_minus(text, plain);
	strncat(text, "\xc2\xb0", TICK_TEXT - strlen(text) - 1);
}

/* Lines through the middle: the axes of the two values. */
static void draw_axes(struct figure *f, struct point middle, double radius)
{
	const struct point across[] = { { middle.x - radius, middle.y },
					{ middle.x + radius, middle.y } };
	const struct point up[] = { { middle.x, middle.y - radius },
				    { middle.x, middle.y + radius } };

	figure_points(f, ITEM_PATH, INK_GRID, across, 2)->width = f->unit;
	figure_points(f, ITEM_PATH, INK_GRID, up, 2)->width = f->unit;
}

static bool is_drawn(struct point p)
{
	return isfinite(hypot(p.x, p.y));
}

static void draw_dial(struct vectors *v, size_t i, size_t k)
{
	const struct point a = v->before[i * v->c->pairs.n + k];
	const struct point b = v->c->values[i * v->c->pairs.n + k];
	const double text = 1.3 * pt(v->f, TICK_POINTS);
	const double radius = RADIUS * (v->c->cell - text);
	const double scale = v->longest[k] > 0 ? radius / v->longest[k] : 0;
	const double angle = angle_between(v, i, k);
	const double shorter = fmin(hypot(a.x, a.y), hypot(b.x, b.y));
	struct point middle = clocks_middle(v->c, i, k);
	char shown[TICK_TEXT];

	middle.y -= text / 2;
	draw_axes(v->f, middle, radius);
	if (!is_drawn(a) || !is_drawn(b))
		return;
	draw_arrow(v->f, INK_MUTED, middle, (struct point){
		middle.x + a.x * scale, middle.y - a.y * scale });
	draw_arrow(v->f, INK_LINE, middle, (struct point){
		middle.x + b.x * scale, middle.y - b.y * scale });
	if (shorter <= 0)
		return;
	v->more |= fabs(angle) > 360;
	if (fabs(fmod(angle, 360)) > ANGLE_LEAST)
		draw_arc(v->f, middle,
			 fmin(ARC * radius, ARC_MOST * shorter * scale),
			 angle_of(a), fmod(angle, 360));
	angle_text(shown, angle);
	figure_text(v->f, INK_TEXT, TICK_POINTS, (int)middle.x,
		    (int)(middle.y + radius + text), shown)->anchor =
		ANCHOR_MIDDLE;
}

static void draw(struct figure *f, const struct clocks *c,
		 const struct table *t)
{
	struct vectors v = { .f = f, .c = c, .t = t };

	if (!measure(&v))
		return;
	for (size_t i = 0; i < c->rows; i++)
		for (size_t k = 0; k < c->pairs.n; k++)
			draw_dial(&v, i, k);
	figure_note(f, "grey: before the rotation");
	if (v.more)
		figure_note(f, "arcs of more than a turn leave out full turns");
}

static void layout(struct figure *f, const struct table *t,
		   const struct look *look, size_t threads)
{
	(void)threads;
	clocks_layout(f, t, look, &(struct dials){
		.rows_most = ROWS_MOST, .least = DIAL_LEAST, .most = DIAL_MOST,
		.draw = draw });
}

static bool check(const struct look *look, const struct table *t,
		  size_t planes, size_t rows, struct error *err)
{
	if (!t->turned || !t->col_axis.apart)
		return fail(err, "--plot vectors needs pairs of columns before "
			    "and after a rotation, as in 'rope' with --apply, "
			    "--out cossin or --out cis");
	return plot_clocks.check(look, t, planes, rows, err);
}

const struct plot plot_vectors = {
	.plain = true, .columns = true, .check = check, .layout = layout,
};
