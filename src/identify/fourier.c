/* fourier.c: Fourier features of grids, and of points that the table holds. */
#include <math.h>
#include <stdio.h>

#include "exact/turns.h"
#include "identify/identify.h"
#include "identify/rounding.h"

#define PI (TWO_PI / 2)

enum { AXES_MOST = 4, POINT_AXES_MOST = 16, MOST = 4096 };

/* How the columns of a table may be shared by axes and frequencies. */
struct layout {
	const struct profile *profile;
	const char *variant;
	bool own;              /* each axis has its columns side by side */
	bool input;            /* coordinates are among the columns */
	bool sine_only;
	size_t axes, bands;
	size_t size[AXES_MOST], stride[AXES_MOST]; /* in cells, in rows */
};

/* How far values of features may be from what is expected. */
static double slack(const struct profile *p)
{
	return 1e-4 + 8 * (p->noise + p->assumed);
}

/* The first column of an axis's sines, cosines, or its coordinate. */
static size_t sines(const struct layout *l, size_t axis)
{
	return l->own ? axis * (2 * l->bands + l->input)
		      : l->input * l->axes + axis * l->bands;
}

static size_t cosines(const struct layout *l, size_t axis)
{
	return sines(l, axis) + l->bands * (l->own ? 1 : l->axes);
}

/* Whether an axis has coordinate x in a row, as far as frequency 1 tells. */
static bool has_coordinate(const struct layout *l, size_t row, size_t axis,
			   double x)
{
	const double *y = profile_row(l->profile, row);
	const double within = slack(l->profile);
	const size_t input = l->own ? sines(l, axis) + 2 * l->bands : axis;

	return fabs(y[sines(l, axis)] - sin(PI * x)) <= within &&
	       (l->sine_only ||
		fabs(y[cosines(l, axis)] - cos(PI * x)) <= within) &&
	       (!l->input || fabs(y[input] - x) <= within);
}

static double coordinate(size_t i, size_t n)
{
	return n > 1 ? 2 * (double)i / (double)(n - 1) - 1 : -1;
}

/* Whether the sines of an axis agree in all its cells. */
static bool fits_most(const struct layout *l, size_t axis, double most)
{
	const double last = fmax((double)l->bands - 1, 1);
	const double within = slack(l->profile) + 1e-6 * most;

	for (size_t i = 0; i < l->size[axis]; i++) {
		const double *y = profile_row(l->profile, i * l->stride[axis]) +
				  sines(l, axis);
		const double x = PI * coordinate(i, l->size[axis]);

		for (size_t k = l->bands; k-- > 0;) {
			const double f = 1 + (double)k * (most / 2 - 1) / last;

			if (fabs(y[k] - sin(f * x)) > within)
				return false;
		}
	}
	return true;
}

/* Twice the largest frequency of n axes, at least; 0: none is found. */
static double find_most(struct search *s, const struct layout *l, size_t axis,
			size_t n)
{
	for (int most = 1; search_goes_on(s, most <= MOST); most++) {
		size_t a = axis;

		while (a < axis + n && fits_most(l, a, most))
			a++;
		if (a == axis + n)
			return most;
	}
	return 0;
}

/*
 * Try a layout on a grid of its sizes: with the largest frequency that all axes
 * have, or the resolution of each, whose default is its number of cells.
 */
