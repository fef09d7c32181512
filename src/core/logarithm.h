/* logarithm.h: logarithms that are the same on every machine. */
#ifndef LOGARITHM_H
#define LOGARITHM_H

/*
 * The natural logarithm of a / b, both positive and normal, as is a / b. The
 * error before it is rounded is below 2^-70 of it: but for one in 2^16, it is
 * the double nearest to the exact value.
 */
double log_ratio(double a, double b);

#endif
