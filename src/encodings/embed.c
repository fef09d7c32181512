/* embed.c: rows of a learned table, or of one drawn as it would be at first. */
#include <math.h>
#include <string.h>

#include "core/within.h"
#include "encodings/embed.h"

enum oob { OOB_ERROR, OOB_CLAMP, OOB_WRAP, OOB_ZERO };
enum out { OUT_ROWS, OUT_POSITIONS };

static const char *const outs[] = { "rows", "positions", NULL };
static const char *const inits[] = {
	"normal[:STD]", "uniform[:A,B]", "zeros", NULL
};
static const char *const rngs[] = {
	"philox", "torch", "numpy", "numpy-legacy", NULL
};
static const char *const added[] = { "sinusoid", NULL };
static const char *const oobs[] = { "error", "clamp", "wrap", "zero", NULL };

static const struct option embed_options[] = {
	{ OPTION(struct embed, vocab), .min = 1, .max = 0x1p52,
	  .arg = "V", .help = "rows of the drawn table" },
	{ OPTION(struct embed, dim), .min = 1, .max = 1048576,
	  .arg = "D", .help = "columns of the drawn table" },
	{ OPTION(struct embed, table), .arg = "FILE",
	  .help = "a table to read, in place of a drawn one" },
	{ OPTION(struct embed, len), .min = 1, .max = 0x1p52,
	  .arg = "N", .help = "look up rows 0 to N - 1 (all, without)" },
	{ OPTION(struct embed, ids), .arg = "LIST|@FILE|-",
	  .help = "look up these rows" },
	{ OPTION(struct embed, batch), .min = 1, .max = 0x1p52,
	  .arg = "B", .help = "the ids are B sequences of one length: makes "
			      "[B, ids, dim]" },
	{ OPTION(struct embed, out), .initial = "rows", .words = outs,
	  .arg = "WHAT", .help = "the rows, or the positions that --ids have "
				 "where padding is not counted" },
	{ OPTION(struct embed, init), .initial = "normal", .words = inits,
	  .arg = "HOW", .help = "how the table is drawn: mean 0 and deviation "
				"STD (1), or from A (0) to B (1)" },
	{ OPTION(struct embed, seed), .initial = "0", .max = 0x1p53,
	  .arg = "S", .help = "of the drawing" },
	{ OPTION(struct embed, rng), .initial = "philox", .words = rngs,
	  .arg = "WHOSE", .help = "whose numbers: our own; those after "
				  "torch.manual_seed(S); default_rng(S)'s; "
				  "RandomState(S)'s" },
	{ OPTION(struct embed, oob), .initial = "error", .words = oobs,
	  .arg = "RULE", .help = "an id out of bounds: refuse it, take the "
				 "nearest row, count from the other end, or "
				 "give zeros" },
	{ OPTION(struct embed, padding_idx), .min = -0x1p31, .max = 0x1p31,
	  .arg = "I", .help = "the id of padding: a drawn table has zeros "
			      "there (a negative one counts from the end)" },
	{ OPTION(struct embed, max_norm), .initial = "0", .max = 1e30,
	  .arg = "X", .help = "longer rows are scaled down to this length; 0: "
			      "any length is right" },
	{ OPTION(struct embed, multiplier), .arg = "sqrt-dim|X",
	  .help = "the rows are multiplied by this" },
	{ OPTION(struct embed, add), .words = added, .arg = "sinusoid|FILE",
	  .help = "positions to add, [positions, dim], or the word" },
	{ OPTION(struct embed, positions), .needs = "position-table add",
	  .arg = "LIST|@FILE|-",
	  .help = "the rows' positions, in place of 0, 1, ..." },
	{ OPTION(struct embed, past), .initial = "0", .max = 0x1p52,
	  .arg = "N", .help = "the first row's position" },
	{ OPTION(struct embed, segments), .needs = "segment-table",
	  .arg = "LIST|@FILE|-",
	  .help = "the rows' segments (0, without)" },
	{ OPTION(struct embed, segment_table), .arg = "FILE",
	  .help = "a row to add for each segment" },
	{ OPTION(struct embed, position_table), .arg = "FILE",
	  .help = "a row to add for each position" },
	{ OPTION(struct embed, layernorm),
	  .help = "normalize the sums: mean 0, variance 1" },
	{ OPTION(struct embed, eps), .initial = "1e-12", .min = 1e-30,
	  .max = 1, .needs = "layernorm", .arg = "X",
	  .help = "added to the variance" },
	{ OPTION(struct embed, gamma), .needs = "layernorm", .arg = "FILE",
	  .help = "factors of the normalized columns" },
	{ OPTION(struct embed, beta), .needs = "layernorm", .arg = "FILE",
	  .help = "and what is added to them" },
	{0}
};

