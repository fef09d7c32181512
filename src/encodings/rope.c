/* rope.c: rotary positions, Su et al. 2021. */
#include <math.h>

#include "core/recipe.h"
#include "core/within.h"
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
	POSITIONS_OPTIONS(0),
	{ OPTION(struct rope, dim), .min = 2, .max = 1048576,
	  .arg = "D", .help = "dimensions of a head" },
	{ .name = "config", .kind = OPTION_CONFIG, .unseen = true,
	  .arg = "FILE", .help = "the options of a model, in its config.json; "
				 "later ones override (FILE:TYPE: of layers "
				 "of that type)" },
	{ OPTION(struct rope, rotary_dim), .min = 2, .max = 1048576,
	  .arg = "R", .help = "the first R dimensions turn, all by default" },
	{ OPTION(struct rope, base), .initial = "10000",
	  .min = 1e-300, .max = 1e300,
	  .arg = "B", .help = "the geometric base of the wavelengths (theta)" },
	{ OPTION(struct rope, pairs), .initial = "half", .words = pairings,
	  .arg = "NAME", .help = "which dimensions turn together: k and k + "
				 "R/2, or 2k and 2k + 1" },
	{ OPTION(struct rope, out), .words = outs, .arg = "WHAT",
	  .help = "a number for each pair; cossin (the default): all cosines, "
		  "then all sines; cis: by turns; -full: one for each "
		  "dimension, in the order of --pairs" },
	{ OPTION(struct rope, scaling), .arg = "KIND:...",
	  .help = "linear:F, ntk:F, dynamic:F,L, yarn:F,L[,fast=32,slow=1] "
		  "(and mscale=M mscale_all_dim=M truncate=false "
		  "attention_factor=A), llama3:F,L[,low=1,high=4], "
		  "longrope:@FILE, longrope:F,L,short=@FILE,long=@FILE or "
		  "proportional[:F]; L is the original context" },
	{ OPTION(struct rope, spacing), .initial = "geometric",
	  .words = spacings, .arg = "NAME",
	  .help = "frequencies base^(-2k/R), or from pi to pi MAX/2 in even "
		  "steps (for pixels)" },
	{ OPTION(struct rope, grid), .arg = "HxW",
	  .help = "cells of an image: half of the pairs turn with the column, "
		  "half with the row" },
	{ OPTION(struct rope, sections), .arg = "T,H,W",
	  .help = "pairs that turn with time, row and column (M-RoPE); "
		  "--positions are then threes of these" },
	{ OPTION(struct rope, mrope), .initial = "chunked", .words = mropes,
	  .needs = "sections", .arg = "NAME",
	  .help = "sections one after another, or by turns" },
	{ OPTION(struct rope, xpos), .initial = "0", .min = 0, .max = 1e300,
	  .arg = "B", .help = "decay with xPos' scale base, often 512; 0: no" },
	{ OPTION(struct rope, center), .initial = "floor", .words = centers,
	  .needs = "xpos", .arg = "NAME",
	  .help = "where xPos is 1: in the middle, rounded, or at position 0" },
	{ OPTION(struct rope, downscale), .needs = "xpos",
	  .help = "xPos for keys: the inverse decay" },
	{ OPTION(struct rope, apply), .arg = "TABLE",
	  .help = "rotate its rows, [n, dim] or [heads, n, dim]" },
	{ OPTION(struct rope, along), .initial = "rows", .words = alongs,
	  .needs = "apply", .arg = "NAME",
	  .help = "what positions of --apply count; planes: of [n, heads, "
		  "dim]" },
	{ OPTION(struct rope, inverse),
	  .help = "what undoes the rotation and its scale" },
	{0}
};

/* How many dimensions there are, and how many turn. */
static bool settle_dims(struct rope *s, struct error *err)
{
	if (s->apply && !s->dim)
		s->dim = s->apply->cols;
	if (!s->dim)
		return fail(err, "--dim D is missing (or --apply TABLE, or "
			    "--config FILE)");
	if (s->apply && s->dim != s->apply->cols)
		return fail(err, "--dim %zu is not the %zu columns of --apply "
			    "(--rotary-dim R turns the first R)", s->dim,
			    s->apply->cols);
	if (!s->rotary_dim && s->dim % 2)
		return fail(err, "--dim must be even, not %zu (or --rotary-dim "
			    "R, of which the first turn)", s->dim);
	if (!s->rotary_dim)
		s->rotary_dim = s->dim;
	if (s->rotary_dim > s->dim || s->rotary_dim % 2)
		return fail(err, "--rotary-dim must be even and at most --dim "
			    "%zu, not %zu", s->dim, s->rotary_dim);
	return true;
}

/* Fill in what follows from other options, and check that they agree. */
static bool settle(struct rope *s, struct error *err)
{
	const bool axial = s->grid || s->sections.at;

	if (!settle_dims(s, err))
		return false;
	if (s->apply && !s->at.len && !s->at.positions.at && !s->grid)
		s->at.len = s->along == ALONG_PLANES ? s->apply->planes
						     : s->apply->rows;
	if (s->apply && s->out != NOT_GIVEN)
		return fail(err, "--apply makes the rotated table; it has no "
			    "--out %s", outs[s->out]);
	if (s->out == NOT_GIVEN)
		s->out = s->apply ? ROPE_APPLIED : ROPE_COSSIN;
	if (s->xpos > 0 && (axial || s->out == ROPE_FREQS ||
			    s->out == ROPE_ANGLES))
		return fail(err, "--xpos changes cosines and sines of one "
			    "dimension only");
	return true;
}

