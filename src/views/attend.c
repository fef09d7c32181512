/* attend.c: posenc attend: its options, its tables, and --check. */
#include <math.h>
#include <string.h>

#include "recipes.h"
#include "views/attend.h"

enum { ATTEND_ROWS = 16 };  /* of a block that is fast to compute */

static const char *const masks[] = {
	"causal", "full", "prefix:K", "window:W", "chunk:C", "segments",
	"band:L,R", "symmetric:W", NULL
};
static const char *const outs[] = { "weights", "logits", "values", NULL };
static const char *const checks[] = { "permutation", NULL };

/*
 * --check permutation: a rotation of all rows by one place and a swap of the
 * first two generate every permutation, so these two are enough.
 */

/* Relative to the largest output: sums run in another order. */
#define TOLERANCE 1e-12

/* The row that a permutation puts at place i of n. */
typedef size_t permutation(size_t i, size_t n);

/* (a, b, c) becomes (b, c, a). */
static size_t rotated(size_t i, size_t n)
{
	return (i + 1) % n;
}

/* (a, b, c) becomes (b, a, c). */
static size_t swapped(size_t i, size_t n)
{
	return n > 1 && i < 2 ? 1 - i : i;
}

/* The rows of x in the order p. */
static const struct table *permuted(const struct table *x, permutation *p,
				    struct table *owner, struct error *err)
{
	struct table *to = table_alloc(owner, 1, sizeof *to, err);
	double *all = table_alloc(owner, x->planes * x->rows * x->cols,
				  sizeof *all, err);

	if (!to || !all)
		return NULL;
	*to = (struct table){ .planes = x->planes, .rows = x->rows,
			      .cols = x->cols };
	table_dense(to, all);
	for (size_t i = 0; i < x->planes * x->rows; i++)
		memcpy(all + i * x->cols,
		       x->row(x, i - i % x->rows + p(i % x->rows, x->rows),
			      NULL), x->cols * sizeof *all);
	return to;
}

/* The largest difference between the rows of a and those of b in order p. */
static double largest_difference(const struct table *a,
				 const struct table *b, permutation *p)
{
	double largest = 0;

	for (size_t i = 0; i < a->rows; i++) {
		const double *x = a->row(a, i, NULL);
		const double *y = b->row(b, p(i, b->rows), NULL);

		for (size_t j = 0; j < a->cols; j++)
			largest = fmax(largest, fabs(x[j] - y[j]));
	}
	return largest;
}

static bool attend_open(const struct attend *s, const struct sources *from,
			struct attention *a, struct table *owner,
			struct error *err)
{
	return attend_project(s, from, a, owner, err) &&
	       attend_scheme(s, a, owner, err) &&
	       attend_panels(a, owner, err);
}

static bool outputs_of(const struct attend *s, const struct sources *from,
		       struct table *z, struct table *owner, struct error *err)
{
	struct attention a = { 0 };

	return attend_open(s, from, &a, owner, err) &&
	       attend_values(s, &a, z, owner, err);
}

/* The difference between outputs of permuted inputs and permuted outputs z. */
static bool try_order(const struct attend *s, const struct sources *from,
		      const struct table *z, permutation *p,
		      double *difference, struct table *owner,
		      struct error *err)
{
	const struct sources to = {
		permuted(from->q, p, owner, err),
		permuted(from->k, p, owner, err),
		permuted(from->v, p, owner, err), from->one,
	};
	struct table again = { 0 };

	if (!to.q || !to.k || !to.v ||
	    !outputs_of(s, &to, &again, owner, err))
		return false;
	*difference = largest_difference(&again, z, p);
	return true;
}

static double largest_value(const struct table *z)
{
	double largest = 0;

	for (size_t i = 0; i < z->rows; i++)
		for (size_t j = 0; j < z->cols; j++)
			largest = fmax(largest, fabs(z->row(z, i, NULL)[j]));
	return largest;
}

static void add_differences(struct report *r, const struct table *z,
			    double rotation, double swap)
{
	const double largest = largest_value(z), worst = fmax(rotation, swap);

	r->no = worst > TOLERANCE * largest;
	report_group(r, "permutation");
	report_number(r, "rows", (double)z->rows, NULL);
	report_number(r, "rotation_difference", rotation,
		      "(rows a, b, c as b, c, a)");
	report_number(r, "swap_difference", swap, "(rows a, b, c as b, a, c)");
	report_number(r, "largest_output", largest, NULL);
	report_flag(r, "permuted", !r->no);
	if (r->no)
		report_headline(r, "outputs are not permuted as inputs are: "
				"they differ by up to %.3g, and the largest "
				"output is %.3g", worst, largest);
	else
		report_headline(r, "outputs are permuted as inputs are: (a, "
				"b, c) to (b, c, a) and to (b, a, c)");
}

