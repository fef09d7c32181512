/*
 * isal.h: Intel's ISA-L, which compresses several times as fast as zlib to
 * about the same size, loaded at run time where it is installed.
 */
#ifndef ISAL_H
#define ISAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table/error.h"

struct isal_zstream;

/* Its functions; all are NULL where it is not loaded. */
struct isal {
	void (*deflate_init)(struct isal_zstream *z);
	int (*deflate_set_dict)(struct isal_zstream *z, uint8_t *bytes,
				uint32_t n);
	int (*deflate)(struct isal_zstream *z);
};

/* false: not there, for a reason that follows its name, or out of memory. */
bool isal_load(struct isal *l, struct error *err);

/*
 * The functions of deflate.h for a part of a stream, in memory
 * [DEFLATE_MEMORY]; its n bytes must suffice, as deflate_room() does.
 */
void isal_begin(const struct isal *l, void *memory, unsigned char *to,
		size_t n);
void isal_before(const struct isal *l, void *memory, const void *bytes,
		 size_t n);
void isal_bytes(const struct isal *l, void *memory, const void *bytes,
		size_t n);
size_t isal_end(const struct isal *l, void *memory, bool last);

#endif
