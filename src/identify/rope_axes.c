/* rope_axes.c: RoPE along the axes of images and videos, as models have it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/conventions.h"

/* Try a preset with more options in each form of the table from one on. */
static bool try_forms(struct search *s, const char *preset, const char *more,
		      int form)
{
	for (int k = form; k < FORMS; k++)
		if (may_have_form(s->profile, k) &&
		    try_form(s, preset, more, k))
			return true;
	return false;
}

/* Try a preset, and what its project also has, on the cells. */
static bool try_cells(struct search *s, const struct convention *v,
		      const struct cells *c)
{
	const struct {
		bool has;
		const char *more;
	} ways[] = {
		{ true, "" },
		{ strcmp(v->coords, "separate") == 0, " coords=min" },
		{ strcmp(v->coords, "separate") == 0, " coords=max" },
		{ strcmp(v->spacing, "alternating") == 0,
		  " pairs=interleaved" },
	};
	char more[160], grid[GRID_ROOM];

	grid_options(c, grid);
	for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
		snprintf(more, sizeof more, "%s%s", grid, ways[k].more);
		if (ways[k].has && try_forms(s, v->name, more, COS))
			return true;
	}
	return false;
}

void identify_rope_axes(struct search *s)
{
	const struct profile *p = s->profile;
	const struct recipe *rope = recipe_find("rope", s->err);
	struct convention v;
	char len[40];

	if (p->integers || p->n < 3 || p->cols < 3)
		return;
	snprintf(len, sizeof len, "len=%zu", p->n);
	for (const struct preset *r = rope->presets; r->name; r++) {
		if (!convention_read(s, rope, r, &v))
			return;
		/* A column for each pair is also a part of a sinusoid. */
		if (v.order[0] ? convention_try(s, &v, try_cells)
			       : try_forms(s, v.name, len,
					   s->n ? COS_FULL : COS))
			return;
	}
}
