/* kernel.h: ln(1 + r d), as KERPLE and FIRE have of the distance d. */
#ifndef KERNEL_H
#define KERNEL_H

/*
 * The r of a kernel that grows by ratio from distance 1 to the distance given,
 * which falls with r; between 1e-6 and 1e6.
 */
double kernel_of_growth(double ratio, double distance);

#endif
