/*
 * attend_check.c: whether outputs are permuted as inputs are. Turning the rows
 * by one place and exchanging the first two make every permutation: what holds
 * of both holds of all.
 */
#include <math.h>
#include <string.h>

#include "views/attend.h"

#define TOLERANCE 1e-12  /* of the largest output: sums run in another order */

/* The row that comes to place i of n. */
typedef size_t permutation(size_t i, size_t n);

/* (a, b, c) becomes (b, c, a). */
static size_t turned(size_t i, size_t n)
{
	return (i + 1) % n;
}

/* (a, b, c) becomes (b, a, c). */
static size_t exchanged(size_t i, size_t n)
{
	return n > 1 && i < 2 ? 1 - i : i;
}

/* A table of x's rows in their new places. */
static const struct table *permuted(const struct table *x, permutation *p,
				    struct table *owner, struct error *err)
{
	struct table *to = table_alloc(owner, 1, sizeof *to, err);
	double *all = table_alloc(owner, x->planes * x->rows * x->cols,
				  sizeof *all, err);

	if (!to || !all)
		return NULL;
	*to = (struct table){ .planes = x->planes, .rows = x->rows,
			      .cols = x->cols };
	table_dense(to, all);
	for (size_t i = 0; i < x->planes * x->rows; i++)
		memcpy(all + i * x->cols,
		       x->row(x, i - i % x->rows + p(i % x->rows, x->rows),
			      NULL), x->cols * sizeof *all);
	return to;
}

/* How far the rows of a are from those of b in their new places. */
static double apart(const struct table *a, const struct table *b,
		    permutation *p)
{
	double most = 0;

	for (size_t i = 0; i < a->rows; i++) {
		const double *x = a->row(a, i, NULL);
		const double *y = b->row(b, p(i, b->rows), NULL);

		for (size_t j = 0; j < a->cols; j++)
			most = fmax(most, fabs(x[j] - y[j]));
	}
	return most;
}

static bool outputs_of(const struct attend *s, const struct sources *from,
		       struct table *z, struct table *owner, struct error *err)
{
	struct attention a = { 0 };

	return attend_open(s, from, &a, owner, err) &&
	       attend_values(s, &a, z, owner, err);
}

/* How far outputs of permuted inputs are from the permuted outputs z. */
static bool try(const struct attend *s, const struct sources *from,
		const struct table *z, permutation *p, double *most,
		struct table *owner, struct error *err)
{
	const struct sources to = {
		permuted(from->q, p, owner, err),
		permuted(from->k, p, owner, err),
		permuted(from->v, p, owner, err), from->one,
	};
	struct table again = { 0 };

	if (!to.q || !to.k || !to.v ||
	    !outputs_of(s, &to, &again, owner, err))
		return false;
	*most = apart(&again, z, p);
	return true;
}

static double largest(const struct table *z)
{
	double most = 0;

	for (size_t i = 0; i < z->rows; i++)
		for (size_t j = 0; j < z->cols; j++)
			most = fmax(most, fabs(z->row(z, i, NULL)[j]));
	return most;
}

static void tell(struct report *r, const struct table *z, double turn,
		 double exchange)
{
	const double most = largest(z), worst = fmax(turn, exchange);

	r->no = worst > TOLERANCE * most;
	report_group(r, "permutation");
	report_number(r, "rows", (double)z->rows, NULL);
	report_number(r, "turned_apart", turn, NULL);
	report_number(r, "exchanged_apart", exchange, NULL);
	report_number(r, "largest_output", most, NULL);
	report_flag(r, "permuted", !r->no);
	if (r->no)
		report_headline(r, "outputs are not permuted as inputs are: "
				"%.3g apart at most, where the largest is "
				"%.3g", worst, most);
	else
		report_headline(r, "outputs are permuted as inputs are: (a, "
				"b, c) to (b, c, a) and to (b, a, c)");
}

bool attend_check(const struct attend *s, const struct sources *from,
		  struct report *r, struct error *err)
{
	struct table z = { 0 };
	double turn, exchange;

	if (from->q->rows != from->k->rows)
		return fail(err, "--check permutation needs a query for each "
			    "key, not %zu and %zu", from->q->rows,
			    from->k->rows);
	if (s->out != NOT_GIVEN && s->out != OUT_VALUES)
		return fail(err, "--check permutation is of --out values");
	if (!outputs_of(s, from, &z, r->owner, err) ||
	    !try(s, from, &z, turned, &turn, r->owner, err) ||
	    !try(s, from, &z, exchanged, &exchange, r->owner, err))
		return false;
	tell(r, &z, turn, exchange);
	return true;
}
