/* bits.h: doubles and floats as their bits (IEEE 754), and back. */
#ifndef BITS_H
#define BITS_H

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

#endif
