/*
 * divisors.h: which scaling divides the frequency of each rotary pair by such
 * numbers. Converters write them instead of the scaling: llama.cpp's has
 * rope_freqs.weight for Llama 3, rope_factors_long.weight for longrope.
 */
#ifndef DIVISORS_H
#define DIVISORS_H

#include <stdbool.h>
#include <stddef.h>

enum divisors_kind {
	DIVISORS_LIST,     /* no scaling that is known: longrope's, or wrong */
	DIVISORS_NONE,     /* all are 1 */
	DIVISORS_LINEAR,   /* all are factor */
	DIVISORS_LLAMA3,
};

/* A list of divisors, and the scaling that makes it. */
struct divisors {
	const double *x;       /* [pairs], the fastest pair first */
	size_t pairs;
	double base;           /* of the frequencies */
	double within;         /* relative error that rounding left in x */

	/* What divisors_find() sets: */
	enum divisors_kind kind;
	double factor;         /* of linear and llama3 */
	double original, low, high;  /* of llama3; of a list: those of the
					nearest llama3, if near */
	bool near;             /* a list: half of it at least is about what
					llama3 makes */
};

/*
 * Find the scaling of x [pairs], all above 0; x, pairs, base and within are
 * given. Only llama3 depends on the base.
 */
void divisors_find(struct divisors *d);

/* The divisor of pair k by llama3 with the parameters of d. */
double divisors_llama3(const struct divisors *d, size_t k);

/*
 * Whether x[k] is that, up to within and the float32 arithmetic of converters.
 */
bool divisors_agree(const struct divisors *d, size_t k);

/* How many pairs do not agree. */
size_t divisors_differ(const struct divisors *d);

/*
 * The base, measured by the pairs between that llama3 scales in part, with an
 * error of about 1e-4 of it; 0: they are too few, or are not llama3's.
 */
double divisors_base(const struct divisors *d);

enum { DIVISORS_TEXT = 128 };

/*
 * The scaling as --scaling takes it: "none", "linear:4", "llama3:8,8192"; of a
 * list, "longrope:@FILE". Written to text, which is returned.
 */
const char *divisors_text(const struct divisors *d, char text[DIVISORS_TEXT]);

#endif
