/* independence.c: whether rows and columns look unrelated. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bits.h"
#include "identify/independence.h"
#include "table/sort.h"

enum {
	MOST_VALUES = 1 << 18,  /* of the block */
	MOST_COLUMNS = 1 << 12,
	LAGS = 16,
	PROBES = 4,
};

/* Values of rows of columns, less their mean, in units of their deviation. */
struct block {
	const double *z;       /* [n, length] */
	size_t n, length;
	double fourth;         /* mean of z^4 */
	double spread;         /* excess kurtosis of z^2 */
	double noise;          /* relative rounding of the values */
	double offset;         /* the mean that z lacks */
};

/*
 * The z-score of a sum of squares with this mean and variance: its cube root
 * is nearly normal (Wilson and Hilferty 1931).
 */
static double score(double sum, double mean, double variance)
{
	const double part = variance / (9 * mean * mean);

	return (cbrt(sum / mean) - (1 - part)) / sqrt(part);
}

static double dot(const double *a, const double *b, size_t n)
{
	double sum[4] = { 0 };
	size_t j = 0;

	/* Independent sums keep several units of a processor busy. */
	for (; j + 4 <= n; j += 4)
		for (size_t k = 0; k < 4; k++)
			sum[k] += a[j + k] * b[j + k];
	for (; j < n; j++)
		sum[0] += a[j] * b[j];
	return sum[0] + sum[1] + (sum[2] + sum[3]);
}

static const double *line(const struct block *b, size_t i)
{
	return b->z + i * b->length;
}

/* Spread of means and of norms. */
static void test_moments(const struct block *b, struct lines *t)
{
	const double n = (double)b->n, m = (double)b->length;
	const double unit = fmax(b->fourth - 1, 1e-9) / m;
	double means = 0, norms = 0;

	for (size_t i = 0; i < b->n; i++) {
		const double *z = line(b, i);
		const double off = dot(z, z, b->length) / m - 1;
		double sum = 0;

		for (size_t j = 0; j < b->length; j++)
			sum += z[j];
		means += sum * sum / m;
		norms += off * off / unit;
	}
	t->mean_z = score(means, n - 1, n * (2 + (b->fourth - 3) / m));
	t->norm_z = score(norms, n - 1, n * (2 + b->spread / m));
}

/*
 * Keep the correlation of lines at a lag if it is the first that is rejected,
 * or the least likely of those that are not.
 */
static void note_correlation(struct lines *t, double sum, double products,
			     size_t lag)
{
	const double z = sum / sqrt(products);

	if (fabs(t->correlation_z) > REJECTED ||
	    fabs(z) <= fabs(t->correlation_z))
		return;
	t->correlation_z = z;
	t->correlation = sum / products;
	t->lag = lag;
}

/* Products of each line with its mirror image: from both ends inwards. */
static void test_mirror(const struct block *b, struct lines *t)
{
	const size_t pairs = b->n / 2;
	double sum = 0;

	for (size_t i = 0; i < pairs; i++)
		sum += dot(line(b, i), line(b, b->n - 1 - i), b->length);
	note_correlation(t, sum, (double)pairs * (double)b->length, 0);
}

/*
 * Products of lines up to LAGS apart, and half of all lines. Those of
 * independent lines have the mean 0, and their squares that of the length.
 */
static void test_products(const struct block *b, struct lines *t)
{
	const double m = (double)b->length;
	const double variance = 2 + (b->fourth * b->fourth - 3) / m;
	double squares = 0, pairs = 0;

	for (size_t k = 1; k <= LAGS + 1; k++) {
		const size_t lag = k <= LAGS ? k : b->n / 2;
		double sum = 0;

		if (lag >= b->n || (k > LAGS && lag <= LAGS))
			continue;
		for (size_t i = 0; i + lag < b->n; i++) {
			const double x =
				dot(line(b, i), line(b, i + lag), b->length);

			sum += x;
			squares += x * x / m;
		}
		pairs += (double)(b->n - lag);
		note_correlation(t, sum, (double)(b->n - lag) * m, lag);
	}
	t->product_z = score(squares, pairs, pairs * variance);
	t->rank = m * pairs / fmax(squares, 1e-9);
}

struct hashed {
	uint64_t hash;
	size_t i;
};

static int by_hash(const void *a, const void *b)
{
	const struct hashed *x = a, *y = b;

	return integers_order(x->hash, y->hash);
}

/* Find two lines that are equal. */
static bool find_repeated(const struct block *b, struct lines *t,
			  struct table *owner, struct error *err)
{
	struct hashed *all = table_alloc(owner, b->n, sizeof *all, err);

	if (!all)
		return false;
	for (size_t i = 0; i < b->n; i++) {
		all[i] = (struct hashed){ 0xcbf29ce484222325, i };
		for (size_t j = 0; j < b->length; j++) {
			all[i].hash = (all[i].hash ^ bits_of(line(b, i)[j])) *
				      0x100000001b3;
			all[i].hash ^= all[i].hash >> 29;
		}
	}
	qsort(all, b->n, sizeof *all, by_hash);
	for (size_t k = 1; k < b->n && !t->repeated; k++)
		t->repeated = memcmp(line(b, all[k - 1].i), line(b, all[k].i),
				     b->length * sizeof *b->z) == 0;
	return true;
}

/*
 * Whether X X^T is a multiple of the identity: for vectors v of random signs,
 * X (X^T v) is that multiple of v (Freivalds 1979). X is z plus the offset.
 */
