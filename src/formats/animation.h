/*
 * animation.h: a figure that changes, as an animated PNG (APNG, of the third
 * edition of the PNG standard): chunks acTL, fcTL and fdAT around frames that
 * libpng writes.
 */
#ifndef ANIMATION_H
#define ANIMATION_H

#include "figure/canvas.h"
#include "files/output.h"
#include "formats/style.h"

/* The tables of the frames, of one shape. */
struct animation {
	size_t n;

	/* Make the table of frame i; to be closed in any case. */
	bool (*make)(const struct animation *m, size_t i, struct table *t,
		     struct error *err);
};

/* The size of the largest frame, to look's w and h. */
bool animation_size(const struct animation *m, struct look *look,
		    size_t threads, struct error *err);

/* The part of a frame that differs from the frame before, or all of it. */
struct part {
	size_t x, y, w, h;
};

/* Takes frame i, whose pixels and palette are in c. */
typedef bool take_frame(void *taker, const struct canvas *c,
			const struct part *p, size_t i);

/* Draw the frames of style's animation, of one size, and have them taken. */
void frames_draw(const struct style *style, take_frame *take, void *taker,
		 struct output_file *o);

/* Write all frames as PNG, of one size; o keeps a failure. */
void animation_write(const struct animation *m, const struct style *style,
		     const char *command, struct output_file *o);

#endif
