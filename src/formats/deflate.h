/* deflate.h: bytes compressed and decompressed, by zlib or ISA-L. */
#ifndef DEFLATE_H
#define DEFLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/isal.h"

/* Compresses (RFC 1950). */
struct deflate {
	/* Takes the compressed bytes. */
	void (*send)(void *to, const void *bytes, size_t n);
	void *to;
	void *stream;         /* zlib's, owned */
};

/* false: out of memory. deflate_end() must follow in any case. */
bool deflate_begin(struct deflate *d);
void deflate_bytes(struct deflate *d, const void *bytes, size_t n);

/* Send what is left. */
void deflate_end(struct deflate *d);

/*
 * Compresses a part of a stream (RFC 1951) apart from the others, so that
 * threads can do several: the parts one after the other are the stream.
 */
enum {
	DEFLATE_WINDOW = 1 << 15,  /* bytes before a part that help */
	DEFLATE_MEMORY = 1 << 20,  /* twice what ISA-L takes, four times zlib */
	DEFLATE_FAST = 3,          /* the last level that ISA-L is for */
};

struct deflate_parts {
	int level;            /* 1 to 9 */
	bool filtered;        /* values are differences, most of them small */
	struct isal isal;     /* instead of zlib, if loaded */
};

/*
 * Choose what compresses parts: ISA-L where it is installed, for levels to
 * DEFLATE_FAST, or zlib. false: out of memory.
 */
bool deflate_parts_begin(struct deflate_parts *d);

/* The most bytes that a part of n bytes becomes. */
size_t deflate_room(size_t n);

/*
 * Begin a part of up to n bytes, to to [deflate_room(n)], in memory
 * [DEFLATE_MEMORY] of the caller.
 */
void deflate_part_begin(const struct deflate_parts *d, void *memory,
			unsigned char *to, size_t n);

/*
 * First of all, the bytes that are before it [n], 0 for none; DEFLATE_WINDOW
 * suffice.
 */
void deflate_part_before(const struct deflate_parts *d, void *memory,
			 const void *bytes, size_t n);
void deflate_part_bytes(const struct deflate_parts *d, void *memory,
			const void *bytes, size_t n);

/*
 * The number of bytes at to; last: the end of the stream. 0: this library
 * takes more memory than that.
 */
size_t deflate_part_end(const struct deflate_parts *d, void *memory, bool last);

/*
 * The Adler-32 of what had adler, 1 at first, and then bytes [n]; and of what
 * had adler, and then n bytes that alone have other.
 */
unsigned long adler_add(unsigned long adler, const void *bytes, size_t n);
unsigned long adler_join(unsigned long adler, unsigned long other, size_t n);

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