/* The row of the table for an id, or vocab where it gives zeros. */
static size_t lookup(const struct embed *s, double id)
{
	const double last = (double)(s->vocab - 1);

	if (id >= 0 && id <= last)
		return (size_t)id;
	switch (s->oob) {
	case OOB_CLAMP:
		return id < 0 ? 0 : (size_t)last;
	case OOB_WRAP:
		id = fmod(id, (double)s->vocab);
		return (size_t)(id < 0 ? id + (double)s->vocab : id);
	default:
		return s->vocab;
	}
}

static const double *embed_row(const struct table *t, size_t i,
			       double *scratch)
{
	const struct embed *s = t->state;
	const size_t id = lookup(s, s->ids.at ? s->ids.at[i] : (double)i);

	if (!s->plain) {
		sum_row(s, i, id, scratch);
		return scratch;
	}
	if (id < s->vocab && id != s->padding)
		return s->table ? s->table->row(s->table, id, scratch)
				: draw_part(s, id, 0, s->dim, scratch);
	memset(scratch, 0, s->dim * sizeof *scratch);
	return scratch;
}

static bool check_id(const struct embed *s, double id, size_t i,
		     struct error *err)
{
	if (id != rint(id))
		return fail(err, "--ids must be whole numbers, not %.9g "
			    "(index %zu)", id, i);
	if (s->out == OUT_ROWS && s->oob == OOB_ERROR &&
	    !within(id, 0, (double)s->vocab - 1))
		return fail(err, "id %.17g at index %zu is out of range: the "
			    "table has %zu rows, 0 to %zu",
			    id, i, s->vocab, s->vocab - 1);
	return true;
}

static bool check_ids(const struct embed *s, struct error *err)
{
	if (s->len && s->ids.at)
		return fail(err, "--len and --ids exclude each other");
	for (size_t i = 0; s->ids.at && i < s->ids.n; i++)
		if (!check_id(s, s->ids.at[i], i, err))
			return false;
	return s->len <= s->vocab ||
	       check_id(s, (double)s->vocab, s->vocab, err);
}

/* Where the rows come from: vocab and dim of either kind of table. */
static bool find_table(struct embed *s, struct table *t, struct error *err)
{
	if (!s->table) {
		if (!s->dim)
			return fail(err, "--dim D is missing (or --table "
				    "FILE)");
		if (!s->vocab)
			s->vocab = s->len;
		if (!s->vocab)
			return fail(err, "--vocab V is missing (or --len N, or "
				    "--table FILE)");
		return draw_check(s, t, err);
	}
	if (s->seed || s->rng || s->init.word || s->init.n)
		return fail(err, "--init, --seed and --rng say how a table is "
			    "drawn; --table has one");
	/* A raw file is read with --dim. */
	if (s->vocab || (s->dim && s->dim != s->table->cols))
		return fail(err, "--table has its own size: leave out --vocab "
			    "and --dim");
	s->vocab = s->table->planes * s->table->rows;
	s->dim = s->table->cols;
	t->dtype = dtype_integer(s->table->dtype) ? s->table->dtype : F32;
	t->bounds = s->table->bounds;
	t->lo = s->oob == OOB_ZERO ? fmin(s->table->lo, 0) : s->table->lo;
	t->hi = s->oob == OOB_ZERO ? fmax(s->table->hi, 0) : s->table->hi;
	return true;
}

