/* deflate.h: bytes compressed and decompressed by zlib. */
#ifndef DEFLATE_H
#define DEFLATE_H

#include <stdbool.h>
#include <stddef.h>

/* Compresses (RFC 1950). */
struct deflate {
	int level;            /* 1 to 9 */
	bool runs;            /* only those of a byte are looked for */
	/* Takes the compressed bytes. */
	void (*send)(void *to, const void *bytes, size_t n);
	void *to;
	struct deflate_stream *stream;  /* owned */
};

/* false: out of memory. deflate_end() or deflate_drop() must follow. */
bool deflate_begin(struct deflate *d);
void deflate_bytes(struct deflate *d, const void *bytes, size_t n);

/* Send what is left; or do not. */
void deflate_end(struct deflate *d);
void deflate_drop(struct deflate *d);

/* Decompresses (RFC 1951). */
struct inflate {
	void *stream;         /* zlib's, owned */
	bool short_of_memory; /* zlib had none for its window */
};

/* false: out of memory. inflate_end() must follow in any case. */
bool inflate_begin(struct inflate *d);

/*
 * Decompress from [*n] to room bytes at to, both below 4 GB; *n becomes how
 * many it took. The number of bytes at to; SIZE_MAX: broken, or out of memory.
 */
size_t inflate_bytes(struct inflate *d, const void *from, size_t *n, void *to,
		     size_t room);
void inflate_end(struct inflate *d);

/* The CRC-32 of what had crc, 0 at first, and then these bytes. */
unsigned long crc_add(unsigned long crc, const void *bytes, size_t n);

const char *deflate_version(void);

#endif
