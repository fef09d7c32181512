/* preview.h: the terminal at standard output, and tables shown on it. */
#ifndef PREVIEW_H
#define PREVIEW_H

#include "table/table.h"
#include "files/output.h"
#include "formats/style.h"

/* The colours that a terminal has. */
enum colours { COLOURS_NONE, COLOURS_256, COLOURS_ALL };

struct terminal {
	int wide, high;        /* characters */
	enum colours colours;
};

/*
 * The size is 80 x 24 if it is unknown. There are no colours if standard output
 * is no terminal, TERM has none, or NO_COLOR is set (no-color.org).
 */
struct terminal terminal_query(void);

/*
 * The shape, then the values in aligned columns, coloured by their size. The
 * middle of a large table is left out.
 */
void preview_numbers(const struct style *style, const struct table *t,
		     const struct terminal *on, struct output_file *o);

/*
 * A heat map with two rows of cells per line of text; without colours one row,
 * in shades of ASCII. A table larger than the terminal is sampled.
 */
void preview_picture(const struct look *look, const struct table *t,
		     const struct terminal *on, struct output_file *o);

#endif
