/*
 * emulation.h: sines and cosines by other programs' arithmetic: the same
 * operations in the same order, each rounded to single precision, elementary
 * functions correctly. The programs' own libraries are off by a unit in the
 * last place now and then, and differ from one machine to the next.
 */
#ifndef EMULATION_H
#define EMULATION_H

#include "core/turns.h"

enum emulation_way {
	EXACT, TORCH_EXP, TORCH_POW, TORCH_DIV, KERAS, FAIRSEQ, T2T_SIGNAL,
	DIFFUSERS_TIMESTEP, X_TRANSFORMERS, NUMPY64,
};

/* The words of --emulate; ends with NULL. */
extern const char *const emulation_words[];

struct emulation {
	int way;
	double scale;           /* of every angle */
	double *by;             /* [n]: frequencies, or periods to divide by */
	double most;            /* the greatest angle for a position */
	struct turns radian;    /* the frequency 1 */
};

/*
 * For n > 0 frequencies scale * base^(-k / denominator), the denominator not 0.
 * Memory is t's. Fails where single precision does not reach. Positions times
 * most must not pass 2^53.
 */
bool emulation_begin(struct emulation *e, int way, size_t n, double base,
		     double denominator, double scale, struct table *t,
		     struct error *err);

/* Sine and cosine [n] of a position at the frequencies from the k-th on. */
void emulation_sincos(const struct emulation *e, size_t k, size_t n,
		      double position, double *sine, double *cosine);

#endif
