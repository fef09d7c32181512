/*
 * embed.c: rows of a learned table, or of a randomly initialized one; their
 * sums with positions and segments, scaled and normalized as in the input layer
 * of a model, and the terms of these sums; position ids.
 */
#include <math.h>
#include <string.h>

#include "encodings/embed.h"
#include "exact/within.h"
#include "random/samples.h"
#include "recipe/positions.h"
#include "text/decimal.h"

enum oob { OOB_ERROR, OOB_CLAMP, OOB_WRAP, OOB_ZERO };
enum init { INIT_NORMAL, INIT_UNIFORM, INIT_ZEROS };
enum out { OUT_ROWS, OUT_POSITIONS };

static const char *const outs[] = { "rows", "positions", NULL };
static const char *const out_needs[] = { NULL, "ids, padding-idx" };
#define ROWS "out=rows"  /* what applies to them alone */
static const char *const inits[] = {
	"normal[:STD]", "uniform[:A,B]", "zeros", NULL
};
static const char *const init_meanings[] = {
	"normal distribution, mean 0, standard deviation STD (default: 1)",
	"uniform distribution from A to B (default: 0 to 1)", "all 0",
};
static const char *const init_phrases[] = {
	"normal[ with deviation %]", "uniform[ from % to %]", "zeros",
};
static const char *const added[] = { "sinusoid", NULL };
static const char *const oobs[] = { "error", "clamp", "wrap", "zero", NULL };
static const char *const oob_meanings[] = {
	"report an error", "the nearest row",
	"the row of the id modulo the number of rows", "zeros",
};
static const char *const oob_phrases[] = {
	"", "other ids clamped", "other ids wrapped", "zeros for other ids",
};

static const struct option embed_options[] = {
	CONFIG_OPTION,
	{ OPTION(struct embed, vocab), .min = 1, .max = 0x1p52, .needs = ROWS,
	  .one = "id", .many = "ids", .arg = "V",
	  .help = "number of rows of the random table (default: --len)" },
	{ OPTION(struct embed, dim), .role = ROLE_COLUMNS, .needs = ROWS,
	  .min = 1, .max = 1048576,
	  .one = "dimension", .many = "dimensions",
	  .arg = "D", .help = "number of columns of the random table" },
	{ OPTION(struct embed, table), .needs = ROWS,
	  .excludes = "init seed rng vocab", .arg = "FILE",
	  .help = "file with the table, in place of a random one" },
	{ OPTION(struct embed, len), .role = ROLE_EXTENT, .needs = ROWS,
	  .excludes = "ids", .min = 1, .max = 0x1p52,
	  .one = "row", .many = "rows",
	  .arg = "N", .help = "look up rows 0 to N-1 (default: all rows)" },
	{ OPTION(struct embed, ids), .arg = "LIST|@FILE|-",
	  .help = "ids of the rows to look up" },
	{ OPTION(struct embed, batch), .min = 1, .max = 0x1p52,
	  .one = "sequence", .many = "sequences",
	  .arg = "B", .help = "number of sequences of equal length in the "
			      "rows: makes [B, rows / B, dim] (default: 1)" },
	{ OPTION(struct embed, out), .phrase = "",
	  .initial = "rows", .words = outs,
	  .word_needs = out_needs,
	  .arg = "WHAT", .help = "values to make: the rows, or the position of "
				 "each id, not counting padding" },
	{ OPTION(struct embed, init), .initial = "normal", .words = inits,
	  .meanings = init_meanings, .phrases = init_phrases, .arg = "HOW",
	  .help = "values of the random table" },
	{ OPTION(struct embed, seed), .initial = "0", .arg = "S",
	  .help = "seed of the random generator, below 2^64" },
	{ OPTION(struct embed, rng), .initial = "philox",
	  .phrase = "% generator", .words = sample_generators,
	  .meanings = sample_generator_meanings, .arg = "WHOSE",
	  .help = "random generator" },
	{ OPTION(struct embed, oob), .initial = "error", .words = oobs,
	  .meanings = oob_meanings, .phrases = oob_phrases, .arg = "RULE",
	  .help = "what an id out of range stands for" },
	{ OPTION(struct embed, padding_idx), .min = -0x1p31, .max = 0x1p31,
	  .phrase = "padding id %", .arg = "I",
	  .help = "id of padding; its row of a random table is "
			      "zeros; a negative id counts from the end "
			      "(default: none)" },
	{ OPTION(struct embed, max_norm), .initial = "0", .max = 1e30,
	  .needs = ROWS, .phrase = "norms up to %", .arg = "X",
	  .help = "largest L2 norm of a row; longer rows are scaled down to "
		  "it; 0: no limit" },
	{ OPTION(struct embed, multiplier), .needs = ROWS, .phrase = "times %",
	  .arg = "sqrt-dim|X",
	  .help = "factor of the looked-up rows: a number or sqrt(dim) "
		  "(default: 1)" },
	{ OPTION(struct embed, add), .words = added, .needs = ROWS,
	  .arg = "sinusoid|FILE",
	  .help = "position table to add, a file [positions, dim] or the table "
		  "of posenc sinusoid (default: none)" },
	{ OPTION(struct embed, positions), .needs = "position-table add",
	  .excludes = "past", .arg = "LIST|@FILE|-",
	  .help = "positions of the rows, for --position-table and --add "
		  "(default: 0, 1, ...)" },
	{ OPTION(struct embed, past), .initial = "0", .max = 0x1p52,
	  .needs = "position-table add out=positions", .phrase = "from %",
	  .arg = "N", .help = "position of the first row; --out positions adds "
		  "it to all positions except that of padding" },
	{ OPTION(struct embed, segments), .needs = "segment-table",
	  .arg = "LIST|@FILE|-",
	  .help = "segment ids of the rows (default: 0)" },
	{ OPTION(struct embed, segment_table), .needs = ROWS, .arg = "FILE",
	  .help = "file of segment vectors [segments, dim] to add, selected by "
		  "--segments" },
	{ OPTION(struct embed, position_table), .needs = ROWS, .arg = "FILE",
	  .help = "file of position vectors [positions, dim] to add, selected "
		  "by --positions or --past" },
	{ OPTION(struct embed, layernorm), .phrase = "layer normalization",
	  .needs = ROWS,
	  .help = "normalize each sum to mean 0 and variance 1 (LayerNorm)" },
	{ OPTION(struct embed, eps), .phrase = "epsilon %",
	  .initial = "1e-12", .min = 1e-30, .max = 1, .needs = "layernorm",
	  .arg = "X",
	  .help = "value added to the variance" },
	{ OPTION(struct embed, gamma), .needs = "layernorm", .arg = "FILE",
	  .help = "file with the factor of each normalized column (default: "
		  "1)" },
	{ OPTION(struct embed, beta), .needs = "layernorm", .arg = "FILE",
	  .help = "file with the value added to each normalized column "
		  "(default: 0)" },
	{0}
};

