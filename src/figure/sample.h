/* sample.h: a table reduced to the cells that a picture has room for. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "table/table.h"
#include "figure/colormap.h"

/*
 * A cell is the mean of cell_rows x cell_cols values; of integers, such as
 * labels, it is the first of them. Where sines and cosines are interleaved, a
 * cell takes every second of 2 * cell_cols columns, so that they are not mixed.
 */
struct sample {
	const struct table *t;
	size_t planes, rows, cols;        /* of t, as far as they are shown */
	size_t cell_rows, cell_cols;
	bool first;                       /* of its values, not their mean */
	bool interleaved;
	size_t height, width;             /* cells of a plane */
	size_t threads;
	const struct table *means;        /* a row for each of cells, or NULL */
	const double *kept;               /* all cells, or NULL */
};

/* All rows begin to end of t, one value to a cell. */
struct sample sample_all(const struct table *t, size_t threads);

/* Enlarge cells until planes have at most height x width of them. */
void sample_shrink(struct sample *s, size_t height, size_t width);

/* Take means from the table, if it has them; owner owns their memory. */
bool sample_means(struct sample *s, struct table *owner, struct error *err);

/*
 * Compute all cells now, if they are not the values themselves, and keep them
 * for what is asked later; owner owns them.
 */
bool sample_keep(struct sample *s, struct table *owner, struct error *err);

/* The row and the column of the cell that has a value of t. */
size_t sample_row_of(const struct sample *s, size_t row);
size_t sample_column_of(const struct sample *s, size_t column);

/* How many rows of a cell are read: all, or some of very many. */
size_t sample_rows_read(const struct sample *s);

/* The least and greatest finite cell; lo > hi if there is none. */
bool sample_range(const struct sample *s, double *lo, double *hi,
		  struct error *err);

/*
 * The levels of all cells, [planes, height, width]; transposed,
 * [planes, width, height].
 */
bool sample_levels(const struct sample *s, const struct colormap *m,
		   bool transpose, unsigned char *levels, struct error *err);

#endif
