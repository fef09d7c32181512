/* dtype.c: the number formats of values, and correct rounding to them. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "table/dtype.h"

_Static_assert(FLT_EVAL_METHOD == 0, "double arithmetic must round to double");

const char *const dtype_words[2 * DTYPES + 1] = {
	"float64", "float32", "float16", "bfloat16",
	"int64", "int32", "int16", "int8", "uint8",
	"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u8",
	NULL,
};

static const struct {
	size_t size;
	double least, greatest;
} dtypes[DTYPES] = {
	[F64] = { 8, -DBL_MAX, DBL_MAX },
	[F32] = { 4, -FLT_MAX, FLT_MAX },
	[F16] = { 2, -65504, 65504 },
	[BF16] = { 2, -0x1.fep127, 0x1.fep127 },
	[I64] = { 8, -0x1p63, 0x1.fffffffffffffp62 },
	[I32] = { 4, INT32_MIN, INT32_MAX },
	[I16] = { 2, INT16_MIN, INT16_MAX },
	[I8] = { 1, INT8_MIN, INT8_MAX },
	[U8] = { 1, 0, UINT8_MAX },
};

const char *dtype_name(enum dtype d)
{
	return dtype_words[d];
}

size_t dtype_size(enum dtype d)
{
	return dtypes[d].size;
}

bool dtype_integer(enum dtype d)
{
	return d >= I64;
}

double dtype_greatest(enum dtype d)
{
	return dtypes[d].greatest;
}

bool dtype_holds(enum dtype d, double x)
{
	if (dtype_integer(d))
		return x == rint(x) && x >= dtypes[d].least &&
		       x <= dtypes[d].greatest;
	return !isfinite(x) || fabs(dtype_round(d, x)) <= dtypes[d].greatest;
}

/*
 * The bits of x in a 16-bit format with these exponent and mantissa widths.
 * Scaling by a power of two is exact, so rint() is the only rounding; a
 * conversion through float would round twice.
 */
static uint16_t half_bits(double x, int exponent_bits, int mantissa_bits)
{
	const int bias = (1 << (exponent_bits - 1)) - 1;
	const unsigned sign = signbit(x) ? 0x8000u : 0;
	const unsigned infinity = ((1u << exponent_bits) - 1) << mantissa_bits;
	unsigned bits;
	int e;

	if (isnan(x))
		return (uint16_t)(sign | infinity | 1u << (mantissa_bits - 1));
	x = fabs(x);
	if (x >= 0x1p200)
		return (uint16_t)(sign | infinity);
	frexp(x, &e);
	if (e < 2 - bias || x == 0)
		e = 2 - bias;  /* subnormals share the least exponent */
	bits = (unsigned)rint(ldexp(x, mantissa_bits + 1 - e));
	bits += (unsigned)(e - 2 + bias) << mantissa_bits;
	return (uint16_t)(sign | (bits < infinity ? bits : infinity));
}

