/*
 * attend_scheme.c: what a scheme of positions adds to attention. Its table is
 * made by the encoding's own recipe, from the options of the same names.
 */
#include <stdio.h>
#include <string.h>

#include "recipes.h"
#include "views/attend_encoding.h"

/* Begin the table of an encoding that exists. */
static void encoding_begin(struct encoding *e, const char *name,
			   const struct table *owner, const void *self,
			   struct error *err)
{
	*e = (struct encoding){
		.recipe = recipe_find(name, err), .err = err,
		.options = owner->from.recipe->options, .self = self,
		.t.from.reads_files = owner->from.reads_files,
	};
	recipe_begin(e->recipe, &e->t, &e->fields, err);
}

void encoding_close(struct encoding *e)
{
	table_close(&e->t);
}

void encoding_set(struct encoding *e, const char *name, const char *text)
{
	if (!e->err->text[0])
		recipe_set(e->recipe, &e->fields, name, text, e->err);
}

void encoding_set_number(struct encoding *e, const char *name, double x)
{
	char text[32];

	snprintf(text, sizeof text, "%.17g", x);
	encoding_set(e, name, text);
}

/* Set an option to a table or list [size bytes], which stays the caller's. */
static void encoding_set_value(struct encoding *e, const char *name,
			       const void *value, size_t size)
{
	const struct option *o = option_find(e->recipe->options, name,
					     strlen(name));

	if (!e->err->text[0])
		memcpy((char *)e->fields.self + o->at, value, size);
}

static void pass_option(struct encoding *e, const char *name)
{
	const struct option *o = option_find(e->options, name, strlen(name));
	char text[OPTION_ROOM];

	if (!option_find(e->recipe->options, name, strlen(name)) ||
	    !option_changed(o, e->self))
		return;
	if (o->kind == OPTION_TABLE || o->kind == OPTION_LIST ||
	    o->kind == OPTION_TABLES) {
		encoding_set_value(e, name, (const char *)e->self + o->at,
				   o->kind == OPTION_TABLE
				   ? sizeof(struct table *) :
				   o->kind == OPTION_LIST
				   ? sizeof(struct list)
				   : sizeof(struct tables));
		return;
	}
	encoding_set(e, name, o->kind == OPTION_FLAG ? "" :
		     option_text(o, e->self, text));
}

/*
 * Pass on the options of attend with these names, which end with NULL, if they
 * were changed and the encoding has them.
 */
static void encoding_pass_options(struct encoding *e, const char *const *names)
{
	while (*names)
		pass_option(e, *names++);
}

bool encoding_finish(struct encoding *e)
{
	return !e->err->text[0] &&
	       recipe_finish(e->recipe, &e->fields, NULL, &e->t, e->err);
}

bool encoding_rows(struct encoding *e, double *x)
{
	const struct table *t = &e->t;
	double *scratch = table_alloc(&e->t, t->cols, sizeof *scratch, e->err);

	for (size_t i = 0; scratch && i < t->end; i++)
		memcpy(x + i * t->cols, t->row(t, i, scratch),
		       t->cols * sizeof *x);
	return scratch;
}

const char *const attend_schemes[] = {
	"none", "sinusoid", "relative", "t5", "alibi", "rope", "kerple",
	"sandwich", "fire", "retnet", "deberta", "transformer-xl", NULL
};

/* The options that belong to each scheme. */
static const char *const options[SCHEMES][12] = {
	[SCHEME_SINUSOID] = { "layout", "denom", "first", "base", "start",
			      "step", "positions" },
	[SCHEME_RELATIVE] = { "clip", "table-k", "table-v" },
	[SCHEME_T5] = { "table", "num-buckets", "max-distance",
			"bidirectional", "causal" },
	[SCHEME_ALIBI] = { "form", "bias-max" },
	[SCHEME_ROPE] = { "base", "pairs", "reversed", "rotary-dim", "scaling",
			  "start", "step", "positions", "sections", "mrope",
			  "positions-by" },
	[SCHEME_KERPLE] = { "kind", "r1", "r2", "form" },
	[SCHEME_SANDWICH] = { "sandwich-dim", "base" },
	[SCHEME_FIRE] = { "c", "threshold", "weights" },
	[SCHEME_RETNET] = { "normalize" },
	[SCHEME_DEBERTA] = { "clip", "buckets", "max-position", "table-k",
			     "table-q" },
	[SCHEME_XL] = { "clip", "wr", "bias-u", "bias-v" },
};

