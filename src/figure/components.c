/*
 * components.c: principal components by subspace iteration (Golub and Van Loan,
 * Matrix Computations, section 8.2.4) on the covariance of the columns or, if
 * there are fewer rows, on the products of the rows. The subspace is larger
 * than what is wanted, so that components of equal variance, such as sines and
 * cosines, are found together.
 */
#include <math.h>
#include <stdint.h>

#include "figure/components.h"

enum { BLOCK = 24, ROUNDS_MOST = 400, SWEEPS = 12 };

#define CONVERGED 1e-10  /* residual, of the largest eigenvalue */

struct subspace {
	size_t rows, cols;
	double *x;                  /* [rows, cols], centred, at most 1 */
	double scale;               /* of x */
	size_t m;                   /* of the symmetric matrix s [m, m] */
	double *s;
	size_t k;                   /* vectors, at most BLOCK */
	double *v, *w;              /* [m, k] */
	double b[BLOCK][BLOCK];     /* V^T S V */
	double turn[BLOCK][BLOCK];  /* its eigenvectors */
};

/* The rows minus their mean, divided by the largest magnitude. */
static bool read_rows(struct subspace *p, struct figure *f,
		      const struct table *t)
{
	const size_t n = p->rows * p->cols;
	double most = 0;

	p->x = figure_room(f, n, sizeof *p->x);
	if (!p->x)
		return false;
	table_rows(t, F64, t->begin, p->rows, NULL, p->x);
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(p->x[i]))
			return fail(&f->err, "--plot pca needs finite values, "
				    "got %g in row %zu, column %zu", p->x[i],
				    t->begin + i / p->cols, i % p->cols);
		most = fmax(most, fabs(p->x[i]));
	}
	p->scale = most > 0 ? most : 1;
	for (size_t j = 0; j < p->cols; j++) {
		double mean = 0;

		for (size_t i = j; i < n; i += p->cols)
			mean += (p->x[i] /= p->scale) / (double)p->rows;
		for (size_t i = j; i < n; i += p->cols)
			p->x[i] -= mean;
	}
	return true;
}

/*
 * S = X^T X, or X X^T if that is smaller.
 */
static bool make_products(struct subspace *p, struct figure *f)
{
	const bool by_row = p->rows < p->cols;
	const size_t m = by_row ? p->rows : p->cols;
	const size_t n = by_row ? p->cols : p->rows;
	double *y = figure_room(f, m, sizeof *y);

	p->m = m;
	p->k = m < BLOCK ? m : BLOCK;
	p->s = figure_room(f, m * m, sizeof *p->s);
	p->v = figure_room(f, m * p->k, sizeof *p->v);
	p->w = figure_room(f, m * p->k, sizeof *p->w);
	if (f->err.text[0])
		return false;
	for (size_t l = 0; l < n; l++) {
		for (size_t i = 0; i < m; i++)
			y[i] = by_row ? p->x[i * n + l] : p->x[l * m + i];
		for (size_t i = 0; i < m; i++)
			for (size_t j = 0; j <= i; j++)
				p->s[i * m + j] += y[i] * y[j];
	}
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < i; j++)
			p->s[j * m + i] = p->s[i * m + j];
	return true;
}

/* Columns a and b of v [m, k]: their product. */
static double product(const double *v, const struct subspace *p, size_t a,
		      size_t b)
{
	double sum = 0;

	for (size_t i = 0; i < p->m; i++)
		sum += v[i * p->k + a] * v[i * p->k + b];
	return sum;
}

/* Make the columns of v orthonormal; those that depend on others become 0. */
static void orthonormalize(double *v, const struct subspace *p)
{
	for (size_t a = 0; a < p->k; a++) {
		const double before = product(v, p, a, a);
		double square;

		for (size_t twice = 0; twice < 2; twice++)
			for (size_t b = 0; b < a; b++) {
				const double part = product(v, p, a, b);

				for (size_t i = 0; i < p->m; i++)
					v[i * p->k + a] -= part *
							   v[i * p->k + b];
			}
		square = product(v, p, a, a);
		for (size_t i = 0; i < p->m; i++)
			v[i * p->k + a] = square > before * 1e-24
				? v[i * p->k + a] / sqrt(square) : 0;
	}
}

/* W = S V */
static void multiply(struct subspace *p)
{
	for (size_t i = 0; i < p->m; i++) {
		double *w = p->w + i * p->k;

		for (size_t a = 0; a < p->k; a++)
			w[a] = 0;
		for (size_t j = 0; j < p->m; j++)
			for (size_t a = 0; a < p->k; a++)
				w[a] += p->s[i * p->m + j] * p->v[j * p->k + a];
	}
}

/* Rotate (x, y) by the angle with cosine c and sine s. */
static void turn(double *x, double *y, double c, double s)
{
	const double old = *x;

	*x = c * old - s * *y;
	*y = s * old + c * *y;
}

