/*
 * attend_scheme.c: what schemes of positions add to attention. Their tables are
 * made by their own recipes, from the options that have the same names.
 */
#include <string.h>

#include "views/attend.h"
#include "views/maker.h"

const char *const attend_schemes[] = {
	"none", "sinusoid", "relative", "t5", "alibi", "rope", NULL
};

/* The options that each scheme takes. */
static const char *const options[SCHEMES][8] = {
	[SCHEME_SINUSOID] = { "layout", "denom", "first", "base", "start",
			      "step" },
	[SCHEME_RELATIVE] = { "clip", "table-k", "table-v" },
	[SCHEME_T5] = { "table", "num-buckets", "max-distance",
			"bidirectional", "causal" },
	[SCHEME_ALIBI] = { "form", "bias-max" },
	[SCHEME_ROPE] = { "base", "pairs", "rotary-dim", "scaling", "start",
			  "step" },
};

/* The row of an option among attend's own. */
static const struct option *own(const struct table *owner, const char *name)
{
	return option_find(owner->recipe->options, name, strlen(name));
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
			    option_changed(own(owner, *o), s))
				return fail(err, "--%s is not for --scheme %s",
					    *o, attend_schemes[s->scheme]);
	return true;
}

/* Begin the table of an encoding with the options of the scheme. */
static void begin(struct maker *m, const struct attend *s, const char *name,
		  const struct table *owner, struct error *err)
{
	maker_begin(m, name, owner->recipe->options, s, err);
	maker_pass(m, options[s->scheme]);
}

static void set_pairs(struct maker *m, const struct attention *a)
{
	maker_number(m, "query-len", (double)a->queries);
	maker_number(m, "key-len", (double)a->keys);
}

bool attend_add_sinusoid(const struct attend *s, const struct table *x,
			 struct table *sum, struct table *owner,
			 struct error *err)
{
	const size_t n = x->rows * x->cols;
	double *all = table_alloc(owner, n, sizeof *all, err);
	struct maker m;
	bool good;

	if (!all)
		return false;
	*sum = (struct table){ .planes = 1, .rows = x->rows, .cols = x->cols };
	table_dense(sum, all);
	begin(&m, s, "sinusoid", owner, err);
	maker_number(&m, "len", (double)x->rows);
	maker_number(&m, "dim", (double)x->cols);
	good = maker_finish(&m) && maker_rows(&m, all);
	if (good)
		attend_add(all, 1, x->row(x, 0, NULL), n);
	maker_close(&m);
	return good;
}

bool attend_turn(const struct attend *s, double *x, const size_t shape[3],
		 long past, struct table *owner, struct error *err)
{
	struct table rows = { .planes = shape[0], .rows = shape[1],
			      .cols = shape[2] };
	const double start = s->start + (double)past * s->step;
	const struct table *lent = &rows;
	struct maker m;
	bool good;

	if (!s->rotary_dim && rows.cols % 2)
		return fail(err, "--scheme rope turns pairs, and a head of "
			    "queries has %zu numbers", rows.cols);
	table_dense(&rows, x);
	begin(&m, s, "rope", owner, err);
	maker_number(&m, "start", start);
	maker_lend(&m, "apply", &lent, sizeof lent);
	good = maker_finish(&m) && maker_rows(&m, x);
	maker_close(&m);
	return good;
}

/* Keep the table, by its diagonals where it has them. */
static bool keep_side(struct side *side, struct maker *m, struct table *owner,
		      struct error *err)
{
	const struct table *t = &m->t;
	const size_t n = t->rows + t->cols - 1;
	double *at = table_alloc(owner, t->diagonals ? t->planes * n
				 : t->end * t->cols, sizeof *at, err);

	*side = (struct side){ at, 0, (long)(t->rows * t->cols),
			       (long)t->cols };
	if (!at || !t->diagonals)
		return at && maker_rows(m, at);
	for (size_t p = 0; p < t->planes; p++)
		t->diagonals(t, p, 0, n, at + p * n);
	*side = (struct side){ at, (long)t->rows - 1, (long)n, -1 };
	return true;
}

static bool make_bias(const struct attend *s, struct attention *a,
		      struct table *owner, struct error *err)
{
	const bool alibi = s->scheme == SCHEME_ALIBI;
	char shape[SHAPE_TEXT];
	struct maker m;
	bool good;

