/* look.h: the options of a figure. */
#ifndef LOOK_H
#define LOOK_H

#include "figure/colormap.h"
#include "recipe/option.h"

enum { CURVES_MOST = 32 };  /* lines or steps of a figure */

enum plot { HEATMAP, LINES, CELLS, STEPS };
enum theme { LIGHT, DARK, AUTO };

struct look {
	int plot;           /* of enum plot; NO_CHOICE: by the table */
	struct range dims;  /* columns drawn as lines */
	const char *cmap;   /* the name of a map, or NULL */
	const char *range;  /* "A:B", "sym", "auto" or NULL */
	const char *title;  /* instead of the table's, or NULL */
	const char *xlabel, *ylabel, *zlabel;  /* names of axes and of the
						  colour bar, or NULL */
	const char *words;  /* labels of positions, separated by blanks */
	size_t scale;       /* pixels per point; 0: 2 */
	size_t cell;        /* pixels per value; 0: by the size of the table */
	int theme;          /* of enum theme */
	bool transpose;
};

extern const char *const plot_words[];
extern const char *const theme_words[];

/* Whether t can be drawn so; called before any file is opened. */
bool look_check(const struct look *look, const struct table *t,
		struct error *err);

/* Whether --rows selects rows of one plane, or whole planes. */
bool look_check_planes(const struct table *t, struct error *err);

/* Whether --words, if given, has one word for each row of a plane. */
bool look_check_words(const struct look *look, const struct table *t,
		      struct error *err);

/*
 * Whether --words also label the columns: there are as many columns as rows,
 * and they are keys or stand for the same as the rows.
 */
bool look_words_across(const struct look *look, const struct table *t);

enum span { SPAN_TABLE, SPAN_GIVEN, SPAN_SYM, SPAN_AUTO };

/* The kind of --range; its A and B if it is SPAN_GIVEN. */
enum span look_span(const struct look *look, double *a, double *b);

/* Make a range of a single value wider, on both sides of it. */
void look_widen(double *lo, double *hi);

/* Make a range symmetric about 0. */
void look_center(double *lo, double *hi);

/* The map and range of colours for values from lo to hi. */
struct colormap look_colormap(const struct look *look, double lo, double hi);

/* Word i of text, to word [size]; past the last it is "", and false. */
bool look_word(const char *text, size_t i, char *word, size_t size);

/* The first word of text, and its length; 0 if there is none. */
const char *look_first(const char *text, size_t *n);

#endif
