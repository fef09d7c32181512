/* sinusoid.c: is it sines and cosines of positions, in any known layout? */
#include <math.h>
#include <string.h>

#include "identify/families.h"
#include "identify/waves.h"

enum { PAIRS_FEW = 4 };

/* The radius of pair k in row i. */
static double radius(const struct reading *r, const struct sight *s, size_t i,
		     size_t k)
{
	const double *x = sight_row(s, i) + k * r->stride;

	return sqrt(x[0] * x[0] + x[r->apart] * x[r->apart]);
}

/* Whether all pairs of a row are as long, but for rounding; sets the amp. */
static bool circular(struct reading *r, const struct sight *s, size_t i)
{
	double sum = 0;

	for (size_t k = 0; k < r->pairs; k++)
		sum += radius(r, s, i, k);
	sum /= (double)r->pairs;
	for (size_t k = 0; k < r->pairs; k++)
		if (!(fabs(radius(r, s, i, k) - sum) <=
		      4 * sum * (s->noise + 2 * s->arithmetic +
				  LADDER_ERROR)))
			return false;
	r->amp = sum;
	return sum > 0;
}

static bool zero_column(const struct sight *s, size_t j)
{
	for (size_t i = 0; i < s->n; i++)
		if (sight_row(s, i)[j] < 0 || sight_row(s, i)[j] > 0)
			return false;
	return true;
}

static void find_zero_rows(struct waves *w, const struct sight *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (sight_zero_row(s, i)) {
			w->zero = i;
			w->zeros++;
		}
}

/* A row that is not zero, and that has the like behind it if there is one. */
static size_t first_row(const struct waves *w, const struct sight *s)
{
	size_t i = 0;

	if (w->zeros == 1 && w->zero == 1 && s->n > 2)
		return 2;
	while (sight_zero_row(s, i))
		i++;
	return i;
}

/*
 * Whether a row may be placed by itself: one pair would have any row of many
 * somewhere.
 */
static bool places_rows(const struct hunt *h, const struct waves *w)
{
	return !w->far && (w->reading.pairs > 1 || h->sight->n == 1);
}

/* Usual bases, where there are too few pairs or rows to measure one. */
static bool try_usual(struct hunt *h, struct waves *w, size_t first)
{
	static const double bases[] = { 1e4, 1e3, 5e5, 1e6, 100 };
	const double half = (double)w->reading.pairs;
	/* One pair has the frequency 1 whatever the base. */
	const size_t n = w->reading.pairs > 1
		? 2 * sizeof bases / sizeof *bases : 1;

	for (size_t i = 0; i < n; i++) {
		const double d = i % 2 ? half - 1 : (double)h->sight->cols / 2;
		const struct ladder one = {
			.unit = 1, .fall = log(bases[i / 2]) / d,
		};
		struct ladder l = one;

		if (places_rows(h, w) && waves_by_row(h, w, &one))
			return true;
		if (first + 1 == h->sight->n || w->zeros > 1)
			continue;
		reading_turns(&w->reading, h->sight, first, w->turn, w->error);
		if (ladder_position(&one, w->turn, w->error,
				    w->reading.pairs, 0, &l.unit,
				    &l.unit_error) &&
		    waves_by_step(h, w, &l, first))
			return true;
	}
	return false;
}

/* The ladder that a row makes by itself. */
static bool try_row(struct hunt *h, struct waves *w, size_t i)
{
	const struct reading *r = &w->reading;
	struct ladder l = { .share = ladder_share(h->sight) };

	if (i >= h->sight->n || sight_zero_row(h->sight, i))
		return false;
	for (size_t k = 0; k < r->pairs; k++)
		w->turn[k] = reading_angle(r, h->sight, i, k, &w->error[k]);
	return ladder_fit(&l, w->turn, w->error, r->pairs) &&
	       waves_by_row(h, w, &l);
}

static bool try_ladders(struct hunt *h, struct waves *w, size_t first)
{
	const struct reading *r = &w->reading;
	struct ladder l = { .share = ladder_share(h->sight) };

	if (first + 1 < h->sight->n && w->zeros < 2) {
		reading_turns(r, h->sight, first, w->turn, w->error);
		if (ladder_fit(&l, w->turn, w->error, r->pairs) &&
		    waves_by_step(h, w, &l, first))
			return true;
	}
	if (places_rows(h, w) && (try_row(h, w, first) ||
				  try_row(h, w, first + 1) ||
				  try_row(h, w, h->sight->n - 1)))
		return true;
	return (r->pairs <= PAIRS_FEW || h->sight->n == 1) &&
	       try_usual(h, w, first);
}

/* Sines first or cosines first, all negated or none. */
static void try_signs(struct hunt *h, struct waves *w)
{
	const size_t first = first_row(w, h->sight);
	double amp;

	if (!circular(&w->reading, h->sight, first))
		return;
	amp = w->reading.amp;
	for (size_t i = 0; i < h->sight->n; i++)
		if (!sight_zero_row(h->sight, i) &&
		    (!circular(&w->reading, h->sight, i) ||
		     fabs(w->reading.amp - amp) >
		     4 * amp * (h->sight->noise + LADDER_ERROR +
				2 * h->sight->arithmetic)))
			return;
	for (int k = 0; k < 8; k++) {
		w->reading.cosine_first = k % 2;
		w->reading.negated = k / 2 % 2;
		w->far = k / 4;
		if (try_ladders(h, w, first))
			return;
	}
	if (w->reading.pairs > 1 && h->sight->n > 1 &&
	    h->sight->noise < NOISE_COARSE)
		h->verdict = "unknown sinusoid: pairs of columns are sines and "
			     "cosines, but no law of frequencies and "
			     "positions makes them";
}

static void try_layout(struct hunt *h, struct waves *w, const char *odd)
{
	const size_t cols = h->sight->cols;
	const size_t sines = cols / 2 + (cols % 2 && strcmp(odd, "zero") != 0);

	w->odd = odd;
	w->reading.pairs = cols / 2;
	w->reading.stride = w->split ? 1 : 2;
	w->reading.apart = w->split ? sines : 1;
	try_signs(h, w);
}

/* One column is a sine alone, of the usual positions. */
static void try_column(struct hunt *h)
{
	for (int start = 0; start < 2; start++)
		hunt_claim(h, &(struct claim){
			.recipe = "sinusoid", .slack = 4, .slope = 4,
		}, "len=%zu dim=1 start=%d", h->sight->n, start);
}

void identify_sinusoid(struct hunt *h)
{
	const struct sight *s = h->sight;
	struct waves w = { .zeros = 0 };
	const size_t pairs = s->cols / 2 + 1;
	double *room = hunt_room(h, 3 * pairs + s->n, sizeof *room);

	w.list = hunt_room(h, s->n, WAVES_NUMBER);
	if (!room || !w.list)
		return;
	w.angle = room;
	w.error = w.angle + pairs;
	w.turn = w.error + pairs;
	w.at = w.turn + pairs;
	if (s->cols == 1)
		try_column(h);
	find_zero_rows(&w, s);
	for (int split = 0; s->cols > 1 && split < 2; split++) {
		w.split = split;
		if (s->cols % 2 && zero_column(s, s->cols - 1)) {
			try_layout(h, &w, "zero");
		} else if (s->cols % 2) {
			try_layout(h, &w, "sine");
			try_layout(h, &w, "round-up");
		} else {
			try_layout(h, &w, "");
		}
	}
}
