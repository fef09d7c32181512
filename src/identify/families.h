/*
 * families.h: families of tables as rows, which one engine reads.
 *
 * A row is a recipe and its options, with unknowns in the places of what the
 * shape does not tell. The engine makes the table with trial values, fits
 * them with the command itself as the model, rounds them, and hands the
 * command to the ordinary comparison. In the options stand
 *
 *   <rows>     a number or a text that the table tells: families.c has them
 *   {a|b|!c}   alternatives, all of which are tried, but those behind '!' only
 *              where none before makes the table exactly; they may hold others
 *   ?8         a positive number, which is fitted from 8 on
 *   ?8,...     the same, one for each plane
 *   ~1         a number of any sign, which is fitted from 1 on
 *   #2:99      a count of 2 to 99, with which the values rise; #99:2: they fall
 */
#ifndef FAMILIES_H
#define FAMILIES_H

#include "identify/identify.h"

struct family {
	const char *recipe, *options;
	unsigned when;         /* traits that the table must have */
	double absolute;       /* of candidates */
	bool ties;             /* it is tried beside other matches, too */
	/* In place of options: whether it is a known mistake, the verdict */
	bool (*mistakes)(struct search *s);
};

/*
 * Try the row with options that have no <names> any more; whether a command
 * makes the table.
 */
bool solve_family(struct search *s, const struct family *f,
		  const char *options);

/*
 * Try a candidate whose options have unknowns, each near its first value, and
 * of which all but one are round; whether there are more matches.
 */
bool solve_near(struct search *s, const struct candidate *c,
		const char *options);

/* The change of a number of a command with which it makes all values. */
struct narrowing {
	const struct profile *profile;
	const struct candidate *candidate;
	struct table made, moved;   /* without a change, and with one of h */
	double *row, *moved_row;    /* [cols] room */
	double h;
	double unit;                /* relative, of the arithmetic */
	bool narrow;                /* values are shortest decimals of a dtype
				       that is narrower */
	double low, high;           /* the interval */
};

/* Set the interval by a sample of all rows; false if there is none. */
bool narrow_by_rows(struct narrowing *z);

/* ALiBi's slopes by wrong formulas, or of biases without a mask. */
bool alibi_mistakes(struct search *s);

#endif
