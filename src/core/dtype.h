/* dtype.h: the kinds of number a table is stored as; exact rounding. */
#ifndef DTYPE_H
#define DTYPE_H

#include <stdbool.h>
#include <stddef.h>

enum dtype {
	F64, F32, F16, BF16, I64, I32, I16, I8, U8,
	DTYPES
};

/* "float32": as users name it, and as JSON and error messages do. */
const char *dtype_name(enum dtype d);

/* Names of all dtypes, then their aliases in the same order; ends with NULL. */
extern const char *const dtype_words[2 * DTYPES + 1];

size_t dtype_size(enum dtype d);   /* bytes of one number */
bool dtype_integer(enum dtype d);

/* Whether d can hold x: in range, and whole where d is an integer. */
bool dtype_holds(enum dtype d, double x);

/* x rounded once to d, to nearest, ties to even. x must be held by d. */
double dtype_round(enum dtype d, double x);

/*
 * How many steps of d lie between x and y, each rounded to d: 1 for neighbours.
 * Infinite where d cannot hold one of them, or one of them is no number.
 */
double dtype_ulps(enum dtype d, double x, double y);

/* Round x [n] to d and lay the numbers at out, little-endian. */
void dtype_store(enum dtype d, const double *x, size_t n, void *out);

/* Numbers of d at in, little-endian, to x [n]; exact but for large I64. */
void dtype_load(enum dtype d, const void *in, size_t n, double *x);

#endif
