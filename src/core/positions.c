/* positions.c: the positions that rows stand for. */
#include <math.h>

#include "core/positions.h"

double position_at(const struct positions *p, size_t i)
{
	return p->positions.at ? p->positions.at[i]
			       : fma((double)i, p->step, p->start);
}

bool positions_shape(const struct positions *p, struct table *t,
		     struct error *err)
{
	if (!p->len && !p->positions.at)
		return fail(err, "--len N is missing (or --positions LIST)");
	if (!p->positions.at &&
	    fabs(position_at(p, p->len - 1)) > POSITION_MOST)
		return fail(err, "--len %zu with --start %.17g and --step "
			    "%.17g passes position 2^53, where positions stop "
			    "being exact", p->len, p->start, p->step);
	for (size_t i = 0; p->positions.at && i < p->positions.n; i++)
		if (fabs(p->positions.at[i]) > POSITION_MOST)
			return fail(err, "--positions must be from -2^53 to "
				    "2^53, not %.17g", p->positions.at[i]);
	t->rows = p->positions.at ? p->positions.n : p->len;
	t->down = (struct axis){ .name = "position", .first = p->start,
				 .step = p->step, .at = p->positions.at };
	return true;
}
