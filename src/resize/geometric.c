/* geometric.c: relative positions at distances that grow geometrically. */
#include <math.h>

#include "resize/resize.h"

static struct span matrix_span(const struct scale *s, size_t i)
{
	return (struct span){ .i = i, .n = s->in, .sum = 1 };
}

static double matrix_weight(const struct scale *s, const struct span *at,
			    size_t j)
{
	return s->weights[at->i * s->in + j];
}

const struct filter geometric_linear_filter = { matrix_span, matrix_weight };
const struct filter geometric_cubic_filter = { matrix_span, matrix_weight };

/* 1 + q + ... + q^(n - 1) */
static double progression(double q, size_t n)
{
	double sum = 0, term = 1;

	for (size_t k = 0; k < n; k++, term *= q)
		sum += term;
	return sum;
}

/* The ratio at which the distances before reach those after, by BEiT's
   bisection. */
static double ratio(const struct scale *s)
{
	const size_t before = s->in / 2, after = s->out / 2;
	double low = 1.01, high = 1.5, q = low;

	while (high - low > 1e-6) {
		q = (low + high) / 2;
		if (progression(q, before) > (double)after)
			high = q;
		else
			low = q;
	}
	return q;
}

/*
 * The places of cells, [in], the middle one at 0, and room for twice as many
 * values.
 */
static double *places(const struct scale *s, struct table *owner,
		      struct error *err)
{
	const size_t half = s->in / 2;
	const double q = ratio(s);
	double *x = table_alloc(owner, s->in, 3 * sizeof *x, err);
	double at = 0, gap = 1;

	for (size_t k = 1; x && k <= half; k++, gap *= q) {
		at += gap;
		x[half + k] = at;
		x[half - k] = -at;
	}
	return x;
}

/* The place of cell i of the result, within those before. */
static double target(const struct scale *s, const double *x, size_t i)
{
	const size_t middle = s->out / 2;
	const double at = (double)i - (double)middle;

	return fmin(fmax(at, x[0]), x[s->in - 1]);
}

/* The interval, k to k + 1, that y lies in. */
static size_t interval(const double *x, size_t n, double y)
{
	size_t k = 0, end = n - 1;

	while (end - k > 1) {
		const size_t middle = k + (end - k) / 2;

		if (x[middle] <= y)
			k = middle;
		else
			end = middle;
	}
	return k;
}

/* Windows of 512. Weights, and the time that they take, grow by the square. */
enum { SIDE_MOST = 1023 };

bool geometric_takes(size_t in, size_t out, size_t least)
{
	return in % 2 && out % 2 && in >= least && in <= SIDE_MOST;
}

static bool check_side(const struct scale *s, size_t least, struct error *err)
{
	return geometric_takes(s->in, s->out, least) ||
	       fail(err, "--grid and --to must have odd sides, 2W - 1 for a "
		    "window of W, and --grid from %zu to %d, got %zu to %zu",
		    least, SIDE_MOST, s->in, s->out);
}

/* Places, and zeros for the weights. */
static bool begin(struct scale *s, size_t least, double **x, double **w,
		  struct table *owner, struct error *err)
{
	if (!check_side(s, least, err))
		return false;
	*x = places(s, owner, err);
	*w = table_alloc(owner, s->out * s->in, sizeof **w, err);
	s->weights = *w;
	return *x && *w;
}

bool geometric_linear_open(struct scale *s, struct table *owner,
			   struct error *err)
{
	double *x, *w;

	if (!begin(s, GEOMETRIC_LINEAR_LEAST, &x, &w, owner, err))
		return false;
	for (size_t i = 0; i < s->out; i++, w += s->in) {
		const double y = target(s, x, i);
		const size_t k = interval(x, s->in, y);

		w[k + 1] = (y - x[k]) / (x[k + 1] - x[k]);
		w[k] = 1 - w[k + 1];
	}
	return true;
}

/*
 * The second derivatives m [n] of the spline through 1 at x[j] and 0 at the
 * other x [n], with no knot at x[1] and x[n - 2]:
 *
 *   h[k-1] m[k-1] + 2 (h[k-1] + h[k]) m[k] + h[k] m[k+1]
 *       = 6 ((y[k+1] - y[k]) / h[k] - (y[k] - y[k-1]) / h[k-1])
 *
 * for k = 1 .. n - 2, and m of x[0], x[1] and x[2] on a line, as at the other
 * end. By elimination without exchanges: x is symmetric, and neighbouring
 * distances differ by a factor of at most 1.5. c [n] is scratch.
 */
static void second_derivatives(const double *x, size_t n, size_t j, double *c,
			       double *m)
{
	const double bend = (x[1] - x[0]) / (x[2] - x[1]);

	c[0] = m[0] = 0;
	for (size_t k = 1; k + 1 < n; k++) {
		const double before = x[k] - x[k - 1], after = x[k + 1] - x[k];
		const double slope_before = (j == k) - (j == k - 1);
		const double slope_after = (j == k + 1) - (j == k);
		double low = before, middle = 2 * (before + after);
		double high = after;

		if (k == 1) {
			middle += before * (1 + bend);
			high -= before * bend;
		}
		if (k + 2 == n) {
			middle += after * (1 + bend);
			low -= after * bend;
		}
		middle -= low * c[k - 1];
		c[k] = high / middle;
		m[k] = (6 * (slope_after / after - slope_before / before) -
			low * m[k - 1]) / middle;
	}
	for (size_t k = n - 2; k-- > 1;)
		m[k] -= c[k] * m[k + 1];
	m[0] = m[1] + bend * (m[1] - m[2]);
	m[n - 1] = m[n - 2] + bend * (m[n - 2] - m[n - 3]);
}

/* The spline of second_derivatives() at y. */
static double spline(const double *x, const double *m, size_t n, size_t j,
		     double y)
{
	const size_t k = interval(x, n, y);
	const double h = x[k + 1] - x[k];
	const double a = (x[k + 1] - y) / h, b = (y - x[k]) / h;

	return (j == k ? a : 0) + (j == k + 1 ? b : 0) +
	       ((a * a * a - a) * m[k] + (b * b * b - b) * m[k + 1]) * h * h /
		       6;
}

bool geometric_cubic_open(struct scale *s, struct table *owner,
			  struct error *err)
{
	double *x, *w, *m;

	if (!begin(s, GEOMETRIC_CUBIC_LEAST, &x, &w, owner, err))
		return false;
	m = x + s->in;
	for (size_t j = 0; j < s->in; j++) {
		second_derivatives(x, s->in, j, m + s->in, m);
		for (size_t i = 0; i < s->out; i++)
			w[i * s->in + j] = spline(x, m, s->in, j,
						  target(s, x, i));
	}
	return true;
}
