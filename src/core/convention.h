/*
 * convention.h: what tables of sines and cosines differ in, and the options
 * that say: frequencies, layout of the columns, odd dims.
 */
#ifndef CONVENTION_H
#define CONVENTION_H

#include "core/option.h"
#include "core/wave.h"

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
	bool full_turns;     /* the frequency is in turns, not in radians */
};

extern const char *const convention_layouts[];
extern const char *const convention_denoms[];
extern const char *const convention_firsts[];
extern const char *const convention_odds[];

/* The rows of options for a struct that has a struct convention at offset. */
#define CONVENTION_OPTIONS(offset)                                      \
	{ OPTION_IN(offset, struct convention, dim),                    \
	  .min = 1, .max = 1048576,                                     \
	  .required = true, .arg = "D", .help = "columns" },            \
	{ OPTION_IN(offset, struct convention, base),                   \
	  .initial = "10000", .min = 1e-300, .max = 1e300, .arg = "B",  \
	  .help = "the geometric base of the wavelengths" },            \
	{ OPTION_IN(offset, struct convention, layout),                 \
	  .initial = "interleaved", .words = convention_layouts,        \
	  .arg = "NAME",                                                \
	  .help = "sin and cos by turns, or sines then cosines" },      \
	{ OPTION_IN(offset, struct convention, denom),                  \
	  .initial = "dim", .words = convention_denoms, .arg = "NAME",  \
	  .help = "the exponent's denominator: 2k/dim, k/half, "        \
		  "k/(half-1), k/max(half-1,1), k/(half-S)" },          \
	{ OPTION_IN(offset, struct convention, first),                  \
	  .initial = "sin", .words = convention_firsts, .arg = "NAME",  \
	  .help = "which comes first" },                                \
	{ OPTION_IN(offset, struct convention, odd), .initial = "sine", \
	  .words = convention_odds, .arg = "RULE",                      \
	  .help = "an odd --dim: the formula per column (sine), a "     \
		  "last column of zeros (zero), dim + 1 in the formula " \
		  "(round-up), a column fewer, or an error" },          \
	{ OPTION_IN(offset, struct convention, angle_scale),            \
	  .initial = "1", .min = -1e300, .max = 1e300,                  \
	  .arg = "S", .help = "factor of every angle" },                \
	{ OPTION_IN(offset, struct convention, full_turns),             \
	  .help = "angles are in turns: 2 pi times as large" }

/* What k is divided by; it may be 0. */
double convention_denominator(const struct convention *c);

/* The wave of a convention; its memory is t's. Fails where there is none. */
bool convention_wave(const struct convention *c, struct wave *w,
		     struct table *t, struct error *err);

#endif
