/* csv.h: reading what csv.c writes, and what others do. */
#ifndef CSV_H
#define CSV_H

#include "formats/format.h"

/* As struct format's read. */
bool csv_read(struct in *in, const struct asked *asked, struct table *t,
	      struct error *err);

#endif
