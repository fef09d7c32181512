/*
 * reading.h: arrangements of a table in which a family may find it. Each is a
 * function that returns whether there is a match, and notes in f->reading how
 * the table was read.
 */
#ifndef READING_H
#define READING_H

#include "identify/identify.h"

/* Columns in another order, with other signs, or a part of a table's. */
bool read_columns(struct finding *f, const struct table *t);

/* The same for a profile of the table in which noise may be assumed. */
bool read_columns_of(struct finding *f, const struct profile *p);

/*
 * Measure the columns of the table to f->tones; returns how many are fast, or
 * 0 as soon as one leaves more than most. Later calls return the first result
 * that was not 0, whatever most they give.
 */
size_t measure_columns(struct finding *f, double most);

/*
 * Other arrangements of a table (reading.c). Those from VIEW_FLAT on are tried
 * in this order where nothing else is found.
 */
enum view_kind {
	VIEW_COUNTING,         /* one row that counts, as position ids do */
	VIEW_BATCH,            /* one of a batch of equal tables */
	VIEW_BATCH_CAUSAL,
	VIEW_LEFT_OUT,         /* all rows but those of zeros or NaN */
	VIEW_HALVED,           /* rows that were interpolated */
	VIEW_FLAT,             /* one row or column as several rows */
	VIEW_PLANE,            /* one of several equal planes */
	VIEW_CAUSAL,           /* biases without their causal mask */
	VIEW_STACKED,          /* columns that are stored twice, as rotation
				  matrices, or axis by axis */
	VIEW_CELLS,            /* of a grid, those of a row side by side */
	VIEW_WINDOW,           /* points of a grid, in its shape */
	VIEW_BESIDE,           /* planes as blocks of columns */
	VIEW_COLUMNS, VIEW_BLOCK_OF_ROWS, VIEW_BLOCK_OF_COLUMNS,
	VIEW_ROWS, VIEW_ROWS_TRANSPOSED, VIEW_TRANSPOSED,
	VIEWS
};

/* Find the table in the arrangement. */
bool read_view(struct finding *f, const struct table *t, enum view_kind k);

/* The view t, dense, with another shape of the same values. */
void reading_reshape(struct finding *f, const struct table *t, size_t rows,
		     size_t cols);

/* The view as a table of zeros like t, its values; NULL: out of memory. */
double *reading_view(struct finding *f, const struct table *t, size_t planes,
		     size_t rows, size_t cols);

/* Go back to the search of before and to no reading; returns false. */
bool reading_undo(struct finding *f, const struct search *before);

/* One row or column that rises in few steps, as temperatures of queries. */
bool read_steps(struct finding *f, const struct table *t);

/*
 * One row or column of divisors of rotary frequencies: as those that they
 * leave. True also where no scaling makes them: then f->search has a verdict.
 */
bool read_divisors(struct finding *f, const struct table *t);

/* One row or column as several rows. */
bool read_flat(struct finding *f, const struct table *t);

/* A block of rows, or of columns, beside others. */
bool read_rows(struct finding *f, const struct table *t);
bool read_blocks(struct finding *f, const struct table *t);

/*
 * A usual table that was scaled, shifted or normalized, or has values dropped,
 * up to rounding; or with others added (GRADE_CLOSE).
 */
bool find_wrapped(struct finding *f, const struct table *t);

/*
 * A table of which a command makes all values but a few: the table itself, of
 * which matches have wrong values (repair.c).
 */
bool find_repaired(struct finding *f, const struct table *t);

/* The same where a usual command makes nearly all values: made [n, cols]. */
bool find_repaired_as(struct finding *f, const struct table *t,
		      const double *made);

/* The view of all rows but those of zeros or NaN (repair.c). */
bool view_left_out(struct finding *f, const struct table *t);

/*
 * Make the view as a table of so many columns: axes 0, 1 and 2, outer, the rows
 * within these, and columns, in another order, such as "201". False if that
 * changes nothing, or memory is short.
 */
bool reading_exchange(struct finding *f, const struct table *t, size_t outer,
		      const char order[3], size_t cols);

#endif
