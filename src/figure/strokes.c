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

/* The corners of curve i: two for each number where it is steps. */
static size_t corners(const struct plot_area *p, size_t i, struct point *to)
{
	const struct curves *c = p->curves;
	const double half = p->steps ? 0.5 : 0;
	size_t n = 0;

	for (size_t k = 0; k < c->n; k++)
		for (int end = 0; end < (p->steps ? 2 : 1); end++)
			to[n++] = (struct point){
				plot_x(p, c->x[k] + (end ? half : -half)),
				plot_y(p, c->y[i][k]),
			};
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

void plot_path(struct figure *f, const struct plot_area *p, size_t i,
	       const struct point *points, size_t n)
{
	struct point *at = figure_room(f, n, sizeof *at);
	struct item *item = figure_add(f, ITEM_PATH, INK_LINE +
				       (int)(i % LINES_COLORS));
	const int again = (int)(i / LINES_COLORS);  /* with that colour */

	if (!at)
		return;
	for (size_t k = 0; k < n; k++)
		at[k] = (struct point){ p->box.x + points[k].x,
					p->box.y + points[k].y };
	item->points = at;
	item->n = n;
	item->width = STROKE * f->scale;
	item->dash = again ? 8.0 * f->scale / again : 0;
}

void plot_curve(struct figure *f, const struct plot_area *p, size_t i)
{
	struct point *all = figure_room(f, 2 * p->curves->n + 1, sizeof *all);
	struct point *piece = figure_room(f, 2 * p->curves->n + 1,
					  sizeof *piece);
	size_t count, n = 0;

	if (!all || !piece)
		return;
	count = corners(p, i, all);
	if (count == 1)
		all[count++] = all[0];  /* a dot */
	for (size_t k = 1; k < count; k++) {
		struct point a = all[k - 1], b = all[k];
		const bool visible = inside(&a, &b, p->box.h);

		if (n && (!visible || a.y < all[k - 1].y ||
			  a.y > all[k - 1].y)) {
			plot_path(f, p, i, piece, n);
			n = 0;
		}
		if (visible && !n)
			piece[n++] = a;
		if (visible)
			piece[n++] = b;
	}
	if (n)
		plot_path(f, p, i, piece, n);
}