/* The option of attend with that name. */
static const struct option *attend_option(const struct table *owner,
					  const char *name)
{
	return option_find(owner->from.recipe->options, name, strlen(name));
}

static bool takes(int scheme, const char *name)
{
	for (const char *const *o = options[scheme]; *o; o++)
		if (strcmp(*o, name) == 0)
			return true;
	return false;
}

/* Refuse options of other schemes. */
static bool check_options(const struct attend *s, const struct table *owner,
			  struct error *err)
{
	for (int scheme = 0; scheme < SCHEMES; scheme++)
		for (const char *const *o = options[scheme]; *o; o++)
			if (!takes(s->scheme, *o) &&
			    option_changed(attend_option(owner, *o), s))
				return fail(err, "--%s does not apply to "
					    "--scheme %s%s", *o,
					    attend_schemes[s->scheme],
					    strcmp(*o, "causal") ? ""
					    : "; --mask causal masks keys "
					      "after the query");
	return true;
}

void scheme_begin(struct encoding *e, const struct attend *s, const char *name,
		  const struct table *owner, struct error *err)
{
	encoding_begin(e, name, owner, s, err);
	encoding_pass_options(e, options[s->scheme]);
}

void encoding_set_pairs(struct encoding *e, const struct attention *a)
{
	encoding_set_number(e, "query-len", (double)a->queries);
	encoding_set_number(e, "key-len", (double)a->keys);
}

/* Whether --positions has a value for each of n keys, and for each section. */
static bool check_positions(const struct attend *s, size_t n,
			    struct error *err)
{
	static const char *const words[] = { "one", "two", "three", "four" };
	size_t more = 0;

	for (const char *c = s->sections; c && *c && more < 3; c++)
		more += *c == ',';
	return !s->positions.at || s->positions.n == (more + 1) * n ||
	       fail(err, "--positions: expected %zu values, %s per key, got "
		    "%zu", (more + 1) * n, words[more], s->positions.n);
}

bool attend_add_sinusoid(const struct attend *s, const struct table *x,
			 struct table *sum, struct table *owner,
			 struct error *err)
{
	const size_t n = x->rows * x->cols;
	double *all = table_alloc(owner, n, sizeof *all, err);
	struct encoding e;
	bool good;

	if (!all || !check_positions(s, x->rows, err))
		return false;
	*sum = (struct table){ .planes = 1, .rows = x->rows, .cols = x->cols };
	table_dense(sum, all);
	scheme_begin(&e, s, "sinusoid", owner, err);
	if (!s->positions.at)
		encoding_set_number(&e, "len", (double)x->rows);
	encoding_set_number(&e, "dim", (double)x->cols);
	good = encoding_finish(&e) && encoding_rows(&e, all);
	if (good)
		attend_add(all, 1, x->row(x, 0, NULL), n);
	encoding_close(&e);
	return good;
}

