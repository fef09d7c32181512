/* spherical.c: real spherical harmonics of longitudes and latitudes. */
#include <math.h>

#include "exact/turns.h"
#include "exact/within.h"
#include "recipe/recipe.h"

enum { POLYNOMIALS_MOST = 1024 };  /* their square are the columns */

struct spherical {
	const struct table *points;
	struct extents grid;
	size_t legendre_polys;
	int variant;

	struct turns turns;      /* of frequency k + 1 per full turn */
};

static const char *const variants[] = {
	"satclip", "orthonormal", "closed-form", NULL
};
static const char *const variant_meanings[] = {
	"those of order 0 times pi, as in the formulas of released models",
	"of integral 1 of the square over the sphere",
	"the same, those of odd orders negated (Condon-Shortley phase)",
};

/* The factors of order 0, and of odd orders. */
static const struct convention {
	double zonal, odd;
} conventions[] = {
	{ 0x1.921fb54442d18p1, 1 }, { 1, 1 }, { 1, -1 },
};

static const struct option spherical_options[] = {
	PRESET_OPTION,
	{ OPTION(struct spherical, points), .required = true,
	  .unless = "grid", .excludes = "grid", .arg = "FILE",
	  .help = "file [points, 2] of longitudes and latitudes in degrees" },
	{ OPTION(struct spherical, grid), .role = ROLE_EXTENT, .arg = "HxW",
	  .help = "in place of points, the middles of the cells of a map of "
		  "the Earth, row by row from the north, each from the west" },
	{ OPTION(struct spherical, legendre_polys), .role = ROLE_EXTENT,
	  .required = true, .min = 1, .max = POLYNOMIALS_MOST,
	  .one = "Legendre polynomial", .many = "Legendre polynomials",
	  .arg = "L",
	  .help = "number of degrees l, from 0 to L - 1; L^2 columns" },
	{ OPTION(struct spherical, variant), .phrase = "%",
	  .initial = "satclip",
	  .words = variants, .meanings = variant_meanings, .arg = "NAME",
	  .help = "factors of the harmonics" },
	{0}
};

static const struct preset spherical_presets[] = {
	{ "satclip", "--variant satclip",
	  "microsoft/satclip; its models have --legendre-polys 10 and 40",
	  "satclip/positional_encoding/spherical_harmonics_ylm.py, SH",
	  "commit 20e5106", NULL },
	{ "satclip-closed-form", "--variant closed-form", "microsoft/satclip",
	  "satclip/positional_encoding/spherical_harmonics_closed_form.py, SH",
	  "commit 20e5106", NULL },
	{0}
};

/*
 * The harmonics of order m, of degrees from m on, and of order -m: to to[l^2 +
 * l + m] and to[l^2 + l - m]. p is the associated Legendre function of degree m
 * at x, normalized; cosine and sine those of m times the longitude, with all
 * factors. Degrees follow from the two before (Holmes and Featherstone 2002,
 * equation 11).
 */
static void order(size_t m, size_t n, double p, double x, double cosine,
		  double sine, double *to)
{
	double before = 0;

	for (size_t l = m; l < n; l++) {
		const double a = (double)(l + 1), b = (double)m;
		const double scale = sqrt((4 * a * a - 1) / (a * a - b * b));
		const double less = l == m ? 0 : sqrt(
			(2 * a + 1) * (a - 1 + b) * (a - 1 - b) /
			((2 * a - 3) * (a * a - b * b)));
		const double next = scale * x * p - less * before;

		to[l * l + l + m] = p * cosine + 0.0;  /* not -0 */
		if (m)
			to[l * l + l - m] = p * sine + 0.0;
		before = p;
		p = next;
	}
}

/* Longitude and latitude of row i. */
static const double *place(const struct table *t, size_t i, double point[2])
{
	const struct spherical *s = t->state;
	const double h = (double)t->grid.height, w = (double)t->grid.width;
	struct grid_cell at;

	if (s->points)
		return s->points->row(s->points, i, NULL);
	at = lattice_cell(&t->grid, i);
	point[0] = 180 * (2 * (double)at.column + 1 - w) / w;
	point[1] = 90 * (h - 1 - 2 * (double)at.row) / h;
	return point;
}

