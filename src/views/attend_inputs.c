/* attend_inputs.c: queries, keys and values of each head, from tables. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/attend.h"

#define LARGEST 0x1p120  /* sums of products of four such are finite */

static bool check_numbers(const struct table *t, const char *name,
			  struct error *err)
{
	for (size_t i = 0; t && i < t->planes * t->rows; i++) {
		const double *x = t->row(t, i, NULL);

		for (size_t j = 0; j < t->cols; j++)
			if (!(fabs(x[j]) < LARGEST))
				return fail(err, "row %zu, column %zu of %s is "
					    "%g, which is %s", i, j, name, x[j],
					    isfinite(x[j]) ? "too large"
					    : "not finite");
	}
	return true;
}

static bool check_all_numbers(const struct attend *s,
			      const struct sources *from, struct error *err)
{
	const struct {
		const struct table *t;
		const char *name;
	} all[] = {
		{ from->q, from->one ? "TABLE" : "--q" }, { s->k, "--k" },
		{ s->v, "--v" }, { s->wq, "--wq" }, { s->wk, "--wk" },
		{ s->wv, "--wv" }, { s->wo, "--wo" }, { s->table, "--table" },
		{ s->table_k, "--table-k" }, { s->table_v, "--table-v" },
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!check_numbers(all[i].t, all[i].name, err))
			return false;
	return true;
}

bool attend_sources(const struct attend *s, const struct table *inputs,
		    struct sources *from, struct error *err)
{
	*from = (struct sources){ s->q, s->k, s->v, inputs->row };
	if (from->one && (s->q || s->k || s->v))
		return fail(err, "TABLE takes the place of --q, --k and --v");
	if (from->one)
		from->q = from->k = from->v = inputs;
	if (from->one && inputs->planes != 1)
		return fail(err, "TABLE has %zu planes: --head H picks one",
			    inputs->planes);
	if (!from->q || !from->k)
		return fail(err, "a TABLE is missing (or --q FILE and --k "
			    "FILE)");
	return check_all_numbers(s, from, err);
}

/* One of queries, keys and values on its way into heads. */
struct strand {
	const struct table *x, *w;
	const char *name, *w_name;
};

static size_t strand_columns(const struct strand *r)
{
	return r->w ? r->w->cols : r->x->cols;
}

static bool check_strand(const struct strand *r, size_t heads,
			 struct error *err)
{
	char x[SHAPE_TEXT], w[SHAPE_TEXT];

	shape_of(r->x, x);
	if (r->w && (r->x->planes != 1 || r->w->planes != 1 ||
		     r->w->rows != r->x->cols))
		return fail(err, "%s %s times %s %s is no product", r->name, x,
			    r->w_name, shape_of(r->w, w));
	if (r->x->planes != 1 && r->x->planes != heads)
		return fail(err, "%s %s has a plane for each of %zu heads, not "
			    "of --heads %zu", r->name, x, r->x->planes, heads);
	if (r->x->planes == 1 && strand_columns(r) % heads)
		return fail(err, "--heads must divide the %zu columns of %s, "
			    "not be %zu", strand_columns(r),
			    r->w ? r->w_name : r->name, heads);
	return true;
}

/* The rows of r, times r->w, parted into heads: [heads, rows, dim]. */
static double *split(const struct strand *r, size_t heads, size_t dim,
		     struct table *owner, struct error *err)
{
	const size_t n = r->x->rows, cols = strand_columns(r);
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

/* x [planes, rows, cols] with rows and columns exchanged. */
static double *turned_over(const double *x, const size_t shape[3],
			   struct table *owner, struct error *err)
{
	const size_t rows = shape[1], cols = shape[2];
	double *to = table_alloc(owner, shape[0] * rows * cols, sizeof *to,
				 err);

	for (size_t p = 0; to && p < shape[0] * rows; p++)
		for (size_t c = 0; c < cols; c++)
			to[(p / rows * cols + c) * rows + p % rows] =
				x[p * cols + c];
	return to;
}

static size_t head_dim(const struct strand *r, size_t heads)
{
	return r->x->planes == 1 ? strand_columns(r) / heads : r->x->cols;
}

static bool check_pair(const struct strand *q, const struct strand *k,
		       const struct strand *v, size_t heads, struct error *err)
{
	char a[SHAPE_TEXT], b[SHAPE_TEXT];

	if (head_dim(q, heads) != head_dim(k, heads))
		return fail(err, "queries of %zu numbers have no product with "
			    "keys of %zu (%s %s and %s %s)",
			    head_dim(q, heads), head_dim(k, heads),
			    q->w ? q->w_name : q->name,
			    shape_of(q->w ? q->w : q->x, a),
			    k->w ? k->w_name : k->name,
			    shape_of(k->w ? k->w : k->x, b));
	if (v->x && v->x->rows != k->x->rows)
		return fail(err, "--v %s must have a row for each of --k %s",
			    shape_of(v->x, a), shape_of(k->x, b));
	return true;
}

/* Queries, and keys turned over, with the rotations of RoPE. */
static bool turn(const struct attend *s, struct attention *a, double *q,
		 double *k, struct table *owner, struct error *err)
{
	const size_t queries[3] = { a->heads, a->queries, a->dim };
	const size_t keys[3] = { a->heads, a->keys, a->dim };

	if (s->scheme == SCHEME_ROPE &&
	    (!attend_turn(s, q, queries, (long)a->keys - (long)a->queries,
			  owner, err) ||
	     !attend_turn(s, k, keys, 0, owner, err)))
		return false;
	a->q = q;
	a->k = turned_over(k, keys, owner, err);
	return a->k;
}

static bool project(const struct attend *s, const struct sources *from,
		    struct attention *a, struct table *owner,
		    struct error *err)
{
	const bool one = from->one;
	const struct strand q = { from->q, s->wq, one ? "TABLE" : "--q",
				  "--wq" };
	const struct strand k = { from->k, s->wk, one ? "TABLE" : "--k",
				  "--wk" };
	const struct strand v = { from->v, s->wv, one ? "TABLE" : "--v",
				  "--wv" };
	double *all_q, *all_k;

	if (!check_strand(&q, a->heads, err) ||
	    !check_strand(&k, a->heads, err) ||
	    (v.x && !check_strand(&v, a->heads, err)) ||
	    !check_pair(&q, &k, &v, a->heads, err))
		return false;
	a->queries = q.x->rows;
	a->keys = k.x->rows;
	a->dim = head_dim(&q, a->heads);
	a->divisor = s->unscaled ? 1 : sqrt((double)a->dim);
	all_q = split(&q, a->heads, a->dim, owner, err);
	all_k = split(&k, a->heads, a->dim, owner, err);
	if (!all_q || !all_k || !turn(s, a, all_q, all_k, owner, err))
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
		return fail(err, "--scheme sinusoid is added to TABLE, not to "
			    "--q and --k");
	added.q = added.k = added.v = &sum;
	return attend_add_sinusoid(s, from->q, &sum, owner, err) &&
	       project(s, &added, a, owner, err);
}
