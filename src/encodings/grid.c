/* grid.c: sines and cosines of the cells of images (2-D) and videos (3-D). */
#include <math.h>
#include <string.h>

#include "recipe/positions.h"
#include "recipe/recipe.h"
#include "waves/convention.h"

enum variant { MAE, DETR, TIMM, MULTIDIM, DIFFUSERS, T2T };
enum { AXES_MOST = 3 };

/* The columns that encode one axis. */
struct share {
	char along;           /* 'y', 'x' or 't' */
	size_t at;            /* the first column */
	struct wave wave;
};

struct grid {
	struct extents grid;
	size_t dim;
	int variant;
	double temperature;
	int layout;
	const char *order;
	double start;
	bool normalize;
	size_t base_size;
	struct list interpolation;
	size_t merge, cls;

	/* Computed from the options. */
	struct lattice lattice;
	size_t axis_count;
	double first;         /* coordinate of the first cell */
	size_t base;          /* cells that others are scaled to; 0: none */
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

static const struct option grid_options[] = {
	PRESET_OPTION,
	{ OPTION(struct grid, grid), .role = ROLE_EXTENT,
	  .required = true, .arg = "HxW[xT]",
	  .help = "number of rows, columns and frames of cells" },
	{ OPTION(struct grid, dim), .role = ROLE_COLUMNS,
	  .min = 1, .max = 1048576,
	  .one = "dimension", .many = "dimensions",
	  .required = true, .arg = "D", .help = "number of columns" },
	{ OPTION(struct grid, variant), .phrase = "%",
	  .initial = "mae",
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
	  .needs = "variant=timm", .arg = "NAME",
	  .help = "timm: column order, all sines before all "
		  "cosines (split), axis by axis (interleaved), or sine and "
		  "cosine of each axis in turn for each frequency "
		  "(alternating) (default: split)" },
	{ OPTION(struct grid, order), .phrase = "axes in order %",
	  .arg = "AXES",
	  .help = "axes in the order of their columns, \"t,y,x\": row y, "
		  "column x, frame t (default: that of --variant)" },
	{ OPTION(struct grid, start), .min = -1e6, .max = 1e6,
	  .phrase = "coordinates from %", .arg = "P",
	  .help = "coordinate of the first cell of each axis (default: 0; "
		  "detr and --normalize: 1)" },
	{ OPTION(struct grid, normalize), .phrase = "normalized",
	  .excludes = "base-size interpolation",
	  .help = "scale coordinates to the range 0 to 2 pi" },
	{ OPTION(struct grid, base_size), .min = 1, .max = POSITION_MOST,
	  .arg = "N", .help = "scale the coordinates of H rows by N/H, those "
		  "of columns alike (default: 16 for diffusers with HxW, else "
		  "none)" },
	{ OPTION(struct grid, interpolation), .arg = "S[,T]",
	  .help = "divide coordinates by S, those of time by T (default: 1)" },
	{ OPTION(struct grid, merge), .min = 1, .max = 65536,
	  .phrase = "blocks of % \xc3\x97 %", .arg = "M",
	  .help = "order the cells of a frame by blocks of M x M" },
	{ OPTION(struct grid, cls), .role = ROLE_EXTENT,
	  .one = "class token", .many = "class tokens",
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
	{ "deformable-detr", "--variant detr --normalize --start 0.5",
	  "fundamentalvision/Deformable-DETR, without padding",
	  "models/position_encoding.py, PositionEmbeddingSine",
	  "commit 48092c5", NULL },
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

/* Coordinate of index i of an axis; scaled ones in float32, as in diffusers. */
static double coordinate(const struct grid *s, char along, size_t i)
{
	const double size = (double)lattice_size(&s->lattice, along);
	const double x = (double)i + s->first;
	const struct list *by = &s->interpolation;
	float scaled = (float)x;

	if (s->normalize)
		return x / (size + 1e-6);
	if (s->base && along != 't')
		scaled /= (float)(size / (double)s->base);
	if (by->at)
		scaled /= (float)by->at[along == 't' && by->n > 1];
	return s->base || by->at ? (double)scaled : x;
}

static const double *grid_row(const struct table *t, size_t i, double *scratch)
{
	const struct grid *s = t->state;
	const struct grid_cell at = lattice_cell(&s->lattice, i - s->cls);

	memset(scratch, 0, t->cols * sizeof *scratch);
	for (size_t k = 0; i >= s->cls && k < s->axis_count; k++) {
		const struct share *p = &s->shares[k];

		wave_pairs(&p->wave, t->dtype, 0, p->wave.turns.n,
			   coordinate(s, p->along, cell_at(&at, p->along)),
			   scratch + p->at);
	}
	return scratch;
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
			return s->shares[k].along;
	return 0;
}

static bool check_interpolation(const struct grid *s, struct error *err)
{
	const struct list *by = &s->interpolation;

	for (size_t i = 0; by->at && i < by->n; i++)
		if (by->n >= s->axis_count || !((float)by->at[i] > 0))
			return fail(err, "--interpolation: expected S%s, each "
				    "above 0, got %.60s", s->axis_count == 3
				    ? " or S,T" : "", by->text);
	return true;
}

static bool read_grid(struct grid *s, struct error *err)
{
	s->axis_count = s->grid.n;
	s->lattice = lattice_of(s->grid.at, s->grid.n);
	if ((double)lattice_cells(&s->lattice) + (double)s->cls >
	    POSITION_MOST)
		return fail(err, "--grid %.60s and --cls %zu are more than "
			    "2^53 rows", s->grid.text, s->cls);
	s->lattice.merge = s->merge;
	s->lattice.pixels = s->variant != DIFFUSERS;
	s->lattice.before = s->cls;
	return lattice_merges(&s->lattice, "--grid", s->grid.text, err);
}

/* How the variants divide the columns among the axes. */
static const struct {
	char order[AXES_MOST]; /* of the axes; HxW has no t */
	int layout, denom;
	size_t multiple[2];    /* divides dim for HxW, HxWxT; 0: unsupported */
} variants[] = {
	[MAE] = { { 'x', 'y', 't' }, SPLIT, DENOM_HALF, { 4, 0 } },
	[DETR] = { { 'y', 'x', 't' }, INTERLEAVED, DENOM_HALF, { 4, 0 } },
	[TIMM] = { { 'y', 'x', 't' }, SPLIT, DENOM_HALF, { 4, 0 } },
	[MULTIDIM] = { { 'y', 'x', 't' }, INTERLEAVED, DENOM_HALF, { 1, 1 } },
	[DIFFUSERS] = { { 't', 'x', 'y' }, SPLIT, DENOM_HALF, { 4, 16 } },
	[T2T] = { { 'y', 'x', 't' }, SPLIT, DENOM_HALF_1, { 1, 1 } },
};

/* Columns of one axis. */
static size_t share_width(const struct grid *s, char along)
{
	const size_t n = s->axis_count;

	if (s->variant == MULTIDIM)
		return 2 * ((s->dim + 2 * n - 1) / (2 * n));
	if (s->variant == T2T)
		return 2 * (s->dim / (2 * n));
	if (n == 3)
		return along == 't' ? s->dim / 4 : 3 * s->dim / 8;
	return s->dim / 2;
}

static bool check_dim(const struct grid *s, struct error *err)
{
	const char *name = grid_variants[s->variant];
	const size_t n = s->axis_count;
	const size_t multiple = variants[s->variant].multiple[n == 3];

	if (!multiple)
		return fail(err, "--variant %s needs --grid HxW, got %.60s",
			    name, s->grid.text);
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
static bool make_share(const struct grid *s, struct share *p, char along,
		       size_t at, struct table *t, struct error *err)
{
	const struct convention c = {
		.dim = share_width(s, along), .base = s->temperature,
		.layout = s->layout == ALTERNATING ? INTERLEAVED
				: variants[s->variant].layout,
		.denom.word = variants[s->variant].denom,
		.angle_scale = 1, .full_turns = s->normalize,
	};
	const size_t left = at < s->dim ? s->dim - at : 0;

	p->along = along;
	p->at = left ? at : 0;
	if (!(coordinate(s, along, lattice_size(&s->lattice, along) - 1) <=
	      POSITION_MOST))
		return s->interpolation.at
			? fail(err, "--interpolation %.60s gives coordinates "
			       "above 2^53", s->interpolation.text)
			: fail(err, "--start %g gives coordinates above 2^53",
			       s->first);
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

/*
 * The order of the axes: that of the variant, in which the axes of --order, all
 * or two of them, take their places in turn.
 */
static bool set_order(const struct grid *s, char order[AXES_MOST],
		      struct error *err)
{
	const char *letters = s->axis_count == 3 ? "yxt" : "yx";
	char given[AXES_MOST];
	size_t n, next = 0, distinct = 0;

	memcpy(order, variants[s->variant].order, AXES_MOST);
	if (!s->order)
		return true;
	n = lattice_order(s->order, letters, given, s->axis_count);
	for (const char *c = letters; *c; c++)
		distinct += memchr(given, *c, n) != NULL;
	if (n < 2 || distinct < n)
		return fail(err, "--order: expected the axes y%s in any "
			    "order, separated by commas, got '%.60s'",
			    s->axis_count == 3 ? ", x and t" : " and x",
			    s->order);
	for (size_t k = 0; k < AXES_MOST; k++)
		if (memchr(given, order[k], n))
			order[k] = given[next++];
	return true;
}

/* Columns for each axis. Fails if none fit. */
static bool make_shares(struct grid *s, struct table *t, struct error *err)
{
	char order[AXES_MOST];
	size_t at = 0, n = 0;

	if (!check_dim(s, err) || !set_order(s, order, err))
		return false;
	for (size_t k = 0; k < AXES_MOST; k++) {
		if (order[k] == 't' && s->axis_count == 2)
			continue;
		if (!make_share(s, &s->shares[n++], order[k], at, t, err))
			return false;
		at += share_width(s, order[k]);
	}
	return true;
}

static bool grid_make(void *self, const struct table *inputs, struct table *t,
		      struct error *err)
{
	struct grid *s = self;

	(void)inputs;
	if (!read_grid(s, err) || !check_interpolation(s, err))
		return false;
	s->first = !isnan(s->start) ? s->start
				    : s->variant == DETR || s->normalize;
	s->base = s->base_size || s->normalize || s->variant != DIFFUSERS ||
		  s->axis_count == 3 ? s->base_size : 16;
	if (!make_shares(s, t, err))
		return false;
	t->title = "Sines and cosines of a grid";
	t->rows = s->cls + lattice_cells(&s->lattice);
	t->cols = s->dim;
	t->dtype = F32;
	t->bounds = BOUNDS_TIGHT;
	t->lo = -1;
	t->hi = 1;
	table_cells(t, &s->lattice, "class", NULL);
	t->col_axis = wave_axis(&s->shares[0].wave);
	if (t->col_axis.pairs == PAIRS_SPLIT)
		t->col_axis.apart = 0;  /* each share has its own halves */
	t->along = grid_along;
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
"Rows are the cells from the top left, row by row; of a video frame by frame\n"
"in diffusers, else all frames of a cell in turn. Each axis has its share of\n"
"the columns, with frequencies w_k = temperature^(-k / pairs of the axis):\n"
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
"y of row i of H is i + --start; --base-size N divides it by H/N, then\n"
"--interpolation S by S, in float32. --normalize makes it\n"
"2 pi (i + --start)/(H + 1e-6). Columns and frames are alike.\n"
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
