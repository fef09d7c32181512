/*
 * hunt.h: what might have made a table, and whether it did. A claim is a
 * recipe with its options as text; the table they make is compared with the
 * one that was seen, so that the command which is reported is the one that was
 * tried.
 */
#ifndef HUNT_H
#define HUNT_H

#include "identify/sight.h"
#include "recipes.h"

/*
 * How far numbers may be from those claimed, besides being rounded: in units
 * of the arithmetic that others compute in.
 */
struct claim {
	const char *recipe, *options;
	double slack;        /* anywhere */
	double slope;        /* times the position of the row */
	double share;        /* times the number itself */
};

/* A claim that held. */
struct match {
	const struct recipe *recipe;
	struct claim claim;
	const char *command;   /* that makes the table again */
	enum dtype dtype;      /* that the numbers were rounded to */
	bool cut;              /* and then to fewer digits */
	bool exact;            /* all are what the command gives, to the bit */
	double error;          /* the largest difference, and where */
	size_t row, col;
};

enum { MATCHES_MOST = 24 };

struct hunt {
	const struct sight *sight;
	struct table *owner;   /* of what matches point to */
	struct match matches[MATCHES_MOST];
	size_t n;
	const char *verdict;   /* what it is though no command makes it; or
			          NULL */
	bool strict;           /* only exact matches are of interest */
};

/* Whether one of the matches from the first-th on is exact. */
bool hunt_exact(const struct hunt *h, size_t first);

/* Try a claim; note it if it holds. */
bool hunt_claim(struct hunt *h, const struct claim *claim);

/* Claim a recipe with options as formatted, and a share of a few units. */
bool hunt_guess(struct hunt *h, const char *recipe, double slack,
		const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Drop matches that are worse by far than the best. */
void hunt_settle(struct hunt *h);

#endif
