/* precise.h: sine and cosine by series, to well over 200 bits. */
#ifndef PRECISE_H
#define PRECISE_H

#include "core/turns.h"

/*
 * How 53 bits are made of more. To odd: cut, the last bit is set where anything
 * was cut. Such a double rounds to any shorter format as the exact value does
 * (Boldo and Melquiond 2008, "Emulation of FMA and correctly rounded sums").
 */
enum rounding { TO_NEAREST, TO_ODD };

/* Sine and cosine of a position, from 0 on, times frequency k. */
void precise_sincos(const struct turns *t, size_t k, double position,
		    enum rounding rounding, double *sine, double *cosine);

#endif
