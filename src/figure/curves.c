/* curves.c: the values that lines and steps show. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"
#include "figure/formula.h"
#include "figure/columns.h"
#include "figure/curves.h"

enum {
	SMOOTH = 600,        /* points, with those between rows, */
	POINTS_MOST = 1200,  /* and without; of more rows */
	BINS = 600,          /* groups of rows, each drawn as a range; */
	BIN_ROWS = 64,       /* rows of a group whose range that is */
	RATIOS_LOG2 = 10,    /* of points at equal ratios, on a logarithmic */
	RATIOS = 1 << RATIOS_LOG2,  /* axis */
	DOTS_MOST = 32,      /* rows that are marked */
	ALL_MOST = 8,        /* columns that are all drawn without --dims; */
	USUAL = 6,           /* of more, so many */
	COLUMN_NAME = 80,    /* points of a legend for "column 12" */
};

bool curves_by_distance(const struct look *look, const struct table *t)
{
	return t->at_distance && t->end - t->begin > 1 && !look->dims;
}

/* The column with that name, or t->cols. */
static size_t column_named(const struct table *t, const char *name)
{
	size_t j = 0;

	while (j < t->cols && strcmp(t->col_axis.names[j], name) != 0)
		j++;
	return j;
}

/* The columns of similarity --curve: a mean and its range by distance. */
enum { DISTANCE, MEAN, LOW, HIGH, STATISTICS };

/* Whether t has such columns, at at; that of a range it may lack is t->cols. */
static bool find_statistics(const struct look *look, const struct table *t,
			    size_t at[STATISTICS])
{
	static const char *const names[] = { "distance", "mean", "min", "max" };

	if (!t->col_axis.names || look->dims)
		return false;
	for (int i = 0; i < STATISTICS; i++)
		at[i] = column_named(t, names[i]);
	return at[DISTANCE] < t->cols && at[MEAN] < t->cols &&
	       (at[LOW] < t->cols) == (at[HIGH] < t->cols) &&
	       (at[LOW] < t->cols || column_named(t, "n") < t->cols);
}

bool curves_suit(const struct look *look, const struct table *t)
{
	size_t at[STATISTICS] = { 0 };

	return find_statistics(look, t, at);
}

static size_t planes_of(const struct table *t)
{
	return table_shape(t, NULL) == 3 ? (t->end - t->begin) / t->rows : 1;
}

static size_t count_tables(const struct table *t)
{
	size_t n = 0;

	for (; t; t = t->beside)
		n++;
	return n;
}

/* Whether rows are drawn over their columns, not columns over the rows. */
static bool rows_are_curves(const struct table *t)
{
	return t->end - t->begin == 1 || t->series;
}

static size_t count_curves(const struct look *look, const struct table *t,
			   size_t tables)
{
	size_t at[STATISTICS] = { 0 };

	if (curves_by_distance(look, t))
		return planes_of(t) < CURVES_MOST ? planes_of(t) : CURVES_MOST;
	if (rows_are_curves(t) && t->end - t->begin <= CURVES_MOST)
		return t->end - t->begin;
	if (find_statistics(look, t, at))
		return 1;
	return columns_count(look, t, ALL_MOST / tables,
			     tables < USUAL ? USUAL / tables : 1);
}

size_t curves_count(const struct look *look, const struct table *t)
{
	const size_t tables = count_tables(t);
	size_t n = 0;

	for (; t; t = t->beside)
		n += count_curves(look, t, tables);
	return n;
}

/* What is made: the table, its curves, and whether there are others. */
struct maker {
	struct figure *f;
	const struct look *look;
	const struct table *t;
	struct curve *to;
	size_t tables;
};

/* "dim 4 (sine)", the name of a column, or "pe.npy dim 4". */
static void name_curve(const struct maker *m, size_t i, const struct axis *a,
		       size_t index)
{
	char *to = m->to[i].name;
	size_t n = 0;

	if (m->tables > 1) {
		n = utf8_show_joined(table_name(m->f, m->t,
						legend_name_room(m->f) -
						pt(m->f, COLUMN_NAME)),
				     SIZE_MAX, to, CURVE_NAME / 2);
		if (count_curves(m->look, m->t, m->tables) == 1)
			return;
		to[n++] = ' ';
	}
	n += index_name(to + n, CURVE_NAME - n, a, index, m->f->language);
	if (axis_wave(a, index))
		snprintf(to + n, CURVE_NAME - n, " (%s)", language_text(
			 m->f->language, axis_wave(a, index)));
}

