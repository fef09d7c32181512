/* attend.c: scaled dot-product attention with a scheme of positions. */
#include <math.h>

#include "views/attend.h"

static const char *const masks[] = {
	"causal", "full", "prefix:K", "window:W", "segments", NULL
};
static const char *const outs[] = { "weights", "logits", "values", NULL };
static const char *const checks[] = { "permutation", NULL };

static const struct option attend_options[] = {
	{ OPTION(struct attend, q), .arg = "FILE",
	  .help = "queries, [queries, dim] or [heads, queries, dim], in place "
		  "of TABLE" },
	{ OPTION(struct attend, k), .arg = "FILE", .help = "keys" },
	{ OPTION(struct attend, v), .arg = "FILE",
	  .help = "values, for --out values" },
	{ OPTION(struct attend, heads), .min = 1, .max = 65536, .arg = "H",
	  .help = "heads, each of as many columns (1, or the planes of --q)" },
	{ OPTION(struct attend, wq), .arg = "FILE",
	  .help = "queries are rows of TABLE or --q times this, [dim, columns] "
		  "(as they are, without)" },
	{ OPTION(struct attend, wk), .arg = "FILE",
	  .help = "the same of keys" },
	{ OPTION(struct attend, wv), .arg = "FILE", .help = "and of values" },
	{ OPTION(struct attend, wo), .arg = "FILE",
	  .help = "the values of all heads, side by side, are times this" },
	{ OPTION(struct attend, scheme), .initial = "none",
	  .words = attend_schemes, .arg = "NAME",
	  .help = "positions: added to TABLE (sinusoid), to keys and values "
		  "(relative), to logits (t5, alibi), or turning queries and "
		  "keys (rope)" },
	{ OPTION(struct attend, mask), .initial = "full", .words = masks,
	  .arg = "KIND", .help = "which keys a query sees, as --kind of mask" },
	{ OPTION(struct attend, segments), .arg = "LIST|@FILE|-",
	  .help = "a number for each key: others than the query's are hidden" },
	{ OPTION(struct attend, out), .words = outs, .arg = "WHAT",
	  .help = "softmax(logits), the default; the logits; or values summed "
		  "by their weights" },
	{ OPTION(struct attend, unscaled),
	  .help = "products are not divided by sqrt(d), as T5 has it" },
	{ OPTION(struct attend, check), .words = checks, .arg = "WHAT",
	  .help = "report whether outputs are permuted as inputs are; exit "
		  "status 1 if not" },
	{ OPTION(struct attend, clip), .min = 0, .max = 0x1p52, .arg = "K",
	  .help = "relative: the longest distance told apart (that of the "
		  "tables)" },
	{ OPTION(struct attend, table_k), .arg = "FILE",
	  .help = "relative: what is added to keys, [2K + 1, dim of a head]" },
	{ OPTION(struct attend, table_v), .arg = "FILE",
	  .help = "relative: what is added to values" },
	{ OPTION(struct attend, table), .arg = "FILE",
	  .help = "t5: the biases, [buckets, heads]" },
	{ OPTION(struct attend, num_buckets), .arg = "N",
	  .help = "t5: buckets in all (32)" },
	{ OPTION(struct attend, max_distance), .arg = "M",
	  .help = "t5: where the logarithm would be full (128)" },
	{ OPTION(struct attend, bidirectional),
	  .help = "t5: future and past have half the buckets each (the "
		  "default)" },
	{ OPTION(struct attend, causal),
	  .help = "t5: all buckets are for the past" },
	{ OPTION(struct attend, form), .arg = "NAME",
	  .help = "alibi: symmetric, causal or row (symmetric)" },
	{ OPTION(struct attend, bias_max), .arg = "X",
	  .help = "alibi: the last slope is 2^-X (8)" },
	{ OPTION(struct attend, layout), .arg = "NAME",
	  .help = "sinusoid: interleaved or split (interleaved)" },
	{ OPTION(struct attend, denom), .arg = "NAME",
	  .help = "sinusoid: dim, half, half-1 or shift:S (dim)" },
	{ OPTION(struct attend, first), .arg = "NAME",
	  .help = "sinusoid: sin or cos (sin)" },
	{ OPTION(struct attend, pairs), .arg = "NAME",
	  .help = "rope: half or interleaved (half)" },
	{ OPTION(struct attend, rotary_dim), .arg = "R",
	  .help = "rope: the first R numbers of a head turn (all)" },
	{ OPTION(struct attend, scaling), .arg = "KIND:...",
	  .help = "rope: as --scaling there" },
	{ OPTION(struct attend, base), .arg = "B",
	  .help = "sinusoid, rope: base of the wavelengths (10000)" },
	{ OPTION(struct attend, start), .initial = "0", .arg = "P",
	  .help = "sinusoid, rope: position of the first key" },
	{ OPTION(struct attend, step), .initial = "1", .arg = "S",
	  .help = "sinusoid, rope: from each position to the next" },
	{0}
};

