/* rope.c: rotary positional encoding (RoPE), Su et al. 2021. */
#include <math.h>

#include "exact/floating.h"
#include "exact/within.h"
#include "recipe/recipe.h"
#include "encodings/rope.h"

static const char *const pairings[] = { "half", "interleaved", NULL };
static const char *const outs[] = {
	"freqs", "angles", "cos", "sin", "cos-full", "sin-full", "cossin",
	"cis", NULL
};
static const char *const spacings[] = { "geometric", "linear:MAX", NULL };
static const char *const mropes[] = { "chunked", "interleaved", NULL };
static const char *const centers[] = { "floor", "ceil", "none", NULL };
static const char *const alongs[] = { "rows", "planes", NULL };

static const struct option rope_options[] = {
	POSITIONS_OPTIONS(0, false),
	{ OPTION(struct rope, dim), .role = ROLE_COLUMNS,
	  .min = 2, .max = 1048576,
	  .arg = "D", .help = "number of dimensions of a head (default: the "
			      "columns of --apply, whose columns may also be "
			      "several heads of D side by side)" },
	CONFIG_OPTION,
	{ OPTION(struct rope, rotary_dim), .min = 2, .max = 1048576,
	  .arg = "R", .help = "rotate only the first R dimensions (default: "
			      "all)" },
	{ OPTION(struct rope, base), .initial = "10000",
	  .min = 1e-300, .max = 1e300,
	  .arg = "B", .help = "base (theta) of the geometric series of "
			      "frequencies" },
	{ OPTION(struct rope, pairs), .initial = "half", .words = pairings,
	  .arg = "NAME", .help = "dimensions that rotate together: k and k + "
				 "R/2, or 2k and 2k + 1" },
	{ OPTION(struct rope, out), .words = outs, .arg = "WHAT",
	  .help = "values to make, one per pair of dimensions; -full: one per "
		  "dimension, in the order of --pairs; cossin: all cosines, "
		  "then all sines; cis: cosines and sines alternate (default: "
		  "cossin)" },
	{ OPTION(struct rope, scaling), .arg = "KIND:...",
	  .help = "scale frequencies for contexts F times the original "
		  "context L: linear:F, ntk:F, dynamic:F,L, "
		  "yarn:F,L[,fast=32,slow=1] (also mscale=M, "
		  "mscale_all_dim=M, truncate=false, "
		  "attention_factor=A), llama3:F,L[,low=1,high=4], "
		  "longrope:@FILE, longrope:F,L,short=@FILE,long=@FILE or "
		  "proportional[:F] (default: none)" },
	{ OPTION(struct rope, spacing), .initial = "geometric",
	  .words = spacings, .arg = "NAME",
	  .help = "spacing of frequencies: base^(-2k/R), or even steps from "
		  "pi to pi MAX/2 (for pixels)" },
	{ OPTION(struct rope, grid), .role = ROLE_EXTENT, .arg = "HxW",
	  .help = "positions are the cells of an image: half of the pairs "
		  "rotate by the column, half by the row" },
	{ OPTION(struct rope, sections), .arg = "T,H,W",
	  .help = "number of pairs that rotate by time, row and column "
		  "(M-RoPE); --positions then has these three values for each "
		  "row of the table" },
	{ OPTION(struct rope, mrope), .initial = "chunked", .words = mropes,
	  .needs = "sections", .arg = "NAME",
	  .help = "order of the sections: one after another, or alternating" },
	{ OPTION(struct rope, xpos), .initial = "0", .min = 0, .max = 1e300,
	  .arg = "B", .help = "scale base of the xPos decay, often 512; 0: no "
			      "decay" },
	{ OPTION(struct rope, center), .initial = "floor", .words = centers,
	  .needs = "xpos", .arg = "NAME",
	  .help = "position at which the xPos decay is 1: half the length, "
		  "rounded down or up, or position 0" },
	{ OPTION(struct rope, downscale), .needs = "xpos",
	  .help = "use the inverse xPos decay, as for keys" },
	{ OPTION(struct rope, apply), .arg = "TABLE",
	  .help = "file [n, dim] or [heads, n, dim] whose rows to rotate" },
	{ OPTION(struct rope, reversed),
	  .help = "with --apply, rotate in the opposite direction, by minus "
		  "the angle (nanochat)" },
	{ OPTION(struct rope, along), .initial = "rows", .words = alongs,
	  .needs = "apply", .arg = "NAME",
	  .help = "axis of --apply that positions run along; planes: --apply "
		  "is [n, heads, dim]" },
	{ OPTION(struct rope, rotary_offset), .initial = "0",
	  .min = 0, .max = 1048576, .needs = "apply", .arg = "N",
	  .help = "first of the --rotary-dim dimensions of a head that "
		  "rotate (DeepSeek: behind those that do not)" },
	{ OPTION(struct rope, inverse),
	  .help = "make the inverse rotation, which also undoes its scaling" },
	{ OPTION(struct rope, emulate), .role = ROLE_ARITHMETIC,
	  .initial = "exact", .words = low_precision_names, .arg = "NAME",
	  .help = "reproduce an error of precision: round frequencies, "
		  "positions, angles, or these and the cosines and sines "
		  "(all) to bfloat16 or float16" },
	{0}
};

