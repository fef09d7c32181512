/* draws.c: whether values look like independent draws from a distribution. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/draws.h"
#include "table/sort.h"

enum {
	SAMPLE = 1 << 16,
	MOST_VALUES = 1 << 18,  /* of the block that is tested */
	MOST_COLUMNS = 1 << 12,
	LAGS = 16,
};

/* Smaller probabilities reject: of the distance, of the largest value. */
#define DISTANCE_P 1e-4
#define EXTREME_P 1e-4
/* Greater ones, too: no draws are so evenly spread. */
#define EVEN_P 0.9999

/* Sorted values; their profile tells how they were rounded, or is NULL. */
struct sample {
	const struct profile *profile;
	const double *x;
	size_t n;
};

/* Half of the interval that is rounded to x, as a dtype or as text. */
static double half_unit(const struct profile *p, double x)
{
	static const int bits[] = {
		[F64] = 53, [F32] = 24, [F16] = 11, [BF16] = 8,
	};
	double half;
	int exponent;

	if (!p)
		return 0;
	frexp(x, &exponent);
	half = fmax(ldexp(0.5, exponent - bits[p->stored]),
		    p->stored == F16 ? 0x1p-25 : 0);
	return p->digits < MAX_DIGITS
		       ? fmax(half, 0.5 * profile_last_digit(p, x)) : half;
}

static double normal_cdf(const struct distribution *d, double x)
{
	return 0.5 * erfc((d->mean - x) / (d->deviation * sqrt(2)));
}

static double uniform_cdf(const struct distribution *d, double x)
{
	return fmax(0, fmin(1, (x - d->min) / (d->max - d->min)));
}

/*
 * The largest distance between the empirical distribution function of the
 * values first to last - 1 and cdf(), where rounding leaves the former known.
 */
static double largest_distance(const struct sample *s,
			       const struct distribution *d, size_t first,
			       size_t last,
			       double (*cdf)(const struct distribution *d,
					     double x))
{
	const double n = (double)(last - first);
	double most = 0;

	for (size_t i = first, j; i < last; i = j) {
		const double x = s->x[i], half = half_unit(s->profile, x);

		for (j = i + 1; j < last && s->x[j] <= x; j++)
			;
		most = fmax(most, cdf(d, x - half) - (double)(i - first) / n);
		most = fmax(most, (double)(j - first) / n - cdf(d, x + half));
	}
	return most;
}

/* The probability that draws from a known distribution are further away. */
static double kolmogorov_p(double distance, double n)
{
	const double x = (sqrt(n) + 0.12 + 0.11 / sqrt(n)) * distance;
	double sum = 0;

	if (x < 0.3)
		return 1;
	for (int k = 1; k < 100; k++)
		sum += (k % 2 ? 2 : -2) * exp(-2 * k * k * x * x);
	return fmin(1, sum);
}

/*
 * The same for a normal distribution whose mean and deviation were estimated
 * (Lilliefors 1967): the tail by Dallal and Wilkinson 1986 for many values,
 * the rest quantiles of 60,000 samples of 1500 values.
 */
static double lilliefors_p(double distance, double n)
{
	static const double quantiles[][2] = {
		{ 0.294, 0.9999 }, { 0.327, 0.999 }, { 0.374, 0.99 },
		{ 0.428, 0.95 },   { 0.460, 0.9 },   { 0.507, 0.8 },
		{ 0.544, 0.7 },	   { 0.579, 0.6 },   { 0.615, 0.5 },
		{ 0.652, 0.4 },	   { 0.696, 0.3 },   { 0.751, 0.2 },
		{ 0.834, 0.1 },
	};
	const size_t count = sizeof quantiles / sizeof *quantiles;
	const double x = (sqrt(n) - 0.01 + 0.85 / sqrt(n)) * distance;
	size_t k = 0;

	while (k < count && x > quantiles[k][0])
		k++;
	if (k == 0)
		return 1;
	if (k == count)
		return exp(-7.01256 * x * x + 2.99587 * x - 0.122119);
	return quantiles[k - 1][1] +
	       (x - quantiles[k - 1][0]) /
		       (quantiles[k][0] - quantiles[k - 1][0]) *
		       (quantiles[k][1] - quantiles[k - 1][1]);
}

