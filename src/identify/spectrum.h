/* spectrum.h: the frequency and phase of each column of a table. */
#ifndef SPECTRUM_H
#define SPECTRUM_H

#include "identify/profile.h"

/* Relative error of a frequency that other arithmetic leaves. */
#define TONE_ERROR 1e-5

/* Column j as amp cos(w t + phase) of row t. */
struct tone {
	double c;        /* 2 cos w, as x[t+1] + x[t-1] = c x[t] */
	double off;      /* what that leaves: squares relative to those of x */
	double rms;      /* of the column */
	bool fast;       /* the column turns enough to be measured: */
	double w, phase, amp;
	double error;    /* of w */
	double left;     /* root mean square of what the sine leaves */
};

/*
 * Measure all columns to tones [cols]; returns how many are fast, or 0 as soon
 * as one leaves more than most.
 */
size_t measure_tones(const struct profile *p, double most, struct tone *tones);

/*
 * The same from row first on, of slow columns, too, as far as the amplitude of
 * the fast ones tells them; 0 if a column is no wave.
 */
size_t measure_all(const struct profile *p, size_t first, double most,
		   struct tone *tones);

/* That of a profile under noise, whatever noise is assumed. */
struct spectrum {
	struct tone *tones;    /* [cols] */
	size_t first;          /* row */
	bool known;
};

/* The mean frequency of two columns, negative if they turn backwards. */
double pair_frequency(const struct tone *cosine, const struct tone *sine,
		      double *error);

/* Its tones from row first on, or NULL. */
const struct tone *spectrum_of(const struct profile *p, size_t first);

/* Sort tones [n], the fastest first, one of each w; how many are left. */
size_t distinct_tones(struct tone *tones, size_t n);

enum { MOST_UNKNOWNS = 4 };

/*
 * Solve a x = b of n unknowns, of a positive definite matrix with b behind each
 * row; false if a pivot is no more than a share least of what it was.
 */
bool solve_equations(double a[MOST_UNKNOWNS][MOST_UNKNOWNS + 1], size_t n,
		     double least, double *x);

#endif
