/* preload.h: what calls that may fail ask first. */
#ifndef PRELOAD_H
#define PRELOAD_H

#include <stdbool.h>

/* Whether this call is to fail, as errno then says. */
bool fails(const char *call);

#endif