/* The row that a layer begins with as zeros; a table that is read has its. */
static bool find_padding(struct embed *s, struct error *err)
{
	const long vocab = (long)s->vocab, i = s->padding_idx;

	s->padding = s->vocab;
	if (i == NOT_GIVEN)
		return true;
	if (i < -vocab || i >= vocab)
		return fail(err, "--padding-idx must be a row of the table, "
			    "from %ld to %ld, not %ld", -vocab, vocab - 1, i);
	if (!s->table)
		s->padding = (size_t)(i < 0 ? i + vocab : i);
	return true;
}

/* How many rows there are, in how many sequences. */
static bool find_shape(struct embed *s, struct error *err)
{
	const size_t planes = s->table ? s->table->planes : 1;
	const size_t rows = s->ids.at ? s->ids.n : s->len ? s->len : s->vocab;

	if (planes != 1 && (s->ids.at || s->len || s->batch))
		return fail(err, "--table of %zu planes is taken whole: leave "
			    "out --ids, --len and --batch", planes);
	if (!s->batch)
		s->batch = planes;
	if (rows % s->batch)
		return fail(err, "--batch must divide the %zu rows, not be %zu",
			    rows, s->batch);
	s->sequence = rows / s->batch;
	return true;
}

/* The rows up to the last that is looked up. */
static size_t rows_needed(const struct embed *s)
{
	size_t most = 0;

	if (!s->ids.at)
		return s->len ? s->len < s->vocab ? s->len : s->vocab
			      : s->vocab;
	for (size_t i = 0; i < s->ids.n; i++) {
		const size_t id = lookup(s, s->ids.at[i]);

		if (id < s->vocab && id >= most)
			most = id + 1;
	}
	return most;
}

static bool embed_make(void *self, const struct table *inputs,
		       struct table *t, struct error *err)
{
	struct embed *s = self;
	const bool positions = s->out == OUT_POSITIONS;

	(void)inputs;
	if ((!positions && !find_table(s, t, err)) || !find_shape(s, err) ||
	    !check_ids(s, err))
		return false;
	if (positions)
		return position_ids_make(s, t, err);
	if (!find_padding(s, err) || !sum_prepare(s, t, err))
		return false;
	t->title = "Embedding";
	t->planes = s->batch;
	t->rows = s->sequence;
	t->cols = s->dim;
	if (s->batch > 1)
		t->over = (struct axis){ .name = "sequence", .step = 1 };
	t->down = (struct axis){ .name = "id", .step = 1,
				 .at = s->batch > 1 ? NULL : s->ids.at };
	t->across = (struct axis){ .name = "dimension", .step = 1 };
	t->row = embed_row;
	t->state = s;
	return s->table || draw_prepare(s, rows_needed(s), t, err);
}

const struct recipe embed_recipe = {
	.name = "embed",
	.summary = "rows of a learned table, or of one drawn with a seed",
	.about =
"  row[t] = table[id_t]\n"
"         * multiplier + segment[s_t] + position[p_t] + sinusoid(p_t)\n"
"  with --layernorm, (row - mean) / sqrt(variance + eps) * gamma + beta\n"
"  position[t] = padding + past + how many of ids 0..t are not padding;\n"
"                that of padding is padding    (--out positions)\n"
"\n"
"Element i of a drawn table depends on the seed and on i alone (Philox\n"
"4x32-10), so any part of it can be made by itself. The other generators\n"
"give the values of torch.nn.Embedding(V, D), of\n"
"default_rng(S).standard_normal((V, D)) and of RandomState(S).randn(V, D), or\n"
"of uniform_(A, B) and uniform(A, B) there.\n"
"With --rng torch --vocab 4 --dim 4 row 0 begins -1.1258398, -1.1523602.\n"
"A learned table has no rows past its end: such an id is an error, unless\n"
"--oob says what to give.\n",
	.paper = "torch.nn.Embedding; sums: Devlin et al. 2019, "
		 "arXiv:1810.04805",
	.example = "posenc embed --vocab 2048 --dim 8 --ids 3,535,85",
	.options = embed_options,
	.size = sizeof(struct embed),
	.make = embed_make,
};
