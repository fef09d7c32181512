/* before_turns.c: frequencies of a rotation, measured over many positions. */
#include <math.h>
#include <string.h>

#include "identify/before.h"
#include "identify/frequencies.h"

enum { STARTS = 48 }; /* pairs of rows that measure a frequency */

/* The turn from t to u, as a phasor of the smaller weight. */
static struct turn between(struct turn t, struct turn u)
{
	const double size = hypot(t.re, t.im) * hypot(u.re, u.im);
	const double by = size > 0 ? 1 / size : 0;

	return (struct turn){
		.re = (u.re * t.re + u.im * t.im) * by,
		.im = (u.im * t.re - u.re * t.im) * by,
		.weight = fmin(t.weight, u.weight),
	};
}

/* Mean squared difference of phasors [n], and of t from no turn. */
static void differences(const struct turn *t, const struct turn *u, size_t n,
			double *apart, double *moved)
{
	double all = 0;

	*apart = *moved = 0;
	for (size_t k = 0; k < n; k++) {
		const double weight = fmin(t[k].weight, u[k].weight);

		all += weight;
		*apart += weight * (pow(t[k].re - u[k].re, 2) +
				    pow(t[k].im - u[k].im, 2));
		*moved += t[k].weight * (pow(t[k].re - 1, 2) + pow(t[k].im, 2));
	}
	*apart /= fmax(all, 1e-300);
	*moved /= fmax(all, 1e-300);
}

/* Set the longest run of positions that are evenly spaced: first to last. */
static void find_run(struct before *b)
{
	const size_t n = b->pairs;
	const double noise = 60 * b->noise * b->noise + 1e-20;
	struct turn *room = b->turns;
	struct turn *old = room, *now = room + n, *swap;
	double apart, moved;
	size_t begin = 0;

	for (size_t k = 0; k < n; k++)
		room[2 * n + k] = before_turn(b, 0, k);
	for (size_t j = 1; j < b->n; j++) {
		for (size_t k = 0; k < n; k++) {
			const struct turn t = before_turn(b, j, k);

			now[k] = between(room[2 * n + k], t);
			room[2 * n + k] = t;
		}
		differences(now, j > 1 ? old : now, n, &apart, &moved);
		if (moved <= noise)
			begin = j;
		else if (apart > noise + 0.05 * moved)
			begin = j - 1;
		if (j - begin > b->last - b->first) {
			b->first = begin;
			b->last = j;
		}
		swap = old;
		old = now;
		now = swap;
	}
}

double before_phase_error(const struct before *b, double weight)
{
	return 6 * b->noise * (1 + b->length / sqrt(fmax(weight, 1e-300))) +
	       1e-15;
}

/* The phase that pair k gains over lag positions of the run, and its error. */
static double phase_gain(const struct before *b, size_t k, size_t lag,
			 double *error)
{
	const size_t count = b->last - b->first - lag + 1;
	const size_t n = count < STARTS ? count : STARTS;
	double re = 0, im = 0, all = 0, squares = 0;

	for (size_t s = 0; s < n; s++) {
		const size_t at =
			b->first + (n > 1 ? s * (count - 1) / (n - 1) : 0);
		const struct turn t = before_turn(b, at, k);
		const struct turn u = before_turn(b, at + lag, k);
		const struct turn d = between(t, u);
		const double e = before_phase_error(b, t.weight) +
				 before_phase_error(b, u.weight);

		re += d.weight * d.re;
		im += d.weight * d.im;
		all += d.weight;
		squares += pow(d.weight * e, 2);
	}
	*error = all > 0 ? sqrt(squares) / all : TWO_PI;
	return atan2(im, re);
}

/* Measure the frequencies over the run, with the sign that most have. */
static void measure(struct before *b)
{
	double sign = 0;

	for (size_t k = 0; k < b->pairs; k++) {
		b->w[k] = phase_gain(b, k, 1, &b->error[k]);
		for (size_t lag = 2; lag <= b->last - b->first; lag *= 2) {
			double e;
			const double gain = phase_gain(b, k, lag, &e);

			refine_frequency(&b->w[k], &b->error[k], (double)lag,
					 gain, e);
		}
		if (fabs(b->w[k]) > 3 * b->error[k])
			sign += b->w[k] > 0 ? 1 : -1;
	}
	b->reversed = sign < 0;
	for (size_t k = 0; k < b->pairs; k++)
		b->w[k] = b->reversed ? -b->w[k] : b->w[k];
}

/*
 * Add the whole turns that fast pairs lack: the first three that lack none are
 * in geometric proportion, which those before them continue.
 */
static void add_turns(const struct before *b, double *w)
{
	size_t k = 0;

	while (k + 2 < b->pairs &&
	       !(w[k] < 1.5 && w[k] > w[k + 1] && w[k + 2] > 0 &&
		 fabs(w[k + 1] / w[k] - w[k + 2] / w[k + 1]) < 0.01))
		k++;
	while (k + 2 < b->pairs && k--) {
		const double next = w[k + 1] * w[k + 1] / w[k + 2];

		w[k] += TWO_PI * rint((next - w[k]) / TWO_PI);
	}
}

/* The whole step that first is, times 1, 2, 4 ... 64 for a linear scaling. */
static double whole_step(double first, double error)
{
	for (int k = 0; k <= 6; k++) {
		const double by = ldexp(1, k), step = rint(first * by);

		if (first * by > 0.5 &&
		    fabs(first * by - step) <= (1e-5 + error) * by)
			return step;
	}
	return 1;
}

/* Divide by a step that is a whole number, where frequencies are a series. */
static void divide_by_step(struct before *b)
{
	struct series l = {.tolerance = 0x1p-20};
	double *w = b->scratch;

	memcpy(w, b->w, b->pairs * sizeof *w);
	if (series_fit(&l, w, b->error, b->pairs)) {
		b->step = whole_step(l.first,
				     fabs(l.first) * l.first_error);
	} else {
		memcpy(w, b->w, b->pairs * sizeof *w);
		add_turns(b, w);
		b->step = whole_step(w[0], b->error[0]);
	}
	for (size_t k = 0; k < b->pairs; k++) {
		b->w[k] = w[k] / b->step;
		b->error[k] /= b->step;
	}
}

bool before_measure(struct before *b)
{
	b->step = 1;
	find_run(b);
	if (b->first == b->last)
		return false;
	measure(b);
	divide_by_step(b);
	return true;
}
