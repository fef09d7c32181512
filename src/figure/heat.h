/* heat.h: a figure of cells, as heatmap.c lays it out. */
#ifndef HEAT_H
#define HEAT_H

#include "figure/layout.h"

enum { APART = 18 };  /* panels, points */

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
	char note[240];      /* room for six of the largest numbers */
};

/* Choose as many to a row as divide them, no more than a screen is wide. */
void panels_grid(struct heat *h);

/* Whether panels say which they are: one of several. */
bool panels_titled(const struct table *t);
void panel_title(const struct table *t, size_t i, char title[2 * TICK_TEXT]);

/* How far apart panels of that width are, so that no title meets another. */
int panels_apart(const struct figure *f, const struct heat *h,
		 const struct table *t, int width);

/* Cells wide enough for their numbers. */
void cells_size(struct heat *h, struct figure *f);

/* The numbers of a panel, in their cells, and lines between those. */
void cells_draw(struct figure *f, const struct heat *h, size_t panel,
		const struct box *b);

#endif