static void measure_moments(struct distribution *d, const struct sample *s)
{
	double squares = 0, fourth = 0;

	for (size_t i = 0; i < s->n; i++)
		d->mean += s->x[i] / (double)s->n;
	for (size_t i = 0; i < s->n; i++) {
		const double square = pow(s->x[i] - d->mean, 2);

		squares += square;
		fourth += square * square;
	}
	d->deviation = sqrt(squares / (double)s->n);
	d->kurtosis = fourth / squares / squares * (double)s->n;
}

/*
 * Look at runs of equal values. Copied: most values occur 2 times, or most 3
 * times, and so on. Rounding makes independent draws coincide, but the share of
 * those that occur exactly so many times is at most exp(-1): their numbers are
 * Poisson distributed. Clipped: an end of the values is far more frequent than
 * the value next.
 */
static void measure_runs(struct distribution *d, const struct sample *s)
{
	enum { MOST_TIMES = 8 };
	const double all = (double)s->n;
	size_t of[MOST_TIMES + 1] = { 0 }, low[2] = { 0 }, high[2] = { 0 };

	for (size_t i = 0, n; i < s->n; i += n) {
		for (n = 1; i + n < s->n && s->x[i + n] <= s->x[i]; n++)
			;
		if (s->x[i] == 0)
			d->zeros = (double)n / all;
		if (n > 1 && n <= MOST_TIMES)
			of[n] += n;
		if (d->different < 2)
			low[d->different] = n;
		d->different++;
		high[1] = high[0];
		high[0] = n;
	}
	for (size_t n = 2; n <= MOST_TIMES; n++)
		d->copied = d->copied || (double)of[n] > 0.6 * all;
	d->clipped = low[0] > 4 + 4 * low[1] || high[0] > 4 + 4 * high[1];
}

void distribution_of(struct distribution *d, const struct profile *p,
		     const double *x, size_t n)
{
	const struct sample s = { p, x, n };
	const double count = (double)n;
	double far, tail;

	*d = (struct distribution){ .n = n, .kurtosis = (double)NAN };
	/* All of a sample may be in rows of zeros. */
	if (!n)
		return;
	d->min = x[0];
	d->max = x[n - 1];
	measure_moments(d, &s);
	measure_runs(d, &s);
	if (d->different < 3)
		return;
	d->normal_p = lilliefors_p(largest_distance(&s, d, 0, n, normal_cdf),
				   count);
	/* Between the ends, the other values are draws from a known one. */
	d->uniform_p = kolmogorov_p(
		largest_distance(&s, d, 1, n - 1, uniform_cdf), count - 2);
	far = fmax(d->max - d->mean, d->mean - d->min) / d->deviation;
	tail = exp(count * log1p(-erfc(far / sqrt(2))));
	d->extreme_p = 2 * fmin(tail, 1 - tail);
}

/* Whether row i is one of zeros; of wide rows, each is read once. */
static bool is_zero_row(const struct profile *p, unsigned char *known, size_t i)
{
	enum { ZERO = 1, OTHER };

	if (p->n > SAMPLE)
		return profile_zero_row(p, i);
	if (!known[i])
		known[i] = profile_zero_row(p, i) ? ZERO : OTHER;
	return known[i] == ZERO;
}

bool distribution_test(struct distribution *d, const struct profile *p,
		       struct table *owner, struct error *err)
{
	const size_t all = p->n * p->cols, most = all < SAMPLE ? all : SAMPLE;
	unsigned char *known = table_alloc(owner, SAMPLE, 1, err);
	double *x = table_alloc(owner, most, sizeof *x, err);
	size_t n = 0;

	if (!x || !known)
		return false;
	for (size_t k = 0; k < most; k++) {
		const size_t at = all > SAMPLE ? sample_index(k, all) : k;

		x[n] = profile_value(p, at / p->cols, at % p->cols);
		n += x[n] != 0 || !is_zero_row(p, known, at / p->cols);
	}
	sort_doubles(x, n);
	distribution_of(d, p, x, n);
	return true;
}

static bool is_likely(double p)
{
	return p > DISTANCE_P && p < EVEN_P;
}

bool looks_normal(const struct distribution *d)
{
	return !d->clipped && is_likely(d->normal_p) &&
	       d->extreme_p > EXTREME_P;
}

bool looks_uniform(const struct distribution *d)
{
	return !d->clipped && is_likely(d->uniform_p);
}

