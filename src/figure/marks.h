/* marks.h: --highlight and --annotate of rows, columns and cells. */
#ifndef MARKS_H
#define MARKS_H

#include "figure/heat.h"

/* Whether both options name rows and columns of t; rows: those drawn. */
bool marks_check(const struct look *look, const struct table *t, size_t rows,
		 struct error *err);

/* The room of annotations to the right of a panel, and above it, pixels. */
int marks_right(struct figure *f, const struct heat *h,
		const struct look *look);
int marks_above(struct figure *f, const struct heat *h,
		const struct look *look);

/* Draw the marks of a panel over it. */
void marks_draw(struct figure *f, const struct heat *h,
		const struct look *look, const struct box *b);

/* Draw a thin frame around a cell of panel i. */
void marks_cell(struct figure *f, const struct heat *h, size_t i, size_t row,
		size_t column);

#endif
