/*
 * src/table/: what everything else works on. A table is a shape, labelled axes
 * and a source of rows: any row can be computed at any time, so a table may be
 * far larger than memory. Encodings make tables, formats write them, views and
 * figures read them.
 *
 *   table.h    struct table: shape, rows, memory, ranges (survey.c)
 *   dtype.h    the number formats of values, and rounding to them
 *   blocks.h   blocks of rows computed by several threads, delivered in order
 *   lattice.h  the cells of images and videos that rows stand for
 *   process.h  work in a process of its own
 *   library.h  functions of libraries that are loaded when needed
 *   sort.h     values in ascending order
 *   error.h    one sentence about the first failure
 *   never.h    marks conditions that cannot be tested
 *   limit.h    limits of sizes and times, which are lower in fuzzers
 *
 * This folder includes no other.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdarg.h>

#include "table/dtype.h"
#include "table/error.h"
#include "table/lattice.h"

struct recipe;
struct table;

enum {
	BESIDE_MOST = 8,                   /* tables beside one another */
	PLACES_MOST = 4096,                /* rows whose numbers terms have */
	RANK_MOST = 8,                     /* dimensions of an array */
	SHAPE_TEXT = 22 * RANK_MOST + 3,   /* bytes of a shape as text */
};

/* What the planes, rows or columns of a table stand for. */
enum axis_kind {
	AXIS_OTHER,                         /* see its name */
	AXIS_PLANE, AXIS_ROW, AXIS_COLUMN,  /* of a file */
	AXIS_POSITION, AXIS_CELL, AXIS_ID, AXIS_SEQUENCE,
	AXIS_QUERY, AXIS_KEY, AXIS_HEAD,
	AXIS_DISTANCE, AXIS_BUCKET,
	AXIS_DIMENSION, AXIS_PAIR, AXIS_FREQUENCY,
	AXIS_KINDS
};

/*
 * Where the two columns of a frequency, its sine and cosine, are: not
 * applicable; interleaved, at 2k and 2k + 1; or one in each half.
 */
enum axis_pairs { PAIRS_NONE, PAIRS_ADJACENT, PAIRS_SPLIT };

struct axis {
	enum axis_kind kind;
	enum axis_pairs pairs;
	size_t apart;         /* columns from a sine to its cosine, or from a
				 cosine to its sine; 0: not applicable */
	const char *const *waves;  /* what the two columns of a pair are, [2],
				 "sine" and "cosine"; NULL: not known */
	size_t waves_n;       /* pairs; other columns are none */
	const char *name;     /* "position"; NULL: the table has no such axis */
	double first, step;   /* index i is labelled first + i * step */
	const double *at;     /* [n] labels that follow no rule, or NULL */
	const char *const *names;  /* [n] labels that are words, or NULL */

	/*
	 * Of an axis of cells, tokens that are no cells: before_n before cell
	 * 0, and those after the last cell. What they are, or NULL.
	 */
	const char *before, *after;  /* "text", "class" */
	size_t before_n, cells;
};

/* An axis named for its kind, with indices as labels, or with such a rule. */
struct axis axis_of(enum axis_kind kind);
struct axis axis_from(enum axis_kind kind, double first, double step);

/* Whether both stand for the same, whatever their labels. */
bool axis_alike(const struct axis *a, const struct axis *b);

/* The axis that begins with index n of a. */
struct axis axis_behind(const struct axis *a, size_t n);

/* The label of index i; below 0, or from cells on, it is of no cell. */
double axis_label(const struct axis *a, size_t i);

enum { TOKEN_TEXT = 32 };

/* "sine" or "cosine" where column j is known to be one, or NULL. */
const char *axis_wave(const struct axis *a, size_t j);

/* Whether i is a token that is no cell; if so, its label, "class 0", to text */
bool axis_token(const struct axis *a, size_t i, char text[TOKEN_TEXT]);

/*
 * What is known of the least and greatest value. Tight bounds are reached, or
 * would be by other arguments of the same command: figures span them.
 */
enum bounds { BOUNDS_NONE, BOUNDS_LOOSE, BOUNDS_TIGHT };

/*
 * How the integers lo to hi of a table are coloured: as one sequence; with one
 * sequence for each side of their middle, mirrored; or with the same sequence
 * for the lower half and for the upper half.
 */
