/* raw.c: little-endian numbers in C order, and nothing else. */
#include "formats/values.h"
#include "formats/format.h"
#include "formats/rows.h"

static size_t raw_size(const struct table *t, bool *exact)
{
	*exact = true;
	return rows_binary_size(t);
}

static void raw_write(const struct style *style, const struct table *t,
		      struct output_file *o)
{
	rows_binary(t, style, o);
}

static bool raw_read(struct input_file *in, const struct read_options *options,
		     struct table *t, struct error *err)
{
	const struct raw_kind *raw = options->raw;

	if (!raw->dim || raw->dtype == NO_CHOICE)
		return fail_file(err, in->path, "a raw file needs --dim D and "
				 "--dtype TYPE; formats such as .npy state "
				 "both");
	t->cols = raw->dim;
	return binary_read_rows(in, element_of((enum dtype)(raw->dtype %
							   DTYPES)), t, err);
}

const struct format raw_format = {
	.name = "raw",
	.summary = "values without metadata, little-endian, in C order",
	.binary = true,
	.bare = true,
	.size = raw_size,
	.write = raw_write,
	.read = raw_read,
};
