/* picture.h: a palette PNG, row by row, through libpng. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "figure/colormap.h"

enum { PICTURE_MOST = 1000000 };  /* pixels either way: libpng's own limit */

struct picture {
	size_t w, h;
	const struct color *palette;  /* [colors] */
	int colors;
	size_t scale;         /* pixels to a point of the page; 0: not said */
	const char *command;  /* that makes the picture again, or NULL */
	int level;            /* of compression; 0: as pays for the rows */
	bool repeats;         /* most rows are as the one above */

	/* Takes the bytes of the file. */
	void (*send)(void *to, const void *bytes, size_t n);
	void *to;

	size_t done;          /* rows that are written */
	const char *failed;   /* why, where libpng gave up; or NULL */
	void *png, *info;     /* libpng's */
};

/*
 * What stands before the rows; then each of them, indices of the palette [w],
 * the last with the end. False once something failed. picture_close() in any
 * case.
 */
bool picture_begin(struct picture *p);
bool picture_row(struct picture *p, const unsigned char *row);
void picture_close(struct picture *p);

/* Of the libraries in use: libpng's, and zlib's, by which it compresses. */
const char *picture_version(void);
const char *picture_zlib_version(void);

#endif
