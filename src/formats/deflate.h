/* deflate.h: bytes compressed as they come (RFC 1950), by zlib. */
#ifndef DEFLATE_H
#define DEFLATE_H

#include <stdbool.h>
#include <stddef.h>

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

const char *deflate_version(void);

#endif
