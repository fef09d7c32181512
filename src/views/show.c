/* show.c: a table of a file as it is, to be drawn or written again. */
#include <string.h>

#include "views/cells.h"
#include "views/show.h"

struct show {
	struct extents grid;
};

static const struct option show_options[] = {
	{ OPTION(struct show, grid), .arg = "HxW",
	  .help = "the rows of TABLE are the cells of a grid of H rows and W "
		  "columns, row by row, for --plot maps" },
	{0}
};

/* The title of a TABLE; of standard input, "-" or "-:TENSOR", the tensor. */
static const char *title_of(const char *input)
{
	if (strcmp(input, "-") == 0)
		return "Table";
	return strncmp(input, "-:", 2) == 0 ? input + 2 : input;
}

/* Bounds are left out: those of a file are not those of its selected part. */
static void take_values(const struct table *inputs, struct table *t)
{
	t->title = title_of(inputs->title);
	table_like(t, inputs);
	t->row = inputs->row;
	t->floats = inputs->floats;
	t->doubles = inputs->doubles;
	t->broken = inputs->broken;
	t->state = inputs->state;
	t->beside = inputs->beside;
}

bool show_make(void *self, const struct table *inputs, struct table *t,
	       struct error *err)
{
	(void)self;
	(void)err;
	take_values(inputs, t);
	return true;
}

static bool show_table(void *self, const struct table *inputs, struct table *t,
		       struct error *err)
{
	const struct show *s = self;

	if (s->grid.n && inputs->beside)
		return fail(err, "--grid applies to one TABLE, not to several");
	take_values(inputs, t);
	return cells_take(&s->grid, t, err);
}

const struct recipe show_recipe = {
	.name = "show",
	.summary = "any table as it is: on the terminal, as a figure or a file",
	.about =
"Reads a table, or a part of it, and writes it: in columns on a terminal, as\n"
"a figure (--png pe.png), or in another format (--json pe.json) or dtype.\n"
"Up to 8 tables of any length are drawn as lines of one figure: show a.npy\n"
"b.npy --dims 0:1 --plot lines --legend A,B --png ab.png.\n",
	.details =
"  table[i, j] = TABLE[i, j]\n"
"\n"
"The dtype is that of TABLE, unless --dtype names another. Unsigned integers\n"
"of 16 and 32 bits have no dtype of their own and become int32 and int64.\n"
"Dimensions before the last two are written as one: [2, 3, 4, 5] becomes\n"
"[6, 4, 5]. One dimension becomes one row, and truth values become uint8.\n"
"Integers from 2^53 on that float64 cannot represent are refused. The header\n"
"of a CSV names its columns, also as lines and with --header.\n",
	.paper = "none (values are copied)",
	.example = "posenc show pe.npy",
	.options = show_options,
	.size = sizeof(struct show),
	.inputs = 1,
	.several = true,
	.compact = true,
	.on_demand = 1,
	.make = show_table,
};
