/* sample.h: a table in as many cells as a picture has room for. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "core/table.h"
#include "figure/colormap.h"

/*
 * Every cell stands for down x across numbers: for their mean, or where that
 * means nothing, as of labels, for the first of them. Columns that take turns,
 * as sines and cosines do, are not mixed: a cell then takes every other of
 * 2 * across columns.
 */
struct sample {
	const struct table *t;
	size_t planes, rows, cols;   /* of t that are asked for */
	size_t down, across;         /* of them to a cell */
	bool pick, turns;
	size_t height, width;        /* cells of a plane */
	size_t threads;
};

/* All rows of t that are asked for, in cells of one number each. */
struct sample sample_all(const struct table *t, size_t threads);

/* Make planes no higher or wider than that. */
void sample_shrink(struct sample *s, size_t height, size_t width);

/* The cells' rows and columns of a row and a column of t. */
size_t sample_row_of(const struct sample *s, size_t row);
size_t sample_column_of(const struct sample *s, size_t column);

/* How many of the rows that make a cell are read: all, or some if many. */
size_t sample_rows_read(const struct sample *s);

/* The least and greatest finite number of a cell, lo > hi if there is none. */
bool sample_range(const struct sample *s, double *lo, double *hi,
		  struct error *err);

/*
 * The levels of all cells, [planes, height, width], or, turned over,
 * [planes, width, height].
 */
bool sample_levels(const struct sample *s, const struct colormap *m,
		   bool transpose, unsigned char *levels, struct error *err);

#endif
