/* frequencies.c: frequencies of sine and cosine pairs, and their series. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/frequencies.h"
#include "identify/rounding.h"
#include "identify/spectrum.h"

enum { SAMPLE_ROWS = 64, MIN_ANGLES = 4, MANY = 64 };

/* Frequencies of a series are within so many errors of it; none beyond. */
#define AGREE 6
#define DISAGREE 64

#define PHASE_ERROR 1e-30 /* no phase is known without error */

double wrap_phase(double a)
{
	return a - TWO_PI * rint(a / TWO_PI);
}

double pair_phase(const struct pair_layout *layout, const struct profile *p,
		  size_t i, size_t k, double *error)
{
	const double *x = profile_row(p, i) + k * layout->stride;
	const double a = layout->negated ? -x[0] : x[0];
	const double b = layout->negated ? -x[layout->gap] : x[layout->gap];
	const double angle = layout->cosine_first ? atan2(b, a) : atan2(a, b);

	*error = 2 * (p->noise + 8 * p->epsilon) * fmin(fabs(angle), 1) +
		 p->abs_noise / layout->amp + PHASE_ERROR + layout->slack;
	return angle;
}

/* Whether all pairs of row i have one amplitude; sets layout->amp. */
static bool row_circular(struct pair_layout *layout, const struct profile *p,
			 size_t i)
{
	const double *x = profile_row(p, i), *y = x + layout->gap;
	double lo = HUGE_VAL, hi = 0, sum = 0;

	for (size_t j = 0; j < layout->pairs * layout->stride;
	     j += layout->stride) {
		const double square = x[j] * x[j] + y[j] * y[j];

		lo = square < lo ? square : lo;
		hi = square > hi ? square : hi;
		sum += square;
	}
	lo = sqrt(lo);
	hi = sqrt(hi);
	layout->amp = sqrt(sum / (double)layout->pairs);
	return hi - lo <= 8 * layout->amp *
			  (p->noise + 2 * p->epsilon + SERIES_ERROR) && hi > 0;
}

bool pairs_circular(struct pair_layout *layout, const struct profile *p,
		    size_t first)
{
	const double within = p->noise + SERIES_ERROR + 2 * p->epsilon;
	double amp, squares = 0, rows = 0;

	if (!row_circular(layout, p, first))
		return false;
	amp = layout->amp;
	for (size_t i = 0; i < p->n; i++) {
		if (profile_zero_row(p, i))
			continue;
		if (!row_circular(layout, p, i) ||
		    fabs(layout->amp - amp) > 4 * amp * within)
			return false;
		squares += layout->amp * layout->amp;
		rows++;
	}
	layout->amp_error = p->noise + SERIES_ERROR + p->epsilon;
	if (p->assumed > 0) {
		layout->amp = sqrt(squares / rows);
		/* The noise of both columns adds its square. */
		layout->amp_error =
			p->noise / sqrt(rows * (double)layout->pairs) +
			p->noise * p->noise;
	}
	return true;
}

bool pairs_have_angles(const struct pair_layout *layout,
		       const struct profile *p)
{
	const size_t n = p->n < SAMPLE_ROWS ? p->n : SAMPLE_ROWS;
	size_t angles = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < layout->pairs; k++) {
			double error;
			const double eighths =
				8 / TWO_PI *
				pair_phase(layout, p, i, k, &error);

			angles += fabs(eighths - rint(eighths)) >
				  8 * error + 1e-9;
		}
	return n > 1 && layout->pairs > 1 && angles >= MIN_ANGLES &&
	       2 * angles >= n * layout->pairs;
}

void refine_frequency(double *w, double *error, double lag, double phase,
		      double phase_error)
{
	const double e = phase_error / lag;

	if (*error * lag > TWO_PI / 8 || e >= *error)
		return;
	*w += wrap_phase(phase - *w * lag) / lag;
	*error = e;
}

/* Measure all frequencies by rows first and first + 2^l, or refine them. */
static void refine_all(const struct pair_layout *layout,
		       const struct profile *p, size_t first, size_t l,
		       double *w, double *error)
{
	const size_t lag = (size_t)1 << l;

	for (size_t k = 0; k < layout->pairs; k++) {
		double d, e;
		const double gain = pair_phase(layout, p, first + lag, k, &d) -
				    pair_phase(layout, p, first, k, &e);

		if (l == 0) {
			w[k] = wrap_phase(gain);
			error[k] = d + e;
		}
		refine_frequency(&w[k], &error[k], (double)lag, gain, d + e);
	}
}

