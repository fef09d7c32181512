/* context.h: what to set for a longer context. */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "model/target.h"

/* Read a number of positions, "131072" or "128k"; false with an error. */
bool context_length(const char *text, double *length, struct error *err);

/*
 * Scale p's rotary positions for a context of that length, if the file does not
 * cover it, and report what changes; false with an error where nothing usual is
 * known. *covered: the file covers it.
 */
bool context_extend(struct port *p, double length, bool *covered,
		    struct report *r);

#endif
