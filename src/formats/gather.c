/* gather.c: numbers of a table whose count shows while they come. */
#include <math.h>

#include "core/parse.h"
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
	g->at[g->n++] = d->single && isfinite(d->x) && !g->doubles
			? lean(text, d->x) : d->x;
	if (!g->lost && d->whole && fabs(d->x) < 0x1p64 &&
	    !parse_held(text, d->x))
		g->lost = g->n;
	g->broken |= !d->whole;
	g->wide |= !d->single;
	return true;
}

bool gather_dtype(const struct gather *g, enum dtype *d, struct error *err)
{
	const size_t cols = g->t->cols, last = g->lost - 1;
	double most = 0;

	if (g->lost && !g->broken)
		return fail_file(err, g->in->path, "row %zu, column %zu is a "
				 "whole number that no double holds",
				 last / cols, last % cols);
	for (size_t i = 0; !g->broken && i < g->n; i++)
		most = fmax(most, fabs(g->at[i]));
	*d = !g->broken && most < 0x1p31 ? I32 :
	     !g->broken && most < 0x1p53 ? I64 :
	     g->wide || g->doubles ? F64 : F32;
	return true;
}
