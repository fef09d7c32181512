/* limbs.c: unsigned integers of any length. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact/limbs.h"

uint64_t limbs_add(uint64_t *a, const uint64_t *b, size_t n)
{
	uint128 sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += (uint128)a[i] + b[i];
		a[i] = (uint64_t)sum;
		sum >>= 64;
	}
	return (uint64_t)sum;
}

uint64_t limbs_sub(uint64_t *a, const uint64_t *b, size_t n)
{
	uint64_t borrow = 0;

	for (size_t i = 0; i < n; i++) {
		const uint128 difference = (uint128)a[i] - b[i] - borrow;

		a[i] = (uint64_t)difference;
		borrow = (uint64_t)(difference >> 64) & 1;
	}
	return borrow;
}

uint64_t limbs_scale(uint64_t *a, size_t n, uint64_t x)
{
	uint128 product = 0;

	for (size_t i = 0; i < n; i++) {
		product += (uint128)a[i] * x;
		a[i] = (uint64_t)product;
		product >>= 64;
	}
	return (uint64_t)product;
}

uint64_t limbs_divide(uint64_t *a, size_t n, uint64_t x)
{
	uint128 part = 0;

	while (n--) {
		part = part << 64 | a[n];
		a[n] = (uint64_t)(part / x);
		part %= x;
	}
	return (uint64_t)part;
}

void limbs_multiply(uint64_t *p, const uint64_t *a, size_t n,
		    const uint64_t *b, size_t m)
{
	memset(p, 0, (n + m) * sizeof *p);
	for (size_t i = 0; i < n; i++) {
		uint128 product = 0;

		for (size_t j = 0; j < m; j++) {
			product += (uint128)a[i] * b[j] + p[i + j];
			p[i + j] = (uint64_t)product;
			product >>= 64;
		}
		p[i + m] = (uint64_t)product;
	}
}

void limbs_left(uint64_t *a, size_t n, uint64_t bits)
{
	const uint64_t whole = bits / 64, part = bits % 64;

	for (size_t i = n; i-- > 0;) {
		const uint64_t high = i >= whole ? a[i - whole] : 0;
		const uint64_t low = i >= whole + 1 ? a[i - whole - 1] : 0;

		a[i] = part ? high << part | low >> (64 - part) : high;
	}
}

void limbs_right(uint64_t *a, size_t n, uint64_t bits)
{
	const uint64_t whole = bits / 64, part = bits % 64;

	for (size_t i = 0; i < n; i++) {
		const uint64_t low = i + whole < n ? a[i + whole] : 0;
		const uint64_t high = i + whole + 1 < n ? a[i + whole + 1] : 0;

		a[i] = part ? low >> part | high << (64 - part) : low;
	}
}

int limbs_compare(const uint64_t *a, const uint64_t *b, size_t n)
{
	while (n--)
		if (a[n] != b[n])
			return a[n] < b[n] ? -1 : 1;
	return 0;
}

size_t limbs_bits(const uint64_t *a, size_t n)
{
	while (n && !a[n - 1])
		n--;
	return n ? 64 * n - (size_t)__builtin_clzll(a[n - 1]) : 0;
}

static size_t common_divisor(size_t a, size_t b)
{
	while (b) {
		const size_t c = a % b;

		a = b;
		b = c;
	}
	return a;
}

/* a *= x^n, of which the lowest used limbs are not 0; how many are then. */
static size_t power_up(uint64_t *a, size_t used, uint64_t x, size_t n)
{
	while (n--) {
		a[used] = limbs_scale(a, used, x);
		used += a[used] != 0;
	}
	return used;
}

/* n^l e^j >= m^j e^l, after dividing both sides by their common powers of e. */
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

	/* Where long double is double, the logarithms are right to 2^-50. */
	if (fabsl(left - right) > 0x1p-45L * (left + right + l))
		return left > right;
	return integers_reach(n, m, e, l / g, j / g);
}
