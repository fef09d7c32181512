/* attend_values.c: sums of values, weighted by attention, by threads. */
#include <string.h>

#include "table/blocks.h"
#include "views/attend.h"

/*
 * z_i = sum_j w_ij (v_j + a^V_ij), equation 3: what the labels add, whose
 * weights are added first, to sums [labels].
 */
static void add_label_values(const struct attention *a, size_t h, size_t i,
			     const double *weight, double *sums, double *z)
{
	const double *label = pair_row(&a->label, h, i);

	if (!label || !a->label_values)
		return;
	memset(sums, 0, a->labels * sizeof *sums);
	for (size_t j = 0; j < a->keys; j++)
		sums[(size_t)label[j]] += weight[j];
	for (size_t l = 0; l < a->labels; l++)
		attend_add(z, sums[l], a->label_values + l * a->value_dim,
			   a->value_dim);
}

/*
 * Products with values are sums over PART keys at a time, so that these stay in
 * the cache; then their sums are added.
 */
enum { PART = 512, BUFFER = 1 << 16 };

/* Values, of which blocks are computed by threads. */
struct values {
	const struct attention *a;
	struct gram *parts;          /* [heads, parts]: values, transposed */
	size_t n;                    /* parts */
	double *z;                   /* [queries, heads, value_dim] */
};

static size_t part_keys(const struct attention *a, size_t part)
{
	const size_t left = a->keys - part * PART;

	return left < PART ? left : PART;
}

/* Make s->parts of the heads of t, values [heads, value_dim, keys]. */
static bool open_parts(struct values *s, const struct table *t,
		       struct table *owner, struct error *err)
{
	const size_t heads = t->planes, dim = t->rows;
	bool good;

	s->n = (t->cols + PART - 1) / PART;
	s->parts = table_alloc(owner, heads * s->n, sizeof *s->parts, err);
	good = s->parts;
	for (size_t p = 0; good && p < heads * s->n; p++)
		good = gram_open(&s->parts[p], GRAM_DOTS,
				 &(struct gram_source){
					t, p / s->n * dim, dim, p % s->n * PART,
					part_keys(s->a, p % s->n) },
				 owner, err);
	return good;
}

static bool open_values(struct values *s, struct table *owner,
			struct error *err)
{
	const struct attention *a = s->a;
	const size_t dim = a->value_dim, all = a->heads * a->keys * dim;
	struct table t = { .planes = a->heads, .rows = dim, .cols = a->keys };
	double *to = table_alloc(&t, all, sizeof *to, err);
	bool good;

	for (size_t p = 0; to && p < all; p++)
		to[(p / dim / a->keys * dim + p % dim) * a->keys +
		   p / dim % a->keys] = a->v[p];
	table_dense(&t, to);
	good = to && open_parts(s, &t, owner, err);
	table_close(&t);
	return good;
}

/* Rows of a block: their weights fit into the processor's cache. */
static size_t values_rows(const struct attention *a)
{
	enum { LEAST = 8 };
	const size_t n = BUFFER / a->keys / LEAST * LEAST;

	return n < LEAST ? LEAST : n < GRAM_ROWS ? n : GRAM_ROWS;
}

/* Add the values of weights [n, keys] of a head to z. */
static void add_values(const struct values *s, size_t first, size_t n,
		       const double *weights, double *room)
{
	const struct attention *a = s->a;
	const size_t h = first / a->queries, query = first % a->queries;
	const size_t dim = a->value_dim;
	double *sums = room + gram_room(n, PART);

	for (size_t part = 0; part < s->n; part++) {
		gram_others(weights + part * PART, a->keys, n,
			    &s->parts[h * s->n + part], room, sums);
		for (size_t i = 0; i < n; i++)
			attend_add(s->z + ((query + i) * a->heads + h) * dim,
				   1, sums + i * dim, dim);
	}
	for (size_t i = 0; i < n; i++)
		add_label_values(a, h, query + i, weights + i * a->keys, sums,
				 s->z + ((query + i) * a->heads + h) * dim);
}

static size_t make_values(const void *self, size_t first, size_t n,
			  void *scratch, unsigned char *to)
{
	const struct values *s = self;
	const struct attention *a = s->a;
	double *weights = scratch;

	(void)to;
	attend_weights(a, first, n, weights);
	for (size_t i = 0, some; i < n; i += some) {
		const size_t left = a->queries - (first + i) % a->queries;

		some = n - i < left ? n - i : left;
		add_values(s, first + i, some, weights + i * a->keys,
			   weights + n * a->keys);
	}
	return 0;
}

static bool compute_values(struct values *s, struct table *owner,
			   struct error *err)
{
	const struct attention *a = s->a;
	const size_t rows = values_rows(a), most = rows * a->value_dim;
	const struct blocks b = {
		.end = a->heads * a->queries, .rows = rows, .bytes = rows,
		.scratch = (rows * a->keys + gram_room(rows, PART) +
			    (most > a->labels ? most : a->labels)) *
			   sizeof(double),
		.work = rows * a->keys * (a->dim + a->value_dim + GRAM_ROWS),
		.make = make_values, .self = s,
	};

	return open_values(s, owner, err) && blocks_run(&b, 0, err);
}

/* z [queries, cols] times w. */
static double *multiply(const double *z, size_t queries, size_t cols,
			const struct table *w, struct table *owner,
			struct error *err)
{
	double *to = table_alloc(owner, queries * w->cols, sizeof *to, err);

	for (size_t i = 0; to && i < queries; i++)
		for (size_t c = 0; c < cols; c++)
			attend_add(to + i * w->cols, z[i * cols + c],
				   w->row(w, c, NULL), w->cols);
	return to;
}

static bool check_out(const struct attend *s, const struct attention *a,
		      struct error *err)
{
	const size_t cols = a->heads * a->value_dim;
	char wo[SHAPE_TEXT];

	if (!a->v)
		return fail(err, "values need --v FILE");
	if (s->wo && (s->wo->planes != 1 || s->wo->rows != cols))
		return fail(err, "--wo must be [%zu, N] for a product with "
			    "values [%zu, %zu], got %s", cols, a->queries, cols,
			    shape_of(s->wo, wo));
	return true;
}

bool attend_values(const struct attend *s, const struct attention *a,
		   struct table *values, struct table *owner,
		   struct error *err)
{
	const size_t cols = a->heads * a->value_dim;
	struct values all = { .a = a };
	double *z;

	if (!check_out(s, a, err))
		return false;
	all.z = z = table_alloc(owner, a->queries * cols, sizeof *z, err);
	if (!z || !compute_values(&all, owner, err))
		return false;
	values->rows = a->queries;
	values->cols = s->wo ? s->wo->cols : cols;
	if (s->wo)
		z = multiply(z, a->queries, cols, s->wo, owner, err);
	table_dense(values, z);
	return z;
}
