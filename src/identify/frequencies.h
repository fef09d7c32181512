/*
 * frequencies.h: frequencies of sine and cosine pairs measured from a table,
 * the geometric series that they form, and positions of rows.
 */
#ifndef FREQUENCIES_H
#define FREQUENCIES_H

#include "exact/turns.h"
#include "identify/profile.h"

/* Phase a less whole turns: in [-pi, pi]. */
double wrap_phase(double a);

/* Which columns are pairs of a sine and a cosine. */
struct pair_layout {
	size_t pairs;
	size_t stride, gap;    /* pair k: columns k stride, k stride + gap; 2
				  and 1, or 1 and any */
	bool cosine_first;
	bool negated;
	double amp;            /* amplitude of all pairs, */
	double amp_error;      /* and its relative error */
	double slack;          /* of phases, whose arithmetic was less exact
				  than values are */
};

/* The phase of pair k in row i, and an upper bound of its rounding error. */
double pair_phase(const struct pair_layout *layout, const struct profile *p,
		  size_t i, size_t k, double *error);

/*
 * Whether all pairs have one amplitude, up to rounding, in row first and in all
 * rows that are not zero; sets layout->amp and its error.
 */
bool pairs_circular(struct pair_layout *layout, const struct profile *p,
		    size_t first);

/*
 * Whether there are several pairs and rows, and most angles of the first rows
 * are not multiples of pi / 4: there, any two values that are equal, or of
 * which one is 0, are a sine and a cosine.
 */
bool pairs_have_angles(const struct pair_layout *layout,
		       const struct profile *p);

/*
 * Refine the frequency w by the phase that a pair gains over lag positions,
 * known up to whole turns. Changes nothing if w is too uncertain to count the
 * turns, or the phase to improve w.
 */
void refine_frequency(double *w, double *error, double lag, double phase,
		      double phase_error);

/*
 * Measure the frequency of each pair, in radians per row, to w and error
 * [pairs]: by the phases of row first and of rows further and further from it.
 * Frequencies above pi may lack whole turns.
 */
void measure_frequencies(const struct pair_layout *layout,
			 const struct profile *p, size_t first, double *w,
			 double *error);

/* Relative error of a series' parameters that double arithmetic leaves. */
#define SERIES_ERROR 0x1p-44

/* The geometric series w_k = first e^(-k decay). */
struct series {
	double first, first_error;     /* relative error */
	double decay, decay_error;
	double tolerance;      /* relative error of each w besides its own */
};

/* The tolerance for arithmetic before the table was rounded. */
double series_tolerance(const struct profile *p);

/*
 * Fit a series, its tolerance set, to the frequencies w [n]; whole turns that
 * some lack are added to w. Fails if they form no series. A single w is a
 * series of decay 0.
 */
bool series_fit(struct series *series, double *w, const double *error,
		size_t n);

/*
 * The position p at which p w_k equals phase [n] up to whole turns; the slowest
 * pair lacks exactly turns of them. p_error bounds the error of p, that of the
 * first frequency included; the decay is that of a base, without error. Fails
 * if the phases disagree.
 */
bool series_position(const struct series *series, const double *phase,
		     const double *error, size_t n, double turns, double *p,
		     double *p_error);

#define USUAL_BASE 10000.0

/* A base and its denominator: w_k = value^(-k / d). */
struct base {
	char denom[32];        /* the option's text: "half-1" */
	double value, d;
	int digits;            /* significant digits of the value */
};

enum { MAX_BASES = 4 };

/* The series of a base for positions that are integers: first is 1. */
struct series series_of_base(const struct profile *p, double base, double d);

/*
 * Find bases, each with a denominator, that give the series; returns how many.
 * Only both together are determined: the pairs with the roundest bases are
 * taken, within a multiple of the error of the series; or all, if that is 0.
 * round_up: an odd number of columns counts as one more.
 */
size_t series_bases(const struct series *series, double within, size_t cols,
		    bool round_up, struct base bases[MAX_BASES]);

#endif
