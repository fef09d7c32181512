/* grid.c: sines and cosines of the cells of images (2-D) and videos (3-D). */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "text/decimal.h"
#include "recipe/positions.h"
#include "recipe/recipe.h"
#include "waves/convention.h"

enum variant { MAE, DETR, TIMM, MULTIDIM, DIFFUSERS, T2T };
enum { H, W, T, AXES_MOST };

/* The columns that encode one axis. */
struct share {
	int axis;
	size_t at;            /* the first column */
	struct wave wave;
};

struct grid {
	const char *grid;
	size_t dim;
	int variant;
	double temperature;
	int layout, order;
	double start;
	bool normalize;
	size_t base_size;
	struct list interpolation;
	size_t cls;

	/* Computed from the options. */
	size_t axis_count;
	size_t size[AXES_MOST];
	struct share shares[AXES_MOST];
};

static const char *const grid_variants[] = {
	"mae", "detr", "timm", "multidim", "diffusers", "t2t", NULL
};

/* As convention_layouts, and pairs of the axes in turn. */
enum { ALTERNATING = SPLIT + 1 };

static const char *const grid_layouts[] = {
	"interleaved", "split", "alternating", NULL
};

enum { Y_FIRST = 1 };

static const char *const grid_orders[] = { "x,y", "y,x", NULL };

static const struct option grid_options[] = {
	PRESET_OPTION,
	{ OPTION(struct grid, grid), .role = ROLE_EXTENT,
	  .required = true, .arg = "HxW[xT]",
	  .help = "number of rows, columns and frames of cells" },
	{ OPTION(struct grid, dim), .role = ROLE_COLUMNS,
	  .min = 1, .max = 1048576,
	  .one = "dimension", .many = "dimensions",
	  .required = true, .arg = "D", .help = "number of columns" },
	{ OPTION(struct grid, variant), .initial = "mae",
	  .words = grid_variants, .arg = "NAME",
	  .help = "project whose column order and coordinates to use" },
	{ OPTION(struct grid, temperature), .initial = "10000", .stated = "",
	  .min = 1e-300, .max = 1e300,
	  .arg = "B", .help = "base (theta) of the geometric series of "
			      "frequencies" },
	{ .name = "base", .at = offsetof(struct grid, temperature),
	  .kind = OPTION_REAL, .unrecorded = true, .initial = "10000",
	  .min = 1e-300, .max = 1e300, .arg = "B",
	  .help = "same as --temperature" },
	{ OPTION(struct grid, layout), .words = grid_layouts,
	  .arg = "NAME", .help = "timm: column order, all sines before all "
		  "cosines (split), axis by axis (interleaved), or sine and "
		  "cosine of each axis in turn for each frequency "
		  "(alternating) (default: split)" },
	{ OPTION(struct grid, order), .words = grid_orders, .arg = "AXES",
	  .help = "axis whose columns come first (default: that of "
		  "--variant)" },
	{ OPTION(struct grid, start), .min = -1e6, .max = 1e6, .arg = "P",
	  .help = "coordinate of the first row and column (default: 0; detr: "
		  "1)" },
	{ OPTION(struct grid, normalize),
	  .help = "detr: scale coordinates to the range 0 to 2 pi" },
	{ OPTION(struct grid, base_size), .min = 1, .max = POSITION_MOST,
	  .arg = "N", .help = "diffusers with HxW: scale coordinates to N "
		  "cells per axis (default: 16)" },
	{ OPTION(struct grid, interpolation), .arg = "S[,T]",
	  .help = "diffusers: divide coordinates by S, those of time by T "
		  "(default: 1)" },
	{ OPTION(struct grid, cls), .role = ROLE_EXTENT,
	  .initial = "0", .max = POSITION_MOST,
	  .arg = "N", .help = "number of rows of zeros before the cells (class "
			      "tokens)" },
	{0}
};

