/*
 * attend_scheme.c: what a scheme of positions adds to attention. Its table is
 * made by the encoding's own recipe, from the options that it lends.
 */
#include <stdio.h>
#include <string.h>

#include "recipes.h"
#include "views/attend.h"
#include "views/similarity.h"

/* Begin the table of an encoding that exists. */
static bool encoding_begin(struct encoding *e, const char *name,
			   const struct table *owner, struct error *err)
{
	*e = (struct encoding){
		.recipe = recipe_find(name, err), .err = err,
		.t.from.reads_files = owner->from.reads_files,
	};
	return recipe_begin(e->recipe, &e->t, &e->fields, err);
}

bool scheme_begin(struct encoding *e, const struct attend *s,
		  const struct table *owner, struct error *err)
{
	const struct guest *g = attend_recipe.guests;

	while (strcmp(g->word, attend_schemes[s->scheme]) != 0)
		g++;
	if (!encoding_begin(e, g->name, owner, err))
		return false;
	memcpy(e->fields.self, guest_self(&attend_recipe, s), e->recipe->size);
	return true;
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

/* The field of an option, which is a list, table or number of that type. */
static void *encoding_field(const struct encoding *e, const char *name)
{
	return (char *)e->fields.self +
	       option_find(e->recipe->options, name, strlen(name))->at;
}

bool encoding_given(const struct encoding *e, const char *name)
{
	return option_changed(option_find(e->recipe->options, name,
					  strlen(name)), e->fields.self);
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

void encoding_set_pairs(struct encoding *e, const struct attention *a)
{
	encoding_set_number(e, "query-len", (double)a->queries);
	encoding_set_number(e, "key-len", (double)a->keys);
}

/* Whether --positions, if given, has n values for each of several axes. */
static bool check_positions(const struct list *positions, size_t axes,
			    size_t n, struct error *err)
{
	static const char *const words[] = { "one", "two", "three", "four" };

	return !positions->at || positions->n == axes * n ||
	       fail(err, "--positions: expected %zu values, %s per key, got "
		    "%zu", axes * n, words[axes < 4 ? axes - 1 : 3],
		    positions->n);
}

bool attend_add_sinusoid(const struct attend *s, const struct table *x,
			 struct table *sum, struct table *owner,
			 struct error *err)
{
	const size_t n = x->rows * x->cols;
	double *all = table_alloc(owner, n, sizeof *all, err);
	const struct list *positions;
	struct encoding e;
	bool good;

	if (!all)
		return false;
	*sum = (struct table){ .planes = 1, .rows = x->rows, .cols = x->cols };
	table_dense(sum, all);
	if (!scheme_begin(&e, s, owner, err))
		return false;
	positions = encoding_field(&e, "positions");
	if (!positions->at)
		encoding_set_number(&e, "len", (double)x->rows);
	encoding_set_number(&e, "dim", (double)x->cols);
	good = check_positions(positions, 1, x->rows, err) &&
	       encoding_finish(&e) && encoding_rows(&e, all);
	if (good)
		attend_add(all, 1, x->row(x, 0, NULL), n);
	encoding_close(&e);
	return good;
}

/* Place n rows behind past others. */
static bool place(const struct encoding *e, size_t n, long past,
		  struct error *err)
{
	struct list *list = encoding_field(e, "positions");
	const struct list *sections = encoding_field(e, "sections");
	const double *step = encoding_field(e, "step");
	double *start = encoding_field(e, "start");
	const bool grid = encoding_given(e, "grid");

	if (grid ? past : list->at && (past < 0 || (past && sections->at)))
		return fail(err, "--%s needs %s one query per key, got %zu "
			    "queries and %ld keys", grid ? "grid"
			    : "positions", grid || sections->at ? "exactly"
			    : "at most", n, (long)n + past);
	if (!check_positions(list, sections->at ? sections->n : 1,
			     n + (size_t)past, err))
		return false;
	if (list->at) {
		list->at += past;
		list->n -= (size_t)past;
	}
	*start += (double)past * *step;
	return true;
}

bool attend_rotate(const struct attend *s, double *x, const size_t shape[3],
		   long past, struct table *owner, struct error *err)
{
	struct table rows = { .planes = shape[0], .rows = shape[1],
			      .cols = shape[2], .title = "queries or keys" };
	struct encoding e;
	bool good;

	if (!scheme_begin(&e, s, owner, err))
		return false;
	table_dense(&rows, x);
	*(const struct table **)encoding_field(&e, "apply") = &rows;
	good = rows.cols % 2 == 0 || encoding_given(&e, "rotary-dim") ||
	       fail(err, "--scheme rope needs an even dim of a head, got %zu",
		    rows.cols);
	good = good && place(&e, shape[1], past, err) &&
	       encoding_finish(&e) && encoding_rows(&e, x);
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

/* Set the options of the encoding that the scheme implies. */
static bool set_bias(const struct attend *s, const struct attention *a,
		     struct encoding *e)
{
	if (s->scheme != SCHEME_ALIBI || !encoding_given(e, "grid"))
		encoding_set_pairs(e, a);
	switch (s->scheme) {
	case SCHEME_T5:
		encoding_set_number(e, "past", (double)(a->keys - a->queries));
		return similarity_below(*(const struct table **)
					encoding_field(e, "table"), "--table",
					ATTEND_LARGEST, e->err);
	case SCHEME_FIRE:
		return true;
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

/* A figure of one head would teach that ALiBi does nothing. */
static bool note_slope(const struct attend *s, const struct attention *a,
		       const struct encoding *e, struct table *owner)
{
	return s->scheme != SCHEME_ALIBI || a->heads > 1 ||
	       encoding_given(e, "bias-max") || encoding_given(e, "grid") ||
	       table_note(owner, e->err, "ALiBi's slope of one head is 1/256, "
			  "which hardly changes weights; with --bias-max 1 it "
			  "is 1/2");
}

/* The biases of a scheme, or the factors of RetNet. */
static bool make_bias(const struct attend *s, struct attention *a,
		      struct table *owner, struct error *err)
{
	const bool late = s->scheme == SCHEME_T5 || s->scheme == SCHEME_FIRE ||
			  s->scheme == SCHEME_RETNET;
	struct encoding e;
	bool good;

	if (late && a->queries > a->keys)
		return fail(err, "--scheme %s needs at most %zu queries, one "
			    "per key, got %zu", attend_schemes[s->scheme],
			    a->keys, a->queries);
	if (!scheme_begin(&e, s, owner, err))
		return false;
	good = set_bias(s, a, &e) && encoding_finish(&e) &&
	       note_slope(s, a, &e, owner);
	if (good && (e.t.rows != a->queries || e.t.cols != a->keys))
		good = fail(err, "--grid has %zu cells, one per query and key, "
			    "got %zu queries and %zu keys", e.t.rows,
			    a->queries, a->keys);
	if (good && e.t.planes != a->heads)
		good = fail(err, "--%s must have %zu heads, got %zu",
			    s->scheme == SCHEME_T5 ? "table" : "weights",
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
	struct encoding e;
	char text[OPTION_ROOM];
	const char *kind = option_text(option_find(attend_recipe.options,
						   "mask", 4), s, text);
	bool good;

	if (strcmp(kind, "full") == 0 && !s->segments.at &&
	    !s->cu_seqlens.at && !s->images.at && s->dilation == 1)
		return true;
	if (!encoding_begin(&e, "mask", owner, err))
		return false;
	encoding_set(&e, "kind", kind);
	encoding_set_pairs(&e, a);
	*(struct list *)encoding_field(&e, "segments") = s->segments;
	*(struct list *)encoding_field(&e, "cu-seqlens") = s->cu_seqlens;
	*(struct list *)encoding_field(&e, "images") = s->images;
	*(size_t *)encoding_field(&e, "dilation") = s->dilation;
	good = encoding_finish(&e) && take_mask(a, &e.t, owner, err);
	encoding_close(&e);
	return good;
}

bool attend_scheme(const struct attend *s, struct attention *a,
		   struct table *owner, struct error *err)
{
	bool good = true;

	if (s->sinks.at && s->sinks.n != a->heads)
		return fail(err, "--sinks: expected %zu value%s, one per head, "
			    "got %zu", a->heads, a->heads == 1 ? "" : "s",
			    s->sinks.n);
	a->sinks = s->sinks.at;
	switch (s->scheme) {
	case SCHEME_RELATIVE:
		good = attend_shaw(s, a, owner, err);
		break;
	case SCHEME_DEBERTA:
		good = attend_deberta(s, a, owner, err);
		break;
	case SCHEME_XL:
		good = attend_xl(s, a, owner, err);
		break;
	case SCHEME_NONE:
	case SCHEME_SINUSOID:
	case SCHEME_ROPE:
		break;
	default:
		good = make_bias(s, a, owner, err);
	}
	return good && make_mask(s, a, owner, err);
}
