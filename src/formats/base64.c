/* base64.c: bytes as text in base64. */
#include <string.h>

#include "formats/base64.h"

static void send_three(struct base64 *b)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"abcdefghijklmnopqrstuvwxyz0123456789+/=";
	const unsigned x = (unsigned)b->bytes[0] << 16 |
			   (unsigned)b->bytes[1] << 8 | b->bytes[2];
	char text[4];

	for (size_t i = 0; i < 4; i++)
		text[i] = digits[i <= b->n ? x >> (18 - 6 * i) & 63 : 64];
	out_bytes(b->o, text, 4);
	memset(b->bytes, 0, 3);
	b->n = 0;
}

void base64_bytes(struct base64 *b, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;

	for (; n; n--) {
		b->bytes[b->n++] = *at++;
		if (b->n == 3)
			send_three(b);
	}
}

void base64_finish(struct base64 *b)
{
	if (b->n)
		send_three(b);
}