static const struct preset grid_presets[] = {
	{ "mae", "--variant mae",
	  "facebookresearch/mae (and DiT); MAE's models add --cls 1",
	  "util/pos_embed.py, get_2d_sincos_pos_embed",
	  "commit efb2a80; DiT ed81ce2", NULL },
	{ "moco-v3", "--variant timm --layout interleaved",
	  "facebookresearch/moco-v3; HxW patches are --grid WxH; its models "
	  "add --cls 1",
	  "vits.py, build_2d_sincos_position_embedding",
	  "commit c349e6e", NULL },
	{ "detr", "--variant detr --normalize",
	  "facebookresearch/detr, without padding; its class does not "
	  "normalize by default",
	  "models/position_encoding.py, PositionEmbeddingSine",
	  "v0.2", NULL },
	{ "timm", "--variant timm --layout split",
	  "huggingface/pytorch-image-models; reverse_coord is --grid WxH",
	  "timm/layers/pos_embed_sincos.py, build_sincos2d_pos_embed",
	  "v1.0.28", NULL },
	{ "loftr", "--variant timm --layout alternating --order x,y --start 1",
	  "zju3dv/LoFTR, with its temp_bug_fix, [HW, C]; without it, "
	  "--temperature e^(C/2)",
	  "src/loftr/utils/position_encoding.py, PositionEncodingSine",
	  "commit df7ca80", NULL },
	{ "multidim", "--variant multidim",
	  "tatp22/multidim-positional-encoding",
	  "positional_encodings/torch_encodings.py, PositionalEncoding2D, 3D",
	  "commit efeb8d9 (6.0.4)", NULL },
	{ "diffusers", "--variant diffusers",
	  "huggingface/diffusers, the defaults of its functions; PixArt (HxW) "
	  "sets --base-size and --interpolation, CogVideoX (HxWxT) "
	  "--interpolation and --cls",
	  "src/diffusers/models/embeddings.py, get_2d_sincos_pos_embed and "
	  "get_3d_sincos_pos_embed",
	  "v0.40.0", NULL },
	{ "t2t", "--variant t2t", "tensorflow/tensor2tensor",
	  "tensor2tensor/layers/common_attention.py, add_timing_signal_nd",
	  "v1.15.7", NULL },
	{0}
};

/* Coordinate of index i of an axis; diffusers computes it in float32. */
static double coordinate(const struct grid *s, int axis, size_t i)
{
	const double *by = s->interpolation.at;
	const double size = (double)s->size[axis];
	float x = (float)i;

	if (s->normalize)
		return (double)(i + 1) / (size + 1e-6);
	if (s->variant != DIFFUSERS)
		return (double)i + (!isnan(s->start) ? s->start
						     : s->variant == DETR);
	if (s->axis_count == 2)
		x /= (float)(size / (double)(s->base_size ? s->base_size
							  : 16));
	if (by)
		x /= (float)by[axis == T && s->interpolation.n > 1];
	return x;
}

/* Indices of a cell along each axis; cells are numbered in row order. */
static void cell_indices(const struct grid *s, size_t cell,
			 size_t at[AXES_MOST])
{
	static const int fastest[2][AXES_MOST] = { { T, W, H }, { W, H, T } };

	for (int k = 0; k < AXES_MOST; k++) {
		const int axis = fastest[s->variant == DIFFUSERS][k];

		at[axis] = cell % s->size[axis];
		cell /= s->size[axis];
	}
}

static const double *grid_row(const struct table *t, size_t i, double *scratch)
{
	const struct grid *s = t->state;
	size_t at[AXES_MOST] = { 0 };

	memset(scratch, 0, t->cols * sizeof *scratch);
	if (i < s->cls)
		return scratch;
	cell_indices(s, i - s->cls, at);
	for (size_t k = 0; k < s->axis_count; k++) {
		const struct share *p = &s->shares[k];

		wave_pairs(&p->wave, t->dtype, 0, p->wave.turns.n,
			   coordinate(s, p->axis, at[p->axis]),
			   scratch + p->at);
	}
	return scratch;
}

static size_t grid_cell(const struct table *t, size_t i)
{
	const struct grid *s = t->state;
	size_t at[AXES_MOST];

	if (i < s->cls)
		return SIZE_MAX;
	cell_indices(s, i - s->cls, at);
	return (at[T] * s->size[H] + at[H]) * s->size[W] + at[W];
}

/* Whether a share has column j. */
static bool share_has(const struct share *p, size_t j)
{
	const struct wave *w = &p->wave;

	j -= p->at;
	return j < w->cols && (w->stride == 1 ? j % w->apart < w->turns.n
					      : j % w->stride < 2);
}

static char grid_along(const struct table *t, size_t j)
{
	const struct grid *s = t->state;

	for (size_t k = 0; k < s->axis_count; k++)
		if (share_has(&s->shares[k], j))
			return "yxt"[s->shares[k].axis];
	return 0;
}

