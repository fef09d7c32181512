/* gather.c: numbers of a table whose count shows while they come. */
#include <math.h>

#include "formats/gather.h"

bool gather_room(struct gather *g, size_t n, struct error *err)
{
	const size_t needed = g->n + n;
	size_t most, twice, room;

	if (needed <= g->room)
		return true;
	most = in_memory_size() / sizeof *g->at;
	if (needed > most)
		return fail_file(err, g->in->path, "more numbers than this "
				 "machine has memory for");
	twice = 2 * g->room < most ? 2 * g->room : most;
	room = needed < twice ? twice : needed;
	g->at = table_grow(g->t, g->at, room, sizeof *g->at, err);
	g->room = g->at ? room : 0;
	return g->at;
}

/* x, leaning as its digits do where it is half way between two float32. */
static double lean(const char *text, double x)
{
	const double y = decimal_single(text, x);

	return y > (double)(float)x ? nextafter(x, HUGE_VAL) :
	       y < (double)(float)x ? nextafter(x, -HUGE_VAL) : x;
}

bool gather_decimal(struct gather *g, const struct decimal *d,
		    const char *text, struct error *err)
{
	if (!gather_room(g, 1, err))
		return false;
	g->at[g->n++] = d->single && isfinite(d->x) ? lean(text, d->x) : d->x;
	g->broken |= !d->whole;
	g->wide |= !d->single;
	return true;
}

enum dtype gather_dtype(const struct gather *g)
{
	double most = 0;

	for (size_t i = 0; !g->broken && i < g->n; i++)
		most = fmax(most, fabs(g->at[i]));
	return !g->broken && most < 0x1p31 ? I32 :
	       !g->broken && most < 0x1p53 ? I64 : g->wide ? F64 : F32;
}