static const struct option_heading embed_headings[] = {
	{ "Table", "config vocab dim table init seed rng padding-idx" },
	{ "Rows", NULL },
	{ "Positions and segments to add",
	  "add positions past segments segment-table position-table" },
	{ "Layer normalization", "layernorm eps gamma beta" },
	{0}
};

#define INIT_MOST 1e30
#define DRAWN_MOST (1ul << 28)  /* elements: 2 GiB */

/* Samples first to first + n - 1 of the table's values, to x. */
static void draw(const struct embed *s, size_t first, size_t n, double *x)
{
	const struct samples samples = {
		.generator = s->rng, .seed = s->seed.value,
		.total = s->vocab * s->dim,
	};
	const double *at = s->init.at;

	if (s->init.word == INIT_NORMAL)
		sample_normal(&samples, s->init.n ? at[0] : 1, first, n, x);
	else if (s->init.word == INIT_UNIFORM)
		sample_uniform(&samples, at[0], s->init.n ? at[1] : 1, first,
			       n, x);
	else
		memset(x, 0, n * sizeof *x);
}

/* Elements first to first + n - 1 of row id: in place, or in x [n]. */
static const double *token_part(const struct embed *s, size_t id, size_t first,
				size_t n, double *x)
{
	const size_t at = id * s->dim + first;

	if (s->table)
		return s->table->row(s->table, id, NULL) + first;
	if (s->drawn)
		return s->drawn + at;
	draw(s, at, n, x);
	return x;
}

/* Draw the first rows, if the generator can only draw in order. */
static bool draw_prepare(struct embed *s, size_t rows, struct table *t,
			 struct error *err)
{
	const size_t n = rows * s->dim;  /* draw_check() excludes overflow */

