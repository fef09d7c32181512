/* rotary.c: frequencies and positions measured from a RoPE table. */
#include <math.h>

#include "identify/frequencies.h"
#include "identify/rotary.h"
#include "identify/spectrum.h"

enum {
	MAX_POSITIONS = 1 << 15,
	MAX_LISTED_ROWS = 256,
	MAX_START = 1 << 10,
	FAST_PAIRS = 8,
	REFINE_PART = 16,      /* row i is followed by i + i / 16 + 1 */
};

bool rotary_of_frequencies(struct rotary *r, struct search *s, size_t pairs)
{
	*r = (struct rotary){
		.profile = s->profile, .out = "freqs", .form = FORM_ANGLES,
		.pairs = pairs, .stride = 1, .amp = 1,
		.w = search_alloc(s, 2 * pairs, sizeof *r->w),
	};
	r->error = r->w ? r->w + pairs : NULL;
	return r->w;
}

bool rotary_open(struct rotary *r, struct search *s)
{
	const size_t n = r->profile->n;

	r->search = s;
	r->w = table_alloc(&r->owner, 2 * r->pairs, sizeof *r->w, s->err);
	r->error = r->w ? r->w + r->pairs : NULL;
	r->positions = table_alloc(&r->owner, n, sizeof *r->positions, s->err);
	return !s->err->text[0];
}

/* How many of the fastest pairs are enough to find positions. */
static size_t fast_pairs(const struct rotary *r)
{
	return r->pairs < FAST_PAIRS ? r->pairs : FAST_PAIRS;
}

double rotary_angle(const struct rotary *r, size_t i, size_t k,
		    double expected, double *error)
{
	const double *x = profile_row(r->profile, i) + k * r->stride;
	const double unit = r->profile->noise + 2 * r->profile->epsilon;
	const double turns =
		0x1p-52 * fabs(expected); /* rounding of expected */
	const double y = fmax(-1, fmin(1, x[0] / r->amp));
	double a, b;

	*error = unit;
	if (r->form == FORM_ANGLES) {
		*error = unit * fabs(x[0]) + r->profile->assumed;
		return x[0];
	}
	if (r->form == FORM_BOTH) {
		a = r->sine_first ? atan2(x[0], x[r->gap])
				  : atan2(x[r->gap], x[0]);
		*error = 2 * unit * fmin(1, fabs(a)) + r->profile->abs_noise +
			 turns;
		return expected + wrap_phase(a - expected);
	}
	a = r->form == FORM_COS ? acos(y) : asin(y);
	b = r->form == FORM_COS ? -a : TWO_PI / 2 - a;
	*error = unit * fabs(y) / fmax(sqrt(1 - y * y), sqrt(unit)) +
		 r->profile->abs_noise + turns;
	a = wrap_phase(a - expected);
	b = wrap_phase(b - expected);
	return expected + (fabs(a) <= fabs(b) ? a : b);
}

/* The amplitude of all sines and cosines. */
static double amplitude(const struct rotary *r, bool first_is_one)
{
	const double *x = profile_row(r->profile, 0);

	if (r->form == FORM_SIN && first_is_one)
		return fabs(profile_row(r->profile, 1)[0]) / sin(1);
	return r->form == FORM_COS ? fabs(x[0])
	       : r->form == FORM_BOTH ? hypot(x[0], x[r->gap]) : 1;
}

/* Refine the frequencies by row i, whose position is known. */
static void refine(struct rotary *r, size_t i, double position)
{
	for (size_t k = 0; k < r->pairs; k++) {
		double e;
		const double a = rotary_angle(r, i, k, position * r->w[k], &e);

		refine_frequency(&r->w[k], &r->error[k], position, a, e);
	}
}

/* Whether cosines or sines alone leave two angles near the expected one. */
static bool folds(const struct rotary *r, double expected, double error)
{
	const double half = TWO_PI / 2;
	const double at = expected / half - (r->form == FORM_SIN ? 0.5 : 0);
	const double fold = fmax(rint(at), r->form == FORM_SIN ? 0 : 1);

	return (r->form == FORM_COS || r->form == FORM_SIN) &&
	       fabs(at - fold) * half <= error;
}

void rotary_refine(struct rotary *r)
{
	for (size_t i = 2; i < r->profile->n; i *= 2)
		for (size_t k = 0; k < r->pairs; k++) {
			const double lag = (double)i, w = r->w[k] * lag;
			double e;
			const double a = rotary_angle(r, i, k, w, &e);

			if (!folds(r, w, r->error[k] * lag))
				refine_frequency(&r->w[k], &r->error[k], lag, a,
						 e);
		}
}

/* Narrow the interval of pair k by row i. */
static void narrow_pair(const struct rotary *r, size_t i, size_t k, double unit,
			double *low, double *high)
{
	const double most = TWO_PI / 4, p = (double)i;
	const double middle = (*low + *high) / 2 * p;
	const double within = (*high - *low) / 2 * p;
	double a, e;

	if (within > most)
		return;
	a = rotary_angle(r, i, k, middle, &e);
	e = 3 * e + 4 * r->profile->epsilon * a;
	e += ldexp(unit, ilogb(a + e));
	if (within + e > most || folds(r, middle, within + e))
		return;
	*low = fmax(*low, (a - e) / p);
	*high = fmin(*high, (a + e) / p);
}

