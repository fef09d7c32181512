/* raw.c: little-endian numbers in C order, and nothing else. */
#include "formats/binary.h"
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

static bool raw_read(struct in *in, const struct asked *asked,
		     struct table *t, struct error *err)
{
	const struct raw_kind *raw = asked->raw;

	if (!raw->dim || raw->dtype == NOT_GIVEN)
		return fail_file(err, in->path, "raw numbers need --dim D and "
				 "--dtype TYPE, or a file that says both, as "
				 ".npy");
	t->cols = raw->dim;
	return binary_read_rows(in, layout_of((enum dtype)(raw->dtype %
							   DTYPES)), t, err);
}

const struct format raw_format = {
	.name = "raw",
	.summary = "little-endian numbers in C order",
	.binary = true,
	.size = raw_size,
	.write = raw_write,
	.read = raw_read,
};
