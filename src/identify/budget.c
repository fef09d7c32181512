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

/* Processor time: a busy machine does not change what is found. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void search_begin(struct search *s, double seconds)
{
	s->begin = now();
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
		     now() > s->begin + fmin(1, share) * s->seconds;
	return s->stopped;
}

bool search_goes_on(struct search *s, bool good)
{
	return good & !search_over(s);
}

void report_stop(const struct search *s, double seconds, struct report *r)
{
	if (!s->stopped)
		return;
	report_group(r, "search");
	report_text(r, "stopped", "after %g seconds: not all candidates were "
		    "tried", seconds);
}