/* Room for n points of count curves that share x; false: no memory. */
static bool make_room(const struct maker *m, size_t count, size_t n)
{
	double *x = figure_room(m->f, n, sizeof *x);

	for (size_t i = 0; i < count; i++) {
		m->to[i].n = n;
		m->to[i].every = 1;
		m->to[i].x = x;
		m->to[i].y = figure_room(m->f, n, sizeof *x);
	}
	return !m->f->err.text[0];
}

/* The values of each row over its columns. */
static bool curves_over_columns(const struct maker *m, size_t count)
{
	const struct table *t = m->t;

	if (!make_room(m, count, t->cols))
		return false;
	for (size_t j = 0; j < t->cols; j++)
		m->to->x[j] = axis_label(&t->col_axis, j);
	for (size_t i = 0; i < count; i++) {
		table_rows(t, F64, t->begin + i, 1, NULL, m->to[i].y);
		if (count > 1 || m->tables > 1)
			name_curve(m, i, &t->row_axis, t->begin + i);
	}
	return true;
}

/*
 * Each row is a point, and points between them where the table is a function
 * of its position.
 */
static bool curves_of_rows(const struct maker *m, const size_t *columns,
			   size_t count, double *row)
{
	const struct table *t = m->t;
	const size_t rows = t->end - t->begin;
	const size_t every = t->between && rows < SMOOTH
		? (SMOOTH - 1) / (rows - 1) : 1;
	const size_t n = (rows - 1) * every + 1;

	if (!make_room(m, count, n))
		return false;
	for (size_t k = 0; k < n; k++) {
		const size_t i = t->begin + k / every;
		const double part = (double)(k % every) / (double)every;
		const double *values = row;

		m->to->x[k] = axis_label(&t->row_axis, i % t->rows);
		if (every > 1 && k % every) {
			values = t->between(t, (double)i + part, row);
			m->to->x[k] += part * t->row_axis.step;
		} else {
			table_rows(t, F64, i, 1, NULL, row);
		}
		for (size_t j = 0; j < count; j++)
			m->to[j].y[k] = values[columns[j]];
	}
	for (size_t j = 0; j < count; j++) {
		m->to[j].every = every;
		m->to[j].dots = every > 1 && rows <= DOTS_MOST;
	}
	return true;
}

/* Room for curves of ranges, of n points at most. */
static bool make_ranges(const struct maker *m, size_t count, size_t n)
{
	bool *between = figure_room(m->f, n, sizeof *between);

	if (!make_room(m, count, n))
		return false;
	for (size_t j = 0; j < count; j++) {
		m->to[j].between = between;
		m->to[j].low = figure_room(m->f, n, sizeof(double));
		m->to[j].high = figure_room(m->f, n, sizeof(double));
		m->to[j].groups = true;
	}
	return !m->f->err.text[0];
}

/* The first row of group k. */
static size_t group(size_t rows, size_t k)
{
	return k * (rows / BINS) + k * (rows % BINS) / BINS;
}

/* Make point k of columns [count] the range of rows first to next - 1. */
static void take_range(const struct maker *m, size_t k, size_t first,
		       size_t next, const size_t *columns, size_t count,
		       double *row)
{
	const size_t n = next - first < BIN_ROWS ? next - first : BIN_ROWS;

	for (size_t j = 0; j < count; j++)
		m->to[j].low[k] = m->to[j].high[k] = (double)NAN;
	for (size_t i = 0; i < n; i++) {
		table_rows(m->t, F64, first + i * (next - first) / n, 1, NULL,
			   row);
		for (size_t j = 0; j < count; j++) {
			const struct curve *c = &m->to[j];
			const double y = isfinite(row[columns[j]])
				? row[columns[j]] : (double)NAN;

			c->low[k] = fmin(c->low[k], y);
			c->high[k] = fmax(c->high[k], y);
		}
	}
	for (size_t j = 0; j < count; j++)
		m->to[j].y[k] = m->to[j].low[k] / 2 + m->to[j].high[k] / 2;
}

