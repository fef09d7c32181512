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

static double half_value(uint16_t h, int exponent_bits, int mantissa_bits)
{
	const int bias = (1 << (exponent_bits - 1)) - 1;
	const int top = (1 << exponent_bits) - 1;
	const int e = h >> mantissa_bits & top;
	const int m = h & ((1 << mantissa_bits) - 1);
	double x;

	if (e == top)
		x = m ? (double)NAN : (double)INFINITY;
	else if (e == 0)
		x = m * power_of_two(1 - bias - mantissa_bits);
	else
		x = (m | 1 << mantissa_bits) *
		    power_of_two(e - bias - mantissa_bits);
	return h & 0x8000 ? -x : x;
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

bool dtype_exact(enum dtype d, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const double y = dtype_round(d, x[i]);

		if (y < x[i] || y > x[i])
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

/* Values of d to consecutive integers, in order. */
static int64_t order(enum dtype d, double x)
{
	const int bits = (int)(8 * dtypes[d].size);
	uint64_t u = 0;

	dtype_store(d, &x, 1, &u);
	return u >> (bits - 1) ? -(int64_t)(u & ~(1ull << (bits - 1)))
			       : (int64_t)u;
}

double dtype_ulps(enum dtype d, double x, double y)
{
	int64_t a, b;

	if (isnan(x) || isnan(y))
		return isnan(x) && isnan(y) ? 0 : (double)INFINITY;
	if (dtype_integer(d))
		return fabs(x - y);
	if (!dtype_holds(d, x) || !dtype_holds(d, y))
		return (double)INFINITY;
	a = order(d, x);
	b = order(d, y);
	return (a < 0) == (b < 0) ? (double)(a < b ? b - a : a - b)
				  : fabs((double)a - (double)b);
}