/* Values of rows of columns, less their mean, in units of their deviation. */
struct block {
	double *z;             /* [n, length] */
	size_t n, length;
	double fourth;         /* mean of z^4 */
	double spread;         /* excess kurtosis of z^2 */
	double noise;          /* relative rounding of the values */
	double mean, deviation; /* of the values before that */
	double shared;         /* what products of lines have on average where
				  the other lines were centered */
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

/* Of two lines; what independent ones have on average is 0. */
static double product(const struct block *b, size_t i, size_t k)
{
	return dot(line(b, i), line(b, k), b->length) -
	       b->shared * (double)b->length;
}

/* Spread of means and of norms. */
static void test_moments(const struct block *b, struct lines *t)
{
	const double n = (double)b->n, m = (double)b->length;
	const double unit = fmax(b->fourth - 1, 1e-9) / m;
	double means = 0, norms = 0;

	t->norms[0] = t->means[0] = HUGE_VAL;
	t->norms[1] = t->means[1] = -HUGE_VAL;
	for (size_t i = 0; i < b->n; i++) {
		const double *z = line(b, i);
		const double squares = dot(z, z, b->length);
		const double off = squares / m - 1;
		double sum = 0, mean, norm;

		for (size_t j = 0; j < b->length; j++)
			sum += z[j];
		means += sum * sum / m;
		norms += off * off / unit;
		mean = b->mean + b->deviation * sum / m;
		norm = squares * b->deviation * b->deviation +
		       m * b->mean * (2 * mean - b->mean);
		t->means[0] = fmin(t->means[0], mean);
		t->means[1] = fmax(t->means[1], mean);
		t->norms[0] = fmin(t->norms[0], sqrt(fmax(0, norm)));
		t->norms[1] = fmax(t->norms[1], sqrt(fmax(0, norm)));
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

/*
 * Products of lines up to LAGS apart, and half of all lines; and of each line
 * with its mirror image, from both ends inwards. Those of independent lines
 * have the mean 0, and their squares that of the length.
 */
static void test_products(const struct block *b, struct lines *t)
{
	const size_t half = b->n / 2;
	const double m = (double)b->length;
	const double variance = 2 + (b->fourth * b->fourth - 3) / m;
	double squares = 0, pairs = 0, mirror = 0;

	for (size_t k = 1; k <= LAGS + 1; k++) {
		const size_t lag = k <= LAGS ? k : half;
		double sum = 0;

		if (lag >= b->n || (k > LAGS && lag <= LAGS))
			continue;
		for (size_t i = 0; i + lag < b->n; i++) {
			const double x = product(b, i, i + lag);

			sum += x;
			squares += x * x / m;
		}
		pairs += (double)(b->n - lag);
		note_correlation(t, sum, (double)(b->n - lag) * m, lag);
	}
	for (size_t i = 0; i < half; i++)
		mirror += product(b, i, b->n - 1 - i);
	note_correlation(t, mirror, (double)half * m, 0);
	t->product_z = score(squares, pairs, pairs * variance);
	t->rank = m * pairs / fmax(squares, 1e-9);
}

/* A line, to be sorted. */
struct bytes {
	const double *x;
	size_t n;
};

static int by_bytes(const void *a, const void *b)
{
	const struct bytes *x = a, *y = b;

	return memcmp(x->x, y->x, x->n);
}

/* Find two lines that are equal. */
static bool find_repeated(const struct block *b, struct lines *t,
			  struct table *owner, struct error *err)
{
	struct bytes *all = table_alloc(owner, b->n, sizeof *all, err);

	if (!all)
		return false;
	for (size_t i = 0; i < b->n; i++)
		all[i] = (struct bytes){ line(b, i),
					 b->length * sizeof *b->z };
	qsort(all, b->n, sizeof *all, by_bytes);
	for (size_t k = 1; k < b->n && !t->repeated; k++) {
		const size_t i = (size_t)(all[k - 1].x - b->z) / b->length;
		const size_t j = (size_t)(all[k].x - b->z) / b->length;

		t->equal[0] = i < j ? i : j;
		t->equal[1] = i < j ? j : i;
		t->repeated = by_bytes(&all[k - 1], &all[k]) == 0;
	}
	return true;
}

/* Whether X X^T is a multiple of the identity; X is z plus the offset. */
static bool is_orthogonal(const struct block *b)
{
	const double offset = b->mean / b->deviation;
	const double square = (double)b->length * (1 + offset * offset);
	/* Errors of rounding cancel in sums. */
	const double most = pow(2e-3 + 4 * b->noise *
				sqrt((double)b->n / (double)b->length), 2);

	for (size_t i = 0; i < b->n && b->n <= b->length; i++) {
		double off = 0;

		for (size_t k = 0; k < b->n && off <= most; k++) {
			const double *x = line(b, i), *y = line(b, k);
			double sum = 0;

			for (size_t j = 0; j < b->length; j++)
				sum += (x[j] + offset) * (y[j] + offset);
			off += pow(sum / square - (i == k), 2);
		}
		if (off > most)
			return false;
	}
	return b->n <= b->length;
}

/* What does not depend on whether lines differ in means and norms. */
static bool test_lines(const struct block *b, struct lines *t,
		       struct table *owner, struct error *err)
{
	*t = (struct lines){ .n = b->n, .length = b->length };
	if (!find_repeated(b, t, owner, err))
		return false;
	test_moments(b, t);
	t->orthogonal = is_orthogonal(b);
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
static bool standardize(struct block *b)
{
	const size_t all = b->n * b->length;
	const double n = (double)all;
	double *z = b->z;
	double mean = 0, squares = 0, spread = 0;

	for (size_t i = 0; i < all; i++)
		mean += z[i] / n;
	for (size_t i = 0; i < all; i++)
		squares += (z[i] - mean) * (z[i] - mean) / n;
	if (!(squares > 0))
		return false;
	b->mean = mean;
	b->deviation = sqrt(squares);
	b->fourth = 0;
	for (size_t i = 0; i < all; i++) {
		double square, off;

		z[i] = (z[i] - mean) / b->deviation;
		square = z[i] * z[i];
		off = square - 1;
		b->fourth += square * square / n;
		spread += off * off * off * off / n;
	}
	b->spread = spread / fmax((b->fourth - 1) * (b->fourth - 1), 1e-9) - 3;
	return true;
}

/* c becomes b with rows as columns. */
static void transpose(struct block *c, const struct block *b)
{
	double *z = c->z;

	*c = *b;
	c->z = z;
	c->n = b->length;
	c->length = b->n;
	for (size_t i = 0; i < b->n; i++)
		for (size_t j = 0; j < b->length; j++)
			z[j * b->n + i] = line(b, i)[j];
}

/*
 * Center lines of different means, scale those of different norms: a few that
 * are large or far from 0 would be all that correlations tell.
 */
static void adjust(struct block *b, const struct lines *t)
{
	const double m = (double)b->length;

	for (size_t i = 0; i < b->n; i++) {
		double *x = b->z + i * b->length, mean = 0, squares = 0;

		for (size_t j = 0; j < b->length; j++)
			mean += x[j] / m;
		for (size_t j = 0; j < b->length; j++)
			squares += pow(x[j] - mean, 2) / m;
		for (size_t j = 0; j < b->length; j++) {
			if (t->mean_z > REJECTED)
				x[j] -= mean;
			if (t->norm_z > REJECTED && squares > 0)
				x[j] /= sqrt(squares);
		}
	}
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

/* The square of what rounding adds to the norm of a row. */
static double row_noise(const struct profile *p, const double *x)
{
	double most = 0;

	for (size_t j = 0; j < p->cols; j++)
		most = fmax(most, fabs(x[j]));
	return pow(half_unit(p, most), 2) / 3 * (double)p->cols;
}

/* Rows, orthogonal and of norm 1, that span others. */
struct basis {
	size_t n, cols;
	double *rows;            /* [LOW_RANK, cols] */
	double noise[LOW_RANK];  /* what rounding added to their squares */
};

/* Subtract from x [cols] what row k spans; noise: of x. */
static void subtract_row(const struct basis *b, size_t k, double *x,
			 double *noise)
{
	const double *row = b->rows + k * b->cols;
	const double part = dot(row, x, b->cols);

	for (size_t j = 0; j < b->cols; j++)
		x[j] -= part * row[j];
	*noise += part * part * b->noise[k];
}

/*
 * Find the rows that span x [n, cols], of which rounding is left; noise [n].
 * The next is always the largest of what is left, or rounding would grow. False
 * if they are more than LOW_RANK or half of the rows and columns.
 */
static bool find_basis(struct basis *b, double *x, double *noise, size_t n,
		       double beyond)
{
	const size_t cols = b->cols, less = (n < cols ? n : cols) / 2;
	const size_t most = less < LOW_RANK ? less : LOW_RANK;

	for (;; b->n++) {
		double largest = 0;
		size_t at = 0;

		for (size_t i = 0; i < n; i++) {
			const double *row = x + i * cols;
			const double left = dot(row, row, cols);

			if (left > fmax(largest, beyond * noise[i])) {
				largest = left;
				at = i;
			}
		}
		if (!(largest > 0) || b->n == most)
			return !(largest > 0);
		for (size_t j = 0; j < cols; j++)
			b->rows[b->n * cols + j] =
				x[at * cols + j] / sqrt(largest);
		b->noise[b->n] = noise[at] / largest;
		for (size_t i = 0; i < n; i++)
			subtract_row(b, b->n, x + i * cols, &noise[i]);
	}
}

/*
 * How many rows all others are combinations of, up to rounding; 0 if many, or
 * if memory is short. x: [n, cols], the first that are not zero, which are
 * overwritten.
 */
static size_t low_rank(const struct profile *p, double *x, size_t n,
		       struct table *owner, struct error *err)
{
	const size_t cols = p->cols;
	/* Sums of products add more than the last rounding, which is all that
	   text has. */
	const double beyond = p->digits < MAX_DIGITS ? 4 : 256;
	struct basis b = { .cols = cols };
	double *noise = table_alloc(owner, n, sizeof *noise, err);

	b.rows = table_alloc(owner, cols, LOW_RANK * sizeof *x, err);
	/* Values of few digits are near to any such rows. */
	if (!b.rows || !noise ||
	    half_unit(p, fmax(-p->min, p->max)) > 2e-3 * p->deviation)
		return 0;
	for (size_t i = 0; i < n; i++)
		noise[i] = row_noise(p, x + i * cols);
	if (!find_basis(&b, x, noise, n, beyond))
		return 0;
	for (size_t i = n; i < p->n; i++) {
		memcpy(x, profile_row(p, i), cols * sizeof *x);
		noise[0] = row_noise(p, x);
		for (size_t k = 0; k < b.n; k++)
			subtract_row(&b, k, x, &noise[0]);
		if (dot(x, x, cols) > beyond * noise[0])
			return 0;
	}
	return b.n;
}

static bool is_uneven(const struct lines *t)
{
	return t->mean_z > REJECTED || t->norm_z > REJECTED;
}

/* On average, what centering n other lines leaves in a product. */
static double shared(const struct lines *others)
{
	return others->mean_z > REJECTED ? -1 / ((double)others->length - 1)
					 : 0;
}

/* Products of rows, and of columns; c is b transposed. */
static void test_all_products(struct independence *t, struct block *b,
			      struct block *c)
{
	if (is_uneven(&t->rows) || is_uneven(&t->columns)) {
		adjust(c, &t->columns);
		transpose(b, c);
		adjust(b, &t->rows);
		standardize(b);
		transpose(c, b);
	}
	b->shared = shared(&t->columns);
	c->shared = shared(&t->rows);
	test_products(b, &t->rows);
	test_products(c, &t->columns);
	t->symmetry_z = b->n == b->length ? symmetry(b) : 0;
}

/* The row of the table that is the k-th of those that are not zero. */
static size_t row_of(const struct profile *p, size_t k)
{
	size_t i = 0;

	while (profile_zero_row(p, i) || k--)
		i++;
	return i;
}

bool independence_test(struct independence *t, const struct profile *p,
		       struct table *owner, struct error *err)
{
	const size_t cols = p->cols < MOST_COLUMNS ? p->cols : MOST_COLUMNS;
	const size_t most =
		p->n < MOST_VALUES / cols ? p->n : MOST_VALUES / cols;
	const size_t room = most * cols, size = sizeof(double);
	struct block b = { .length = cols, .noise = p->noise }, c;

	*t = (struct independence){ .symmetry_z = 0 };
	b.z = table_alloc(owner, room, size, err);
	c.z = table_alloc(owner, room, size, err);
	if (!b.z || !c.z)
		return false;
	b.n = copy_rows(p, most, cols, b.z);
	if (b.n < LINES_LEAST || cols < LINES_LEAST)
		return false;
	if (cols == p->cols)
		t->rank = low_rank(p, memcpy(c.z, b.z, b.n * cols * size), b.n,
				   owner, err);
	if (!standardize(&b))
		return false;
	transpose(&c, &b);
	if (!test_lines(&b, &t->rows, owner, err) ||
	    !test_lines(&c, &t->columns, owner, err))
		return false;
	for (size_t k = 0; k < 2; k++)
		t->rows.equal[k] = row_of(p, t->rows.equal[k]);
	test_all_products(t, &b, &c);
	return true;
}
