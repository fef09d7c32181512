/*
 * plots.h: the kinds of figures. To add one, define a struct plot in a file of
 * its own and add a line to list.h.
 */
#ifndef PLOTS_H
#define PLOTS_H

#include "figure/figure.h"

struct plot {
	bool bar;        /* it has a colour bar, which --zlabel names */
	bool panels;     /* one for each plane, with colours of its own if
			    --range each says so */
	bool transposes; /* its axes can be swapped */
	bool plain;      /* --range and --cmap do not apply to it */
	bool unscaled;   /* its colours are no values: --scale-colors does not
			    apply */
	bool curves;     /* it draws lines, which --legend names, on axes that
			    --log sets, also of several tables */
	bool sums;       /* it draws several tables, and their sum */
	bool columns;    /* it draws some columns, which --dims selects */
	bool cells;      /* all rows are cells of a grid, and have no words */
	bool maps;       /* marks name rows and columns of that grid */

	/*
	 * Whether t can be drawn so; called before any file is opened. NULL:
	 * each table can. planes and rows are those that --rows selects.
	 */
	bool (*check)(const struct look *look, const struct table *t,
		      size_t planes, size_t rows, struct error *err);

	/* Add the items of the figure of t to f, and set its size. */
	void (*layout)(struct figure *f, const struct table *t,
		       const struct look *look, size_t threads);
};

/* The kind that look chooses. */
const struct plot *plot_of(const struct look *look);

/* Its name, as a value of --plot. */
const char *plot_name(const struct look *look);

/* Fail if there are several planes, for check(). */
bool plot_one_plane(const struct look *look, size_t planes, struct error *err);

#endif
