/* inputs.c: the tables that a command line names. */
#include "cli/inputs.h"

/* What is said of raw files, here or by an encoding's own --dim. */
static struct raw_kind raw_kind(const struct args *a)
{
	const struct option *o = option_find(a->recipe->options, "dim", 3);
	const size_t dim = o
		? *(const size_t *)(const void *)
		  ((const char *)a->fields.self + o->at) : a->input.dim;

	return (struct raw_kind){ dim, a->style.dtype };
}

static bool read_option_tables(struct args *a, struct error *err)
{
	a->fields.raw = raw_kind(a);
	for (size_t i = 0; i < a->option_table_count; i++)
		if (!option_set(a->option_tables[i].option, &a->fields,
				a->option_tables[i].path, err))
			return false;
	return true;
}

static bool read_inputs(struct args *a, struct error *err)
{
	const struct raw_kind raw = raw_kind(a);

	if (a->input_count < a->recipe->inputs && !a->recipe->optional)
		return fail(err, a->input_count ? "a second TABLE is missing"
						: "a TABLE is missing");
	if (a->input.dim && !a->maybe_raw)
		return fail(err, "--dim says how a .raw file is read, and "
			    "there is none");
	for (size_t i = 0; i < a->input_count; i++)
		if (!input_read(a->input_paths[i], &a->input, &raw,
				&a->inputs[i], err))
			return false;
	if (!a->input_count)
		return input_unused(&a->input, err);
	/* What --dtype says is said of the raw files, not of outputs. */
	if (a->input.dim)
		a->style.dtype = NOT_GIVEN;
	return input_note(&a->input, &raw, &a->inputs[a->input_count - 1],
			  err);
}

bool inputs_read(struct args *a, struct error *err)
{
	return read_option_tables(a, err) && read_inputs(a, err);
}
