/* explain.c: the simple change that turns one table into another. */
#include <string.h>

#include "compare/explain.h"

const char *const axis_word[AXES] = { "plane", "row", "column" };

/* The share of the largest difference that an explanation may leave. */
#define RESIDUAL_MAX 1e-3

double largest_finite(const struct table *t)
{
	double largest = 0;

	for (size_t i = 0; i < t->planes * t->rows; i++) {
		const double *x = row_of(t, i);

		for (size_t j = 0; j < t->cols; j++)
			if (isfinite(x[j]))
				largest = fmax(largest, fabs(x[j]));
	}
	return largest;
}

static uint64_t bits_of(double x)
{
	uint64_t u;

	x += 0.0;  /* -0 is 0 */
	memcpy(&u, &x, sizeof u);
	return u;
}

enum { DISTINCT_MOST = 256, SLOTS = 1024 };

size_t count_distinct(const struct table *t)
{
	uint64_t slots[SLOTS] = { 0 };
	bool used[SLOTS] = { false };
	size_t count = 0;

	for (size_t i = 0; count < DISTINCT_MOST && i < t->planes * t->rows;
	     i++) {
		const double *x = row_of(t, i);

		for (size_t j = 0; j < t->cols && count < DISTINCT_MOST; j++) {
			const uint64_t u = bits_of(x[j]);
			size_t at = (size_t)(u * 0x9e3779b97f4a7c15u >> 54);

			while (used[at] && slots[at] != u)
				at = (at + 1) % SLOTS;
			count += !used[at];
			used[at] = true;
			slots[at] = u;
		}
	}
	return count;
}

static bool begin(struct explainer *e)
{
	const struct table *a = e->c->a, *b = e->c->b;

	memcpy(e->shape_a, (size_t[]){ a->planes, a->rows, a->cols },
	       sizeof e->shape_a);
	memcpy(e->shape_b, (size_t[]){ b->planes, b->rows, b->cols },
	       sizeof e->shape_b);
	e->a = a;
	e->b = b;
	e->limit = RESIDUAL_MAX * fmin(largest_finite(b), e->c->largest);
	e->bits_a = log2((double)count_distinct(a));
	e->bits_b = log2((double)count_distinct(b));
	e->columns = table_alloc(e->owner, b->cols, sizeof *e->columns,
				 e->err);
	return e->columns && table_size(a) > 1 && table_size(b) > 1;
}

bool explain(const struct comparison *c, struct explanation *best,
	     struct table *owner, struct error *err)
{
	static void (*const all[])(struct explainer *e) = {
#define EXPLANATION(name) explain_##name,
#include "compare/list.h"
#undef EXPLANATION
	};
	struct explainer e = { .c = c, .best = best, .owner = owner,
			       .err = err };

	*best = (struct explanation){ .n = 0 };
	if (!begin(&e))
		return false;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		all[i](&e);
	return e.found;
}
