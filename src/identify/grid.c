/* grid.c: is it sines and cosines of the cells of a grid? */
#include <math.h>
#include <stdio.h>

#include "identify/families.h"
#include "identify/snap.h"

static const double bases[] = { 1e4, 100, 1e3 };

/* Whether all rows but the first few, of zeros, have one length. */
static bool even_rows(const struct sight *s, size_t from)
{
	double first = 0;

	for (size_t i = from; i < s->n; i++) {
		const double *x = sight_row(s, i);
		double sum = 0;

		for (size_t j = 0; j < s->cols; j++)
			sum += x[j] * x[j];
		if (i == from)
			first = sum;
		if (fabs(sum - first) > 1e-3 * first + 8 * s->noise * first)
			return false;
	}
	return first > 0;
}

/* Coordinates are below the number of cells. */
static double slack(const struct hunt *h)
{
	return 4 * fmin((double)h->sight->n, 100);
}

/* Each variant on a grid as typed, "3x4" or "3x4x2". */
static bool try_variants(struct hunt *h, const char *grid, size_t cls)
{
	static const char *const variants[] = {
		"mae", "timm", "timm layout=interleaved", "detr",
		"detr normalize", "multidim", "t2t",
	};
	bool good = false;

	for (size_t k = 0; k < sizeof variants / sizeof *variants; k++)
		for (size_t b = 0; b < sizeof bases / sizeof *bases; b++)
			if (hunt_guess(h, "grid", slack(h),
				       "grid=%s dim=%zu variant=%s base=%.0f "
				       "cls=%zu", grid, h->sight->cols,
				       variants[k], bases[b], cls))
				good = true;
	return good;
}

/* The first coordinate of cell 1: mae's columns are [sin | cos | ...]. */
static double scale(const struct sight *s, size_t from)
{
	const double *x = sight_row(s, from + 1);
	const double step = from + 1 < s->n ? atan2(x[0], x[s->cols / 4]) : 0;

	return step > 0 ? step : 1;
}

/* mae's columns with cells scaled, as diffusers has them. */
static bool try_diffusers(struct hunt *h, const char *grid, size_t width,
			  size_t cls)
{
	const struct sight *s = h->sight;
	const double step = scale(s, cls), size = step * (double)width;
	const size_t before = h->n;
	char more[4][80] = { "" }, number[32];

	snprintf(more[1], sizeof more[1], " interpolation=%s",
		 snap_text(snap(16 / size, 16e-6 / size), number));
	snprintf(more[2], sizeof more[2], " base-size=%.0f", size);
	snprintf(more[3], sizeof more[3], " base-size=%zu interpolation=%s",
		 width, snap_text(snap(1 / step, 1e-6 / step), number));
	for (int k = 0; k < 4 && !hunt_exact(h, before); k++)
		hunt_guess(h, "grid", slack(h), "grid=%s dim=%zu "
			   "variant=diffusers cls=%zu%s", grid, s->cols, cls,
			   more[k]);
	return h->n > before;
}

/* Cells in planes: of moments, or of rows. */
static void try_cubes(struct hunt *h, size_t planes, size_t cells)
{
	static const char *const variants[] = {
		"diffusers", "multidim", "t2t",
	};

	for (size_t w = 1; w <= cells; w++)
		for (int k = 0; k < 3 && cells % w == 0; k++)
			if (hunt_guess(h, "grid", slack(h), "grid=%zux%zux%zu "
				       "dim=%zu variant=%s", cells / w, w,
				       planes, h->sight->cols, variants[k]))
				return;
}

/* RoPE's cells, cosine and sine by turns. */
static bool try_axial(struct hunt *h, const char *grid)
{
	bool good = false;

	for (size_t b = 0; b < sizeof bases / sizeof *bases; b++)
		for (int k = 0; k < 2; k++)
			if (hunt_guess(h, "rope", slack(h), "grid=%s dim=%zu "
				       "out=%s base=%.0f", grid,
				       h->sight->cols, k ? "cossin" : "cis",
				       bases[b]))
				good = true;
	return good;
}

void identify_grid(struct hunt *h)
{
	const struct sight *s = h->sight;
	size_t cls = 0, cells;
	char grid[60];

	if (h->n || s->lo < -1.001 || s->hi > 1.001 || s->cols < 4)
		return;
	while (cls + 1 < s->n && sight_zero_row(s, cls))
		cls++;
	if (!even_rows(s, cls))
		return;
	cells = s->n - cls;
	for (size_t w = 1; w <= cells && !h->n; w++) {
		if (cells % w)
			continue;
		snprintf(grid, sizeof grid, "%zux%zu", cells / w, w);
		if (!try_variants(h, grid, cls) &&
		    !try_diffusers(h, grid, w, cls) && !cls)
			try_axial(h, grid);
	}
	for (size_t planes = 2; planes < cells && !h->n; planes++)
		if (cells % planes == 0)
			try_cubes(h, planes, cells / planes);
}
