/* logarithm.h: a natural logarithm with the same bits on every machine. */
#ifndef LOGARITHM_H
#define LOGARITHM_H

/*
 * The natural logarithm of a / b; a, b and a / b are positive and normal. The
 * relative error before the final rounding is below 2^-70, so that all but
 * about one in 2^16 results are correctly rounded.
 */
double log_ratio(double a, double b);

/*
 * ln(1 + a b), a and b at least 0, a b below 2^1000: no digits of a small
 * product are lost.
 */
double log_one_plus(double a, double b);

#endif