void measure_frequencies(const struct pair_layout *layout,
			 const struct profile *p, size_t first, double *w,
			 double *error)
{
	const struct tone *tones =
		p->assumed > 0 ? spectrum_of(p, first) : NULL;
	double up = 0;

	for (size_t k = 0; tones && k < layout->pairs; k++) {
		const struct tone *a = tones + k * layout->stride;
		const struct tone *b = a + layout->gap;

		w[k] = layout->cosine_first ? pair_frequency(a, b, &error[k])
					    : pair_frequency(b, a, &error[k]);
		up += a->fast && b->fast ? w[k] : 0;
	}
	/* All turn as fast ones do. */
	for (size_t k = 0; tones && k < layout->pairs; k++)
		w[k] = copysign(w[k], up);
	if (tones)
		return;
	memset(w, 0, layout->pairs * sizeof *w);
	memset(error, 0, layout->pairs * sizeof *error);
	for (size_t l = 0; first + ((size_t)1 << l) < p->n; l++)
		if (!profile_zero_row(p, first + ((size_t)1 << l)))
			refine_all(layout, p, first, l, w, error);
}

double series_tolerance(const struct profile *p)
{
	return 0x1p-46 + 16 * p->epsilon;
}

struct series series_of_base(const struct profile *p, double base, double d)
{
	return (struct series){
		.first = 1, .first_error = 8 * p->epsilon,
		.decay = log(base) / d,
	};
}

/* The weight of a measured w: 0 if rounding is larger than w. */
static double weight(const struct series *series, double w, double error)
{
	return fabs(w) > 3 * error
		       ? 1 / (pow(error / w, 2) + pow(series->tolerance, 2))
		       : 0;
}

/* Weighted least squares of log |w| from first to n - 1. */
static void fit(struct series *series, const double *w, const double *error,
		size_t first, size_t n)
{
	double sum = 0, sum_k = 0, sum_y = 0, kk = 0, ky = 0;

	for (size_t k = first; k < n; k++) {
		const double g = weight(series, w[k], error[k]);

		if (!(g > 0))
			continue;
		sum += g;
		sum_k += g * (double)k;
		sum_y += g * log(fabs(w[k]));
	}
	for (size_t k = first; k < n; k++) {
		const double g = weight(series, w[k], error[k]);
		const double d = (double)k - sum_k / sum;

		if (!(g > 0))
			continue;
		kk += g * d * d;
		ky += g * d * (log(fabs(w[k])) - sum_y / sum);
	}
	series->decay = kk > 0 ? -ky / kk : 0;
	series->decay_error = kk > 0 ? 1 / sqrt(kk) : 0;
	series->first =
		copysign(exp((sum_y + series->decay * sum_k) / sum), w[first]);
	series->first_error = sqrt(1 / sum) + sum_k / sum * series->decay_error;
}

static double frequency(const struct series *series, size_t k)
{
	return series->first * exp(-(double)k * series->decay);
}

/*
 * Whether the frequencies from first on agree with the series, up to so many
 * times their errors.
 */
static bool agrees(const struct series *series, const double *w,
		   const double *error, size_t first, size_t n, double times)
{
	for (size_t k = first; k < n; k++)
		if (!(fabs(w[k] - frequency(series, k)) <=
		      times * (error[k] + series->tolerance * fabs(w[k]))))
			return false;
	return true;
}

/* Whether the frequencies have one sign, and not all are lost in rounding. */
static bool same_sign(const double *w, const double *error, size_t first,
		      size_t n)
{
	size_t up = 0, down = 0;

	for (size_t k = first; k < n; k++) {
		up += w[k] > 3 * error[k];
		down += w[k] < -3 * error[k];
	}
	return !up != !down;
}

bool series_fit(struct series *series, double *w, const double *error, size_t n)
{
	size_t k = n - (n + 3) / 4, fitted;

	if (same_sign(w, error, 0, n)) {
		fit(series, w, error, 0, n);
		if (agrees(series, w, error, 0, n, AGREE))
			return true;
	}
	/* The slowest quarter lacks no turns: extrapolate from it. */
	k = n < 2 ? 0 : k > n - 2 ? n - 2 : k;
	if (!same_sign(w, error, k, n))
		return false;
	fit(series, w, error, k, n);
	/* More frequencies make no series of what is far from one. */
	if (!agrees(series, w, error, k, n, DISAGREE))
		return false;
	fitted = n - k;
	while (k--) {
		w[k] += TWO_PI * rint((frequency(series, k) - w[k]) / TWO_PI);
		/* Of many, one more hardly moves the series. */
		if (k && n - k < fitted + fitted / MANY)
			continue;
		if (!same_sign(w, error, k, n))
			return false;
		fit(series, w, error, k, n);
		fitted = n - k;
	}
	return agrees(series, w, error, 0, n, AGREE);
}

