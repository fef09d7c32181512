/* gather.c: numbers of a table whose count shows while they come. */
#include "formats/gather.h"

bool gather_room(struct gather *g, size_t n, struct error *err)
{
	size_t most, room;

	if (n <= g->room - g->n)
		return true;
	most = in_memory_size() / sizeof *g->at;
	if (n > most || g->n > most - n)
		return fail_file(err, g->in->path, "more numbers than this "
				 "machine has memory for");
	room = g->n + n < 2 * g->room ? 2 * g->room : g->n + n;
	if (room > most)
		room = most;
	g->at = table_grow(g->t, g->at, room, sizeof *g->at, err);
	g->room = g->at ? room : 0;
	return g->at;
}
