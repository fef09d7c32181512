/* rope.h: what the files of rope share. */
#ifndef ROPE_H
#define ROPE_H

#include "exact/turns.h"
#include "recipe/list.h"
#include "recipe/positions.h"
#include "waves/wave.h"

enum rope_out {
	ROPE_FREQS, ROPE_ANGLES, ROPE_COS, ROPE_SIN, ROPE_COS_FULL,
	ROPE_SIN_FULL, ROPE_COSSIN, ROPE_CIS, ROPE_APPLIED
};
enum rope_pairs { PAIRS_HALF, PAIRS_INTERLEAVED };
enum rope_center { CENTER_FLOOR, CENTER_CEIL, CENTER_NONE };
enum rope_mrope { MROPE_CHUNKED, MROPE_INTERLEAVED };
enum rope_along { ALONG_ROWS, ALONG_PLANES };
enum rope_spacing { SPACING_GEOMETRIC, SPACING_LINEAR };

/* The coordinate that a pair rotates by: time, row or column. */
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
	bool inverse, reversed;
	size_t rotary_offset;
	int emulate;           /* in low_precision_names */

	/* Computed from the options. */
	size_t rows;           /* number of positions */
	size_t height, width;  /* of the grid; 0: none */
	unsigned char *axis;   /* [pairs], values of enum rope_axis */
	bool one_axis;         /* all pairs rotate by the same coordinate */
	double extent;         /* the largest position + 1 */
	double farthest;       /* the largest magnitude of a position */
	struct wave wave;
};

/* Set the number of positions, in one or more dimensions; check them. */
bool rope_positions(struct rope *s, struct table *t, struct error *err);

/* Set the axis that each of the pairs rotates by. */
bool rope_axes(struct rope *s, size_t pairs, struct table *t,
	       struct error *err);

/* The coordinate of position i along an axis. */
double rope_coordinate(const struct rope *s, size_t i, enum rope_axis axis);

/* rope_scaling.c: frequencies scaled for longer contexts. */
enum scaling_kind {
	SCALING_NONE, SCALING_LINEAR, SCALING_NTK, SCALING_DYNAMIC,
	SCALING_YARN, SCALING_LLAMA3, SCALING_LONGROPE, SCALING_PROPORTIONAL,
};

/* The kind of scaling, and its parameters by their names in --scaling. */
struct scaling {
	int kind;
	const char *name;      /* of the kind */
	double factor;         /* F, from the original context to the new */
	double original;       /* L, the original context; 0: omitted */
	double fast, slow;     /* rotations within L: yarn keeps, divides */
	double truncate;       /* whether yarn rounds the bounds of its ramp */
	double mscale, mscale_all_dim;
	double low, high;      /* L in wavelengths: llama3 divides, keeps */
	double attention_factor;  /* of cosines and sines; 0: by the kind */
	double short_mscale, long_mscale;  /* the same, up to L and beyond */
	struct list near, far; /* divisors up to L and beyond (longrope) */
};

/* The frequencies that a scaling changes. */
struct rope_frequencies {
	double base;
	size_t pairs;          /* frequencies base^(-k / pairs), k < pairs */
	size_t rotating;       /* number of pairs that rotate, the first ones */
	double extent;         /* the largest position + 1 */
};

/* Parse "yarn:4,2048,fast=16", or NULL for none; owner owns the lists. */
bool scaling_read(struct scaling *s, const char *text, struct table *owner,
		  struct error *err);

/* Change the frequencies [pairs]. */
bool scaling_change(const struct scaling *s, const struct rope_frequencies *r,
		    struct turns *turns, struct error *err);

/* The factor of cosines and sines of positions below extent. */
double scaling_attention(const struct scaling *s, double extent);

#endif
