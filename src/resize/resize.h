/*
 * src/resize/: learned position tables made longer or shorter, as projects do
 * it. A table has one row for each cell of a grid, row by row, or for each
 * position of a sequence, which counts as a grid of one column.
 *
 *   resize.h     one axis: how its cells become another number of cells
 *   list.h       the modes, one line each
 *   weights.c    modes of PyTorch's interpolate(), and the centre cut
 *   sequence.c   modes of sequences
 *   geometric.c  modes of relative positions: BEiT's geometric places
 *   resize.c     the command
 *   shape.c      its grids and sizes
 *   computed.c   what identify says of tables that need no resizing
 *   presets.c    projects
 *
 * This folder includes table/, exact/, text/, recipe/, views/ and identify/.
 */
#ifndef RESIZE_H
#define RESIZE_H

#include "recipe/recipe.h"

/* One axis. */
struct scale {
	size_t in, out;         /* its cells, before and after */
	bool corners;           /* --align-corners */
	double offset;          /* --offset */
	double number;          /* of the mode: K of keep, A of hierarchical */
	const double *weights;  /* [out, in] of geometric modes */
};

/* The cells that are added up to make cell i of the result. */
struct span {
	size_t i, first, n;     /* first to first + n - 1 */
	double at;              /* coordinate: that of cell first is 0 */
	double unit;            /* of the filter of antialias, per cell */
	double sum;             /* of weights: the total is divided by it */
};

/* How the weights of cells are found. */
struct filter {
	struct span (*span)(const struct scale *s, size_t i);

	/* Of cell first + j; may be 0 */
	double (*weight)(const struct scale *s, const struct span *at,
			 size_t j);
};

/* Cell i as it is: of axes that stay, such as the columns of sequences. */
struct span copy_span(const struct scale *s, size_t i);
double copy_weight(const struct scale *s, const struct span *at, size_t j);
extern const struct filter copy_filter;

/* What a mode applies to. */
enum { ON_GRIDS = 1, ON_SEQUENCES = 2, WITH_CORNERS = 4, WITH_OFFSET = 8 };

struct mode {
	unsigned int applies;           /* bits as above */
	const struct filter *filter;
	const struct filter *antialias; /* the same with --antialias, or NULL */

	/* Check the sizes of an axis and prepare it, or NULL */
	bool (*open)(struct scale *s, struct table *owner, struct error *err);
};

#define MODE(name, word, applies, antialias, open, meaning)             \
	extern const struct filter name##_filter;
#include "resize/list.h"
#undef MODE
extern const struct filter bilinear_antialias_filter;
extern const struct filter bicubic_antialias_filter;

/* Of the cell before a coordinate, and the next, if any. */
double linear_weight(const struct scale *s, const struct span *at, size_t j);

/* For struct mode. */
bool keep_open(struct scale *s, struct table *owner, struct error *err);
bool hierarchical_open(struct scale *s, struct table *owner,
		       struct error *err);
bool geometric_linear_open(struct scale *s, struct table *owner,
			   struct error *err);
bool geometric_cubic_open(struct scale *s, struct table *owner,
			  struct error *err);

/* Cells of an axis that these modes take at least. */
enum { GEOMETRIC_LINEAR_LEAST = 3, GEOMETRIC_CUBIC_LEAST = 5 };

/* Whether the geometric mode of that least takes in cells to out. */
bool geometric_takes(size_t in, size_t out, size_t least);

/* --mode as an index of words: MODE_bicubic. */
enum {
	MODE_auto,
#define MODE(name, word, applies, antialias, open, meaning) MODE_##name,
#include "resize/list.h"
#undef MODE
};

/* When a table is returned as it is, although its grid may be another. */
enum unchanged { UNCHANGED_NEVER, UNCHANGED_COUNT, UNCHANGED_SQUARE };

/* The command. */
struct resize {
	struct extents grid, to;
	struct pick mode;
	bool antialias, align_corners, square, relative, keep;
	double offset;
	size_t prefix, suffix, pad;
	struct lattice made;    /* cells of the result; of a sequence, one
				   column */
	int unchanged;

	const struct table *table;
	bool sequence;
	struct scale rows, columns;
	const struct filter *down, *across; /* of rows, of columns */
};

/*
 * Find the sizes before and after: set sequence, rows.in, columns.in, made
 * and, of relative positions, suffix. What was not given is noted in t.
 */
bool resize_shape(struct resize *s, struct table *t, struct error *err);

/*
 * Make t the rows of s, whose options, table and sizes are set, but without
 * bounds. Fails for sizes that geometric modes do not take, and for --pad.
 */
bool resize_prepare(struct resize *s, struct table *t, struct error *err);

/* Note in t where the table is computed by a command, which can make others. */
bool resize_note_computed(const struct resize *s, struct table *t,
			  struct error *err);

extern const struct recipe resize_recipe;
extern const struct preset resize_presets[];

#endif
