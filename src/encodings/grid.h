/* grid.h: what grid.c and grid_parts.c share. */
#ifndef GRID_H
#define GRID_H

#include "core/convention.h"

enum variant { MAE, DETR, TIMM, MULTIDIM, DIFFUSERS, T2T };
enum { H, W, T, AXES_MOST };

/* The columns that tell of one axis. */
struct part {
	int axis;
	size_t at;            /* the first of them */
	struct wave wave;
};

struct grid {
	const char *grid;
	size_t dim;
	int variant;
	double temperature;
	int layout;
	bool normalize;
	size_t base_size;
	struct list interpolation;
	size_t cls;

	/* made of the above */
	size_t axis_count;
	size_t size[AXES_MOST];
	struct part parts[AXES_MOST];
};

/* The words of --variant; ends with NULL. */
extern const char *const grid_variants[];

/* Columns for each axis, as the variant has them. Fails where none fit. */
bool grid_parts(struct grid *s, struct table *t, struct error *err);

/* Where index i of an axis lies; diffusers has it in single precision. */
double grid_coordinate(const struct grid *s, int axis, size_t i);

#endif
