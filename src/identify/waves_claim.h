/* waves_claim.h: options of a sinusoid, claimed. */
#ifndef WAVES_CLAIM_H
#define WAVES_CLAIM_H

#include "identify/laws.h"
#include "identify/waves.h"

#define TURN 6.283185307179586

/* What goes into the options besides the reading. */
struct knobs {
	const struct law *law;
	double start, step, scale;
	double amp, amp_sqrt;
	bool fewer;             /* of an odd dim, a column is left out */
	const char *positions;  /* a list in place of start and step, or NULL */
	double zero;            /* the position of a row of zeros */
};

/* The amplitude as people choose it, or the roundest number near, to k. */
void waves_amp(const struct hunt *h, const struct waves *w, struct knobs *k);

/* Claim it; false, too, where it has as many odd numbers as the table. */
bool waves_claim(struct hunt *h, const struct waves *w,
		 const struct knobs *k);

#endif
