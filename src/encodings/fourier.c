/* fourier.c: Fourier features of points and of the cells of grids. */
#include <math.h>
#include <string.h>

#include "exact/floating.h"
#include "exact/turns.h"
#include "exact/within.h"
#include "random/samples.h"
#include "recipe/positions.h"
#include "recipe/recipe.h"
#include "text/decimal.h"

enum variant {
	NERF, MIP_NERF, PERCEIVER, PERCEIVER_PYTORCH, GAUSSIAN, VARIANTS
};
enum sampling { SAMPLING_LOG, SAMPLING_LINEAR };

enum {
	AXES_MOST = 16,
	BANDS_MOST = 1024,           /* 2^1023 is the largest power */
	DRAWN_MOST = 1 << 24,
};

struct fourier {
	int variant;
	const struct table *points, *variances;
	struct extents grid;
	size_t bands;
	bool no_input;
	int sampling;
	bool pi;
	const char *max_res;
	double max_freq;
	bool sine_only;
	const struct table *matrix;
	struct seed seed;
	int rng;
	double sigma;

	size_t axes;                     /* coordinates of a point */
	struct turns turns[AXES_MOST];   /* NeRF has one for all axes */
	const double *rows;              /* [bands, axes], of the matrix */
	enum simd simd;
};

static const char *const variants[] = {
	"nerf", "mip-nerf", "perceiver", "perceiver-pytorch", "gaussian", NULL
};
static const char *const samplings[] = { "log", "linear", NULL };

static const struct option fourier_options[] = {
	PRESET_OPTION,
	{ OPTION(struct fourier, variant), .phrase = "",
	  .required = true,
	  .words = variants, .arg = "NAME",
	  .help = "project whose frequencies and column order to use" },
	{ OPTION(struct fourier, points), .required = true,
	  .needs = "variant=nerf|mip-nerf|gaussian", .arg = "FILE",
	  .help = "nerf, mip-nerf, gaussian: file of points, [points, "
		  "coordinates]" },
	{ OPTION(struct fourier, variances), .needs = "variant=mip-nerf",
	  .excludes = "no-input", .arg = "FILE",
	  .help = "mip-nerf: file of the variance s of each coordinate, like "
		  "--points: features times exp(-f^2 s/2), without the "
		  "coordinates" },
	{ OPTION(struct fourier, grid), .role = ROLE_EXTENT, .required = true,
	  .needs = "variant=perceiver|perceiver-pytorch", .arg = "N[xN..]",
	  .help = "perceiver, perceiver-pytorch: cells of each axis, whose "
		  "coordinates go from -1 to 1" },
	{ OPTION(struct fourier, bands), .role = ROLE_EXTENT,
	  .required = true, .unless = "matrix",
	  .min = 1, .max = BANDS_MOST, .one = "band", .many = "bands",
	  .arg = "K",
	  .help = "number of frequencies (default: the rows of --matrix)" },
	{ OPTION(struct fourier, no_input), .needs = "variant!=gaussian",
	  .phrase = "without coordinates",
	  .help = "leave out the columns of the coordinates themselves" },
	{ OPTION(struct fourier, sampling), .words = samplings,
	  .needs = "variant=nerf", .arg = "NAME",
	  .help = "nerf: frequencies from 1 to 2^(K-1) are powers of two, or "
		  "in even steps (default: log)" },
	{ OPTION(struct fourier, pi), .needs = "variant=nerf",
	  .phrase = "frequencies times pi",
	  .help = "nerf: multiply frequencies by pi, as in the paper" },
	{ OPTION(struct fourier, max_res), .needs = "variant=perceiver",
	  .phrase = "resolution up to %",
	  .arg = "N[xN..]",
	  .help = "perceiver: twice the largest frequency of each axis "
		  "(default: --grid)" },
	{ OPTION(struct fourier, max_freq), .required = true,
	  .needs = "variant=perceiver-pytorch", .min = 1e-100,
	  .phrase = "maximum frequency %",
	  .max = POSITION_MOST, .arg = "F",
	  .help = "perceiver-pytorch: twice the largest frequency" },
	{ OPTION(struct fourier, sine_only), .needs = "variant=perceiver",
	  .help = "perceiver: leave out the cosines" },
	{ OPTION(struct fourier, matrix), .needs = "variant=gaussian",
	  .excludes = "bands seed rng sigma", .arg = "FILE",
	  .help = "gaussian: file of the matrix B, [frequencies, coordinates], "
		  "in place of a random one" },
	{ OPTION(struct fourier, seed), .needs = "variant=gaussian", .arg = "S",
	  .help = "gaussian: seed of the random matrix, below 2^64 "
		  "(default: 0)" },
	{ OPTION(struct fourier, rng), .words = sample_generators,
	  .phrase = "% generator",
	  .needs = "variant=gaussian", .arg = "WHOSE",
	  .help = "gaussian: random generator, as --rng of posenc embed "
		  "(default: philox)" },
	{ OPTION(struct fourier, sigma), .min = 0, .max = 1e30,
	  .needs = "variant=gaussian", .arg = "X",
	  .help = "gaussian: standard deviation of the random matrix "
		  "(default: 1)" },
	{0}
};