/* Refuse options of other variants. */
static bool check_use(const struct grid *s, struct error *err)
{
	const struct list *by = &s->interpolation;

	if (s->layout != NO_CHOICE && s->variant != TIMM)
		return fail(err, "--layout needs --variant timm");
	if (!isnan(s->start) && (s->normalize || s->variant == DIFFUSERS))
		return fail(err, "--start needs coordinates that are not "
			    "scaled, as --variant diffusers and --normalize "
			    "scale them");
	if (s->normalize && s->variant != DETR)
		return fail(err, "--normalize needs --variant detr");
	if (by->at && s->variant != DIFFUSERS)
		return fail(err, "--interpolation needs --variant diffusers");
	if (s->base_size && (s->variant != DIFFUSERS || s->axis_count == 3))
		return fail(err, "--base-size needs --variant diffusers and "
			    "--grid HxW");
	for (size_t i = 0; by->at && i < by->n; i++)
		if (by->n >= s->axis_count || !((float)by->at[i] > 0))
			return fail(err, "--interpolation: expected S%s, each "
				    "above 0, got %.60s", s->axis_count == 3
				    ? " or S,T" : "", by->text);
	return true;
}

static bool read_grid(struct grid *s, struct error *err)
{
	double size[AXES_MOST] = { 1, 1, 1 };
	double cells = 1;

	s->axis_count = parse_extents(s->grid, size);
	if (s->axis_count < 2)
		return fail(err, "--grid: expected HxW or HxWxT, each at "
			    "least 1, got '%.60s'",
			    s->grid);
	for (int k = 0; k < AXES_MOST; k++) {
		s->size[k] = (size_t)size[k];
		cells *= size[k];
	}
	if (cells + (double)s->cls > POSITION_MOST)
		return fail(err, "--grid %.60s has more than 2^53 cells",
			    s->grid);
	return true;
}

/* How the variants divide the columns among the axes. */
static const struct {
	int order[AXES_MOST];  /* of the axes; HxW has no T */
	int layout, denom;
	size_t multiple[2];    /* divides dim for HxW, HxWxT; 0: unsupported */
} variants[] = {
	[MAE] = { { W, H, T }, SPLIT, DENOM_HALF, { 4, 0 } },
	[DETR] = { { H, W, T }, INTERLEAVED, DENOM_HALF, { 4, 0 } },
	[TIMM] = { { H, W, T }, SPLIT, DENOM_HALF, { 4, 0 } },
	[MULTIDIM] = { { H, W, T }, INTERLEAVED, DENOM_HALF, { 1, 1 } },
	[DIFFUSERS] = { { T, W, H }, SPLIT, DENOM_HALF, { 4, 16 } },
	[T2T] = { { H, W, T }, SPLIT, DENOM_HALF_1, { 1, 1 } },
};

/* Columns of one axis. */
static size_t share_width(const struct grid *s, int axis)
{
	const size_t n = s->axis_count;

	if (s->variant == MULTIDIM)
		return 2 * ((s->dim + 2 * n - 1) / (2 * n));
	if (s->variant == T2T)
		return 2 * (s->dim / (2 * n));
	if (n == 3)
		return axis == T ? s->dim / 4 : 3 * s->dim / 8;
	return s->dim / 2;
}

static bool check_dim(const struct grid *s, struct error *err)
{
	const char *name = grid_variants[s->variant];
	const size_t n = s->axis_count;
	const size_t multiple = variants[s->variant].multiple[n == 3];

	if (!multiple)
		return fail(err, "--variant %s needs --grid HxW, got %.60s",
			    name, s->grid);
	if (s->dim % multiple)
		return fail(err, "--dim must be a multiple of %zu for "
			    "--variant %s with --grid %s, got %zu", multiple,
			    name, n == 3 ? "HxWxT" : "HxW", s->dim);
	if (s->variant == T2T && s->dim < 4 * n)
		return fail(err, "--dim must be at least %zu for --variant "
			    "t2t with --grid %s, got %zu: it divides by the "
			    "number of frequencies per axis minus 1", 4 * n,
			    n == 3 ? "HxWxT" : "HxW", s->dim);
	return true;
}

/* The share of an axis, in columns from at on. */
static bool make_share(const struct grid *s, struct share *p, int axis,
		       size_t at, struct table *t, struct error *err)
{
	const struct convention c = {
		.dim = share_width(s, axis), .base = s->temperature,
		.layout = s->layout == ALTERNATING ? INTERLEAVED
				: variants[s->variant].layout,
		.denom.word = variants[s->variant].denom,
		.angle_scale = 1, .full_turns = s->normalize,
	};
	const size_t left = at < s->dim ? s->dim - at : 0;

	p->axis = axis;
	p->at = left ? at : 0;
	if (!(coordinate(s, axis, s->size[axis] - 1) <= POSITION_MOST))
		return s->interpolation.at
			? fail(err, "--interpolation %.60s gives coordinates "
			       "above 2^53", s->interpolation.text)
			: fail(err, "--start %g gives coordinates above 2^53",
			       s->start);
	if (!convention_wave(&c, &p->wave, t, err))
		return false;
	if (p->wave.cols > left) {
		p->wave.cols = left;
		p->wave.turns.n = (left + 1) / 2;
	}
	if (s->layout == ALTERNATING) {
		p->at = at ? 2 : 0;
		p->wave.stride = 4;
		p->wave.cols = s->dim - p->at;
	} else if (s->variant == TIMM && s->layout != INTERLEAVED) {
		p->at = at / 2;
		p->wave.apart = s->dim / 2;
		p->wave.cols = 3 * s->dim / 4;
	}
	return true;
}

