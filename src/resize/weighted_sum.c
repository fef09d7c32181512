/* weighted_sum.c: sums of rows, each times a weight. */
#include <math.h>
#include <string.h>

#include "resize/weighted_sum.h"
#include "table/dtype.h"

/* Both loops for rows of a type: add_four_float, add_one_float. */
#define LOOPS(type)                                                     \
	SIMD_LOOP void four_loop_##type(double *restrict out,           \
					size_t cols, const double *w,   \
					const void *const *x)           \
	{                                                               \
		const type *restrict a = x[0], *restrict b = x[1];      \
		const type *restrict c = x[2], *restrict d = x[3];      \
		const double p = w[0], q = w[1], u = w[2], v = w[3];    \
									\
		for (size_t j = 0; j < cols; j++)                       \
			out[j] += (p * (double)a[j] + q * (double)b[j]) + \
				  (u * (double)c[j] + v * (double)d[j]); \
	}                                                               \
	SIMD_EACH(void, add_four_##type, (double *restrict out,         \
					  size_t cols, const double *w, \
					  const void *const *x),        \
		  four_loop_##type(out, cols, w, x))                    \
	SIMD_LOOP void one_loop_##type(double *restrict out,            \
				       size_t cols, double w,           \
				       const type *restrict x)          \
	{                                                               \
		for (size_t j = 0; j < cols; j++)                       \
			out[j] += w * (double)x[j];                     \
	}                                                               \
	SIMD_EACH(void, add_one_##type, (double *restrict out,          \
					 size_t cols, double w,         \
					 const void *x),                \
		  one_loop_##type(out, cols, w, x))

LOOPS(double)
LOOPS(float)

struct weighted_sum weighted_sum_begin(double *out, size_t cols, bool single)
{
	return (struct weighted_sum){ .out = out, .cols = cols,
				      .single = single, .simd = simd_best() };
}

void weighted_sum_add(struct weighted_sum *s, double weight, const void *x)
{
	s->weight[s->waiting] = weight;
	s->x[s->waiting++] = x;
	if (s->taken++ == 1)
		memset(s->out, 0, s->cols * sizeof *s->out);
	if (s->waiting < SUM_ROWS)
		return;
	(s->single ? add_four_float : add_four_double)[s->simd](
		s->out, s->cols, s->weight, s->x);
	s->waiting = 0;
}

/* The row that was alone. */
static const double *only_row(const struct weighted_sum *s)
{
	if (!s->single)
		return s->x[0];
	dtype_load(F32, s->x[0], s->cols, s->out);
	return s->out;
}

const double *weighted_sum_end(const struct weighted_sum *s, double weights)
{
	if (s->taken == 1)
		return only_row(s);
	for (size_t k = 0; k < s->waiting; k++)
		(s->single ? add_one_float : add_one_double)[s->simd](
			s->out, s->cols, s->weight[k], s->x[k]);
	for (size_t j = 0; weights != 1 && j < s->cols; j++)
		s->out[j] /= weights;
	return s->out;
}
