/* threads.c: blocks of rows without threads, which a page has none of. */
#include <stdlib.h>

#include "table/blocks.h"
#include "table/table.h"

bool blocks_run(const struct blocks *b, size_t threads, struct error *err)
{
	/* In one block, whose parts begin where vectors may */
	const size_t bytes = (b->bytes + 63) / 64 * 64;
	unsigned char *room = malloc(bytes + b->scratch + 1);
	bool going = true;

	(void)threads;
	if (!room)
		return fail(err, "out of memory");
	for (size_t i = b->begin; going && i < b->end; i += b->rows) {
		const size_t left = b->end - i, n = b->make(b->self, i,
			left < b->rows ? left : b->rows, room + bytes, room);

		going = !b->take || b->take(b->taker, room, n);
	}
	free(room);
	return true;
}
