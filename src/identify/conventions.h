/* conventions.h: presets of rope that rotate along axes, tried on a table. */
#ifndef CONVENTIONS_H
#define CONVENTIONS_H

#include "identify/axes.h"
#include "identify/identify.h"

/* What a preset says of grids. */
struct convention {
	const char *options;   /* "preset=dinov3", or all that it says */
	bool named;            /* it is a preset's */
	char order[2 * AXES_MOST]; /* "t,y,x"; empty: of one dimension */
	char coords[16], pairs[16], spacing[16], text_ids[8];
	size_t merge, cls;
	double base;
};

/*
 * Read the k-th convention: plain ones in all orders of axes and pairs, then
 * the presets of rope. False behind the last, or if memory is short.
 */
bool convention_read(struct search *s, size_t k, struct convention *v);

/* Tries a preset on cells; whether the search is at its end. */
typedef bool try_function(struct search *s, const struct convention *v,
			  const struct cells *c);

/*
 * Try a preset on cells of all shapes that the table may have: in all rows, or
 * behind text tokens.
 */
bool convention_try(struct search *s, const struct convention *v,
		    try_function *try);

/* Whether the table may have this form. */
bool may_have_form(const struct profile *p, int form);

/* Try a convention with more options in a form; whether it is exact. */
bool try_form(struct search *s, const char *options, const char *more,
	      int form);

enum { GRID_ROOM = 120 };

/* "grid=4x6 text=5", written to text, which is returned. */
const char *grid_options(const struct cells *c, char text[GRID_ROOM]);

#endif