/*
 * xPos (Sun et al. 2022): multiply the values x of a position by the decay of
 * each pair. Pair k of h decays with the distance from the centre by
 * zeta^(distance / B), zeta = (2k / d + 0.4) / 1.4 with d = 2 h. The choice of
 * centre scales queries and keys inversely; implementations differ in it.
 */
static void decay(const struct rope *s, double position, double *x)
{
	enum { LIMBS = 3 };
	const struct wave *w = &s->wave;
	const double h = (double)w->turns.n, half = s->extent / 2;
	const double centre = s->center == CENTER_FLOOR ? floor(half) :
			      s->center == CENTER_CEIL ? ceil(half) : 0;
	const double way = s->downscale != s->inverse ? -1 : 1;
	const double power = way * (position - centre) / s->xpos;

	for (size_t k = 0; k < w->turns.n; k++) {
		const double zeta = (5 * (double)k + 2 * h) / (7 * h);
		const struct floating f = floating_power(zeta, power, LIMBS);
		const double scale = floating_double(&f, LIMBS);
		const size_t at = k * w->stride;

		x[at] *= scale;
		if (at + w->apart < w->cols)
			x[at + w->apart] *= scale;
	}
}

/*
 * (x_a, x_b) becomes (x_a cos - x_b sin, x_a sin + x_b cos), equation 34; wave
 * holds the cosine at a and the sine at b, and may be the result y. Reversed,
 * the sine is negative.
 */
static void rotate(const struct rope *r, const double *wave, const double *x,
		   double *y)
{
	const struct wave *w = &r->wave;

	for (size_t k = 0; k < w->turns.n; k++) {
		const size_t a = k * w->stride, b = a + w->apart;
		const double c = wave[a], s = r->reversed ? -wave[b] : wave[b];

		y[a] = x[a] * c - x[b] * s + 0.0;  /* not -0 */
		y[b] = x[a] * s + x[b] * c + 0.0;
	}
}

/* Rotate all heads of a row x [cols]; wave lies in the last head of y. */
static void rotate_heads(const struct rope *r, size_t cols, const double *wave,
			 const double *x, double *y)
{
	const size_t first = r->rotary_offset, n = 2 * r->wave.turns.n;

	for (size_t h = 0; h < cols; h += r->dim) {
		rotate(r, wave, x + h + first, y + h + first);
		for (size_t j = h; j < h + first; j++)
			y[j] = x[j];
		for (size_t j = h + first + n; j < h + r->dim; j++)
			y[j] = x[j];
	}
}

/* The position that row i of the table stands for. */
static size_t position_of(const struct rope *s, const struct table *t, size_t i)
{
	if (!s->apply)
		return i;
	return s->along == ALONG_PLANES ? i / t->rows % s->rows : i % t->rows;
}

