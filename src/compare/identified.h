/*
 * identified.h: differences that no simple change explains: a few values
 * (few.c), the commands of both tables and the parameters that differ
 * (identified.c), what these mean (meaning.c), a rotary embedding (rotated.c),
 * and the command of what was added (added.c).
 */
#ifndef IDENTIFIED_H
#define IDENTIFIED_H

#include "compare/compare.h"
#include "recipe/recipe.h"

struct match;

/*
 * List the values that differ, if these are few of all: "1 of 2048 values: row
 * 3, column 4 (0.5 in A, 9 in B)". Commands of parts would say less (few.c).
 */
bool explain_few(const struct comparison *c,
		 struct report *r, char text[SENTENCE]);

/* Whether both tables are small enough for a quick search. */
bool small_tables(const struct comparison *c);

/*
 * Identify both tables. The commands and the parameters that differ are
 * reported and said in a clause, "A is ...; B is ...; they differ in ..."; it
 * is empty if there is a command for neither. Returns whether both tables are
 * known.
 */
bool explain_identified(const struct comparison *c, struct report *r,
			char text[SENTENCE]);

/* Find the rotation: "B is A rotated: 'posenc rope ...' fits with ..." */
bool explain_rotated(const struct comparison *c, struct report *r,
		     char text[SENTENCE]);

/* Identify B - A and A - B: "B is A plus the table of 'posenc ...'". */
bool explain_added(const struct comparison *c, struct report *r,
		   char text[SENTENCE]);

/* A command or a value whose long words, such as lists, are cut. */
const char *cut_words(const char *from, char to[SENTENCE]);

enum { WRONGS_ROOM = 48 };

/* " but for 2 values", of those that the command does not make; or "". */
const char *wrongs_words(const struct match *m, char text[WRONGS_ROOM]);

/* An option whose values for A and B differ; "none": it has no value. */
struct parameter {
	const struct option *option;
	const char *a, *b;
};

/*
 * What the difference of the two values means, as a clause to text [size]:
 * "100 is 10000 to the power of 0.5: ...". False if there is none.
 */
bool parameter_meaning(const struct parameter *p, char *text, size_t size);

/*
 * What the low precision of a table's command does, as a clause to text [size]:
 * "B is A with its positions rounded to bfloat16: ...", or, if that is not all,
 * "B has its positions ...". False if it is not low (precision.c).
 */
bool precision_meaning(const char *name, const char *other,
		       const struct match *m, bool alone, char *text,
		       size_t size, struct error *err);

enum { FACTOR_ROOM = 80 };

/*
 * What a factor of a table with so many columns is likely to be, as a clause
 * ", which is sqrt(64) for 64 columns"; or "".
 */
const char *factor_words(double factor, size_t cols, char text[FACTOR_ROOM]);

#endif
