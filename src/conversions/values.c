/* values.c: the values of two tensors, a block of rows at a time. */
#include <math.h>
#include <string.h>

#include "compare/compare.h"
#include "containers/quantized.h"
#include "conversions/conversions.h"
#include "formats/on_demand.h"

enum { BLOCK = 1 << 16 };  /* values at a time, unless a row has more */

static bool read_tensor(struct side *s, const struct tensor *one,
			struct table *t, struct error *err)
{
	t->compact = true;
	t->on_demand = 1;
	return checkpoint_read(&s->model, one, t, err);
}

bool values_transposed(const struct conversion *c, const struct pair *p,
		       size_t side)
{
	const bool own = fusion_columns(&c->sides[side], p->of[side]);

	return own && (p->split.used || p->content == CONTENT_FUSED ||
		       !fusion_columns(&c->sides[!side], p->of[!side]));
}

/* Make to, which is empty, t transposed, whose rows are in memory. */
static bool transpose(struct table *to, const struct table *t,
		      struct error *err)
{
	const size_t n = t->planes * t->rows;
	double *x = table_alloc(to, n * t->cols, sizeof *x, err);

	for (size_t i = 0; x && i < n; i++) {
		const double *row = t->row(t, i, NULL);

		for (size_t j = 0; j < t->cols; j++)
			x[j * n + i] = row[j];
	}
	table_like(to, t);
	to->planes = 1;
	to->rows = t->cols;
	to->cols = n;
	table_dense(to, x);
	return x;
}

bool values_read(struct conversion *c, const struct pair *p, size_t side,
		 struct table *t, struct error *err)
{
	struct table in = { 0 };
	bool good;

	if (!values_transposed(c, p, side))
		return read_tensor(&c->sides[side], p->of[side], t, err);
	good = checkpoint_read(&c->sides[side].model, p->of[side], &in, err) &&
	       transpose(t, &in, err);
	table_close(&in);
	return good;
}

struct agreement values_shapes(const struct table *a, const struct table *b)
{
	return (struct agreement){
		.rows = { a->planes * a->rows, b->planes * b->rows },
		.cols = { a->cols, b->cols },
		.shaped = a->planes == b->planes && a->rows == b->rows &&
			  a->cols == b->cols,
	};
}

const char *shapes_words(struct conversion *c, const struct agreement *g)
{
	return text_of(c, "its shape is %zu x %zu in A, %zu x %zu in B",
		       g->rows[0], g->cols[0], g->rows[1], g->cols[1]);
}

/* Whether one of the values is the other, rounded to its dtype. */
static bool is_rounded(enum dtype a, enum dtype b, double x, double y)
{
	return (dtype_holds(b, x) &&
		value_difference(dtype_round(b, x), y) <= 0) ||
	       (dtype_holds(a, y) &&
		value_difference(dtype_round(a, y), x) <= 0);
}

/* The tensor of the pair that is coarse, if one is: that of B first. */
static const struct tensor *coarse_of(const struct pair *p)
{
	return p->of[tensor_is_coarse(p->of[1])];
}

void values_agree(const struct pair *p, const struct table *a,
		  const struct table *b, const double *x, const double *y,
		  size_t n, struct agreement *g)
{
	const bool coarse = tensor_is_coarse(coarse_of(p));
	double error[BLOCK_VALUES];

	if (memcmp(x, y, n * sizeof *x) == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		const double d = value_difference(x[i], y[i]);
		const size_t at = i % BLOCK_VALUES;

		/* What both types may have changed of values of a block */
		if (coarse && at == 0) {
			const size_t m = n - i < BLOCK_VALUES ? n - i
							      : BLOCK_VALUES;

			memset(error, 0, sizeof error);
			tensor_add_error(p->of[0], x + i, y + i, m, error);
			tensor_add_error(p->of[1], x + i, y + i, m, error);
		}
		if (d <= 0)
			continue;
		if (is_rounded(a->dtype, b->dtype, x[i], y[i]))
			g->rounded = true;
		else if (coarse && isfinite(error[at]) && d <= error[at])
			g->coarse = fmax(g->coarse, d);
		else {
			g->differing++;
			g->largest = fmax(g->largest, d);
		}
	}
}