static bool try_layout(struct search *s, const struct layout *l)
{
	char grid[24 * AXES_MOST], more[24 * AXES_MOST];
	double most = 0, greatest = 0;
	bool usual = !l->own;
	size_t n = 0, length = 0;

	for (size_t a = 0; a < l->axes; a++) {
		const double size = (double)l->size[a];
		const bool fits = !l->own && fits_most(l, a, size);

		if (fits)
			most = size;
		else if (!l->own || !a)
			most = find_most(s, l, a, l->own ? l->axes : 1);
		if (!(most > 0))
			return false;
		usual = usual && fits;
		greatest = fmax(greatest, most);
		n += (size_t)snprintf(grid + n, sizeof grid - n, "%s%zu",
				      a ? "x" : "", l->size[a]);
		if (!l->own || !a)
			length += (size_t)snprintf(
				more + length, sizeof more - length, "%s%.0f",
				a ? "x" : l->own ? " max-freq=" : " max-res=",
				most);
	}
	return try_recipe(s, "fourier", 4 + 4 * greatest,
			  "variant=%s grid=%s bands=%zu%s%s%s", l->variant,
			  grid, l->bands, l->input ? "" : " no-input",
			  l->sine_only ? " sine-only" : "", usual ? "" : more);
}

/* Try sizes of axes from one on, whose cells are in so many rows. */
static bool try_sizes(struct search *s, struct layout *l, size_t axis,
		      size_t rows)
{
	if (axis == l->axes)
		return rows == 1 && try_layout(s, l);
	for (size_t n = 1; search_goes_on(s, n <= rows); n++) {
		const size_t stride = rows / n;

		if (rows % n || !has_coordinate(l, stride - 1, axis, -1) ||
		    (n > 1 && !has_coordinate(l, stride, axis,
					      coordinate(1, n))))
			continue;
		l->size[axis] = n;
		l->stride[axis] = stride;
		if (try_sizes(s, l, axis + 1, stride))
			return true;
	}
	return false;
}

static void try_grids(struct search *s)
{
	static const struct layout layouts[] = {
		{ .variant = "perceiver", .input = true },
		{ .variant = "perceiver" },
		{ .variant = "perceiver", .input = true, .sine_only = true },
		{ .variant = "perceiver", .sine_only = true },
		{ .variant = "perceiver-pytorch", .own = true, .input = true },
		{ .variant = "perceiver-pytorch", .own = true },
	};
	const struct profile *p = s->profile;

	for (size_t k = 0; k < COUNT(layouts); k++)
		for (size_t d = 1; d <= AXES_MOST; d++) {
			struct layout l = layouts[k];
			const size_t waves = l.sine_only ? 1 : 2;
			const size_t each = p->cols / d - l.input;
			size_t a = 0;

			l.profile = p;
			l.axes = d;
			l.bands = each / waves;
			if (!l.bands || p->cols % d || each % waves)
				continue;
			/* The first row is a corner of a grid of all axes. */
			while (a < d && has_coordinate(&l, 0, a, -1))
				a++;
			if (a == d)
				try_sizes(s, &l, 0, p->n);
		}
}

/* NeRF's features of points: two blocks of columns for each frequency. */
struct points {
	const struct profile *profile;
	size_t axes, bands;
	bool input, linear, pi;
	double *at;            /* [n, axes] the points, as far as known */
};

/* Frequency k in radians. */
static double frequency(const struct points *f, size_t k)
{
	const double last = ldexp(1, (int)f->bands - 1);
	const double even = 1 + (double)k * (last - 1) /
				fmax(1, (double)f->bands - 1);

	return (f->linear ? even : ldexp(1, (int)k)) * (f->pi ? PI : 1);
}

/*
 * The coordinate of a row that its features tell, each frequency better than
 * the one before: from the column of coordinates, or between -pi and pi. NaN:
 * they contradict each other.
 */
static double refine(const struct points *f, size_t row, size_t axis)
{
	const double *y = profile_row(f->profile, row) + axis;
	const double within = slack(f->profile);
	double x = y[0];

	for (size_t k = 0; k < f->bands; k++) {
		const double *s = y + (2 * k + f->input) * f->axes;
		const double w = frequency(f, k), c = s[f->axes];
		const double angle = atan2(*s, c);

		if (fabs(hypot(*s, c) - 1) > within)
			return (double)NAN;
		if (!k && !f->input)
			x = angle / w;
		x += remainder(angle - w * x, TWO_PI) / w;
	}
	for (size_t k = 0; k < f->bands; k++) {
		const double *s = y + (2 * k + f->input) * f->axes;

		if (fabs(sin(frequency(f, k) * x) - *s) > within)
			return (double)NAN;
	}
	return x;
}

