/* before_positions.c: the positions of rows, by the frequencies of a law. */
#include <math.h>
#include <string.h>
#include <stdio.h>

#include "identify/before.h"
#include "identify/frequencies.h"

enum {
	MAX_POSITION = 1 << 21,
	MAX_TRIES = 1 << 16, /* positions of a row to compare */
	EVIDENT_ROWS = 512,  /* that are counted as evidence */
	EVIDENCE = 32,	     /* bits that angles agree in, by chance once in
				2^32 tables */
};

/* The phases of a row, to be explained by a position. */
struct phases {
	double *phase, *error; /* [n] */
	size_t n;
};

static void read_phases(const struct before *b, size_t j, struct phases *p)
{
	for (size_t k = 0; k < p->n; k++) {
		const struct turn t = before_turn(b, j, k);

		p->phase[k] = atan2(b->reversed ? -t.im : t.im, t.re);
		p->error[k] = before_phase_error(b, t.weight);
	}
}

/* Whether position at explains all phases; off measures how well. */
static bool explains(const struct phases *p, const struct law *law, double at,
		     double *off)
{
	*off = 0;
	if (law->rounds)
		at = dtype_round(BF16, at);
	for (size_t k = 0; k < p->n; k++) {
		const double e = fabs(wrap_phase(p->phase[k] - at * law->w[k]));
		const double bound =
			p->error[k] + law->slack * fabs(at) * law->w[k];

		if (e > bound)
			return false;
		*off += pow(e / bound, 2);
	}
	return true;
}

/*
 * The last pair, whose frequency is the lowest, whose phase tells a position.
 */
static size_t slowest(const struct phases *p, const struct law *law)
{
	size_t best = 0;

	for (size_t k = 1; k < p->n; k++)
		if (law->w[k] > 0 &&
		    4 * p->error[k] < MAX_TRIES * law->w[k])
			best = k;
	return best;
}

/* Compare whole numbers within slack of mid; the best is *at. */
static bool try_positions(const struct phases *p, const struct law *law,
			  double mid, double slack, double *at)
{
	const double first = ceil(mid - slack);
	double best = HUGE_VAL, off;

	for (size_t k = 0; first + (double)k <= mid + slack; k++)
		if (explains(p, law, first + (double)k, &off) && off < best) {
			best = off;
			*at = first + (double)k + 0.0;
		}
	return best < HUGE_VAL;
}

/* Find the whole number nearest to 0 that explains the phases of a row. */
static bool find_position(const struct phases *p, const struct law *law,
			  double *at)
{
	const size_t k = slowest(p, law);
	const double w = law->w[k];
	double tries = 0;

	for (size_t t = 0;; t++) {
		const size_t away = (t + 1) / 2;
		const double turns = t % 2 ? (double)away : -(double)away;
		const double mid = (p->phase[k] + TWO_PI * turns) / w;
		const double slack = p->error[k] / w + fabs(mid) * law->slack;

		tries += 1 + 2 * slack;
		if (fabs(mid) > MAX_POSITION || !(tries < MAX_TRIES))
			return false;
		if (try_positions(p, law, mid, slack, at))
			return true;
	}
}

/*
 * The bits by which phases say more than their errors hide; pairs that have not
 * turned, or turned fully, say nothing.
 */
static double phase_bits(const struct phases *p)
{
	double bits = 0;

	for (size_t k = 0; k < p->n; k++)
		if (fabs(p->phase[k]) > 2 * p->error[k])
			bits += fmax(0, log2(0.5 * TWO_PI /
					     fmax(p->error[k], 1e-6)));
	return bits;
}

/* The bits that name a law, and positions: all, or a start and a step. */
static double parameter_bits(const struct before *b, const struct law *law,
			     double rows)
{
	const double step = b->n > 1 ? fabs(b->at[1] - b->at[0]) : 1;
	double bits = law_is_usual(law->text) ? 4 : 24, most = 0;

	for (size_t j = 0; j < b->n; j++)
		most = fmax(most, fabs(b->at[j]));
	if (fabs(b->at[0]) > 0)
		bits += log2(most + 1) + 2;
	if (!b->even)
		bits += rows * (log2(most + 1) + 1);
	else if (fabs(step - 1) > 0)
		bits += 2 * log2(step + 1) + 4;
	return bits;
}

/* Whether no row before j has its position, in either direction. */
static bool is_new(const struct before *b, size_t j)
{
	size_t i = 0;

	while (i < j && fabs(fabs(b->at[i]) - fabs(b->at[j])) > 0)
		i++;
	return i == j;
}

/* Find the positions of all rows: the next one, the same, or any. */
static bool find_all(struct before *b, const struct law *law, struct phases *p)
{
	double bits = 0, rows = 0, off;

	b->even = true;
	for (size_t j = 0; j < b->n; j++) {
		const double last = j ? b->at[j - 1] : 0;

		read_phases(b, j, p);
		b->at[j] = last + (j ? b->step : 0);
		if ((j == 0 || !explains(p, law, b->at[j], &off)) &&
		    !find_position(p, law, &b->at[j]))
			return false;
		if (j > 1 && fabs(b->at[j] - 2 * last + b->at[j - 2]) > 0)
			b->even = false;
		if (j < EVIDENT_ROWS && is_new(b, j)) {
			bits += phase_bits(p);
			rows++;
		}
	}
	return bits - parameter_bits(b, law, rows) >= EVIDENCE;
}

/* Positions that are all negative, turning the other way, are positive. */
static void choose_direction(struct before *b)
{
	double most = -HUGE_VAL;

	for (size_t j = 0; j < b->n; j++)
		most = fmax(most, b->at[j]);
	if (most > 0)
		return;
	b->reversed = !b->reversed;
	for (size_t j = 0; j < b->n; j++)
		b->at[j] = 0 - b->at[j];
}

/* Take positions for evenly spaced ones if rounding to bfloat16 makes them. */
static void undo_rounding(struct before *b, struct law *law)
{
	const double first = b->at[0], step = b->step;
	char text[sizeof law->rounded];

	for (size_t j = 0; j < b->n; j++)
		if (fabs(dtype_round(BF16, first + (double)j * step) -
			 b->at[j]) > 0)
			return;
	snprintf(text, sizeof text, "%s emulate=bf16-positions", law->text);
	law->text = memcpy(law->rounded, text, sizeof text);
	law->rounds = b->even = true;
	for (size_t j = 0; j < b->n; j++)
		b->at[j] = first + (double)j * step;
}

bool before_positions(struct before *b, struct law *law)
{
	const bool reversed = b->reversed;
	struct phases p = {
		.n = b->pairs,
		.phase = b->scratch,
		.error = b->scratch + b->pairs,
	};

	if (find_all(b, law, &p)) {
		if (!b->even)
			undo_rounding(b, law);
		choose_direction(b);
		return true;
	}
	b->reversed = reversed;
	return false;
}