static const double *rope_row(const struct table *t, size_t i, double *scratch)
{
	const struct rope *s = t->state;
	const struct wave *w = &s->wave;
	const size_t p = position_of(s, t, i), n = w->turns.n;
	double *to = scratch;

	if (s->apply)
		to += t->cols - s->dim + s->rotary_offset;

	for (size_t k = 0, end; k < n; k = end) {
		for (end = k + 1; end < n && s->axis[end] == s->axis[k];)
			end++;
		wave_pairs(w, k, end - k, rope_coordinate(s, p, s->axis[k]),
			   to);
	}
	if (s->xpos > 0)
		decay(s, rope_coordinate(s, p, AXIS_T), to);
	if (s->apply)
		rotate_heads(s, t->cols, to, s->apply->row(s->apply, i, NULL),
			     scratch);
	return scratch;
}

static void rope_floats(const struct table *t, size_t first, size_t n,
			float *out)
{
	const struct rope *s = t->state;

	wave_floats(&s->wave, first, n, out);
}

static const double *angles_row(const struct table *t, size_t i,
				double *scratch)
{
	const struct rope *s = t->state;

	for (size_t k = 0; k < t->cols; k++)
		scratch[k] = s->out == ROPE_FREQS
			? turns_angle(&s->wave.turns, k, 1)
			: wave_angle(&s->wave, k,
				     rope_coordinate(s, i, s->axis[k]));
	return scratch;
}

/* Set the number of dimensions, and of those that rotate. */
static bool set_dims(struct rope *s, struct error *err)
{
	if (s->apply && !s->dim)
		s->dim = s->apply->cols;
	if (!s->dim)
		return fail(err, "--dim D is missing (or --apply TABLE, or "
			    "--config FILE)");
	if (s->apply && s->apply->cols % s->dim)
		return fail(err, "--dim must divide the %zu columns of "
			    "--apply, got %zu (--rotary-dim R rotates only R "
			    "of a head)", s->apply->cols, s->dim);
	if (!s->rotary_dim && s->dim % 2)
		return fail(err, "--dim must be even, got %zu (--rotary-dim R "
			    "rotates only the first R)", s->dim);
	if (!s->rotary_dim)
		s->rotary_dim = s->dim;
	if (s->rotary_dim > s->dim || s->rotary_dim % 2)
		return fail(err, "--rotary-dim must be even and at most --dim "
			    "%zu, got %zu", s->dim, s->rotary_dim);
	if (s->rotary_offset > s->dim - s->rotary_dim)
		return fail(err, "--rotary-offset must be at most %zu, --dim "
			    "less --rotary-dim, got %zu",
			    s->dim - s->rotary_dim, s->rotary_offset);
	return true;
}

/* Fill in defaults that depend on other options; check that options agree. */
static bool set_defaults(struct rope *s, struct error *err)
{
	const bool axial = s->grid || s->sections.at;

	if (!set_dims(s, err))
		return false;
	if (s->apply && !s->at.len && !s->at.positions.at && !s->grid)
		s->at.len = s->along == ALONG_PLANES ? s->apply->planes
						     : s->apply->rows;
	if (s->apply && s->out != NO_CHOICE)
		return fail(err, "--apply cannot be combined with --out %s: it "
			    "makes the rotated table", outs[s->out]);
	if (s->out == NO_CHOICE)
		s->out = s->apply ? ROPE_APPLIED : ROPE_COSSIN;
	if (s->xpos > 0 && (axial || s->out == ROPE_FREQS ||
			    s->out == ROPE_ANGLES))
		return fail(err, "--xpos cannot be combined with --grid, "
			    "--sections, --out freqs or --out angles");
	if (s->xpos > 0 && s->emulate != EXACT)
		return fail(err, "--xpos cannot be combined with --emulate %s: "
			    "its decay is exact",
			    low_precision_names[s->emulate]);
	return true;
}

