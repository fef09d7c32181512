/*
 * layout.h: the parts that figures are laid out of. Lengths are pixels of the
 * picture; pt() makes them of points of the page.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "figure/paint.h"
#include "figure/ticks.h"

enum {
	TITLE_POINTS = 16, NAME_POINTS = 14, TICK_POINTS = 12, NOTE_POINTS = 11,
	MARGIN = 16,        /* around all, points */
	TICK = 4,           /* how long a tick is, points */
	GAP = 6,            /* between things that belong together, points */
	LEVELS = 201,       /* of a map; leaves room for shades of text, */
	CELLS_LEVELS = 61,  /* and more where text stands on the map */
};

/* Where a panel, with all its cells, lies. */
struct box {
	int x, y, w, h;
};

/* What stands beside a box, ticks in pixels from the box's beginning. */
struct side {
	const char *name;   /* "position" */
	struct ticks ticks;
	bool upright;       /* labels run upward: they are too long to lie */
	bool bare;          /* labels without ticks */
};

static inline int pt(const struct figure *f, double points)
{
	return (int)(points * f->scale);
}

static inline int greatest(int a, int b)
{
	return a > b ? a : b;
}

/* How far the tops of capitals are above the baseline. */
int rise(const struct figure *f, int points);

/* Where a tick of one point's width begins whose middle is at. */
int tick_begin(const struct figure *f, double at);

/* How much room a side takes, to the left of a box or below it. */
int side_left_room(const struct figure *f, const struct side *s);
int side_bottom_room(const struct figure *f, const struct side *s);

/* How far labels below a box so wide stand out of it and a margin. */
int side_bottom_out(const struct figure *f, const struct side *s, int width);

/* The widest of its labels. */
int ticks_width(const struct figure *f, const struct ticks *ticks);

/* Draw it; labels: with what the ticks say and the name, not ticks alone. */
void side_left(struct figure *f, const struct box *b, const struct side *s,
	       bool labels);
void side_bottom(struct figure *f, const struct box *b, const struct side *s,
		 bool labels);

/* A line of one point around a box. */
void frame(struct figure *f, const struct box *b);

/*
 * The title of a figure, in lines no longer than width, and below it, in
 * small, how the table was made.
 */
struct heading {
	char lines[4][240];
	int count;
	char options[240];
	int w, h;
};

void heading_make(struct heading *h, const struct figure *f,
		  const struct table *t, const struct look *look, int width);
void heading_draw(struct figure *f, const struct heading *h, int middle,
		  int y);

/* A colour bar, or a legend of steps, as high as the box of its colours. */
struct bar {
	struct ticks ticks;   /* in pixels from the top of the box */
	int room;             /* from its left to the end of its labels */
	int h;
	bool none;            /* there is something that is no number */
};

/* For a panel so high; none: with a patch for what is no number below. */
void bar_make(struct bar *bar, const struct figure *f, const struct paint *p,
	      int height, bool none);
void bar_draw(struct figure *f, const struct bar *bar, const struct paint *p,
	      int x, int y);

/* The kinds of figure; curves are lines or steps. */
void layout_heatmap(struct figure *f, const struct table *t,
		    const struct look *look, size_t threads);
void layout_curves(struct figure *f, const struct table *t,
		   const struct look *look);

#endif
