/* positions.c: position ids, which other commands take as --positions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact/within.h"
#include "recipe/positions.h"
#include "recipe/recipe.h"
#include "text/decimal.h"

/* The coordinate of a row of the table: time, row or column. */
enum ids_axis { IDS_T, IDS_H, IDS_W, IDS_AXES };

/* How a video's frames move the time on. */
enum ids_time { TIME_INDEX, TIME_SECONDS, TIME_DIAGONAL, TIME_NONE };

/* A text, an image or a video of a sequence. */
struct part {
	double size[IDS_AXES]; /* tokens along each axis; of a text 1, 1, n */
	bool text;             /* all axes count its tokens */
	bool diagonal;         /* rows and columns count from the middle and
				  from the time */
	float seconds, rate;   /* frame t is at t * seconds * rate */
	double token, next;    /* its first token, and that one's position */
};

struct position_ids {
	const char *sequence;
	struct list ids, cu_seqlens;
	struct extents grid;
	size_t merge;
	struct pick time;
	struct list seconds;
	struct integer padding_idx, start, at_padding;
	size_t past, batch;

	/* Computed from the options. */
	struct part *parts;
	size_t part_count;
	struct lattice lattice; /* of --grid */
	double first;          /* position of a document's first token */
};

static const char *const times[] = {
	"index", "seconds:RATE", "diagonal:STEP", "none", NULL
};
static const char *const time_meanings[] = {
	"t", "floor(t * seconds * RATE)",
	("t * STEP, to which rows and columns are added, counted from the "
	 "middle (VideoRoPE)"),
	"none, as each frame is a video:HxW of its own",
};
static const char *const time_phrases[] = {
	"time by frame", "% per second", "time in steps of %", "no time",
};

