/* kernel.c: the loops that make sines and cosines. */
#include "exact/bits.h"
#include "exact/kernel.h"

/*
 * The minimax polynomials of fdlibm (Sun Microsystems 1993, k_sin.c and
 * k_cos.c): the polynomials are off by less than 2^-58. Rounding adds to the
 * sine 0.66 units in the last place at most (0.5 and, near pi / 4, 0.12 in the
 * cubic term), to the cosine 0.81 (0.5, and 0.25 by the rounding of z in
 * 1 - z / 2), the angle's own 62 bits less than 0.01.
 *
 * The last 28 bits of a value half way between two floats, or between two
 * values of a shorter format, are 0. A result is unsure if its last 28 bits are
 * within 2 of that. A sine of 0 is exact, and a cosine of 1 is at most 2^-54
 * too large: both are sure.
 */
SIMD_LOOP bool sine_cosine_loop(const double *restrict high,
				const double *restrict low,
				const uint64_t *restrict quadrant, size_t n,
				double *restrict sine, double *restrict cosine)
{
	const uint64_t one = bits_of(1);
	uint64_t unsure = 0;

	for (size_t i = 0; i < n; i++) {
		const double x = high[i], y = low[i], z = x * x, v = z * x;
		const double p = 8.33333333332248946124e-03 +
			z * (-1.98412698298579493134e-04 +
			z * (2.75573137070700676789e-06 +
			z * (-2.50507602534068634195e-08 +
			z * 1.58969099521155010221e-10)));
		const double q = z * (4.16666666666666019037e-02 +
			z * (-1.38888888888741095749e-03 +
			z * (2.48015872894767294178e-05 +
			z * (-2.75573143513906633035e-07 +
			z * (2.08757232129817482790e-09 +
			z * -1.13596475577881948265e-11)))));
		const double half = 0.5 * z, w = 1 - half;
		const uint64_t s = bits_of
			(x - ((z * (0.5 * y - v * p) - y) -
			      v * -1.66666666666666324348e-01));
		const uint64_t c = bits_of
			(w + (((1 - w) - half) + (z * q - x * y)));
		const uint64_t turn = quadrant[i];
		const uint64_t swap = (s ^ c) & -(turn & 1);

		unsure |= (((s + 2) & 0xfffffff) <= 4) & (s != 0);
		unsure |= (((c + 2) & 0xfffffff) <= 4) & (c != one);
		sine[i] = double_of(s ^ swap ^ (turn & 2) << 62);
		cosine[i] = double_of(c ^ swap ^ (turn & 4) << 61);
	}
	return !unsure;
}

/* x, rounded up by its error; unsure where that is not the same as down. */
SIMD_LOOP float rounded_up(double x, double error, uint32_t *unsure)
{
	const float up = (float)(x + error);

	*unsure |= bits_of_float(up) ^ bits_of_float((float)(x - error));
	return up;
}

/* Both rows have the same products. Pair i has columns i * stride. */
SIMD_LOOP unsigned rotate_loop(const struct kernel_anchor *a,
			       const double *restrict angle_sine,
			       const double *restrict angle_cosine, size_t n,
			       size_t stride, const struct kernel_row *rows)
{
	const double *restrict sa = a->sine, *restrict ca = a->cosine;
	const double *restrict se = a->sine_error;
	const double *restrict ce = a->cosine_error;
	float *restrict f0 = rows[0].first, *restrict f1 = rows[1].first;
	float *restrict g0 = rows[0].second, *restrict g1 = rows[1].second;
	uint32_t unsure0 = 0, unsure1 = 0;

	for (size_t i = 0; i < n; i++) {
		const double as = angle_sine[i], ac = angle_cosine[i];
		const double sc = sa[i] * ac, cs = ca[i] * as;
		const double cc = ca[i] * ac, ss = sa[i] * as;
		const float s0 = rounded_up(sc - cs, se[i], &unsure0);
		const float c0 = rounded_up(cc + ss, ce[i], &unsure0);
		const float s1 = rounded_up(sc + cs, se[i], &unsure1);
		const float c1 = rounded_up(cc - ss, ce[i], &unsure1);

		f0[i * stride] = s0;
		f1[i * stride] = s1;
		SIMD_EITHER(stride == 1, g0, f0 + 1)[i * stride] = c0;
		SIMD_EITHER(stride == 1, g1, f1 + 1)[i * stride] = c1;
	}
	return (unsure0 != 0) | (unsigned)(unsure1 != 0) << 1;
}

SIMD_EACH(bool, sine_cosine,
	  (const double *restrict high, const double *restrict low,
	   const uint64_t *restrict quadrant, size_t n, double *restrict sine,
	   double *restrict cosine),
	  return sine_cosine_loop(high, low, quadrant, n, sine, cosine))

SIMD_EACH(unsigned, rotate,
	  (const struct kernel_anchor *a, const double *restrict angle_sine,
	   const double *restrict angle_cosine, size_t n, bool interleaved,
	   const struct kernel_row *rows),
	  return interleaved
		? rotate_loop(a, angle_sine, angle_cosine, n, 2, rows)
		: rotate_loop(a, angle_sine, angle_cosine, n, 1, rows))

bool kernel_sincos(enum simd simd, const double *x, const double *y,
		   const uint64_t *quadrant, size_t n, double *sine,
		   double *cosine)
{
	return sine_cosine[simd](x, y, quadrant, n, sine, cosine);
}

unsigned kernel_rotate(enum simd simd, const struct kernel_anchor *anchor,
		       const double *angle_sine, const double *angle_cosine,
		       size_t n, bool interleaved,
		       const struct kernel_row rows[2])
{
	return rotate[simd](anchor, angle_sine, angle_cosine, n, interleaved,
			    rows);
}