/* Whether all features are of some points, which go to f->at. */
static bool find_points(struct points *f)
{
	const struct profile *p = f->profile;

	for (size_t i = 0; i < p->n; i++)
		for (size_t a = 0; a < f->axes; a++) {
			const double x = refine(f, i, a);
			const double y = profile_row(p, i)[a];

			if (isnan(x) || (f->input && fabs(x - y) >
					 1e-6 + 4 * p->noise * fabs(y)))
				return false;
			f->at[i * f->axes + a] = f->input ? y : x;
		}
	return true;
}

/* Columns 0 to axes - 1 of the table, as a table. */
static const struct table *first_columns(struct search *s,
					 const struct points *f)
{
	struct table *t = search_alloc(s, 1, sizeof *t);

	if (!t)
		return NULL;
	*t = *s->profile->table;
	t->cols = f->axes;
	t->outer_rank = 0;
	t->from = (struct origin){ .recipe = NULL };
	table_dense(t, f->at);
	return t;
}

/* Say whose features they are, where the table does not hold their points. */
static void tell_points(struct search *s, const struct points *f)
{
	const char *where = f->input ? ", rounded in its first columns"
				     : " that the table does not hold";

	s->verdict = search_text(s, "fourier features of points with %zu "
				 "coordinate%s%s: 'posenc fourier --variant "
				 "nerf --points FILE --bands %zu%s%s%s' makes "
				 "them", f->axes, f->axes > 1 ? "s" : "",
				 where, f->bands,
				 f->input ? "" : " --no-input",
				 f->linear ? " --sampling linear" : "",
				 f->pi ? " --pi" : "");
	s->family = "fourier";
}

/* Try the features of points in the first columns, or tell of others. */
static void try_points(struct search *s, const struct points *f)
{
	struct candidate c = {
		.recipe = "fourier", .relative = 4,
		.given = f->input ? first_columns(s, f) : NULL,
	};
	double most = 1;

	/* How far features may be off where float32 rounded coordinates. */
	for (size_t i = 0; i < s->profile->n * f->axes; i++)
		most = fmax(most, fabs(f->at[i]));
	c.absolute = 4 + most * frequency(f, f->bands - 1);
	if (!c.given || !try_candidate(s, &c, "variant=nerf points=- "
				       "bands=%zu%s%s", f->bands,
				       f->linear ? " sampling=linear" : "",
				       f->pi ? " pi" : ""))
		tell_points(s, f);
}

/* Try points of so many coordinates whose features have all columns. */
static void try_axes(struct search *s, struct points *f)
{
	const size_t n = s->profile->n;
	/* Without coordinates any sines and cosines are of some. */
	const size_t least = f->input ? 1 : 2;
	const size_t ways = f->input ? 4 : 2;

	f->bands = (s->profile->cols / f->axes - f->input) / 2;
	for (size_t k = 0; k < ways && f->bands >= least; k++) {
		f->linear = k % 2;
		f->pi = k / 2;
		if (isnan(refine(f, 0, 0)) ||
		    (!f->input && f->linear && f->bands < 3))
			continue;
		f->at = search_alloc(s, n * f->axes, sizeof *f->at);
		if (f->at && find_points(f))
			try_points(s, f);
	}
}

void identify_fourier(struct search *s)
{
	const struct profile *p = s->profile;

	if (s->n || p->cols < 2)
		return;
	try_grids(s);
	if (s->n || p->integers || p->assumed > 0 || p->noise >= COARSE_NOISE)
		return;
	for (size_t d = 1; d <= POINT_AXES_MOST; d++)
		for (int input = 1; input >= 0; input--) {
			struct points f = {
				.profile = p, .axes = d, .input = input,
			};

			if (p->cols % (2 * d) == (input ? d : 0))
				try_axes(s, &f);
		}
}
