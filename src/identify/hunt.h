/*
 * hunt.h: what might have made a table, and whether it did. A claim is a
 * recipe with its options as text; the table they make is compared with the
 * one that was seen, so that the command which is reported is the one that was
 * tried.
 */
#ifndef HUNT_H
#define HUNT_H

#include "identify/trial.h"

/* A claim that held. */
struct match {
	const struct recipe *recipe;
	struct claim claim;
	const char *command;   /* that makes the table again */
	enum dtype dtype;      /* that the numbers were rounded to */
	bool plain;            /* without --dtype or --precision */
	bool cut;              /* and then to fewer digits */
	bool rounded;          /* by others, to fewer decimals */
	bool exact;            /* all are what the command gives, to the bit,
			          or to the last decimal if rounded */
	double error;          /* the largest difference, and where */
	size_t row, col;
};

enum { MATCHES_MOST = 24 };

struct hunt {
	const struct sight *sight;
	struct table *owner;   /* of what matches point to */
	struct error *err;     /* want of memory, which ends the hunt */
	struct match matches[MATCHES_MOST];
	size_t n;
	const char *verdict;   /* what it is though no command makes it; or
			          NULL */
	bool strict;           /* only exact matches are of interest */
};

/* Whether one of the matches from the first-th on is exact. */
bool hunt_exact(const struct hunt *h, size_t first);

/* Zeroed memory for n things of size bytes, which lasts as long as matches. */
void *hunt_room(struct hunt *h, size_t n, size_t size);

/* Try a claim, its options as formatted; note it if it holds. */
bool hunt_claim(struct hunt *h, const struct claim *claim,
		const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for a recipe, with a share of a few units. */
bool hunt_guess(struct hunt *h, const char *recipe, double slack,
		const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Drop matches that are worse by far than the best; plain commands go before
 * others.
 */
void hunt_settle(struct hunt *h);

#endif
