/* show.c: a table of a file as it is, to be drawn or written again. */
#include <stdio.h>
#include <string.h>

#include "recipes.h"
#include "views/cells.h"
#include "views/show.h"

struct show {
	struct extents grid;
	const struct table *made;  /* the same, as its command makes it */
};

enum { SMOOTH_MOST = 600 };  /* rows; figures draw nothing between more */

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

/*
 * Make text, "posenc sinusoid --len 4 --dim 4 --dtype f16", options as
 * recipe_open() takes them, "len=4 dim=4"; its command, or NULL.
 */
static const char *take_options(char *text, char **options)
{
	char *name = strchr(text, ' '), *from, *to, *dtype;

	dtype = strstr(text, " --dtype ");
	if (dtype)
		*dtype = '\0';
	from = name ? strchr(name + 1, ' ') : NULL;
	if (!from)
		return NULL;
	*from++ = '\0';
	*options = to = from;
	while (*from) {
		from += strncmp(from, "--", 2) == 0 ? 2 : 0;
		while (*from && *from != ' ')
			*to++ = *from++;
		if (*from)
			*to++ = strncmp(from++, " --", 3) == 0 ? ' ' : '=';
	}
	*to = '\0';
	return name + 1;
}

/* Whether made has the values of t, rounded to its dtype. */
static bool is_same(const struct table *t, const struct table *made,
		    struct table *owner, struct error *err)
{
	const size_t bytes = t->cols * dtype_size(t->dtype);
	unsigned char *a = table_alloc(owner, 2, bytes, err);
	void *scratch = table_alloc(owner, table_scratch(made, t->dtype, 1) +
				    table_scratch(t, t->dtype, 1), 1, err);

	if (made->planes != 1 || made->rows != t->rows ||
	    made->cols != t->cols || !a || !scratch)
		return false;
	for (size_t i = 0; i < t->rows; i++) {
		table_rows(t, t->dtype, i, 1, scratch, a);
		table_rows(made, t->dtype, i, 1, scratch, a + bytes);
		if (memcmp(a, a + bytes, bytes) != 0)
			return false;
	}
	return true;
}

static const double *between(const struct table *t, double i, double *scratch)
{
	const struct show *s = t->from.options;

	return s->made->between(s->made, i, scratch);
}

/*
 * Where the file of t says which command made it, and this is true, what lies
 * between rows is known. --len bounds the work that a wrong file may ask for.
 */
static void find_between(struct show *s, const struct table *input,
			 struct table *t)
{
	const struct stored_tensor *from = input->from.tensor;
	struct error err = { 0 };  /* then it is not known */
	struct table *made = table_alloc(t, 1, sizeof *made, &err);
	char len[40], *text, *options;
	const char *name;

	snprintf(len, sizeof len, " --len %zu ", t->rows);
	if (!made || !from || !from->command || t->planes > 1 ||
	    t->rows > SMOOTH_MOST || !strstr(from->command, len) ||
	    !(text = table_copy(t, from->command, &err)))
		return;
	name = take_options(text, &options);
	if (name && recipe_open(made, name, options, NULL, &err) &&
	    made->between) {
		made->dtype = t->dtype;
		if (is_same(t, made, made, &err)) {
			s->made = made;
			t->between = between;
		}
	}
	table_adopt(t, made);
}

static bool show_table(void *self, const struct table *inputs, struct table *t,
		       struct error *err)
{
	struct show *s = self;

	if (s->grid.n && inputs->beside)
		return fail(err, "--grid applies to one TABLE, not to several");
	take_values(inputs, t);
	find_between(s, inputs, t);
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
