/* raw.c: little-endian numbers in C order, and nothing else. */
#include "formats/format.h"
#include "formats/rows.h"

static void raw_write(const struct style *style, const struct table *t,
		      struct out *o)
{
	rows_binary(t, style, o);
}

const struct format raw_format = {
	.name = "raw",
	.summary = "little-endian numbers in C order",
	.binary = true,
	.write = raw_write,
};
