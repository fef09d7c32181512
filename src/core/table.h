/* table.h: a shape and a function that gives any row of it. */
#ifndef TABLE_H
#define TABLE_H

#include "core/dtype.h"
#include "core/error.h"

struct recipe;

/* What the rows or columns of a table stand for. */
struct axis {
	const char *name;     /* "position" */
	double first, step;   /* index i is labelled first + i * step */
	const double *at;     /* [n] labels that follow no rule, or NULL */
};

/*
 * Numbers in planes of rows of columns. Rows are doubles on the way and are
 * rounded once, to dtype, by the format that writes them. A row's index counts
 * through the planes: i = plane * rows + row.
 */
struct table {
	const char *title;          /* for a figure: "Sinusoidal ..." */
	size_t planes, rows, cols;
	size_t begin, end;          /* the rows asked for: all, or a shard */
	enum dtype dtype;
	double lo, hi;              /* bounds of every element, if lo < hi */
	struct axis over, down, across; /* planes, rows, columns */

	/*
	 * Row i, [cols] numbers, either written to scratch [cols] or lying in
	 * the table already. Never changes the table: rows may be asked in any
	 * order, twice, or from two threads.
	 */
	const double *(*row)(const struct table *t, size_t i, double *scratch);
	const void *state;          /* what row needs; owned by the table */

	/*
	 * Where many rows at once come cheaper: rows first to first + n - 1,
	 * correctly rounded to float32, to out [n, cols]; best when n is a
	 * multiple of together. The same numbers as row() gives; or NULL.
	 */
	void (*floats)(const struct table *t, size_t first, size_t n,
		       float *out);
	size_t together;

	/*
	 * Where every row i of one plane is a slice of one vector, from
	 * rows - 1 - i on: that vector [rows - 1 + cols]; or NULL.
	 */
	const double *diagonals;

	const struct recipe *recipe; /* what made it, and */
	const void *self;            /* its options, filled; NULL for a file */
	struct block *blocks;        /* all memory that the table owns */
};

/* Zeroed memory for n things of size bytes, freed by table_close(). */
void *table_alloc(struct table *t, size_t n, size_t size, struct error *err);

/* The memory of from becomes t's; from may still be read, not closed. */
void table_adopt(struct table *t, struct table *from);

void table_close(struct table *t);

/* Numbers that lie in memory, data [planes * rows, cols], owned by t. */
void table_dense(struct table *t, const double *data);

/*
 * Element (i, j) is f(j - i - past, self), in one plane. A row is a slice of
 * one vector where that vector is small enough to be worth having.
 */
bool table_toeplitz(struct table *t, double (*f)(long distance, const void *),
		    const void *self, long past, struct error *err);

/*
 * Refuse a table whose bytes no file could hold, or whose bounds its dtype
 * does not hold. Asks for all its rows.
 */
bool table_check(struct table *t, struct error *err);

/* Ask for rows begin to end - 1 only. */
bool table_window(struct table *t, size_t begin, size_t end,
		  struct error *err);

/* Store as d. Fails with the place of what d cannot hold. */
bool table_convert(struct table *t, enum dtype d, struct error *err);

/*
 * The shape of the rows asked for: [planes, rows, cols] where they are whole
 * planes, else [rows, cols]. The number of dimensions; shape may be NULL.
 */
size_t table_shape(const struct table *t, size_t shape[3]);

/* The bounds of the elements, by a look at all rows where nobody said. */
bool table_range(const struct table *t, double *lo, double *hi,
		 struct error *err);

double axis_label(const struct axis *a, size_t i);

#endif
