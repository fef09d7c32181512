/* budget.c: the time that a search may take. */
#include <time.h>

#include "identify/budget.h"

/* Processor time: a busy machine does not change what is found. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void search_begin(struct search *s, double seconds)
{
	s->deadline = now() + seconds;
	s->stopped = false;
}

bool search_over(struct search *s)
{
	s->stopped = s->stopped || now() > s->deadline;
	return s->stopped;
}
