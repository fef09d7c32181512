/* heat.h: what heat maps with and without text in their cells share. */
#ifndef HEAT_H
#define HEAT_H

#include "figure/layout.h"
#include "figure/plots.h"

enum {
	APART = 18,       /* space between panels, points; */
	SIGN_APART = 36,  /* with a sign in it */
	BESIDE = 120,     /* left and right of all panels, about */
};

/* The columns or the rows of a panel. */
struct heat_axis {
	const struct axis *axis;
	size_t first, n;     /* indices of the axis */
	size_t cells;
	int cell;            /* pixels of a cell */
	bool columns;        /* the table's columns, not its rows */
	const char *words;   /* labels, or NULL */
	struct side *side;   /* of the panels */
};

struct heat {
	struct sample s;
	struct heat_axis x, y;
	size_t panels;       /* their number */
	struct panels p;
	struct point *spans; /* [panels] least and greatest value of each, if
				each has a range of its own; or NULL */
	unsigned char *levels;
	bool sum;            /* signs between panels, which are in a row */
	bool fills;          /* cells need not be square: they are so wide and
				so high that panels fill the page */
	bool cells;          /* each with its value as text, */
	int digits;          /* with so many after the point */
	int marks;           /* room of annotations above panels, pixels */
	char note[240];      /* six of the largest integers fit */
};

/* Flags. */
enum heat_kind {
	HEAT_COLORS = 0,
	HEAT_CELLS = 1,    /* with values in the cells */
	HEAT_SUM = 2,      /* panels in a row, of which the last is the sum */
	HEAT_MAPS = 4,     /* of the cells of a grid, which are square */
};

extern const struct plot plot_heatmap, plot_cells;

/* Lay out tables beside one another and their sum, as --plot panels does; with
   --plot cells, as cells. */
void panels_layout(struct figure *f, const struct table *t,
		   const struct look *look, size_t threads);

/* Lay out a heat map, which remains in memory of f; NULL: f has the error. */
const struct heat *heat_layout(struct figure *f, const struct table *t,
			       const struct look *look, size_t threads,
			       int kind);

/* Make cells as wide as the widest value (cells.c). */
void cells_size(struct heat *h, struct figure *f);

/* Draw the values of a panel in their cells, and lines between the cells. */
void cells_draw(struct figure *f, const struct heat *h, size_t panel,
		const struct box *b);

#endif
