/*
 * digits_loops.h: the loop of digits.c, included once for each instruction set
 * (see simd.h).
 */

/*
 * Twelve decimals of the shortest decimal of each x [n] in [2^-14, 1), as
 * bytes from 0 to 9; of other x, some digits or other.
 *
 * Let u be the distance of x to its neighbours, a power of two, and scale the
 * power of ten with 1 <= scale * u < 10. Then y = x * scale is exact in a
 * double, and so is h = scale * u / 2, and every decimal that reads back as x,
 * times scale, lies within h of y (below a power of two: within h / 2). The
 * interval holds at least one integer (that of a power of two, too: its y is an
 * integer from 2^-12 on, and 2^-13 and 2^-14 were looked at) and at most one
 * multiple of ten. The multiple of ten is shortest where there is one, its own
 * zeros dropped; else the integer nearest to y. An end of the interval is never
 * an integer, since it is an odd multiple of a 5^s / 2^t with t > 0: whether
 * ends belong to it makes no difference.
 */
TARGET static void VERSION(decimals)(const float *restrict xs, size_t n,
				     uint32_t *restrict first,
				     uint32_t *restrict second,
				     uint32_t *restrict third)
{
	const double round = 0x1.8p52;

	for (size_t i = 0; i < n; i++) {
		const double size = fabs((double)xs[i]);
		const double x = size < 1 ? size : 0;
		const double power = double_of
			(bits_of(x) & 0x7ff0000000000000);
		double scale = 1e8, rest = 1e4, best, y, h, below, ten, all;
		int32_t a, b, c;

		scale = x < 0x1p-3 ? 1e9 : scale;
		scale = x < 0x1p-6 ? 1e10 : scale;
		scale = x < 0x1p-10 ? 1e11 : scale;
		scale = x < 0x1p-13 ? 1e12 : scale;
		rest = x < 0x1p-3 ? 1e3 : rest;
		rest = x < 0x1p-6 ? 1e2 : rest;
		rest = x < 0x1p-10 ? 1e1 : rest;
		rest = x < 0x1p-13 ? 1e0 : rest;
		y = x * scale;
		h = power * 0x1p-24 * scale;
		below = x > power ? h : 0.5 * h;
		ten = 10 * (y * 0.1 - 0.5 + round - round);
		best = y + round - round;
		best = ten + 10 - y <= h ? ten + 10 : best;
		best = y - ten <= below ? ten : best;

		all = best * rest;
		a = (int32_t)((all + 0.5) * 1e-8);
		all -= 1e8 * a;
		b = (int32_t)((all + 0.5) * 1e-4);
		c = (int32_t)(all - 1e4 * b);
		first[i] = four_digits((uint32_t)a);
		second[i] = four_digits((uint32_t)b);
		third[i] = four_digits((uint32_t)c);
	}
}