/* The error of position p as pair k measures it; the decay has none. */
static double position_error(const struct series *series, size_t k,
			     double error, double p)
{
	return error / fabs(frequency(series, k)) +
	       fabs(p) * series->first_error;
}

bool series_position(const struct series *series, const double *phase,
		     const double *error, size_t n, double turns, double *p,
		     double *p_error)
{
	size_t k = n - 1;

	*p = (phase[k] + TWO_PI * turns) / frequency(series, k);
	*p_error = position_error(series, k, error[k], *p);
	while (k--) {
		const double w = frequency(series, k);
		const double off = wrap_phase(phase[k] - *p * w) / w;
		const double e = position_error(series, k, error[k], *p);

		if (*p_error * fabs(w) > TWO_PI / 4 ||
		    fabs(off) > 6 * (*p_error + e))
			return false;
		*p += off * pow(*p_error, 2) / (pow(*p_error, 2) + e * e);
		*p_error = 1 / sqrt(1 / (e * e) + pow(*p_error, -2));
	}
	return true;
}

/* List the denominators for a number of columns; returns how many. */
static size_t list_denominators(size_t cols, bool round_up, struct base *bases)
{
	const double half = floor((double)cols / 2);
	size_t n = 0;

	bases[n++] = (struct base){
		.denom = "dim", .d = round_up ? half + 1 : (double)cols / 2
	};
	if (round_up)
		return n;
	if (cols > 2 && cols % 2)
		bases[n++] = (struct base){ .denom = "half", .d = half };
	if (half > 1)
		bases[n++] = (struct base){ .denom = "half-1", .d = half - 1 };
	return n;
}

/* Base 10000 with a denominator of half minus some hundredths. */
static bool find_shifted(const struct series *series, double within,
			 size_t cols, struct base *base)
{
	const double half = floor((double)cols / 2);
	const double d = log(USUAL_BASE) / series->decay;
	const double shift = round_to_decimals(
		half - d, within * d / series->decay *
				  (series->decay_error + SERIES_ERROR));

	*base = (struct base){
		.value = USUAL_BASE, .d = half - shift, .digits = ROUND_DIGITS,
	};
	snprintf(base->denom, sizeof base->denom, "shift:%.2f", shift);
	return series->decay > 0 && fabs(shift) < half &&
	       fabs(shift * 100 - rint(shift * 100)) < 1e-9 &&
	       fabs(shift * (1 - shift)) > 1e-9;
}

/* Set the roundest bases that the decay allows; the fewest digits of one. */
static int round_bases(const struct series *series, double within, size_t n,
		       struct base *bases)
{
	int fewest = MAX_DIGITS;

	for (size_t k = 0; k < n; k++) {
		const double base = exp(series->decay * bases[k].d);
		const double error =
			within *
			(series->decay_error * bases[k].d + SERIES_ERROR);

		bases[k].value = series->decay > 0 || series->decay < 0
					 ? round_to_usual(base, base * error)
					 : USUAL_BASE;
		bases[k].digits = nice_digits(bases[k].value);
		fewest = bases[k].digits < fewest ? bases[k].digits : fewest;
	}
	return fewest;
}

size_t series_bases(const struct series *series, double within, size_t cols,
		    bool round_up, struct base bases[MAX_BASES])
{
	size_t n = list_denominators(cols, round_up, bases), kept = 0;
	int fewest = round_bases(series, within, n, bases);

	if (fewest >= ROUND_DIGITS && within > 0 &&
	    find_shifted(series, within, cols, &bases[n]))
		fewest = bases[n++].digits;
	if (fewest < ROUND_DIGITS)
		fewest = ROUND_DIGITS;
	for (size_t k = 0; k < n; k++) {
		const struct base one = bases[k];

		if (one.digits > fewest && within > 0)
			continue;
		bases[kept++] = one;
		/* The usual base comes first. */
		if (fabs(one.value - USUAL_BASE) <= 0) {
			bases[kept - 1] = bases[0];
			bases[0] = one;
		}
	}
	return kept;
}
