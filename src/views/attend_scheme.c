/*
 * attend_scheme.c: what a scheme of positions adds to attention. Its table is
 * made by the encoding's own recipe, from the options of the same names.
 */
#include <stdio.h>
#include <string.h>

#include "recipes.h"
#include "views/attend.h"

/*
 * The table of an encoding while it is made. The first failure is kept in err;
 * later calls then do nothing.
 */
struct encoding {
	const struct recipe *recipe;
	struct fields fields;
	struct error *err;
	const struct option *options;  /* of attend, */
	const void *self;              /* and their values */
	struct table t;
};

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

static void encoding_close(struct encoding *e)
{
	table_close(&e->t);
}

/* Set an option of the encoding to a text or a number. */
static void encoding_set(struct encoding *e, const char *name, const char *text)
{
	if (!e->err->text[0])
		recipe_set(e->recipe, &e->fields, name, text, e->err);
}

static void encoding_set_number(struct encoding *e, const char *name, double x)
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
	if (o->kind == OPTION_TABLE) {
		encoding_set_value(e, name, (const char *)e->self + o->at,
			   sizeof(struct table *));
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

/* Make the table; false if anything has failed. */
static bool encoding_finish(struct encoding *e)
{
	return !e->err->text[0] &&
	       recipe_finish(e->recipe, &e->fields, NULL, &e->t, e->err);
}

/* All rows of the table, to x [end, cols], from which it may be made. */
static bool encoding_rows(struct encoding *e, double *x)
{
	const struct table *t = &e->t;
	double *scratch = table_alloc(&e->t, t->cols, sizeof *scratch, e->err);

	for (size_t i = 0; scratch && i < t->end; i++)
		memcpy(x + i * t->cols, t->row(t, i, scratch),
		       t->cols * sizeof *x);
	return scratch;
}

const char *const attend_schemes[] = {
	"none", "sinusoid", "relative", "t5", "alibi", "rope", NULL
};

/* The options that belong to each scheme. */
static const char *const options[SCHEMES][8] = {
	[SCHEME_SINUSOID] = { "layout", "denom", "first", "base", "start",
			      "step" },
	[SCHEME_RELATIVE] = { "clip", "table-k", "table-v" },
	[SCHEME_T5] = { "table", "num-buckets", "max-distance",
			"bidirectional", "causal" },
	[SCHEME_ALIBI] = { "form", "bias-max" },
	[SCHEME_ROPE] = { "base", "pairs", "reversed", "rotary-dim", "scaling",
			  "start", "step" },
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
					    "--scheme %s",
					    *o, attend_schemes[s->scheme]);
	return true;
}

/* Begin the table of an encoding with the options of the scheme. */
static void scheme_begin(struct encoding *e, const struct attend *s,
			 const char *name, const struct table *owner,
			 struct error *err)
{
	encoding_begin(e, name, owner, s, err);
	encoding_pass_options(e, options[s->scheme]);
}

static void set_pairs(struct encoding *e, const struct attention *a)
{
	encoding_set_number(e, "query-len", (double)a->queries);
	encoding_set_number(e, "key-len", (double)a->keys);
}

bool attend_add_sinusoid(const struct attend *s, const struct table *x,
			 struct table *sum, struct table *owner,
			 struct error *err)
{
	const size_t n = x->rows * x->cols;
	double *all = table_alloc(owner, n, sizeof *all, err);
	struct encoding e;
	bool good;

	if (!all)
		return false;
	*sum = (struct table){ .planes = 1, .rows = x->rows, .cols = x->cols };
	table_dense(sum, all);
	scheme_begin(&e, s, "sinusoid", owner, err);
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
	struct encoding e;
	bool good;

	if (!s->rotary_dim && rows.cols % 2)
		return fail(err, "--scheme rope needs an even dim of a head, "
			    "got %zu", rows.cols);
	table_dense(&rows, x);
	scheme_begin(&e, s, "rope", owner, err);
	encoding_set_number(&e, "start", start);
	encoding_set_value(&e, "apply", &lent, sizeof lent);
	good = encoding_finish(&e) && encoding_rows(&e, x);
	encoding_close(&e);
	return good;
}

/* Copy the table; only its diagonals if it has them. */
static bool keep_values(struct pair_values *to, struct encoding *e,
			struct table *owner, struct error *err)
{
	const struct table *t = &e->t;
	const size_t n = t->rows + t->cols - 1;
	double *at = table_alloc(owner, t->diagonals ? t->planes * n
				 : t->end * t->cols, sizeof *at, err);

	*to = (struct pair_values){ at, 0, (long)(t->rows * t->cols),
				    (long)t->cols };
	if (!at || !t->diagonals)
		return at && encoding_rows(e, at);
	for (size_t p = 0; p < t->planes; p++)
		t->diagonals(t, p, 0, n, at + p * n);
	*to = (struct pair_values){ at, (long)t->rows - 1, (long)n, -1 };
	return true;
}