static bool is_orthogonal(const struct block *b, double *v, double *u)
{
	const double m = (double)b->length;
	const double square = m * (1 + b->offset * b->offset);
	uint64_t state = 1;

	for (int probe = 0; probe < PROBES; probe++) {
		memset(u, 0, b->length * sizeof *u);
		for (size_t i = 0; i < b->n; i++) {
			state = state * 6364136223846793005u + 1;
			v[i] = state >> 63 ? 1 : -1;
			for (size_t j = 0; j < b->length; j++)
				u[j] += v[i] * (line(b, i)[j] + b->offset);
		}
		for (size_t i = 0; i < b->n; i++) {
			double sum = 0;

			for (size_t j = 0; j < b->length; j++)
				sum += u[j] * (line(b, i)[j] + b->offset);
			if (fabs(sum / square - v[i]) > 2e-3 + 16 * b->noise)
				return false;
		}
	}
	return true;
}

static bool test_lines(const struct block *b, struct lines *t,
		       struct table *owner, struct error *err)
{
	double *room = table_alloc(owner, b->n + b->length, sizeof *room, err);

	*t = (struct lines){ .n = b->n, .length = b->length };
	if (!room || !find_repeated(b, t, owner, err))
		return false;
	test_moments(b, t);
	test_products(b, t);
	test_mirror(b, t);
	t->orthogonal = is_orthogonal(b, room, room + b->n);
	return true;
}

/* Copy rows that are not zero to z; returns how many there are. */
static size_t copy_rows(const struct profile *p, size_t most, size_t cols,
			double *z)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n && n < most; i++)
		if (!profile_zero_row(p, i))
			memcpy(z + n++ * cols, profile_row(p, i),
			       cols * sizeof *z);
	return n;
}

/*
 * Subtract the mean, divide by the deviation, measure higher moments. False if
 * there is no such deviation.
 */
static bool standardize(struct block *b, double *z)
{
	const size_t all = b->n * b->length;
	const double n = (double)all;
	double mean = 0, squares = 0, spread = 0;

	for (size_t i = 0; i < all; i++)
		mean += z[i] / n;
	for (size_t i = 0; i < all; i++)
		squares += (z[i] - mean) * (z[i] - mean) / n;
	if (!(squares > 0))
		return false;
	b->offset = mean / sqrt(squares);
	for (size_t i = 0; i < all; i++) {
		z[i] = (z[i] - mean) / sqrt(squares);
		b->fourth += z[i] * z[i] * z[i] * z[i] / n;
	}
	for (size_t i = 0; i < all; i++) {
		const double off = z[i] * z[i] - 1;

		spread += off * off * off * off / n;
	}
	b->spread = spread / fmax((b->fourth - 1) * (b->fourth - 1), 1e-9) - 3;
	b->z = z;
	return true;
}

/* The correlation of a square block with its transpose. */
static double symmetry(const struct block *b)
{
	const size_t pairs = b->n * (b->n - 1) / 2;
	double sum = 0;

	for (size_t i = 0; i < b->n; i++)
		for (size_t j = 0; j < i; j++)
			sum += line(b, i)[j] * line(b, j)[i];
	return sum / sqrt((double)pairs);
}

bool independence_test(struct independence *t, const struct profile *p,
		       struct table *owner, struct error *err)
{
	const size_t cols = p->cols < MOST_COLUMNS ? p->cols : MOST_COLUMNS;
	const size_t most =
		p->n < MOST_VALUES / cols ? p->n : MOST_VALUES / cols;
	double *z = table_alloc(owner, most * cols, sizeof *z, err);
	double *turned = table_alloc(owner, most * cols, sizeof *z, err);
	struct block b = { .length = cols, .noise = p->noise }, c;

	*t = (struct independence){ .symmetry_z = 0 };
	if (!z || !turned)
		return false;
	b.n = copy_rows(p, most, cols, z);
	if (b.n < LINES_LEAST || cols < LINES_LEAST || !standardize(&b, z))
		return false;
	c = b;
	c.z = turned;
	c.n = b.length;
	c.length = b.n;
	for (size_t i = 0; i < b.n; i++)
		for (size_t j = 0; j < cols; j++)
			turned[j * b.n + i] = z[i * cols + j];
	t->symmetry_z = b.n == cols ? symmetry(&b) : 0;
	return test_lines(&b, &t->rows, owner, err) &&
	       test_lines(&c, &t->columns, owner, err);
}

static double norm(const double *x, size_t n)
{
	double squares = 0;

	for (size_t j = 0; j < n; j++)
		squares += x[j] * x[j];
	return sqrt(squares);
}

/* Subtract from x [n] what rows of basis, which follow each other, span. */
static void subtract_span(double *x, const double *basis, size_t rows, size_t n)
{
	for (size_t k = 0; k < rows; k++) {
		const double *unit = basis + k * n;
		double product = 0;

		for (size_t j = 0; j < n; j++)
			product += unit[j] * x[j];
		for (size_t j = 0; j < n; j++)
			x[j] -= product * unit[j];
	}
}

size_t low_rank(const struct profile *p, struct table *owner,
		struct error *err)
{
	const size_t less = (p->n < p->cols ? p->n : p->cols) / 2;
	const size_t most = less < LOW_RANK ? less : LOW_RANK;
	const double part = 256 * p->noise + 1e-12;
	double *basis = part < 1e-4 ? table_alloc(owner, most + 1,
						  p->cols * sizeof *basis, err)
				    : NULL;
	size_t rank = 0;

	for (size_t i = 0; basis && i < p->n && rank <= most; i++) {
		double *x = basis + rank * p->cols;
		double before, after;

		memcpy(x, profile_row(p, i), p->cols * sizeof *x);
		before = norm(x, p->cols);
		subtract_span(x, basis, rank, p->cols);
		after = norm(x, p->cols);
		for (size_t j = 0; j < p->cols; j++)
			x[j] /= after;
		rank += after > part * before;
	}
	return rank <= most ? rank : 0;
}
