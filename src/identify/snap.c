/* snap.c: round numbers near measured ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "identify/snap.h"

enum { DIGITS = 17, DECIMALS = 15 };

double snap(double x, double within)
{
	char text[40];
	double y = x;

	for (int p = 1; p <= DIGITS; p++) {
		snprintf(text, sizeof text, "%.*e", p - 1, x);
		y = strtod(text, NULL);
		if (fabs(y - x) <= within)
			break;
	}
	return y;
}

double snap_whole(double x, double within)
{
	char text[340];

	for (int p = 0; p <= DECIMALS; p++) {
		double y;

		snprintf(text, sizeof text, "%.*f", p, x);
		y = strtod(text, NULL);
		if (fabs(y - x) <= within)
			return y + 0.0;
	}
	return x;
}

int snap_digits(double x)
{
	char text[40];
	int p = 1;

	for (; p < DIGITS; p++) {
		snprintf(text, sizeof text, "%.*e", p - 1, x);
		if (fabs(strtod(text, NULL) - x) <= 0)
			break;
	}
	return p;
}

const char *snap_text(double x, char text[32])
{
	const int digits = snap_digits(x);

	snprintf(text, 32, "%.*g", digits < 7 ? 7 : digits, x);
	return text;
}
