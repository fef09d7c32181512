/* numpy_legacy.c: numbers of NumPy's RandomState. */
#include <math.h>
#include <stdbool.h>

#include "core/logarithm.h"
#include "core/mt19937.h"
#include "core/never.h"
#include "core/numpy_random.h"

/* Uniform in [0, 1): 53 bits, 27 and then 26. */
static double unit(struct mt19937 *m)
{
	const double high = mt19937_next(m) >> 5;

	return (high * 0x1p26 + (mt19937_next(m) >> 6)) * 0x1p-53;
}

/* Marsaglia's polar method: two numbers of a point within the circle. */
void numpy_legacy_normal(uint32_t seed, size_t n, double *x)
{
	struct mt19937 m;

	mt19937_seed(&m, seed);
	for (size_t i = 0; i < n; i += 2) {
		double a, b, square, factor;

		do {
			a = 2 * unit(&m) - 1;
			b = 2 * unit(&m) - 1;
			square = a * a + b * b;
		} while (square >= 1 || NEVER(!(square > 0)));
		factor = sqrt(-2 * log_ratio(square, 1) / square);
		x[i] = factor * b;
		if (i + 1 < n)
			x[i + 1] = factor * a;
	}
}

void numpy_legacy_uniform(uint32_t seed, size_t n, double *x)
{
	struct mt19937 m;

	mt19937_seed(&m, seed);
	for (size_t i = 0; i < n; i++)
		x[i] = unit(&m);
}