static const struct preset fourier_presets[] = {
	{ "nerf", "--variant nerf",
	  "bmild/nerf, yenchenlin/nerf-pytorch; their multires is --bands, "
	  "log_sampling=False is --sampling linear",
	  "run_nerf_helpers.py, Embedder", "commits 14c5556, 63a5a63", NULL },
	{ "mip-nerf", "--variant mip-nerf",
	  "google/mipnerf; max_deg_point is --bands, min_deg_point is 0; "
	  "without --variances its pos_enc",
	  "internal/mip.py, integrated_pos_enc", "commit 16e73df", NULL },
	{ "perceiver", "--variant perceiver",
	  "huggingface/transformers; concat_pos=False is --no-input",
	  "src/transformers/models/perceiver/modeling_perceiver.py, "
	  "generate_fourier_features", "commit 130f164", NULL },
	{ "perceiver-pytorch", "--variant perceiver-pytorch",
	  "lucidrains/perceiver-pytorch; num_freq_bands is --bands",
	  "perceiver_pytorch/perceiver_pytorch.py, fourier_encode",
	  "commit 96097c6", NULL },
	{ "gaussian", "--variant gaussian",
	  "tancik/fourier-feature-networks; its matrix B is --matrix",
	  "Demo.ipynb, input_mapping", "commit 9c110c3", NULL },
	{0}
};

static const double *grid_row(const struct table *t, size_t i, double *scratch)
{
	const struct fourier *s = t->state;
	const size_t d = s->axes, k = s->bands, input = !s->no_input;
	const bool own = s->variant == PERCEIVER_PYTORCH;
	double cosine[BANDS_MOST];
	size_t rest = i;

	for (size_t axis = d; axis-- > 0; rest /= s->grid.at[axis]) {
		const size_t n = s->grid.at[axis];
		/* From -1 to 1, in units of 1 / (n - 1) */
		const double at = n > 1 ? (double)(2 * (rest % n)) -
					  (double)(n - 1) : -1;
		double *x = scratch + axis, *f = scratch + input * d + axis * k;
		double *g = f + d * k;

		if (own) {
			f = scratch + axis * (2 * k + input);
			g = f + k;
			x = g + k;
		}
		turns_sincos(&s->turns[axis], 0, k, at, f, cosine);
		if (!s->sine_only)
			memcpy(g, cosine, k * sizeof *g);
		if (input)
			*x = at / fmax((double)n - 1, 1);
	}
	return scratch;
}

