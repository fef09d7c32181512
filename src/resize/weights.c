/* weights.c: the modes of PyTorch's interpolate(), and the centre cut. */
#include <math.h>

#include "resize/resize.h"

struct span copy_span(const struct scale *s, size_t i)
{
	(void)s;
	return (struct span){ .i = i, .first = i, .n = 1, .sum = 1 };
}

double copy_weight(const struct scale *s, const struct span *at, size_t j)
{
	(void)s;
	(void)at;
	(void)j;
	return 1;
}

const struct filter copy_filter = { copy_span, copy_weight };

/* Cells before for each cell after. */
static double step(const struct scale *s)
{
	const double in = (double)s->in, out = (double)s->out;

	if (s->corners)
		return s->out > 1 ? (in - 1) / (out - 1) : 0;
	return in / (out + s->offset);
}

/* Where cell i lies between the cells before; cell k lies at k. */
static double coordinate(const struct scale *s, size_t i)
{
	return s->corners ? step(s) * (double)i
			  : step(s) * ((double)i + 0.5) - 0.5;
}

/* PyTorch computes in float32, which now and then is the row below. */
static struct span nearest_span(const struct scale *s, size_t i)
{
	const double n = (double)s->in, m = (double)s->out + s->offset;
	const float scale = s->offset > 0 ? (float)(1 / (m / n))
					  : (float)n / (float)m;
	const size_t k = (size_t)((float)i * scale);

	return copy_span(s, k < s->in ? k : s->in - 1);
}

const struct filter nearest_filter = { nearest_span, copy_weight };

static struct span linear_span(const struct scale *s, size_t i)
{
	const double x = fmax(coordinate(s, i), 0);
	const size_t k = (size_t)x;

	if (s->in == s->out)
		return copy_span(s, i);
	return (struct span){ i, k, k + 1 < s->in ? 2 : 1, x - (double)k, 1,
			      1 };
}

double linear_weight(const struct scale *s, const struct span *at, size_t j)
{
	(void)s;
	return at->n == 1 ? 1 : j ? at->at : 1 - at->at;
}

const struct filter bilinear_filter = { linear_span, linear_weight };
const struct filter linear_filter = { linear_span, linear_weight };

/* A cell at a distance of u has this weight: Keys 1981, with a = A. */
static double cubic(double u, double a)
{
	u = fabs(u);
	if (u <= 1)
		return ((a + 2) * u - (a + 3)) * u * u + 1;
	if (u < 2)
		return ((a * u - 5 * a) * u + 8 * a) * u - 4 * a;
	return 0;
}

#define TORCH_A (-0.75)   /* of bicubic */
#define PILLOW_A (-0.5)   /* of bicubic with antialias, as Pillow has it */

static struct span cubic_span(const struct scale *s, size_t i)
{
	const double x = coordinate(s, i), k = floor(x);
	const size_t first = k > 1 ? (size_t)k - 1 : 0;
	const size_t end = (size_t)(k + 3);

	return (struct span){ i, first, (end < s->in ? end : s->in) - first,
			      x - (double)first, 1, 1 };
}

/* Cells outside have the values of the first and last, which get their
   weights. */
static double cubic_weight(const struct scale *s, const struct span *at,
			   size_t j)
{
	const double u = at->at - (double)j;
	double w = cubic(u, TORCH_A);

	if (at->first + j == 0)
		w += cubic(u + 1, TORCH_A) + cubic(u + 2, TORCH_A);
	if (at->first + j == s->in - 1)
		w += cubic(u - 1, TORCH_A) + cubic(u - 2, TORCH_A);
	return w;
}

const struct filter bicubic_filter = { cubic_span, cubic_weight };
const struct filter cubic_filter = { cubic_span, cubic_weight };

static struct span area_span(const struct scale *s, size_t i)
{
	const size_t first = i * s->in / s->out;
	const size_t end = ((i + 1) * s->in + s->out - 1) / s->out;

	return (struct span){ .i = i, .first = first, .n = end - first,
			      .sum = (double)(end - first) };
}

/* The weights of copy_weight(), which is how copies are recognized. */
static double area_weight(const struct scale *s, const struct span *at,
			  size_t j)
{
	return copy_weight(s, at, j);
}

const struct filter area_filter = { area_span, area_weight };

static double triangle(double u)
{
	return fmax(0, 1 - fabs(u));
}

static double pillow_cubic(double u)
{
	return cubic(u, PILLOW_A);
}

/* The weight of cell first + j. */
static double filtered(const struct span *at, size_t j, double (*f)(double))
{
	return f(((double)j - at->at) * at->unit);
}

/* The filter f, which is 0 from radius on, as wide as a new cell at least. */
static struct span antialias_span(const struct scale *s, size_t i,
				  double radius, double (*f)(double))
{
	const double wide = fmax(step(s), 1);
	const double center = step(s) * ((double)i + 0.5);
	const double r = radius * wide;
	const double first = floor(fmax(center - r + 0.5, 0));
	const double end = floor(fmin(center + r + 0.5, (double)s->in));
	struct span at = { i, (size_t)first, (size_t)(end - first),
			   center - 0.5 - first, 1 / wide, 0 };

	for (size_t j = 0; j < at.n; j++)
		at.sum += filtered(&at, j, f);
	return at;
}

static struct span bilinear_antialias_span(const struct scale *s, size_t i)
{
	return antialias_span(s, i, 1, triangle);
}

static double bilinear_antialias_weight(const struct scale *s,
					const struct span *at, size_t j)
{
	(void)s;
	return filtered(at, j, triangle);
}

const struct filter bilinear_antialias_filter = {
	bilinear_antialias_span, bilinear_antialias_weight,
};

static struct span bicubic_antialias_span(const struct scale *s, size_t i)
{
	return antialias_span(s, i, 2, pillow_cubic);
}

static double bicubic_antialias_weight(const struct scale *s,
				       const struct span *at, size_t j)
{
	(void)s;
	return filtered(at, j, pillow_cubic);
}

const struct filter bicubic_antialias_filter = {
	bicubic_antialias_span, bicubic_antialias_weight,
};

/* The centre where the axis shrinks: AST's code drops as many on both sides. */
static struct span cut_span(const struct scale *s, size_t i)
{
	if (s->out < s->in)
		return copy_span(s, s->in / 2 - s->out / 2 + i);
	return linear_span(s, i);
}

const struct filter cut_filter = { cut_span, linear_weight };
