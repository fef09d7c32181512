/* rows.h: rows of a table into bytes, in blocks, for every format. */
#ifndef ROWS_H
#define ROWS_H

#include "core/blocks.h"
#include "formats/number.h"
#include "formats/out.h"
#include "formats/style.h"

/* How a format makes bytes of rows. */
struct rows {
	const struct table *t;
	const struct style *style;
	size_t row_bytes;  /* the most that a row takes */

	/* Row i, whose numbers are x (F32: floats), to to; how many bytes. */
	size_t (*text)(const struct rows *r, size_t i, struct numbers x,
		       unsigned char *to);
};

/*
 * Send the rows of t that were asked for to o. Where r->text is NULL they go
 * as numbers of t's dtype, little-endian.
 */
void rows_send(const struct rows *r, struct out *o);

/* The same, to take() instead. Fails for want of memory. */
bool rows_give(const struct rows *r,
	       bool (*take)(void *taker, const unsigned char *bytes, size_t n),
	       void *taker, struct error *err);

#endif
