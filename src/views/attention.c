/* attention.c: heads of attention: projections, logits, weights. */
#include <math.h>
#include <string.h>

#include "views/attend.h"
#include "views/similarity.h"
#include "views/softmax.h"

static bool check_values(const struct attend *s,
			     const struct sources *from, struct error *err)
{
	const struct {
		const struct table *t;
		const char *name;
	} all[] = {
		{ from->q, from->one ? "TABLE" : "--q" }, { s->k, "--k" },
		{ s->v, "--v" }, { s->wq, "--wq" }, { s->wk, "--wk" },
		{ s->wv, "--wv" }, { s->wo, "--wo" },
		{ s->table_k, "--table-k" }, { s->table_q, "--table-q" },
		{ s->table_v, "--table-v" }, { s->wr, "--wr" },
		{ s->bias_u, "--bias-u" }, { s->bias_v, "--bias-v" },
		{ s->temperature, "--temperature" },
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].t &&
		    !similarity_below(all[i].t, all[i].name, ATTEND_LARGEST,
				      err))
			return false;
	return true;
}

bool attend_sources(const struct attend *s, const struct table *inputs,
		    struct sources *from, struct error *err)
{
	*from = (struct sources){ s->q, s->k, s->v, inputs->row };
	if (from->one && (s->q || s->k || s->v))
		return fail(err, "TABLE cannot be combined with --q, --k or "
			    "--v");
	if (from->one)
		from->q = from->k = from->v = inputs;
	if (from->one && !similarity_one_plane(inputs, err))
		return false;
	if (!from->q || !from->k)
		return fail(err, "a TABLE is missing (or --q FILE and --k "
			    "FILE)");
	return check_values(s, from, err);
}

/* Queries, keys or values: the rows of x, times w unless that is NULL. */
struct projection {
	const struct table *x, *w;
	const char *name, *w_name;
};

static size_t projected_columns(const struct projection *r)
{
	return r->w ? r->w->cols : r->x->cols;
}

static bool check_projection(const struct projection *r, size_t heads,
			     struct error *err)
{
	char x[SHAPE_TEXT], w[SHAPE_TEXT];

	shape_of(r->x, x);
	if (r->w && r->x->planes != 1)
		return fail(err, "%s %s must have one plane for a product with "
			    "%s", r->name, x, r->w_name);
	if (r->w && (r->w->planes != 1 || r->w->rows != r->x->cols))
		return fail(err, "%s must be [%zu, N] for a product with %s "
			    "%s, got %s", r->w_name, r->x->cols, r->name, x,
			    shape_of(r->w, w));
	if (r->x->planes != 1 && r->x->planes != heads)
		return fail(err, "--heads must be %zu, the planes of %s %s, "
			    "got %zu", r->x->planes, r->name, x, heads);
	if (r->x->planes == 1 && projected_columns(r) % heads)
		return fail(err, "--heads must divide the %zu columns of %s, "
			    "got %zu", projected_columns(r),
			    r->w ? r->w_name : r->name, heads);
	return true;
}

/* The rows of r, times r->w, split into heads: [heads, rows, dim]. */
static double *split(const struct projection *r, size_t heads, size_t dim,
		     struct table *owner, struct error *err)
{
	const size_t n = r->x->rows, cols = projected_columns(r);
	double *to = table_alloc(owner, heads * n * dim, sizeof *to, err);
	double *line = table_alloc(owner, cols, sizeof *line, err);

	for (size_t p = 0; to && line && p < r->x->planes * n; p++) {
		const double *x = r->x->row(r->x, p, NULL);

		if (r->x->planes != 1) {
			memcpy(to + p * dim, x, dim * sizeof *to);
			continue;
		}
		memset(line, 0, cols * sizeof *line);
		for (size_t c = 0; r->w && c < r->w->rows; c++)
			attend_add(line, x[c], r->w->row(r->w, c, NULL), cols);
		for (size_t h = 0; h < heads; h++)
			memcpy(to + (h * n + p) * dim, (r->w ? line : x) +
			       h * dim, dim * sizeof *to);
	}
	return line ? to : NULL;
}

static size_t head_dim(const struct projection *r, size_t heads)
{
	return r->x->planes == 1 ? projected_columns(r) / heads : r->x->cols;
}

static bool check_pair(const struct projection *q, const struct projection *k,
		       const struct projection *v, size_t heads,
		       struct error *err)
{
	char a[SHAPE_TEXT], b[SHAPE_TEXT];