/* exp(-4^k s / 2): how far the waves of a band average out. */
static double attenuation(double s, size_t k)
{
	enum { LIMBS = 3, GONE = 750 };  /* exp(-GONE) is 0 in float64 */
	const double x = ldexp(s, 2 * (int)k - 1);
	struct floating f;

	if (!(x < GONE))
		return 0;
	f = floating_exponential(-x, LIMBS);
	return floating_double(&f, LIMBS);
}

/* NeRF alternates between sines and cosines, mip-NeRF has all sines first. */
static const double *nerf_row(const struct table *t, size_t i, double *scratch)
{
	const struct fourier *s = t->state;
	const size_t d = s->axes, mip = s->variant == MIP_NERF;
	const size_t step = mip ? d : 2 * d, apart = mip ? s->bands * d : d;
	const double *x = s->points->row(s->points, i, NULL);
	const double *v = s->variances
			  ? s->variances->row(s->variances, i, NULL) : NULL;
	double sine[BANDS_MOST], cosine[BANDS_MOST];

	for (size_t axis = 0; axis < d; axis++) {
		double *to = scratch + (s->no_input ? 0 : d) + axis;

		turns_sincos(&s->turns[0], 0, s->bands, x[axis], sine, cosine);
		for (size_t k = 0; k < s->bands; k++) {
			const double by = v ? attenuation(v[axis], k) : 1;

			to[k * step] = sine[k] * by + 0.0;  /* not -0 */
			to[k * step + apart] = cosine[k] * by + 0.0;
		}
		if (!s->no_input)
			scratch[axis] = x[axis];
	}
	return scratch;
}

static const double *gaussian_row(const struct table *t, size_t i,
				  double *scratch)
{
	const struct fourier *s = t->state;
	const double *x = s->points->row(s->points, i, NULL);

	for (size_t k = 0; k < s->bands; k++)
		turns_of_products(s->simd, s->rows + k * s->axes, x, s->axes,
				  scratch + k, scratch + s->bands + k);
	for (size_t j = 0; j < t->cols; j++)
		scratch[j] += 0.0;  /* not -0 */
	return scratch;
}

/* Fail unless all numbers of t are from least to most. */
static bool check_numbers(const struct table *t, const char *flag,
			  double least, double most, struct error *err)
{
	const size_t n = t->planes * t->rows * t->cols;
	const double *x = t->row(t, 0, NULL);

	for (size_t i = 0; i < n; i++)
		if (!within(x[i], least, most))
			return fail(err, "%s: expected numbers from %g to %g, "
				    "got %g in row %zu, column %zu", flag,
				    least, most, x[i], i / t->cols,
				    i % t->cols);
	return true;
}

/* Give t a row for each point. */
static bool take_points(struct fourier *s, struct table *t, struct error *err)
{
	const struct table *p = s->points;

	s->axes = p->cols;
	t->planes = p->planes;
	t->rows = p->rows;
	t->plane_axis = p->plane_axis;
	t->row_axis = (struct axis){ .name = "point", .step = 1 };
	return check_numbers(p, "--points", -POSITION_MOST, POSITION_MOST,
			     err);
}

/* A variance for each coordinate of each point. */
static bool take_variances(struct fourier *s, struct error *err)
{
	const struct table *p = s->points, *v = s->variances;
	char wanted[SHAPE_TEXT], given[SHAPE_TEXT];

	if (!v)
		return true;
	if (v->planes != p->planes || v->rows != p->rows || v->cols != p->cols)
		return fail(err, "--variances must have the shape of --points, "
			    "%s, got %s", shape_of(p, wanted),
			    shape_of(v, given));
	s->no_input = true;
	return check_numbers(v, "--variances", 0, 1e100, err);
}

