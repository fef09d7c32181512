/*
 * panels.c: tables side by side, with signs between them and their sum at the
 * end, all in the same colours: token + segment + position = input.
 */
#include <stdio.h>

#include "figure/heat.h"

enum { NAME_LEAST = 60, NAME_MOST = 180 };  /* of titles, points */

/* The parts, and their sum, as the planes of one table. */
struct stack {
	const struct table *parts[BESIDE_MOST];
	size_t n;
	const struct table *sum;    /* NULL: of dense parts, to be computed */
	size_t begin;               /* the first row of each */
	const char *names[BESIDE_MOST + 1];
};

static const double *stack_row(const struct table *t, size_t i,
			       double *scratch)
{
	const struct stack *s = t->state;
	const size_t plane = i / t->rows, row = s->begin + i % t->rows;
	const struct table *from = plane < s->n ? s->parts[plane] : s->sum;

	if (from)
		return from->row(from, row, scratch);
	for (size_t j = 0; j < t->cols; j++) {
		scratch[j] = 0;
		for (size_t k = 0; k < s->n; k++)
			scratch[j] += s->parts[k]->row(s->parts[k], row,
						       NULL)[j];
	}
	return scratch;
}

/* The first of the tables whose sum t is, or that are beside it. */
static const struct table *first_part(const struct table *t)
{
	return t->terms ? t->terms : t;
}

/* With --width, as wide as the panels of the parts and their sum may be. */
static void name_parts(struct stack *s, struct figure *f)
{
	const int share = (f->wide - pt(f, BESIDE)) / (int)(s->n + 1);
	const int room = f->wide ? greatest(share - pt(f, SIGN_APART),
					    pt(f, NAME_LEAST))
				 : pt(f, NAME_MOST);

	for (size_t i = 0; i < s->n; i++)
		s->names[i] = table_name(f, s->parts[i], room);
	s->names[s->n] = language_text(f->language, "sum");
}

void panels_layout(struct figure *f, const struct table *t,
		   const struct look *look, size_t threads)
{
	const bool cells = plot_of(look) == &plot_cells;
	struct stack *s = figure_room(f, 1, sizeof *s);
	struct table *all = figure_room(f, 1, sizeof *all);

	if (!s || !all)
		return;
	*all = (struct table){
		.rows = t->end - t->begin, .cols = t->cols, .dtype = t->dtype,
		.row_axis = axis_behind(&t->row_axis, t->begin % t->rows),
		.col_axis = t->col_axis,
		.plane_axis = { .name = "table", .step = 1, .names = s->names },
		.title = t->title, .value = t->value, .from = t->from,
		.row = stack_row, .state = s,
	};
	s->begin = t->begin;
	s->sum = t->terms ? t : NULL;
	for (const struct table *x = first_part(t); x; x = x->beside) {
		s->parts[s->n++] = x;
		if (!dtype_integer(x->dtype))
			all->dtype = F64;
	}
	name_parts(s, f);
	all->planes = s->n + 1;
	all->end = all->planes * all->rows;
	heat_layout(f, all, look, threads, HEAT_SUM | (cells ? HEAT_CELLS : 0));
}

static bool check(const struct look *look, const struct table *t,
		  size_t planes, size_t rows, struct error *err)
{
	char x[SHAPE_TEXT], y[SHAPE_TEXT];

	(void)rows;
	if (!t->terms && !t->beside)
		return fail(err, "--plot panels draws a sum and its parts: of "
			    "several tables, 'show A B', or of 'embed' with "
			    "--add, --position-table or --segment-table");
	for (const struct table *b = t->beside; b; b = b->beside)
		if (b->planes != t->planes || b->rows != t->rows ||
		    b->cols != t->cols)
			return fail(err, "--plot panels adds tables of one "
				    "shape, got %s and %s", shape_of(t, x),
				    shape_of(b, y));
	if (t->beside && planes > 1)
		return fail(err, "--plot panels draws one plane of each TABLE: "
			    "select it with --head");
	return plot_one_plane(look, planes, err);
}

const struct plot plot_panels = {
	.bar = true, .transposes = true, .sums = true,
	.check = check, .layout = panels_layout,
};
