/* picture.h: writes a PNG image with a palette, row by row. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "figure/colormap.h"
#include "formats/deflate.h"

enum { PICTURE_MOST = 1000000 };  /* pixels per side: libpng's limit */

struct picture {
	size_t w, h;
	const struct color *palette;  /* [colors] */
	int colors;
	const unsigned char *alpha;   /* [colors] how opaque, or NULL: all */
	size_t dots;          /* pixels per metre; 0: not stored */
	const char *command;  /* stored as text "posenc", or NULL */
	const char *fonts;    /* and as "posenc fonts" the others; or NULL */
	int level;            /* of compression; 0: the fastest */
	bool up;              /* rows resemble the row above */

	/* Takes the bytes of the file; of its compressed rows, if only them. */
	void (*send)(void *to, const void *bytes, size_t n);
	void *to;
	bool only_rows;       /* for PDF and animations, which hold them so */

	size_t done;          /* rows that were given */
	unsigned char *line;  /* [1 + w], a filtered row, and the row above */
	struct deflate deflate;
	const char *failed;   /* libpng's error, or NULL */
	void *png, *info;     /* libpng's */
};

/*
 * Write the start of the file, then all rows, n at a time, palette indices
 * [n, w]; the end follows the last row. false after a failure.
 * picture_close() must follow in any case.
 */
bool picture_begin(struct picture *p);
bool picture_rows(struct picture *p, const unsigned char *rows, size_t n);
void picture_close(struct picture *p);

/*
 * Instead of rows: write a chunk of type name with head [4], if it is not NULL,
 * and bytes [n].
 */
void picture_chunk(struct picture *p, const char *name,
		   const unsigned char *head, const unsigned char *bytes,
		   size_t n);

/* Four bytes of a chunk that are a number. */
void picture_number(unsigned char to[4], size_t x);

/* The version of libpng in use. */
const char *picture_version(void);

#endif
