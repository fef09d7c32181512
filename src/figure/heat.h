/* heat.h: a figure of cells, as heatmap.c lays it out. */
#ifndef HEAT_H
#define HEAT_H

#include "figure/layout.h"

/* One direction of a panel. */
struct way {
	const struct axis *axis;
	size_t first, n;     /* labels of the axis */
	size_t cells;
	int cell;            /* pixels */
	bool columns;        /* of the table */
	const char *words;   /* labels instead, or NULL */
	struct side side;
};

struct heat {
	struct sample s;
	struct paint paint;
	struct way x, y;
	size_t panels, per_row, rows;
	bool none;           /* there is something that is no number */
	unsigned char *levels;
	bool cells;          /* with their numbers in them */
	struct heading heading;
	struct bar bar;
	char note[160];
};

/* Cells wide enough for their numbers. */
void cells_size(struct heat *h, struct figure *f);

/* The numbers of a panel, in their cells, and lines between those. */
void cells_draw(struct figure *f, const struct heat *h, size_t panel,
		const struct box *b);

#endif
