/*
 * layout.h: the parts of a figure: panels, axes with ticks, title, colour bar.
 * Lengths are pixels of the picture; pt() converts points of the page.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "figure/figure.h"
#include "figure/sample.h"

enum { TICKS_MOST = 64, TICK_TEXT = 120, TICK_PLAIN = 40 };

struct tick {
	double at;             /* an index or a value, then pixels */
	char text[TICK_TEXT];
};

struct ticks {
	struct tick tick[TICKS_MOST];
	size_t n;
	size_t step;           /* of words: one of so many has a tick */
	bool cut;              /* some word is shortened */
};

/*
 * x, at most 2^53 in magnitude, as text: integers in full, others with six
 * digits, or twelve from 100000 on. The minus sign is U+2212.
 */
void tick_text(char text[TICK_TEXT], double x);

/*
 * What index i of an axis is called in a title or legend: a name of its own,
 * "class 0", "head 3", "dim 3". To to, of TOKEN_TEXT or more; the length.
 */
size_t index_name(char *to, size_t size, const struct axis *a, size_t i,
		  enum language l);

/* Copies plain [TICK_PLAIN] with its hyphens, at most two, as minus signs. */
void tick_minus(char text[TICK_TEXT], const char *plain);

/*
 * digits * 10^exponent; and the exponent of x > 0, whose power of ten is at
 * most x.
 */
double step_value(long digits, int exponent);
int exponent_of(double x);

/* At most most round values from lo to hi; 2 if most is less. */
void ticks_values(struct ticks *ticks, double lo, double hi, size_t most);

/*
 * The same on a logarithmic axis, of positive values (ticks_log.c); and the
 * values between powers of ten, to at [most]: none if there are more.
 */
void ticks_log(struct ticks *ticks, double lo, double hi, size_t most);
size_t ticks_between(double *at, size_t most, double lo, double hi);

/*
 * From lo to hi, one of which is 0 or on its other side: 0, and round values
 * that are at least apart from each other, a part of the axis, where it shows
 * the roots of values.
 */
void ticks_roots(struct ticks *ticks, double lo, double hi, double apart);

/*
 * Labels of indices first to first + n - 1 of an axis: of every 1st, 2nd, 5th,
 * 10th, ...; of dimensions every 1st, 2nd, 4th, 8th, ... . At most most, which
 * is 1 or more.
 */
void ticks_labels(struct ticks *ticks, const struct axis *a, size_t first,
		  size_t n, size_t most);

/* From indices of cells of that size to the middles of the cells. */
void ticks_center(struct ticks *ticks, double cell);

/*
 * The words of n indices, or their names if words is NULL; of at most most of
 * them, evenly spaced, and cut if they are long. Notes say so.
 */
void ticks_words(struct ticks *ticks, const char *words,
		 const char *const *names, size_t n, size_t most);

/* How values become levels of the figure's palette (color_scale.c). */
struct color_scale {
	struct colormap map;
	bool steps;      /* one level for each integer from lo to hi */
	bool empty;      /* no value is finite */
	bool each;       /* the range is that of each panel by itself */
	const char *masked; /* what the cells are that a mask hides, which are
			       drawn as -inf; or NULL */
};

/*
 * Choose a map, range and at most levels levels, and fill the palette of f.
 * Values of both signs get a diverging map; its middle is 0, which is also the
 * middle of the range unless --range says otherwise.
 */
void color_scale_choose(struct color_scale *c, struct figure *f,
			const struct look *look, struct sample *s, int levels);

enum {
	TITLE_POINTS = 16, NAME_POINTS = 14, TICK_POINTS = 12, NOTE_POINTS = 11,
	MARGIN = 16,        /* around all, points */
	TICK = 4,           /* how long a tick is, points */
	GAP = 6,            /* between related parts, points */
	LEVELS = 201,       /* of a map; the palette has room for shades of */
	CELLS_LEVELS = 61,  /* text; fewer if text is drawn on the map */
	SWATCH = 40,        /* how wide a sample is in a legend, points */
	LEGEND_LINE = 20,   /* how high its lines are */
};

/* The rectangle of a panel. */
struct box {
	int x, y, w, h;
};

/* The name of an axis or colour bar. */
struct name {
	const char *usual;  /* "position", drawn as "Position" */
	const char *given;  /* by an option, drawn as it is; or NULL */
};

/* The name of the table's values. */
static inline struct name value_name(const struct table *t, const char *given)
{
	return (struct name){ t->value ? t->value : "value", given };
}

/* What heat maps of t call cells whose keys no query may look at, or NULL. */
static inline const char *masked_name(const struct table *t)
{
	return t->visible ? "masked"
			  : t->causal && t->at_distance ? "after the query"
							: NULL;
}

/* An axis beside a panel; ticks in pixels from the panel's left or top. */
struct side {
	struct name name;
	struct ticks ticks;
	bool upright;       /* labels run upward, since they are long */
	bool bare;          /* labels without tick marks */
	bool unnamed;       /* several panels have one name */
};

static inline int pt(const struct figure *f, double points)
{
	return (int)(points * f->unit);
}

static inline int greatest(int a, int b)
{
	return a > b ? a : b;
}

/* The least distance of labels of an axis, in font sizes. */
static inline double sparse(const struct figure *f)
{
	return f->wide ? 2 : 3.4;
}

/* The height of capital letters. */
int cap_height(const struct figure *f, int points);

/* The first pixel of a tick mark, one point wide, with its middle at at. */
int tick_begin(const struct figure *f, double at);

