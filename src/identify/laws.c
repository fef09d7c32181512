/* laws.c: bases and denominators that make a ladder of frequencies. */
#include <math.h>
#include <stdio.h>

#include "identify/laws.h"
#include "identify/snap.h"

enum { DIGITS_ROUND = 3 };

/* The denominators that the reading may have, to laws; how many. */
static size_t list_laws(size_t cols, bool round_up, struct law *laws)
{
	const double half = floor((double)cols / 2);
	size_t n = 0;

	if (round_up) {
		laws[n++] = (struct law){ .denom = "dim", .d = half + 1 };
		return n;
	}
	laws[n++] = (struct law){ .denom = "dim", .d = (double)cols / 2 };
	if (cols > 2 && cols % 2)
		laws[n++] = (struct law){ .denom = "half", .d = half };
	if (half > 1)
		laws[n++] = (struct law){ .denom = "half-1", .d = half - 1 };
	return n;
}

/* The law of base 10000 whose denominator is half less a few hundredths. */
static bool find_shift(const struct ladder *l, double within, size_t cols,
		       struct law *law)
{
	const double half = floor((double)cols / 2);
	const double d = log(LAW_BASE) / l->fall;
	const double shift = snap_whole(half - d, within * d / l->fall *
					(l->fall_error + LADDER_ERROR));

	*law = (struct law){
		.base = LAW_BASE, .d = half - shift, .digits = DIGITS_ROUND,
	};
	snprintf(law->denom, sizeof law->denom, "shift:%.2f", shift);
	return l->fall > 0 && fabs(shift) < half &&
	       fabs(shift * 100 - rint(shift * 100)) < 1e-9 &&
	       fabs(shift * (1 - shift)) > 1e-9;
}

/* Set the bases as round as the fall allows; the fewest digits of one. */
static int round_bases(const struct ladder *l, double within, size_t n,
		       struct law *laws)
{
	int fewest = DIGITS_MOST;

	for (size_t k = 0; k < n; k++) {
		const double base = exp(l->fall * laws[k].d);
		const double error = within *
				     (l->fall_error * laws[k].d + LADDER_ERROR);

		laws[k].base = l->fall > 0 || l->fall < 0
			? snap(base, base * error) : LAW_BASE;
		laws[k].digits = snap_digits(laws[k].base);
		fewest = laws[k].digits < fewest ? laws[k].digits : fewest;
	}
	return fewest;
}

/* The law of the usual base goes first. */
static void usual_first(struct law *laws, size_t n)
{
	for (size_t k = 1; k < n; k++)
		if (fabs(laws[k].base - LAW_BASE) <= 0) {
			const struct law usual = laws[k];

			laws[k] = laws[0];
			laws[0] = usual;
		}
}

size_t laws_find(const struct ladder *l, double within, size_t cols,
		 bool round_up, struct law laws[LAWS_MOST])
{
	size_t n = list_laws(cols, round_up, laws), kept = 0;
	int fewest = round_bases(l, within, n, laws);

	if (fewest >= DIGITS_ROUND && find_shift(l, within, cols, &laws[n]))
		fewest = laws[n++].digits;
	if (fewest < DIGITS_ROUND)
		fewest = DIGITS_ROUND;
	for (size_t k = 0; k < n; k++)
		if (laws[k].digits <= fewest)
			laws[kept++] = laws[k];
	usual_first(laws, kept);
	return kept;
}
