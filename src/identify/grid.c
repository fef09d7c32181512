/* grid.c: sines and cosines of the cells of a grid. */
#include <math.h>
#include <stdio.h>

#include "identify/identify.h"
#include "identify/rounding.h"

static const double bases[] = { 1e4, 100, 1e3 };

/* Whether all rows from the given one on have the same norm. */
static bool equal_norms(const struct profile *p, size_t from)
{
	double first = 0;

	for (size_t i = from; i < p->n; i++) {
		const double *x = profile_row(p, i);
		double sum = 0;

		for (size_t j = 0; j < p->cols; j++)
			sum += x[j] * x[j];
		if (i == from)
			first = sum;
		if (fabs(sum - first) > 1e-3 * first + 8 * p->noise * first)
			return false;
	}
	return first > 0;
}

/*
 * Whether the first two cells may be neighbours: they differ in one coordinate
 * of two or three, so that a third of their columns is equal or more.
 */
static bool may_be_cells(const struct profile *p, size_t from)
{
	const double *x = profile_row(p, from);
	const double *y = from + 1 < p->n ? profile_row(p, from + 1) : x;
	const double within = 2 * (p->noise + p->abs_noise + p->assumed);
	size_t equal = 0;

	for (size_t j = 0; j < p->cols; j++)
		equal += fabs(x[j] - y[j]) <= within;
	return 4 * equal >= p->cols;
}

/*
 * Whether every column may tell one coordinate of cells in rows of w: it is the
 * same in cell 1 or in cell w as in cell 0.
 */
static bool may_have_width(const struct profile *p, size_t from, size_t w)
{
	const double within = 2 * (p->noise + p->abs_noise + p->assumed);
	const double *x = profile_row(p, from), *y, *z;

	if (w < 2 || from + w >= p->n)
		return true;
	y = profile_row(p, from + 1);
	z = profile_row(p, from + w);
	for (size_t j = 0; j < p->cols; j++)
		if (fabs(x[j] - y[j]) > within && fabs(x[j] - z[j]) > within)
			return false;
	return true;
}

/* Absolute tolerance: coordinates are below the number of cells. */
static double tolerance(const struct search *s)
{
	return 4 * fmin((double)s->profile->n, 100);
}

/* Try each variant on a grid, "3x4" or "3x4x2". */
static bool try_variants(struct search *s, const char *grid, size_t cls)
{
	static const char *const variants[] = {
		"mae",	"timm",		  "timm layout=interleaved",
		"detr", "detr normalize", "multidim",
		"t2t",	"timm order=x,y layout=alternating start=1",
		"timm order=x,y layout=alternating",
		"timm layout=alternating start=1", "timm layout=alternating",
		"mae start=1", "mae order=y,x start=1", "timm start=1",
		"timm order=x,y start=1", "multidim order=x,y",
		"multidim order=x,y start=1",
	};
	/* LoFTR's models divide by 2 in the wrong place. */
	const double all[] = {
		bases[0], bases[1], bases[2], exp((double)s->profile->cols / 2),
	};
	bool good = false;

	for (size_t k = 0; k < sizeof variants / sizeof *variants; k++)
		for (size_t b = 0; b < sizeof all / sizeof *all; b++)
			if (try_recipe(s, "grid", tolerance(s),
				       "grid=%s dim=%zu variant=%s base=%.17g "
				       "cls=%zu",
				       grid, s->profile->cols, variants[k],
				       all[b], cls))
				good = true;
	return good;
}

/* The first coordinate of cell 1; mae's columns are [sin | cos | ...]. */
static double scale(const struct profile *p, size_t from)
{
	const double *x = profile_row(p, from + 1);
	const double step = from + 1 < p->n ? atan2(x[0], x[p->cols / 4]) : 0;

	return step > 0 ? step : 1;
}

/* Try mae's columns with scaled coordinates, as in diffusers. */
static bool try_diffusers(struct search *s, const char *grid, size_t width,
			  size_t cls)
{
	const struct profile *p = s->profile;
	const double step = scale(p, cls), size = step * (double)width;
	const double within = fmax(1e-6, 4 * p->noise);
	const size_t before = s->n;
	char more[4][80] = { "" }, number[32];

	snprintf(more[1], sizeof more[1], " interpolation=%s",
		 nice_text(round_to_nice(16 / size, 16 * within / size),
			   number));
	snprintf(more[2], sizeof more[2], " base-size=%.0f", size);
	snprintf(more[3], sizeof more[3], " base-size=%zu interpolation=%s",
		 width,
		 nice_text(round_to_nice(1 / step, within / step), number));
	for (int k = 0; k < 4 && !search_has_exact(s, before); k++)
		try_recipe(s, "grid", tolerance(s),
			   "grid=%s dim=%zu variant=diffusers cls=%zu%s",
			   grid, p->cols, cls, more[k]);
	return s->n > before;
}

/* Try cells in planes: frames of a video, or rows. */
static void try_cubes(struct search *s, size_t planes, size_t cells)
{
	static const char *const variants[] = {
		"diffusers", "multidim", "t2t",
	};

	for (size_t w = 1; w <= cells; w++)
		for (int k = 0; k < 3 && cells % w == 0; k++)
			if (try_recipe(s, "grid", tolerance(s),
				       "grid=%zux%zux%zu dim=%zu variant=%s",
				       cells / w, w, planes, s->profile->cols,
				       variants[k]))
				return;
}

/* Try RoPE of two axes, cosines and sines interleaved or not. */
static bool try_axial(struct search *s, const char *grid)
{
	bool good = false;

	for (size_t b = 0; b < sizeof bases / sizeof *bases; b++)
		for (int k = 0; k < 2; k++)
			if (try_recipe(s, "rope", tolerance(s),
				       "grid=%s dim=%zu out=%s base=%.0f",
				       grid, s->profile->cols,
				       k ? "cossin" : "cis", bases[b]))
				good = true;
	return good;
}

void identify_grid(struct search *s)
{
	const struct profile *p = s->profile;
	size_t cls = 0, cells;
	char grid[60];

	if (s->n || p->cols < 4 ||
	    fmax(-p->min, p->max) > 1.001 + p->assumed)
		return;
	while (cls + 1 < p->n && profile_zero_row(p, cls))
		cls++;
	if (!may_be_cells(p, cls) || !equal_norms(p, cls))
		return;
	cells = p->n - cls;
	for (size_t w = 1; w <= cells && !s->n; w++) {
		if (cells % w || !may_have_width(p, cls, w))
			continue;
		snprintf(grid, sizeof grid, "%zux%zu", cells / w, w);
		if (!try_variants(s, grid, cls) &&
		    !try_diffusers(s, grid, w, cls) && !cls)
			try_axial(s, grid);
	}
	for (size_t planes = 2; planes < cells && !s->n; planes++)
		if (cells % planes == 0)
			try_cubes(s, planes, cells / planes);
}