void rotary_narrow(struct rotary *r, double unit)
{
	for (size_t i = 1; i < r->profile->n && i < MAX_POSITIONS; i++)
		for (size_t k = 0; k < r->pairs; k++)
			narrow_pair(r, i, k, unit, &r->w[k], &r->error[k]);
	for (size_t k = 0; k < r->pairs; k++) {
		const double low = r->w[k], high = r->error[k];

		r->w[k] = (low + high) / 2;
		r->error[k] = fmax(high - low, 0) / 6;
	}
}

/* The value of a pair of frequency w at position p. */
static double value(const struct rotary *r, double p, double w)
{
	return r->form == FORM_ANGLES
		       ? p * w
		       : r->amp * (r->form == FORM_SIN || r->sine_first
					   ? sin(p * w)
					   : cos(p * w));
}

/* Whether the first known pairs of row i agree with position p. */
static bool fits_position(const struct rotary *r, size_t i, double p,
			  size_t known)
{
	const double *x = profile_row(r->profile, i);

	for (size_t k = 0; k < known; k++) {
		const double e = fabs(value(r, p, r->w[k]) - x[k * r->stride]);
		const double far =
			r->form == FORM_ANGLES ? p * r->w[k] : r->amp;

		if (e > 4 * (r->profile->noise + r->profile->epsilon) * far +
				p * (6 * r->error[k] +
				     8 * r->profile->epsilon * r->w[k]) +
				r->profile->assumed)
			return false;
	}
	return true;
}

/* Whether values are beyond the amplitude and the assumed noise. */
static bool exceeds_amplitude(const struct rotary *r)
{
	const struct profile *p = r->profile;

	return p->assumed > 0 && r->form != FORM_ANGLES &&
	       fmax(-p->min, p->max) > r->amp + 2 * p->assumed;
}

/*
 * The first position below most with which the first known pairs of row i
 * agree, or most. The first pair, turned from position to position, rejects
 * nearly all: its error stays far below 1e-9.
 */
static double find_position(const struct rotary *r, size_t i, double most)
{
	const struct profile *p = r->profile;
	const bool sine = r->form == FORM_SIN || r->sine_first;
	const double unit = 4 * (p->noise + p->epsilon) + 1e-9;
	const double per_position =
		6 * r->error[0] + 8 * p->epsilon * r->w[0];
	const double a = cos(r->w[0]), b = sin(r->w[0]);
	const double x = profile_row(p, i)[0];
	double at = 0, c = 1, s = 0;

	while (at < most) {
		const double off = fabs(r->amp * (sine ? s : c) - x);
		const double next = c * a - s * b;

		if ((r->form == FORM_ANGLES ||
		     off <= unit * r->amp + at * per_position + p->assumed) &&
		    fits_position(r, i, at, fast_pairs(r)))
			return at;
		s = s * a + c * b;
		c = next;
		at++;
	}
	return at;
}

/* Whether row 0 agrees with a position that rotary_find_positions() tries. */
static bool starts(const struct rotary *r)
{
	const double most = r->profile->assumed > 0		? MAX_START
			    : r->profile->n > MAX_LISTED_ROWS ? 1
							      : MAX_POSITIONS;

	return find_position(r, 0, most) < most;
}

/* Take frequencies under noise from all rows, whatever the first position. */
static bool measure_spectrum(struct rotary *r)
{
	const struct tone *tones = spectrum_of(r->profile, 0);
	double sum = 0, fast = 0;

	for (size_t k = 0; tones && k < r->pairs; k++) {
		const struct tone *a = tones + k * r->stride;

		r->w[k] = a->w;
		r->error[k] = a->error;
		if (r->form == FORM_BOTH)
			r->w[k] = fabs(pair_frequency(a, a + r->gap,
						      &r->error[k]));
		sum += a->fast ? a->amp : 0;
		fast += a->fast;
	}
	if (!tones || !(fast > 0))
		return false;
	r->amp = fabs(sum / fast - 1) < 0.002 ? 1 : sum / fast;
	return !exceeds_amplitude(r) && starts(r);
}

bool rotary_measure(struct rotary *r, bool first_is_one)
{
	if (r->profile->n < 2)
		return false;
	if (r->profile->assumed > 0 && r->form != FORM_ANGLES)
		return !first_is_one && measure_spectrum(r);
	r->amp = amplitude(r, first_is_one);
	if (!(r->amp > 0) || exceeds_amplitude(r))
		return false;
	for (size_t k = 0; k < r->pairs; k++) {
		r->w[k] = rotary_angle(r, 1, k, 0.5, &r->error[k]);
		if (r->form != FORM_ANGLES)
			r->w[k] = fabs(r->w[k]);
	}
	return r->w[0] > 0 && starts(r);
}

