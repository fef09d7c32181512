/* naive.c: positions as integers, fractions, bits or one-hot rows. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "identify/identify.h"
#include "identify/rounding.h"

/* Fewer bits of evidence may agree by chance. */
#define EVIDENCE 10

/* The bits that it takes to write an integer of this size, with its sign. */
static double bits_of_integer(double x)
{
	return log2(1 + fabs(x)) + 1;
}

/*
 * Whether rows confirm a start and a step: two rows have both whatever they
 * are, and few small integers may be evenly spaced by chance.
 */
static bool confirmed(const struct profile *p, double start, double step)
{
	const double more = (double)p->n - 2;
	const bool usual = (start == 0 || start == 1) && step == 1;

	if (p->n < 3)
		return false;
	return !p->integers || usual ||
	       more * bits_of_integer(p->max - p->min) >= EVIDENCE;
}

/* Try rows that repeat the position or a fraction of it. */
static void try_positions(struct search *s)
{
	static const char *const norms[] = { "n", "n-1", "center" };
	const struct profile *p = s->profile;
	const double first = profile_row(p, 0)[0];
	const double last = profile_row(p, p->n - 1)[0];
	const double step = (last - first) / (double)(p->n - 1);
	const double within = 4 * p->noise * fmax(fabs(first), fabs(last));
	char start[32], by[32];

	for (size_t k = 0; k < 3; k++)
		for (int from = 0; from < 2; from++)
			try_recipe(s, "naive", 0,
				   "kind=normalized len=%zu "
				   "dim=%zu norm=%s start=%d",
				   p->n, p->cols, norms[k], from);
	if (!search_has_exact(s, 0) && confirmed(p, first, step))
		try_recipe(s, "naive", 0,
			   "kind=integer len=%zu dim=%zu start=%s step=%s",
			   p->n, p->cols,
			   nice_text(round_to_decimals(first, within), start),
			   nice_text(round_to_nice(step, within / (double)p->n),
				     by));
}

static uint64_t from_gray(uint64_t g)
{
	for (int shift = 32; shift; shift /= 2)
		g ^= g >> shift;
	return g;
}

/* The integer whose bits are row i; lsb: the lowest bit is column 0. */
static double decode(const struct profile *p, size_t i, bool lsb, bool gray)
{
	const double *x = profile_row(p, i);
	uint64_t bits = 0;

	for (size_t j = 0; j < p->cols; j++)
		bits = bits << 1 | (x[lsb ? p->cols - 1 - j : j] > 0);
	return (double)(gray ? from_gray(bits) : bits);
}

static void try_bits(struct search *s, const char *sign)
{
	const struct profile *p = s->profile;

	for (int k = 0; k < 4; k++) {
		const bool lsb = k % 2, gray = k / 2;
		const double first = decode(p, 0, lsb, gray);
		const double step = decode(p, 1, lsb, gray) - first;
		const double known = (double)(p->n * p->cols);

		if (known - bits_of_integer(first) - bits_of_integer(step) <
		    EVIDENCE)
			continue;
		try_recipe(s, "naive", 0,
			   "kind=%s bits=%s len=%zu dim=%zu "
			   "start=%.0f step=%.0f%s",
			   gray ? "gray" : "binary", lsb ? "lsb" : "msb", p->n,
			   p->cols, first, step, sign);
	}
}

/* The column of the first positive value of row i. */
static double hot(const struct profile *p, size_t i)
{
	size_t j = 0;

	while (j < p->cols && !(profile_row(p, i)[j] > 0))
		j++;
	return (double)j;
}

void identify_naive(struct search *s)
{
	const struct profile *p = s->profile;
	const char *sign = p->min < 0 ? " signed" : "";

	if (profile_same_columns(p))
		try_positions(s);
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++)
			if (profile_row(p, i)[j] > p->min &&
			    profile_row(p, i)[j] < p->max)
				return;
	/* One or two rows have a start and a step whatever they hold. */
	if (p->n < 3 || p->max != 1 || (p->min != 0 && p->min != -1))
		return;
	try_recipe(s, "naive", 0,
		   "kind=onehot len=%zu dim=%zu start=%.0f step=%.0f%s",
		   p->n, p->cols, hot(p, 0), hot(p, 1) - hot(p, 0), sign);
	if (p->cols <= 53)
		try_bits(s, sign);
}