/* Count the pairs, and those of them that have different frequencies. */
static bool count_pairs(const struct rope *s, const struct scaling *scaling,
			struct rope_frequencies *r, size_t *pairs,
			struct error *err)
{
	const bool axial = s->width && !s->sections.at;
	const bool whole = scaling->kind == SCALING_PROPORTIONAL;
	const size_t dim = whole ? s->dim : s->rotary_dim;

	if (whole && axial)
		return fail(err, "--scaling proportional does not apply to "
			    "--grid");
	if (whole && s->rotary_offset)
		return fail(err, "--scaling proportional cannot be combined "
			    "with --rotary-offset");
	if (dim % (axial ? 4 : 2))
		return fail(err, axial ? "--rotary-dim must be a multiple of 4 "
			    "with --grid, got %zu" : "--dim must be even, "
			    "got %zu", dim);
	*pairs = dim / 2;
	r->pairs = axial ? *pairs / 2 : *pairs;
	r->rotating = whole ? s->rotary_dim / 2 : r->pairs;
	return true;
}

/* Set the columns of cosines and sines, by --out and --pairs. */
static void lay_out(struct rope *s)
{
	struct wave *w = &s->wave;
	const size_t pairs = w->turns.n;
	const bool alternate = s->out == ROPE_CIS ||
			      (s->pairs == PAIRS_INTERLEAVED &&
			       s->out != ROPE_COSSIN);

	w->cols = 2 * pairs;
	w->stride = alternate ? 2 : 1;
	w->apart = alternate ? 1 : pairs;
	w->cosine_first = s->out != ROPE_SIN && s->out != ROPE_SIN_FULL;
	w->same_function = s->out == ROPE_COS_FULL || s->out == ROPE_SIN_FULL;
	if (s->out == ROPE_COS || s->out == ROPE_SIN) {
		w->cols = w->apart = pairs;
		w->stride = 1;
	}
}

static bool make_turns(struct rope *s, struct table *t, struct error *err)
{
	struct turns *turns = &s->wave.turns;
	const double most = s->spacing.at[0];
	const bool even = s->spacing.word == SPACING_LINEAR;
	struct rope_frequencies r = { .base = s->base, .extent = s->extent };
	struct scaling scaling;
	size_t pairs = 0;

	if (!scaling_read(&scaling, s->scaling, t, err) ||
	    !count_pairs(s, &scaling, &r, &pairs, err))
		return false;
	if (even && !within(most, 2, 1e9))
		return fail(err, "--spacing linear:MAX must be between 2 and "
			    "1e9, got %.17g", most);
	if (!(even ? turns_linear(turns, pairs, 1, most / 2 - 1,
				  fmax((double)r.pairs - 1, 1), t, err)
		   : turns_geometric(turns, pairs, s->base, (double)r.pairs, 1,
				     t, err)) ||
	    !scaling_change(&scaling, &r, turns, err))
		return false;
	if (r.pairs < pairs)
		turns_copy(turns, r.pairs, 0, r.pairs);
	turns->negative = s->inverse;
	s->wave.amplitude = scaling_attention(&scaling, s->extent);
	if (s->inverse)
		s->wave.amplitude = 1 / s->wave.amplitude;
	return rope_axes(s, pairs, t, err) &&
	       (s->emulate == EXACT ||
		wave_lower_precision(&s->wave, s->emulate, s->farthest, t,
				     err));
}

/* Whether --apply has a row, or a plane of rows, for each position. */
static bool check_apply(const struct rope *s, struct error *err)
{
	const bool planes = s->along == ALONG_PLANES;
	const size_t n = planes ? s->apply->planes : s->apply->rows;

	if (planes ? n % s->rows != 0 : n != s->rows)
		return fail(err, "--apply: expected %zu %s, one per position, "
			    "got %zu", s->rows, planes ? "planes" : "rows", n);
	return true;
}

