/* grid.c: sines and cosines of the cells of images and videos. */
#include <string.h>

#include "core/parse.h"
#include "core/positions.h"
#include "core/recipe.h"
#include "encodings/grid.h"

const char *const grid_variants[] = {
	"mae", "detr", "timm", "multidim", "diffusers", "t2t", NULL
};

static const struct option grid_options[] = {
	PRESET_OPTION,
	{ OPTION(struct grid, grid), .required = true, .arg = "HxW[xT]",
	  .help = "cells down, across and in time" },
	{ OPTION(struct grid, dim), .min = 1, .max = 1048576,
	  .required = true, .arg = "D", .help = "columns, of all axes" },
	{ OPTION(struct grid, variant), .initial = "mae",
	  .words = grid_variants, .arg = "NAME", .help = "whose columns" },
	{ OPTION(struct grid, temperature), .initial = "10000",
	  .min = 1e-300, .max = 1e300,
	  .arg = "B", .help = "the geometric base of the wavelengths" },
	{ .name = "base", .at = offsetof(struct grid, temperature),
	  .kind = OPTION_REAL, .unseen = true, .min = 1e-300, .max = 1e300,
	  .arg = "B", .help = "the same, as other commands call it" },
	{ OPTION(struct grid, layout), .words = convention_layouts,
	  .arg = "NAME", .help = "all sines before all cosines (the default), "
		  "or axis by axis: for timm" },
	{ OPTION(struct grid, normalize),
	  .help = "coordinates from 0 to 2 pi, whatever the size: for detr" },
	{ OPTION(struct grid, base_size), .min = 1, .max = POSITION_MOST,
	  .arg = "N", .help = "coordinates as if there were N each way (16): "
		  "for diffusers, HxW" },
	{ OPTION(struct grid, interpolation), .arg = "S[,T]",
	  .help = "coordinates are divided by S, those of time by T: for "
		  "diffusers" },
	{ OPTION(struct grid, cls), .initial = "0", .max = POSITION_MOST,
	  .arg = "N", .help = "rows of zeros before the cells" },
	{0}
};

static const struct preset grid_presets[] = {
	{ "mae", "--variant mae", "facebookresearch/mae (and MoCo v3, DiT)",
	  "util/pos_embed.py, get_2d_sincos_pos_embed", NULL },
	{ "detr", "--variant detr --normalize",
	  "facebookresearch/detr; its class does not normalize by default",
	  "models/position_encoding.py, PositionEmbeddingSine", NULL },
	{ "timm", "--variant timm --layout split",
	  "huggingface/pytorch-image-models; reverse_coord is --grid WxH",
	  "timm/layers/pos_embed_sincos.py, build_sincos2d_pos_embed", NULL },
	{ "multidim", "--variant multidim",
	  "tatp22/multidim-positional-encoding",
	  "positional_encodings/torch_encodings.py, PositionalEncoding2D, 3D",
	  NULL },
	{ "diffusers", "--variant diffusers",
	  "huggingface/diffusers (PixArt, HxW; CogVideoX, HxWxT)",
	  "src/diffusers/models/embeddings.py, get_2d_sincos_pos_embed and "
	  "get_3d_sincos_pos_embed", NULL },
	{ "t2t", "--variant t2t", "tensorflow/tensor2tensor",
	  "tensor2tensor/layers/common_attention.py, add_timing_signal_nd",
	  NULL },
	{0}
};

/* The indices of a cell; they are counted in the order of the rows. */
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

static const double *grid_row(const struct table *t, size_t i,
			      double *scratch)
{
	const struct grid *s = t->state;
	size_t at[AXES_MOST] = { 0 };

	memset(scratch, 0, t->cols * sizeof *scratch);
	if (i < s->cls)
		return scratch;
	cell_indices(s, i - s->cls, at);
	for (size_t k = 0; k < s->axis_count; k++) {
		const struct part *p = &s->parts[k];

		wave_row(&p->wave, grid_coordinate(s, p->axis, at[p->axis]),
			 scratch + p->at);
	}
	return scratch;
}

/* Refuse options that the variant has no use for. */
static bool check_use(const struct grid *s, struct error *err)
{
	const struct list *by = &s->interpolation;

	if (s->layout != NOT_GIVEN && s->variant != TIMM)
		return fail(err, "--layout is for --variant timm");
	if (s->normalize && s->variant != DETR)
		return fail(err, "--normalize is for --variant detr");
	if (by->at && s->variant != DIFFUSERS)
		return fail(err, "--interpolation is for --variant diffusers");
	if (s->base_size && (s->variant != DIFFUSERS || s->axis_count == 3))
		return fail(err, "--base-size is for --variant diffusers with "
			    "--grid HxW");
	for (size_t i = 0; by->at && i < by->n; i++)
		if (by->n >= s->axis_count || !((float)by->at[i] > 0))
			return fail(err, "--interpolation must be S%s, above "
				    "0, not %.60s", s->axis_count == 3
				    ? " or S,T" : "", by->text);
	return true;
}

static bool read_grid(struct grid *s, struct error *err)
{
	double size[AXES_MOST] = { 1, 1, 1 };
	double cells = 1;

	s->axis_count = parse_extents(s->grid, size);
	if (s->axis_count < 2)
		return fail(err, "--grid must be HxW or HxWxT, not '%.60s'",
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

static bool grid_make(void *self, const struct table *inputs,
		      struct table *t, struct error *err)
{
	struct grid *s = self;

	(void)inputs;
	if (!read_grid(s, err) || !check_use(s, err) ||
	    !grid_parts(s, t, err))
		return false;
	t->title = "Sines and cosines of a grid";
	t->rows = s->cls + s->size[H] * s->size[W] * s->size[T];
	t->cols = s->dim;
	t->dtype = F32;
	t->bounds = BOUNDS_TIGHT;
	t->lo = -1;
	t->hi = 1;
	t->down = (struct axis){ .name = "cell", .first = -(double)s->cls,
				 .step = 1 };
	t->across = (struct axis){ .name = "dimension", .step = 1 };
	t->row = grid_row;
	t->state = s;
	return true;
}

const struct recipe grid_recipe = {
	.name = "grid",
	.summary = "2-D and 3-D sines and cosines of the cells of a grid",
	.about =
"A row for each cell, from the top left along the first row; each axis has\n"
"some of the columns, w_k = temperature^(-k / pairs of the axis):\n"
"\n"
"  mae         [sin x w | cos x w | sin y w | cos y w]: x first\n"
"  detr        [sin, cos y w by turns | those of x], from 1; or to 2 pi\n"
"  timm        [sin y w | sin x w | cos y w | cos x w], or axis by axis\n"
"  multidim    [sin, cos by turns of y | of x | of t], cut to --dim\n"
"  diffusers   mae's, scaled to 16 cells; HxWxT: t's quarter, then mae's\n"
"  t2t         [sin y w | cos y w | sin x w | ...], w_k over pairs - 1\n"
"\n"
"Cell (0, 1) of --grid 2x3 --dim 8: 0.84147096, 0.009999833, 0.5403023,\n"
"0.99995, 0, 0, 1, 1.\n",
	.paper = "He et al. 2022, arXiv:2111.06377; Carion et al. 2020, "
		 "arXiv:2005.12872",
	.example = "posenc grid --grid 2x3 --dim 8",
	.options = grid_options,
	.presets = grid_presets,
	.size = sizeof(struct grid),
	.make = grid_make,
};
