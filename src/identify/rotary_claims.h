/* rotary_claims.h: bases and scalings that make RoPE's frequencies. */
#ifndef ROTARY_CLAIMS_H
#define ROTARY_CLAIMS_H

#include "identify/hunt.h"
#include "identify/rotary.h"

/* Claim what makes the frequencies that were measured. */
void rotary_claim(struct hunt *h, struct rotary *r);

/* Claim usual bases at positions of any kind: row 1 need not be position 1. */
void rotary_claim_usual(struct hunt *h, struct rotary *r);

#endif
