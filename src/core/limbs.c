/* limbs.c: natural numbers of any length. */
#include <string.h>

#include "core/limbs.h"

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
	uint128 rest = 0;

	while (n--) {
		rest = rest << 64 | a[n];
		a[n] = (uint64_t)(rest / x);
		rest %= x;
	}
	return (uint64_t)rest;
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

void limbs_left(uint64_t *a, size_t n, size_t bits)
{
	const size_t whole = bits / 64, part = bits % 64;

	for (size_t i = n; i-- > 0;) {
		const uint64_t high = i >= whole ? a[i - whole] : 0;
		const uint64_t low = i >= whole + 1 ? a[i - whole - 1] : 0;

		a[i] = part ? high << part | low >> (64 - part) : high;
	}
}

void limbs_right(uint64_t *a, size_t n, size_t bits)
{
	const size_t whole = bits / 64, part = bits % 64;

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