enum halves { HALVES_ALIKE, HALVES_MIRRORED, HALVES_REPEATED };

/* What is known of the frequencies of a table's pairs of columns. */
struct frequencies {
	size_t n;          /* pairs; 0: nothing is known */

	/* The frequency of pair k, in radians per position; before a scaling,
	   or NULL if there is none */
	double (*at)(const void *self, size_t k);
	double (*unscaled)(const void *self, size_t k);
	const void *self;
	double length;     /* of the range of positions; 0: unknown */
	double original;   /* that before a scaling; 0: unknown */
};

/* A tensor of a file of several. */
struct stored_tensor {
	const char *path;     /* of the file; NULL: it can't be read again */
	const char *name, *dtype;  /* as the file calls them */
	size_t bytes;         /* of its values */
	const char *format;   /* of the file: "safetensors" */
	const char *command;  /* that made it, as the file says, or NULL */
};

/* Where a table came from. */
struct origin {
	const struct recipe *recipe;  /* NULL: a file */
	const void *options;  /* the recipe's, with all values; NULL: a file */
	const char *command;  /* arguments that make the table again, or that
				 name the file and how it was read */
	const char *name;     /* of its array among others of the command; NULL:
				 that of the command, or of its file */
	const char *note;     /* lines for standard error, or NULL */
	struct stored_tensor *tensor;  /* that it was read from, or NULL */
	bool reads_files;     /* lists of its options may be in files */
};

/*
 * Values in planes of rows of columns. Row indices count through the planes:
 * i = plane * rows + row. Values are doubles; the format that writes them
 * rounds each once, to dtype.
 */
struct table {
	/* Shape, axes, and what is known of the values. */
	size_t planes, rows, cols;
	size_t outer[RANK_MOST - 2];  /* [outer_rank] of a file: the dimensions
					 that are folded into planes */
	size_t outer_rank;
	size_t begin, end;          /* rows to output: all, or --rows */
	bool one_plane;             /* they are of one plane, as a table of
				       two dimensions */
	struct axis plane_axis, row_axis, col_axis;
	enum dtype dtype;
	bool compact;               /* whoever reads a file for this table may
				       keep its values as float32, if exact;
				       their rows need scratch */
	size_t on_demand;           /* or may leave so many values or more in
				       the file, and read rows when they are
				       needed; 0: never */
	size_t most;                /* limit of their bytes, --max-memory; 0:
				       what memory allows */
	enum bounds bounds;         /* of lo and hi */
	double lo, hi;              /* no finite value is outside */
	bool finite;                /* known: no value is NaN or infinite */
	enum halves halves;
	double addend;              /* value of a masked key, of which a model
				       may add two to one logit; 0: none */
	bool causal;                /* models mask keys after the query, whose
				       values mean nothing */
	bool shares;                /* rows are parts of 1, as weights of
				       attention: most are small */
	bool series;                /* rows are lines over the columns, as the
				       axes of positions are over tokens */
	bool uneven;                /* values of one plane are many times those
				       of another, as biases of heads are */
	const unsigned char *visible;  /* [rows, cols] of each plane: 0 where
				       a mask hides a key; or NULL */
	const char *title;          /* for a figure: "Sinusoidal ..." */
	bool titled;                /* by a user: it may have formulas */
	const char *value;          /* what a value is: "bucket"; or NULL */
	struct frequencies frequencies;
	struct lattice grid;        /* the cells that rows stand for */

	/* The axis of cells that column j encodes, 'y', 'x' or 't', or 0; or
	   NULL */
	char (*along)(const struct table *t, size_t j);

	/*
	 * The source of rows; call table_rows() instead where several rows are
	 * needed. Row i, [cols], is written to scratch [cols] or lies in the
	 * table. Nothing of the table changes: rows may be computed in any
	 * order, more than once, and by several threads.
	 *
	 * scratch may be NULL for a table of a file, dense or on demand. Rows
	 * on demand are then those of a cache, for one thread: the last four
	 * that were asked for stay. See table_part().
	 */
	const double *(*row)(const struct table *t, size_t i, double *scratch);
	const void *state;          /* for row(); owned by the table */