/* 2^e, of a normal float64; ldexp() takes ten times as long. */
static double power_of_two(int e)
{
	const uint64_t bits = (uint64_t)(e + 1023) << 52;
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/*
 * Without branches, for vectors: the bits as those of a double, whose exponent
 * is then scaled. That also makes subnormals.
 */
static double half_value(uint16_t h, int exponent_bits, int mantissa_bits)
{
	const int bias = (1 << (exponent_bits - 1)) - 1;
	const double infinity = power_of_two(bias + 1);
	const uint64_t sign = (uint64_t)(h & 0x8000u) << 48;
	uint64_t u = (uint64_t)(h & 0x7fffu) << (52 - mantissa_bits);
	double x;

	memcpy(&x, &u, sizeof x);
	x *= power_of_two(1023 - bias);
	x = x > infinity ? (double)NAN : x < infinity ? x : (double)INFINITY;
	memcpy(&u, &x, sizeof u);
	u |= sign;
	memcpy(&x, &u, sizeof x);
	return x;
}

/* x without the last drop bits of its mantissa, to nearest, ties to even. */
static double drop_bits(double x, int drop)
{
	uint64_t u;

	memcpy(&u, &x, sizeof u);
	u += (1ull << (drop - 1)) - 1 + (u >> drop & 1);
	u &= ~0ull << drop;
	memcpy(&x, &u, sizeof x);
	return x;
}

double dtype_round(enum dtype d, double x)
{
	if (d == F32)
		return (double)(float)x;
	if (x == 0)
		return x;
	/* Values that are normal in the dtype need no conversion. */
	if (d == F16 && fabs(x) >= 0x1p-14 && fabs(x) < 65520)
		return drop_bits(x, 42);
	if (d == BF16 && fabs(x) >= 0x1p-126 && fabs(x) < 0x1.ffp127)
		return drop_bits(x, 45);
	if (d == F16)
		return half_value(half_bits(x, 5, 10), 5, 10);
	if (d == BF16)
		return half_value(half_bits(x, 8, 7), 8, 7);
	return x;
}

/*
 * Whether all of x [n] are 0, or between least and below with zeros at the end
 * of their mantissas, which rounding does not change.
 */
static bool end_in_zeros(const double *x, size_t n, int zeros, double least,
			 double below)
{
	uint64_t ends = 0, others = 0;

	for (size_t i = 0; i < n; i++) {
		const double size = fabs(x[i]);
		uint64_t u;

		memcpy(&u, &x[i], sizeof u);
		ends |= u;
		others |= (uint64_t)(!(size >= least) | !(size < below)) &
			  (uint64_t)(size != 0);
	}
	return !others && !(ends & ((1ull << zeros) - 1));
}

/* The same in vectors; false for some that rounding does not change, either. */
static bool plainly_exact(enum dtype d, const double *x, size_t n)
{
	int differ = 0;

	if (d == F16)
		return end_in_zeros(x, n, 42, 0x1p-14, 65520);
	if (d == BF16)
		return end_in_zeros(x, n, 45, 0x1p-126, 0x1.ffp127);
	for (size_t i = 0; i < n; i++)
		differ |= (double)(float)x[i] != x[i];
	return !differ;  /* float64 holds what float32 holds */
}

bool dtype_exact(enum dtype d, const double *x, size_t n)
{
	enum { SOME = 64 };

	for (size_t k, i; n; n -= k, x += k) {
		k = n < SOME ? n : SOME;
		if (plainly_exact(d, x, k))
			continue;
		for (i = 0; i < k; i++)
			if (dtype_round(d, x[i]) != x[i] && !isnan(x[i]))
				return false;
	}
	return true;
}

enum dtype dtype_smallest(const double *x, size_t n)
{
	return dtype_exact(BF16, x, n) ? BF16 :
	       dtype_exact(F16, x, n) ? F16 :
	       dtype_exact(F32, x, n) ? F32 : F64;
}

#define STORE(type, from)                                               \
	for (size_t i = 0; i < n; i++) {                                \
		const type y = (type)(from);                            \
		memcpy((unsigned char *)out + i * sizeof y, &y, sizeof y); \
	}

void dtype_store(enum dtype d, const double *x, size_t n, void *out)
{
	switch (d) {
	case F64: memcpy(out, x, n * sizeof *x); break;
	case F32: STORE(float, x[i]) break;
	case F16: STORE(uint16_t, half_bits(x[i], 5, 10)) break;
	case BF16: STORE(uint16_t, half_bits(x[i], 8, 7)) break;
	case I64: STORE(int64_t, x[i]) break;
	case I32: STORE(int32_t, x[i]) break;
	case I16: STORE(int16_t, x[i]) break;
	case I8: STORE(int8_t, x[i]) break;
	case U8:
	case DTYPES:
	default: STORE(uint8_t, x[i]) break;
	}
}

#define LOAD(type, to)                                                  \
	for (size_t i = 0; i < n; i++) {                                \
		const unsigned char *at = in;                           \
		type y;                                                 \
		memcpy(&y, at + i * sizeof y, sizeof y);                \
		x[i] = (double)(to);                                    \
	}

void dtype_load(enum dtype d, const void *in, size_t n, double *x)
{
	switch (d) {
	case F64: memcpy(x, in, n * sizeof *x); break;
	case F32: LOAD(float, y) break;
	case F16: LOAD(uint16_t, half_value(y, 5, 10)) break;
	case BF16: LOAD(uint16_t, half_value(y, 8, 7)) break;
	case I64: LOAD(int64_t, y) break;
	case I32: LOAD(int32_t, y) break;
	case I16: LOAD(int16_t, y) break;
	case I8: LOAD(int8_t, y) break;
	case U8:
	case DTYPES:
	default: LOAD(uint8_t, y) break;
	}
}

/* Values of d to consecutive integers, in order; 0 and -0 to 2^63. */
static uint64_t order(enum dtype d, double x)
{
	const uint64_t zero = 1ull << 63;
	const int bits = (int)(8 * dtypes[d].size);
	const float y = d == F32 ? (float)x : 0;
	uint64_t u = 0;

	if (d == F32)  /* the usual one, without a call */
		memcpy(&u, &y, sizeof y);
	else
		dtype_store(d, &x, 1, &u);
	return u >> (bits - 1) ? zero - (u & ~(1ull << (bits - 1))) : zero + u;
}

double dtype_ulps(enum dtype d, double x, double y)
{
	uint64_t a, b;

	if (isnan(x) || isnan(y))
		return isnan(x) && isnan(y) ? 0 : (double)INFINITY;
	if (dtype_integer(d))
		return fabs(x - y);
	if (!dtype_holds(d, x) || !dtype_holds(d, y))
		return (double)INFINITY;
	a = order(d, x);
	b = order(d, y);
	return (double)(a < b ? b - a : a - b);
}
