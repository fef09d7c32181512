/*
 * budget.h: the time that a search may take. Its loops ask search_over() often
 * enough to end within a fraction of a second.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include "table/limit.h"
#include "identify/identify.h"

/* Seconds of processor time that find_command() gives a search. */
#define SEARCH_SECONDS LIMIT(2.5, 0.001)

/* Set the deadline of s so many seconds from now. */
void search_begin(struct search *s, double seconds);

/* Report that the deadline, so many seconds, ended the search, if it did. */
void report_stop(const struct search *s, double seconds, struct report *r);

/* Whether the deadline has passed; sets s->stopped. */
bool search_over(struct search *s);

/* Whether a loop goes on: what it did was good, and there is time. */
bool search_goes_on(struct search *s, bool good);

/*
 * The same as search_over() before something that takes several passes over so
 * many values: of tens of millions, when less than about half of the time is
 * left.
 */
bool search_over_for(struct search *s, size_t values);

/*
 * The same as search_goes_on() where each step takes such passes; here, so that
 * analysers see what ends a loop.
 */
static inline bool search_goes_on_for(struct search *s, bool good,
				      size_t values)
{
	return good & !search_over_for(s, values);
}

#endif
