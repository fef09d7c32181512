/* table.h: a shape and a function that gives any row of it. */
#ifndef TABLE_H
#define TABLE_H

#include <stdarg.h>

#include "core/dtype.h"
#include "core/error.h"

struct recipe;

/* What the rows or columns of a table stand for. */
struct axis {
	const char *name;     /* "position" */
	double first, step;   /* index i is labelled first + i * step */
	const double *at;     /* [n] labels that follow no rule, or NULL */
};

/* None; or some, which few elements come near; or some worth a colour bar. */
enum bounds { BOUNDS_NONE, BOUNDS_LOOSE, BOUNDS_TIGHT };

/*
 * What the whole numbers of a table count: one thing; distances of two
 * directions, from the middle of lo to hi on; or those of one direction, then
 * those of the other.
 */
enum halves { HALVES_ALIKE, HALVES_MIRRORED, HALVES_REPEATED };

/*
 * Numbers in planes of rows of columns. Rows are doubles on the way and are
 * rounded once, to dtype, by the format that writes them. A row's index counts
 * through the planes: i = plane * rows + row.
 */
struct table {
	const char *title;          /* for a figure: "Sinusoidal ..." */
	const char *value;          /* what a number is: "bucket"; or NULL */
	size_t planes, rows, cols;
	size_t begin, end;          /* the rows asked for: all, or a shard */
	enum dtype dtype;
	enum bounds bounds;         /* what is known of lo and hi */
	double lo, hi;              /* no element is below or above */
	enum halves halves;         /* for colours */
	bool masked;                /* -inf is what a mask hides */
	struct axis over;           /* planes; without a name there are none */
	struct axis down, across;   /* rows, columns */

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
	void (*doubles)(const struct table *t, size_t first, size_t n,
			double *out);  /* the same, not rounded */
	size_t together;

	/*
	 * Where row i of a plane is a slice, from rows - 1 - i on, of one
	 * vector [rows - 1 + cols]: its numbers first to first + n - 1, to v.
	 * Formats then make each of them once. NULL elsewhere.
	 */
	void (*diagonals)(const struct table *t, size_t plane, size_t first,
			  size_t n, double *v);

	const struct recipe *recipe; /* what made it, and */
	const void *self;            /* its options, filled; NULL for a file */
	const char *command;         /* that makes it again; of an input, the
				        words that name it */
	const char *note;            /* for standard error, or NULL */
	struct block *blocks;        /* all memory that the table owns */
};

/* Zeroed memory for n things of size bytes, freed by table_close(). */
void *table_alloc(struct table *t, size_t n, size_t size, struct error *err);

/*
 * The same for numbers whose count shows while they come: last is what the
 * last call gave, with no other allocation since, or NULL. What is new is not
 * zeroed.
 */
void *table_grow(struct table *t, void *last, size_t n, size_t size,
		 struct error *err);

/* A copy of text, or NULL for want of memory. */
char *table_copy(struct table *t, const char *text, struct error *err);

/* What printf would make of format and list, or NULL for want of memory. */
char *table_format(struct table *t, struct error *err, const char *format,
		   va_list list) __attribute__((format(printf, 3, 0)));

/* The memory of from becomes t's; from may still be read, not closed. */
void table_adopt(struct table *t, struct table *from);

void table_close(struct table *t);

enum { RANK_MOST = 8 };  /* dimensions that an array may have */
enum { SHAPE_TEXT = 22 * RANK_MOST + 3 };  /* room for them as text */

/*
 * t's planes, rows and cols are those of an array of shape [rank], from 1
 * dimension on: all before the last two make planes together. Their product
 * must not overflow.
 */
void table_fold(struct table *t, const size_t *shape, size_t rank);

/* Numbers that lie in memory, data [planes * rows, cols], owned by t. */
void table_dense(struct table *t, const double *data);

/* Those numbers, to be changed by who has just made them. */
double *table_numbers(struct table *t);

/*
 * Element (i, j) is f(j - i - past, self), in one plane.
 */
bool table_toeplitz(struct table *t, double (*f)(long distance, const void *),
		    const void *self, long past, struct error *err);

/*
 * Refuse a table whose bytes no file could hold, or whose rows no memory. Asks
 * for all its rows.
 */
bool table_check(struct table *t, struct error *err);

/*
 * How many rows of row_bytes each to make at once: about as many as bytes hold,
 * in multiples of what comes cheaper together unless that is very much.
 */
size_t table_block(const struct table *t, size_t bytes, size_t row_bytes);

/*
 * Whether t's dtype holds the rows asked for, which were made as another. Fails
 * with the place of what it cannot hold. They are looked at where their bounds
 * don't settle it.
 */
bool table_fits(const struct table *t, enum dtype made, struct error *err);

/*
 * The shape of the rows asked for: [planes, rows, cols] where the table has an
 * axis of planes and they are whole, else [rows, cols]. The number of
 * dimensions; shape may be NULL.
 */
size_t table_shape(const struct table *t, size_t shape[3]);

/* A shape as "[2, 3]", to text. */
const char *shape_text(const size_t *shape, size_t rank,
		       char text[SHAPE_TEXT]);

/* All of t as "[2, 3, 4]", to text; without planes where there is one. */
const char *shape_of(const struct table *t, char text[SHAPE_TEXT]);

/* Bounds worth a colour bar, by a look at all where nobody said. */
bool table_range(const struct table *t, double *lo, double *hi,
		 struct error *err);

/* What index i of an axis is called. */
double axis_label(const struct axis *a, size_t i);

#endif