/* The width of an axis to the left of a panel, the height of one below it. */
int side_left_room(const struct figure *f, const struct side *s);
int side_bottom_room(const struct figure *f, const struct side *s);

/* How far labels below a panel of that width extend beyond it. */
int side_bottom_out(const struct figure *f, const struct side *s, int width);

/*
 * The room of a word or name with --frame fixed, whatever it is; longer ones
 * are to be cut.
 */
int word_room(const struct figure *f);

/* With --frame fixed, cut words to that room. */
void ticks_cut(const struct figure *f, struct ticks *ticks);

/* The width of the widest label. */
int ticks_width(const struct figure *f, const struct ticks *ticks);

/* Lines across a panel at the ticks of an axis: grids. */
void side_left_lines(struct figure *f, const struct box *b,
		     const struct side *s);
void side_bottom_lines(struct figure *f, const struct box *b,
		       const struct side *s);

/* Draw an axis; without labels, only its tick marks. */
void side_left(struct figure *f, const struct box *b, const struct side *s,
	       bool labels);
void side_bottom(struct figure *f, const struct box *b, const struct side *s,
		 bool labels);

/*
 * The name of an axis beside b; only those that side_left() and side_bottom()
 * do not draw, as they are unnamed. Its length.
 */
void side_left_name(struct figure *f, const struct box *b,
		    const struct side *s);
void side_bottom_name(struct figure *f, const struct box *b,
		      const struct side *s);
int side_name_width(const struct figure *f, const struct side *s);

/* The height of a panel of that height and the name beside it. */
int side_left_high(const struct figure *f, const struct side *s, int height);

/* A line around a panel, one point wide. */
void frame(struct figure *f, const struct box *b);

/* With --theme print, lines across cells of -inf, mostly masked ones: white
   alone would look like more than the greatest value. */
void hatch(struct figure *f, int x, int y, const struct image *image);

#define LONG_NAMES "long names are cut"  /* a note */

enum { LINE_TEXT = 240, HEADING_LINES = 8, SUBTITLE_LINES = 6 };

/*
 * The title of a figure, in lines of at most width pixels, and below it the
 * options of the table, in words and smaller text. With --width, lines fill the
 * page; then w is 0, as the page has room for them.
 */
struct heading {
	char lines[HEADING_LINES][LINE_TEXT];
	char subtitle[SUBTITLE_LINES][LINE_TEXT];
	int count, below;   /* lines of each */
	int w, h;
};

void heading_make(struct heading *h, const struct figure *f,
		  const struct table *t, const struct look *look, int width);
void heading_draw(struct figure *f, const struct heading *h, int middle,
		  int y);

/*
 * Shorten text [size] to width pixels, with an ellipsis. Returns whether it was
 * wider.
 */
bool text_cut(const struct figure *f, int points, char *text, size_t size,
	      int width);

/*
 * The title of a table that shares f with others, in memory of f; of more than
 * width pixels its beginning and its end, which tell files and tensors apart,
 * and a note says so.
 */
const char *table_name(struct figure *f, const struct table *t, int width);

/* Draw the notes of f below all else; their height on a page so wide. */
void notes_draw(struct figure *f);
int notes_height(const struct figure *f, int width);

/* A colour bar, or a legend of integer values. */
struct bar {
	struct ticks ticks;   /* in pixels from the top */
	int x, y;
	int named;            /* width, labels and name included */
	int room;             /* or more, for what stands below */
	int h, most;          /* height of the colours; with --frame fixed,
				 whatever the values are */
};

/*
 * The panels of a figure, in rows, and what stands around them: the heading, a
 * colour bar or a legend.
 */
struct panels {
	struct box box;             /* the first; w and h are given */
	int across, down;           /* how many; 0 is 1 */
	int step_x, step_y;         /* from one to the next */
	int above;                  /* height of titles over panels, */
	int out;                    /* which extend so far beyond a side */
	int beside;                 /* width of what is right of each */
	struct side x, y;           /* axes, of each or of all panels */

	double left, right;         /* the values at the edges of a panel */
	double low, high;
	bool log_x, log_y;

	struct name value;          /* of the colour bar, if it has one */
	struct color_scale colors;
	unsigned missing;           /* bits of enum missing, with patches */
	struct bar bar;
};

/* Place the panels, set the size of f, and draw the heading of t. */
void panels_place(struct figure *f, struct panels *p, const struct table *t,
		  const struct look *look);

/* The rectangle around all panels, and panel i, after panels_place(). */
struct box panels_box(const struct panels *p);
struct box panels_at(const struct panels *p, size_t i);

/* Draw the colour bar, over all else. */
void panels_bar(struct figure *f, const struct panels *p);

/*
 * Values in pixels from the left and from the top of a panel; NaN: a value that
 * a logarithmic axis cannot show.
 */
double panels_x(const struct panels *p, double x);
double panels_y(const struct panels *p, double y);

/* Ticks at values to pixels. */
void panels_ticks(struct panels *p);

/*
 * Draw the text of line i of a legend: beside the panel, or with --width below
 * it and its axis, in columns of that width, which begin where the panel does,
 * or if they are wider end there. Where its swatch begins, in the middle of its
 * height.
 */
struct point legend_line(struct figure *f, const struct panels *p, int i,
			 int columns, int width, const char *text);

/*
 * Make f as large as a legend of so many rows needs; width includes the space
 * between panel and legend, MARGIN points.
 */
void legend_grow(struct figure *f, const struct panels *p, int rows,
		 int width);

/* Which of enum missing are among n levels, as bits. */
unsigned levels_missing(const struct figure *f, const unsigned char *levels,
			size_t n);

#endif
