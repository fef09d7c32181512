/*
 * waves.c: tables whose columns are sine waves of one frequency each, which no
 * command makes: what the frequencies are, and usual mistakes in exponents.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/frequencies.h"
#include "identify/identify.h"
#include "identify/rounding.h"
#include "identify/spectrum.h"
#include "identify/trial.h"

enum { FEWEST_ROWS = 8, FEWEST_WAVES = 3, TEXT = 400 };

/*
 * Mistakes in the exponents of a sinusoid: those of sines and cosines of pair k
 * are (first + each k) / dim; of a split table, the cosines' first is a share
 * of dim.
 */
static const struct slip {
	const char *what;
	double sine, sines, cosine, cosines;
	bool split;
	double bases;          /* base of the cosines over that of the sines */
} slips[] = {
	{ "the exponent of column j is 2j/dim in place of 2 floor(j/2)/dim",
	  0, 4, 2, 4, false, 1 },
	{ "the exponent of column j is j/dim in place of 2 floor(j/2)/dim",
	  0, 2, 1, 2, false, 1 },
	{ "cosines have the frequency of the next pair's sine",
	  0, 2, 2, 2, false, 1 },
	{ "cosines have the frequency of the next pair's sine",
	  0, 2, 2, 2, true, 1 },
	{ "the exponent of column j is 2j/dim, also of cosines",
	  0, 2, 1, 2, true, 1 },
	{ "the exponent of column j is j/dim, also of cosines",
	  0, 1, 0.5, 1, true, 1 },
	{ "the base of the cosines is a tenth of that of the sines",
	  0, 2, 0, 2, false, 0.1 },
	{ "the base of the cosines is a tenth of that of the sines",
	  0, 2, 0, 2, true, 0.1 },
	{ "the base of the sines is a tenth of that of the cosines",
	  0, 2, 0, 2, false, 10 },
	{ "the base of the sines is a tenth of that of the cosines",
	  0, 2, 0, 2, true, 10 },
};

/* The frequency of column j of a mistaken sinusoid. */
static double slip_frequency(const struct slip *m, size_t j, size_t dim,
			     double base)
{
	const double d = (double)dim;
	const bool cosine = m->split ? j >= dim / 2 : j % 2;
	const size_t pair = m->split ? j % (dim / 2) : j / 2;
	/* The column of a split table's first cosine counts as dim / 2. */
	const double first = m->cosine * (m->split && m->cosine < 2 ? d : 1);
	const double k = (double)pair;

	return cosine ? pow(base * m->bases, -(first + m->cosines * k) / d)
		      : pow(base, -(m->sine + m->sines * k) / d);
}

/* The largest residual of rows 0 to n - 1, up to one beyond most. */
static double slip_residual(const struct profile *p, const struct slip *m,
			    double base, size_t n, double most)
{
	double largest = 0;

	for (size_t j = 0; j < p->cols; j++) {
		const bool cosine = m->split ? j >= p->cols / 2 : j % 2;
		const double w = slip_frequency(m, j, p->cols, base);

		for (size_t i = 0; i < n && largest <= most; i++) {
			const double a = (double)i * w;
			const double y = cosine ? cos(a) : sin(a);

			largest = fmax(largest,
				       fabs(profile_row(p, i)[j] - y));
		}
	}
	return largest;
}

/* Whether the table is a sinusoid from position 0 with such a mistake. */
static bool find_slip(struct search *s)
{
	const struct profile *p = s->profile;
	const double n = (double)p->n;
	const double most = p->noise + p->abs_noise + 16 * p->epsilon * n;

	for (size_t b = 0; b < USUAL_BASES; b++)
		for (size_t k = 0; k < COUNT(slips); k++) {
			const struct slip *m = &slips[k];
			const double base = usual_bases[b];
			double off = slip_residual(p, m, base, 2, most);
			char number[32];

			if (off <= most)
				off = slip_residual(p, m, base, p->n, most);
			if (off > most)
				continue;
			s->family = "sinusoid";
			s->settled = true;
			s->verdict = search_text(
				s, "sinusoid with a mistake: %s (largest "
				"residual %.2g), which no command makes; "
				"'posenc sinusoid --len %zu --dim %zu --base "
				"%s%s' is the table without it", m->what, off,
				p->n, p->cols, nice_text(base, number),
				m->split ? " --layout split" : "");
			return true;
		}
	return false;
}

/*
 * Whether the frequencies of tones [n], descending, or their logarithms are
 * evenly spaced from the first to the last.
 */
static bool evenly_spaced(const struct tone *tones, size_t n, bool logarithms)
{
	const double first = tones[0].w, last = tones[n - 1].w;

	for (size_t k = 0; k < n; k++) {
		const double t = (double)k / (double)(n - 1);
		const double w = logarithms ? first * pow(last / first, t)
					    : first + (last - first) * t;

		if (!(fabs(tones[k].w - w) <= TONE_ERROR * w +
		      4 * (tones[k].error + tones[n - 1].error)))
			return false;
	}
	return n > 3 && last < first;
}

