/*
 * sum.c: figures that are added: heat maps or cells of one shape, with signs
 * between them and their sum behind. Their values are kept, as those of files
 * are, and drawn as --plot panels draws tables and their sum.
 */
#include "figure/heat.h"
#include "figure/subfigures.h"

static const double *sum_row(const struct table *t, size_t i, double *scratch)
{
	const double *values = t->state;

	(void)scratch;
	return values + i * t->cols;
}

/* The selected rows of a part as a table of their own, of memory of owner. */
static struct table *keep_rows(const struct subfigure *part,
			       struct table *owner, struct error *err)
{
	const struct table *t = part->t;
	const size_t begin = t->begin % t->rows, rows = t->end - t->begin;
	double *values = table_alloc(owner, rows * t->cols, sizeof *values,
				     err);
	struct table *to = table_alloc(owner, 1, sizeof *to, err);

	if (!values || !to)
		return NULL;
	*to = (struct table){
		.planes = 1, .rows = rows, .cols = t->cols, .end = rows,
		.dtype = t->dtype, .row_axis = axis_behind(&t->row_axis, begin),
		.col_axis = t->col_axis, .value = t->value, .from = t->from,
		.title = part->look.title ? part->look.title : t->title,
		.titled = part->look.title,
		.row = sum_row, .state = values,
	};
	for (size_t i = 0; i < rows; i++, values += t->cols) {
		table_rows(t, F64, t->begin + i, 1, NULL, values);
		for (size_t j = 0; j < t->cols; j++)
			values[j] = dtype_round(t->dtype, values[j]);
	}
	return to;
}

/* The shape of the rows that t selects. */
static const char *shape_text_of(const struct table *t, char text[SHAPE_TEXT])
{
	const size_t shape[] = { t->end - t->begin, t->cols };

	return shape_text(shape, 2, text);
}

bool sum_check(const struct subfigure *first, const struct subfigure *part,
	       struct error *err)
{
	const struct plot *plot = plot_of(&part->look);
	const struct table *a = first->t, *b = part->t;
	char x[SHAPE_TEXT], y[SHAPE_TEXT];

	if (plot != &plot_heatmap && plot != &plot_cells)
		return fail(err, "'+' adds heat maps and cells, which --plot "
			    "%s is not", plot_name(&part->look));
	if (plot != plot_of(&first->look))
		return fail(err, "'+' adds figures of one kind, got --plot %s "
			    "and %s", plot_name(&first->look),
			    plot_name(&part->look));
	if (b->end - b->begin > b->rows)
		return fail(err, "'+' adds one plane of each figure: select "
			    "it with --head");
	return (a->end - a->begin == b->end - b->begin && a->cols == b->cols) ||
	       fail(err, "'+' adds figures of one shape, got %s and %s",
		    shape_text_of(a, x), shape_text_of(b, y));
}

bool sum_make(struct subfigure *sum, const struct subfigure *parts, size_t n,
	      struct table *owner, struct error *err)
{
	struct table *t = NULL;

	while (n--) {
		struct table *part = keep_rows(&parts[n], owner, err);

		if (!part)
			return false;
		part->beside = t;
		t = part;
	}
	*sum = (struct subfigure){ .t = t, .look = parts->look, .sum = true };
	sum->look.title = "";
	return true;
}
