/* rounded.c: numbers as text of so many digits has them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "identify/rounded.h"

bool rounded_reads(double x, double y)
{
	return fabs(x - y) <= 0 || fabs(x - (double)(float)y) <= 0;
}

double rounded_digits(double x, int n)
{
	char text[40];

	snprintf(text, sizeof text, "%.*e", n - 1, x);
	return strtod(text, NULL);
}

double rounded_decimals(double x, int n)
{
	char text[400];

	snprintf(text, sizeof text, "%.*f", n, x);
	return strtod(text, NULL);
}

double rounded_shortest(double x, enum dtype d)
{
	double y = rounded_digits(x, 1);

	for (int n = 1; fabs(dtype_round(d, y) - x) > 0;
	     y = rounded_digits(x, ++n)) {
		const double unit = pow(10, floor(log10(fabs(x))) + 1 - n);
		/* Beyond a power of two there is more room than before it. */
		const double next = rounded_digits(y + copysign(unit, x), n);

		if (fabs(dtype_round(d, next) - x) <= 0)
			return next;
	}
	return y;
}
