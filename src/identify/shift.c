/* shift.c: is it the matrix that moves a sinusoid on? */
#include <math.h>

#include "identify/families.h"
#include "identify/laws.h"
#include "identify/snap.h"

enum { DIGITS_ODD = 5, PAIRS_FEW = 4, TURNS_MOST = 200 };

/* The turn of block k, of d / 2; blocks lie by turns or in quarters. */
static bool block(const struct sight *s, size_t k, bool split, double *turn,
		  double *error)
{
	const size_t i = split ? k : 2 * k;
	const size_t j = split ? k + s->cols / 2 : i + 1;
	const double c = sight_row(s, i)[i], sine = sight_row(s, i)[j];

	*turn = atan2(sine, c);
	*error = 2 * (s->noise + 8 * s->arithmetic) *
		 fmin(1, fabs(*turn)) + s->least + 1e-30;
	return fabs(hypot(c, sine) - 1) <= 8 * (s->noise + s->arithmetic) &&
	       fabs(sight_row(s, j)[i] + sine) <= 4 * s->noise &&
	       fabs(sight_row(s, j)[j] - c) <= 4 * s->noise;
}

static bool claim(struct hunt *h, const struct law *law, double by, bool split)
{
	char number[32], base[32];

	return hunt_guess(h, "shift", 4, "dim=%zu by=%s base=%s denom=%s%s",
			  h->sight->cols, snap_text(by, number),
			  snap_text(law->base, base), law->denom,
			  split ? " layout=split" : "");
}

/* The usual base, by so many that even the slowest block turned whole. */
static bool try_far(struct hunt *h, bool split, const double *turn,
		    const double *error)
{
	const struct law law = { .denom = "dim", .base = LAW_BASE };
	const double d = (double)h->sight->cols / 2;
	const struct ladder l = {
		.unit = 1, .unit_error = 8 * h->sight->arithmetic,
		.fall = log(LAW_BASE) / d,
	};
	double by, off;

	for (int turns = 0; turns < TURNS_MOST; turns++)
		if (ladder_position(&l, turn, error, h->sight->cols / 2,
				    turns, &by, &off) &&
		    claim(h, &law, snap_whole(by, 6 * off + 1e-12), split))
			return true;
	return false;
}

static bool try_layout(struct hunt *h, bool split, double *turn, double *error)
{
	const size_t pairs = h->sight->cols / 2;
	struct ladder l = { .share = ladder_share(h->sight) };
	struct law laws[LAWS_MOST];
	const size_t before = h->n;

	for (size_t k = 0; k < pairs; k++)
		if (!block(h->sight, k, split, &turn[k], &error[k]))
			return false;
	for (size_t k = 0; k < pairs; k++)
		error[pairs + k] = turn[k];
	for (int level = 0; ladder_fit(&l, error + pairs, error, pairs) &&
	     level < 4 && !hunt_exact(h, before); level++) {
		const double within = 6 * pow(0.1, level);
		const double by = snap_whole(l.unit, within * fabs(l.unit) *
					     (l.unit_error + LADDER_ERROR));
		const size_t n = laws_find(&l, within, 2 * pairs, false, laws);

		for (size_t k = 0; k < n; k++)
			if (pairs > PAIRS_FEW ||
			    laws[k].digits <= DIGITS_ODD ||
			    snap_digits(by) <= DIGITS_ODD)
				claim(h, &laws[k], by, split);
	}
	return h->n > before || try_far(h, split, turn, error);
}

void identify_shift(struct hunt *h)
{
	const size_t d = h->sight->cols;
	double *turn = h->sight->n == d
		? hunt_room(h, 2 * d, sizeof *turn) : NULL;

	if (turn && !try_layout(h, false, turn, turn + d / 2))
		try_layout(h, true, turn, turn + d / 2);
}