/* Make b[a][e] zero by a rotation of both (Jacobi). */
static void rotate(struct subspace *p, size_t a, size_t e)
{
	const double off = p->b[a][e];
	const double half = (p->b[e][e] - p->b[a][a]) / 2;
	const double root = sqrt(half * half + off * off);
	const double tangent = off / (half < 0 ? half - root : half + root);
	const double c = 1 / sqrt(1 + tangent * tangent), s = tangent * c;

	for (size_t i = 0; i < p->k; i++)
		turn(&p->b[i][a], &p->b[i][e], c, s);
	for (size_t i = 0; i < p->k; i++)
		turn(&p->b[a][i], &p->b[e][i], c, s);
	for (size_t i = 0; i < p->k; i++)
		turn(&p->turn[i][a], &p->turn[i][e], c, s);
}

/* The eigenvectors of V^T W to turn, in any order. */
static void diagonalize(struct subspace *p)
{
	for (size_t a = 0; a < p->k; a++)
		for (size_t e = 0; e < p->k; e++) {
			p->b[a][e] = 0;
			p->turn[a][e] = a == e;
			for (size_t i = 0; i < p->m; i++)
				p->b[a][e] += p->v[i * p->k + a] *
					      p->w[i * p->k + e];
		}
	for (size_t sweep = 0; sweep < SWEEPS; sweep++)
		for (size_t a = 0; a < p->k; a++)
			for (size_t e = a + 1; e < p->k; e++)
				if (fabs(p->b[a][e]) > 0)
					rotate(p, a, e);
}

/* Exchange columns a and e of turn, with their eigenvalues. */
static void exchange(struct subspace *p, size_t a, size_t e)
{
	const double value = p->b[a][a];

	p->b[a][a] = p->b[e][e];
	p->b[e][e] = value;
	for (size_t i = 0; i < p->k; i++) {
		const double x = p->turn[i][a];

		p->turn[i][a] = p->turn[i][e];
		p->turn[i][e] = x;
	}
}

static void sort(struct subspace *p)
{
	for (size_t a = 0; a < p->k; a++)
		for (size_t e = a + 1; e < p->k; e++)
			if (p->b[e][e] > p->b[a][a])
				exchange(p, a, e);
}

/* x = x turn, of m rows. */
static void apply(const struct subspace *p, double *x)
{
	for (size_t i = 0; i < p->m; i++) {
		double row[BLOCK] = { 0 };

		for (size_t e = 0; e < p->k; e++)
			for (size_t a = 0; a < p->k; a++)
				row[a] += x[i * p->k + e] * p->turn[e][a];
		for (size_t a = 0; a < p->k; a++)
			x[i * p->k + a] = row[a];
	}
}

/* How far the wanted vectors are from eigenvectors. */
static double residual(const struct subspace *p, size_t wanted)
{
	double most = 0;

	for (size_t a = 0; a < wanted; a++)
		for (size_t i = 0; i < p->m; i++)
			most = fmax(most, fabs(p->w[i * p->k + a] - p->b[a][a] *
					       p->v[i * p->k + a]));
	return most;
}

/* V: the eigenvectors of S with the largest eigenvalues, in order. */
static void iterate(struct subspace *p, size_t wanted)
{
	uint64_t random = 1;

	for (size_t i = 0; i < p->m * p->k; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		p->v[i] = (double)(random >> 40) * 0x1p-24 - 0.5;
	}
	for (size_t round = 0; round < ROUNDS_MOST; round++) {
		orthonormalize(p->v, p);
		multiply(p);
		diagonalize(p);
		sort(p);
		apply(p, p->v);
		apply(p, p->w);
		if (residual(p, wanted) <= CONVERGED * p->b[0][0])
			break;
		for (size_t i = 0; i < p->m * p->k; i++)
			p->v[i] = p->w[i];
	}
}

/* Component a of all rows: X v, or u times the root of its eigenvalue. */
static void project(const struct subspace *p, struct components *c, size_t a)
{
	const double root = sqrt(fmax(0, p->b[a][a]));
	double most = 0;

	for (size_t i = 0; i < p->rows; i++) {
		double *to = &c->at[i][a];

		*to = p->rows < p->cols ? root * p->v[i * p->k + a] : 0;
		for (size_t j = 0; p->rows >= p->cols && j < p->cols; j++)
			*to += p->x[i * p->cols + j] * p->v[j * p->k + a];
		*to *= p->scale;
		most = fabs(*to) > fabs(most) ? *to : most;
	}
	for (size_t i = 0; i < p->rows && most < 0; i++)
		c->at[i][a] = -c->at[i][a];
}

bool components_find(struct components *c, struct figure *f,
		     const struct table *t)
{
	struct subspace *p = figure_room(f, 1, sizeof *p);
	size_t wanted;
	double all = 0;

	*c = (struct components){ .n = t->end - t->begin };
	c->at = figure_room(f, c->n, sizeof *c->at);
	if (!p || !c->at)
		return false;
	p->rows = c->n;
	p->cols = t->cols;
	if (!read_rows(p, f, t) || !make_products(p, f))
		return false;
	wanted = p->k < COMPONENTS ? p->k : COMPONENTS;
	iterate(p, wanted);
	for (size_t i = 0; i < p->m; i++)
		all += p->s[i * p->m + i];
	for (size_t a = 0; a < wanted; a++) {
		c->share[a] = all > 0 ? p->b[a][a] / all : 0;
		project(p, c, a);
	}
	return true;
}
