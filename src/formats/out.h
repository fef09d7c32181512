/*
 * out.h: where bytes go. Nothing that writes returns an error: the first
 * failure is remembered, what follows is dropped, and out_finish() tells it.
 * The file appears, whole, in out_publish() (see place.h).
 */
#ifndef OUT_H
#define OUT_H

#include <stddef.h>

#include "core/error.h"
#include "formats/place.h"

enum { OUT_ROOM = 1 << 16 };

struct out {
	const char *path;     /* as typed; "-" is standard output */
	struct place place;
	struct error err;     /* the first failure, if any */
	unsigned char *room;  /* [OUT_ROOM], owned */
	size_t used;
	size_t expected;      /* bytes of its file, where they are known */
};

/* Begin an output. On failure there is nothing to close. */
bool out_open(struct out *o, const char *path, struct error *err);

/*
 * Refuse, before the first byte, a file that has no room for so many: the last
 * of n, beside what the others will need.
 */
bool out_expect(struct out *outs, size_t n, size_t bytes, struct error *err);

void out_bytes(struct out *o, const void *bytes, size_t n);
void out_text(struct out *o, const char *text);

/* As printf(); up to 1,000 bytes. */
void out_format(struct out *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Note a failure of another's making, such as a library's. */
void out_fail(struct out *o, const char *why);

/* Everything written, and its bytes safe on disk; not published. */
bool out_finish(struct out *o, struct error *err);

/*
 * Give n finished files their names, in place of what had them: all or none,
 * as far as older files can be kept meanwhile (place.h).
 */
bool out_publish(struct out *outs, size_t n, struct error *err);

/* The end of an output: what was not published leaves nothing behind. */
void out_close(struct out *o);

#endif
