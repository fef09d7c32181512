/* base64.h: bytes as text in base64. */
#ifndef BASE64_H
#define BASE64_H

#include "files/output.h"

/* Bytes that wait for others: three become four characters. */
struct base64 {
	struct output_file *o;
	unsigned char bytes[3];
	size_t n;
};

void base64_bytes(struct base64 *b, const void *bytes, size_t n);

/* Write what is left, with = up to a multiple of four characters. */
void base64_finish(struct base64 *b);

#endif
