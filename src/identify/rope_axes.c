/* rope_axes.c: RoPE along the axes of images and videos, as models have it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/conventions.h"

/* Try a convention with more options in forms of the table from one on. */
static bool try_forms(struct search *s, const struct convention *v,
		      const char *more, int form)
{
	/* Without a name, pairs matter in the order of full columns only. */
	const bool full = !v->named && strcmp(v->pairs, "interleaved") == 0;

	for (int k = full ? COS_FULL : form; k < (full ? COSSIN : FORMS); k++)
		if (may_have_form(s->profile, k) &&
		    try_form(s, v->options, more, k))
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
		{ !v->named, " start=1" },
		{ !v->named, " start=0.5" },
		{ !v->named, " emulate=bf16-freqs" },
		{ !v->named, " emulate=fp16-freqs" },
	};
	char more[160], grid[GRID_ROOM];

	grid_options(c, grid);
	for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
		snprintf(more, sizeof more, "%s%s", grid, ways[k].more);
		if (ways[k].has && try_forms(s, v, more, COS))
			return true;
	}
	return false;
}

void identify_rope_axes(struct search *s)
{
	const struct profile *p = s->profile;
	struct convention v;
	char len[40];

	if (p->integers || p->n < 3 || p->cols < 3)
		return;
	snprintf(len, sizeof len, "len=%zu", p->n);
	for (size_t k = 0; convention_read(s, k, &v); k++)
		/* A column for each pair is also a part of a sinusoid. */
		if (v.order[0] ? convention_try(s, &v, try_cells)
			       : try_forms(s, &v, len,
					   s->n ? COS_FULL : COS))
			return;
}
