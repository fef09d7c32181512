/*
 * convention.h: the conventions in which published tables of sines and cosines
 * differ, as options: frequencies, layout of the columns, odd dims.
 */
#ifndef CONVENTION_H
#define CONVENTION_H

#include "recipe/option.h"
#include "waves/wave.h"

enum layout { INTERLEAVED, SPLIT };
enum denom { DENOM_DIM, DENOM_HALF, DENOM_HALF_1, DENOM_T2T, DENOM_SHIFT };
enum odd { ODD_SINE, ODD_ZERO, ODD_ROUND_UP, ODD_FEWER, ODD_ERROR };

/* Frequency k is angle_scale * base^(-k / denominator). */
struct convention {
	size_t dim;
	double base;
	int layout;
	struct pick denom;
	int first, odd;
	double angle_scale;
	bool full_turns;     /* frequencies are in turns instead of radians */
};

extern const char *const convention_layouts[];
extern const char *const convention_denoms[];
extern const char *const convention_denom_meanings[];
extern const char *const convention_denom_phrases[];
extern const char *const convention_firsts[];
extern const char *const convention_odds[];
extern const char *const convention_odd_meanings[];
extern const char *const convention_odd_phrases[];

/* Option rows for a struct that has a struct convention at offset. */
#define CONVENTION_OPTIONS(offset) CONVENTION_OPTIONS_OR(offset, NULL)

/* The same, where an option named other may replace --dim. */
#define CONVENTION_OPTIONS_OR(offset, other)                            \
	{ OPTION_IN(offset, struct convention, dim),                    \
	  .role = ROLE_COLUMNS, .min = 1, .max = 1048576,               \
	  .one = "dimension", .many = "dimensions",                     \
	  .required = true, .unless = (other), .arg = "D",              \
	  .help = "number of columns" },                                \
	{ OPTION_IN(offset, struct convention, base), .stated = "",     \
	  .initial = "10000", .min = 1e-300, .max = 1e300, .arg = "B",  \
	  .help = "base (theta) of the geometric series of "            \
		  "frequencies" },                                      \
	{ OPTION_IN(offset, struct convention, layout),                 \
	  .initial = "interleaved", .words = convention_layouts,        \
	  .arg = "NAME",                                                \
	  .help = "column order: sines and cosines alternate "          \
		  "(interleaved), or one block of each (split)" },      \
	{ OPTION_IN(offset, struct convention, denom),                  \
	  .initial = "dim", .words = convention_denoms,                 \
	  .meanings = convention_denom_meanings,                        \
	  .phrases = convention_denom_phrases, .arg = "NAME",           \
	  .help = "divisor in frequency[k] = base^(-k/divisor), with "  \
		  "half = floor(dim/2)" },                              \
	{ OPTION_IN(offset, struct convention, first),                  \
	  .initial = "sin", .words = convention_firsts, .arg = "NAME",  \
	  .help = "function that comes first, sine or cosine" },        \
	{ OPTION_IN(offset, struct convention, odd), .initial = "sine", \
	  .words = convention_odds,                                     \
	  .meanings = convention_odd_meanings,                          \
	  .phrases = convention_odd_phrases, .arg = "RULE",             \
	  .help = "what to do if --dim is odd" },                       \
	{ OPTION_IN(offset, struct convention, angle_scale),            \
	  .phrase = "angles times %",                                   \
	  .initial = "1", .min = -1e300, .max = 1e300,                  \
	  .arg = "S", .help = "factor of every angle" },                \
	{ OPTION_IN(offset, struct convention, full_turns),             \
	  .phrase = "angles in full turns",                             \
	  .help = "multiply every angle by 2 pi" }

/* The denominator of the exponent of frequency k; it may be 0. */
double convention_denominator(const struct convention *c);

/*
 * Set w to the wave of a convention; memory is owned by t. Fails if --dim and
 * --odd or --denom do not fit.
 */
bool convention_wave(const struct convention *c, struct wave *w,
		     struct table *t, struct error *err);

#endif
