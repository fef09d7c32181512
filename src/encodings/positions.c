/* positions.c: position ids, which other commands take as --positions. */
#include <math.h>

#include "exact/within.h"
#include "recipe/positions.h"
#include "text/decimal.h"
#include "encodings/positions.h"

static const char *const times[] = { "index", "seconds:RATE", "none", NULL };
static const char *const time_meanings[] = {
	"t", "floor(t * seconds * RATE)",
	"none, as each frame is a video:HxW of its own",
};

static const struct option positions_options[] = {
	PRESET_OPTION,
	{ OPTION(struct position_ids, sequence), .role = ROLE_EXTENT,
	  .excludes = "ids cu-seqlens grid",
	  .arg = "PART,...", .help = "texts, images and videos in their order: "
		  "text:N has N tokens; image:HxW and video:TxHxW have rows "
		  "and columns of patches" },
	{ OPTION(struct position_ids, ids), .role = ROLE_EXTENT,
	  .excludes = "cu-seqlens grid",
	  .arg = "LIST|@FILE|-", .help = "ids of tokens to count" },
	{ OPTION(struct position_ids, cu_seqlens), .role = ROLE_EXTENT,
	  .excludes = "grid",
	  .arg = "LIST|@FILE|-", .help = "first token of each document of one "
		  "sequence, and the end of the last: 0,5,8; positions restart "
		  "in each (cu_seqlens of FlashAttention)" },
	{ OPTION(struct position_ids, grid), .role = ROLE_EXTENT,
	  .arg = "HxW[xT]", .help = "cells of an image, or of T frames" },
	{ OPTION(struct position_ids, merge), .min = 1, .max = 65536,
	  .needs = "sequence grid", .arg = "M",
	  .help = "--sequence: M x M patches make a token (default: 2); "
		  "--grid: cells in blocks of M x M (default: 1)" },
	{ OPTION(struct position_ids, time), .initial = "index",
	  .words = times, .meanings = time_meanings, .needs = "sequence",
	  .arg = "HOW", .help = "time of frame t of a video" },
	{ OPTION(struct position_ids, seconds),
	  .needs = "sequence, time=seconds",
	  .arg = "LIST|@FILE|-", .help = "--time seconds: seconds between two "
		  "frames of tokens, one value per video (default: 1)" },
	{ OPTION(struct position_ids, padding_idx), .min = -0x1p31,
	  .max = 0x1p31, .needs = "ids", .arg = "I",
	  .help = "id of padding, which is not counted (default: none)" },
	{ OPTION(struct position_ids, start), .min = -0x1p31, .max = 0x1p31,
	  .needs = "ids cu-seqlens", .arg = "P",
	  .help = "position of the first token that is counted (default: "
		  "--padding-idx + 1, or 0)" },
	{ OPTION(struct position_ids, at_padding), .min = -0x1p31,
	  .max = 0x1p31, .needs = "ids, padding-idx", .arg = "P",
	  .help = "position of padding (default: --padding-idx)" },
	{ OPTION(struct position_ids, past), .role = ROLE_EXTENT,
	  .initial = "0", .max = 0x1p52,
	  .needs = "ids cu-seqlens", .arg = "N",
	  .help = "number of tokens before the first, in a cache" },
	{ OPTION(struct position_ids, batch), .role = ROLE_EXTENT,
	  .min = 1, .max = 0x1p52,
	  .needs = "ids cu-seqlens", .arg = "B",
	  .help = "number of sequences of equal length in --ids or "
		  "--cu-seqlens (default: 1)" },
	{0}
};

#define QWEN "qwen-vl-finetune/qwenvl/data/rope2d.py, get_rope_index_"

