/* embed.c: rows of a learned table, or of one drawn as it would be at first. */
#include <math.h>

#include "core/random.h"
#include "core/recipe.h"

enum init { INIT_NORMAL, INIT_UNIFORM, INIT_ZEROS };
enum oob { OOB_ERROR, OOB_CLAMP, OOB_WRAP, OOB_ZERO };

struct embed {
	size_t vocab, dim;
	const struct table *table;
	size_t len;
	struct list ids;
	struct pick init;
	size_t seed;
	int oob;
};

#define INIT_MOST 1e30

static const char *const inits[] = {
	"normal[:STD]", "uniform[:A,B]", "zeros", NULL
};
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
	{ OPTION(struct embed, init), .initial = "normal", .words = inits,
	  .arg = "HOW", .help = "how the table is drawn: mean 0 and deviation "
				"STD (1), or from A (0) to B (1)" },
	{ OPTION(struct embed, seed), .initial = "0", .max = 0x1p53,
	  .arg = "S", .help = "of the drawing" },
	{ OPTION(struct embed, oob), .initial = "error", .words = oobs,
	  .arg = "RULE", .help = "an id out of bounds: refuse it, take the "
				 "nearest row, count from the other end, or "
				 "give zeros" },
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

/* Row id of the drawn table; its elements are numbered through the rows. */
static void draw_row(const struct embed *s, size_t id, size_t n, double *x)
{
	const bool given = s->init.n > 0;
	const double a = given ? s->init.at[0] : 0;
	const double b = given ? s->init.at[1] : 1;

	switch (s->init.word) {
	case INIT_NORMAL:
		random_normal(s->seed, id * n, n, x);
		for (size_t j = 0; given && j < n; j++)
			x[j] *= a;
		break;
	case INIT_UNIFORM:
		random_uniform(s->seed, id * n, n, x);
		for (size_t j = 0; j < n; j++)
			x[j] = a + (b - a) * x[j];
		break;
	default:
		for (size_t j = 0; j < n; j++)
			x[j] = 0;
	}
}

static const double *embed_row(const struct table *t, size_t i,
			       double *scratch)
{
	const struct embed *s = t->state;
	const size_t id = lookup(s, s->ids.at ? s->ids.at[i] : (double)i);

	if (id < s->vocab) {
		if (s->table)
			return s->table->row(s->table, id, scratch);
		draw_row(s, id, t->cols, scratch);
		return scratch;
	}
	for (size_t j = 0; j < t->cols; j++)
		scratch[j] = 0;
	return scratch;
}

static bool check_id(const struct embed *s, double id, size_t i,
		     struct error *err)
{
	if (id != rint(id))
		return fail(err, "--ids must be whole numbers, not %.9g "
			    "(index %zu)", id, i);
	if (s->oob == OOB_ERROR && !(id >= 0 && id < (double)s->vocab))
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

/* The drawing's numbers must be sane, and its elements have a number each. */
static bool check_init(const struct embed *s, struct table *t,
		       struct error *err)
{
	const double *at = s->init.at;
	size_t n;

	if (__builtin_mul_overflow(s->vocab, s->dim, &n))
		return fail(err, "--vocab %zu of --dim %zu has more than 2^64 "
			    "elements", s->vocab, s->dim);
	if (s->init.n == 1 && !(at[0] >= 0 && at[0] <= INIT_MOST))
		return fail(err, "--init normal:STD must be from 0 to 1e30, "
			    "not %.9g", at[0]);
	if (s->init.n == 2 && !(-INIT_MOST <= at[0] && at[0] <= at[1] &&
				at[1] <= INIT_MOST))
		return fail(err, "--init uniform:A,B must have A not above B, "
			    "both within 1e30, not %.9g,%.9g", at[0], at[1]);
	t->bounds = BOUNDS_LOOSE;
	t->hi = s->init.n ? at[s->init.n - 1] : 1;
	t->lo = s->init.n == 2 ? at[0] : 0;
	if (s->init.word == INIT_NORMAL) {
		t->hi *= RANDOM_NORMAL_MOST;
		t->lo = -t->hi;
	}
	return true;
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
		t->dtype = F32;
		return check_init(s, t, err);
	}
	/* A raw file is read with --dim. */
	if (s->vocab || (s->dim && s->dim != s->table->cols))
		return fail(err, "--table has its own size: leave out --vocab "
			    "and --dim");
	if (s->table->planes != 1)
		return fail(err, "--table must be [vocab, dim], not a table of "
			    "%zu planes", s->table->planes);
	s->vocab = s->table->rows;
	s->dim = s->table->cols;
	t->dtype = dtype_integer(s->table->dtype) ? I32 : F32;
	t->bounds = s->table->bounds;
	t->lo = s->oob == OOB_ZERO ? fmin(s->table->lo, 0) : s->table->lo;
	t->hi = s->oob == OOB_ZERO ? fmax(s->table->hi, 0) : s->table->hi;
	return true;
}

static bool embed_make(void *self, const struct table *inputs,
		       struct table *t, struct error *err)
{
	struct embed *s = self;

	(void)inputs;
	if (!find_table(s, t, err))
		return false;
	t->title = "Embedding";
	t->rows = s->ids.at ? s->ids.n : s->len ? s->len : s->vocab;
	t->cols = s->dim;
	t->down = (struct axis){ .name = "id", .step = 1, .at = s->ids.at };
	t->across = (struct axis){ .name = "dimension", .step = 1 };
	t->row = embed_row;
	t->state = s;
	return check_ids(s, err);
}

const struct recipe embed_recipe = {
	.name = "embed",
	.summary = "rows of a learned table, or of one drawn with a seed",
	.about =
"  row[t] = table[id_t]\n"
"\n"
"A drawn table has a fresh layer's distribution, not another library's\n"
"numbers: element i depends on the seed and on i alone (Philox 4x32-10), so\n"
"any part of the table can be made by itself.\n"
"A learned table has no rows past its end: such an id is an error, unless\n"
"--oob says what to give.\n",
	.paper = "a lookup, as torch.nn.Embedding",
	.example = "posenc embed --vocab 2048 --dim 8 --ids 3,535,85",
	.options = embed_options,
	.size = sizeof(struct embed),
	.make = embed_make,
};
