/* powers.c: comparing powers of fractions, exactly. */
#include <math.h>
#include <stdlib.h>

#include "core/limbs.h"
#include "core/powers.h"

static size_t common_divisor(size_t a, size_t b)
{
	while (b) {
		const size_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* a [size] *= x^n; the limbs that are in use. */
static size_t power_up(uint64_t *a, size_t used, uint64_t x, size_t n)
{
	while (n--) {
		a[used] = limbs_scale(a, used, x);
		used += a[used] != 0;
	}
	return used;
}

/* n^l e^j >= m^j e^l, both sides divided by as many e as they share. */
static int integers_reach(size_t n, size_t m, size_t e, size_t l, size_t j)
{
	const size_t size = l + j + 2;
	uint64_t *left = calloc(2 * size, sizeof *left), *right;
	size_t used_left, used_right;
	int reaches = -1;

	if (left) {
		right = left + size;
		left[0] = right[0] = 1;
		used_left = power_up(left, 1, n, l);
		used_right = power_up(right, 1, m, j);
		if (l > j)
			power_up(right, used_right, e, l - j);
		else
			power_up(left, used_left, e, j - l);
		reaches = limbs_compare(left, right, size) >= 0;
	}
	free(left);
	return reaches;
}

int power_reaches(size_t n, size_t m, size_t e, size_t l, size_t j)
{
	const long double left = (long double)l * logl((long double)n / e);
	const long double right = (long double)j * logl((long double)m / e);
	const size_t g = common_divisor(l, j);

	/* A long double may be a double: its logarithm is right to 2^-50. */
	if (fabsl(left - right) > 0x1p-45L * (left + right + l))
		return left > right;
	return integers_reach(n, m, e, l / g, j / g);
}