	/*
	 * Where many rows at a time are cheaper, or NULL: rows first to
	 * first + n - 1 to out [n, cols], correctly rounded to float32, or not
	 * rounded. The values equal row()'s. Fastest if first and n are
	 * multiples of block_rows (0: any).
	 */
	void (*floats)(const struct table *t, size_t first, size_t n,
		       float *out);
	void (*doubles)(const struct table *t, size_t first, size_t n,
			double *out);
	size_t block_rows;

	/* table_part() of a table on demand, or NULL */
	void (*part)(const struct table *t, size_t i, size_t first, size_t n,
		     double *out);

	/*
	 * Where rows are queries, columns keys, and values depend on their
	 * distance, key - query, or NULL: the value of a plane at a distance.
	 * Key 0 is at position 0, query 0 at past. Formats then convert each
	 * value once.
	 */
	double (*at_distance)(const void *state, size_t plane, long distance);
	long past;
	const double *diagonals;    /* [planes, rows - 1 + cols], what
				       table_diagonals() gives, where that is
				       little; or NULL */

	/* Whether a row could not be read, so that others are not worth
	   reading; or NULL */
	bool (*broken)(const struct table *t);

	bool divisors;              /* a file says: of rotary frequencies, one
				       for each pair, */
	double rotary_base;         /* whose base this is; 0: not said */

	/*
	 * Where rows are a function of their position and change little from
	 * one to the next, or NULL: the row between two rows, [cols], as
	 * row() gives it. Such a table has one plane, and no list of positions.
	 */
	const double *(*between)(const struct table *t, double i,
				 double *scratch);

	/*
	 * Where means are cheaper than values, or NULL: a table of the means of
	 * n x n values, those of the last row and column of fewer. t has one
	 * plane, with as many rows as columns; to is empty, and closed by the
	 * caller.
	 */
	bool (*means)(const struct table *t, size_t n, struct table *to,
		      struct error *err);

	struct origin from;
	const struct stored_tensor *kept;  /* it replaces this tensor of a file,
				       of which all others are written, too;
				       or NULL */
	const struct table *beside; /* the next of several tables that share a
				       figure, or NULL */
	const struct table *before; /* the table that was resized, or NULL;
				       both have grids */
	const struct table *turned; /* the table of which it is the rotation,
				       pair by pair of columns, or NULL */
	const struct table *terms;  /* the first of tables, beside one another,
				       of which it is the sum; or NULL */
	struct block *blocks;       /* all memory that the table owns */
};

/*
 * Rows first to first + n - 1 to out [n, cols] as little-endian values of d:
 * correctly rounded, or as doubles for F64. scratch has table_scratch() bytes.
 */
void table_rows(const struct table *t, enum dtype d, size_t first, size_t n,
		void *scratch, void *out);
size_t table_scratch(const struct table *t, enum dtype d, size_t n);

/* Values first to first + n - 1 of row i of a table of a file to out [n]. */
void table_part(const struct table *t, size_t i, size_t first, size_t n,
		double *out);

/* F32 where the table computes float32 rows directly, else F64. */
enum dtype table_fastest(const struct table *t);

/* Receives row i, x [cols]; false ends the loop. */
typedef bool row_visitor(void *self, size_t i, const double *x);

/*
 * Call visit() for rows begin to end, in order, in the caller's thread, while
 * other threads compute rows. Fails if memory runs out.
 */
bool table_each(const struct table *t, row_visitor *visit, void *self,
		struct error *err);

/*
 * What is called once, before the first allocation of MEMORY_LARGE bytes or
 * more, such as to limit them; NULL: nothing. Allocations say their size.
 */
enum { MEMORY_LARGE = 1 << 23 };
extern void (*memory_first_large)(void);
void memory_expect(size_t bytes);

/* Zeroed memory for n elements of size bytes, freed by table_close(). */
void *table_alloc(struct table *t, size_t n, size_t size, struct error *err);

/*
 * The same for something of that size which must be ended, such as a file that
 * must be closed: table_close() calls end() with it.
 */
void *table_owned(struct table *t, size_t size, void (*end)(void *data),
		  struct error *err);

/*
 * The same for values whose count is not known in advance: last is the result
 * of the call before, or NULL, and no other allocation came between. New
 * memory is not zeroed.
 */
