/* progress.c: how far long work has come, for who looks at a terminal. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "formats/progress.h"

enum { WIDTH = 40 };

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void send(const char *text)
{
	const ssize_t done = write(STDERR_FILENO, text, strlen(text));

	(void)done;  /* nobody to tell */
}

void progress_begin(struct progress *p, size_t all)
{
	*p = (struct progress){ .all = all };
	if (!all)
		return;
	p->began = seconds();
	p->next = p->began + 1;
}

void progress_show(struct progress *p, size_t done)
{
	static const char full[] = "########################################";
	const double now = p->all ? seconds() : 0;
	const double part = (double)done / (double)p->all;
	char text[120];

	if (!p->all || !done || now < p->next)
		return;
	snprintf(text, sizeof text, "\r[%-*.*s] %3.0f%%  %.0f s left \033[K",
		 WIDTH, (int)(part * (double)WIDTH), full, 100 * part,
		 (now - p->began) * (1 - part) / part);
	send(text);
	p->shown = true;
	p->next = now + 0.1;
}

void progress_end(struct progress *p)
{
	if (p->shown)
		send("\r\033[K");
}
