/* json.h: reading what json.c writes, and plain arrays. */
#ifndef JSON_H
#define JSON_H

#include "formats/format.h"

bool json_read(struct in *in, const struct asked *asked, struct table *t,
	       struct error *err);

#endif
