/*
 * svd.c: a tall matrix is made triangular by Householder's reflections, in
 * blocks (Schreiber and Van Loan 1989): those of a block are products of
 * matrices with all columns that follow, which are made in tiles that stay in
 * registers. The rows of the triangle are then made orthogonal by rotations of
 * two at a time (Jacobi's method, one-sided: Hestenes 1958; Drmac and Veselic
 * 2008), which finds small singular values as exactly as large ones. Each sum
 * has the same order in every instruction set: results are the same, bit for
 * bit.
 */
#include <math.h>
#include <string.h>

#include "exact/simd.h"
#include "views/svd.h"

enum {
	LANES = 8,   /* sums side by side */
	TILE = 4,    /* reflections, and columns, of a tile */
	BLOCK = 32,  /* reflections */
	STEP = TILE * LANES,  /* of a dot product; heights are multiples */
};

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

static inline double total(const lanes *x)
{
	const double *v = (const double *)x;

	return ((v[0] + v[4]) + (v[2] + v[6])) +
	       ((v[1] + v[5]) + (v[3] + v[7]));
}

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
			w[i * TILE + j] = total(&sum[i][j]);
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

/* Whole tiles of lanes, so that a loop has no rest. */
static size_t padded(size_t n)
{
	return (n + STEP - 1) / STEP * STEP;
}

bool matrix_alloc(struct matrix *c, size_t rows, size_t n, struct table *owner,
		  struct error *err)
{
	c->rows = rows;
	c->n = n;
	/* Columns a power of two apart would share a few lines of the cache */
	c->height = padded(rows) + (padded(rows) % 512 ? 0 : STEP);
	/* A tile may reach past the last column */
	c->v = table_alloc(owner, (n + TILE - 1) * c->height, sizeof *c->v,
			   err);
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

bool matrix_reduce(struct matrix *c, size_t n, struct table *owner,
		   struct error *err)
{
	struct block b = {
		.simd = simd_best(), .height = c->height,
		.u = table_alloc(owner, BLOCK * c->height, sizeof *b.u, err),
	};

