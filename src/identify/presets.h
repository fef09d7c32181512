/* presets.h: whose conventions a table follows. */
#ifndef PRESETS_H
#define PRESETS_H

#include "identify/hunt.h"

/*
 * Whether the preset of the match's recipe makes the same table, with the
 * match's length, width and positions. Fails only for want of memory.
 */
bool preset_matches(const struct match *m, const char *preset,
		    struct error *err);

#endif
