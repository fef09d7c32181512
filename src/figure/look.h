/* look.h: the options of a figure. */
#ifndef LOOK_H
#define LOOK_H

#include "figure/colormap.h"
#include "recipe/option.h"

enum { CURVES_MOST = 32 };  /* lines or steps of a figure */

/* PRINT: told apart in grey, too. */
enum theme { LIGHT, DARK, AUTO, PRINT };

/*
 * The panels and the size of a figure: as its labels allow, or the same for all
 * tables of a shape.
 */
enum frame { FRAME_FIT, FRAME_FIXED };

/* Axes of lines that are logarithmic. */
enum log_axes { LOG_X, LOG_Y, LOG_XY };

struct look {
	int plot;           /* index in plot_words, or NO_CHOICE */
	const char *dims;   /* columns that are drawn, "0,4:10:2", or NULL */
	const char *cmap;   /* the name of a map, or NULL */
	const char *range;  /* "A:B", "sym", "auto", "each" or NULL */
	const char *title;  /* instead of the table's, or NULL */
	const char *subtitle; /* instead of the options in words, or NULL */
	const char *xlabel, *ylabel, *zlabel;  /* names of axes and of the
						  colour bar, or NULL */
	const char *legend; /* names of lines, "A,B,C", or NULL */
	const char *font;   /* file of letters that DejaVu Sans lacks, or NULL:
			       installed fonts */
	const char *words;  /* labels of positions (look_next()) */
	const char *key_words;  /* of columns, where they are not the same */
	size_t scale;       /* pixels per 1/96 inch; 0: 2 */
	const char *width, *height; /* of the page, "8cm", or NULL */
	const char *aspect; /* width to height of the page, "16:9", or NULL */
	double font_size;   /* of labels, 1/72 inch; NaN: the usual one */
	size_t dpi;         /* pixels per inch; 0: by scale, or 300 */
	size_t cell;        /* pixels per value; 0: by the size of the table */
	int scale_colors;   /* of enum color_scaling, or NO_CHOICE */
	int theme;          /* of enum theme */
	int lang;           /* of enum language: that of its words */
	int frame;          /* of enum frame, or NO_CHOICE */
	int log;            /* of enum log_axes, or NO_CHOICE */
	bool transpose;
	bool no_title;      /* nor a subtitle */
	bool no_colorbar;
	bool transparent;   /* without a page behind it */
	const char *highlight, *annotate;  /* marks (marks.h), or NULL */
	const char *animate; /* what changes between frames, or NULL */
	size_t frame_count; /* of an animation; 0: by what changes */
	size_t frame_rate;  /* frames per second */

	/* Not options; 0: any. */
	int w, h;           /* the least size of the picture */
	int levels;         /* the most levels of a map */
	int digits;         /* after the point in cells */
	size_t across;      /* panels of a heat map side by side */
	const struct subfigures *subfigures; /* that it has, or NULL */
};

/* The kinds of figures (plots.h), and what each draws. */
extern const char *const plot_words[], *const plot_meanings[];
extern const char *const theme_words[], *const frame_words[];
extern const char *const log_words[], *const scale_colors_words[];

/* Choose the kind of figure that suits t, if --plot names none. */
void look_choose(struct look *look, const struct table *t);

/* Whether t can be drawn so; called before any file is opened. */
bool look_check(const struct look *look, const struct table *t,
		struct error *err);

/* Whether all values are to have one range, which flag needs. */
bool look_check_whole(const struct look *look, const char *flag,
		      struct error *err);

/* Whether --rows selects rows of one plane, or whole planes. */
bool look_check_planes(const struct table *t, struct error *err);

/* Whether --words and --key-words have a word for each row and column. */
bool look_check_words(const struct look *look, const struct table *t,
		      struct error *err);

/*
 * The labels of columns, or NULL: --key-words, or --words if there are as many
 * columns as rows, and they are keys or stand for the same as the rows.
 */
const char *look_words_across(const struct look *look, const struct table *t);

enum span { SPAN_TABLE, SPAN_GIVEN, SPAN_SYM, SPAN_AUTO, SPAN_EACH };

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

/* A word of --words. */
struct word {
	const char *text;
	size_t n;           /* bytes */
};

/*
 * Read the next word of text, of length 0 at the end; what follows it. Blanks
 * separate words; one in quotes, '...' or "...", may have blanks.
 */
const char *look_next(struct word *w, const char *text);

#endif