	if (s->rng == PHILOX || s->init.word == INIT_ZEROS)
		return true;
	if (n > DRAWN_MOST)
		return fail(err, "--rng %s draws in order and keeps all values "
			    "in memory: %zu rows of --dim %zu exceed the limit "
			    "of %lu values (--rng philox has no limit)",
			    sample_generators[s->rng], rows, s->dim,
			    DRAWN_MOST);
	s->drawn = table_alloc(t, n, sizeof *s->drawn, err);
	if (!s->drawn)
		return false;
	draw(s, 0, n, s->drawn);
	for (size_t i = 0; i < n; i++)
		s->drawn[i] += 0.0;  /* not -0 */
	return true;
}

/* Check the options of a random table; set its dtype and bounds. */
static bool draw_check(const struct embed *s, struct table *t,
		       struct error *err)
{
	const double *at = s->init.at;
	size_t n;

	if (__builtin_mul_overflow(s->vocab, s->dim, &n))
		return fail(err, "--vocab %zu with --dim %zu has more than "
			    "2^%zu elements", s->vocab, s->dim, 8 * sizeof n);
	if (s->init.n == 1 && !within(at[0], 0, INIT_MOST))
		return fail(err, "--init normal:STD must be between 0 and "
			    "1e30, got %.9g", at[0]);
	if (s->init.n == 2 &&
	    (!within(at[0], -INIT_MOST, at[1]) || at[1] > INIT_MOST))
		return fail(err, "--init uniform:A,B: expected -1e30 <= A <= B "
			    "<= 1e30, got %.9g,%.9g", at[0], at[1]);
	if (!sample_seed_check(s->rng, s->seed.value, err))
		return false;
	t->dtype = F32;
	t->bounds = BOUNDS_LOOSE;
	t->hi = s->init.n ? at[s->init.n - 1] : 1;
	t->lo = fmin(s->init.n == 2 ? at[0] : 0, 0);
	t->hi = fmax(t->hi, 0);
	if (s->init.word == INIT_NORMAL) {
		t->hi *= s->rng == PHILOX ? RANDOM_NORMAL_MAX
					  : NUMPY_NORMAL_MAX;
		t->lo = -t->hi;
	}
	return true;
}

/* The row of the table for an id, or vocab if the row is zeros. */
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

/* The id of row i, or vocab if the row is zeros. */
size_t embed_id(const struct embed *s, size_t i)
{
	return lookup(s, s->ids.at ? s->ids.at[i] : (double)i);
}

enum { PART = 256 };  /* elements at a time */

/* The value of row i, from a list for all rows or for one sequence. */
static double listed(const struct embed *s, const struct list *list, size_t i)
{
	return list->at[list->n == s->sequence ? i % s->sequence : i];
}

double embed_position(const struct embed *s, size_t i)
{
	return s->positions.at ? listed(s, &s->positions, i)
			       : (double)(s->past + i % s->sequence);
}

double embed_segment(const struct embed *s, size_t i)
{
	return s->segments.at ? listed(s, &s->segments, i) : 0;
}

/* Factor that limits a row to --max-norm, as torch.embedding_renorm_(). */
static double shortening(const struct embed *s, size_t id)
{
	double part[PART], squares = 0, norm;

	for (size_t j = 0; j < s->dim; j += PART) {
		const size_t n = s->dim - j < PART ? s->dim - j : PART;
		const double *x = token_part(s, id, j, n, part);

		for (size_t k = 0; k < n; k++)
			squares += x[k] * x[k];
	}
	norm = sqrt(squares);
	return norm > s->max_norm ? s->max_norm / (norm + 1e-7) : 1;
}

static void add_token(const struct embed *s, size_t id, double *x)
{
	double part[PART], factor = s->factor;

	if (s->max_norm > 0)
		factor *= shortening(s, id);
	for (size_t j = 0; j < s->dim; j += PART) {
		const size_t n = s->dim - j < PART ? s->dim - j : PART;
		const double *y = token_part(s, id, j, n, part);

		for (size_t k = 0; k < n; k++)
			x[j + k] += factor * y[k];
	}
}

static void add_row(const struct table *t, size_t i, double *x)
{
	const double *y = t->row(t, i, NULL);

	for (size_t j = 0; j < t->cols; j++)
		x[j] += y[j];
}

/* The values of a table of one row or one column. */
static const double *vector(const struct table *t)
{
	return t ? t->row(t, 0, NULL) : NULL;
}

