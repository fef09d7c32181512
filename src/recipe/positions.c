/* positions.c: the positions of a table's rows, or of its queries and keys. */
#include <math.h>

#include "recipe/positions.h"

double position_at(const struct positions *p, size_t i)
{
	return p->positions.at ? p->positions.at[i]
			       : fma((double)i, p->step, p->start);
}

/* Whether the last position, before rounding, is within the exact range. */
static bool ends_exact(const struct positions *p)
{
	return fabsl((long double)(p->len - 1) * (long double)p->step +
		     (long double)p->start) <= (long double)POSITION_MOST;
}

bool positions_check(const struct list *positions, struct error *err)
{
	for (size_t i = 0; positions->at && i < positions->n; i++)
		if (fabs(positions->at[i]) > POSITION_MOST)
			return fail(err, "--positions must be between -2^53 "
				    "and 2^53, got %.17g", positions->at[i]);
	return true;
}

bool positions_shape(const struct positions *p, struct table *t,
		     struct error *err)
{
	if (!p->len && !p->positions.at)
		return fail(err, "--len N is missing (or --positions LIST)");
	if (!p->positions.at && !ends_exact(p))
		return fail(err, "%zu positions from --start %.17g by --step "
			    "%.17g exceed 2^53, the limit of exact positions",
			    p->len, p->start, p->step);
	if (!positions_check(&p->positions, err))
		return false;
	t->rows = p->positions.at ? p->positions.n : p->len;
	t->row_axis = axis_from(AXIS_POSITION, p->start, p->step);
	t->row_axis.at = p->positions.at;
	return p->positions.width < 2 || p->positions.n == p->positions.width ||
	       table_note(t, err, "--positions: lines of %zu values are read "
			  "as one list of %zu positions; for lines of time, "
			  "row and column, rope needs --sections",
			  p->positions.width, p->positions.n);
}

void positions_count(const struct token_count *c, const double *id, size_t n,
		     double *x)
{
	double next = c->first;

	for (size_t j = 0; j < n; j++) {
		const bool counts = !c->pads || id[j] != c->padding;

		x[j] = counts ? next++ : c->at_padding;
	}
}

bool lengths_shape(const struct lengths *p, struct table *t, struct error *err)
{
	t->rows = p->query_len ? p->query_len : p->len;
	t->cols = p->key_len ? p->key_len : p->len;
	if (!t->rows || !t->cols)
		return fail(err, "--len N is missing (or --query-len Q and "
			    "--key-len K)");
	t->row_axis = axis_of(AXIS_QUERY);
	t->col_axis = axis_of(AXIS_KEY);
	t->past = (long)t->cols - (long)t->rows;
	return true;
}

bool lengths_kept(const struct lengths *p, struct table *t, struct error *err)
{
	const size_t most = 1 << 27;
	size_t n;

	if (!lengths_shape(p, t, err))
		return false;
	n = t->rows > t->cols ? t->rows : t->cols;
	return n <= most ||
	       fail(err, "--len, --query-len and --key-len must be at most "
		    "%zu, got %zu: a value is kept for each distance", most,
		    n);
}

bool distances_shape(const struct range *distances, struct table *t,
		     struct error *err)
{
	const long most = (long)LENGTHS_MOST;
	const long first = distances->first, last = distances->last;
	char text[RANGE_TEXT];

	if (first < -most || last > most || first > last)
		return fail(err, "--distances: expected A:B with -2^%d <= A "
			    "<= B <= 2^%d, got %s", INTEGER_BITS - 1,
			    INTEGER_BITS - 1, range_text(distances, text));
	t->rows = 1;
	t->cols = (size_t)(last - first) + 1;
	t->past = -first;
	t->col_axis = axis_from(AXIS_DISTANCE, (double)first, 1);
	return true;
}