static bool nerf_make(struct fourier *s, struct table *t, struct error *err)
{
	const double last = ldexp(1, (int)s->bands - 1);

	if (!take_points(s, t, err) || !take_variances(s, err))
		return false;
	t->title = s->variances ? "Integrated positional encoding"
		   : s->variant == MIP_NERF ? "mip-NeRF's Fourier features"
					    : "NeRF's Fourier features";
	t->cols = s->axes * (2 * s->bands + !s->no_input);
	t->row = nerf_row;
	if (s->sampling == SAMPLING_LINEAR)
		return turns_even(&s->turns[0], s->bands, last, 1, s->pi, t,
				  err);
	return (s->pi ? turns_geometric_in_turns : turns_geometric)
		(&s->turns[0], s->bands, 2, -1, s->pi ? 0.5 : 1, t, err);
}

/* The matrix of --matrix. */
static bool take_matrix(struct fourier *s, struct error *err)
{
	const struct table *m = s->matrix;
	char shape[SHAPE_TEXT];

	if (m->planes != 1 || m->cols != s->axes)
		return fail(err, "--matrix: expected shape [frequencies, %zu], "
			    "a column per coordinate, got %s", s->axes,
			    shape_of(m, shape));
	s->bands = m->rows;
	s->rows = m->row(m, 0, NULL);
	return check_numbers(m, "--matrix", -1e100, 1e100, err);
}

/* A random matrix, which t owns. */
static bool draw_matrix(struct fourier *s, struct table *t, struct error *err)
{
	const size_t n = s->bands * s->axes;
	double *drawn;

	s->seed.given = true;
	if (s->rng == NO_CHOICE)
		s->rng = PHILOX;
	if (isnan(s->sigma))
		s->sigma = 1;
	if (!sample_seed_check(s->rng, s->seed.value, err))
		return false;
	if (n > DRAWN_MOST)
		return fail(err, "--bands %zu for points of %zu coordinates "
			    "makes a matrix of more than %d numbers", s->bands,
			    s->axes, DRAWN_MOST);
	s->rows = drawn = table_alloc(t, n, sizeof *drawn, err);
	if (drawn)
		sample_normal(&(struct samples){
			      s->rng, s->seed.value, n },
			      s->sigma, 0, n, drawn);
	return drawn;
}

static bool gaussian_make(struct fourier *s, struct table *t,
			  struct error *err)
{
	if (!take_points(s, t, err) ||
	    !(s->matrix ? take_matrix(s, err) : draw_matrix(s, t, err)))
		return false;
	s->simd = simd_best();
	t->title = "Gaussian Fourier features";
	t->cols = 2 * s->bands;
	t->row = gaussian_row;
	return true;
}

/* Give t a row for each cell. */
static void take_grid(struct fourier *s, struct table *t)
{
	s->axes = s->grid.n;
	t->rows = 1;
	for (size_t i = 0; i < s->axes; i++)
		t->rows *= s->grid.at[i];
	t->row_axis = axis_of(AXIS_CELL);
	if (s->axes == 2)
		t->grid = lattice_of(s->grid.at, 2);
}

/* Twice the largest frequency of each axis, to most [axes]. */
static bool read_most(const struct fourier *s, double *most, struct error *err)
{
	const char *text = s->max_res ? s->max_res : s->grid.text;
	bool good = true;

	for (size_t i = 0; s->variant != PERCEIVER && i < s->axes; i++)
		most[i] = s->max_freq;
	if (s->variant != PERCEIVER)
		return true;
	good = parse_reals(text, 'x', most, AXES_MOST) == s->axes;
	for (size_t i = 0; good && i < s->axes; i++)
		good = within(most[i], 1e-100, POSITION_MOST);
	return good || fail(err, "--max-res: expected a number per axis of "
			    "--grid, above 0 and at most 2^53, got '%.60s'",
			    text);
}

static bool perceiver_make(struct fourier *s, struct table *t,
			   struct error *err)
{
	double most[AXES_MOST];