static const struct preset positions_presets[] = {
	{ "qwen2-vl", "--time index --merge 2", "QwenLM/Qwen3-VL",
	  QWEN "2", "commit 9658872", NULL },
	{ "qwen2.5-vl", "--time seconds:2 --merge 2",
	  "QwenLM/Qwen3-VL; transformers 4.57 makes the seconds whole before "
	  "it multiplies", QWEN "25", "commit 9658872", NULL },
	{ "qwen3-vl", "--time none --merge 2", "QwenLM/Qwen3-VL",
	  QWEN "3", "commit 9658872", NULL },
	{ "roberta", "--padding-idx 1",
	  "huggingface/transformers, and fairseq; also XLM-R, CamemBERT, ESM",
	  "src/transformers/models/roberta/modeling_roberta.py, "
	  "create_position_ids_from_input_ids", "commit 87b236b", NULL },
	{ "opt", "--padding-idx 1 --start 2 --at-padding 1",
	  "huggingface/transformers; its attention mask is 0 at padding",
	  "src/transformers/models/opt/modeling_opt.py, "
	  "OPTLearnedPositionalEmbedding", "commit ab91074", NULL },
	{ "bart", "--start 2",
	  "huggingface/transformers; it counts padding, fairseq's does not",
	  "src/transformers/models/bart/modeling_bart.py, "
	  "BartLearnedPositionalEmbedding", "commit 5722822", NULL },
	{0}
};

void ids_bounds(struct table *t, double hi)
{
	t->dtype = dtype_holds(I32, hi) ? I32 : I64;
	t->bounds = BOUNDS_LOOSE;
	t->hi = hi;
}

static const double *grid_row(const struct table *t, size_t i, double *scratch)
{
	const struct position_ids *s = t->state;
	const char along = "tyx"[3 - t->rows + i];

	for (size_t j = 0; j < t->cols; j++) {
		const struct grid_cell at = lattice_cell(&s->lattice, j);

		scratch[j] = (double)cell_at(&at, along);
	}
	return scratch;
}

static bool ids_of_grid(struct position_ids *s, struct table *t,
			struct error *err)
{
	const struct lattice *l = &s->lattice;

	if (!s->merge)
		s->merge = 1;
	s->lattice = lattice_of(s->grid.at, s->grid.n);
	s->lattice.merge = s->merge;
	t->rows = s->grid.n;
	t->cols = lattice_cells(l);
	if ((double)t->cols > LENGTHS_MOST)
		return fail(err, "--grid %.60s has more than 2^52 cells",
			    s->grid.text);
	if (!lattice_merges(l, "--grid", s->grid.text, err))
		return false;
	t->row = grid_row;
	ids_bounds(t, fmax((double)l->frames, fmax((double)l->height,
						   (double)l->width)) - 1);
	return true;
}

static bool check_ids(const struct position_ids *s, struct error *err)
{
	for (size_t i = 0; i < s->ids.n; i++)
		if (!whole_within(s->ids.at[i], -0x1p53, 0x1p53))
			return fail(err, "--ids must be integers between -2^53 "
				    "and 2^53, got %.17g at index %zu",
				    s->ids.at[i], i);
	if (s->ids.n % s->batch)
		return fail(err, "--batch must divide the %zu --ids evenly, "
			    "got %zu", s->ids.n, s->batch);
	return true;
}

static bool ids_of_tokens(struct position_ids *s, struct table *t,
			  struct error *err)
{
	const bool pads = s->padding_idx.given;
	const double padding = (double)s->padding_idx.value;
	struct token_count count = {
		.pads = pads, .padding = padding,
		.at_padding = s->at_padding.given
			? (double)s->at_padding.value : padding,
		.first = s->start.given ? (double)s->start.value
					: pads ? padding + 1 : 0,
	};
	double *x;

	if (!s->batch)
		s->batch = 1;
	if (!check_ids(s, err))
		return false;
	count.first += (double)s->past;
	x = table_alloc(t, s->ids.n, sizeof *x, err);
	if (!x)
		return false;
	t->rows = s->batch;
	t->cols = s->ids.n / s->batch;
	for (size_t i = 0; i < s->ids.n; i += t->cols)
		positions_count(&count, s->ids.at + i, t->cols, x + i);
	table_dense(t, x);
	ids_bounds(t, fmax(count.at_padding,
			   count.first + (double)t->cols - 1));
	t->lo = fmin(count.at_padding, count.first);
	return true;
}

/* Row i: tokens count from the first of their document. */
static const double *documents_row(const struct table *t, size_t i,
				   double *scratch)
{
	const struct position_ids *s = t->state;
	const double *document = s->cu_seqlens.at;
	double token = (double)(i * t->cols);

	for (size_t j = 0; j < t->cols; j++, token++) {
		while (token >= document[1])
			document++;
		scratch[j] = s->first + token - document[0];
	}
	return scratch;
}

