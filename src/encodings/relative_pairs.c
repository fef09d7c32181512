/* relative_pairs.c: numbers and vectors of pairs, by their distance alone. */
#include "encodings/relative.h"

double relative_distance(long x, const void *self)
{
	const struct relative *s = self;
	const long k = s->clip;

	if (s->sign == QUERY_KEY)
		x = -x;
	if (k != NOT_GIVEN)
		x = x < -k ? -k : x > k ? k : x;
	return (double)x;
}

bool relative_range(struct relative *s, struct table *t, struct error *err)
{
	const struct range *d = &s->distances;
	const long most = (long)PAIRS_MOST;
	char text[RANGE_TEXT];

	if (s->pairs.len || s->pairs.query_len || s->pairs.key_len)
		return fail(err, "--distances is in place of --len, "
			    "--query-len and --key-len");
	if (d->first < -most || d->last > most || d->first > d->last)
		return fail(err, "--distances must be A:B with A not above B, "
			    "within 2^52, not %s", range_text(d, text));
	s->sign = KEY_QUERY;
	s->past = -d->first;
	t->rows = 1;
	t->cols = (size_t)(d->last - d->first) + 1;
	t->down = (struct axis){ .name = "query", .step = 1 };
	t->across = (struct axis){ .name = "distance", .step = 1,
				   .first = (double)d->first };
	return true;
}

/* The vector of query i / keys, key i % keys, where it lies in the table. */
static const double *vector_row(const struct table *t, size_t i,
				double *scratch)
{
	const struct relative *s = t->state;
	const long x = (long)(i % t->rows) - (long)(i / t->rows) - s->past;

	return s->table->row(s->table, (size_t)s->label(x, s), scratch);
}

bool relative_rows(const struct relative *s, size_t labels, struct error *err)
{
	char shape[SHAPE_TEXT];

	if (s->table->planes == 1 && s->table->rows == labels)
		return true;
	return fail(err, "--table must be [%zu, dim], a row for each label, "
		    "not %s", labels, shape_of(s->table, shape));
}

void relative_vectors(const struct relative *s, struct table *t)
{
	t->over = t->down;
	t->down = t->across;
	t->across = (struct axis){ .name = "dimension", .step = 1 };
	t->planes = t->rows;
	t->rows = t->cols;
	t->cols = s->table->cols;
	t->dtype = F32;
	t->bounds = s->table->bounds;
	t->lo = s->table->lo;
	t->hi = s->table->hi;
	t->state = s;
}

bool relative_pairs(struct relative *s, struct table *t,
		    relative_number *distance, relative_number *number,
		    size_t labels, struct error *err)
{
	const double a = distance(-(long)(t->rows - 1) - s->past, s);
	const double b = distance((long)(t->cols - 1) - s->past, s);

	if (s->out == OUT_VECTORS) {
		s->label = number;
		t->row = vector_row;
		relative_vectors(s, t);
		return relative_rows(s, labels, err);
	}
	t->dtype = I32;
	t->bounds = BOUNDS_TIGHT;
	t->lo = a < b ? a : b;
	t->hi = a < b ? b : a;
	if (s->out == OUT_LABELS) {
		t->halves = HALVES_MIRRORED;
		t->lo = 0;
		t->hi = (double)(labels - 1);
	}
	return table_toeplitz(t, s->out == OUT_LABELS ? number : distance,
			      s, s->past, err);
}
