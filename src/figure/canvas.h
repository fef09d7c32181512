/* canvas.h: a figure as pixels, one byte each, which index a palette. */
#ifndef CANVAS_H
#define CANVAS_H

#include "figure/figure.h"

struct canvas {
	int w, h;
	unsigned char *pixels;      /* [h, w], owned */
	struct color palette[256];
	unsigned char alpha[256];   /* how opaque each is: all 255, unless f is
				       transparent */
	int colors;                 /* of the palette in use */
	int base;                   /* index of the first ink */
	unsigned char *blends;      /* cache of blend(), owned */
	unsigned char *covered;     /* [h, w] of a path, zeros between them, or
				       NULL */
};

/*
 * Draw f on a canvas of zeros, or on one with a figure of the same size and
 * palette, whose colours keep their indices. It must be closed in any case.
 */
bool canvas_draw(struct canvas *c, const struct figure *f, struct error *err);
void canvas_close(struct canvas *c);

#endif