/* What the frequencies are, descending and different, in words. */
static void write_series(char text[TEXT], const struct tone *tones, size_t n)
{
	const double first = tones[n - 1].w, last = tones[0].w;
	const double step = (last - first) / (double)(n - 1);

	if (evenly_spaced(tones, n, false) &&
	    fabs(first / step - rint(first / step)) < 1e-3)
		snprintf(text, TEXT, "the frequencies are %.0f to %.0f times "
			 "%.6g radians per row (2 pi / %.6g), as in Fourier "
			 "series and cosine transforms", first / step,
			 last / step, step, TWO_PI / step);
	else if (evenly_spaced(tones, n, false))
		snprintf(text, TEXT, "the frequencies are evenly spaced from "
			 "%.6g to %.6g radians per row", first, last);
	else if (first > 0 && evenly_spaced(tones, n, true))
		snprintf(text, TEXT, "the frequencies are geometric from %.6g "
			 "to %.6g radians per row, but no command that was "
			 "tried makes the table", last, first);
	else
		snprintf(text, TEXT, "the frequencies, from %.6g to %.6g "
			 "radians per row%s", last, first, n > 3
			 ? ", are neither evenly spaced nor geometric" : "");
}

/* Whether a column turns enough to tell its frequency. */
static bool tells_frequency(const struct profile *p, size_t j, double left)
{
	double least = HUGE_VAL, most = -HUGE_VAL;

	for (size_t i = 0; i < p->n; i++) {
		least = fmin(least, profile_row(p, i)[j]);
		most = fmax(most, profile_row(p, i)[j]);
	}
	/* A constant that is not 0 has the frequency 0. */
	left += p->noise * fabs(most);
	return most - least > 32 * left ||
	       (most - least <= 2 * left && fabs(most) > 0.01);
}

/* Whether row i is i times row 1, whose values fall from 1: rotary angles. */
static bool are_angles(const struct profile *p)
{
	const double *w = profile_row(p, 1);

	for (size_t j = 0; j < p->cols; j++)
		if (!(j ? w[j] < w[j - 1] && w[j] >= 0
			: fabs(w[0] - 1) <= 8 * p->epsilon))
			return false;
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++) {
			const double y = (double)i * w[j];

			if (!(fabs(profile_row(p, i)[j] - y) <=
			      4 * (p->noise + p->epsilon) * y))
				return false;
		}
	return p->n > 3;
}

static const char no_scaling[] =
	"which no scaling that was tried gives; longrope has its own factors "
	"for each model";

/* Whether frequencies that fall are evenly spaced, or their logarithms. */
static bool is_series(const struct tone *tones, size_t n)
{
	return evenly_spaced(tones, n, false) || evenly_spaced(tones, n, true);
}

/* What the columns are if each is a sine wave. */
static void tell_waves(struct search *s)
{
	const struct profile *p = s->profile;
	const double amplitude = fmax(fabs(p->min), fabs(p->max));
	const double most = (MAX_TOLERANCE + 2 * p->noise) * amplitude +
			    2 * p->abs_noise;
	struct tone *tones = search_alloc(s, p->cols, sizeof *tones);
	const bool waves = tones &&
			   measure_all(p, 0, most, tones) >= FEWEST_WAVES;
	double left = 0;
	char text[TEXT];
	size_t n, pairs = 1, told = 0;
	bool rope;

	for (size_t j = 0; waves && j < p->cols; j++)
		left = hypot(left, tones[j].left / sqrt((double)p->cols));
	/* Frequencies that fall from column to column as those of rope */
	while (waves && pairs < p->cols && tones[pairs].w < tones[pairs - 1].w)
		pairs++;
	rope = (pairs == p->cols || 2 * pairs == p->cols) && pairs > 3 &&
	       fabs(tones[0].w - 0.75) < 0.26 && tones[pairs - 1].w < 0.02 &&
	       !is_series(tones, pairs);
	if (rope)
		snprintf(text, sizeof text, "the frequencies fall from %.6g "
			 "to %.6g radians per row as those of rope do, %s",
			 tones[0].w, tones[p->cols - 1].w, no_scaling);
	for (size_t j = 0; waves && j < p->cols; j++)
		if (tells_frequency(p, j, left))
			tones[told++] = tones[j];
	n = waves ? distinct_tones(tones, told) : 0;
	if (n < FEWEST_WAVES)
		return;
	if (!rope)
		write_series(text, tones, n);
	if (told < p->cols)
		snprintf(text + strlen(text), sizeof text - strlen(text),
			 "; %zu of %zu columns hardly vary", p->cols - told,
			 p->cols);
	s->family = rope ? "rope" : "sinusoid";
	s->verdict = search_text(s, "no match found: each column is a sine "
				 "wave (root-mean-square residual %.2g); %s",
				 left, text);
}

void identify_waves(struct search *s)
{
	const struct profile *p = s->profile;

	if (s->n || s->family || s->nearest.recipe || p->integers ||
	    p->assumed > 0 || p->cols < 4 || p->n < 4 ||
	    p->noise >= COARSE_NOISE || p->n * p->cols > LARGE)
		return;
	if (are_angles(p)) {
		s->family = "rope";
		s->verdict = search_text(s, "no match found: rotary angles: "
					 "row i is i times the frequencies of "
					 "row 1, %s", no_scaling);
	} else if (p->n >= FEWEST_ROWS && (p->cols % 2 || !find_slip(s))) {
		tell_waves(s);
	}
}
