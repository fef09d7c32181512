/*
 * curves.h: lines, steps and bars: the values that they show (curves.c), the
 * panel that they are drawn in (curves_layout.c), and how (curves_draw.c,
 * bars.c).
 */
#ifndef CURVES_H
#define CURVES_H

#include "figure/layout.h"
#include "figure/plots.h"

enum { CURVE_NAME = 512, CURVES_NOTE = 160 };

/* Points (x[k], y[k]), k < n, joined by lines, perhaps within a band. */
struct curve {
	size_t n;
	double *x, *y;        /* [n] */
	double *low, *high;   /* [n] of a band, or NULL */
	bool groups;          /* each point is a group of rows, and y the
				 middle of its band */
	size_t every;         /* point k is a row of the table if k is a
				 multiple of it; others are between rows, */
	bool *between;        /* [n], as these are, or NULL */
	bool dots;            /* rows are marked */
	char name[CURVE_NAME];
};

struct curves {
	struct curve *curve;  /* [count] */
	size_t count;
	const char *x_name;      /* "position" */
	const struct axis *axis; /* that x labels; NULL: x is a distance */
	char note[CURVES_NOTE];  /* what is not drawn, or how */
};

/* How many curves look asks for. */
size_t curves_count(const struct look *look, const struct table *t);

/* Whether t is drawn over the distance of columns to rows. */
bool curves_by_distance(const struct look *look, const struct table *t);

/*
 * Whether the columns of t are a mean and its range by distance, as those of
 * similarity --curve are: a heat map would show them, their distances and
 * counts in one scale of colours.
 */
bool curves_suit(const struct look *look, const struct table *t);

/*
 * The curves of t and of the tables beside it, in memory of f. False: f has the
 * error.
 */
bool curves_make(struct curves *c, struct figure *f, const struct table *t,
		 const struct look *look);

/* Whether point k is a row, or a group of rows, not between two. */
static inline bool curve_is_row(const struct curve *c, size_t k)
{
	return k % c->every == 0 && !(c->between && c->between[k]);
}

enum curves_as { AS_LINES, AS_STEPS, AS_BARS };

/* The panel, what is drawn in it, and the legend beside it. */
struct plot_area {
	const struct curves *curves;
	struct panels p;
	enum curves_as as;
	bool points;         /* in place of bars */
	double share;        /* of the usual width, as groups of rows are */
	int legend;          /* width of a line of the legend; 0: none */
	bool empty;          /* no value can be drawn */
};

/* Lay out the curves of t; whether they can be. */
void curves_layout(struct figure *f, const struct table *t,
		   const struct look *look, enum curves_as as);
bool curves_check(const struct look *look, const struct table *t,
		  size_t planes, size_t rows, struct error *err);

/* Draw all curves in the panel; one as bars; a point of it without a line. */
void curves_draw(struct figure *f, const struct plot_area *p);
void bars_draw(struct figure *f, const struct plot_area *p, size_t i);
void curve_point(struct figure *f, const struct plot_area *p, size_t i,
		 double x, double y);

/* The least distance of neighbouring values of all curves, as bars are. */
double bars_apart(const struct curves *c);

/* Whether t is a strip of values of heads or pairs, as ALiBi's slopes are. */
bool bars_suit(const struct table *t);

/*
 * A height of the panel, or its nearest edge; values that an axis cannot show
 * are below.
 */
double curves_edge(const struct plot_area *p, double y);

/*
 * The legend beside the panel, or with --width in rows below it: the width that
 * a name may have; that of a line, 0 if there is none; the legend.
 */
int legend_name_room(const struct figure *f);
int legend_room(const struct figure *f, const struct curves *c);
void legend_draw(struct figure *f, const struct plot_area *p);

#endif
