/* rounded.h: numbers as text of so many digits has them. */
#ifndef ROUNDED_H
#define ROUNDED_H

#include "core/dtype.h"

/* Whether x is the decimal y, or the float32 next to it. */
bool rounded_reads(double x, double y);

/* x in n significant digits, as --precision prints it. */
double rounded_digits(double x, int n);

/* x in n decimals, as "%.nf" prints it. */
double rounded_decimals(double x, int n);

/* The shortest decimal that is x once rounded to d, as x is. */
double rounded_shortest(double x, enum dtype d);

#endif
