/* biases.c: biases of heads by distance, computed once for each distance. */
#include <math.h>

#include "recipe/biases.h"

struct biases {
	bool causal;
	long past;        /* positions before the first query */
	double *value;    /* [distances, heads] */
};

/* Diagonal 0 has the distance j - i of the last query and the first key. */
static void biases_diagonals(const struct table *t, size_t plane, size_t first,
			     size_t n, double *v)
{
	const struct biases *s = t->state;
	const double *value = s->value + plane;
	const long d = (long)first - (long)(t->rows - 1) - s->past;

	for (size_t k = 0; k < n; k++) {
		const long x = d + (long)k;

		v[k] = x > 0 && s->causal ? 0
		       : value[(size_t)(x < 0 ? -x : x) * t->planes];
	}
}

static const double *biases_row(const struct table *t, size_t i,
				double *scratch)
{
	biases_diagonals(t, i / t->rows, t->rows - 1 - i % t->rows, t->cols,
			 scratch);
	return scratch;
}

void heads_row(struct table *t, const char *name, const double *value,
	       size_t heads)
{
	t->rows = 1;
	t->cols = heads;
	t->row_axis = (struct axis){ .name = name, .step = 1 };
	t->col_axis = axis_of(AXIS_HEAD);
	table_dense(t, value);
}

bool biases_make(struct table *t, const struct pairs *pairs, size_t heads,
		 bool causal, biases_at *f, const void *self, struct error *err)
{
	struct biases *s = table_alloc(t, 1, sizeof *s, err);
	size_t n;

	if (!s || !pairs_shape(pairs, t, err) || !pairs_within_memory(t, err))
		return false;
	t->planes = heads;
	t->plane_axis = axis_of(AXIS_HEAD);
	t->dtype = F32;
	t->past = (long)t->cols - (long)t->rows;
	t->causal = causal;
	n = t->rows > t->cols ? t->rows : t->cols;
	*s = (struct biases){ causal, t->past,
			      table_alloc(t, n, heads * sizeof(double), err) };
	for (size_t d = 0; s->value && d < n; d++)
		f(self, (double)d, s->value + d * heads);
	for (size_t i = 0; s->value && i < n * heads; i++) {
		t->lo = fmin(t->lo, s->value[i]);
		t->hi = fmax(t->hi, s->value[i]);
	}
	t->bounds = BOUNDS_LOOSE;  /* 0 is among them */
	t->row = biases_row;
	t->state = s;
	t->diagonals = biases_diagonals;
	return s->value;
}

bool biases_list(const struct list *list, const char *flag, size_t heads,
		 double most, struct error *err)
{
	if (list->n != heads)
		return fail(err, "%s: expected %zu numbers, one per head, got "
			    "%zu", flag, heads, list->n);
	for (size_t h = 0; h < heads; h++)
		if (!(list->at[h] > 0 && list->at[h] <= most))
			return fail(err, "%s: expected numbers above 0 and at "
				    "most %g, got %.17g for head %zu", flag,
				    most, list->at[h], h);
	return true;
}
