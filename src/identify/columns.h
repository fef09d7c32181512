/*
 * columns.h: the frequency and phase of each column of a table, and the series
 * that the frequencies form, whatever the order and signs of the columns.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

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

/* The distinct frequencies of fast columns: first e^(-i decay). */
struct progression {
	size_t n;        /* how many there are */
	double first, first_error;
	double decay, decay_error;
	double amp;      /* mean amplitude of fast columns */
};

/*
 * Measure all columns to tones [cols]; returns how many are fast, or 0 as soon
 * as one leaves more than most.
 */
size_t measure_tones(const struct profile *p, double most, struct tone *tones);

/*
 * Fit a progression to the fast of the tones [n], one at least; sorted [n] is
 * room. Fails if their frequencies or amplitudes form none.
 */
bool fit_progression(struct progression *g, const struct tone *tones, size_t n,
		     struct tone *sorted);

#endif