void *table_grow(struct table *t, void *last, size_t n, size_t size,
		 struct error *err);

/* A copy of text, or NULL if memory runs out. */
char *table_copy(struct table *t, const char *text, struct error *err);

/* Text formatted as by vprintf(), or NULL if memory runs out. */
char *table_format(struct table *t, struct error *err, const char *format,
		   va_list list) __attribute__((format(printf, 3, 0)));

/* Adds a line, formatted as by printf(), to the note of t. */
bool table_note(struct table *t, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Moves the memory of from to t; from may still be read, but not closed. */
void table_adopt(struct table *t, struct table *from);

void table_close(struct table *t);

/*
 * Set planes, rows and cols for an array of shape [rank], rank 1 or more: all
 * dimensions before the last two are folded into planes. Their product must
 * not overflow.
 */
void table_fold(struct table *t, const size_t *shape, size_t rank);

/* Make data [planes * rows, cols], owned by t, the rows of t. */
void table_dense(struct table *t, const double *data);

bool table_is_dense(const struct table *t);

/* The same for values in float32, whose rows need scratch; or NULL. */
void table_dense_floats(struct table *t, const float *data);
const float *table_floats(const struct table *t);

/* Make to t itself, if it is dense, or a dense copy in memory of owner. */
bool table_in_memory(struct table *to, const struct table *t,
		     struct table *owner, struct error *err);

/*
 * Make the rows of t cells, after grid.before tokens; before, after: what
 * tokens are, NULL where there are none.
 */
void table_cells(struct table *t, const struct lattice *grid,
		 const char *before, const char *after);

/* The data of table_dense(), for code that has just made it and changes it. */
double *table_values(struct table *t);

/* Make f() of state the values of t, whose shape and past are set. */
bool table_by_distance(struct table *t,
		       double (*f)(const void *state, size_t plane,
				   long distance), const void *state,
		       struct error *err);

/*
 * Row i of such a plane, a Toeplitz matrix, is the part of a vector
 * [rows - 1 + cols] that begins at rows - 1 - i. Elements first to
 * first + n - 1 of that vector to v [n].
 */
void table_diagonals(const struct table *t, size_t plane, size_t first,
		     size_t n, double *v);

/*
 * Set begin and end to all rows. Fails where the table is too large for a file,
 * or a row for memory.
 */
bool table_check(struct table *t, struct error *err);

/*
 * Rows of row_bytes each to compute at once: as many as bytes hold, in
 * multiples of block_rows unless that is more than 32 MiB.
 */
size_t table_block(const struct table *t, size_t bytes, size_t row_bytes);

/*
 * Whether t's dtype holds all values of rows begin to end; made is the dtype
 * they were computed for. Fails with the position of a value that it does not
 * hold. Computes the rows only where bounds leave the question open.
 */
bool table_fits(const struct table *t, enum dtype made, struct error *err);

/* Give t the shape, axes and dtype of another table. */
void table_like(struct table *t, const struct table *other);

/*
 * The shape of rows begin to end: [planes, rows, cols] where the table has an
 * axis of planes and all planes are complete, else [rows, cols]. Returns the
 * number of dimensions; shape may be NULL.
 */
size_t table_shape(const struct table *t, size_t shape[3]);

/* Writes a shape as "[2, 3]" to text, and returns text. */
const char *shape_text(const size_t *shape, size_t rank,
		       char text[SHAPE_TEXT]);

/* The same for all of t: "[2, 3, 4]", or "[3, 4]" where it has one plane. */
const char *shape_of(const struct table *t, char text[SHAPE_TEXT]);

/* The finite values of a table, and how many others there are. */
struct survey {
	double lo, hi;   /* the least and greatest; lo > hi: none */
	size_t odd;      /* values that are NaN or infinite */
};

/* All rows of t, whose values are in memory: those of a file. */
struct survey table_survey(const struct table *t);

/* The smallest floating-point dtype that is exact for a table of a file. */
enum dtype table_smallest(const struct table *t);

/* The least and greatest finite value, or tight bounds; lo > hi: none. */
bool table_range(const struct table *t, double *lo, double *hi,
		 struct error *err);

#endif
