/*
 * posenc.h: positional encodings by name. Recipes are the subcommands of the
 * program and options are text, so that this face stays the same when an
 * encoding is added. Nothing here prints or exits.
 */
#ifndef POSENC_H
#define POSENC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A table [planes, rows, cols] of which any row can be asked. */
struct pe_table;

/* The least room for a sentence about what went wrong. */
enum { PE_WHY = 480 };

/*
 * Open the table that a recipe makes of options: "sinusoid",
 * "len=512 dim=512 base=10000". To be closed with pe_close(). NULL, with a
 * sentence in why [PE_WHY] unless that is NULL, where it can't be made.
 */
struct pe_table *pe_open(const char *recipe, const char *options, char *why);
void pe_close(struct pe_table *t);

size_t pe_planes(const struct pe_table *t);
size_t pe_rows(const struct pe_table *t);   /* of each plane */
size_t pe_cols(const struct pe_table *t);

/*
 * Row i of planes * rows: [cols] numbers, which lie in scratch [cols] or in
 * the table. Any row at any time, from any thread with a scratch of its own.
 */
const double *pe_row(const struct pe_table *t, size_t i, double *scratch);

/*
 * Rows first to first + n - 1, correctly rounded to float32, to out [n, cols],
 * by as many threads as pay. 0, or -1 for want of memory.
 */
int pe_fill(const struct pe_table *t, size_t first, size_t n, float *out);

/* The i-th recipe's name, or NULL past the last. */
const char *pe_name(size_t i);

#ifdef __cplusplus
}
#endif

#endif