bool attend_open(const struct attend *s, const struct sources *from,
		 struct attention *a, struct table *owner, struct error *err)
{
	return attend_project(s, from, a, owner, err) &&
	       attend_scheme(s, a, owner, err);
}

static const double *attend_row(const struct table *t, size_t i,
				double *scratch)
{
	const struct attend *s = t->state;

	(s->out == OUT_LOGITS ? attend_logits : attend_weights)
		(&s->made, i / t->rows, i % t->rows, scratch);
	return scratch;
}

/* A row for each head and query. */
static void shape_pairs(struct attend *s, struct table *t)
{
	t->title = s->out == OUT_LOGITS ? "Attention logits"
					: "Attention weights";
	t->value = s->out == OUT_LOGITS ? "logit" : "weight";
	t->planes = s->made.heads;
	t->rows = s->made.queries;
	t->cols = s->made.keys;
	t->over = (struct axis){ .name = "head", .step = 1 };
	t->across = (struct axis){ .name = "key", .step = 1 };
	t->masked = s->out == OUT_LOGITS && s->made.seen;
	if (s->out == OUT_WEIGHTS) {
		t->bounds = BOUNDS_LOOSE;
		t->hi = 1;
	}
	t->row = attend_row;
	t->state = s;
}

static bool attend_make(void *self, const struct table *inputs,
			struct table *t, struct error *err)
{
	struct attend *s = self;
	struct sources from;

	if (s->out == NOT_GIVEN)
		s->out = OUT_WEIGHTS;
	if (!attend_sources(s, inputs, &from, err) ||
	    !attend_open(s, &from, &s->made, t, err))
		return false;
	t->dtype = F32;
	t->down = (struct axis){ .name = "query", .step = 1 };
	if (s->out != OUT_VALUES) {
		shape_pairs(s, t);
		return true;
	}
	t->title = "Attention values";
	t->across = (struct axis){ .name = "dimension", .step = 1 };
	return attend_values(s, &s->made, t, t, err);
}

static bool attend_report(void *self, const struct table *inputs,
			  struct report *r, struct error *err)
{
	const struct attend *s = self;
	struct sources from;

	return attend_sources(s, inputs, &from, err) &&
	       attend_check(s, &from, r, err);
}

static bool attend_reports(const void *self)
{
	return ((const struct attend *)self)->check != NOT_GIVEN;
}

const struct recipe attend_recipe = {
	.name = "attend",
	.summary = "attention over a table, with any scheme of positions",
	.about =
"  logit[h, i, j]  = q[h, i] . k[h, j] / sqrt(d)    d numbers of a head\n"
"  weight[h, i]    = softmax(logit[h, i])\n"
"  value[i]        = sum_j weight[h, i, j] v[h, j], heads side by side\n"
"\n"
"q, k and v are rows of TABLE, or of files, times --wq, --wk, --wv, their\n"
"columns parted into heads. i counts queries, j keys; fewer queries than keys\n"
"are the last. What a mask hides has a logit of -inf and a weight of 0.\n"
"  sinusoid   TABLE + P\n"
"  relative   k[h, j] + aK[j - i], and v[h, j] + aV[j - i], distances clipped\n"
"             at K (Shaw's equations 3 and 4, computed as in 5)\n"
"  t5, alibi  logit[h, i, j] + bias[h, i, j]\n"
"  rope       q and k turned by their positions\n"
"\n"
"Without a scheme or a mask, outputs are permuted as inputs are: --check\n"
"permutation tries it. Of the rows (1, 0) and (0, 1) the weights of the first\n"
"are 0.66976154 and 0.33023846.\n",
	.paper = "Vaswani et al. 2017, arXiv:1706.03762; Shaw et al. 2018, "
		 "section 3",
	.example = "posenc attend x.npy --heads 2 --scheme alibi",
	.options = attend_options,
	.size = sizeof(struct attend),
	.inputs = 1,
	.optional = true,
	.make = attend_make,
	.report = attend_report,
	.reports = attend_reports,
};
