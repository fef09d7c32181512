/*
 * compare.h: posenc compare: how two tables differ (compare.c), which simple
 * change explains the difference (explain.c), and which commands make the two
 * tables (identified.c). All work on a struct comparison. This folder includes
 * identify and the folders below it.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "recipe/recipe.h"

/*
 * Two dense tables as [rows, cols] each, and the tolerance: |a - b| up to
 * atol + rtol |b|, or up to ulp steps of dtype.
 */
struct comparison {
	const struct table *a, *b;
	size_t a_rows, b_rows;     /* of all planes together */
	enum dtype dtype;          /* the less precise of the two */
	double atol, rtol;
	double ulp;                /* -1: no steps are tolerated */
	double largest;            /* |a - b|; infinite for unequal shapes */
};

/* Whether the values a and b are equal within the tolerance; NaN equals NaN. */
bool values_equal(const struct comparison *c, double a, double b);

/* |a - b|: 0 for equal infinities or two NaN; else infinite for any of them. */
double value_difference(double a, double b);

/*
 * Write the first sentence that explains B by A, to text [size]: columns
 * reordered, rows shifted or reversed, a sign, a scale, a rounding, a part.
 * False if none does.
 */
bool explain(const struct comparison *c, char *text, size_t size);

enum { SENTENCE = 1024 };

/*
 * Identify both tables (identified.c). The commands and the parameters that
 * differ are reported and said in a clause, "A is ...; B is ...; they differ in
 * ..."; it is empty if there is a command for neither. Returns whether both
 * tables are known.
 */
bool explain_identified(const struct comparison *c, struct report *r,
			char text[SENTENCE]);

/* An option whose values for A and B differ; "none": it has no value. */
struct parameter {
	const struct option *option;
	const char *a, *b;
};

/*
 * What the difference of the two values means, as a clause to text [size]:
 * "100 is 10000 to the power of 0.5: ..." (meaning.c). False if there is none.
 */
bool parameter_meaning(const struct parameter *p, char *text, size_t size);

#endif
