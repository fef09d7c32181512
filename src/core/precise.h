/* precise.h: sine and cosine by series, to well over 200 bits. */
#ifndef PRECISE_H
#define PRECISE_H

#include "core/turns.h"

/*
 * Sine and cosine of a position, from 0 on, times frequency k, each rounded to
 * odd: cut to 53 bits, the last of which is set where anything was
 * cut. Such a double rounds to any shorter format as the exact value does
 * (Boldo and Melquiond 2008, "Emulation of FMA and correctly rounded sums").
 */
void precise_sincos(const struct turns *t, size_t k, double position,
		    double *sine, double *cosine);

#endif