bool rotary_assume_base(struct rotary *r, double base)
{
	const size_t known = fast_pairs(r);
	const double *x = profile_row(r->profile, 0);

	r->amp = r->form == FORM_BOTH ? hypot(x[0], x[r->gap]) : 1;
	for (size_t k = 0; k < r->pairs; k++) {
		r->w[k] = pow(base, -(double)k / (double)r->pairs);
		r->error[k] = k < known ? 0 : 1;
	}
	return !exceeds_amplitude(r) && starts(r);
}

/* Under noise only consecutive positions are told apart: find the first. */
static bool find_start(struct rotary *r)
{
	const size_t n = r->profile->n, known = fast_pairs(r);

	for (int k = 1; k < MAX_START; k++) {
		const double start = k;
		size_t i = 0;

		while (i < n && fits_position(r, i, start + (double)i, known))
			i++;
		if (i < n)
			continue;
		for (i = 0; i < n; i++)
			r->positions[i] = start + (double)i;
		for (i = 0; i < n; i += 1 + i / REFINE_PART)
			refine(r, i, r->positions[i]);
		r->evenly_spaced = true;
		return true;
	}
	return false;
}

bool rotary_find_positions(struct rotary *r)
{
	const size_t n = r->profile->n, known = fast_pairs(r);

	r->evenly_spaced = true;
	for (size_t i = 0; i < n && r->evenly_spaced; i++) {
		r->positions[i] = (double)i;
		r->evenly_spaced = fits_position(r, i, (double)i, known);
		if (r->evenly_spaced && i && (i & (i - 1)) == 0)
			refine(r, i, (double)i);
	}
	if (r->evenly_spaced)
		return true;
	if (r->profile->assumed > 0)
		return find_start(r);
	if (n > MAX_LISTED_ROWS)
		return false;
	for (size_t i = 0; i < n; i++) {
		const double p = find_position(r, i, MAX_POSITIONS);

		if (!search_goes_on(r->search, p < MAX_POSITIONS))
			return false;
		r->positions[i] = p;
		if (p > 1)
			refine(r, i, p);
	}
	r->evenly_spaced = n > 1;
	for (size_t i = 2; i < n; i++)
		r->evenly_spaced =
			r->evenly_spaced &&
			fabs(r->positions[i] - 2 * r->positions[i - 1] +
			     r->positions[i - 2]) < 0.5;
	return true;
}

bool rotary_counts(const struct rotary *r, size_t rows)
{
	for (size_t i = 0; i < r->profile->n && i < rows; i++)
		if (!fits_position(r, i, (double)i, r->pairs))
			return false;
	return true;
}

/* Whether each column is there twice: in the other half, or next to it. */
static bool doubled(const struct profile *p, bool interleaved)
{
	const size_t half = p->cols / 2;

	for (size_t i = 0; i < p->n; i++) {
		const double *x = profile_row(p, i);

		for (size_t k = 0; k < half; k++)
			if (fabs(interleaved ? x[2 * k] - x[2 * k + 1]
					     : x[k] - x[k + half]) >
			    2 * p->assumed)
				return false;
	}
	return p->cols % 2 == 0;
}

size_t rotary_forms(const struct profile *p, bool sinusoids,
		    struct rotary forms[ROTARY_FORMS])
{
	static const struct {
		const char *out;
		enum rotary_form form;
		size_t stride;
		bool sine_first;
	} all[ROTARY_FORMS] = {
		{ "cos", FORM_COS, 1, false },
		{ "sin", FORM_SIN, 1, false },
		{ "angles", FORM_ANGLES, 1, false },
		{ "cossin", FORM_BOTH, 1, false },
		{ "cis", FORM_BOTH, 2, false },
		{ NULL, FORM_BOTH, 1, true },
		{ NULL, FORM_BOTH, 2, true },
	};
	static const char *const full[] = { "cos-full", "sin-full" };
	const bool half = doubled(p, false);
	const bool twice = half || doubled(p, true);
	size_t n = 0;

	for (size_t k = 0; k < COUNT(all) - (sinusoids ? 0 : 2); k++) {
		const bool both = all[k].form == FORM_BOTH;
		struct rotary *r = &forms[n];

		if (both ? p->cols % 2 : twice && all[k].form == FORM_ANGLES)
			continue;
		*r = (struct rotary){
			.profile = p, .form = all[k].form,
			.out = twice && k < 2 ? full[k] : all[k].out,
			.sine_first = all[k].sine_first,
			.interleaved = !both && twice && !half,
			.pairs = p->cols / (both || twice ? 2 : 1),
			.stride = both ? all[k].stride
				       : twice && !half ? 2 : 1,
		};
		r->gap = !both ? 0 : r->stride == 1 ? r->pairs : 1;
		n++;
	}
	return n;
}

void rotary_each_form(struct search *s, bool sinusoids,
		      bool (*try)(struct search *s, struct rotary *r))
{
	struct rotary forms[ROTARY_FORMS];
	const size_t n = rotary_forms(s->profile, sinusoids, forms);
	bool found = false;

	for (size_t k = 0; k < n && !found; k++) {
		found = try(s, &forms[k]);
		table_close(&forms[k].owner);
	}
}
