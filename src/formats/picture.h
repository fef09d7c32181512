/*
 * picture.h: writes a PNG image with a palette: libpng the file, deflate.h the
 * image data, in bands of rows that threads compress.
 */
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
	size_t dots;          /* pixels per metre; 0: not stored */
	const char *command;  /* stored as text "posenc", or NULL */
	const char *fonts;    /* and as "posenc fonts" the others; or NULL */
	int level;            /* of compression; 0: chosen by rows */
	bool repeats;         /* most rows equal the row above */
	size_t threads;       /* as in blocks_run(); the bytes do not depend
				 on it */

	/* Takes the bytes of the file. */
	void (*send)(void *to, const void *bytes, size_t n);
	void *to;

	size_t done;          /* rows that were given */
	unsigned char *kept;  /* [kept_most, w] rows that wait for others */
	size_t kept_n, kept_most;
	size_t written;       /* rows, */
	unsigned long adler;  /* and their checksum */
	struct deflate_parts parts;
	const char *failed;   /* libpng's error, or NULL */
	void *png, *info;     /* libpng's */
};

/*
 * Write the start of the file, then all rows, n at a time, palette indices
 * [n, w]; the end follows the last row. All h at a time are not copied. false
 * after a failure. picture_close() must follow in any case.
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

/* The version of libpng in use. */
const char *picture_version(void);

#endif
