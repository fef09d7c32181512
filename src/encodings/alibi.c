/* alibi.c: attention biases linear in distance, Press et al. 2022. */
#include <math.h>

#include "exact/floating.h"
#include "recipe/biases.h"
#include "recipe/recipe.h"

enum out { OUT_SLOPES, OUT_BIAS };
enum form { SYMMETRIC, CAUSAL, MASKED, ROW };
enum emulate { EXACT, FALCON };

struct alibi {
	struct lengths lengths;
	size_t heads;
	int out, form;
	double bias_max;
	struct list positions;
	struct extents grid;
	struct range head_range;
	int emulate;

	double *slope;  /* [count], of heads of the range */
	size_t count;
};

static const char *const outs[] = { "slopes", "bias", NULL };
static const char *const forms[] = { "symmetric", "causal", "masked",
				     "row", NULL };
static const char *const form_meanings[] = {
	"-m |i - j|", "the same, but 0 for j > i",
	"the same, but -inf for j > i",
	"m j, one row for all queries unless --query-len is given",
};
static const char *const emulates[] = { "exact", "falcon", NULL };

static const struct option alibi_options[] = {
	LENGTHS_OPTIONS,
	CONFIG_OPTION,
	HEADS_OPTION(struct alibi),
	{ OPTION(struct alibi, out), .phrase = "",
	  .words = outs,
	  .implied = "len query-len key-len positions grid: bias; slopes",
	  .arg = "WHAT",
	  .help = "values to make: one slope per head, or the bias of each "
		  "head, query and key (default: bias if a length is given, "
		  "else slopes)" },
	{ OPTION(struct alibi, form), .phrase = "%",
	  .initial = "symmetric",
	  .needs = "len query-len key-len positions grid, out=bias",
	  .words = forms, .meanings = form_meanings, .arg = "NAME",
	  .help = "bias of query i and key j for slope m" },
	{ OPTION(struct alibi, bias_max), .initial = "8",
	  .phrase = "maximum exponent %",
	  .min = 1e-3, .max = 1000,
	  .arg = "X", .help = "exponent of the last slope, 2^-X "
			      "(alibi_bias_max)" },
	{ OPTION(struct alibi, positions), .role = ROLE_EXTENT,
	  .needs = "form=row", .excludes = "len key-len",
	  .arg = "LIST|@FILE|-",
	  .help = "positions of the keys, for --form row (default: 0, 1, "
		  "...)" },
	{ OPTION(struct alibi, grid), .role = ROLE_EXTENT,
	  .needs = "form=symmetric",
	  .excludes = "len query-len key-len positions", .arg = "HxW",
	  .help = "queries and keys are the cells of an image, row by row; "
		  "|i - j| is how far the cells are apart (CROMA)" },
	{ OPTION(struct alibi, head_range), .role = ROLE_EXTENT,
	  .one = "head", .many = "heads",
	  .arg = "A:B", .help = "make only heads A to B-1, counted from 0, as "
		  "each of several devices has some (default: all)" },
	{ OPTION(struct alibi, emulate), .role = ROLE_ARITHMETIC,
	  .initial = "exact",
	  .words = emulates, .arg = "NAME",
	  .help = "rounding: once, to the dtype (exact), or of slopes, "
		  "positions and biases to bfloat16 (falcon)" },
	{0}
};

/*
 * 2^(-X h / n) for h = 1..n, if n is a power of two. For other numbers of heads
 * the authors' code takes the slopes of the power of two below, then every
 * other slope of twice that power: 2^(-X h / 2n) for h = 1, 3, 5, ...
 */
static double slope(const struct alibi *s, size_t head)
{
	enum { LIMBS = 4 };
	size_t n = 1;
	double h = (double)(head + 1);
	struct floating m;

	while (2 * n <= s->heads)
		n *= 2;
	if (head >= n) {
		h = (double)(2 * (head - n) + 1);
		n *= 2;
	}
	m = floating_power(2, -s->bias_max * h / (double)n, LIMBS);
	return floating_double(&m, LIMBS);
}

/* Slope m times the position of a key, or the negative distance to it. */
static double bias(const struct alibi *s, size_t head, double position)
{
	if (s->emulate == FALCON)
		return dtype_round(BF16, s->slope[head] *
				   dtype_round(BF16, position)) + 0.0;
	return s->slope[head] * position + 0.0;  /* not -0 */
}

static double at_distance(const void *self, size_t head, long x)
{
	const struct alibi *s = self;

	if (x > 0 && s->form == MASKED)
		return -HUGE_VAL;
	return bias(s, head, x < 0 ? (double)x
		    : s->form == CAUSAL ? 0 : -(double)x);
}

