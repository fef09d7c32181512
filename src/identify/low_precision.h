/*
 * low_precision.h: tables whose frequencies, positions or angles were rounded
 * to bfloat16 or float16 before the sine.
 */
#ifndef LOW_PRECISION_H
#define LOW_PRECISION_H

#include "identify/identify.h"

/* Whether a value of --emulate rounds to bfloat16 or float16. */
bool is_low_precision(const char *emulation);

/* What a command of low precision rounds, and from where on it matters. */
struct low_precision {
	char words[64];        /* "positions rounded to bfloat16" */
	size_t positions;      /* how many were compared: 0, 1, 2, ... */
	size_t visible, harmful;  /* the first whose row is off by more than
				  0.001 and 0.1 of the amplitude; positions:
				  there is none */
};

/*
 * Compare the tables of a recipe with and without the rounding that its options
 * name, "dim=32 emulate=bf16-all". False if they name none, or if memory runs
 * out, which is noted in err.
 */
bool low_precision_of(struct low_precision *l, const char *recipe,
		      const char *options, struct error *err);

/* Add it to a report about the match, and to the headline. */
void report_low_precision(const struct match *m, struct report *r);

#endif