/* Ba, Kiros and Hinton 2016, arXiv:1607.06450, with the biased variance. */
static void normalize(const struct embed *s, double *x)
{
	const double *gamma = vector(s->gamma), *beta = vector(s->beta);
	const double n = (double)s->dim;
	double mean = 0, variance = 0, root;

	for (size_t j = 0; j < s->dim; j++)
		mean += x[j];
	mean /= n;
	for (size_t j = 0; j < s->dim; j++)
		variance += (x[j] - mean) * (x[j] - mean);
	root = sqrt(variance / n + s->eps);
	for (size_t j = 0; j < s->dim; j++)
		x[j] = (x[j] - mean) / root * (gamma ? gamma[j] : 1) +
		       (beta ? beta[j] : 0);
}

/* Whether a term is among the options. */
bool embed_has_term(const struct embed *s, enum term term)
{
	const bool has[TERMS] = {
		[TERM_SINUSOID] = s->wave.cols, [TERM_TOKEN] = true,
		[TERM_SEGMENT] = s->segment_table,
		[TERM_POSITION] = s->position_table,
		[TERM_ADDED] = s->add && s->add->row,
	};

	return has[term];
}

/* Write the term to x [dim], for row i of t, which has that id. */
void embed_add_term(const struct embed *s, enum term term, size_t i, size_t id,
		    double *x)
{
	if (term == TERM_SINUSOID)
		wave_row(&s->wave, F32, embed_position(s, i), x);
	else if (term == TERM_SEGMENT)
		add_row(s->segment_table, (size_t)embed_segment(s, i), x);
	else if (term != TERM_TOKEN)
		add_row(term == TERM_ADDED ? s->add : s->position_table,
			(size_t)embed_position(s, i), x);
	else if (id < s->vocab && id != s->padding)
		add_token(s, id, x);
}

/* Write row i of t, which has that id (vocab: zeros), to x [dim]. */
static void sum_row(const struct embed *s, size_t i, size_t id, double *x)
{
	memset(x, 0, s->dim * sizeof *x);
	for (enum term term = 0; term < TERMS; term++)
		if (embed_has_term(s, term))
			embed_add_term(s, term, i, id, x);
	if (s->layernorm)
		normalize(s, x);
}

#define FACTOR_MOST 1e30

/* A table whose rows are added, and the function that selects them. */
struct addend {
	const struct table *table;
	const char *flag, *what;
	const struct list *list;
	double (*row)(const struct embed *s, size_t i);
};

static bool check_addend(const struct embed *s, const struct addend *a,
			 struct error *err)
{
	const size_t n = a->list->at ? a->list->n : s->sequence;
	char shape[SHAPE_TEXT];

	if (!a->table || !a->table->row)
		return true;
	if (a->table->planes != 1 || a->table->cols != s->dim)
		return fail(err, "--%s: expected shape [%ss, %zu], got %s",
			    a->flag, a->what, s->dim,
			    shape_of(a->table, shape));
	/* Without a list, positions count up: the last is the largest. */
	for (size_t i = a->list->at ? 0 : n - 1; i < n; i++) {
		const double x = a->row(s, i);

		if (!whole_within(x, 0, (double)a->table->rows - 1))
			return fail(err, "%s %.17g at index %zu is out of "
				    "range: --%s has %zu rows, 0 to %zu",
				    a->what, x, i, a->flag, a->table->rows,
				    a->table->rows - 1);
	}
	return true;
}

static bool check_list(const struct embed *s, const struct list *list,
		       const char *flag, struct error *err)
{
	const size_t all = s->batch * s->sequence;

	if (list->at && list->n != s->sequence && list->n != all)
		return fail(err, "--%s: expected %zu values, one per row, got "
			    "%zu", flag, all, list->n);
	return true;
}

static bool check_vector(const struct embed *s, const struct table *t,
			 const char *flag, struct error *err)
{
	char shape[SHAPE_TEXT];

	if (t && (t->planes != 1 || (t->rows != 1 && t->cols != 1) ||
		  t->rows * t->cols != s->dim))
		return fail(err, "--%s: expected %zu values, got %s", flag,
			    s->dim, shape_of(t, shape));
	return true;
}

static bool read_factor(struct embed *s, struct error *err)
{
	s->factor = 1;
	if (!s->multiplier)
		return true;
	if (strcmp(s->multiplier, "sqrt-dim") == 0) {
		s->factor = sqrt((double)s->dim);
		return true;
	}
	if (!parse_real(s->multiplier, &s->factor) ||
	    fabs(s->factor) > FACTOR_MOST)
		return fail(err, "--multiplier: expected sqrt-dim or a number "
			    "between -1e30 and 1e30, got '%.60s'",
			    s->multiplier);
	return true;
}

