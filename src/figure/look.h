/* look.h: how a figure is to look, as its user says. */
#ifndef LOOK_H
#define LOOK_H

#include "core/option.h"

enum { CURVES_MOST = 32 };  /* lines or steps of a figure */

enum plot { HEATMAP, LINES, CELLS, STEPS };
enum theme { LIGHT, DARK };

struct look {
	int plot;           /* NOT_GIVEN: as suits the table */
	struct range dims;  /* columns of lines */
	const char *cmap;   /* the name of a map, or NULL */
	const char *range;  /* "A:B", "sym", "auto" or NULL */
	const char *title;  /* in place of the table's, or NULL */
	const char *words;  /* labels of positions, parted by blanks, or NULL */
	size_t scale;       /* pixels to a point of the page; 0: 2 */
	size_t cell;        /* pixels a number; 0: as suits the table */
	int theme;          /* NOT_GIVEN: light */
	bool transpose;
};

extern const char *const plot_words[];
extern const char *const theme_words[];

/* Refuse what no figure of t can be, before a file is touched. */
bool look_check(const struct look *look, const struct table *t,
		struct error *err);

/* Refuse --rows of several planes that are not all their rows. */
bool look_check_planes(const struct table *t, struct error *err);

/* Refuse --words, if given, that are not as many as the rows of t's planes. */
bool look_check_words(const struct look *look, const struct table *t,
		      struct error *err);

/* Whether --words label the columns, too: as many keys, or rows once more. */
bool look_words_across(const struct look *look, const struct table *t);

enum span { SPAN_TABLE, SPAN_GIVEN, SPAN_SYM, SPAN_AUTO };

/* What --range asks for: which, and A to B where they are given. */
enum span look_span(const struct look *look, double *a, double *b);

/* Make a span of one number one that has it in its middle. */
void look_widen(double *lo, double *hi);

/* Word i of text, to word [size]; false past the last, where it is "". */
bool look_word(const char *text, size_t i, char *word, size_t size);

/* The first word of text and its length, 0 where there is none. */
const char *look_first(const char *text, size_t *n);

#endif