bool attend_rotate(const struct attend *s, double *x, const size_t shape[3],
		   long past, struct table *owner, struct error *err)
{
	struct table rows = { .planes = shape[0], .rows = shape[1],
			      .cols = shape[2] };
	const double start = s->start + (double)past * s->step;
	const struct table *lent = &rows;
	struct list last = s->positions;
	struct encoding e;
	bool good;

	if (!s->rotary_dim && rows.cols % 2)
		return fail(err, "--scheme rope needs an even dim of a head, "
			    "got %zu", rows.cols);
	if (s->positions.at && (past < 0 || (past && s->sections)))
		return fail(err, "--positions needs %s one query per key, got "
			    "%zu queries and %ld keys", s->sections ? "exactly"
			    : "at most", rows.rows, (long)rows.rows + past);
	if (!check_positions(s, rows.rows + (size_t)past, err))
		return false;
	table_dense(&rows, x);
	scheme_begin(&e, s, "rope", owner, err);
	if (past && last.at) {
		last.at += past;
		last.n -= (size_t)past;
		encoding_set_value(&e, "positions", &last, sizeof last);
	}
	encoding_set_number(&e, "start", start);
	encoding_set_value(&e, "apply", &lent, sizeof lent);
	good = encoding_finish(&e) && encoding_rows(&e, x);
	encoding_close(&e);
	return good;
}

bool encoding_keep(struct pair_values *to, struct encoding *e,
		   struct table *owner, struct error *err)
{
	const struct table *t = &e->t;
	const size_t n = t->rows + t->cols - 1;
	double *at = table_alloc(owner, t->at_distance ? t->planes * n
				 : t->end * t->cols, sizeof *at, err);

	*to = (struct pair_values){ at, 0, (long)(t->rows * t->cols),
				    (long)t->cols };
	if (!at || !t->at_distance)
		return at && encoding_rows(e, at);
	for (size_t p = 0; p < t->planes; p++)
		table_diagonals(t, p, 0, n, at + p * n);
	*to = (struct pair_values){ at, (long)t->rows - 1, (long)n, -1 };
	return true;
}

/* Whether --table of T5 suits the heads. */
static bool check_t5(const struct attend *s, const struct attention *a,
		     struct error *err)
{
	char shape[SHAPE_TEXT];

	if (!s->table)
		return fail(err, "--scheme t5 needs --table FILE of shape "
			    "[buckets, heads]");
	if (s->table->cols != a->heads)
		return fail(err, "--table must have %zu columns, one per head, "
			    "got %s", a->heads, shape_of(s->table, shape));
	return true;
}

/* Whether every query is at a key, as schemes with absolute positions need. */
static bool check_queries(const struct attend *s, const struct attention *a,
			  struct error *err)
{
	const bool any = s->scheme != SCHEME_T5 && s->scheme != SCHEME_FIRE &&
			 s->scheme != SCHEME_RETNET;

	return any || a->queries <= a->keys ||
	       fail(err, "--scheme %s needs at most %zu queries, one per key, "
		    "got %zu", attend_schemes[s->scheme], a->keys, a->queries);
}

/* Set the options of the encoding that the scheme implies. */
static bool set_bias(const struct attend *s, const struct attention *a,
		     struct encoding *e)
{
	encoding_set_pairs(e, a);
	switch (s->scheme) {
	case SCHEME_T5:
		encoding_set_number(e, "past", (double)(a->keys - a->queries));
		return true;
	case SCHEME_FIRE:
		return s->weights.at || fail(e->err, "--scheme fire needs "
					     "--weights W1,B1,W2,B2");
	case SCHEME_RETNET:
		encoding_set(e, "out", "mask");
		break;
	case SCHEME_SANDWICH:
		if (s->sandwich_dim % 2)
			return fail(e->err, "--sandwich-dim must be even, got "
				    "%zu", s->sandwich_dim);
		encoding_set_number(e, "dim", (double)s->sandwich_dim);
		break;
	default:
		break;
	}
	encoding_set_number(e, "heads", (double)a->heads);
	return true;
}

/* The encodings that make biases, or the factors of RetNet; else NULL. */
static const char *const biases[SCHEMES] = {
	[SCHEME_T5] = "t5-bucket", [SCHEME_ALIBI] = "alibi",
	[SCHEME_KERPLE] = "kerple", [SCHEME_SANDWICH] = "sandwich",
	[SCHEME_FIRE] = "fire", [SCHEME_RETNET] = "retnet",
};

