/* rope_scaling.h: rotary frequencies stretched for longer contexts. */
#ifndef ROPE_SCALING_H
#define ROPE_SCALING_H

#include "core/list.h"
#include "core/turns.h"

enum scaling_kind {
	SCALING_NONE, SCALING_LINEAR, SCALING_NTK, SCALING_DYNAMIC,
	SCALING_YARN, SCALING_LLAMA3, SCALING_LONGROPE, SCALING_PROPORTIONAL,
};

/* Which law, and its parameters by the names that --scaling gives them. */
struct scaling {
	int kind;
	const char *name;      /* of the kind */
	double factor;         /* F, from the original context to the new */
	double original;       /* L, the original context; 0: not given */
	double fast, slow;     /* turns within L: yarn keeps, divides */
	double truncate;       /* whether yarn's bounds are whole */
	double mscale, mscale_all_dim;
	double low, high;      /* L in wavelengths: llama3 divides, keeps */
	double attention_factor;  /* of cosines and sines; 0: the law's own */
	struct list near, far; /* divisors up to L and beyond (longrope) */
};

/* What the laws need to know of the frequencies that they change. */
struct rotary {
	double base;
	size_t pairs;          /* base^(-k / pairs), k below pairs */
	size_t turning;        /* of these, from the first on */
	double extent;         /* the greatest position + 1 */
};

/* "yarn:4,2048,fast=16", or NULL for none, to s; lists are owner's. */
bool scaling_read(struct scaling *s, const char *text, struct table *owner,
		  struct error *err);

/* Change the frequencies [pairs]. */
bool scaling_change(const struct scaling *s, const struct rotary *r,
		    struct turns *turns, struct error *err);

/* What cosines and sines are multiplied by. */
double scaling_attention(const struct scaling *s);

#endif