static bool make_applied(struct rope *s, struct table *t, struct error *err)
{
	const struct table *x = s->apply;

	if (!check_apply(s, err))
		return false;
	t->planes = x->planes;
	t->rows = x->rows;
	t->cols = x->cols;
	if (s->along == ALONG_PLANES) {
		t->plane_axis = t->row_axis;
		t->row_axis = axis_of(AXIS_HEAD);
	} else if (x->plane_axis.name) {
		t->plane_axis = axis_of(AXIS_HEAD);
	}
	t->col_axis = x->cols == s->dim && !s->rotary_offset
			      ? wave_axis(&s->wave) : axis_of(AXIS_COLUMN);
	t->row = rope_row;
	return true;
}

static bool make_angles(struct rope *s, struct table *t)
{
	t->rows = s->out == ROPE_FREQS ? 1 : s->rows;
	t->cols = s->wave.turns.n;
	t->value = s->out == ROPE_FREQS ? "frequency" : "angle";
	if (s->out == ROPE_FREQS)
		t->row_axis = axis_of(AXIS_FREQUENCY);
	t->col_axis = axis_of(AXIS_PAIR);
	t->row = angles_row;
	return true;
}

static bool make_waves(struct rope *s, struct table *t, struct error *err)
{
	struct wave *w = &s->wave;
	const struct positions *at = &s->at;

	t->rows = s->rows;
	t->cols = w->cols;
	t->col_axis = wave_axis(&s->wave);
	t->row = rope_row;
	if (s->xpos > 0)
		return true;
	t->bounds = BOUNDS_TIGHT;
	t->lo = -w->amplitude;
	t->hi = w->amplitude;
	if (!s->one_axis || at->positions.at)
		return true;
	if (!wave_prepare(w, at->start, at->step, s->rows, t, err))
		return false;
	t->floats = w->block ? rope_floats : NULL;
	t->block_rows = w->block;
	return true;
}

static bool rope_make(void *self, const struct table *inputs, struct table *t,
		      struct error *err)
{
	struct rope *s = self;
	const struct positions *at = &s->at;
	const bool placed = at->len || at->positions.at || s->grid;

	(void)inputs;
	t->title = "Rotary positions";
	t->dtype = F32;
	t->state = s;
	if (!set_defaults(s, err) ||
	    ((s->out != ROPE_FREQS || placed) && !rope_positions(s, t, err)) ||
	    !make_turns(s, t, err))
		return false;
	lay_out(s);
	if (s->apply)
		return make_applied(s, t, err);
	return s->out == ROPE_FREQS || s->out == ROPE_ANGLES
		? make_angles(s, t) : make_waves(s, t, err);
}

const struct recipe rope_recipe = {
	.name = "rope",
	.summary = "RoPE: rotary frequencies, cosines, sines, rotated tables",
	.about =
"Makes the frequencies, angles, or cosines and sines of rotary positional\n"
"encoding, which rotates pairs of dimensions of queries and keys by angles\n"
"proportional to the position. --apply rotates the rows of a table. Dot\n"
"products of rotated queries and keys depend only on their distance.\n",
	.details =
"  w[k]  = base^(-2k/R)                        k < R/2, R the rotary dim\n"
"  x'[a] = x[a] cos(p w[k]) - x[b] sin(p w[k])\n"
"  x'[b] = x[a] sin(p w[k]) + x[b] cos(p w[k])\n"
"\n"
"Dimensions a and b rotate together: k and k + R/2 (--pairs half: GPT-NeoX,\n"
"Llama in transformers), or 2k and 2k + 1 (--pairs interleaved: GPT-J,\n"
"Meta's Llama, RoFormer). Some kinds of --scaling also multiply cosines and\n"
"sines by an attention factor.\n"
"\n"
"  --dim 4 --start 1 --len 1:  0.5403023 0.99995 0.84147096 0.009999833\n",
	.paper = "Su et al. 2021, arXiv:2104.09864, section 3.4.2",
	.example = "posenc rope --len 8 --dim 8 --out cos",
	.options = rope_options,
	.size = sizeof(struct rope),
	.make = rope_make,
};