static const struct option positions_options[] = {
	PRESET_OPTION,
	{ OPTION(struct position_ids, sequence), .role = ROLE_EXTENT,
	  .phrase = "%",
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
	  .phrase = "blocks of % \xc3\x97 %",
	  .needs = "sequence grid", .arg = "M",
	  .help = "--sequence: M x M patches make a token (default: 2); "
		  "--grid: cells in blocks of M x M (default: 1)" },
	{ OPTION(struct position_ids, time), .initial = "index",
	  .words = times, .meanings = time_meanings, .phrases = time_phrases,
	  .needs = "sequence", .arg = "HOW",
	  .help = "time of frame t of a video" },
	{ OPTION(struct position_ids, seconds),
	  .needs = "sequence, time=seconds",
	  .arg = "LIST|@FILE|-", .help = "--time seconds: seconds between two "
		  "frames of tokens, one value per video (default: 1)" },
	{ OPTION(struct position_ids, padding_idx), .min = -0x1p31,
	  .phrase = "padding id %",
	  .max = 0x1p31, .needs = "ids", .arg = "I",
	  .help = "id of padding, which is not counted (default: none)" },
	{ OPTION(struct position_ids, start), .min = -0x1p31, .max = 0x1p31,
	  .phrase = "from %",
	  .needs = "ids cu-seqlens", .arg = "P",
	  .help = "position of the first token that is counted (default: "
		  "--padding-idx + 1, or 0)" },
	{ OPTION(struct position_ids, at_padding), .min = -0x1p31,
	  .phrase = "padding at position %",
	  .max = 0x1p31, .needs = "ids, padding-idx", .arg = "P",
	  .help = "position of padding (default: --padding-idx)" },
	{ OPTION(struct position_ids, past), .role = ROLE_EXTENT,
	  .one = "token before", .many = "tokens before",
	  .initial = "0", .max = 0x1p52,
	  .needs = "ids cu-seqlens", .arg = "N",
	  .help = "number of tokens before the first, in a cache" },
	{ OPTION(struct position_ids, batch), .role = ROLE_EXTENT,
	  .one = "sequence", .many = "sequences",
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
	{ "videorope", "--time diagonal:2 --merge 2",
	  "Wiselnn570/VideoRoPE; rope then has --sections 16,24,24 --mrope "
	  "alternate",
	  "videorope-transformer/modeling_videorope.py, "
	  "get_t_scale_rope_index", "commit 309f5c8", NULL },
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

/* Set the type and bounds of positions up to the greatest, hi. */
static void ids_bounds(struct table *t, double hi)
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
		return fail(err, "--grid %.60s has more than 2^%d cells",
			    s->grid.text, INTEGER_BITS - 1);
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
				    "ascend from 0 to at most 2^%d, got %.17g "
				    "at index %zu", INTEGER_BITS - 1, cu->at[k],
				    k);
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

#define SECONDS_MOST 1e6

/* A part as it is written, and what the messages say of its place. */
struct written {
	char text[64];
	size_t at;             /* its first character, from 1 */
	const char *expected;
};

static bool refuse(const struct written *w, struct error *err)
{
	return fail(err, "--sequence, character %zu: expected %s, got '%s'",
		    w->at, w->expected, w->text);
}

static bool is_kind(const struct written *w, const char *kind)
{
	return strncmp(w->text, kind, strlen(kind)) == 0;
}

/* Set the last n sizes of p to the numbers of the part, which has so many. */
static bool read_sizes(const struct written *w, size_t n, struct part *p,
		       struct error *err)
{
	double at[IDS_AXES];
	/* A text that fills the room may have been cut off */
	bool good = strlen(w->text) < sizeof w->text - 1 &&
		    parse_integers(strchr(w->text, ':') + 1, 'x', at, n) == n;

	for (size_t i = 0; good && i < n; i++)
		good = within(at[i], 1, POSITION_MOST);
	if (!good)
		return refuse(w, err);
	memcpy(p->size + IDS_AXES - n, at, n * sizeof *at);
	return true;
}

/* Rows and columns of patches, which --merge divides, and frames. */
static bool read_patches(const struct position_ids *s, const struct written *w,
			 size_t n, struct part *p, struct error *err)
{
	const double by = (double)s->merge;

	if (!read_sizes(w, n, p, err))
		return false;
	if (fmod(p->size[IDS_H], by) > 0 || fmod(p->size[IDS_W], by) > 0)
		return fail(err, "--sequence, character %zu: rows and columns "
			    "of '%s' must be multiples of --merge %zu", w->at,
			    w->text, s->merge);
	p->size[IDS_H] /= by;
	p->size[IDS_W] /= by;
	return true;
}

static bool read_part(const struct position_ids *s, struct written *w,
		      struct part *p, size_t *videos, struct error *err)
{
	const struct list *seconds = &s->seconds;
	const bool single = s->time.word == TIME_NONE;

	*p = (struct part){ .size = { 1, 1, 1 }, .seconds = 1, .rate = 1,
			    .diagonal = s->time.word == TIME_DIAGONAL };
	if (is_kind(w, "image:")) {
		w->expected = "image:HxW";
		return read_patches(s, w, 2, p, err);
	}
	if (is_kind(w, "video:")) {
		if (*videos < seconds->n)
			p->seconds = (float)seconds->at[*videos];
		if (s->time.n)
			p->rate = (float)s->time.at[0];
		++*videos;
		w->expected = single ? "video:HxW, one frame (--time none)"
				     : "video:TxHxW";
		return read_patches(s, w, single ? 2 : 3, p, err);
	}
	p->text = true;
	p->diagonal = false;
	w->expected = is_kind(w, "text:") ? "text:N with N of at least 1"
		: "text:N, image:HxW or video:TxHxW";
	return is_kind(w, "text:") ? read_sizes(w, 1, p, err)
				   : refuse(w, err);
}

static double frame_time(const struct part *p, double frame)
{
	/* As the models: float32, rounded down after both products */
	const float time = (float)frame * p->seconds;

	return floor((double)(time * p->rate));
}

/* How far coordinates of the part are below its first position. */
static double depth(const struct part *p, enum ids_axis axis)
{
	return p->diagonal && axis != IDS_T ? floor((p->size[axis] - 1) / 2)
					    : 0;
}

/* The greatest coordinate of the part, less its first position. */
static double reach(const struct part *p, enum ids_axis axis)
{
	const double time = frame_time(p, p->size[IDS_T] - 1);

	return axis == IDS_T ? time : p->size[axis] - 1 - depth(p, axis) +
				      (p->diagonal ? time : 0);
}

/*
 * Place the parts one behind another; the number of tokens, the least and the
 * greatest id.
 */
static bool place(struct position_ids *s, double *tokens, double *least,
		  double *most, struct error *err)
{
	double token = 0, next = 0;

	for (size_t i = 0; i < s->part_count; i++) {
		struct part *p = s->parts + i;

		p->token = token;
		p->next = next;
		token += p->size[IDS_T] * p->size[IDS_H] * p->size[IDS_W];
		next = 0;
		for (enum ids_axis a = IDS_T; a < IDS_AXES; a++) {
			*least = fmin(*least, p->next - depth(p, a));
			*most = fmax(*most, p->next + reach(p, a));
			if (a == IDS_T || !p->diagonal)
				next = fmax(next, reach(p, a) + 1);
		}
		next += p->next;
	}
	*tokens = token;
	if (token > LENGTHS_MOST || *most >= POSITION_MOST)
		return fail(err, "--sequence: expected at most 2^%d tokens and "
			    "positions up to 2^53, got %.17g tokens and "
			    "positions up to %.17g", INTEGER_BITS - 1, token,
			    *most);
	return true;
}

/* Cut the next part from text into w; whether another follows. */
static bool next_written(const char *text, size_t *at, struct written *w)
{
	const size_t n = strcspn(text + *at, ",");

	w->at = *at + 1;
	snprintf(w->text, sizeof w->text, "%.*s", (int)n, text + *at);
	*at += n + 1;
	return text[*at - 1];
}

static bool check_time(const struct position_ids *s, size_t videos,
			  struct error *err)
{
	if (s->time.word == TIME_SECONDS &&
	    !within(s->time.at[0], 0, SECONDS_MOST))
		return fail(err, "--time seconds:RATE must be between 0 and "
			    "1e6, got %.9g", s->time.at[0]);
	if (s->time.word == TIME_DIAGONAL &&
	    !whole_within(s->time.at[0], 1, SECONDS_MOST))
		return fail(err, "--time diagonal:STEP must be an integer "
			    "between 1 and 1e6, got %.9g", s->time.at[0]);
	if (!s->seconds.at)
		return true;
	if (s->seconds.n != videos)
		return fail(err, "--seconds: expected one value per video, "
			    "%zu, got %zu", videos, s->seconds.n);
	for (size_t i = 0; i < videos; i++)
		if (!within(s->seconds.at[i], 0, SECONDS_MOST))
			return fail(err, "--seconds must be between 0 and 1e6, "
				    "got %.9g", s->seconds.at[i]);
	return true;
}

static bool read_sequence(struct position_ids *s, struct table *t,
			  struct error *err)
{
	size_t most = 1, at = 0, videos = 0;
	struct written w;
	bool more = true;

	for (const char *c = s->sequence; *c; c++)
		most += *c == ',';
	s->parts = table_alloc(t, most, sizeof *s->parts, err);
	if (!s->parts)
		return false;
	while (more) {
		more = next_written(s->sequence, &at, &w);
		if (!read_part(s, &w, s->parts + s->part_count++, &videos,
			       err))
			return false;
	}
	return check_time(s, videos, err);
}

/* Coordinates along an axis of the n tokens of a part, to x. */
static void fill(const struct part *p, enum ids_axis axis, double *x)
{
	const struct lattice l = {
		.height = (size_t)p->size[IDS_H],
		.width = (size_t)p->size[IDS_W],
		.frames = (size_t)p->size[IDS_T],
	};

	for (size_t i = 0; i < lattice_cells(&l); i++) {
		const struct grid_cell at = lattice_cell(&l, i);
		const double time = frame_time(p, (double)at.frame);

		x[i] = p->next - depth(p, axis) +
		       (axis == IDS_W || p->text ? (double)at.column
			: axis == IDS_H ? (double)at.row : 0) +
		       (axis == IDS_T || p->diagonal ? time : 0);
	}
}

static const double *sequence_row(const struct table *t, size_t i,
				  double *scratch)
{
	const struct position_ids *s = t->state;

	for (size_t k = 0; k < s->part_count; k++)
		fill(s->parts + k, (enum ids_axis)i,
		     scratch + (size_t)s->parts[k].token);
	return scratch;
}

static bool ids_of_sequence(struct position_ids *s, struct table *t,
		     struct error *err)
{
	double tokens = 0, least = 0, most = 0;

	if (!s->merge)
		s->merge = 2;
	if (!read_sequence(s, t, err) ||
	    !place(s, &tokens, &least, &most, err))
		return false;
	t->rows = IDS_AXES;
	t->cols = (size_t)tokens;
	t->row = sequence_row;
	ids_bounds(t, most);
	t->lo = least;
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
	t->series = true;
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
"seconds * RATE in float32, as the models compute it. With --time diagonal\n"
"rows and columns count from the middle, y - floor((H/M - 1)/2), plus the\n"
"time t STEP, and next is the greatest time plus 1. Qwen3-VL's frames are\n"
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
