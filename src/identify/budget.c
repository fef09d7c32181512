/* budget.c: the time that a search may take. */
#include <math.h>
#include <time.h>

#include "identify/budget.h"

/* How much slower the same search may be in a build for tests. */
#if defined __SANITIZE_ADDRESS__ || defined COVERAGE
#define SLOWNESS 16
#else
#define SLOWNESS 1
#endif

/* A pass over more takes a notable part of the budget. */
#define MANY_VALUES 0x1p20

static double seconds_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/*
 * Processor time: a busy machine does not change what is found. It is a call of
 * the system, which is not worth it before a millisecond has passed.
 */
static double now(struct search *s)
{
	const double elapsed = seconds_of(CLOCK_MONOTONIC);

	if (!(elapsed < s->asked + 1e-3)) {
		s->asked = elapsed;
		s->used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
	}
	return s->used;
}

void search_begin(struct search *s, double seconds)
{
	s->begin = now(s);
	s->seconds = seconds * SLOWNESS;
	s->stopped = false;
}

bool search_over(struct search *s)
{
	return search_over_for(s, 0);
}

bool search_over_for(struct search *s, size_t values)
{
	const double share = 0.4 + MANY_VALUES / fmax(1, (double)values);

	s->stopped = s->stopped ||
		     now(s) >= s->begin + fmin(1, share) * s->seconds;
	return s->stopped;
}

bool search_goes_on(struct search *s, bool good)
{
	return search_goes_on_for(s, good, 0);
}

void report_stop(const struct search *s, double seconds, struct report *r)
{
	if (!s->stopped)
		return;
	report_group(r, "search");
	report_text(r, "stopped", "after %g seconds: not all candidates were "
		    "tried", seconds);
}
