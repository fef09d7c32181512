/* decimal.h: the text of a number read, to the last bit. */
#ifndef DECIMAL_H
#define DECIMAL_H

#include <stdbool.h>

/* What a decimal number says. */
struct decimal {
	double x;         /* the nearest double; infinite past all of them */
	const char *end;  /* of its text; the text's begin where it is none */
	bool whole;       /* has neither point nor exponent */
	bool json;        /* is written as JSON wants it */
	bool single;      /* is a float32, or one rounded to these digits */
};

/*
 * Read the decimal number that text begins with: "-1", "+.5", "1.e-3". What
 * follows it is none of [0-9.eE+-], as the NUL after the last text.
 */
struct decimal decimal_read(const char *text);

/* The same number as the nearest float32, rounded once. */
double decimal_single(const char *text, double x);

#endif
