/* change.h: one thing that may have been done to a table, and its words. */
#ifndef CHANGE_H
#define CHANGE_H

#include "views/couple.h"

/* How B's columns come from A's. */
enum columns {
	AS_THEY_ARE, SPLIT, INTERLEAVED, NEIGHBOURS, HALVES, SPLIT_TURNED,
	INTERLEAVED_TURNED, REVERSED, COLUMNS
};

/* B[i, j] = factor A[i + rows, change_column(j) + cols], rounded. */
struct change {
	enum columns order;
	bool reversed;      /* row i of B is row i from the end of A */
	long rows, cols;
	double factor;
	enum dtype rounded; /* F64: not at all */
	bool back;          /* A is what was rounded, and B was not */
};

/* The column of A that becomes column j of cols. */
size_t change_column(enum columns order, size_t j, size_t cols);

/* What was done, in a sentence, to text; its length. */
size_t change_tell(const struct change *x, const struct couple *c,
		   char *text, size_t size);

#endif