static bool attend_check(const struct attend *s, const struct sources *from,
			 struct report *r, struct error *err)
{
	struct table z = { 0 };
	double rotation, swap;

	if (from->q->rows != from->k->rows)
		return fail(err, "--check permutation needs one query per key, "
			    "got %zu queries and %zu keys", from->q->rows,
			    from->k->rows);
	if (!outputs_of(s, from, &z, r->owner, err) ||
	    !try_order(s, from, &z, rotated, &rotation, r->owner, err) ||
	    !try_order(s, from, &z, swapped, &swap, r->owner, err))
		return false;
	add_differences(r, &z, rotation, swap);
	return true;
}

#define PAIRS "len query-len key-len heads"
#define RELATIVE \
	PAIRS " kind distances out table align window pretrained cls dim causal"

static const char *const scheme_needs[SCHEMES] = {
	[SCHEME_RELATIVE] = "table-k table-v", [SCHEME_T5] = "table",
	[SCHEME_FIRE] = "weights", [SCHEME_DEBERTA] = "table-k table-q",
};

static const char *const scheme_phrases[SCHEMES] = {
	[SCHEME_NONE] = "no scheme", [SCHEME_SINUSOID] = "sinusoid",
	[SCHEME_ROPE] = "RoPE", [SCHEME_RELATIVE] = "relative",
	[SCHEME_DEBERTA] = "DeBERTa", [SCHEME_XL] = "Transformer-XL",
	[SCHEME_T5] = "T5", [SCHEME_ALIBI] = "ALiBi",
	[SCHEME_KERPLE] = "KERPLE", [SCHEME_SANDWICH] = "Sandwich",
	[SCHEME_FIRE] = "FIRE", [SCHEME_RETNET] = "RetNet",
};

