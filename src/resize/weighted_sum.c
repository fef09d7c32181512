/* weighted_sum.c: sums of rows, each times a weight. */
#include <math.h>
#include <string.h>

#include "resize/weighted_sum.h"

SIMD_LOOP void four_loop(double *restrict out, size_t cols, const double *w,
			 const double *const *x)
{
	const double *restrict a = x[0], *restrict b = x[1];
	const double *restrict c = x[2], *restrict d = x[3];
	const double p = w[0], q = w[1], u = w[2], v = w[3];

	for (size_t j = 0; j < cols; j++)
		out[j] += (p * a[j] + q * b[j]) + (u * c[j] + v * d[j]);
}
SIMD_EACH(void, add_four, (double *restrict out, size_t cols, const double *w,
			   const double *const *x),
	  four_loop(out, cols, w, x))

SIMD_LOOP void one_loop(double *restrict out, size_t cols, double w,
			const double *restrict x)
{
	for (size_t j = 0; j < cols; j++)
		out[j] += w * x[j];
}
SIMD_EACH(void, add_one, (double *restrict out, size_t cols, double w,
			  const double *restrict x),
	  one_loop(out, cols, w, x))

struct weighted_sum weighted_sum_begin(double *out, size_t cols)
{
	return (struct weighted_sum){ .out = out, .cols = cols,
				      .simd = simd_best() };
}

void weighted_sum_add(struct weighted_sum *s, double weight, const double *x)
{
	s->weight[s->waiting] = weight;
	s->x[s->waiting++] = x;
	if (s->taken++ == 1)
		memset(s->out, 0, s->cols * sizeof *s->out);
	if (s->waiting < SUM_ROWS)
		return;
	add_four[s->simd](s->out, s->cols, s->weight, s->x);
	s->waiting = 0;
}

const double *weighted_sum_end(const struct weighted_sum *s, double weights)
{
	if (s->taken == 1)
		return s->x[0];
	for (size_t k = 0; k < s->waiting; k++)
		add_one[s->simd](s->out, s->cols, s->weight[k], s->x[k]);
	for (size_t j = 0; fabs(weights - 1) > 0 && j < s->cols; j++)
		s->out[j] /= weights;
	return s->out;
}
