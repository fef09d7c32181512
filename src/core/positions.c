/* positions.c: the positions that rows stand for. */
#include <math.h>

#include "core/positions.h"

double position_at(const struct positions *p, size_t i)
{
	return p->positions.at ? p->positions.at[i]
			       : fma((double)i, p->step, p->start);
}

/* Whether the last one, before any rounding, is one that doubles tell apart. */
static bool ends_exact(const struct positions *p)
{
	return fabsl((long double)(p->len - 1) * (long double)p->step +
		     (long double)p->start) <= (long double)POSITION_MOST;
}

bool positions_shape(const struct positions *p, struct table *t,
		     struct error *err)
{
	if (!p->len && !p->positions.at)
		return fail(err, "--len N is missing (or --positions LIST)");
	if (!p->positions.at && !ends_exact(p))
		return fail(err, "%zu positions from --start %.17g by --step "
			    "%.17g pass 2^53, where positions stop being exact",
			    p->len, p->start, p->step);
	for (size_t i = 0; p->positions.at && i < p->positions.n; i++)
		if (fabs(p->positions.at[i]) > POSITION_MOST)
			return fail(err, "--positions must be from -2^53 to "
				    "2^53, not %.17g", p->positions.at[i]);
	t->rows = p->positions.at ? p->positions.n : p->len;
	t->down = (struct axis){ .name = "position", .first = p->start,
				 .step = p->step, .at = p->positions.at };
	return true;
}
