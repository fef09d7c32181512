/* strokes.c: curves as paths. */
#include <math.h>

#include "figure/plot.h"

#define STROKE 1.75  /* points */

double plot_x(const struct plot_area *p, double x)
{
	return (x / 2 - p->left / 2) / (p->right / 2 - p->left / 2) * p->box.w;
}

double plot_y(const struct plot_area *p, double y)
{
	return (p->high / 2 - y / 2) / (p->high / 2 - p->low / 2) * p->box.h;
}

/* Whether neither number beside number k is one that a line can come from. */
static bool alone(const double *y, size_t n, size_t k)
{
	return (k == 0 || !isfinite(y[k - 1])) &&
	       (k + 1 == n || !isfinite(y[k + 1]));
}

/*
 * The corners of curve i: two for each number where it is steps, and for one
 * that stands alone, which becomes a dot.
 */
static size_t corners(const struct plot_area *p, size_t i, struct point *to)
{
	const struct curves *c = p->curves;
	const double half = p->steps ? 0.5 : 0;
	size_t n = 0;

	for (size_t k = 0; k < c->n; k++) {
		const int ends = p->steps || alone(c->y[i], c->n, k) ? 2 : 1;

		for (int end = 0; end < ends; end++)
			to[n++] = (struct point){
				plot_x(p, c->x[k] + (end ? half : -half)),
				plot_y(p, c->y[i][k]),
			};
	}
	return n;
}

static struct point between(struct point a, struct point b, double y)
{
	const double part = (y - a.y) / (b.y - a.y);

	return (struct point){ a.x + (b.x - a.x) * part, y };
}

/* The part of the line from a to b inside heights 0 to high, if there is. */
static bool inside(struct point *a, struct point *b, double high)
{
	const struct point from = *a, to = *b;

	if (!isfinite(from.y) || !isfinite(to.y) ||
	    fmax(from.y, to.y) < 0 || fmin(from.y, to.y) > high)
		return false;
	if (from.y < 0 || from.y > high)
		*a = between(from, to, from.y < 0 ? 0 : high);
	if (to.y < 0 || to.y > high)
		*b = between(from, to, to.y < 0 ? 0 : high);
	return true;
}

/* Whether all of a path is one point. */
static bool is_dot(const struct point *p, size_t n)
{
	return n == 2 && !(fabs(p[1].x - p[0].x) + fabs(p[1].y - p[0].y) > 0);
}

void plot_path(struct figure *f, const struct plot_area *p, size_t i,
	       const struct point *points, size_t n)
{
	struct point *at;
	struct item *item;
	const int again = (int)(i / LINES_COLORS);  /* with that colour */

	if (!n)
		return;
	at = figure_room(f, n, sizeof *at);
	item = figure_add(f, ITEM_PATH, INK_LINE + (int)(i % LINES_COLORS));
	if (!at)
		return;
	for (size_t k = 0; k < n; k++)
		at[k] = (struct point){ p->box.x + points[k].x,
					p->box.y + points[k].y };
	item->points = at;
	item->n = n;
	item->width = STROKE * f->scale;
	if (again && !is_dot(points, n))
		item->dash = 8.0 * f->scale / again;
}

void plot_curve(struct figure *f, const struct plot_area *p, size_t i)
{
	const size_t most = 2 * p->curves->n;
	struct point *all = figure_room(f, 2 * most, sizeof *all);
	struct point *piece;
	size_t count, n = 0;

	if (!all)
		return;
	piece = all + most;
	count = corners(p, i, all);
	for (size_t k = 1; k < count; k++) {
		struct point a = all[k - 1], b = all[k];
		const bool visible = inside(&a, &b, p->box.h);

		if (!visible || fabs(a.y - all[k - 1].y) > 0) {
			plot_path(f, p, i, piece, n);
			n = 0;
		}
		if (visible && !n)
			piece[n++] = a;
		if (visible)
			piece[n++] = b;
	}
	plot_path(f, p, i, piece, n);
}
