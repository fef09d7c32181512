/*
 * attend_labels.c: schemes in which queries and keys are multiplied by vectors
 * of their distance: Shaw et al. 2018, DeBERTa and Transformer-XL. A pair has
 * the label of its distance, and each label a vector.
 */
#include <string.h>

#include "views/attend.h"

/* A vector [dim of a head] for each label: x[label cols + h head + c]. */
struct vectors {
	const double *x;
	size_t cols, head;
};

/* Rows of all heads: x[h heads + i row + c]. */
struct rows {
	const double *x;
	size_t n, heads, row;
};

/* The product of each row with each label's vector, [heads, n, labels]. */
static const double *multiply(const struct rows *r, const struct vectors *v,
			      const struct attention *a, struct table *owner,
			      struct error *err)
{
	const size_t n = a->heads * r->n;
	double *all = table_alloc(owner, n * a->labels, sizeof *all, err);
	double *to = all;

	for (size_t p = 0; to && p < n; p++) {
		const size_t h = p / r->n;
		const double *x = r->x + h * r->heads + p % r->n * r->row;

		for (size_t l = 0; l < a->labels; l++, to++) {
			const double *y = v->x + l * v->cols + h * v->head;

			for (size_t c = 0; c < a->dim; c++)
				*to += x[c] * y[c];
		}
	}
	return all;
}

static struct rows queries(const struct attention *a, const double *q)
{
	return (struct rows){ q, a->queries, a->queries * a->dim, a->dim };
}

static struct rows keys(const struct attention *a)
{
	return (struct rows){ a->k, a->keys, a->keys * a->dim, a->dim };
}

/* Whether a table has a vector of cols elements for each label. */
static bool check_vectors(const struct table *t, const char *name,
			  size_t labels, size_t cols, const char *what,
			  struct error *err)
{
	char shape[SHAPE_TEXT];

	if (t && (t->planes != 1 || t->rows != labels || t->cols != cols))
		return fail(err, "--%s must be [%zu, %zu] (%s), got %s", name,
			    labels, cols, what, shape_of(t, shape));
	return true;
}

/*
 * The labels of that kind; where neither --clip nor --buckets says how many, of
 * distances up to clip.
 */
static bool make_labels(const struct attend *s, struct attention *a,
			const char *kind, size_t clip, struct table *owner,
			struct error *err)
{
	struct encoding e;
	bool good;

	if (!scheme_begin(&e, s, owner, err))
		return false;
	encoding_set_pairs(&e, a);
	encoding_set(&e, "kind", kind);
	encoding_set(&e, "align", "end");
	encoding_set(&e, "out", "labels");
	if (!encoding_given(&e, "clip") && !encoding_given(&e, "buckets"))
		encoding_set_number(&e, "clip", (double)clip);
	good = encoding_finish(&e) && encoding_keep(&a->label, &e, owner, err);
	a->label.head_stride = 0;
	a->labels = (size_t)e.t.hi + 1;
	encoding_close(&e);
	return good;
}

static struct vectors vectors_of(const struct table *t, size_t head)
{
	return (struct vectors){ t->row(t, 0, NULL), t->cols, head };
}

/* Shaw's labels; equation 5 multiplies queries by a^K. */
bool attend_shaw(const struct attend *s, struct attention *a,
		 struct table *owner, struct error *err)
{
	const struct table *either = s->table_k ? s->table_k : s->table_v;
	const struct rows q = queries(a, a->q);
	const char *what = "2K + 1 labels, dim of a head";
	struct vectors v;

	if (!make_labels(s, a, "shaw", either->rows / 2, owner, err) ||
	    !check_vectors(s->table_k, "table-k", a->labels, a->dim, what,
			   err) ||
	    (a->v && !check_vectors(s->table_v, "table-v", a->labels,
				    a->value_dim, what, err)))
		return false;
	if (s->table_v)
		a->label_values = s->table_v->row(s->table_v, 0, NULL);
	if (!s->table_k)
		return true;
	v = vectors_of(s->table_k, 0);
	a->label_keys = multiply(&q, &v, a, owner, err);
	return a->label_keys;
}

/*
 * Content to position and position to content, He et al. 2021, section 3.1.
 * Both take the row delta(i, j), as the authors' code: equation 4 has
 * delta(j, i) in the latter.
 */
bool attend_deberta(const struct attend *s, struct attention *a,
		    struct table *owner, struct error *err)
{
	const struct table *either = s->table_k ? s->table_k : s->table_q;
	const struct rows q = queries(a, a->q), k = keys(a);
	const size_t cols = a->heads * a->dim;
	const char *what = "2K labels, heads times dim of a head";
	struct vectors v;
	size_t terms = 1;