	if (head_dim(q, heads) != head_dim(k, heads))
		return fail(err, "queries and keys must have the same dim, got "
			    "%zu and %zu (%s %s and %s %s)",
			    head_dim(q, heads), head_dim(k, heads),
			    q->w ? q->w_name : q->name,
			    shape_of(q->w ? q->w : q->x, a),
			    k->w ? k->w_name : k->name,
			    shape_of(k->w ? k->w : k->x, b));
	if (v->x && v->x->rows != k->x->rows)
		return fail(err, "--v must have %zu rows, like --k %s, got %s",
			    k->x->rows, shape_of(k->x, b), shape_of(v->x, a));
	return true;
}

/* Multiply each query by its factor of --temperature. */
static bool scale_queries(const struct attend *s, const struct attention *a,
			  double *q, struct error *err)
{
	const struct table *by = s->temperature;
	char shape[SHAPE_TEXT];

	if (!by)
		return true;
	if (by->planes != 1 || by->cols != 1 || by->rows != a->queries)
		return fail(err, "--temperature must be [%zu, 1], a factor per "
			    "query, got %s", a->queries, shape_of(by, shape));
	for (size_t p = 0; p < a->heads * a->queries; p++)
		for (size_t c = 0; c < a->dim; c++)
			q[p * a->dim + c] *= *by->row(by, p % a->queries,
						      NULL);
	return true;
}

/* Keep queries and keys, after rotating both by RoPE. */
static bool rotate(const struct attend *s, struct attention *a, double *q,
		   double *k, struct table *owner, struct error *err)
{
	const size_t queries[3] = { a->heads, a->queries, a->dim };
	const size_t keys[3] = { a->heads, a->keys, a->dim };

	if (s->scheme == SCHEME_ROPE &&
	    (!attend_rotate(s, q, queries, (long)a->keys - (long)a->queries,
			    owner, err) ||
	     !attend_rotate(s, k, keys, 0, owner, err)))
		return false;
	if (!scale_queries(s, a, q, err))
		return false;
	a->q = q;
	a->k = k;
	return true;
}

double attend_divisor(const struct attend *s, size_t n)
{
	return s->unscaled || s->qk_scale > 0 ? 1 : sqrt((double)n);
}

static bool project(const struct attend *s, const struct sources *from,
		    struct attention *a, struct table *owner,
		    struct error *err)
{
	const bool one = from->one;
	const struct projection q = { from->q, s->wq,
				      one ? "TABLE" : "--q", "--wq" };
	const struct projection k = { from->k, s->wk,
				      one ? "TABLE" : "--k", "--wk" };
	const struct projection v = { from->v, s->wv,
				      one ? "TABLE" : "--v", "--wv" };
	double *all_q, *all_k;

	if (!check_projection(&q, a->heads, err) ||
	    !check_projection(&k, a->heads, err) ||
	    (v.x && !check_projection(&v, a->heads, err)) ||
	    !check_pair(&q, &k, &v, a->heads, err))
		return false;
	a->queries = q.x->rows;
	a->keys = k.x->rows;
	a->dim = head_dim(&q, a->heads);
	if (s->head_dim && s->head_dim != a->dim)
		return fail(err, "--head-dim: expected heads of %zu columns, "
			    "got %zu with --heads %zu", s->head_dim, a->dim,
			    a->heads);
	a->scale = s->qk_scale > 0 ? s->qk_scale : 1;
	a->divisor = attend_divisor(s, a->dim);
	a->softcap = s->softcap > 0 ? s->softcap : 0;
	all_q = split(&q, a->heads, a->dim, owner, err);
	all_k = split(&k, a->heads, a->dim, owner, err);
	if (!all_q || !all_k || !rotate(s, a, all_q, all_k, owner, err))
		return false;
	if (!v.x)
		return true;
	a->value_dim = head_dim(&v, a->heads);
	a->v = split(&v, a->heads, a->value_dim, owner, err);
	return a->v;
}

bool attend_project(const struct attend *s, const struct sources *from,
		    struct attention *a, struct table *owner,
		    struct error *err)
{
	struct sources added = *from;
	struct table sum = { 0 };

	a->heads = s->heads ? s->heads : from->q->planes;
	if (s->scheme != SCHEME_SINUSOID)
		return project(s, from, a, owner, err);
	if (!from->one)
		return fail(err, "--scheme sinusoid needs a TABLE; it does not "
			    "apply to --q and --k");
	added.q = added.k = added.v = &sum;
	return attend_add_sinusoid(s, from->q, &sum, owner, err) &&
	       project(s, &added, a, owner, err);
}

