/* ticks.c: the positions and labels of the ticks of an axis. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/decimal.h"
#include "text/utf8.h"
#include "figure/layout.h"

#define MINUS "\xe2\x88\x92"

enum {
	FEW = 8,         /* ticks that are tried where fewer show one value */
	WORD_TEXT = 256, WORD_WIDE = 28,
	WIDE_LETTERS = 0x1100,  /* from this character on most are wide */
	MANY = 1000000,  /* a number of so many steps needs many digits */
};

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
		snprintf(plain, sizeof plain, "%.*g", fabs(x) < 1e5 ? 6 : 12,
			 x);
	tick_minus(text, plain);
}

/* The label of index i, of a token or a number. */
static void tick_label(char text[TICK_TEXT], const struct axis *a, size_t i)
{
	char token[TOKEN_TEXT];

	if (axis_token(a, i, token))
		snprintf(text, TICK_TEXT, "%s", token);
	else
		tick_text(text, axis_label(a, i));
}

size_t index_name(char *to, size_t size, const struct axis *a, size_t i,
		  enum language l)
{
	char text[TICK_TEXT];

	if (a->names)
		return utf8_show_joined(a->names[i], SIZE_MAX, to, size);
	if (axis_token(a, i, to))
		return strlen(to);
	tick_text(text, axis_label(a, i));
	return (size_t)snprintf(to, size, "%.16s %.20s", language_text(l,
				a->kind == AXIS_DIMENSION ? "dim"
				: a->name ? a->name : ""), text);
}

/* digits * 10^exponent; digits is 1, 2 or 5. */
struct step {
	long digits;
	int exponent;
};

double step_value(long digits, int exponent)
{
	char text[40];

	/* strtod() rounds correctly. */
	snprintf(text, sizeof text, "%lde%d", digits, exponent);
	return strtod(text, NULL);
}

int exponent_of(double x)
{
	char text[40];

	snprintf(text, sizeof text, "%.17e", x);
	return (int)strtol(strchr(text, 'e') + 1, NULL, 10);
}

/* The least of 1, 2, 5, 10, ... times a power of ten not below x > 0. */
static struct step step_above(double x)
{
	static const long digits[] = { 1, 2, 5 };
	const int exponent = exponent_of(x);

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
	const long digits = k * s.digits;
	const double x = step_value(digits, s.exponent);
	/* Of a range that is tiny beside its ends: 1.0000000000002 */
	const bool many = labs(digits) >= MANY && fabs(x) >= 1e-4;
	char plain[TICK_PLAIN];

	if (k && (s.exponent > 5 || (s.exponent < -5 && !many)))
		power_text(plain, sizeof plain, digits, s.exponent);
	else
		snprintf(plain, sizeof plain, "%.*f",
			 s.exponent >= 0 || (!k && s.exponent < -5)
				 ? 0 : -s.exponent, x);
	tick_minus(text, plain);
}

/* The multiples of a step from lo to hi, in at most most - 1 steps. */
static void multiples(struct ticks *ticks, double lo, double hi, size_t most)
{
	/* Halves, since the span of all doubles would overflow. */
	const double apart = (0.5 * hi - 0.5 * lo) / (double)(most - 1) * 2;
	/* Nearer ones are not different doubles */
	const double farthest = fmax(-lo, hi);
	const double nearest = farthest - nextafter(farthest, 0);
	const struct step s = step_above(fmax(apart, nearest));
	const double step = step_value(s.digits, s.exponent);

	ticks->n = 0;
	for (long k = (long)ceil(lo / step); (double)k <= hi / step; k++) {
		struct tick *t = &ticks->tick[ticks->n++];

		t->at = step_value(k * s.digits, s.exponent);
		step_text(t->text, k, s);
	}
}

