/* dtype.h: the number formats of values, and correct rounding to them. */
#ifndef DTYPE_H
#define DTYPE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Files are written as memory is; exact arithmetic takes integers of 128 bits,
 * which of 32-bit machines WebAssembly alone has.
 */
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || !defined(__SIZEOF_INT128__)
#error "posenc needs a 64-bit little-endian machine"
#endif

enum dtype {
	F64, F32, F16, BF16, I64, I32, I16, I8, U8,
	DTYPES
};

/* "float32": the name in options, JSON and error messages. */
const char *dtype_name(enum dtype d);

/* Names of all dtypes, then aliases such as "f32" in that order, then NULL. */
extern const char *const dtype_words[2 * DTYPES + 1];

size_t dtype_size(enum dtype d);   /* bytes of a value */
bool dtype_integer(enum dtype d);

/* The greatest finite value of d. */
double dtype_greatest(enum dtype d);

/* Whether x is in the range of d and, if d is an integer dtype, an integer. */
bool dtype_holds(enum dtype d, double x);

/* x, which d must hold, rounded once to d, to nearest, ties to even. */
double dtype_round(enum dtype d, double x);

/* Whether rounding to d, a floating-point dtype, changes none of x [n]. */
bool dtype_exact(enum dtype d, const double *x, size_t n);

/* The smallest floating-point dtype that is exact for x [n]. */
enum dtype dtype_smallest(const double *x, size_t n);

/*
 * The distance of x and y, each rounded to d, in units in the last place: 1 for
 * neighbours. Infinite if d does not hold one of them, or just one is NaN.
 */
double dtype_ulps(enum dtype d, double x, double y);

/* Write x [n], rounded to d, to out, little-endian. */
void dtype_store(enum dtype d, const double *x, size_t n, void *out);

/* Read n little-endian values of d to x [n]; exact except for large I64. */
void dtype_load(enum dtype d, const void *in, size_t n, double *x);

#endif
