/* rope.h: what the files of rope share. */
#ifndef ROPE_H
#define ROPE_H

#include "core/positions.h"
#include "core/wave.h"
#include "encodings/rope_scaling.h"

enum rope_out {
	ROPE_FREQS, ROPE_ANGLES, ROPE_COS, ROPE_SIN, ROPE_COS_FULL,
	ROPE_SIN_FULL, ROPE_COSSIN, ROPE_CIS, ROPE_APPLIED
};
enum rope_pairs { PAIRS_HALF, PAIRS_INTERLEAVED };
enum rope_center { CENTER_FLOOR, CENTER_CEIL, CENTER_NONE };
enum rope_mrope { MROPE_CHUNKED, MROPE_INTERLEAVED };
enum rope_along { ALONG_ROWS, ALONG_PLANES };
enum rope_spacing { SPACING_GEOMETRIC, SPACING_LINEAR };

/* What a pair turns with: time, or the row or the column of a cell. */
enum rope_axis { AXIS_T, AXIS_H, AXIS_W, AXES };

struct rope {
	struct positions at;
	size_t dim, rotary_dim;
	double base;
	int pairs, out;
	struct pick spacing;
	const char *scaling, *grid;
	struct list sections;
	int mrope;
	double xpos;
	int center;
	bool downscale;
	const struct table *apply;
	int along;
	bool inverse;

	/* Made of the above. */
	size_t rows;           /* positions */
	size_t height, width;  /* of the grid; 0: none */
	unsigned char *axis;   /* [pairs], of enum rope_axis */
	bool one_axis;         /* every pair turns with the same */
	double extent;         /* the greatest position + 1 */
	struct wave wave;
};

/* How many positions there are, in one or more dimensions. */
bool rope_positions(struct rope *s, struct table *t, struct error *err);

/* Which pair turns with which axis; pairs of them. */
bool rope_axes(struct rope *s, size_t pairs, struct table *t,
	       struct error *err);

/* Where position i stands on an axis. */
double rope_coordinate(const struct rope *s, size_t i, enum rope_axis axis);

/*
 * xPos (Sun et al. 2022): multiply what a row x says of position p by the decay
 * of each pair.
 */
void rope_decay(const struct rope *s, double position, double *x);

/* Where cosines and sines stand, by what is asked for. */
void rope_lay_out(struct rope *s);

/* Rows of cosines and sines, or of the table that they turn. */
const double *rope_row(const struct table *t, size_t i, double *scratch);
void rope_floats(const struct table *t, size_t first, size_t n, float *out);

/* Rows of angles or frequencies, [pairs]. */
const double *rope_angles(const struct table *t, size_t i, double *scratch);

#endif
