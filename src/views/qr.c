/*
 * qr.c: Householder's reflections in blocks (Schreiber and Van Loan 1989):
 * those of a block are products of matrices with all columns that follow, which
 * are made in tiles that stay in registers. Each sum has the same order in
 * every instruction set: results are the same, bit for bit.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact/simd.h"
#include "views/qr.h"

enum {
	LANES = 8,   /* sums side by side; heights are multiples */
	TILE = 4,    /* reflections, and columns, of a tile */
	BLOCK = 32,  /* reflections */
};

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

#define UNROLL _Pragma("GCC unroll 4")

/* Dot products of n vectors u, TILE at most, with TILE columns c: [n, TILE]. */
SIMD_LOOP void dots_loop(const double *u, size_t n, const double *c,
			 size_t height, size_t first, double *w)
{
	lanes sum[TILE][TILE] = { 0 };

	for (size_t k = first; k < height; k += LANES) {
		lanes x[TILE], y;

		UNROLL for (size_t i = 0; i < n; i++)
			memcpy(&x[i], u + i * height + k, sizeof x[i]);
		UNROLL for (size_t j = 0; j < TILE; j++) {
			memcpy(&y, c + j * height + k, sizeof y);
			UNROLL for (size_t i = 0; i < n; i++)
				sum[i][j] += x[i] * y;
		}
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < TILE; j++)
			w[i * TILE + j] = ((sum[i][j][0] + sum[i][j][4]) +
					   (sum[i][j][2] + sum[i][j][6])) +
					  ((sum[i][j][1] + sum[i][j][5]) +
					   (sum[i][j][3] + sum[i][j][7]));
}

/* Subtract n vectors u times w [n, TILE] from TILE columns c. */
SIMD_LOOP void subtract_loop(const double *u, size_t n, const double *w,
			     size_t height, size_t first, double *c)
{
	for (size_t k = first; k < height; k += LANES) {
		lanes x[TILE], y;

		UNROLL for (size_t i = 0; i < n; i++)
			memcpy(&x[i], u + i * height + k, sizeof x[i]);
		UNROLL for (size_t j = 0; j < TILE; j++) {
			memcpy(&y, c + j * height + k, sizeof y);
			UNROLL for (size_t i = 0; i < n; i++)
				y -= x[i] * w[i * TILE + j];
			memcpy(c + j * height + k, &y, sizeof y);
		}
	}
}

SIMD_EACH(void, dots, (const double *u, const double *c, size_t height,
		       size_t first, double *w),
	  dots_loop(u, TILE, c, height, first, w))
SIMD_EACH(void, dots_one, (const double *u, const double *c, size_t height,
			   size_t first, double *w),
	  dots_loop(u, 1, c, height, first, w))
SIMD_EACH(void, subtract, (const double *u, const double *w, size_t height,
			   size_t first, double *c),
	  subtract_loop(u, TILE, w, height, first, c))
SIMD_EACH(void, subtract_one, (const double *u, const double *w, size_t height,
			       size_t first, double *c),
	  subtract_loop(u, 1, w, height, first, c))

bool matrix_alloc(struct matrix *c, size_t rows, size_t n)
{
	c->rows = rows;
	c->n = n;
	c->height = (rows + LANES - 1) / LANES * LANES;
	/* A tile may reach past the last column */
	c->v = calloc((n + TILE - 1) * c->height, sizeof *c->v);
	return c->v;
}

/* A block of reflections: their product is I - U T U^T. */
struct block {
	enum simd simd;
	size_t height, first;     /* the row and column that it begins at */
	double *u;                /* [BLOCK, height], those not used are 0 */
	double t[BLOCK][BLOCK];   /* upper triangle */
};

/*
 * Reflect column x at row k so that all below is 0: I - tau u u^T. Returns tau,
 * 0 where nothing needs to be reflected.
 */
static double reflect(double *x, size_t k, size_t height, double *u)
{
	double norm = 0, head = x[k];

	for (size_t i = k; i < height; i++)
		norm += x[i] * x[i];
	norm = sqrt(norm);
	if (!(norm > 0))
		return 0;
	memcpy(u + k, x + k, (height - k) * sizeof *u);
	u[k] += head < 0 ? -norm : norm;
	memset(x + k, 0, (height - k) * sizeof *x);
	x[k] = head < 0 ? norm : -norm;
	return 1 / (norm * (norm + fabs(head)));
}

/* Multiply TILE columns by the transpose of the product. */
static void apply(const struct block *b, double *c)
{
	double w[BLOCK * TILE], x[BLOCK * TILE] = { 0 };

	for (size_t i = 0; i < BLOCK; i += TILE)
		dots[b->simd](b->u + i * b->height, c, b->height, b->first,
			      w + i * TILE);
	for (size_t i = 0; i < BLOCK; i++)
		for (size_t k = 0; k <= i; k++)
			for (size_t j = 0; j < TILE; j++)
				x[i * TILE + j] += b->t[k][i] *
						   w[k * TILE + j];
	for (size_t i = 0; i < BLOCK; i += TILE)
		subtract[b->simd](b->u + i * b->height, x + i * TILE,
				  b->height, b->first, c);
}

/* Column i of T: -tau T (U^T u), and tau on the diagonal. */
static void extend(struct block *b, size_t i, double tau)
{
	const double *u = b->u + i * b->height;
	double w[BLOCK];

	for (size_t k = 0; k < i; k += TILE)
		dots_one[b->simd](u, b->u + k * b->height, b->height, b->first,
				  w + k);
	for (size_t k = 0; k < i; k++) {
		double sum = 0;

		for (size_t j = k; j < i; j++)
			sum += b->t[k][j] * w[j];
		b->t[k][i] = -tau * sum;
	}
	b->t[i][i] = tau;
}

/* Reflect n columns from the block's first on, one after another. */
static void reflect_columns(struct block *b, double *v, size_t n)
{
	const size_t height = b->height;

	memset(b->u, 0, BLOCK * height * sizeof *b->u);
	memset(b->t, 0, sizeof b->t);
	for (size_t i = 0; i < n; i++) {
		double *u = b->u + i * height, w[TILE];
		const double tau = reflect(v + i * height, b->first + i,
					   height, u);

		extend(b, i, tau);
		for (size_t j = i + 1; j < n; j += TILE) {
			double *c = v + j * height;

			dots_one[b->simd](u, c, height, b->first, w);
			for (size_t k = 0; k < TILE; k++)
				w[k] *= j + k < n ? tau : 0;
			subtract_one[b->simd](u, w, height, b->first, c);
		}
	}
}

bool qr_reduce(struct matrix *c, size_t n)
{
	struct block b = {
		.simd = simd_best(), .height = c->height,
		.u = calloc(BLOCK * c->height, sizeof *b.u),
	};
	bool done;

	for (size_t k = 0; b.u && k < n; k += BLOCK) {
		const size_t some = n - k < BLOCK ? n - k : BLOCK;

		b.first = k;
		reflect_columns(&b, c->v + k * c->height, some);
		for (size_t j = k + some; j < c->n; j += TILE)
			apply(&b, c->v + j * c->height);
	}
	done = b.u;
	free(b.u);
	return done;
}
