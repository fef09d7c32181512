/*
 * posenc.h: positional encodings by name. An encoding is named by the command
 * of posenc(1) that makes it, and its options are text, so that this interface
 * does not change when an encoding is added. No function prints or exits, and
 * none depends on the locale of the caller.
 *
 * Pointers must not be NULL unless a comment says so. Several threads may read
 * one table at the same time.
 */
#ifndef POSENC_H
#define POSENC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A table [planes, rows, cols] whose rows are computed when they are read. */
struct pe_table;

enum { PE_WHY = 480 };  /* bytes that hold any error sentence of pe_open() */

/*
 * Opens the table that an encoding makes from its options: "sinusoid",
 * "len=512 dim=512 base=10000". Options are separated by blanks; a flag has no
 * value. A value with blanks is quoted as in a shell: "title='two words'". The
 * caller closes the table with pe_close().
 *
 * Returns NULL if there is no such table or memory runs out. why [size] then
 * holds the reason as one sentence, cut to size bytes with its final NUL; why
 * may be NULL if size is 0.
 */
struct pe_table *pe_open(const char *recipe, const char *options, char *why,
			 size_t size);

/*
 * Flags of pe_open_with(). PE_READ_FILES: lists in the options may be read from
 * any file that the caller may read, "positions=@FILE", and from standard
 * input, "positions=-". For options that the caller trusts.
 */
enum pe_flags { PE_READ_FILES = 1 };

/* pe_open() with flags, which is pe_open_with() with 0: no file is read. */
struct pe_table *pe_open_with(const char *recipe, const char *options,
			      unsigned flags, char *why, size_t size);

/* Closes a table and frees its memory; t may be NULL. */
void pe_close(struct pe_table *t);

/* The shape; tables of one matrix have 1 plane. */
size_t pe_planes(const struct pe_table *t);
size_t pe_rows(const struct pe_table *t);   /* of each plane */
size_t pe_cols(const struct pe_table *t);

/*
 * The dtype that posenc(1) writes by default, as NumPy names it: "float32". It
 * is "bfloat16" for the one that NumPy lacks.
 */
const char *pe_dtype(const struct pe_table *t);

enum pe_axis { PE_PLANES, PE_ROWS, PE_COLS };

/* What an axis stands for: "position"; NULL: the table has no planes. */
const char *pe_axis_name(const struct pe_table *t, enum pe_axis axis);

/*
 * The label of index i of an axis, such as a position; NaN if out of range. On
 * an axis of cells, tokens before the cells have negative labels, and those
 * after them the number of cells or more.
 */
double pe_axis_label(const struct pe_table *t, enum pe_axis axis, size_t i);

/*
 * Row i, [cols], as doubles: written to scratch [cols], or part of the table
 * until it is closed. i = plane * rows + row must be below planes * rows; NULL
 * if it is not. Threads that read at the same time need a scratch each.
 */
const double *pe_row(const struct pe_table *t, size_t i, double *scratch);

/*
 * Writes rows first to first + n - 1, correctly rounded to float32, to
 * out [n, cols], with several threads where that is faster. Returns 0; or -1 if
 * memory runs out, or, with nothing written, if first + n is above
 * planes * rows.
 */
int pe_fill(const struct pe_table *t, size_t first, size_t n, float *out);

/* The name of the i-th encoding that pe_open() opens; NULL past the last. */
const char *pe_name(size_t i);

#ifdef __cplusplus
}
#endif

#endif
