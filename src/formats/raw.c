/* raw.c: little-endian numbers in C order, and nothing else. */
#include <stdint.h>
#include <string.h>

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

/* All bytes of what has no size until it ends: in holds them then. */
static bool read_all(struct in *in, struct error *err)
{
	while (!in->ended)
		if (!in_more(in, err))
			return false;
	return true;
}

static bool raw_read(struct in *in, const struct asked *asked,
		     struct table *t, struct error *err)
{
	const struct raw_kind *raw = asked->raw;
	struct layout y;
	size_t left = in_left(in), row, bytes;

	if (!raw->dim || raw->dtype == NOT_GIVEN)
		return fail_file(err, in->path, "raw numbers need --dim D and "
				 "--dtype TYPE, or a file that says both, as "
				 ".npy");
	y = layout_of((enum dtype)(raw->dtype % DTYPES));
	row = raw->dim * y.size;
	if (left == SIZE_MAX) {
		if (!read_all(in, err))
			return false;
		left = in->n;
	}
	if (!left || left % row)
		return fail_file(err, in->path, "%zu bytes are no rows of %zu "
				 "numbers of %zu bytes", left, raw->dim,
				 y.size);
	return binary_shape(in, y, (size_t []){ left / row, raw->dim }, 2, t,
			    &bytes, err) &&
	       binary_read(in, y, t, err);
}

const struct format raw_format = {
	.name = "raw",
	.summary = "little-endian numbers in C order",
	.binary = true,
	.size = raw_size,
	.write = raw_write,
	.read = raw_read,
};