static bool make_bias(const struct attend *s, struct attention *a,
		      struct table *owner, struct error *err)
{
	struct encoding e;
	bool good;

	if ((s->scheme == SCHEME_T5 && !check_t5(s, a, err)) ||
	    !check_queries(s, a, err))
		return false;
	scheme_begin(&e, s, biases[s->scheme], owner, err);
	good = set_bias(s, a, &e) && encoding_finish(&e);
	if (good && e.t.planes != a->heads)
		good = fail(err, "--weights must have %zu heads, got %zu",
			    a->heads, e.t.planes);
	good = good && encoding_keep(s->scheme == SCHEME_RETNET ? &a->decay
				     : &a->bias, &e, owner, err);
	encoding_close(&e);
	return good;
}

/* Whether every query sees at least one key, or has a sink. */
static bool check_visible(const struct attention *a, struct error *err)
{
	for (size_t i = 0; i < a->queries; i++)
		if (!a->sinks && !memchr(a->visible + i * a->keys, 1, a->keys))
			return fail(err, "--mask must leave at least one key "
				    "to each query, got none of %zu for query "
				    "%zu of %zu", a->keys, i,
				    a->queries);
	return true;
}

static bool take_mask(struct attention *a, const struct table *t,
		      struct table *owner, struct error *err)
{
	const size_t n = a->queries * a->keys;
	unsigned char *visible = table_alloc(owner, n, 1, err);
	double *scratch = table_alloc(owner, a->keys, sizeof *scratch, err);

	a->visible = visible;
	for (size_t i = 0; visible && scratch && i < a->queries; i++) {
		const double *row = t->row(t, i, scratch);

		for (size_t j = 0; j < a->keys; j++)
			*visible++ = row[j] > 0;
	}
	return a->visible && scratch && check_visible(a, err);
}

static bool make_mask(const struct attend *s, struct attention *a,
		      struct table *owner, struct error *err)
{
	static const char *const also[] = {
		"segments", "cu-seqlens", "images", "dilation", NULL
	};
	struct encoding e;
	char text[OPTION_ROOM];
	const char *kind = option_text(attend_option(owner, "mask"), s, text);
	bool good;

	if (strcmp(kind, "full") == 0 && !s->segments.at &&
	    !s->cu_seqlens.at && !s->images.at && s->dilation == 1)
		return true;
	encoding_begin(&e, "mask", owner, s, err);
	encoding_set(&e, "kind", kind);
	encoding_set_pairs(&e, a);
	encoding_pass_options(&e, also);
	good = encoding_finish(&e) && take_mask(a, &e.t, owner, err);
	encoding_close(&e);
	return good;
}

/* What needs a softmax, or a head; and a->sinks. */
static bool take_sinks(const struct attend *s, struct attention *a,
		       struct error *err)
{
	if (s->scheme == SCHEME_RETNET && (s->softcap > 0 || s->sinks.at))
		return fail(err, "--%s does not apply to --scheme retnet, "
			    "which has no softmax", s->sinks.at ? "sinks"
			    : "softcap");
	if (s->sinks.at && s->out == OUT_LOGITS)
		return fail(err, "--sinks does not apply to --out logits: "
			    "sinks change weights and values");
	if (s->sinks.at && s->sinks.n != a->heads)
		return fail(err, "--sinks: expected %zu value%s, one per head, "
			    "got %zu", a->heads, a->heads == 1 ? "" : "s",
			    s->sinks.n);
	a->sinks = s->sinks.at;
	return true;
}

bool attend_scheme(const struct attend *s, struct attention *a,
		   struct table *owner, struct error *err)
{
	return check_options(s, owner, err) && take_sinks(s, a, err) &&
	       (!biases[s->scheme] || make_bias(s, a, owner, err)) &&
	       attend_labels(s, a, owner, err) &&
	       make_mask(s, a, owner, err);
}
