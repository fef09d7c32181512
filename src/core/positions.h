/* positions.h: the positions that rows stand for, and the options that say. */
#ifndef POSITIONS_H
#define POSITIONS_H

#include "core/option.h"

/* start, start + step, ... len of them; or those of a list. */
struct positions {
	size_t len;
	double start, step;
	struct list positions;
};

/* The greatest magnitude: beyond it doubles skip whole numbers. */
#define POSITION_MOST 0x1p53

/* The rows of options for a struct that has a struct positions at offset. */
#define POSITIONS_OPTIONS(offset)                                       \
	{ OPTION_IN(offset, struct positions, len),                     \
	  .min = 1, .max = POSITION_MOST,                               \
	  .arg = "N", .help = "positions, a row each" },                \
	{ OPTION_IN(offset, struct positions, start), .initial = "0",   \
	  .min = -POSITION_MOST, .max = POSITION_MOST,                  \
	  .arg = "P", .help = "position of the first row" },            \
	{ OPTION_IN(offset, struct positions, step), .initial = "1",    \
	  .min = -POSITION_MOST, .max = POSITION_MOST,                  \
	  .arg = "S", .help = "from each position to the next" },       \
	{ OPTION_IN(offset, struct positions, positions),               \
	  .arg = "LIST|@FILE|-", .help = "these positions, in place "   \
		  "of --len, --start and --step" }

/* The position of row i. */
double position_at(const struct positions *p, size_t i);

/* Give t a row for each. Fails where none is given or one is too far. */
bool positions_shape(const struct positions *p, struct table *t,
		     struct error *err);

#endif
