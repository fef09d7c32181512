/* rounding.h: decimals near a value. */
#ifndef ROUNDING_H
#define ROUNDING_H

#include "table/dtype.h"

/*
 * Parameters of up to ROUND_DIGITS significant digits are round numbers. More
 * than ODD_DIGITS are unlikely on a command line.
 */
enum { ROUND_DIGITS = 3, ODD_DIGITS = 5 };

/*
 * The decimal with the fewest significant digits within x +- within; x > 0. If
 * it has more than ODD_DIGITS, rather a multiple of pi.
 */
double round_to_nice(double x, double within);

/* Bases in use, the most frequent first; those of rotary models lead. */
enum { ROTARY_BASES = 7, USUAL_BASES = 10 };
extern const double usual_bases[USUAL_BASES];

/* The base in most use within x +- within, or, if none is, the roundest. */
double round_to_usual(double x, double within);

/* The same with the fewest decimals: an integer, if there is one. */
double round_to_decimals(double x, double within);

/* The fewest significant digits that read back as x: 1 for 10000. */
int nice_digits(double x);

/* x with those digits, written to text, which is returned. */
const char *nice_text(double x, char text[32]);

/* " name=x", or nothing if x is the default. Written to text. */
const char *option_if(const char *name, double x, double initial,
		      char text[64]);

/* x to n significant digits, as --precision prints it. */
double round_digits(double x, int n);

/* x to n decimals, as "%.nf" prints it. */
double round_decimals(double x, int n);

/* Whether x is the decimal y, or the float32 nearest to y. */
bool reads_back(double x, double y);

/* The shortest decimal that dtype d rounds to x, a value of d. */
double shortest_decimal(double x, enum dtype d);

#endif
