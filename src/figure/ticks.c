/* ticks.c: the positions and labels of the ticks of an axis. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/layout.h"

#define MINUS "\xe2\x88\x92"

void tick_minus(char text[TICK_TEXT], const char *plain)
{
	size_t n = 0;

	for (; *plain; plain++)
		if (*plain == '-') {
			memcpy(text + n, MINUS, 3);
			n += 3;
		} else {
			text[n++] = *plain;
		}
	text[n] = '\0';
}

void tick_text(char text[TICK_TEXT], double x)
{
	char plain[TICK_PLAIN];

	if (x == rint(x))
		snprintf(plain, sizeof plain, "%.0f", x + 0.0);
	else
		snprintf(plain, sizeof plain, "%.6g", x);
	tick_minus(text, plain);
}

/* digits * 10^exponent; digits is 1, 2 or 5. */
struct step {
	long digits;
	int exponent;
};

static double step_value(long digits, int exponent)
{
	char text[40];

	/* strtod() rounds correctly. */
	snprintf(text, sizeof text, "%lde%d", digits, exponent);
	return strtod(text, NULL);
}

/* The least of 1, 2, 5, 10, ... times a power of ten not below x > 0. */
static struct step step_above(double x)
{
	static const long digits[] = { 1, 2, 5 };
	char text[40];
	int exponent;

	snprintf(text, sizeof text, "%.17e", x);
	exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
	for (int i = 0; i < 3; i++)
		if (step_value(digits[i], exponent) >= x)
			return (struct step){ digits[i], exponent };
	return (struct step){ 1, exponent + 1 };
}

/* 150 with exponent 306 as "1.5e308". */
static void power_text(char *text, size_t size, long digits, int exponent)
{
	char all[24];
	int n = snprintf(all, sizeof all, "%ld", labs(digits));

	exponent += n - 1;
	while (n > 1 && all[n - 1] == '0')
		n--;
	snprintf(text, size, "%s%c%s%.*se%d", digits < 0 ? "-" : "", all[0],
		 n > 1 ? "." : "", n - 1, all + 1, exponent);
}

/* k steps as text, with the decimals of one step. */
static void step_text(char text[TICK_TEXT], long k, struct step s)
{
	char plain[TICK_PLAIN];

	if (k && (s.exponent > 5 || s.exponent < -5))
		power_text(plain, sizeof plain, k * s.digits, s.exponent);
	else
		snprintf(plain, sizeof plain, "%.*f", s.exponent >= 0 ||
			 s.exponent < -5 ? 0 : -s.exponent,
			 step_value(k * s.digits, s.exponent));
	tick_minus(text, plain);
}

void ticks_values(struct ticks *ticks, double lo, double hi, size_t most)
{
	struct step s;
	double step;

	ticks->n = 0;
	/* Halves, since the span of all doubles would overflow. */
	s = step_above((0.5 * hi - 0.5 * lo) / (double)(most - 1) * 2);
	step = step_value(s.digits, s.exponent);
	for (long k = (long)ceil(lo / step); (double)k <= hi / step; k++) {
		struct tick *t = &ticks->tick[ticks->n++];

		t->at = step_value(k * s.digits, s.exponent);
		step_text(t->text, k, s);
	}
}

/* The step after this one: 2, 5, 10, 20, ...; or its double. */
static size_t next_step(size_t step, bool doubles)
{
	size_t power = 1;

	if (doubles)
		return 2 * step;
	while (step / power >= 10)
		power *= 10;
	return step / power == 2 ? 5 * power : 2 * step;
}

/* How many indices after the one labelled x a label is a multiple of step. */
static size_t until_multiple(double x, size_t step)
{
	const double past = fmod(x, (double)step);

	return past > 0 ? step - (size_t)past : (size_t)-past;
}

void ticks_labels(struct ticks *ticks, const struct axis *a, size_t first,
		  size_t n, size_t most)
{
	const bool doubles = a->kind == AXIS_DIMENSION;
	const bool counts = !a->at && a->step == 1 &&
			    a->first == rint(a->first);
	size_t step = 1, i = 0;

	ticks->n = 0;
	most = most < TICKS_MOST ? most : TICKS_MOST;
	while ((n - 1) / step + 1 > most)
		step = next_step(step, doubles);
	if (counts)
		i = until_multiple(axis_label(a, first), step);
	for (; i < n; i += step) {
		struct tick *t = &ticks->tick[ticks->n++];

		t->at = (double)i;
		tick_text(t->text, axis_label(a, first + i));
	}
}

void ticks_words(struct ticks *ticks, const char *words, size_t n, size_t most)
{
	size_t step = 1;

	ticks->n = 0;
	most = most < TICKS_MOST ? most : TICKS_MOST;
	while ((n - 1) / step + 1 > most)
		step++;
	for (size_t i = 0; i < n; i += step) {
		struct tick *t = &ticks->tick[ticks->n++];

		t->at = (double)i;
		look_word(words, i, t->text, TICK_TEXT);
	}
}
