/* progress.h: how far long work has come, for who looks at a terminal. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
	size_t all;          /* rows to make; 0: nobody wants to know */
	double began, next;  /* seconds of a clock */
	bool shown;          /* there is a bar to remove */
};

/* Begin to count rows, or, of 0, not to. */
void progress_begin(struct progress *p, size_t all);

/* So many are made: a bar on standard error, once a second has passed. */
void progress_show(struct progress *p, size_t done);

/* Take the bar away. */
void progress_end(struct progress *p);

#endif
