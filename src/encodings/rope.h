/* rope.h: what the files of rope share. */
#ifndef ROPE_H
#define ROPE_H

#include "exact/turns.h"
#include "recipe/list.h"
#include "recipe/positions.h"
#include "recipe/recipe.h"
#include "waves/wave.h"

enum rope_out {
	ROPE_FREQS, ROPE_ANGLES, ROPE_COS, ROPE_SIN, ROPE_COS_FULL,
	ROPE_SIN_FULL, ROPE_COSSIN, ROPE_CIS, ROPE_DECAY, ROPE_BOUND
};
enum rope_pairs { PAIRS_HALF, PAIRS_INTERLEAVED, PAIRS_MIXED };
enum rope_center { CENTER_FLOOR, CENTER_CEIL, CENTER_NONE };
enum rope_mrope {
	MROPE_CHUNKED, MROPE_INTERLEAVED, MROPE_ALTERNATE, MROPE_RAREST,
	MROPE_HEADS
};
enum rope_by { BY_TOKEN, BY_AXIS };
enum rope_along { ALONG_ROWS, ALONG_PLANES };
enum rope_spacing {
	SPACING_GEOMETRIC, SPACING_HALF_1, SPACING_ALTERNATING, SPACING_LINEAR
};
extern const char *const rope_spacings[];
enum rope_coords {
	COORDS_INDEX, COORDS_CENTERED, COORDS_SCALED, COORDS_FLOORED,
	COORDS_FITTED,
	COORDS_SEPARATE, COORDS_MIN, COORDS_MAX
};
enum rope_text { TEXT_ZERO, TEXT_FIRST, TEXT_FROM_1, TEXT_LAST, TEXT_ALL };
extern const char *const rope_texts[];
extern const char *const rope_mropes[];
extern const char *const rope_scalings[]; /* "yarn:F,L"; ends with NULL */

/* A position with three sections: time, row, column. */
enum { SECTION_T, SECTION_H, SECTION_W, SECTIONS };
enum { SECTIONS_MOST = 4 };

/* The columns of an axis in each row of a table: up to two runs of them. */
struct rope_columns {
	size_t at[2], n[2];    /* where the runs begin, and how long they are */
	size_t cols;           /* of both; 0: not prepared */
	double *doubles;       /* [coordinates, cols], see rope_index() */
	float *floats;         /* the same */
};

/* A coordinate of tokens, by which a share of the pairs rotates. */
struct rope_axis {
	char along;            /* 'y' row, 'x' column, 't' frame, '0' none,
				  'n' the number of text tokens */
	size_t first, pairs;   /* its share; sections: not set */
	size_t size;           /* number of rows, columns or frames */

	/*
	 * Coordinate i is (start + step i) / over. Pairs rotate by the whole
	 * number start + step i, at frequencies that are divided by over; over
	 * is 1 without --grid.
	 */
	double start, step, over;
	bool floored;          /* start + step i is divided by size, and
				  rounded down */
	bool full_turns;       /* frequencies are in turns, not in radians */
	struct rope_columns columns;
};

enum { ROPE_AXES = 8 };

struct rope {
	struct positions at;
	size_t dim, rotary_dim;
	double base;
	int pairs, out;
	struct pick spacing;
	const char *scaling, *order, *axes, *periods;
	bool resonance;
	struct extents grid, base_size;
	int coords, text_ids;
	double fps;
	struct list ntk;
	size_t merge, text, cls;
	struct list sections;
	int mrope, positions_by;
	struct tables coefficients;
	double xpos;
	int center;
	bool downscale;
	const struct table *apply;
	int along;
	bool inverse, reversed;
	struct integer shift;
	size_t rotary_offset;
	int emulate;           /* in low_precision_names */

	/* Computed from the options. */
	size_t rows;           /* number of positions */
	size_t heads;          /* with cosines of their own; 1: all alike */
	struct lattice lattice;  /* of --grid */
	size_t cells;          /* of all frames; 0: no grid */
	struct rope_axis axis[ROPE_AXES];
	size_t axes_n;
	unsigned char *axis_of_pair;  /* [pairs], index into axis */
	bool fractional;       /* coordinates are not the whole numbers */
	bool by_axis;          /* --positions has all times, then all rows */
	double extent;         /* the largest position + 1; positions are in
				  units of 1/over, see struct rope_axis */
	double farthest;       /* the largest magnitude of a position */
	double least;          /* the least position, if negative, or 0 */
	double span;           /* positions from the least to the greatest, of
				  the axis that has the most */
	bool scaled;           /* --scaling changes a geometric series */
	double original;       /* its original context; 0: unknown */
	struct wave wave;
};

/* Whether the axes of a grid share the dimensions, without --sections. */
static inline bool rope_shared(const struct rope *s)
{
	return s->cells && !s->sections.at;
}

/* Whether each axis has its table of halves, in columns of its own. */
static inline bool rope_blocks(const struct rope *s)
{
	return s->pairs == PAIRS_MIXED &&
	       (s->out == ROPE_COS_FULL || s->out == ROPE_SIN_FULL);
}

/*
 * rope_axes.c: set the number of positions, in one or more dimensions. Fails
 * for positions that are not exact.
 */
bool rope_positions(struct rope *s, struct table *t, struct error *err);

/* Fail for a number of --sections that has no meaning. */
bool rope_sections(const struct rope *s, struct error *err);

/*
 * Set the axis that each of the pairs rotates by; t owns the memory. Fails if
 * --sections do not add up to the pairs.
 */
bool rope_axes(struct rope *s, size_t pairs, struct table *t,
	       struct error *err);

/* The place of row i in the grid; of no meaning for text and class tokens. */
static inline struct grid_cell rope_cell(const struct rope *s, size_t i)
{
	return lattice_cell(&s->lattice, i - s->text);
}

/*
 * Which coordinate of an axis row i has: below size that of a cell; then one of
 * each text token; the last is that of class tokens. at: rope_cell(s, i).
 */
size_t rope_index(const struct rope *s, size_t i, const struct grid_cell *at,
		  const struct rope_axis *a);

/* That coordinate, in units of 1/over, see struct rope_axis. */
double rope_at_index(const struct rope *s, const struct rope_axis *a,
		     size_t index);

/* The coordinate of position i along an axis, in units of 1/over. */
double rope_coordinate(const struct rope *s, size_t i, size_t axis);

/*
 * rope_frequencies.c: the frequencies of all pairs, to s->wave; t owns the
 * memory. Fails for options that have no formula together.
 */
bool rope_frequencies(struct rope *s, struct table *t, struct error *err);

/* rope_rows.c: frequency k in radians per unit of its coordinate. */
double rope_frequency(const struct rope *s, size_t k);

/* The axis of cells whose coordinate turns column j, or 0; for t->along. */
char rope_along(const struct table *t, size_t j);

/* Rows of angles, and of waves or a rotated table. */
const double *rope_angles_row(const struct table *t, size_t i,
			      double *scratch);
const double *rope_row(const struct table *t, size_t i, double *scratch);

/*
 * Prepare rows of the grid in t, whose columns are set: the values of each
 * coordinate, if they need little memory, which t owns; t->floats copies them.
 */
bool rope_prepare(struct rope *s, struct table *t, struct error *err);

/*
 * rope_fourier.c: check the coefficients of FoPE, and set the number of heads;
 * cosines and sines of a position, in the columns of the wave.
 */
bool rope_fourier(struct rope *s, struct error *err);
void rope_fourier_row(const struct rope *s, size_t head, double position,
		      double *x);

/* Decay, or its bound, by distance. */
void rope_decay(struct rope *s, struct table *t);

#endif
