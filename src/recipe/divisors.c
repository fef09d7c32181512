/*
 * divisors.c: llama3 found in divisors. A pair of w turns per position has the
 * divisor 1 / ((1 - s) / factor + s), with s = (original w - low) / (high -
 * low) between 0 and 1 (llama.cpp, convert_hf_to_gguf.py; transformers,
 * modeling_rope_utils.py). Pairs between tell original / low and high / low
 * only, so low is 1, as in all models.
 */
#include <math.h>
#include <stdio.h>

#include "exact/turns.h"
#include "recipe/divisors.h"

/* Contexts that models were trained with; those of Llama 3 come first. */
static const double lengths[] = {
	8192, 4096, 2048, 16384, 32768, 65536, 131072, 1024, 512,
};

/* Llama 4 Scout has no pairs between: high is 1. */
static const double highs[] = { 4, 1, 8, 2, 16, 32 };

enum {
	LENGTHS = sizeof lengths / sizeof *lengths,
	HIGHS = sizeof highs / sizeof *highs,
	FEWEST = 3,  /* pairs between, of which two tell original and high */
	LEAST_NEAR = 8,
};

/* The frequency of pair k, in turns per position. */
static double frequency(const struct divisors *d, size_t k)
{
	return pow(d->base, -(double)k / (double)d->pairs) / TWO_PI;
}

double divisors_llama3(const struct divisors *d, size_t k)
{
	const double x = d->original * frequency(d, k);
	const double s = (x - d->low) / (d->high - d->low);

	if (x < d->low)
		return d->factor;
	return x >= d->high ? 1 : 1 / ((1 - s) / d->factor + s);
}

/* Converters compute s in float32, from powers of the base. */
bool divisors_agree(const struct divisors *d, size_t k)
{
	const double y = divisors_llama3(d, k);
	const bool between = y > 1 && y < d->factor;
	const double within = (d->within + 0x1p-23) / y +
			      (between ? 2e-6 : 0);

	return fabs(1 / d->x[k] - 1 / y) <= within;
}

size_t divisors_differ(const struct divisors *d)
{
	size_t n = 0;

	for (size_t k = 0; k < d->pairs; k++)
		n += !divisors_agree(d, k);
	return n;
}

/* Whether all are equal, but for rounding. */
static bool is_linear(const struct divisors *d)
{
	for (size_t k = 1; k < d->pairs; k++)
		if (fabs(d->x[k] - d->x[0]) > 2 * d->within * d->x[0])
			return false;
	return true;
}

/* How far they are off: a pair by 5 % counts as one by more. */
static double distance(const struct divisors *d)
{
	double sum = 0;

	for (size_t k = 0; k < d->pairs; k++)
		if (!divisors_agree(d, k))
			sum += fmin(1, 20 * fabs(log(d->x[k] /
						     divisors_llama3(d, k))));
	return sum;
}

/* The usual llama3 that is nearest; whether it makes all. */
static bool find_usual(struct divisors *d)
{
	struct divisors best = *d;
	double least = HUGE_VAL;

	d->low = 1;
	for (size_t h = 0; h < HIGHS && least > 0; h++)
		for (size_t l = 0; l < LENGTHS && least > 0; l++) {
			double off;

			d->high = highs[h];
			d->original = lengths[l];
			off = distance(d);
			/* One that is near is an ordinary one */
			if (off < least && (!(off > 0) || !h)) {
				least = off;
				best = *d;
			}
		}
	*d = best;
	d->near = 2 * least <= (double)d->pairs && d->pairs >= LEAST_NEAR;
	return !divisors_differ(d);
}

/* The s of pair k. */
static double share(const struct divisors *d, size_t k)
{
	return (1 / d->x[k] - 1 / d->factor) / (1 - 1 / d->factor);
}

/* The pairs between: first to end - 1. Whether there are enough. */
static bool find_between(const struct divisors *d, size_t *first, size_t *end)
{
	*first = 0;
	*end = d->pairs;
	while (*first < *end && !(share(d, *first) < 1 - 1e-4))
		++*first;
	while (*end > *first && !(share(d, *end - 1) > 1e-4))
		--*end;
	return *end >= *first + FEWEST;
}

/* Changes of s from pair to pair are those of frequencies, but for a factor. */
double divisors_base(const struct divisors *d)
{
	size_t first, end, step;
	double ratio;

	if (!(d->factor > 1) || !find_between(d, &first, &end))
		return 0;
	step = (end - first - 1) / 2;
	ratio = (share(d, first) - share(d, first + step)) /
		(share(d, first + step) - share(d, first + 2 * step));
	return ratio > 1 ? pow(ratio, (double)d->pairs / (double)step) : 0;
}

/* Original and high by the first and the last of the pairs between. */
static bool find_measured(struct divisors *d)
{
	struct divisors m = *d;
	size_t first, end;
	double slope, s;

	/* Coarse values tell no other parameters from usual ones */
	if (d->within > 1e-5 || !find_between(d, &first, &end))
		return false;
	slope = (share(d, first) - share(d, end - 1)) /
		(frequency(d, first) - frequency(d, end - 1));
	s = share(d, first) - slope * frequency(d, first);
	if (!(slope > 0 && s < 0))
		return false;
	m.high = rint((1 - s) / -s * 100) / 100;
	for (double step = 1024; step >= 1; step /= 32) {
		m.original = rint(slope / -s / step) * step;
		if (m.original > 0 && m.high > m.low && !divisors_differ(&m)) {
			*d = m;
			return true;
		}
	}
	return false;
}

void divisors_find(struct divisors *d)
{
	d->kind = DIVISORS_LIST;
	d->near = false;
	d->factor = d->x[d->pairs - 1];
	if (is_linear(d)) {
		d->kind = fabs(d->factor - 1) > 2 * d->within
				  ? DIVISORS_LINEAR : DIVISORS_NONE;
		return;
	}
	if (d->base > 1 && (find_usual(d) || find_measured(d)))
		d->kind = DIVISORS_LLAMA3;
}

const char *divisors_text(const struct divisors *d, char text[DIVISORS_TEXT])
{
	const bool usual = d->high == 4;
	size_t n;

	if (d->kind == DIVISORS_NONE || d->kind == DIVISORS_LINEAR) {
		snprintf(text, DIVISORS_TEXT, d->kind == DIVISORS_NONE ? "none"
			 : "linear:%.9g", d->factor);
		return text;
	}
	if (d->kind == DIVISORS_LIST) {
		snprintf(text, DIVISORS_TEXT, "longrope:@FILE");
		return text;
	}
	n = (size_t)snprintf(text, DIVISORS_TEXT, "llama3:%.9g,%.0f",
			     d->factor, d->original);
	if (!usual)
		snprintf(text + n, DIVISORS_TEXT - n, ",low=%.9g,high=%.9g",
			 d->low, d->high);
	return text;
}