static bool ids_of_documents(struct position_ids *s, struct table *t,
			     struct error *err)
{
	const struct list *cu = &s->cu_seqlens;
	const double all = cu->at[cu->n - 1];
	double longest = 0;

	if (!s->batch)
		s->batch = 1;
	for (size_t k = 0; k < cu->n; k++) {
		const double least = k ? cu->at[k - 1] : 0;

		if (!whole_within(cu->at[k], least, k ? LENGTHS_MOST : 0))
			return fail(err, "--cu-seqlens must be integers that "
				    "ascend from 0 to at most 2^52, got %.17g "
				    "at index %zu", cu->at[k], k);
		longest = fmax(longest, cu->at[k] - least);
	}
	if (!(all > 0) || fmod(all, (double)s->batch) > 0)
		return fail(err, "--cu-seqlens: expected an end above 0 that "
			    "--batch %zu divides, got %.17g", s->batch, all);
	t->rows = s->batch;
	t->cols = (size_t)all / s->batch;
	t->row = documents_row;
	s->first = (double)(s->start.given ? s->start.value : 0) +
		   (double)s->past;
	ids_bounds(t, fmax(s->first + longest - 1, -s->first));
	t->lo = s->first;
	return true;
}

static bool positions_make(void *self, const struct table *inputs,
			   struct table *t, struct error *err)
{
	struct position_ids *s = self;

	(void)inputs;
	if (!s->sequence && !s->ids.at && !s->grid.n && !s->cu_seqlens.at)
		return fail(err, "--sequence PART,... is missing (or --ids "
			    "LIST, --cu-seqlens LIST, or --grid HxW)");
	t->title = "Position ids";
	t->value = "position";
	t->row_axis = s->ids.at || s->cu_seqlens.at ? axis_of(AXIS_SEQUENCE)
				: (struct axis){ .name = "axis", .step = 1 };
	t->col_axis = (struct axis){ .name = "token", .step = 1 };
	t->state = s;
	return (s->sequence ? ids_of_sequence : s->grid.n ? ids_of_grid
		: s->ids.at ? ids_of_tokens : ids_of_documents)(s, t, err);
}

const struct recipe positions_recipe = {
	.name = "positions",
	.summary = "position ids: of images and videos, without padding, grids",
	.about =
"Makes tables of integers, the positions that models give to tokens: three\n"
"for each token of texts, images and videos in one sequence (M-RoPE of\n"
"Qwen-VL), one for each token where padding is not counted (RoBERTa, OPT) or\n"
"documents share a sequence, or the coordinates of the cells of a grid. Other\n"
"commands take them as --positions.\n",
	.details =
"--sequence: [3, tokens], the time, row and column of each token. The first\n"
"position of a part is next, which begins at 0:\n"
"  text:N       next + i on all three axes, i < N\n"
"  image:HxW    (next, next + y, next + x), y < H / M, x < W / M\n"
"  video:TxHxW  (next + floor(t s), next + y, next + x), frame by frame\n"
"and behind it, next is the greatest position on any axis, plus 1. s is 1, or\n"
"seconds * RATE in float32, as the models compute it. Qwen3-VL's frames are\n"
"parts of their own, video:HxW, between texts that give their times.\n"
"\n"
"--ids: [B, tokens]. Tokens that are not padding count from --start + --past.\n"
"\n"
"--cu-seqlens: [B, tokens], documents one behind another. Each counts from\n"
"--start + --past.\n"
"\n"
"--grid: [2, cells], row and column of each cell, row by row; HxWxT:\n"
"[3, cells], time, row and column, frame by frame.\n"
"\n"
"rope --sections, embed and attend read the table from a pipe:\n"
"--positions - takes three lines as time, row and column of each token.\n",
	.paper = "Wang et al. 2024, arXiv:2409.12191, section 2.1; Bai et al. "
		 "2025, arXiv:2502.13923",
	.example = "posenc positions --sequence text:3,image:4x6,text:2",
	.options = positions_options,
	.presets = positions_presets,
	.size = sizeof(struct position_ids),
	.make = positions_make,
};
