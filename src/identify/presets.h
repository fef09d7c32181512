/* presets.h: whose conventions a table follows. */
#ifndef PRESETS_H
#define PRESETS_H

#include "identify/hunt.h"

/*
 * Whether the preset of the match's recipe makes the same table, with the
 * match's length, width and positions.
 */
bool preset_matches(const struct match *m, const char *preset);

#endif
