/* json.h: reading what json.c writes, and plain arrays. */
#ifndef JSON_H
#define JSON_H

#include "formats/format.h"

/* As struct format's read. */
bool json_read(struct in *in, const struct asked *asked, struct table *t,
	       struct error *err);

/*
 * Version, command and every option of t as an object of strings; to be freed,
 * NULL for want of memory.
 */
char *json_metadata(const struct table *t, const struct style *style);

#endif
