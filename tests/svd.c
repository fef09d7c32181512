/* svd.c: matrices that are made triangular keep their products of columns. */
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "views/svd.h"

enum { MOST = 150 };

/* The dot product of columns i and j. */
static double product(const struct matrix *c, size_t i, size_t j)
{
	double sum = 0;

	for (size_t k = 0; k < c->height; k++)
		sum += c->v[i * c->height + k] * c->v[j * c->height + k];
	return sum;
}

static void fill(struct matrix *c)
{
	unsigned seed = 7;

	for (size_t j = 0; j < c->n; j++)
		for (size_t i = 0; i < c->rows; i++) {
			seed = seed * 1664525 + 1013904223;
			/* Each fifth column is 0, each seventh repeats one */
			c->v[j * c->height + i] = j % 5 == 4 ? 0
				: j % 7 == 6 ? c->v[(j - 1) * c->height + i]
				: seed / 0x1p31 - 1;
		}
}

/* Reduce the first n of some columns. */
static void check(size_t rows, size_t n, size_t all)
{
	struct matrix c;
	struct table room = { 0 };
	struct error err = { 0 };
	double *want = calloc(all * all, sizeof *want);

	assert_true(want && matrix_alloc(&c, rows, all, &room, &err));
	fill(&c);
	for (size_t i = 0; i < all * all; i++)
		want[i] = product(&c, i / all, i % all);
	assert_true(matrix_reduce(&c, n, &room, &err));
	for (size_t i = 0; i < all * all; i++)
		assert_true(fabs(product(&c, i / all, i % all) - want[i]) <=
			    1e-14 * (double)rows);
	for (size_t j = 0; j < n; j++)
		for (size_t i = j + 1; i < c.height; i++)
			assert_true(c.v[j * c.height + i] == 0);
	table_close(&room);
	free(want);
}

static void products_of_columns_stay(void **state)
{
	static const size_t sizes[] = { 1, 2, 8, 31, 32, 33, 70 };

	(void)state;
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		const size_t n = sizes[k];

		check(n, n, n);
		check(n + 1, n, n + 1);
		check(2 * n + 3, n, 2 * n + 1);
		check(MOST, n, n + 2);
	}
}

UNIT(svd,
	TEST(products_of_columns_stay)
)
