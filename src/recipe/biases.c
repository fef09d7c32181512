/* biases.c: biases of heads by distance, computed once for each distance. */
#include <math.h>
#include <stdlib.h>

#include "recipe/biases.h"

struct biases {
	bool causal;
	size_t heads;
	double *value;    /* [distances, heads] */
};

static double bias(const void *self, size_t head, long distance)
{
	const struct biases *s = self;

	return distance > 0 && s->causal ? 0
		: s->value[(size_t)labs(distance) * s->heads + head];
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

bool biases_make(struct table *t, const struct lengths *lengths, size_t heads,
		 bool causal, biases_at *f, const void *self, struct error *err)
{
	struct biases *s = table_alloc(t, 1, sizeof *s, err);
	size_t n;

	if (!s || !lengths_kept(lengths, t, err))
		return false;
	t->planes = heads;
	t->plane_axis = axis_of(AXIS_HEAD);
	t->dtype = F32;
	t->causal = causal;
	t->uneven = true;
	n = t->rows > t->cols ? t->rows : t->cols;
	*s = (struct biases){ causal, heads,
			      table_alloc(t, n, heads * sizeof(double), err) };
	for (size_t d = 0; s->value && d < n; d++)
		f(self, (double)d, s->value + d * heads);
	for (size_t i = 0; s->value && i < n * heads; i++) {
		t->lo = fmin(t->lo, s->value[i]);
		t->hi = fmax(t->hi, s->value[i]);
	}
	t->bounds = BOUNDS_LOOSE;  /* 0 is among them */
	return s->value && table_by_distance(t, bias, s, err);
}