/* Of many rows, the range of each of BINS groups of rows. */
static bool curves_of_groups(const struct maker *m, struct curves *c,
			     const size_t *columns, size_t count, double *row)
{
	const struct table *t = m->t;
	const size_t rows = t->end - t->begin;

	if (!make_ranges(m, count, BINS))
		return false;
	for (size_t k = 0; k < BINS; k++) {
		const size_t first = t->begin + group(rows, k);
		const size_t next = t->begin + group(rows, k + 1);

		/* The first of the first group to the last of the last */
		m->to->x[k] = axis_label(&t->row_axis, (first + k * (next - 1 -
						 first) / (BINS - 1)) %
					 t->rows);
		take_range(m, k, first, next, columns, count, row);
	}
	snprintf(c->note, sizeof c->note, "bands: minimum to maximum of %s%zu "
		 "rows each", rows / BINS < BIN_ROWS ? "about "
		 : "64 of about ", rows / BINS);
	return true;
}

/* Whether points are at equal ratios, as where an axis is logarithmic. */
static bool has_ratios(const struct maker *m)
{
	const struct table *t = m->t;
	const struct axis *a = &t->row_axis;
	const size_t rows = t->end - t->begin;

	return (m->look->log == LOG_X || m->look->log == LOG_XY) && !a->at &&
	       a->step > 0 && axis_label(a, (t->end - 1) % t->rows) > 0 &&
	       rows > (t->between ? DOTS_MOST : POINTS_MOST);
}

/* Point k: the row between rows that has label x. */
static void take_between(const struct maker *m, size_t k, double x,
			 const size_t *columns, size_t count, double *row)
{
	const struct table *t = m->t;
	const size_t first = t->begin % t->rows;
	const double *values = t->between(t, (double)t->begin +
		(x - axis_label(&t->row_axis, first)) / t->row_axis.step, row);

	m->to->x[k] = x;
	m->to->between[k] = true;
	for (size_t j = 0; j < count; j++)
		m->to[j].low[k] = m->to[j].high[k] = m->to[j].y[k] =
			values[columns[j]];
}

/*
 * Points at equal ratios of x: the range of the rows from one to the next, or
 * the row between two rows.
 */
static bool curves_of_ratios(const struct maker *m, struct curves *c,
			     const size_t *columns, size_t count, double *row)
{
	const struct table *t = m->t;
	const size_t from = t->begin - t->begin % t->rows;
	size_t i = t->begin, n = 0, most = 0;
	double x, ratio;

	if (!make_ranges(m, count, RATIOS + 2))
		return false;
	/* Of those that are not drawn, the first is enough, without values */
	for (; (x = axis_label(&t->row_axis, i - from)) <= 0; i++, n = 1)
		m->to->x[0] = fmin(m->to->x[0], x);
	ratio = axis_label(&t->row_axis, t->end - 1 - from) / x;
	for (int k = 0; k < RATIOS_LOG2; k++)
		ratio = sqrt(ratio);
	for (size_t k = 0; k <= RATIOS; k++, x *= ratio) {
		const size_t first = i;

		while (i < t->end && (k == RATIOS ||
		       axis_label(&t->row_axis, i - from) < x * ratio))
			i++;
		if (i > first) {
			m->to->x[n] = axis_label(&t->row_axis, first - from);
			take_range(m, n++, first, i, columns, count, row);
			most = i - first > most ? i - first : most;
		} else if (t->between && i < t->end) {
			take_between(m, n++, x, columns, count, row);
		}
	}
	for (size_t j = 0; j < count; j++) {
		m->to[j].n = n;
		m->to[j].groups = most > 1;
		if (most <= 1)  /* of single rows */
			m->to[j].low = m->to[j].high = NULL;
	}
	if (most > 1)
		snprintf(c->note, sizeof c->note, "bands: minimum to maximum "
			 "of up to %zu rows%s", most,
			 most > BIN_ROWS ? ", 64 of them read" : "");
	return true;
}

static bool curves_of_columns(const struct maker *m, struct curves *c,
			      size_t count)
{
	const struct table *t = m->t;
	double *row = figure_room(m->f, t->cols, sizeof *row);
	size_t columns[CURVES_MOST] = { 0 };

	columns_choose(columns, count, m->look, t);
	for (size_t i = 0; i < count; i++)
		name_curve(m, i, &t->col_axis, columns[i]);
	if (!row)
		return false;
	if (has_ratios(m))
		return curves_of_ratios(m, c, columns, count, row);
	return t->end - t->begin > POINTS_MOST
		? curves_of_groups(m, c, columns, count, row)
		: curves_of_rows(m, columns, count, row);
}

