/* maps.h: colour maps as data. */
#ifndef MAPS_H
#define MAPS_H

#include <stdbool.h>

#include "figure/colormap.h"

enum { ANCHORS = 33 };

/* Colours evenly apart, between which the map is straight. */
struct map {
	const char *name;
	bool diverging;     /* from a middle that stands for 0 */
	int n;
	struct color at[ANCHORS];
};

/* All maps; ends with a NULL name. */
extern const struct map maps[];

#endif
