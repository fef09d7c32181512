/*
 * src/text/: numbers and names as text.
 *
 *   decimal.h  numbers as decimal text, read and written to the last bit
 *   words.h    names with suggestions, and words quoted as in a shell
 *   utf8.h     text as valid UTF-8
 *
 * This folder includes table/ and exact/. All numbers that posenc reads, in
 * options, files and lists, have the grammar of decimal_read().
 */
#ifndef DECIMAL_H
#define DECIMAL_H

#include <stdint.h>

#include "table/dtype.h"

/* A number in text: [+-]digits[.digits][e[+-]digits]. */
struct decimal {
	double x;         /* the nearest double; infinite if out of range */
	const char *end;  /* of its text; the start: there is no number */
	bool whole;       /* has neither point nor exponent */
	bool json;        /* is valid JSON */
	bool single;      /* is a float32, or one rounded to these digits */
};

/*
 * Read the decimal number that text begins with: "-1", "+.5", "1.e-3". It must
 * be followed by a character that is not in [0-9.eE+-], such as NUL.
 */
struct decimal decimal_read(const char *text);

/* The same number as the nearest float32, rounded once. */
double decimal_single(const char *text, double x);

/*
 * Whether x, whose last digit in text stands for 10^e, is a float32 or one that
 * was rounded to these digits.
 */
bool decimal_is_single(double x, long e);

enum {
	DECIMAL_DIGITS = 19,  /* that 64 bits always have room for */
	DECIMAL_POWERS = 22,  /* of ten, to which they are doubles */
};

/* The digits of a number as they are read. */
struct significand {
	uint64_t all;    /* their value, of the first DECIMAL_DIGITS */
	long n;          /* how many after leading zeros */
	long exponent;   /* of ten, of the last digit */
};

extern const double decimal_powers[DECIMAL_POWERS + 1];

/* Read "e-05"; its end, or s if there is no exponent. */
const char *decimal_exponent(const char *s, struct significand *d);

/* Numbers in a row of text, as far as they are written in the usual way. */
struct decimals {
	double *x;         /* [most]; the caller's */
	size_t n, most;    /* read, and at most to be read */
	bool fractions;    /* one is no integer, or is -0 */
	bool more_digits;  /* one has more digits than a float32 has */
};

enum { DECIMAL_AHEAD = 128 };  /* bytes that are looked at for a number */

/*
 * Read the numbers from s on, with the separator between them and perhaps a
 * blank after it, to the one that the character last follows: faster than
 * decimal_read(), to the same values. Returns the end of the last one that was
 * read; s if there is none. It may stop before any number, which decimal_read()
 * has to read then: one of more than 19 digits, half way between two float32
 * values or out of their range, written in another way than "-1", "0.5" or
 * "1.5e-07", or less than DECIMAL_AHEAD bytes before stop.
 */
const char *decimals_read(struct decimals *all, const char *s,
			  const char *stop, char separator, char last);

/*
 * A decimal number, the whole text: "512", "-0.5", "1e6". No blanks, no
 * hexadecimal, no "inf", nothing beyond the doubles.
 */
bool parse_real(const char *text, double *x);

/*
 * Numbers as above with a character between them, "0.5,2" or "-1:1", to
 * at [most]: how many, or 0 for any other text.
 */
size_t parse_reals(const char *text, char separator, double *at, size_t most);

/*
 * An integer without a point, as above or "4k": 4096; k, M and G are powers of
 * 1024. It may be out of any range; beyond 2^53 it is not exact.
 */
bool parse_integer(const char *text, double *x);

/* Whether x is the integer that text begins with, to the last digit. */
bool parse_exact(const char *text, double x);

/*
 * Integers of options are within 2^INTEGER_BITS, so that long and size_t hold
 * their sums: those that are exact in float64, where long has 64 bits.
 */
enum { INTEGER_BITS = sizeof(size_t) < 8 ? 28 : 53 };
#define INTEGER_MOST ((double)(1ull << INTEGER_BITS))

/*
 * "A:B" in integers as above within INTEGER_MOST; an omitted end, as in "A:" or
 * ":", is LONG_MIN or LONG_MAX. Returns the end of the range in text; NULL:
 * there is none.
 */
const char *parse_range(const char *text, long *first, long *last);

/*
 * The same, also "A", which is A:A+1, and "A:B:S", whose step is S; or "A::S".
 * An omitted step is 1.
 */
const char *parse_slice(const char *text, long *first, long *last, long *step);

/* The same of integers, as parse_integer() reads them. */
size_t parse_integers(const char *text, char separator, double *at,
		      size_t most);

/*
 * The fewest significant digits to which a finite x can be rounded so that they
 * read back as x: 1 for 10000, at most 17.
 */
int decimal_digits(double x);

/* A number takes at most 25; all digits are moved at once, past its end. */
enum { NUMBER_ROOM = 36 };

/*
 * Write x, which is rounded to d, at text [NUMBER_ROOM]; the length, no NUL.
 * Values of an integer dtype in full. Others rounded to precision digits; if
 * that is 0, integers below 1e16 in full, and the rest as the shortest decimal
 * that reads back as the same value of d. Plain from 1e-5 to 1e16, else with an
 * exponent: 0.1, 1e-06, 6.02e+23, nan, -inf.
 */
size_t number_text(char *text, double x, enum dtype d, size_t precision);

/* Values of a row, rounded to its dtype: one of the two is given. */
struct numbers {
	const float *f;
	const double *d;
};

/* Values x [n], commas between them, at text [n, NUMBER_ROOM]; the length. */
size_t numbers_text(char *text, struct numbers x, size_t n, enum dtype d,
		    size_t precision);

#endif
