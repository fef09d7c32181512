/* raw.c: little-endian numbers in C order, and nothing else. */
#include "formats/format.h"
#include "formats/rows.h"

static size_t raw_size(const struct table *t, bool *exact)
{
	*exact = true;
	return rows_binary_size(t);
}

static void raw_write(const struct style *style, const struct table *t,
		      struct out *o)
{
	rows_binary(t, style, o);
}

const struct format raw_format = {
	.name = "raw",
	.summary = "little-endian numbers in C order",
	.binary = true,
	.size = raw_size,
	.write = raw_write,
};
