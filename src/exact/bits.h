/* bits.h: numbers as their bits (doubles and floats: IEEE 754), and back. */
#ifndef BITS_H
#define BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t bits_of(double x)
{
	uint64_t u;

	memcpy(&u, &x, sizeof u);
	return u;
}

static inline uint32_t bits_of_float(float x)
{
	uint32_t u;

	memcpy(&u, &x, sizeof u);
	return u;
}

static inline double double_of(uint64_t u)
{
	double x;

	memcpy(&x, &u, sizeof x);
	return x;
}

/* Whether x is half way between two float32 values of normal size. */
static inline bool is_float_tie(double x)
{
	const uint64_t half = (uint64_t)1 << 28;

	return (bits_of(x) & (2 * half - 1)) == half;
}

/* Half the distance from x, of normal size, to the next double off zero. */
static inline double half_step(double x)
{
	return double_of(bits_of(x) & (uint64_t)0x7ff << 52) * 0x1p-53;
}

/* The unsigned number in bytes [n], the lowest first; n <= 8. */
static inline uint64_t little_endian(const unsigned char *bytes, size_t n)
{
	uint64_t x = 0;

	while (n-- > 0)
		x = x << 8 | bytes[n];
	return x;
}

#endif
