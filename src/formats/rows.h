/* rows.h: rows of a table into bytes, for every format. */
#ifndef ROWS_H
#define ROWS_H

#include "core/table.h"
#include "formats/number.h"
#include "formats/out.h"
#include "formats/style.h"

/* How a format makes bytes of rows: what stands before, the numbers, a tail. */
struct rows {
	const struct table *t;
	const struct style *style;

	/* What stands before row i, to to; the length. NULL: nothing. */
	size_t (*before)(const struct rows *r, size_t i, char *to);
	size_t before_room;
	const void *self;   /* what before() knows of rows */

	/* n numbers, of t's dtype, to to; the length. */
	size_t (*numbers)(const struct rows *r, struct numbers x, size_t n,
			  char *to);
	size_t number_room;
	bool comma;         /* between numbers; numbers() writes those, too */

	const char *after;  /* what ends a row */
};

/* Takes the bytes of some rows, in order; false stops the work. */
typedef bool rows_taker(void *taker, const unsigned char *bytes, size_t n);

/* Give the rows of t asked for to take(). Fails for want of memory. */
bool rows_give(const struct rows *r, rows_taker *take, void *taker,
	       struct error *err);

/* Send them to o. */
void rows_send(const struct rows *r, struct out *o);

/* Send them as numbers of t's dtype, little-endian, nothing between. */
void rows_binary(const struct table *t, const struct style *style,
		 struct out *o);

/* The bytes that rows_binary() sends, and the fewest that text can take. */
size_t rows_binary_size(const struct table *t);
size_t rows_text_size(const struct table *t, bool *exact);

/* Row i around its numbers: before it to to; then, at its end. The lengths. */
size_t row_begin(const struct rows *r, size_t i, char *to);
size_t row_end(const struct rows *r, char *to);

#endif