void attend_add(double *to, double factor, const double *x, size_t n)
{
	for (size_t j = 0; j < n; j++)
		to[j] += factor * x[j];
}

/* Add the products of labels with query i and with all keys to x [keys]. */
static void add_labels(const struct attention *a, size_t h, size_t i,
		       const double *label, double *x)
{
	const double *of_query = a->label_keys;
	const double *of_keys = a->label_queries;

	if (of_query)
		of_query += (h * a->queries + i) * a->labels;
	for (size_t j = 0; of_query && j < a->keys; j++)
		x[j] += of_query[(size_t)label[j]];
	if (of_keys)
		of_keys += h * a->keys * a->labels;
	for (size_t j = 0; of_keys && j < a->keys; j++)
		x[j] += of_keys[j * a->labels + (size_t)label[j]];
}

/* Panels of each head of x [heads, rows, dim], owned by owner; or NULL. */
static struct gram *panels_of(const double *x, size_t heads, size_t rows,
			      size_t dim, struct table *owner,
			      struct error *err)
{
	struct table t = { .planes = heads, .rows = rows, .cols = dim };
	struct gram *g = table_alloc(owner, heads, sizeof *g, err);
	bool good = g;

	table_dense(&t, x);
	for (size_t h = 0; good && h < heads; h++)
		good = gram_open(&g[h], GRAM_DOTS, &(struct gram_source){
				&t, h * rows, rows, 0, dim }, owner, err);
	return good ? g : NULL;
}

bool attend_panels(struct attention *a, struct table *owner, struct error *err)
{
	a->q_rows = panels_of(a->q, a->heads, a->queries, a->dim, owner, err);
	a->k_rows = panels_of(a->k, a->heads, a->keys, a->dim, owner, err);
	return a->q_rows && a->k_rows;
}

/*
 * Logits of the products x [keys] of query i with all keys: scaled, capped,
 * then with what a scheme adds, as in llama.cpp (ggml-cpu/ops.cpp,
 * flash_attn_ext) and in Gemma 2, which adds the mask last.
 */
static void finish_logits(const struct attention *a, size_t h, size_t i,
			  double *x)
{
	const double *bias = pair_row(&a->bias, h, i);
	const double *decay = pair_row(&a->decay, h, i);
	const double *label = pair_row(&a->label, h, i);
	const unsigned char *visible =
		a->visible ? a->visible + i * a->keys : NULL;

	if (label)
		add_labels(a, h, i, label, x);
	for (size_t j = 0; j < a->keys; j++)
		x[j] = x[j] * a->scale / a->divisor;
	if (a->softcap > 0)
		softcap(x, a->keys, a->softcap);
	for (size_t j = 0; j < a->keys; j++) {
		x[j] = x[j] * (decay ? decay[j] : 1) + (bias ? bias[j] : 0) +
		       0.0;
		if (visible && !visible[j])
			x[j] = decay ? 0 : -(double)INFINITY;
	}
}

/*
 * e_ij = (q_i . k_j + q_i . a^K_ij) / sqrt(d), Shaw's equation 5; or
 * e_ij = q_i . k_j / sqrt(d) + b_ij; or RetNet's, times its decay.
 */
void attend_logits(const struct attention *a, size_t first, size_t n, double *x)
{
	for (size_t i = 0; i < n; i++, x += a->keys) {
		const size_t h = (first + i) / a->queries;
		const size_t query = (first + i) % a->queries;
		const size_t left = a->queries - query;

		/* As many at once as are in the same head. */
		if (i == 0 || query == 0)
			gram_rows(&a->q_rows[h], &a->k_rows[h], query,
				  n - i < left ? n - i : left, x);
		finish_logits(a, h, query, x);
	}
}

/* x [n] divided by the magnitude of its sum, if that is above 1. */
static void divide_by_sum(double *x, size_t n)
{
	struct sum s = { 0 };
	double most;

	for (size_t j = 0; j < n; j++)
		sum_add(&s, x[j]);
	most = fmax(fabs(s.value + s.error), 1);
	for (size_t j = 0; j < n; j++)
		x[j] /= most;
}

void attend_weights(const struct attention *a, size_t first, size_t n,
		    double *x)
{
	attend_logits(a, first, n, x);
	for (size_t i = 0; i < n; i++, x += a->keys)
		if (a->decay.at)
			divide_by_sum(x, a->keys);
		else
			softmax(x, a->keys, a->sinks
				? a->sinks[(first + i) / a->queries]
				: -HUGE_VAL);
}
