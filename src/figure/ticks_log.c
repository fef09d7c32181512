/* ticks_log.c: labels of axes of logarithms and of roots. */
#include <math.h>
#include <stdio.h>

#include "figure/layout.h"

/* Add the label of digit * 10^exponent if it is from lo to hi. */
static void add(struct ticks *ticks, int digit, int exponent, double lo,
		double hi)
{
	struct tick *t = &ticks->tick[ticks->n];
	char plain[TICK_PLAIN];

	t->at = step_value(digit, exponent);
	if (t->at < lo || t->at > hi)
		return;
	if (exponent > 5 || exponent < -4)
		snprintf(plain, sizeof plain, "%de%d", digit, exponent);
	else
		snprintf(plain, sizeof plain, "%g", t->at);
	tick_minus(t->text, plain);
	ticks->n++;
}

/* The least of 1, 2, 3, 5, 10, 20, ... that is not below x, at most 500. */
static int round_step(int x)
{
	static const int steps[] = { 1, 2, 3, 5, 10, 20, 50, 100, 200, 500 };
	size_t i = 0;

	while (steps[i] < x)
		i++;
	return steps[i];
}

void ticks_log(struct ticks *ticks, double lo, double hi, size_t most)
{
	static const int digits[] = { 1, 2, 5 };
	const int first = exponent_of(lo), last = exponent_of(hi);
	/* Powers of ten; most is 0 while a panel has no width yet. */
	const int powers = most < 3 ? 2 :
			   most < TICKS_MOST ? (int)most - 1 : TICKS_MOST - 1;
	const int step = round_step((last - first) / powers + 1);

	ticks->n = 0;
	for (int e = first; e <= last; e++)
		for (int i = 0; i < (last - first > 2 ? 1 : 3); i++)
			if (e % step == 0)
				add(ticks, digits[i], e, lo, hi);
	if (ticks->n < 2)
		ticks_values(ticks, lo, hi, most);
}

size_t ticks_between(double *at, size_t most, double lo, double hi)
{
	const int first = exponent_of(lo), last = exponent_of(hi);
	size_t n = 0;

	for (int e = first; e <= last; e++)
		for (int digit = 2; digit < 10; digit++) {
			const double x = step_value(digit, e);

			if (x >= lo && x <= hi && n < most)
				at[n++] = x;
		}
	return n < most ? n : 0;
}

/* Add those beyond 0, the greatest first, up to one of that magnitude. */
static void add_roots(struct ticks *ticks, double most, int sign, double apart)
{
	static const int digits[] = { 5, 2, 1 };
	double last = HUGE_VAL;

	for (int e = most > 0 ? exponent_of(most) : 0, i = 0; most > 0;
	     e -= i == 2, i = (i + 1) % 3) {
		const double x = step_value(digits[i], e), at = sqrt(x);

		if (x > most || last - at < apart)
			continue;
		if (at < apart || ticks->n == TICKS_MOST)
			return;
		ticks->tick[ticks->n].at = sign * x;
		tick_text(ticks->tick[ticks->n++].text, sign * x);
		last = at;
	}
}

void ticks_roots(struct ticks *ticks, double lo, double hi, double apart)
{
	apart *= sqrt(fmax(hi, 0)) + sqrt(fmax(-lo, 0));
	ticks->n = 1;
	ticks->tick[0].at = 0;
	tick_text(ticks->tick[0].text, 0);
	add_roots(ticks, hi, 1, apart);
	add_roots(ticks, -lo, -1, apart);
}