/* A line through the means, and a band from the least to the greatest value. */
static bool curve_of_statistics(const struct maker *m,
				const size_t at[STATISTICS])
{
	const struct table *t = m->t;
	const size_t n = t->end - t->begin;
	double *row = figure_room(m->f, t->cols, sizeof *row);
	struct curve *c = m->to;
	const bool band = at[LOW] < t->cols;

	c->low = band ? figure_room(m->f, n, sizeof *row) : NULL;
	c->high = band ? figure_room(m->f, n, sizeof *row) : NULL;
	if (!make_room(m, 1, n))
		return false;
	for (size_t k = 0; k < n; k++) {
		table_rows(t, F64, t->begin + k, 1, NULL, row);
		c->x[k] = row[at[DISTANCE]];
		c->y[k] = row[at[MEAN]];
		if (band) {
			c->low[k] = row[at[LOW]];
			c->high[k] = row[at[HIGH]];
		}
	}
	if (m->tables > 1)
		name_curve(m, 0, &t->col_axis, at[MEAN]);
	else
		snprintf(c->name, sizeof c->name, "mean, min to max");
	return true;
}

/* How many of n distances from first on are drawn: without masked keys. */
static size_t visible(const struct table *t, long first, size_t n)
{
	if (!t->causal || (long)n <= 1 - first)
		return n;
	return first < 0 ? (size_t)(1 - first) : 1;
}

/* Values over distance, one curve for each plane. */
static bool curves_of_distances(const struct maker *m, struct curves *c,
				size_t count)
{
	const struct table *t = m->t;
	const size_t planes = planes_of(t);
	const size_t rows = (t->end - t->begin) / planes;
	const size_t last = (t->end - 1) % t->rows;
	const size_t plane = t->begin / t->rows;
	const long first = -(long)last - t->past;
	const size_t n = visible(t, first, t->cols + rows - 1);

	if (!make_room(m, count, n))
		return false;
	for (size_t k = 0; k < n; k++)
		m->to->x[k] = (double)first + (double)k;
	for (size_t i = 0; i < count; i++) {
		table_diagonals(t, plane + i, t->rows - 1 - last, n,
				m->to[i].y);
		if (t->causal && first > 0)
			m->to[i].y[0] = (double)NAN;
		name_curve(m, i, &t->plane_axis, plane + i);
	}
	if (count < planes)
		snprintf(c->note, sizeof c->note, "the first %zu of %zu",
			 count, planes);
	return true;
}

static bool curves_of_table(struct maker *m, struct curves *c)
{
	const struct table *t = m->t;
	const size_t count = count_curves(m->look, t, m->tables);
	size_t at[STATISTICS] = { 0 };

	if (curves_by_distance(m->look, t))
		return curves_of_distances(m, c, count);
	if (find_statistics(m->look, t, at))
		return curve_of_statistics(m, at);
	if (rows_are_curves(t))
		return curves_over_columns(m, count);
	return curves_of_columns(m, c, count);
}

/* What x is in the curves of t, the first table: --words names its rows. */
static void choose_axis(struct curves *c, const struct table *t,
			const struct look *look)
{
	size_t at[STATISTICS] = { 0 };

	if (curves_by_distance(look, t)) {
		c->x_name = "key \xe2\x88\x92 query";
	} else if (find_statistics(look, t, at)) {
		c->axis = &t->row_axis;
		c->x_name = "distance";
	} else {
		c->axis = rows_are_curves(t) ? &t->col_axis : &t->row_axis;
		c->x_name = c->axis->name;
	}
}

/*
 * Name the curves by the words of --legend, "A,B,C". One line needs no name,
 * unless it has a band.
 */
static void name_all(struct curves *c, const char *legend)
{
	if (c->count == 1 && (!c->curve->low || c->curve->groups))
		c->curve->name[0] = '\0';
	for (size_t i = 0; legend && i < c->count; i++) {
		const size_t n = strcspn(legend, ",");

		formula_show(legend, n, c->curve[i].name, CURVE_NAME);
		legend += n + 1;
	}
}

bool curves_make(struct curves *c, struct figure *f, const struct table *t,
		 const struct look *look)
{
	struct maker m = { .f = f, .look = look, .tables = count_tables(t) };

	*c = (struct curves){ .count = curves_count(look, t) };
	c->curve = m.to = figure_room(f, c->count, sizeof *c->curve);
	if (!c->curve)
		return false;
	choose_axis(c, t, look);
	for (m.t = t; m.t; m.t = m.t->beside) {
		if (!curves_of_table(&m, c))
			return false;
		m.to += count_curves(look, m.t, m.tables);
	}
	name_all(c, look->legend);
	return true;
}