/* Columns for each axis, in the order of the variant. Fails if none fit. */
static bool make_shares(struct grid *s, struct table *t, struct error *err)
{
	const int *order = variants[s->variant].order;
	/* Those of the others are of x first, or of t, x and y. */
	const bool swapped = s->order != NO_CHOICE &&
			     (s->order == Y_FIRST) != (order[0] == H);
	size_t at = 0, n = 0;

	if (!check_dim(s, err))
		return false;
	for (int k = 0; k < AXES_MOST; k++) {
		int axis = order[k];

		if (axis == T && s->axis_count == 2)
			continue;
		if (swapped && axis != T)
			axis = axis == H ? W : H;
		if (!make_share(s, &s->shares[n++], axis, at, t, err))
			return false;
		at += share_width(s, axis);
	}
	return true;
}

static bool grid_make(void *self, const struct table *inputs, struct table *t,
		      struct error *err)
{
	struct grid *s = self;

	(void)inputs;
	if (!read_grid(s, err) || !check_use(s, err) ||
	    !make_shares(s, t, err))
		return false;
	t->title = "Sines and cosines of a grid";
	t->rows = s->cls + s->size[H] * s->size[W] * s->size[T];
	t->cols = s->dim;
	t->dtype = F32;
	t->bounds = BOUNDS_TIGHT;
	t->lo = -1;
	t->hi = 1;
	t->row_axis = axis_from(AXIS_CELL, 0.0 - (double)s->cls, 1);
	t->row_axis.before = s->cls ? "class" : NULL;
	t->row_axis.before_n = s->cls;
	t->col_axis = wave_axis(&s->shares[0].wave);
	if (t->col_axis.pairs == PAIRS_SPLIT)
		t->col_axis.apart = 0;  /* each share has its own halves */
	t->grid = (struct grid_of_cells){ s->size[H], s->size[W], s->size[T],
					  grid_cell, grid_along };
	t->row = grid_row;
	t->state = s;
	return true;
}

const struct recipe grid_recipe = {
	.name = "grid",
	.summary = "2-D and 3-D sines and cosines of the cells of a grid",
	.about =
"Makes the table [cells, dim] of an image or a video: one row per cell,\n"
"sines and cosines of its coordinates in the columns. Vision transformers\n"
"and diffusion models add it to the embeddings of patches. Each --variant is\n"
"one project's column order.\n",
	.details =
"Rows are the cells from the top left, row by row. Each axis has its share\n"
"of the columns, with frequencies w_k = temperature^(-k / pairs of the\n"
"axis):\n"
"\n"
"  mae         [sin x w | cos x w | sin y w | cos y w]: x first\n"
"  detr        [sin y w, cos y w alternating | the same for x]; coordinates\n"
"              start at 1; with --normalize they end at 2 pi\n"
"  timm        [sin y w | sin x w | cos y w | cos x w], or axis by axis; with\n"
"              --layout alternating [sin y w, cos y w, sin x w, cos x w]\n"
"              frequency by frequency\n"
"  multidim    [sin y w, cos y w alternating | the same for x | for t],\n"
"              truncated to --dim columns\n"
"  diffusers   as mae, coordinates scaled to 16 cells; HxWxT: dim / 4 columns\n"
"              for t, then as mae\n"
"  t2t         [sin y w | cos y w | sin x w | ...]; divides k by pairs - 1\n"
"\n"
"Cell (0, 1) of --grid 2x3 --dim 8: 0.84147096, 0.009999833, 0.5403023,\n"
"0.99995, 0, 0, 1, 1.\n",
	.paper = "He et al. 2022, arXiv:2111.06377; Carion et al. 2020, "
		 "arXiv:2005.12872",
	.example = "posenc grid --grid 2x3 --dim 8",
	.options = grid_options,
	.starts = (const struct start[]){
		{ "grid", "12x12", "" },
		{ "dim", "128", "" }, {0}
	},
	.presets = grid_presets,
	.size = sizeof(struct grid),
	.make = grid_make,
};
