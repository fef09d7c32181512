/* permute.c: rows or columns of rotary heads, between two orders of pairs. */
#include "recipe/recipe.h"
#include "views/permute.h"

enum permute_axis { AXIS_OF_ROWS, AXIS_OF_COLUMNS };

struct permute {
	size_t heads, head_dim;
	int to;             /* enum head_order */
	int axis;           /* enum permute_axis */
	size_t rotary_dim;

	const struct table *table;
	struct head_layout layout;
};

static const char *const orders[] = { "half", "interleaved", NULL };
static const char *const axes[] = { "rows", "columns", NULL };

static const struct option permute_options[] = {
	CONFIG_OPTION,
	{ OPTION(struct permute, heads), .min = 1, .max = 0x1p31,
	  .one = "head", .many = "heads", .arg = "H",
	  .help = "number of heads in TABLE; for keys and values, the number "
		  "of key-value heads" },
	{ OPTION(struct permute, head_dim), .min = 2, .max = 1048576,
	  .one = "dimension per head", .many = "dimensions per head",
	  .arg = "D",
	  .help = "dimensions of a head, in place of --heads (--config sets "
		  "it)" },
	{ OPTION(struct permute, to), .required = true, .words = orders,
	  .phrase = "to % pairs",
	  .arg = "ORDER",
	  .help = "order of the result; TABLE has the other one" },
	{ OPTION(struct permute, axis), .words = axes,
	  .phrase = "heads along %", .arg = "AXIS",
	  .help = "rows or columns that the heads are split into (default: "
		  "rows; columns if TABLE has one row)" },
	{ OPTION(struct permute, rotary_dim), .min = 2, .max = 1048576,
	  .one = "rotary dimension", .many = "rotary dimensions",
	  .arg = "R",
	  .help = "reorder only the first R of each head (default: all)" },
	{0}
};

size_t head_source(const struct head_layout *l, size_t i)
{
	const size_t r = i % l->dim, half = l->rotary / 2;

	if (r >= l->rotary)
		return i;
	return i - r + (l->to == HEAD_INTERLEAVED
			? r % 2 * half + r / 2
			: r % half * 2 + r / half);
}

/* Heads do not extend over planes: row i is in plane i / rows. */
static const double *permute_row(const struct table *t, size_t i,
				 double *scratch)
{
	const struct permute *s = t->state;
	const struct table *from = s->table;
	const double *x;

	if (s->axis == AXIS_OF_ROWS)
		return from->row(from, i - i % t->rows +
				 head_source(&s->layout, i % t->rows), NULL);
	x = from->row(from, i, NULL);
	for (size_t j = 0; j < t->cols; j++)
		scratch[j] = x[head_source(&s->layout, j)];
	return scratch;
}

static bool set_layout(struct permute *s, size_t n, struct error *err)
{
	struct head_layout *l = &s->layout;

	if (s->heads && s->head_dim && s->heads * s->head_dim != n)
		return fail(err, "--heads %zu and --head-dim %zu make %zu %s, "
			    "TABLE has %zu", s->heads, s->head_dim,
			    s->heads * s->head_dim, axes[s->axis], n);
	if (!s->heads && !s->head_dim)
		return fail(err, "--heads H or --head-dim D is needed: how the "
			    "%zu %s of TABLE are divided", n, axes[s->axis]);
	if (!s->heads && n % s->head_dim)
		return fail(err, "--head-dim must divide the %zu %s of TABLE, "
			    "got %zu", n, axes[s->axis], s->head_dim);
	if (!s->heads)
		s->heads = n / s->head_dim;
	if (n % s->heads)
		return fail(err, "--heads must divide the %zu %s of TABLE, got "
			    "%zu", n, axes[s->axis], s->heads);
	l->dim = n / s->heads;
	l->rotary = s->rotary_dim ? s->rotary_dim : l->dim;
	l->to = (enum head_order)s->to;
	if (l->dim % 2 && !s->rotary_dim)
		return fail(err, "--heads must leave an even number of %s per "
			    "head, got %zu (--rotary-dim R reorders only the "
			    "first R)", axes[s->axis], l->dim);
	if (l->rotary > l->dim || l->rotary % 2)
		return fail(err, "--rotary-dim must be even and at most %zu, "
			    "the %s per head, got %zu", l->dim, axes[s->axis],
			    l->rotary);
	return true;
}

static bool permute_make(void *self, const struct table *inputs,
			 struct table *t, struct error *err)
{
	struct permute *s = self;

	if (s->axis == NO_CHOICE)
		s->axis = inputs->rows == 1 ? AXIS_OF_COLUMNS : AXIS_OF_ROWS;
	if (!set_layout(s, s->axis == AXIS_OF_ROWS ? inputs->rows
			: inputs->cols, err))
		return false;
	s->table = inputs;
	t->title = "Weights with heads reordered";
	table_like(t, inputs);
	t->row = permute_row;
	t->state = s;
	return true;
}

const struct recipe permute_recipe = {
	.name = "permute",
	.summary = "rotary weights between half and interleaved order of heads",
	.about =
"Reorders the rows of query or key weights [heads * dim, columns] within each\n"
"head, between the two orders of rotary dimensions: half (transformers,\n"
"GPT-NeoX) and interleaved (Meta's Llama, GGUF of Llama). Values are copied;\n"
"--to half undoes --to interleaved.\n",
	.details =
"  interleaved[h D + 2k + s] = half[h D + s R/2 + k]     k < R/2, s = 0, 1\n"
"\n"
"h is the head, D the rows per head, R the rotary dim (default: D). Rows R to\n"
"D-1 of a head keep their places. --to interleaved is permute() of\n"
"llama.cpp's convert_hf_to_gguf.py; --to half is permute() of transformers'\n"
"convert_llama_weights_to_hf.py. The key weights of a model with grouped\n"
"queries have fewer heads than the query weights: --heads is the number of\n"
"key-value heads for them.\n"
"\n"
"A bias, which is one row or one column, is reordered as the rows of its\n"
"weights. Of a table with several planes, each plane has H heads. The dtype\n"
"is that of TABLE. 'posenc compare' finds the number of heads if both orders\n"
"of a matrix are at hand.\n",
	.paper = "Su et al. 2021, arXiv:2104.09864, section 3.4.2; "
		 "llama.cpp, convert_hf_to_gguf.py; transformers, "
		 "convert_llama_weights_to_hf.py",
	.example = "posenc permute wq.npy --heads 2 --to interleaved",
	.options = permute_options,
	.size = sizeof(struct permute),
	.inputs = 1,
	.make = permute_make,
};
