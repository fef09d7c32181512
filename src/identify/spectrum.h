/*
 * spectrum.h: the frequency and phase of each column of a table, and the series
 * that the frequencies form, whatever the order and signs of the columns.
 */
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

/*
 * All columns together: column j is amp cos(a e^(-decay k[j]) - q[j] pi / 2),
 * where row i has the angle a = start + step i.
 */
struct comb {
	double x[4];           /* amp, start, step, decay */
	double error[4];       /* their standard deviations */
	double left;           /* root mean square of what the fit leaves */
};

enum { COMB_AMP, COMB_START, COMB_STEP, COMB_DECAY };

/* Which wave a column is; quarter -1: none. */
struct comb_column {
	size_t k;
	int quarter;           /* 0: cosine, 1: sine, 2 and 3: negative ones */
};

/*
 * Refine a comb, known well enough to count turns, by a sample of all values;
 * free [4] tells which parameters may change. False if that does not converge.
 */
bool comb_fit(struct comb *c, const struct profile *p,
	      const struct comb_column *columns, const bool free[4]);

/*
 * Set a parameter of a comb to the middle of the interval in which the others
 * make all values but for rounding, error to half its length; false: there is
 * none.
 */
bool comb_narrow(struct comb *c, const struct profile *p,
		 const struct comb_column *columns, int which);

/* Sort tones [n], the fastest first, one of each w; how many are left. */
size_t distinct_tones(struct tone *tones, size_t n);

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