static const struct option attend_options[] = {
	{ OPTION(struct attend, q), .arg = "FILE",
	  .help = "queries, [queries, dim] or [heads, queries, dim], instead "
		  "of TABLE" },
	{ OPTION(struct attend, k), .arg = "FILE",
	  .help = "keys, [keys, dim] or [heads, keys, dim], with --q" },
	{ OPTION(struct attend, v), .arg = "FILE",
	  .help = "values, one row per key, with --q and --out values" },
	{ OPTION(struct attend, heads), .min = 1, .max = 65536, .arg = "H",
	  .one = "head", .many = "heads",
	  .help = "number of heads; each takes an equal share of the columns "
		  "(default: the planes of --q, else 1)" },
	{ OPTION(struct attend, head_dim), .min = 1, .max = 1048576,
	  .one = "dimension per head", .many = "dimensions per head",
	  .arg = "D",
	  .help = "expect heads of D columns, as --config does of rotary "
		  "models (default: any)" },
	{ OPTION(struct attend, wq), .arg = "FILE",
	  .help = "projection of queries: the rows of TABLE or --q are "
		  "multiplied by it, [dim, columns] (default: none)" },
	{ OPTION(struct attend, wk), .arg = "FILE",
	  .help = "projection of keys (default: none)" },
	{ OPTION(struct attend, wv), .arg = "FILE",
	  .help = "projection of values (default: none)" },
	{ OPTION(struct attend, wo), .arg = "FILE",
	  .help = "projection of the output: the concatenated values of all "
		  "heads are multiplied by it (default: none)" },
	CONFIG_OPTION,
	{ OPTION(struct attend, scheme), .phrases = scheme_phrases,
	  .initial = "none",
	  .words = attend_schemes, .word_needs = scheme_needs, .arg = "NAME",
	  .help = "position scheme: sinusoid adds to TABLE, relative to keys "
		  "and values; rope rotates queries and keys; retnet "
		  "multiplies logits; the others add to them" },
	{ OPTION(struct attend, mask), .phrase = "% mask",
	  .initial = "full", .words = masks,
	  .arg = "KIND",
	  .help = "which keys each query sees, as --kind of posenc mask" },
	{ OPTION(struct attend, segments), .arg = "LIST|@FILE|-",
	  .help = "segment of each key; a query sees only the keys of its own "
		  "segment" },
	{ OPTION(struct attend, cu_seqlens), .arg = "LIST|@FILE|-",
	  .help = "offsets of packed documents, as --cu-seqlens of posenc "
		  "mask; a query sees only the keys of its own document" },
	{ OPTION(struct attend, images), .arg = "LIST|@FILE|-",
	  .help = "image of each key, or -1 for text; a query also sees the "
		  "keys of its own image" },
	{ OPTION(struct attend, dilation), .initial = "1", .min = 1,
	  .max = 0x1p52, .arg = "D",
	  .help = "a query sees only keys at distances of 0, D, 2D, ..." },
	{ OPTION(struct attend, out), .phrase = "",
	  .words = outs,
	  .implied = "check: values; weights", .arg = "WHAT",
	  .help = "result: softmax weights, logits, or output values, the "
		  "weighted sums of v (default: weights; values with "
		  "--check)" },
	{ OPTION(struct attend, qk_scale), .phrase = "products times %",
	  .min = 1e-9, .max = 1e9,
	  .excludes = "unscaled", .arg = "X",
	  .help = "factor of q . k, in place of 1 / sqrt(dim)" },
	{ OPTION(struct attend, unscaled),
	  .help = "do not divide logits by sqrt(dim), as in T5" },
	{ OPTION(struct attend, softcap), .min = 1e-6, .max = 1e9,
	  .needs = "scheme!=retnet", .arg = "C",
	  .help = "C tanh(x / C) in place of each logit x, before biases and "
		  "the mask (Gemma 2: 50; default: none)" },
	{ OPTION(struct attend, sinks), .needs = "scheme!=retnet, out!=logits",
	  .arg = "LIST|@FILE|-",
	  .help = "a learned logit of each head that joins the softmax of "
		  "every query and has no value (gpt-oss; default: none)" },
	{ OPTION(struct attend, temperature), .arg = "FILE",
	  .help = "factor of each query, [queries, 1], as posenc temperature "
		  "makes it (default: none)" },
	{ OPTION(struct attend, check), .phrase = "",
	  .words = checks,
	  .needs = "out=values", .arg = "WHAT",
	  .help = "report whether permuting the input rows permutes the output "
		  "rows, with exit status 1 if not" },
	{ OPTION(struct attend, sandwich_dim), .initial = "128",
	  .needs = "scheme=sandwich", .min = 2, .max = 1048576,
	  .one = "dimension", .many = "dimensions", .arg = "D",
	  .help = "sandwich: dim of the sinusoids, even" },
	{ OPTION(struct attend, table_k), .needs = "scheme=relative|deberta",
	  .arg = "FILE",
	  .help = "relative: vectors added to keys, [2K + 1, dim of a head]; "
		  "deberta: position keys, [2K, heads dim]" },
	{ OPTION(struct attend, table_q), .needs = "scheme=deberta",
	  .arg = "FILE",
	  .help = "deberta: position queries, [2K, heads dim]" },
	{ OPTION(struct attend, table_v), .needs = "scheme=relative",
	  .arg = "FILE",
	  .help = "relative: vectors added to values, [2K + 1, dim of a "
		  "head]" },
	{ OPTION(struct attend, wr), .needs = "scheme=transformer-xl",
	  .arg = "FILE",
	  .help = "transformer-xl: projection of the sinusoids of distances, "
		  "[D, heads dim] (default: none)" },
	{ OPTION(struct attend, bias_u), .needs = "scheme=transformer-xl",
	  .arg = "FILE",
	  .help = "transformer-xl: u, added to queries before the product with "
		  "keys, [heads, dim] (default: 0)" },
	{ OPTION(struct attend, bias_v), .needs = "scheme=transformer-xl",
	  .arg = "FILE",
	  .help = "transformer-xl: v, added to queries before the product with "
		  "positions, [heads, dim] (default: 0)" },
	{0}
};

static const struct option_heading attend_headings[] = {
	{ "Queries, keys and values", NULL },
	{ "Mask", "mask segments cu-seqlens images dilation" },
	{ "Logits", "qk-scale unscaled softcap temperature sinks" },
	{ "Result", "out check" },
	{ "Position scheme", "scheme sandwich-dim table-k table-q table-v wr "
			     "bias-u bias-v" },
	{0}
};

/* Whose options each scheme takes, but for those that attend sets. */
static const struct guest guests[] = {
	{ "sinusoid", "sinusoid", "len dim" },
	{ "rope", "rope", "len dim apply out shift along xpos center "
			  "downscale" },
	{ "relative", "relative", RELATIVE " buckets max-position" },
	{ "deberta", "relative", RELATIVE },
	{ "transformer-xl", "relative",
	  RELATIVE " buckets max-position sign" },
	{ "t5", "t5-bucket", PAIRS " past distances boundaries" },
	{ "alibi", "alibi", PAIRS " out positions head-range" },
	{ "kerple", "kerple", PAIRS },
	{ "sandwich", "sandwich", PAIRS " dim" },
	{ "fire", "fire", PAIRS },
	{ "retnet", "retnet", PAIRS " out" },
	{0}
};

static void attend_doubles(const struct table *t, size_t first, size_t n,
			   double *out)
{
	const struct attend *s = t->state;

	(s->out == OUT_LOGITS ? attend_logits : attend_weights)
		(&s->attention, first, n, out);
}

static const double *attend_row(const struct table *t, size_t i,
				double *scratch)
{
	attend_doubles(t, i, 1, scratch);
	return scratch;
}