/* Compare the shapes of both tables and, if these are the same, all rows. */
static bool compare_rows(const struct pair *p, const struct table *a,
			 const struct table *b, struct agreement *g,
			 struct error *err)
{
	const size_t rows = a->planes * a->rows, most = BLOCK / a->cols + 1;
	const size_t step = rows < most ? rows : most;
	struct table owner = { 0 };
	double *x;

	*g = values_shapes(a, b);
	if (!g->shaped)
		return true;
	x = table_alloc(&owner, 2 * step * a->cols, sizeof *x, err);
	for (size_t i = 0; x && i < rows; i += step) {
		const size_t n = rows - i < step ? rows - i : step;
		double *y = x + step * a->cols;

		table_rows(a, F64, i, n, NULL, x);
		table_rows(b, F64, i, n, NULL, y);
		values_agree(p, a, b, x, y, n * a->cols, g);
	}
	table_close(&owner);
	return x && on_demand_check(a, err) && on_demand_check(b, err);
}

bool values_compare(struct conversion *c, const struct pair *p,
		    struct agreement *g, struct error *err)
{
	struct table a = { 0 }, b = { 0 };
	const bool good = values_read(c, p, 0, &a, err) &&
			  values_read(c, p, 1, &b, err) &&
			  compare_rows(p, &a, &b, g, err);

	table_close(&a);
	table_close(&b);
	return good;
}

bool tensors_equal(struct side *s, const struct tensor *one,
		   const struct tensor *other, struct error *err)
{
	const struct pair p = { .of = { one, other } };
	struct table a = { 0 }, b = { 0 };
	struct agreement g;
	const bool same = read_tensor(s, one, &a, err) &&
			  read_tensor(s, other, &b, err) &&
			  compare_rows(&p, &a, &b, &g, err) && g.shaped &&
			  !g.differing;

	table_close(&a);
	table_close(&b);
	return same;
}

/* Tensors of which it is said how they differ. */
enum { DETAILED_MOST = 8 };

/* "Q4_K's blocks" */
static const char *coarse_words(struct conversion *c, const struct tensor *t)
{
	return t->quantization ? text_of(c, "%s's blocks", t->dtype)
			       : t->dtype;
}

static const char *difference_words(struct conversion *c,
				    const struct pair *p,
				    const struct agreement *g)
{
	const size_t n = g->rows[0] * g->cols[0];

	if (!g->shaped)
		return shapes_words(c, g);
	if (g->coarse <= 0)
		return text_of(c, "%zu of %zu values differ, by %.3g at most",
			       g->differing, n, g->largest);
	return text_of(c, "%zu of %zu values differ by more than the error of "
		       "%s, by %.3g at most%s", g->differing, n,
		       coarse_words(c, coarse_of(p)), g->largest,
		       coarse_of(p)->quantization && g->differing < n / 100
		       ? "; an importance matrix may leave a few that do"
		       : "");
}

void count_pair(struct conversion *c, const struct pair *p,
		const struct agreement *g)
{
	if (!g->shaped || g->differing) {
		if (!c->other++)
			c->first_other = pair_name(p);
		if (c->other <= DETAILED_MOST)
			say(c, &c->also, pair_name(p), "%s",
			    difference_words(c, p, g));
		return;
	}
	if (g->coarse > 0) {
		const char *type = coarse_words(c, coarse_of(p));

		if (!c->coarse++)
			c->coarse_types = type;
		else if (!strstr(c->coarse_types, type))
			c->coarse_types = text_of(c, "%s and %s",
						  c->coarse_types, type);
		c->coarse_most = fmax(c->coarse_most, g->coarse);
	}
	c->rounded += g->coarse > 0 || g->rounded;
	c->equal += !(g->coarse > 0 || g->rounded);
}