/* How many pairs there are, and how many of them have frequencies apart. */
static bool count_pairs(const struct rope *s, const struct scaling *law,
			struct rotary *r, size_t *pairs, struct error *err)
{
	const bool axial = s->width && !s->sections.at;
	const bool whole = law->kind == SCALING_PROPORTIONAL;
	const size_t dim = whole ? s->dim : s->rotary_dim;

	if (whole && axial)
		return fail(err, "--scaling proportional is not for --grid");
	if (dim % (axial ? 4 : 2))
		return fail(err, axial ? "--grid needs a --rotary-dim that 4 "
			    "divides, not %zu" : "--dim must be even, not %zu",
			    dim);
	*pairs = dim / 2;
	r->pairs = axial ? *pairs / 2 : *pairs;
	r->turning = whole ? s->rotary_dim / 2 : r->pairs;
	return true;
}

static bool make_turns(struct rope *s, struct table *t, struct error *err)
{
	struct turns *turns = &s->wave.turns;
	const double most = s->spacing.at[0];
	const bool even = s->spacing.word == SPACING_LINEAR;
	struct rotary r = { .base = s->base, .extent = s->extent };
	struct scaling law;
	size_t pairs = 0;

	if (!scaling_read(&law, s->scaling, t, err) ||
	    !count_pairs(s, &law, &r, &pairs, err))
		return false;
	if (even && !within(most, 2, 1e9))
		return fail(err, "--spacing linear:MAX must be from 2 to 1e9, "
			    "not %.17g", most);
	if (!(even ? turns_linear(turns, pairs, 1, most / 2 - 1,
				  fmax((double)r.pairs - 1, 1), t, err)
		   : turns_geometric(turns, pairs, s->base, (double)r.pairs, 1,
				     t, err)) ||
	    !scaling_change(&law, &r, turns, err))
		return false;
	if (r.pairs < pairs)
		turns_copy(turns, r.pairs, 0, r.pairs);
	turns->backwards = s->inverse;
	s->wave.amplitude = scaling_attention(&law);
	if (s->inverse)
		s->wave.amplitude = 1 / s->wave.amplitude;
	return rope_axes(s, pairs, t, err);
}

/* Whether the table has rows, or planes of rows, for all positions. */
static bool check_apply(const struct rope *s, struct error *err)
{
	const bool planes = s->along == ALONG_PLANES;
	const size_t n = planes ? s->apply->planes : s->apply->rows;

	if (planes ? n % s->rows != 0 : n != s->rows)
		return fail(err, "--apply has %zu %s, not one for each of %zu "
			    "positions", n, planes ? "planes" : "rows",
			    s->rows);
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
		t->over = t->down;
		t->down = (struct axis){ .name = "head", .step = 1 };
	} else if (x->over.name) {
		t->over = (struct axis){ .name = "head", .step = 1 };
	}
	t->across = (struct axis){ .name = "dimension", .step = 1 };
	t->row = rope_row;
	return true;
}

static bool make_angles(struct rope *s, struct table *t)
{
	t->rows = s->out == ROPE_FREQS ? 1 : s->rows;
	t->cols = s->wave.turns.n;
	t->value = s->out == ROPE_FREQS ? "frequency" : "angle";
	if (s->out == ROPE_FREQS)
		t->down = (struct axis){ .name = "frequency", .step = 1 };
	t->across = (struct axis){ .name = "pair", .step = 1 };
	t->row = rope_angles;
	return true;
}

static bool make_waves(struct rope *s, struct table *t, struct error *err)
{
	struct wave *w = &s->wave;
	const struct positions *at = &s->at;

	t->rows = s->rows;
	t->cols = w->cols;
	t->across = (struct axis){ .name = "dimension", .step = 1 };
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
	t->together = w->block;
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
	if (!settle(s, err) ||
	    ((s->out != ROPE_FREQS || placed) && !rope_positions(s, t, err)) ||
	    !make_turns(s, t, err))
		return false;
	rope_lay_out(s);
	if (s->apply)
		return make_applied(s, t, err);
	return s->out == ROPE_FREQS || s->out == ROPE_ANGLES
		? make_angles(s, t) : make_waves(s, t, err);
}

const struct recipe rope_recipe = {
	.name = "rope",
	.summary = "rotary positions: frequencies, cosines, rotated tables",
	.about =
"  w[k]  = base^(-2k/R)                        k < R/2, R the rotary dim\n"
"  x'[a] = x[a] cos(p w[k]) - x[b] sin(p w[k])\n"
"  x'[b] = x[a] sin(p w[k]) + x[b] cos(p w[k])\n"
"\n"
"Dimensions a and b turn together: k and k + R/2 (--pairs half: Llama in\n"
"transformers, GPT-NeoX), or 2k and 2k + 1 (interleaved: GPT-J, Meta's Llama,\n"
"RoFormer). The products of rotated queries and keys depend on the distance\n"
"of their positions only. Scalings that have an attention factor multiply\n"
"cosines and sines by it.\n"
"\n"
"  --dim 4 --start 1 --len 1:  0.5403023 0.99995 0.84147096 0.009999833\n",
	.paper = "Su et al. 2021, arXiv:2104.09864, section 3.4.2",
	.example = "posenc rope --len 8 --dim 8 --out cos",
	.options = rope_options,
	.size = sizeof(struct rope),
	.make = rope_make,
};
