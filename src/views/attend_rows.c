/* attend_rows.c: logits, weights and values, a query at a time. */
#include <math.h>
#include <string.h>

#include "core/softmax.h"
#include "views/attend.h"

void attend_add(double *to, double factor, const double *x, size_t n)
{
	for (size_t j = 0; j < n; j++)
		to[j] += factor * x[j];
}

/* What a side knows of query i under head h: [keys], or NULL. */
static const double *side_row(const struct side *s, size_t h, size_t i)
{
	return s->at ? s->at + (s->first + (long)h * s->head +
				(long)i * s->query) : NULL;
}

/*
 * e_ij = (q_i . k_j + q_i . a^K_ij) / sqrt(d), Shaw's equation 5; or
 * e_ij = q_i . k_j / sqrt(d) + b_ij.
 */
void attend_logits(const struct attention *a, size_t h, size_t i, double *x)
{
	const size_t query = h * a->queries + i;
	const double *q = a->q + query * a->dim;
	const double *k = a->k + h * a->dim * a->keys;
	const double *bias = side_row(&a->bias, h, i);
	const double *label = side_row(&a->label, h, i);
	const unsigned char *seen = a->seen ? a->seen + i * a->keys : NULL;

	memset(x, 0, a->keys * sizeof *x);
	for (size_t c = 0; c < a->dim; c++)
		attend_add(x, q[c], k + c * a->keys, a->keys);
	for (size_t j = 0; j < a->keys; j++) {
		if (label && a->label_keys)
			x[j] += a->label_keys[query * a->labels +
					      (size_t)label[j]];
		x[j] = x[j] / a->divisor + (bias ? bias[j] : 0) + 0.0;
		if (seen && !seen[j])
			x[j] = -(double)INFINITY;
	}
}

void attend_weights(const struct attention *a, size_t h, size_t i, double *x)
{
	attend_logits(a, h, i, x);
	softmax(x, a->keys);
}

/*
 * z_i = sum_j w_ij (v_j + a^V_ij), equation 3: the weights of each label are
 * added up first. sums is [labels].
 */
static void add_values(const struct attention *a, size_t h, size_t i,
		       const double *weight, double *sums, double *z)
{
	const double *v = a->v + h * a->keys * a->value_dim;
	const double *label = side_row(&a->label, h, i);

	for (size_t j = 0; j < a->keys; j++)
		attend_add(z, weight[j], v + j * a->value_dim, a->value_dim);
	if (!label || !a->label_values)
		return;
	memset(sums, 0, a->labels * sizeof *sums);
	for (size_t j = 0; j < a->keys; j++)
		sums[(size_t)label[j]] += weight[j];
	for (size_t l = 0; l < a->labels; l++)
		attend_add(z, sums[l], a->label_values + l * a->value_dim,
			   a->value_dim);
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
		return fail(err, "values are made of --v FILE, which is "
			    "missing");
	if (s->wo && (s->wo->planes != 1 || s->wo->rows != cols))
		return fail(err, "values [%zu, %zu] times --wo %s is no "
			    "product", a->queries, cols, shape_of(s->wo, wo));
	return true;
}

bool attend_values(const struct attend *s, const struct attention *a,
		   struct table *values, struct table *owner,
		   struct error *err)
{
	const size_t cols = a->heads * a->value_dim;
	double *z, *weight, *sums;

	if (!check_out(s, a, err))
		return false;
	z = table_alloc(owner, a->queries * cols, sizeof *z, err);
	weight = table_alloc(owner, a->keys, sizeof *weight, err);
	sums = table_alloc(owner, a->labels + 1, sizeof *sums, err);
	if (!z || !weight || !sums)
		return false;
	for (size_t h = 0; h < a->heads; h++)
		for (size_t i = 0; i < a->queries; i++) {
			attend_weights(a, h, i, weight);
			add_values(a, h, i, weight, sums,
				   z + i * cols + h * a->value_dim);
		}
	values->rows = a->queries;
	values->cols = s->wo ? s->wo->cols : cols;
	if (s->wo)
		z = multiply(z, a->queries, cols, s->wo, owner, err);
	table_dense(values, z);
	return z;
}
