/* lattice.h: the cells of images and videos that rows stand for. */
#ifndef LATTICE_H
#define LATTICE_H

#include <stddef.h>

#include "table/error.h"

struct lattice {
	size_t height, width;  /* height 0: rows stand for no cells */
	size_t frames;
	size_t merge;          /* M: cells come by blocks of M x M, and in
				  blocks row by row; 0 and 1: row by row */
	bool pixels;           /* all frames of a cell, then those of the next;
				  otherwise frame by frame */
	size_t before;         /* rows before those of cells: tokens */
};

/* The place of a cell. */
struct grid_cell {
	size_t frame, row, column;
};

/* Rows, columns and frames, of which n numbers are given, 2 or 3. */
struct lattice lattice_of(const size_t *size, size_t n);

static inline size_t lattice_cells(const struct lattice *l)
{
	return l->height * l->width * l->frames;
}

/* The place of the i-th cell. */
struct grid_cell lattice_cell(const struct lattice *l, size_t i);

/* Along an axis, 'y', 'x' or 't': how many cells there are, and where one is;
   along others, 1 and 0. */
size_t lattice_size(const struct lattice *l, char along);
size_t cell_at(const struct grid_cell *at, char along);

/*
 * The cell of a row of a plane, counted frame by frame and row by row whatever
 * the order of rows; SIZE_MAX: it is a token.
 */
size_t lattice_index(const struct lattice *l, size_t row);

/* Fail unless blocks cover the grid; of: the option that says its size. */
bool lattice_merges(const struct lattice *l, const char *of, const char *size,
		    struct error *err);

/*
 * Read an order of axes, "t,y,x", of the given letters, to along [most]; their
 * number, or 0 where it is no such order.
 */
size_t lattice_order(const char *text, const char *letters, char *along,
		     size_t most);

#endif