	take_grid(s, t);
	if (!read_most(s, most, err))
		return false;
	for (size_t i = 0; i < s->axes; i++)
		if (!turns_even(&s->turns[i], s->bands, most[i] / 2,
				fmax((double)s->grid.at[i] - 1, 1), true, t,
				err))
			return false;
	t->title = "Perceiver's Fourier features";
	t->cols = s->axes * ((s->sine_only ? 1 : 2) * s->bands +
			     !s->no_input);
	t->bounds = BOUNDS_TIGHT;
	t->row = grid_row;
	return true;
}

static bool fourier_make(void *self, const struct table *inputs,
			 struct table *t, struct error *err)
{
	static bool (*const make[VARIANTS])(struct fourier *s, struct table *t,
					    struct error *err) = {
		[NERF] = nerf_make, [MIP_NERF] = nerf_make,
		[PERCEIVER] = perceiver_make,
		[PERCEIVER_PYTORCH] = perceiver_make,
		[GAUSSIAN] = gaussian_make,
	};
	struct fourier *s = self;

	(void)inputs;
	t->dtype = F32;
	t->lo = -1;
	t->hi = 1;
	t->col_axis = axis_of(AXIS_DIMENSION);
	t->state = s;
	if (!make[s->variant](s, t, err))
		return false;
	if (s->variant == GAUSSIAN || (s->no_input && !s->variances))
		t->bounds = BOUNDS_TIGHT;
	return true;
}

const struct recipe fourier_recipe = {
	.name = "fourier",
	.summary = "Fourier features of points and grids: NeRF, Perceiver",
	.about =
"Makes the table [points, features] or [cells, features] of sines and cosines\n"
"of coordinates, of any number of them: those of points in a file (nerf,\n"
"mip-nerf, gaussian), or of the cells of a grid of any dimension (perceiver,\n"
"perceiver-pytorch).\n",
	.details =
"Columns of the variants, for coordinates x of d axes and K bands:\n"
"\n"
"  nerf       x, then for each f: sin(f x) of all axes, cos(f x) of all axes.\n"
"             f = 2^k, k < K, or K numbers in even steps from 1 to 2^(K-1).\n"
"             The paper has f pi (--pi); its code does not.\n"
"  mip-nerf   x, then sin(f x) for each f of all axes, cos(f x) likewise.\n"
"             With --variances s, without x: sin(f x) exp(-f^2 s/2) and\n"
"             cos(f x) exp(-f^2 s/2), means over normal distributions\n"
"  perceiver  x, then sin(pi f x) axis by axis, then cos(pi f x) likewise.\n"
"             f: K numbers in even steps from 1 to half of --max-res of the\n"
"             axis\n"
"  perceiver-pytorch  for each axis: sin(pi f x), cos(pi f x), x. f as above\n"
"             to half of --max-freq\n"
"  gaussian   sin(2 pi B x) of all rows of B, then cos(2 pi B x)\n"
"\n"
"Cells of a grid are in C order, the last axis fastest. Coordinates of an\n"
"axis go from -1 to 1 in even steps, both included (one cell: -1). A random B\n"
"has the values of posenc embed --vocab K --dim d --init normal:X with the\n"
"same --seed and --rng, in float64. Angles are reduced without error: float32\n"
"values are correctly rounded.\n"
"\n"
"The point 0.25 with --bands 2: 0.25 0.24740396 0.96891242 0.47942554\n"
"0.87758256; with --pi and --no-input: 0.70710678 0.70710678 1 0.\n",
	.paper = "Mildenhall et al. 2020, arXiv:2003.08934, section 5.1; "
		 "Barron et al. 2021, arXiv:2103.13415; Tancik et al. 2020, "
		 "arXiv:2006.10739; Jaegle et al. 2021, arXiv:2103.03206",
	.example = "posenc fourier --variant perceiver --grid 2x4 --bands 2",
	.options = fourier_options,
	.presets = fourier_presets,
	.size = sizeof(struct fourier),
	.make = fourier_make,
};
