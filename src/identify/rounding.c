/* rounding.c: decimals near a value. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "identify/rounding.h"
#include "text/decimal.h"

enum { DIGITS = 17, DECIMALS = 15 };

/* Powers of ten that a double holds. */
static const double powers[] = {
	1e0,  1e1,  1e2,  1e3,	1e4,  1e5,  1e6,  1e7,
	1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/*
 * Round x to some decimals, or to powers of ten if that is negative: *y, so
 * many units of the last digit. False where the error of a product, in place of
 * all digits of x, may change the units.
 */
static bool round_quickly(double x, int decimals, double *units, double *y)
{
	const double scaled = decimals < 0 ? x / powers[-decimals]
					   : x * powers[decimals];

	*units = rint(scaled);
	*y = decimals < 0 ? *units * powers[-decimals]
			  : *units / powers[decimals];
	return fabs(scaled) < 0x1p40 && fabs(scaled - *units) < 0.5 - 0x1p-12;
}

double round_digits(double x, int n)
{
	const double size = fabs(x);
	char text[40];
	double units, y;

	if (size > 1e-5 && size < 1e12 &&
	    round_quickly(x, n - 1 - (int)floor(log10(size)), &units, &y) &&
	    fabs(units) > powers[n - 1] && fabs(units) < powers[n])
		return y;
	snprintf(text, sizeof text, "%.*e", n - 1, x);
	return strtod(text, NULL);
}

double round_decimals(double x, int n)
{
	char text[400];
	double units, y;

	if (round_quickly(x, n, &units, &y))
		return y;
	snprintf(text, sizeof text, "%.*f", n, x);
	return strtod(text, NULL);
}

double round_to_nice(double x, double within)
{
	static const double pi = 3.14159265358979323846;
	static const double multiples[] = { 1, 2, 0.5, 0.25 };
	double y = x;
	int n;

	for (n = 1; n <= DIGITS; n++) {
		y = round_digits(x, n);
		if (fabs(y - x) <= within)
			break;
	}
	/* Nobody types so many digits of another number. */
	for (size_t k = 0; n > ODD_DIGITS && k < 4; k++)
		if (fabs(multiples[k] * pi - x) <= within)
			return multiples[k] * pi;
	return y;
}

const double usual_bases[USUAL_BASES] = {
	1e4, 5e5, 1e6, 1e3, 1.5e5, 1e7, 100, 1e5, 2e4, 5e4,
};

double round_to_usual(double x, double within)
{
	for (size_t k = 0; k < USUAL_BASES; k++)
		if (fabs(usual_bases[k] - x) <= within)
			return usual_bases[k];
	return round_to_nice(x, within);
}

double round_to_decimals(double x, double within)
{
	for (int n = 0; n <= DECIMALS; n++) {
		const double y = round_decimals(x, n);

		if (fabs(y - x) <= within)
			return y + 0.0;
	}
	return x;
}

int nice_digits(double x)
{
	return isfinite(x) ? decimal_digits(x) : DIGITS;
}

const char *nice_text(double x, char text[32])
{
	const int digits = nice_digits(x);

	snprintf(text, 32, "%.*g", digits < 7 ? 7 : digits, x);
	return text;
}

const char *option_if(const char *name, double x, double initial,
		      char text[64])
{
	char number[32];

	text[0] = '\0';
	if (x != initial)
		snprintf(text, 64, " %s=%s", name, nice_text(x, number));
	return text;
}

bool reads_back(double x, double y)
{
	return fabs(x - y) <= 0 || fabs(x - (double)(float)y) <= 0;
}

double shortest_decimal(double x, enum dtype d)
{
	char text[NUMBER_ROOM + 1];

	text[number_text(text, x, d, 0)] = '\0';
	return decimal_read(text).x;
}