/* The sinusoid of the paper. */
static bool make_wave(struct embed *s, struct table *t, struct error *err)
{
	const struct convention paper = {
		.dim = s->dim, .base = 10000, .angle_scale = 1
	};

	if (!s->add || s->add->row)
		return true;
	return positions_check(&s->positions, err) &&
	       convention_wave(&paper, &s->wave, t, err);
}

/* Check the options of sums, scaling and normalization. */
static bool sum_prepare(struct embed *s, struct table *t, struct error *err)
{
	const struct addend addends[] = {
		{ s->segment_table, "segment-table", "segment", &s->segments,
		  embed_segment },
		{ s->position_table, "position-table", "position",
		  &s->positions, embed_position },
		{ s->add, "add", "position", &s->positions, embed_position },
	};

	if (!read_factor(s, err) ||
	    !check_list(s, &s->positions, "positions", err) ||
	    !check_list(s, &s->segments, "segments", err))
		return false;
	for (size_t i = 0; i < sizeof addends / sizeof *addends; i++)
		if (!check_addend(s, &addends[i], err))
			return false;
	s->plain = !s->multiplier && !(s->max_norm > 0) && !s->add &&
		   !s->segment_table && !s->position_table && !s->layernorm;
	if (s->plain)
		return true;
	t->dtype = F32;
	t->bounds = BOUNDS_NONE;
	return check_vector(s, s->gamma, "gamma", err) &&
	       check_vector(s, s->beta, "beta", err) && make_wave(s, t, err);
}

/* Make t the position ids of --ids. */
static bool position_ids_make(const struct embed *s, struct table *t,
		       struct error *err)
{
	const double padding = (double)s->padding_idx.value;
	const struct token_count count = {
		true, padding, padding, padding + 1 + (double)s->past
	};
	double *x;

	if (padding < 0)
		return fail(err, "--padding-idx must be at least 0 with --out "
			    "positions, got %.0f", padding);
	x = table_alloc(t, s->ids.n, sizeof *x, err);
	if (!x)
		return false;
	t->title = "Position ids";
	t->value = "position";
	t->rows = s->batch;
	t->cols = s->sequence;
	t->dtype = I32;
	t->row_axis = axis_of(AXIS_SEQUENCE);
	t->col_axis = (struct axis){ .name = "token", .step = 1 };
	t->lo = padding;
	t->hi = t->lo + (double)s->past + (double)s->sequence;
	t->bounds = BOUNDS_LOOSE;
	for (size_t i = 0; i < s->batch; i++)
		positions_count(&count, s->ids.at + i * s->sequence,
				s->sequence, x + i * s->sequence);
	table_dense(t, x);
	return true;
}

static const double *embed_row(const struct table *t, size_t i, double *scratch)
{
	const struct embed *s = t->state;
	const size_t id = embed_id(s, i);

	if (!s->plain) {
		sum_row(s, i, id, scratch);
		return scratch;
	}
	if (id < s->vocab && id != s->padding)
		return token_part(s, id, 0, s->dim, scratch);
	memset(scratch, 0, s->dim * sizeof *scratch);
	return scratch;
}

static bool check_id(const struct embed *s, double id, size_t i,
		     struct error *err)
{
	if (id != rint(id))
		return fail(err, "--ids must be integers, got %.9g at index "
			    "%zu", id, i);
	if (s->out == OUT_ROWS && s->oob == OOB_ERROR &&
	    !within(id, 0, (double)s->vocab - 1))
		return fail(err, "id %.17g at index %zu is out of range: the "
			    "table has %zu rows, 0 to %zu",
			    id, i, s->vocab, s->vocab - 1);
	return true;
}

static bool check_ids(const struct embed *s, struct error *err)
{
	for (size_t i = 0; s->ids.at && i < s->ids.n; i++)
		if (!check_id(s, s->ids.at[i], i, err))
			return false;
	return s->len <= s->vocab ||
	       check_id(s, (double)s->vocab, s->vocab, err);
}

