/* rows.h: turns rows of a table into bytes, in blocks, by threads. */
#ifndef ROWS_H
#define ROWS_H

#include "table/table.h"
#include "text/decimal.h"
#include "files/output.h"
#include "formats/style.h"

/* How a format writes a row: a prefix, the values and an end. */
struct row_writer {
	const struct table *t;
	const struct style *style;

	/* Write the prefix of row i; its length. NULL: no prefix. */
	size_t (*before)(const struct row_writer *r, size_t i, char *to);
	size_t before_room;
	const void *self;   /* data for before() */

	/*
	 * Write n values, rounded to t's dtype; the length. NULL: as
	 * little-endian bytes.
	 */
	size_t (*numbers)(const struct row_writer *r, struct numbers x,
			  size_t n, char *to);
	size_t number_room;
	char separator;     /* of values; numbers() writes it, too; 0: none */

	const char *after;  /* what ends a row */
};

/* Takes the bytes of some rows, in order; false stops. */
typedef bool rows_taker(void *taker, const unsigned char *bytes, size_t n);

/* Give rows begin to end of t to take(). Fails only if out of memory. */
bool rows_give(const struct row_writer *r, rows_taker *take, void *taker,
	       struct error *err);

/* Write them to o. */
void rows_send(const struct row_writer *r, struct output_file *o);

/* Write them as little-endian values of t's dtype, without separators. */
void rows_binary(const struct table *t, const struct style *style,
		 struct output_file *o);

/* The bytes that rows_binary() writes, and a lower bound for text. */
size_t rows_binary_size(const struct table *t);
size_t rows_text_size(const struct table *t, bool *exact);

#endif
