/* kernel.c: ln(1 + r d), as KERPLE and FIRE have of the distance d. */
#include <math.h>

#include "exact/logarithm.h"
#include "identify/kernel.h"

/* The kernel relative to its value at distance 1. */
static double growth(double r, double distance)
{
	return log_one_plus(r, distance) / log_one_plus(r, 1);
}

double kernel_of_growth(double ratio, double distance)
{
	double low = 1e-6, high = 1e6;

	for (int i = 0; i < 100; i++) {
		const double mid = sqrt(low * high);

		if (growth(mid, distance) > ratio)
			low = mid;
		else
			high = mid;
	}
	return low;
}