/* -m times the distance of two cells, of --grid. */
static const double *cell_row(const struct table *t, size_t i, double *scratch)
{
	const struct alibi *s = t->state;
	const struct grid_cell a = lattice_cell(&t->grid, i % t->rows);

	for (size_t j = 0; j < t->cols; j++) {
		const struct grid_cell b = lattice_cell(&t->grid, j);
		const double y = (double)a.row - (double)b.row;
		const double x = (double)a.column - (double)b.column;

		scratch[j] = bias(s, i / t->rows, -sqrt(x * x + y * y));
	}
	return scratch;
}

/* m j, of --form row. */
static const double *position_row(const struct table *t, size_t i,
				  double *scratch)
{
	const struct alibi *s = t->state;

	for (size_t j = 0; j < t->cols; j++)
		scratch[j] = bias(s, i / t->rows, s->positions.at
				  ? s->positions.at[j] : (double)j);
	return scratch;
}

static bool make_slopes(struct alibi *s, struct table *t, struct error *err)
{
	if (!range_fill(&s->head_range, s->heads))
		return fail(err, "--head-range must be within 0:%zu and not "
			    "empty, got %ld:%ld", s->heads,
			    s->head_range.first, s->head_range.last);
	s->count = (size_t)(s->head_range.last - s->head_range.first);
	s->slope = table_alloc(t, s->count, sizeof *s->slope, err);
	for (size_t h = 0; s->slope && h < s->count; h++) {
		s->slope[h] = slope(s, (size_t)s->head_range.first + h);
		if (s->emulate == FALCON)
			s->slope[h] = dtype_round(BF16, s->slope[h]);
	}
	return s->slope;
}

static bool make_biases(struct alibi *s, struct table *t, struct error *err)
{
	const struct lattice grid = lattice_of(s->grid.at, s->grid.n);
	struct lengths *p = &s->lengths;

	if (s->positions.at)
		p->key_len = s->positions.n;
	if (s->form == ROW && !p->query_len)
		p->query_len = 1;
	if (!s->grid.n && !lengths_shape(p, t, err))
		return false;
	if (s->grid.n) {
		t->rows = t->cols = lattice_cells(&grid);
		table_cells(t, &grid, NULL, NULL);
		t->col_axis = axis_from(AXIS_CELL, 0, 1);
	}
	t->planes = s->count;
	t->plane_axis = axis_from(AXIS_HEAD, (double)s->head_range.first, 1);
	t->row = s->grid.n ? cell_row : position_row;
	t->causal = s->form == CAUSAL;
	t->uneven = true;
	return s->form == ROW || s->grid.n ||
	       table_by_distance(t, at_distance, s, err);
}

static bool alibi_make(void *self, const struct table *inputs,
		       struct table *t, struct error *err)
{
	struct alibi *s = self;

	(void)inputs;
	if (!make_slopes(s, t, err))
		return false;
	t->title = "ALiBi";
	t->value = s->out == OUT_BIAS ? "bias" : "slope";
	t->dtype = F32;
	t->state = s;
	if (s->out == OUT_BIAS)
		return make_biases(s, t, err);
	heads_row(t, "slope", s->slope, s->count);
	t->col_axis = axis_from(AXIS_HEAD, (double)s->head_range.first, 1);
	return true;
}

const struct recipe alibi_recipe = {
	.name = "alibi",
	.summary = "ALiBi: one slope per head, attention biases by distance",
	.about =
"Makes the slopes [heads], or the biases [heads, queries, keys] that a model\n"
"adds to its attention logits in place of positional embeddings. Keys far\n"
"from the query get a lower score. Each head has its own slope.\n",
	.details =
"  m[h]          = 2^(-X h / n)    h = 1..n, if the number of heads n is a\n"
"                                  power of two; X is --bias-max\n"
"  bias[h, i, j] = -m[h] |i - j|   query i, key j\n"
"\n"
"For other numbers of heads, the slopes are those of the next lower power of\n"
"two, then every other slope of the next higher one, as in the authors' code.\n"
"The last query is at the position of the last key. GPT-NeoX uses --form\n"
"causal; --form masked also has the causal mask. BLOOM uses --form row: m j,\n"
"which is the same after softmax. MPT makes one row: --query-len 1.\n"
"CROMA (Fuller et al. 2023, arXiv:2311.00566) takes the distance of the cells\n"
"of an image: --grid 15x15.\n"
"\n"
"  --heads 4:  0.25 0.0625 0.015625 0.00390625\n",
	.paper = "Press et al. 2022, arXiv:2108.12409, section 3",
	.example = "posenc alibi --heads 8 --len 4",
	.options = alibi_options,
	.starts = (const struct start[]){
		{ "len", "64", "query-len key-len out positions" },
		{ "heads", "8", "config" }, {0}
	},
	.size = sizeof(struct alibi),
	.make = alibi_make,
};
