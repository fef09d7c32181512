/* curves.c: the numbers of lines and steps. */
#include <stdio.h>
#include <string.h>

#include "figure/curves.h"
#include "figure/ticks.h"

enum {
	POINTS_MOST = 4096,  /* of a curve */
	ALL_MOST = 8,        /* columns that are all drawn, or, where nobody */
	USUAL = 6,           /* chose, so many of more */
};

/* False where there is none, or was none for something before. */
static bool make_room(struct curves *c, struct figure *f)
{
	c->x = figure_room(f, c->n, sizeof *c->x);
	for (size_t i = 0; i < c->count; i++)
		c->y[i] = figure_room(f, c->n, sizeof *c->y[i]);
	return !f->err.text[0];
}

/* "dim 4" */
static void name_curve(struct curves *c, size_t i, const struct axis *a,
		       size_t index)
{
	char number[TICK_TEXT];
	const char *what = a->name ? a->name : "";

	if (strcmp(what, "dimension") == 0)
		what = "dim";
	tick_text(number, axis_label(a, index));
	snprintf(c->names[i], sizeof c->names[i], "%.16s %.20s", what, number);
}

/* Columns first to last - 1, or some of all of them. */
static void choose_columns(struct curves *c, const struct table *t,
			   const struct look *look, size_t columns[CURVES_MOST])
{
	struct range d = look->dims;
	size_t step = 1;

	range_fill(&d, t->cols);
	c->count = (size_t)(d.last - d.first);
	if (!d.given && t->cols > ALL_MOST) {
		c->count = USUAL;
		step = t->cols / c->count;
	}
	for (size_t i = 0; i < c->count; i++) {
		columns[i] = (size_t)d.first + i * step;
		name_curve(c, i, &t->across, columns[i]);
	}
}

static bool curve_of_row(struct curves *c, struct figure *f,
			 const struct table *t, double *scratch)
{
	const double *x;

	c->count = 1;
	c->n = t->cols;
	c->across = t->across.name;
	c->axis = &t->across;
	if (!make_room(c, f))
		return false;
	x = t->row(t, t->begin, scratch);
	for (size_t j = 0; j < c->n; j++) {
		c->x[j] = axis_label(&t->across, j);
		c->y[0][j] = x[j];
	}
	return true;
}

bool curves_of_columns(struct curves *c, struct figure *f,
		       const struct table *t, const struct look *look)
{
	const size_t rows = t->end - t->begin;
	double *scratch = figure_room(f, t->cols, sizeof *scratch);
	size_t columns[CURVES_MOST] = { 0 };

	*c = (struct curves){ .every = 1 };
	if (rows == 1)
		return curve_of_row(c, f, t, scratch);
	choose_columns(c, t, look, columns);
	c->every = (rows + POINTS_MOST - 1) / POINTS_MOST;
	c->n = (rows + c->every - 1) / c->every;
	c->across = t->down.name;
	c->axis = &t->down;
	if (!make_room(c, f))
		return false;
	for (size_t k = 0; k < c->n; k++) {
		const size_t i = t->begin + k * c->every;
		const double *x = t->row(t, i, scratch);

		c->x[k] = axis_label(&t->down, i % t->rows);
		for (size_t j = 0; j < c->count; j++)
			c->y[j][k] = x[columns[j]];
	}
	return true;
}

bool curves_of_distances(struct curves *c, struct figure *f,
			 const struct table *t)
{
	const bool whole = table_shape(t, NULL) == 3;
	const size_t rows = whole ? t->rows : t->end - t->begin;
	const size_t last = (t->end - 1) % t->rows;
	const size_t plane = t->begin / t->rows;

	*c = (struct curves){ .every = 1, .across = "key \xe2\x88\x92 query" };
	c->all = (t->end - t->begin) / rows;
	c->count = c->all < CURVES_MOST ? c->all : CURVES_MOST;
	c->n = t->cols + rows - 1;
	if (!make_room(c, f))
		return false;
	for (size_t k = 0; k < c->n; k++)
		c->x[k] = (double)k - (double)last;
	for (size_t i = 0; i < c->count; i++) {
		t->diagonals(t, plane + i, t->rows - 1 - last, c->n, c->y[i]);
		name_curve(c, i, &t->over, plane + i);
	}
	return true;
}