	if (!make_labels(s, a, "deberta", either->rows / 2, owner, err) ||
	    !check_vectors(s->table_k, "table-k", a->labels, cols, what, err) ||
	    !check_vectors(s->table_q, "table-q", a->labels, cols, what, err))
		return false;
	if (s->table_k) {
		v = vectors_of(s->table_k, a->dim);
		a->label_keys = multiply(&q, &v, a, owner, err);
		terms++;
	}
	if (s->table_q) {
		v = vectors_of(s->table_q, a->dim);
		a->label_queries = multiply(&k, &v, a, owner, err);
		terms++;
	}
	a->divisor = attend_divisor(s, a->dim * terms);
	return !err->text[0];
}

/* Queries plus the vectors of bias [heads, dim], or 0; NULL: no memory. */
static const double *biased(const struct attention *a,
			    const struct table *bias, struct table *owner,
			    struct error *err)
{
	const size_t head = a->queries * a->dim;
	double *to = table_alloc(owner, a->heads * head, sizeof *to, err);

	for (size_t i = 0; to && i < a->heads * head; i++) {
		const size_t at = i / head * a->dim + i % a->dim;

		to[i] = a->q[i] + (bias ? bias->row(bias, 0, NULL)[at] : 0);
	}
	return to;
}

/*
 * The sinusoids of distances keys down to 1 - queries, [labels, dim], times
 * --wr: [labels, heads dim].
 */
static const double *project_sinusoids(const struct attend *s,
				       const struct attention *a,
				       struct table *owner, struct error *err)
{
	const size_t cols = a->heads * a->dim;
	const size_t dim = s->wr ? s->wr->rows : cols;
	double *r = table_alloc(owner, a->labels * dim, sizeof *r, err);
	double *to = s->wr ? table_alloc(owner, a->labels * cols, sizeof *to,
					 err) : r;
	struct encoding e;
	bool good;

	if (!r || !to)
		return NULL;
	if (!scheme_begin(&e, s, owner, err))
		return NULL;
	encoding_set_pairs(&e, a);
	encoding_set(&e, "kind", "xlnet");
	encoding_set(&e, "out", "sinusoids");
	encoding_set_number(&e, "dim", (double)dim);
	good = encoding_finish(&e) && encoding_rows(&e, r);
	encoding_close(&e);
	for (size_t l = 0; good && s->wr && l < a->labels; l++)
		for (size_t c = 0; c < dim; c++)
			attend_add(to + l * cols, r[l * dim + c],
				   s->wr->row(s->wr, c, NULL), cols);
	return good ? to : NULL;
}

/* The label of a distance i - j is keys - (i - j). */
static bool number_distances(struct attention *a, struct table *owner,
			     struct error *err)
{
	double *at = table_alloc(owner, a->labels, sizeof *at, err);

	for (size_t l = 0; at && l < a->labels; l++)
		at[l] = (double)l;
	a->label = (struct pair_values){ at, (long)a->queries, 0, -1 };
	return at;
}

/* Dai et al. 2019, section 3.3. */
bool attend_xl(const struct attend *s, struct attention *a,
	       struct table *owner, struct error *err)
{
	const size_t cols = a->heads * a->dim;
	const char *what = "heads, dim of a head";
	char shape[SHAPE_TEXT];
	const double *q;
	struct vectors v = { NULL, cols, a->dim };
	struct rows r;

	if (s->wr && (s->wr->planes != 1 || s->wr->cols != cols ||
		      s->wr->rows % 2))
		return fail(err, "--wr must be [D, %zu] with an even D, got %s",
			    cols, shape_of(s->wr, shape));
	if (!s->wr && cols % 2)
		return fail(err, "--scheme transformer-xl needs an even number "
			    "of columns or --wr, got %zu", cols);
	if (!check_vectors(s->bias_u, "bias-u", a->heads, a->dim, what, err) ||
	    !check_vectors(s->bias_v, "bias-v", a->heads, a->dim, what, err))
		return false;
	a->labels = a->keys + a->queries;
	v.x = project_sinusoids(s, a, owner, err);
	q = biased(a, s->bias_v, owner, err);
	if (!v.x || !q || !number_distances(a, owner, err))
		return false;
	r = queries(a, q);
	a->label_keys = multiply(&r, &v, a, owner, err);
	a->q = biased(a, s->bias_u, owner, err);
	return a->label_keys && a->q;
}
