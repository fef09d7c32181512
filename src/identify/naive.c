/* naive.c: is it bare positions: numbers, bits, one of many? */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "identify/families.h"
#include "identify/snap.h"

/* Whether all columns hold the same numbers. */
static bool alike(const struct sight *s)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 1; j < s->cols; j++)
			if (fabs(sight_row(s, i)[j] - sight_row(s, i)[0]) > 0)
				return false;
	return true;
}

/* One number a row, of two or more: the position, or what is made of it. */
static void try_numbers(struct hunt *h)
{
	static const char *const norms[] = { "n", "n-1", "center" };
	const struct sight *s = h->sight;
	const double first = sight_row(s, 0)[0];
	const double last = sight_row(s, s->n - 1)[0];
	const double step = (last - first) / (double)(s->n - 1);
	const double within = 4 * s->noise * fmax(fabs(first), fabs(last));
	char start[32], by[32];

	for (size_t k = 0; k < 3; k++)
		for (int from = 0; from < 2; from++)
			hunt_guess(h, "naive", 0, "kind=normalized len=%zu "
				   "dim=%zu norm=%s start=%d", s->n, s->cols,
				   norms[k], from);
	if (!hunt_exact(h, 0))
		hunt_guess(h, "naive", 0, "kind=integer len=%zu dim=%zu "
			   "start=%s step=%s", s->n, s->cols,
			   snap_text(snap_whole(first, within), start),
			   snap_text(snap(step, within / (double)s->n), by));
}

static uint64_t from_gray(uint64_t g)
{
	for (int shift = 32; shift; shift /= 2)
		g ^= g >> shift;
	return g;
}

/* The number whose bits a row has, the most significant at column 0 or not. */
static double number(const struct sight *s, size_t i, bool lsb, bool gray)
{
	const double *x = sight_row(s, i);
	uint64_t bits = 0;

	for (size_t j = 0; j < s->cols; j++)
		bits = bits << 1 | (x[lsb ? s->cols - 1 - j : j] > 0);
	return (double)(gray ? from_gray(bits) : bits);
}

static void try_bits(struct hunt *h, const char *sign)
{
	const struct sight *s = h->sight;

	for (int k = 0; k < 4; k++) {
		const bool lsb = k % 2, gray = k / 2;
		const double first = number(s, 0, lsb, gray);
		const double step = s->n > 1 ? number(s, 1, lsb, gray) - first
					     : 1;

		hunt_guess(h, "naive", 0, "kind=%s bits=%s len=%zu dim=%zu "
			   "start=%.0f step=%.0f%s", gray ? "gray" : "binary",
			   lsb ? "lsb" : "msb", s->n, s->cols, first, step,
			   sign);
	}
}

/* Where row i has its one. */
static double hot(const struct sight *s, size_t i)
{
	size_t j = 0;

	while (j < s->cols && !(sight_row(s, i)[j] > 0))
		j++;
	return (double)j;
}

void identify_naive(struct hunt *h)
{
	const struct sight *s = h->sight;
	const char *sign = s->lo < 0 ? " signed" : "";

	if (alike(s))
		try_numbers(h);
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < s->cols; j++)
			if (sight_row(s, i)[j] > s->lo &&
			    sight_row(s, i)[j] < s->hi)
				return;
	if (s->hi != 1 || (s->lo != 0 && s->lo != -1))
		return;
	hunt_guess(h, "naive", 0, "kind=onehot len=%zu dim=%zu start=%.0f "
		   "step=%.0f%s", s->n, s->cols, hot(s, 0),
		   s->n > 1 ? hot(s, 1) - hot(s, 0) : 1, sign);
	if (s->cols <= 53)
		try_bits(h, sign);
}
