/* axes.h: what pairs of columns tell of the axes of images and videos. */
#ifndef AXES_H
#define AXES_H

#include "identify/profile.h"

/* Rows, columns and frames of the cells in the rows from a table's first on. */
struct cells {
	size_t first, h, w, t;
	size_t merge;          /* cells go by blocks of so many squared; or 1 */
};

/* The forms of a table; the first three have a column for each pair. */
enum rope_form { COS, SIN, ANGLES, COS_FULL, SIN_FULL, COSSIN, CIS, FORMS };

enum { AXES_MOST = 8 };

/* Adjacent pairs that turn from cell to cell along one axis. */
struct axis_turn {
	char along;            /* 'y', 'x' or 't'; '0': they do not turn */
	size_t pairs;
	size_t size;           /* cells along the axis */
	double start;          /* the first pair's angle in the first cell, as
				  a slow pair tells it, */
	double fastest;        /* and how it changes to the next */
	double slow;           /* the same of pair k, which is known well; */
	size_t k;              /* 0: none but the first is */
	double within;         /* error of both changes */
};

/* The rows from a cell to the next row, column or frame, y, x or t. */
size_t cells_step(const struct cells *c, char along);

/* How many cells there are along that axis. */
size_t cells_along(const struct cells *c, char along);

/*
 * Measure the runs of pairs that turn along one axis; returns how many there
 * are, or 0 for more than AXES_MOST. interleaved: columns 2k and 2k + 1 are of
 * pair k where a form has both.
 */
size_t measure_axes(const struct profile *p, const struct cells *c,
		    enum rope_form form, bool interleaved,
		    struct axis_turn *axes);

#endif