/* One row for each head and query. */
static void shape_pairs(struct attend *s, struct table *t)
{
	t->title = s->out == OUT_LOGITS ? "Attention logits"
					: "Attention weights";
	t->value = s->out == OUT_LOGITS ? "logit" : "weight";
	t->planes = s->attention.heads;
	t->rows = s->attention.queries;
	t->cols = s->attention.keys;
	t->plane_axis = axis_of(AXIS_HEAD);
	t->col_axis = axis_of(AXIS_KEY);
	if (s->out == OUT_WEIGHTS && s->scheme != SCHEME_RETNET) {
		t->bounds = BOUNDS_TIGHT;
		t->hi = 1;
		t->shares = true;
	}
	t->visible = s->attention.visible;
	t->row = attend_row;
	t->doubles = attend_doubles;
	t->block_rows = ATTEND_ROWS;
	t->state = s;
}

static bool attend_make(void *self, const struct table *inputs,
			struct table *t, struct error *err)
{
	struct attend *s = self;
	struct sources from;

	if (!attend_sources(s, inputs, &from, err) ||
	    !attend_open(s, &from, &s->attention, t, err))
		return false;
	t->dtype = F32;
	t->row_axis = axis_of(AXIS_QUERY);
	if (s->out != OUT_VALUES) {
		shape_pairs(s, t);
		return true;
	}
	t->title = "Attention values";
	t->col_axis = axis_of(AXIS_DIMENSION);
	return attend_values(s, &s->attention, t, t, err);
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
	return ((const struct attend *)self)->check != NO_CHOICE;
}

const struct recipe attend_recipe = {
	.name = "attend",
	.summary = "attention over a table, with any position scheme",
	.about =
"Computes scaled dot-product attention over the rows of a table, or over\n"
"queries, keys and values from files, with one of several position schemes.\n"
"The result is attention weights, logits or values. --check permutation\n"
"reports whether permuting the input rows permutes the output rows in the\n"
"same way (permutation equivariance). It does if there is no position scheme\n"
"and no mask.\n",
	.details =
"  logit[h, i, j]  = q[h, i] . k[h, j] / sqrt(d)    d: dim of a head\n"
"  weight[h, i]    = softmax(logit[h, i])\n"
"  value[i]        = sum_j weight[h, i, j] v[h, j], heads concatenated\n"
"\n"
"q, k and v are the rows of TABLE, or of --q, --k and --v, multiplied by\n"
"--wq, --wk and --wv; their columns are split into heads. i counts queries, j\n"
"keys. If there are fewer queries than keys, the queries are at the last\n"
"keys. A masked key has a logit of -inf and a weight of 0.\n"
"--qk-scale X is in place of 1 / sqrt(d). --softcap C makes C tanh(x / C) of\n"
"each logit x, before biases are added. --sinks adds exp(sink[h]) to what the\n"
"softmax of head h divides by: its weights add up to less than 1.\n"
"\n"
"The schemes:\n"
"  sinusoid   TABLE + P\n"
"  relative   k[h, j] + aK[j - i] and v[h, j] + aV[j - i], distances clipped\n"
"             at K (Shaw et al., equations 3 and 4, computed as in 5)\n"
"  t5, alibi, kerple, sandwich, fire    logit[h, i, j] + bias[h, i, j]\n"
"  rope       q and k rotated by their positions\n"
"  retnet     logit[h, i, j] mask[h, i, j] in place of the logit; weight:\n"
"             logit / max(|sum_j logit|, 1) in place of the softmax\n"
"  deberta    (q . k + q . K[r] + k . Q[r]) / sqrt(d (1 + terms)), with row\n"
"             r = label of i - j of --table-k and of --table-q, or one of the\n"
"             two: terms are 2 or 1\n"
"  transformer-xl  ((q + u) . k + (q + v) . Wr R[i - j]) / sqrt(d), R the\n"
"             sinusoids of posenc relative --kind xl\n"
"Beside the options below, each takes those of its encoding: --scheme rope\n"
"takes --base, --pairs and others of posenc rope.\n"
"\n"
"For the rows (1, 0) and (0, 1), the weights of the first query are\n"
"0.66976154 and 0.33023846.\n"
"\n"
"The check tries two permutations: it rotates all rows by one place, and it\n"
"swaps the first two rows. All others are products of these two. Outputs\n"
"count as equal within 1e-12 times the largest output.\n",
	.paper = "Vaswani et al. 2017, arXiv:1706.03762; Shaw et al. 2018, "
		 "section 3",
	.example = "posenc attend x.npy --heads 2 --scheme alibi",
	.options = attend_options,
	.headings = attend_headings,
	.host = "scheme",
	.guests = guests,
	.find = recipe_find,
	.size = sizeof(struct attend),
	.inputs = 1,
	.optional = true,
	.make = attend_make,
	.report = attend_report,
	.reports = attend_reports,
};