static const double *harmonics_row(const struct table *t, size_t i,
				   double *scratch)
{
	const struct spherical *s = t->state;
	const struct convention *c = &conventions[s->variant];
	const size_t n = s->legendre_polys;
	double sine[POLYNOMIALS_MOST], cosine[POLYNOMIALS_MOST];
	double p = 0x1.20dd750429b6dp-2;  /* 1 / sqrt(4 pi) */
	double height, radius, room[2];
	const double *point = place(t, i, room);

	/* The angle to the pole is the latitude plus 90 degrees. */
	turns_sincos(&s->turns, 0, 1, point[1], &height, &radius);
	turns_sincos(&s->turns, 0, n, point[0], sine, cosine);
	order(0, n, p, -height, c->zonal, 0, scratch);
	for (size_t m = 1; m < n; m++) {
		/* 180 degrees are added to the longitude, too */
		const double f = sqrt(2) * (m % 2 ? -c->odd : 1);

		p *= radius * sqrt((double)(2 * m + 1) / (double)(2 * m));
		order(m, n, p, -height, f * cosine[m - 1], f * sine[m - 1],
		      scratch);
	}
	return scratch;
}

/* Give t a row for each point. */
static bool take_points(const struct table *p, struct table *t,
			struct error *err)
{
	const double *x = p->row(p, 0, NULL);
	char shape[SHAPE_TEXT];

	if (p->cols != 2)
		return fail(err, "--points: expected shape [points, 2], "
			    "longitude and latitude, got %s",
			    shape_of(p, shape));
	for (size_t i = 0; i < p->planes * p->rows; i++, x += 2)
		if (!within(x[0], -360, 360) || !within(x[1], -90, 90))
			return fail(err, "--points: expected a longitude from "
				    "-360 to 360 and a latitude from -90 to "
				    "90, got %.17g and %.17g in row %zu",
				    x[0], x[1], i);
	t->planes = p->planes;
	t->rows = p->rows;
	t->plane_axis = p->plane_axis;
	t->row_axis = (struct axis){ .name = "point", .step = 1 };
	return true;
}

static bool spherical_make(void *self, const struct table *inputs,
			   struct table *t, struct error *err)
{
	struct spherical *s = self;
	const double n = (double)s->legendre_polys;
	const struct lattice map = lattice_of(s->grid.at, s->grid.n);

	(void)inputs;
	t->title = "Spherical harmonics";
	t->dtype = F32;
	t->cols = s->legendre_polys * s->legendre_polys;
	t->col_axis = axis_of(AXIS_DIMENSION);
	t->bounds = BOUNDS_LOOSE;
	t->hi = 0.2821 * sqrt(2 * n - 1) * conventions[s->variant].zonal;
	t->lo = -t->hi;
	t->state = s;
	t->row = harmonics_row;
	if (s->points && !take_points(s->points, t, err))
		return false;
	if (!s->points) {
		t->rows = lattice_cells(&map);
		table_cells(t, &map, NULL, NULL);
	}
	return turns_even(&s->turns, s->legendre_polys, n, 180, true, t, err);
}

const struct recipe spherical_recipe = {
	.name = "spherical",
	.summary = "spherical harmonics of places on Earth: SatCLIP",
	.about =
"Makes the table [points, L^2] of real spherical harmonics of longitudes and\n"
"latitudes, from which encoders of places on Earth begin: of points of a file\n"
"(--points), or of the cells of a map (--grid).\n",
	.details =
"  Y[l, 0]  = z N[l, 0] P[l, 0](x)\n"
"  Y[l, m]  = c sqrt(2) N[l, m] P[l, m](x) cos(m phi)      1 <= m <= l\n"
"  Y[l, -m] = c sqrt(2) N[l, m] P[l, m](x) sin(m phi)\n"
"  N[l, m]  = sqrt((2 l + 1)/(4 pi) (l - m)!/(l + m)!)\n"
"\n"
"phi is the longitude plus 180 degrees, x the cosine of the latitude plus 90\n"
"degrees, P[l, m] the associated Legendre function without the factor\n"
"(-1)^m, and l < L. Columns are l^2 + l + m, by l, then by m from -l to l.\n"
"\n"
"  satclip      z = pi, c = 1\n"
"  orthonormal  z = 1, c = 1\n"
"  closed-form  z = 1, c = (-1)^m\n"
"\n"
"Cell y, x of a map HxW is at longitude 180 (2 x + 1 - W)/W and latitude\n"
"90 (H - 1 - 2 y)/H.\n"
"\n"
"  the point 0,0 with --legendre-polys 2: 0.88622695 0 0 -0.48860252\n",
	.paper = "Klemmer et al. 2023, arXiv:2311.17179; Russwurm et al. 2024, "
		 "arXiv:2310.06743",
	.example = "posenc spherical --grid 3x4 --legendre-polys 2",
	.options = spherical_options,
	.presets = spherical_presets,
	.size = sizeof(struct spherical),
	.make = spherical_make,
};