	if (!alibi && !s->table)
		return fail(err, "--scheme t5 needs --table FILE, [buckets, "
			    "heads]");
	if (!alibi && s->table->cols != a->heads)
		return fail(err, "--table %s must have a column for each of "
			    "%zu heads", shape_of(s->table, shape), a->heads);
	if (!alibi && a->queries > a->keys)
		return fail(err, "--scheme t5 has its queries among the keys: "
			    "%zu are more than %zu", a->queries, a->keys);
	begin(&m, s, alibi ? "alibi" : "t5-bucket", owner, err);
	set_pairs(&m, a);
	maker_number(&m, alibi ? "heads" : "past", (double)(alibi ? a->heads
					: a->keys - a->queries));
	good = maker_finish(&m) && keep_side(&a->bias, &m, owner, err);
	maker_close(&m);
	return good;
}

/* Whether a table of Shaw's has a vector of dim for each label. */
static bool check_vectors(const struct table *t, const char *name,
			  size_t labels, size_t dim, struct error *err)
{
	char shape[SHAPE_TEXT];

	if (t && (t->planes != 1 || t->rows != labels || t->cols != dim))
		return fail(err, "--%s must be [%zu, %zu], 2K + 1 labels of a "
			    "head's numbers, not %s", name, labels, dim,
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

/* Shaw's labels, and what the keys' half of a product is of each. */
static bool make_labels(const struct attend *s, struct attention *a,
			struct table *owner, struct error *err)
{
	const struct table *some = s->table_k ? s->table_k : s->table_v;
	struct maker m;
	size_t clip;
	bool good;

	if (!some)
		return fail(err, "--scheme relative needs --table-k FILE or "
			    "--table-v FILE");
	clip = s->clip == NOT_GIVEN ? some->rows / 2 : (size_t)s->clip;
	a->labels = 2 * clip + 1;
	if (!check_vectors(s->table_k, "table-k", a->labels, a->dim, err) ||
	    (a->v && !check_vectors(s->table_v, "table-v", a->labels,
				    a->value_dim, err)))
		return false;
	if (s->table_v)
		a->label_values = s->table_v->row(s->table_v, 0, NULL);
	begin(&m, s, "relative", owner, err);
	set_pairs(&m, a);
	maker_number(&m, "clip", (double)clip);
	good = maker_finish(&m) && keep_side(&a->label, &m, owner, err);
	a->label.head = 0;
	maker_close(&m);
	return good && (!s->table_k ||
			multiply_labels(s->table_k, a, owner, err));
}

/* Whether every query sees a key. */
static bool check_seen(const struct attention *a, struct error *err)
{
	for (size_t i = 0; i < a->queries; i++)
		if (!memchr(a->seen + i * a->keys, 1, a->keys))
			return fail(err, "--mask hides all of %zu keys from "
				    "query %zu of %zu", a->keys, i,
				    a->queries);
	return true;
}

static bool take_mask(struct attention *a, const struct table *t,
		      struct table *owner, struct error *err)
{
	const size_t n = a->queries * a->keys;
	unsigned char *seen = table_alloc(owner, n, 1, err);
	double *scratch = table_alloc(owner, a->keys, sizeof *scratch, err);

	a->seen = seen;
	for (size_t i = 0; seen && scratch && i < a->queries; i++) {
		const double *row = t->row(t, i, scratch);

		for (size_t j = 0; j < a->keys; j++)
			*seen++ = row[j] > 0;
	}
	return a->seen && scratch && check_seen(a, err);
}

static bool make_mask(const struct attend *s, struct attention *a,
		      struct table *owner, struct error *err)
{
	struct maker m;
	char kind[64];
	bool good;

	option_text(own(owner, "mask"), s, kind, sizeof kind);
	if (strcmp(kind, "full") == 0 && !s->segments.at)
		return true;
	maker_begin(&m, "mask", owner->recipe->options, s, err);
	maker_text(&m, "kind", kind);
	set_pairs(&m, a);
	maker_lend(&m, "segments", &s->segments, sizeof s->segments);
	good = maker_finish(&m) && take_mask(a, &m.t, owner, err);
	maker_close(&m);
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
