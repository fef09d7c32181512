/*
 * fill.c: the area of a polygon within each pixel. Each edge adds its height to
 * all pixels on its right, upward edges with the other sign; within a pixel it
 * adds what lies on its right.
 */
#include <math.h>
#include <string.h>

#include "figure/fill.h"

/* Add the edge from a to b, both in the same row, to the changes of parts. */
static void add_edge(double *parts, struct point a, struct point b)
{
	const double left = fmin(a.x, b.x), right = fmax(a.x, b.x);
	const double height = b.y - a.y;

	for (int i = (int)left; i <= (int)right; i++) {
		const double from = fmax(left, i), to = fmin(right, i + 1);
		const double part = right > left
			? height * (to - from) / (right - left) : height;
		const double before = (from + to) / 2 - i;

		parts[i] += part * (1 - before);
		parts[i + 1] += part * before;
	}
}

static struct point at_height(struct point a, struct point b, double y)
{
	return (struct point){ a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y };
}

/* The part of the edge from a to b in row y; false: there is none. */
static bool clip(struct point *a, struct point *b, int y)
{
	const struct point from = *a, to = *b;

	if (fmax(from.y, to.y) <= y || fmin(from.y, to.y) >= y + 1)
		return false;
	if (from.y < y || from.y > y + 1)
		*a = at_height(from, to, from.y < y ? y : y + 1);
	if (to.y < y || to.y > y + 1)
		*b = at_height(from, to, to.y < y ? y : y + 1);
	return true;
}

void fill_row(const struct point *points, size_t n, int y, double *parts,
	      int w)
{
	memset(parts, 0, ((size_t)w + 2) * sizeof *parts);
	for (size_t i = 0; i < n; i++) {
		struct point a = points[i], b = points[(i + 1) % n];

		if (clip(&a, &b, y))
			add_edge(parts, a, b);
	}
	for (int i = 1; i < w; i++)
		parts[i] += parts[i - 1];
	for (int i = 0; i < w; i++)
		parts[i] = fmin(fabs(parts[i]), 1);
}