/* Set vocab and dim from the table that is read, or check the random one. */
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
	/* A raw file is read with --dim. */
	if (s->dim && s->dim != s->table->cols)
		return fail(err, "--dim must be the %zu columns of --table, "
			    "got %zu", s->table->cols, s->dim);
	s->vocab = s->table->planes * s->table->rows;
	s->dim = s->table->cols;
	t->dtype = dtype_integer(s->table->dtype) ? s->table->dtype : F32;
	t->bounds = s->table->bounds;
	t->lo = s->oob == OOB_ZERO ? fmin(s->table->lo, 0) : s->table->lo;
	t->hi = s->oob == OOB_ZERO ? fmax(s->table->hi, 0) : s->table->hi;
	return true;
}

/* The row of zeros of a random table; a table from a file has its own. */
static bool find_padding(struct embed *s, struct error *err)
{
	const long vocab = (long)s->vocab, i = s->padding_idx.value;

	s->padding = s->vocab;
	if (!s->padding_idx.given)
		return true;
	if (i < -vocab || i >= vocab)
		return fail(err, "--padding-idx must be a row of the table, "
			    "between %ld and %ld, got %ld", -vocab, vocab - 1,
			    i);
	if (!s->table)
		s->padding = (size_t)(i < 0 ? i + vocab : i);
	return true;
}

/* Number of sequences, and of rows per sequence. */
static bool find_shape(struct embed *s, struct error *err)
{
	const size_t planes = s->table ? s->table->planes : 1;
	const size_t rows = s->ids.at ? s->ids.n : s->len ? s->len : s->vocab;

	if (planes != 1 && (s->ids.at || s->len || s->batch))
		return fail(err, "--table with %zu planes cannot be combined "
			    "with --ids, --len or --batch", planes);
	if (!s->batch)
		s->batch = planes;
	if (rows % s->batch)
		return fail(err, "--batch must divide the %zu rows evenly, got "
			    "%zu", rows, s->batch);
	s->sequence = rows / s->batch;
	return true;
}

/* Number of rows up to the last one that is looked up. */
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

static bool embed_make(void *self, const struct table *inputs, struct table *t,
		       struct error *err)
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
		t->plane_axis = axis_of(AXIS_SEQUENCE);
	t->row_axis = axis_of(AXIS_ID);
	t->row_axis.at = s->batch > 1 ? NULL : s->ids.at;
	t->col_axis = axis_of(AXIS_DIMENSION);
	t->row = embed_row;
	t->state = s;
	return embed_terms(s, t, err) &&
	       (s->table || draw_prepare(s, rows_needed(s), t, err));
}

const struct recipe embed_recipe = {
	.name = "embed",
	.summary = "embedding rows of a learned or random table",
	.about =
"Makes the table [ids, dim] of embedding rows. They are looked up in the\n"
"table of a file, or in a random table, initialized like a new\n"
"torch.nn.Embedding. Options add positions and segments and normalize the\n"
"sums, as the input layer of a model does.\n",
	.details =
"  row[t] = multiplier * table[id_t]\n"
"         + segment[s_t] + position[p_t] + sinusoid(p_t)\n"
"  with --layernorm, (row - mean) / sqrt(variance + eps) * gamma + beta\n"
"  --out positions, where I is --padding-idx:\n"
"  position[t] = I + past + (number of ids 0..t that are not I)\n"
"              = I for an id of padding\n"
"\n"
"With --rng philox, element i of a random table depends only on the seed and\n"
"on i (Philox 4x32-10), so any part of the table can be made alone. The\n"
"other generators give the values of torch.nn.Embedding(V, D) after\n"
"manual_seed(S), of default_rng(S).standard_normal((V, D)) and of\n"
"RandomState(S).randn(V, D); with --init uniform, those of uniform_(A, B)\n"
"and uniform(A, B). In float64, few normal values differ from NumPy's in the\n"
"last bits, which depend on the logarithm of its C library: with glibc 2.36,\n"
"5 of 2.6 million (numpy) or 254 of 800,000 (numpy-legacy).\n"
"\n"
"With --rng torch --vocab 4 --dim 4, row 0 begins with -1.1258398,\n"
"-1.1523602.\n"
"\n"
"A learned table has no rows past its end: an id out of range is an error,\n"
"unless --oob says otherwise.\n",
	.paper = "torch.nn.Embedding; sums: Devlin et al. 2019, "
		 "arXiv:1810.04805",
	.example = "posenc embed --vocab 2048 --dim 8 --ids 3,535,85",
	.options = embed_options,
	.headings = embed_headings,
	.size = sizeof(struct embed),
	.make = embed_make,
};
