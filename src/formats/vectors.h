/* vectors.h: what the formats that draw figures as vectors share. */
#ifndef VECTORS_H
#define VECTORS_H

#include "figure/figure.h"
#include "files/output.h"
#include "formats/picture.h"
#include "formats/style.h"

/* Fail if t can't be drawn so; name: of the format. */
bool vectors_check(const struct style *style, const struct table *t,
		   const char *name, struct error *err);

/*
 * Lay out the figure of t and call send() with it and the command that makes it
 * in the format of that name.
 */
void vectors_write(const struct style *style, const struct table *t,
		   const char *name, struct output_file *o,
		   void (*send)(struct output_file *o, struct figure *f,
				const struct table *t, const char *command));

/* The inches of a pixel: with --width, the page is exactly so wide. */
double vectors_inches(const struct figure *f);

/* Note on o which letters of f no font has. */
void vectors_note(const struct figure *f, struct output_file *o);

/*
 * The heat map of an item as PNG: so many pixels per cell that edges stay
 * sharp in viewers that smooth. The caller sets send and to.
 */
struct picture vectors_picture(const struct figure *f,
				const struct item *item);

/* Write it to p->send; o keeps a failure. */
void vectors_send_picture(struct picture *p, const struct item *item,
		    struct output_file *o);

#endif