	for (size_t k = 0; b.u && k < n; k += BLOCK) {
		const size_t some = n - k < BLOCK ? n - k : BLOCK;

		b.first = k;
		reflect_columns(&b, c->v + k * c->height, some);
		for (size_t j = k + some; j < c->n; j += TILE)
			apply(&b, c->v + j * c->height);
	}
	return b.u;
}

/* n is a multiple of STEP. */
SIMD_LOOP double dot_loop(const double *x, const double *y, size_t n)
{
	lanes sum[TILE] = { 0 }, a, b;

	for (size_t k = 0; k < n; k += STEP)
		UNROLL for (size_t i = 0; i < TILE; i++) {
			memcpy(&a, x + k + i * LANES, sizeof a);
			memcpy(&b, y + k + i * LANES, sizeof b);
			sum[i] += a * b;
		}
	sum[0] = (sum[0] + sum[2]) + (sum[1] + sum[3]);
	return total(sum);
}

/* x and y become cx - sy and sx + cy. */
SIMD_LOOP void rotate_loop(double *restrict x, double *restrict y, size_t n,
			   double c, double s)
{
	for (size_t k = 0; k < n; k++) {
		const double a = x[k], b = y[k];

		x[k] = c * a - s * b;
		y[k] = s * a + c * b;
	}
}

SIMD_EACH(double, dot, (const double *x, const double *y, size_t n),
	  return dot_loop(x, y, n))
SIMD_EACH(void, rotate, (double *x, double *y, size_t n, double c, double s),
	  rotate_loop(x, y, n, c, s))

/* Columns that are rotated until their first values are orthogonal. */
struct rotations {
	enum simd simd;
	const struct matrix *c;
	size_t n;         /* the values that count, a multiple of LANES */
	double *square;   /* [c->n] sums of their squares */
	double least;     /* cosine of columns that are not orthogonal */
	bool turned;      /* some columns were not */
};

static double square_of(const struct rotations *r, size_t i)
{
	const double *x = r->c->v + i * r->c->height;

	return dot[r->simd](x, x, r->n);
}

/* Make columns i and j orthogonal, the longer one the first. */
static void turn_pair(struct rotations *r, size_t i, size_t j)
{
	double *x = r->c->v + i * r->c->height, *square = r->square;
	double *y = r->c->v + j * r->c->height;
	const double product = dot[r->simd](x, y, r->n);
	const double half = (square[j] - square[i]) / (2 * product);
	const double t = fabs(product) > r->least * sqrt(square[i]) *
						   sqrt(square[j])
		? (half < 0 ? -1 : 1) / (fabs(half) + sqrt(1 + half * half))
		: 0;
	const double c = 1 / sqrt(1 + t * t), s = c * t;
	const double a = square[i] - t * product, b = square[j] + t * product;

	if (!(fabs(t) > 0) && a >= b)
		return;
	r->turned = true;
	if (a >= b)
		rotate[r->simd](x, y, r->c->height, c, s);
	else
		rotate[r->simd](x, y, r->c->height, s, -c);
	square[i] = a >= b ? a : b;
	square[j] = fmin(a, b) > square[j] / 2 ? fmin(a, b) : square_of(r, j);
}

/* Turn each pair of columns once, those of blocks that the cache holds. */
static void sweep(struct rotations *r)
{
	const size_t n = r->c->n;

	for (size_t i = 0; i < n; i++)
		r->square[i] = square_of(r, i);
	for (size_t p = 0; p < n; p += BLOCK)
		for (size_t q = p; q < n; q += BLOCK)
			for (size_t i = p; i < p + BLOCK && i < n; i++)
				for (size_t j = q > i ? q : i + 1;
				     j < q + BLOCK && j < n; j++)
					turn_pair(r, i, j);
}

/*
 * Rotate the columns of c until the first n values of each are orthogonal to
 * those of all others, the longest first; square [c->n] becomes their squares.
 */
static void orthogonalize(const struct matrix *c, size_t n, double *square)
{
	enum { SWEEPS = 60 };
	struct rotations r = {
		.simd = simd_best(), .c = c, .turned = true, .square = square,
		.n = padded(n),
		.least = 0x1p-52 * sqrt((double)n),
	};

	for (int k = 0; r.turned && k < SWEEPS; k++) {
		r.turned = false;
		sweep(&r);
	}
}

/* Columns at to on are x [rows, cols], or its transpose. */
static void load(struct matrix *c, size_t to, const double *x, size_t rows,
		 size_t cols, bool transposed)
{
	for (size_t i = 0; i < rows; i++, x += cols)
		for (size_t j = 0; j < cols; j++)
			c->v[transposed ? (to + i) * c->height + j
			     : (to + j) * c->height + i] = x[j];
}

/* The first n rows of n columns of c, to the columns of another from at on. */
static void take_rows(const struct matrix *c, size_t first, size_t n,
		      struct matrix *to, size_t at)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < n; i++)
			to->v[i * to->height + at + j] =
				c->v[(first + j) * c->height + i];
}

/*
 * Triangles are made twice, as the rows of the second are nearer to orthogonal:
 * X = Q R, R^T = Q2 R2, R2 = U S V^T, so that R = V S (Q2 U)^T.
 */
bool svd_open(struct svd *s, const double *x, size_t rows, size_t cols,
	      struct table *owner, struct error *err)
{
	const size_t n = rows < cols ? rows : cols, long_side = rows + cols - n;
	struct matrix second;

	s->n = n;
	s->values = table_alloc(owner, n, sizeof *s->values, err);
	if (!s->values || !matrix_alloc(&s->r, long_side, n, owner, err) ||
	    !matrix_alloc(&second, n, n, owner, err) ||
	    !matrix_alloc(&s->left, n, n, owner, err))
		return false;
	load(&s->r, 0, x, rows, cols, rows < cols);
	if (!matrix_reduce(&s->r, n, owner, err))
		return false;
	take_rows(&s->r, 0, n, &second, 0);
	if (!matrix_reduce(&second, n, owner, err))
		return false;
	take_rows(&second, 0, n, &s->left, 0);
	orthogonalize(&s->left, n, s->values);
	for (size_t k = 0; k < n; k++)
		s->values[k] = sqrt(s->values[k]);
	return true;
}