/* A tick at x, which is no round value. */
static void add_value(struct ticks *ticks, double x)
{
	struct tick *t = &ticks->tick[ticks->n++];
	char plain[TICK_PLAIN];

	t->at = x;
	plain[number_text(plain, x, F64, 0)] = '\0';
	tick_minus(t->text, plain);
}

void ticks_values(struct ticks *ticks, double lo, double hi, size_t most)
{
	most = most < 2 ? 2 : most > TICKS_MOST ? TICKS_MOST : most;
	do
		multiples(ticks, lo, hi, most++);
	while (ticks->n < 2 && most <= FEW);
	if (ticks->n >= 2)
		return;
	ticks->n = 0;
	add_value(ticks, lo);
	add_value(ticks, hi);
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

/* Whether x is an integer, but for rounding. */
static bool whole(double x)
{
	return fabs(x - rint(x)) < 1e-6;
}

/*
 * The first of every step indices whose labels are first + i * apart, so that
 * they are round: multiples of their distance, or of half or a quarter of it.
 */
static size_t round_index(double first, double apart, size_t step)
{
	static const double parts[] = { 0.25, 0.5, 0 };  /* the last is best */
	const double index = -first / apart;
	double past = floor(index);

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const double at = index + parts[i] * (double)step;

		past = whole(at) ? rint(at) : past;
	}
	past = fmod(past, (double)step);
	return (size_t)(past < 0 ? past + (double)step : past);
}

/* Whether n labels from index first on are evenly spaced. */
static bool even(const struct axis *a, size_t first, size_t n)
{
	const double apart = axis_label(a, first + 1) - axis_label(a, first);

	for (size_t i = 2; a->at && i < n; i++)
		if (a->at[first + i] - a->at[first + i - 1] != apart)
			return false;
	return apart != 0;
}

void ticks_labels(struct ticks *ticks, const struct axis *a, size_t first,
		  size_t n, size_t most)
{
	const bool doubles = a->kind == AXIS_DIMENSION;
	size_t step = 1, i = 0;

	ticks->n = 0;
	most = most < TICKS_MOST ? most : TICKS_MOST;
	while ((n - 1) / step + 1 > most)
		step = next_step(step, doubles);
	if (step < n && even(a, first, n))
		i = round_index(axis_label(a, first), axis_label(a, first + 1) -
				axis_label(a, first), step);
	for (; i < n; i += step) {
		struct tick *t = &ticks->tick[ticks->n++];

		t->at = (double)i;
		tick_label(t->text, a, first + i);
	}
}

void ticks_center(struct ticks *ticks, double cell)
{
	for (size_t i = 0; i < ticks->n; i++)
		ticks->tick[i].at = (ticks->tick[i].at + 0.5) * cell;
}

/* Shorten a word to WORD_WIDE letters, of which wide ones count twice. */
static bool cut_word(char word[WORD_TEXT], char text[TICK_TEXT])
{
	const char *end = word, *next = word;
	int wide = 0;

	while (*next && wide < WORD_WIDE) {
		end = next;
		wide += utf8_next(&next) < WIDE_LETTERS ? 1 : 2;
	}
	snprintf(text, TICK_TEXT, "%.*s%s", (int)((*next ? end : next) - word),
		 word, *next ? "\xe2\x80\xa6" : "");
	return *next;
}

void ticks_words(struct ticks *ticks, const char *words,
		 const char *const *names, size_t n, size_t most)
{
	size_t step = 1;

	ticks->n = 0;
	most = most < TICKS_MOST ? most : TICKS_MOST;
	while ((n - 1) / step + 1 > most)
		step++;
	ticks->step = step;
	ticks->cut = false;
	for (size_t i = 0; i < n; i += step) {
		struct tick *t = &ticks->tick[ticks->n++];
		char word[WORD_TEXT];

		t->at = (double)i;
		if (words)
			look_word(words, i, word, sizeof word);
		else
			utf8_show_joined(names[i], SIZE_MAX, word, sizeof word);
		ticks->cut |= cut_word(word, t->text);
	}
}
