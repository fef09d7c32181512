/* number.h: the text of numbers. */
#ifndef NUMBER_H
#define NUMBER_H

#include "core/dtype.h"

enum { NUMBER_ROOM = 32 };

/*
 * Write x, which is rounded to d, at text [NUMBER_ROOM]; the length, no NUL.
 * Integers in full. Others in the fewest digits that read back as the same
 * number of d, or rounded to precision digits where that is not 0; plain from
 * 1e-5 to 1e16, with an exponent else: 0.1, 1e-06, 6.02e+23, nan, -inf.
 */
size_t number_text(char *text, double x, enum dtype d, size_t precision);

/* Numbers of a row, rounded to its dtype: the one or the other is given. */
struct numbers {
	const float *f;
	const double *d;
};

/* Numbers x [n] with commas between, to text [n, NUMBER_ROOM]; the length. */
size_t numbers_text(char *text, struct numbers x, size_t n, enum dtype d,
		    size_t precision);

#endif