static bool make_bias(const struct attend *s, struct attention *a,
		      struct table *owner, struct error *err)
{
	const bool alibi = s->scheme == SCHEME_ALIBI;
	char shape[SHAPE_TEXT];
	struct encoding e;
	bool good;

	if (!alibi && !s->table)
		return fail(err, "--scheme t5 needs --table FILE of shape "
			    "[buckets, heads]");
	if (!alibi && s->table->cols != a->heads)
		return fail(err, "--table must have %zu columns, one per head, "
			    "got %s", a->heads, shape_of(s->table, shape));
	if (!alibi && a->queries > a->keys)
		return fail(err, "--scheme t5 needs at most %zu queries, one "
			    "per key, got %zu", a->keys, a->queries);
	scheme_begin(&e, s, alibi ? "alibi" : "t5-bucket", owner, err);
	set_pairs(&e, a);
	encoding_set_number(&e, alibi ? "heads" : "past",
			    (double)(alibi ? a->heads : a->keys - a->queries));
	good = encoding_finish(&e) && keep_values(&a->bias, &e, owner, err);
	encoding_close(&e);
	return good;
}

/* Whether a table of Shaw et al. has a vector [dim] for each label. */
static bool check_label_vectors(const struct table *t, const char *name,
				size_t labels, size_t dim, struct error *err)
{
	char shape[SHAPE_TEXT];

	if (t && (t->planes != 1 || t->rows != labels || t->cols != dim))
		return fail(err, "--%s must be [%zu, %zu] (2K + 1 labels, dim "
			    "of a head), got %s", name, labels, dim,
			    shape_of(t, shape));
	return true;
}

/* q . a^K for each label, the second term of equation 5. */
static bool multiply_labels(const struct table *keys, struct attention *a,
			    struct table *owner, struct error *err)
{
	const size_t n = a->heads * a->queries;
	double *to = table_alloc(owner, n * a->labels, sizeof *to, err);

	a->label_keys = to;
	for (size_t p = 0; to && p < n; p++)
		for (size_t l = 0; l < a->labels; l++, to++)
			for (size_t c = 0; c < a->dim; c++)
				*to += a->q[p * a->dim + c] *
				       keys->row(keys, l, NULL)[c];
	return a->label_keys;
}

/* Shaw's labels, and the product of each label's vector with each query. */
static bool make_labels(const struct attend *s, struct attention *a,
			struct table *owner, struct error *err)
{
	const struct table *either = s->table_k ? s->table_k : s->table_v;
	struct encoding e;
	size_t clip;
	bool good;

	if (!either)
		return fail(err, "--scheme relative needs --table-k FILE or "
			    "--table-v FILE");
	clip = s->clip.given ? (size_t)s->clip.value : either->rows / 2;
	a->labels = 2 * clip + 1;
	if (!check_label_vectors(s->table_k, "table-k", a->labels, a->dim,
				 err) ||
	    (a->v && !check_label_vectors(s->table_v, "table-v", a->labels,
					  a->value_dim, err)))
		return false;
	if (s->table_v)
		a->label_values = s->table_v->row(s->table_v, 0, NULL);
	scheme_begin(&e, s, "relative", owner, err);
	set_pairs(&e, a);
	encoding_set_number(&e, "clip", (double)clip);
	good = encoding_finish(&e) && keep_values(&a->label, &e, owner, err);
	a->label.head_stride = 0;
	encoding_close(&e);
	return good && (!s->table_k ||
			multiply_labels(s->table_k, a, owner, err));
}

/* Whether every query sees at least one key. */
static bool check_visible(const struct attention *a, struct error *err)
{
	for (size_t i = 0; i < a->queries; i++)
		if (!memchr(a->visible + i * a->keys, 1, a->keys))
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
	struct encoding e;
	char text[OPTION_ROOM];
	const char *kind = option_text(attend_option(owner, "mask"), s, text);
	bool good;

	if (strcmp(kind, "full") == 0 && !s->segments.at)
		return true;
	encoding_begin(&e, "mask", owner, s, err);
	encoding_set(&e, "kind", kind);
	set_pairs(&e, a);
	encoding_set_value(&e, "segments", &s->segments, sizeof s->segments);
	good = encoding_finish(&e) && take_mask(a, &e.t, owner, err);
	encoding_close(&e);
	return good;
}

bool attend_scheme(const struct attend *s, struct attention *a,
		   struct table *owner, struct error *err)
{
	const bool biased = s->scheme == SCHEME_T5 ||
			    s->scheme == SCHEME_ALIBI;

	return check_options(s, owner, err) &&
	       (!biased || make_bias(s, a, owner, err)) &&
	       (s->scheme != SCHEME_RELATIVE ||
		make_labels(s, a, owner, err)) &&
	       make_mask(s, a, owner, err);
}