void svd_vector(const struct svd *s, size_t k, double *y)
{
	const double *left = s->left.v + k * s->left.height;
	const double value = s->values[k];
	const bool none = value <= 0x1p-30 * s->values[0];

	for (size_t j = 0; j < s->n; j++) {
		const double *r = s->r.v + j * s->r.height;

		y[j] = 0;
		for (size_t i = 0; i <= j && !none; i++)
			y[j] += r[i] * left[i] / value;
	}
}

void columns_center(double *x, size_t rows, size_t cols)
{
	for (size_t j = 0; j < cols; j++) {
		const double first = x[j];
		double sum = 0;

		for (size_t i = 0; i < rows; i++)
			sum += x[i * cols + j] - first;
		for (size_t i = 0; i < rows; i++)
			x[i * cols + j] -= first + sum / (double)rows;
	}
}

#define DEPENDENT 1e-10  /* singular values below this share are 0 */

/* y becomes (R^T R)^-1 y; returns its length before that of 1. */
static double invert(const struct matrix *c, size_t n, double *y)
{
	double length = 0;

	for (size_t k = 0; k < n; k++) {
		const double *r = c->v + k * c->height;

		for (size_t i = 0; i < k; i++)
			y[k] -= r[i] * y[i];
		y[k] /= r[k];
	}
	for (size_t k = n; k-- > 0;) {
		const double *r = c->v + k * c->height;

		y[k] /= r[k];
		for (size_t i = 0; i < k; i++)
			y[i] -= r[i] * y[k];
		length += y[k] * y[k];
	}
	length = sqrt(length);
	for (size_t k = 0; k < n; k++)
		y[k] /= length;
	return length;
}

/*
 * Whether all singular values of R surely count: the largest is at most |R|,
 * and so many inverse iterations end within a tenth of the smallest.
 */
static bool independent(const struct matrix *c, size_t n, double *y)
{
	enum { ITERATIONS = 24 };
	double squares = 0, length = HUGE_VAL;

	for (size_t k = 0; k < n; k++) {
		const double *r = c->v + k * c->height;

		y[k] = k % 3 ? 1 : -1;
		for (size_t i = 0; i <= k; i++)
			squares += r[i] * r[i];
	}
	for (int k = 0; k < ITERATIONS; k++)
		length = invert(c, n, y);
	return 1 / sqrt(length) > 1.25 * DEPENDENT * sqrt(squares);
}

static double squares_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sum;
}

/*
 * What no R M has of the first n rows of C: with R = U S V^T, the rows of U^T C
 * where S is 0. As rotations make the rows of R those of S V^T, they turn C.
 */
static bool unreached(const struct matrix *c, size_t n, double *sum,
		      struct table *owner, struct error *err)
{
	struct matrix both;
	const size_t at = padded(n);
	double *square = table_alloc(owner, n, sizeof *square, err);

	if (!square || !matrix_alloc(&both, at + n, n, owner, err))
		return false;
	take_rows(c, 0, n, &both, 0);
	take_rows(c, n, n, &both, at);
	orthogonalize(&both, n, square);
	for (size_t k = 0; k < n; k++)
		if (sqrt(square[k]) <= DEPENDENT * sqrt(square[0]))
			*sum += squares_of(both.v + k * both.height + at, n);
	return true;
}

bool least_squares(const double *a, const double *b, size_t rows, size_t n,
		   double *residual, struct error *err)
{
	struct table room = { 0 };
	struct matrix c;
	double *y = table_alloc(&room, n, sizeof *y, err), sum = 0;
	const double total = squares_of(b, rows * n);
	bool good = y && matrix_alloc(&c, rows, 2 * n, &room, err);

	if (good) {
		load(&c, 0, a, rows, n, false);
		load(&c, n, b, rows, n, false);
		good = matrix_reduce(&c, n, &room, err);
	}
	for (size_t j = n; good && j < 2 * n; j++)
		sum += squares_of(c.v + j * c.height + n, rows - n);
	if (good && !independent(&c, n, y))
		good = unreached(&c, n, &sum, &room, err);
	table_close(&room);
	*residual = total > 0 ? sqrt(sum / total) : 0;
	return good;
}
