/* grid_parts.c: which columns tell of which axis of a grid, and how. */
#include "core/positions.h"
#include "encodings/grid.h"

/* How the variants part the columns. */
static const struct {
	int order[AXES_MOST];  /* of the axes; without T, of two */
	int layout, denom;
	size_t multiple[2];    /* that dim must be of, HxW and HxWxT; 0: none */
} variants[] = {
	[MAE] = { { W, H, T }, SPLIT, DENOM_HALF, { 4, 0 } },
	[DETR] = { { H, W, T }, INTERLEAVED, DENOM_HALF, { 4, 0 } },
	[TIMM] = { { H, W, T }, SPLIT, DENOM_HALF, { 4, 0 } },
	[MULTIDIM] = { { H, W, T }, INTERLEAVED, DENOM_HALF, { 1, 1 } },
	[DIFFUSERS] = { { T, W, H }, SPLIT, DENOM_HALF, { 4, 16 } },
	[T2T] = { { H, W, T }, SPLIT, DENOM_HALF_1, { 1, 1 } },
};

/* Columns of one axis. */
static size_t part_width(const struct grid *s, int axis)
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

double grid_coordinate(const struct grid *s, int axis, size_t i)
{
	const double *by = s->interpolation.at;
	const double size = (double)s->size[axis];
	float x = (float)i;

	if (s->variant == DETR)
		return s->normalize ? (double)(i + 1) / (size + 1e-6)
				    : (double)(i + 1);
	if (s->variant != DIFFUSERS)
		return (double)i;
	if (s->axis_count == 2)
		x /= (float)(size / (double)(s->base_size ? s->base_size
							  : 16));
	if (by)
		x /= (float)by[axis == T && s->interpolation.n > 1];
	return x;
}

static bool check_dim(const struct grid *s, struct error *err)
{
	const char *name = grid_variants[s->variant];
	const size_t n = s->axis_count;
	const size_t multiple = variants[s->variant].multiple[n == 3];

	if (!multiple)
		return fail(err, "--variant %s takes --grid HxW, not %.60s",
			    name, s->grid);
	if (s->dim % multiple)
		return fail(err, "--dim must be a multiple of %zu for "
			    "--variant %s with --grid %s, not %zu", multiple,
			    name, n == 3 ? "HxWxT" : "HxW", s->dim);
	if (s->variant == T2T && s->dim < 4 * n)
		return fail(err, "--dim must be at least %zu for --variant "
			    "t2t with --grid %s, not %zu: it divides by the "
			    "frequencies of an axis less one", 4 * n,
			    n == 3 ? "HxWxT" : "HxW", s->dim);
	return true;
}

/* The wave of an axis in columns from at on. */
static bool make_part(const struct grid *s, struct part *p, int axis,
		      size_t at, struct table *t, struct error *err)
{
	const struct convention c = {
		.dim = part_width(s, axis), .base = s->temperature,
		.layout = variants[s->variant].layout,
		.denom.word = variants[s->variant].denom,
		.angle_scale = 1, .full_turns = s->normalize,
	};
	const size_t left = at < s->dim ? s->dim - at : 0;

	p->axis = axis;
	p->at = left ? at : 0;
	if (!(grid_coordinate(s, axis, s->size[axis] - 1) <= POSITION_MOST))
		return fail(err, "--interpolation %.60s makes coordinates "
			    "above 2^53", s->interpolation.text);
	if (!convention_wave(&c, &p->wave, t, err))
		return false;
	if (p->wave.cols > left) {
		p->wave.cols = left;
		p->wave.turns.n = (left + 1) / 2;
	}
	if (s->variant == TIMM && s->layout != INTERLEAVED) {
		p->at = at / 2;
		p->wave.apart = s->dim / 2;
		p->wave.cols = 3 * s->dim / 4;
	}
	return true;
}

bool grid_parts(struct grid *s, struct table *t, struct error *err)
{
	const int *order = variants[s->variant].order;
	size_t at = 0, n = 0;

	if (!check_dim(s, err))
		return false;
	for (int k = 0; k < AXES_MOST; k++) {
		if (order[k] == T && s->axis_count == 2)
			continue;
		if (!make_part(s, &s->parts[n++], order[k], at, t, err))
			return false;
		at += part_width(s, order[k]);
	}
	return true;
}
