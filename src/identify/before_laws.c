/*
 * before_laws.c: frequencies of a rotation, and the bases, scalings and
 * positions that have them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/before.h"
#include "identify/budget.h"
#include "identify/frequencies.h"
#include "identify/rotary.h"

enum {
	STARTS = 48,         /* pairs of rows that measure a frequency */
	MAX_POSITION = 1 << 21,
	MAX_TRIES = 1 << 16, /* positions of a row to compare */
	EVIDENT_ROWS = 512,  /* that are counted as evidence */
	EVIDENCE = 32,       /* bits that angles agree in, by chance once in
				2^32 tables */
};

/* Arithmetic in float32, or in bfloat16, moves an angle by less of it. */
#define LAW_ERROR 0x1p-21
#define LOW_PRECISION 0x1p-8

static const char *const usual[] = {
	"base=10000", "base=500000", "base=1000000", "base=10000000",
	"base=1000",  "base=100",    "base=150000",
};

enum { SCALED_BASES = 3 }; /* the first of these */

static const char *const scalings[] = {
	"linear:2",	 "linear:4",	"linear:8",
	"llama3:8,8192", "llama3:32,8192", "yarn:4,4096",
	"yarn:4,32768",	 "yarn:8,4096", "yarn:16,4096",
};

/* The bound of a phase's error where pairs have this weight. */
static double phase_error(const struct before *b, double weight)
{
	return 6 * b->head.noise *
		       (1 + b->head.length / sqrt(fmax(weight, 1e-300))) +
	       1e-15;
}

/* The squared distance of a phasor from one turned by an angle. */
static double apart(double angle)
{
	return 4 * pow(sin(angle / 2), 2);
}

/*
 * Set the longest run of positions that are evenly spaced, first to last: from
 * each to the next, phases gain the same, more than noise.
 */
static void find_run(struct before *b)
{
	const double noise = 60 * pow(b->head.noise, 2) + 1e-20;
	double *gain = b->w, *weight = b->error, *phase = b->phase;
	size_t begin = 0;

	for (size_t j = 0; j < b->n; j++) {
		double other = 0, moved = 0, all = 0;

		for (size_t k = 0; k < b->pairs; k++) {
			const struct turn t = before_turn(b, j, k);
			const double at = atan2(t.im, t.re);
			const double least = fmin(weight[k], t.weight);

			other += least * apart(at - phase[k] - gain[k]);
			moved += least * apart(at - phase[k]);
			all += least;
			gain[k] = at - phase[k];
			phase[k] = at;
			weight[k] = t.weight;
		}
		if (moved <= noise * all)
			begin = j;
		else if (j > 1 && other > noise * all + 0.05 * moved)
			begin = j - 1;
		if (j - begin > b->last - b->first) {
			b->first = begin;
			b->last = j;
		}
	}
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
		const double weight = fmin(t.weight, u.weight);
		const double gain = atan2(u.im, u.re) - atan2(t.im, t.re);

		re += weight * cos(gain);
		im += weight * sin(gain);
		all += weight;
		squares += pow(weight * (phase_error(b, t.weight) +
					 phase_error(b, u.weight)), 2);
	}
	*error = all > 0 ? sqrt(squares) / all : TWO_PI;
	return atan2(im, re);
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

/*
 * Divide by a step that is a whole number, where the frequencies, or the fast
 * ones, are a series: it also tells which turns they lack.
 */
static void divide_by_step(struct before *b)
{
	struct series l = { .tolerance = 0x1p-20 };
	size_t n = b->pairs;

	memcpy(b->phase, b->w, n * sizeof *b->w);
	while (n > 2 && !series_fit(&l, b->phase, b->error, n)) {
		memcpy(b->phase, b->w, n * sizeof *b->w);
		n = n > 8 ? n * 3 / 4 : n - 1;
	}
	if (n > 2 || series_fit(&l, b->phase, b->error, n)) {
		memcpy(b->w, b->phase, n * sizeof *b->w);
		b->step = whole_step(l.first, fabs(l.first) * l.first_error);
	}
	for (size_t k = 0; k < b->pairs; k++) {
		b->w[k] /= b->step;
		b->error[k] /= b->step;
	}
}

/* Measure the frequencies over a run, with the sign that most have. */
static void measure(struct before *b)
{
	double sign = 0;

	b->step = 1;
	find_run(b);
	for (size_t k = 0; b->first < b->last && k < b->pairs; k++) {
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
	b->now.reversed = sign < 0;
	for (size_t k = 0; k < b->pairs; k++)
		b->w[k] = sign < 0 ? -b->w[k] : b->w[k];
	if (b->first < b->last)
		divide_by_step(b);
}

/* How far position at is from explaining all phases; HUGE_VAL: beyond errors */
static double distance(const struct before *b, const struct law *law, double at)
{
	double off = 0;

	if (law->rounds)
		at = dtype_round(BF16, at);
	for (size_t k = 0; k < b->pairs; k++) {
		const double bound =
			b->phase_error[k] + law->slack * fabs(at) * law->w[k];
		const double e = wrap_phase(b->phase[k] - at * law->w[k]);

		if (fabs(e) > bound)
			return HUGE_VAL;
		off += pow(e / bound, 2);
	}
	return off;
}

/*
 * Find the whole number nearest to 0 that explains the phases of a row, by
 * turns of the last pair, the slowest, whose phase tells a position.
 */
static bool find_position(const struct before *b, const struct law *law,
			  double *at)
{
	double tries = 0, best = HUGE_VAL;
	size_t k = b->pairs - 1;

	while (k && !(4 * b->phase_error[k] < MAX_TRIES * law->w[k]))
		k--;
	for (int t = 0; !(best < HUGE_VAL); t++) {
		const double turns = t % 2 ? (t + 1) / 2 : -(t / 2);
		const double mid = (b->phase[k] + TWO_PI * turns) / law->w[k];
		const double slack = b->phase_error[k] / law->w[k] +
				     fabs(mid) * law->slack;

		tries += 1 + 2 * slack;
		if (fabs(mid) > MAX_POSITION || !(tries < MAX_TRIES))
			return false;
		for (double x = ceil(mid - slack); x <= mid + slack; x++) {
			const double off = distance(b, law, x);

			*at = off < best ? x + 0.0 : *at;
			best = fmin(best, off);
		}
	}
	return true;
}

/*
 * The bits by which phases say more than their errors hide; pairs that have not
 * turned, or turned fully, say nothing.
 */
static double phase_bits(const struct before *b)
{
	double bits = 0;

	for (size_t k = 0; k < b->pairs; k++)
		if (fabs(b->phase[k]) > 2 * b->phase_error[k])
			bits += fmax(0, log2(0.5 * TWO_PI /
					     fmax(b->phase_error[k], 1e-6)));
	return bits;
}

/* Whether a law is a usual base without scaling. */
static bool is_usual(const struct law *law)
{
	for (size_t k = 0; k < COUNT(usual); k++)
		if (strcmp(law->text, usual[k]) == 0)
			return true;
	return false;
}

/* The bits that name a law, and positions: all, or a start and a step. */
static double parameter_bits(const struct before *b, const struct law *law,
			     double rows)
{
	const double *at = b->now.at;
	const double step = b->n > 1 ? fabs(at[1] - at[0]) : 1;
	double bits = is_usual(law) ? 4 : 24, most = 0;

	for (size_t j = 0; j < b->n; j++)
		most = fmax(most, fabs(at[j]));
	if (fabs(at[0]) > 0)
		bits += log2(most + 1) + 2;
	if (!b->now.even)
		bits += rows * (log2(most + 1) + 1);
	else if (fabs(step - 1) > 0)
		bits += 2 * log2(step + 1) + 4;
	return bits;
}

/* Whether no row before j has its position, in either direction. */
static bool is_new(const double *at, size_t j)
{
	size_t i = 0;

	while (i < j && fabs(fabs(at[i]) - fabs(at[j])) > 0)
		i++;
	return i == j;
}

static void read_phases(const struct before *b, size_t j)
{
	for (size_t k = 0; k < b->pairs; k++) {
		const struct turn t = before_turn(b, j, k);

		b->phase[k] = atan2(b->now.reversed ? -t.im : t.im, t.re);
		b->phase_error[k] = phase_error(b, t.weight);
	}
}

/*
 * Find the positions of all rows: the next one, the same, or any. False if
 * there are none, or if too few bits of the angles are explained.
 */
static bool find_positions(struct before *b, const struct law *law)
{
	double *at = b->now.at, bits = 0, rows = 0;

	b->now.even = true;
	for (size_t j = 0; j < b->n; j++) {
		read_phases(b, j);
		at[j] = j ? at[j - 1] + b->step : 0;
		if ((j == 0 || !(distance(b, law, at[j]) < HUGE_VAL)) &&
		    !find_position(b, law, &at[j]))
			return false;
		if (j > 1 && fabs(at[j] - 2 * at[j - 1] + at[j - 2]) > 0)
			b->now.even = false;
		if (j < EVIDENT_ROWS && is_new(at, j)) {
			bits += phase_bits(b);
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
		most = fmax(most, b->now.at[j]);
	if (most > 0)
		return;
	b->now.reversed = !b->now.reversed;
	for (size_t j = 0; j < b->n; j++)
		b->now.at[j] = 0 - b->now.at[j];
}

/* Whether rounding evenly spaced positions to bfloat16 makes them: sets them. */
static bool undo_rounding(struct before *b)
{
	const double first = b->now.at[0];

	for (size_t j = 0; j < b->n; j++)
		if (fabs(dtype_round(BF16, first + (double)j * b->step) -
			 b->now.at[j]) > 0)
			return false;
	for (size_t j = 0; j < b->n; j++)
		b->now.at[j] = first + (double)j * b->step;
	b->now.even = true;
	return true;
}

/*
 * Whether each pair tells something of its own, and the law has the frequencies
 * that were measured, but for such a part of them; within < 0: they were not.
 */
static bool has_frequencies(const struct before *b, const struct law *law,
			    double within)
{
	if (b->pairs > 1 ? law->w[b->pairs - 1] >= 0.9 * law->w[0]
			 : strstr(law->text, "scaling") != NULL)
		return false;
	for (size_t k = 0; within >= 0 && k < b->pairs; k++)
		if (fabs(law->w[k] - b->w[k]) >
		    b->error[k] + within * law->w[k])
			return false;
	return true;
}

/* Try a law at the positions that it gives; whether its table is near. */
static bool try_law(struct before *b, struct law law, double within)
{
	const bool reversed = b->now.reversed;
	bool fits = !b->match.exact && !b->match.explained &&
		    (!b->tried || !search_over(&b->budget)) &&
		    before_row(b, &law, "freqs", law.w) &&
		    has_frequencies(b, &law, within) &&
		    find_positions(b, &law);
	char text[300];

	if (fits && !b->now.even && undo_rounding(b)) {
		snprintf(text, sizeof text, "%s emulate=bf16-positions",
			 law.text);
		law.text = text;
	}
	if (fits)
		choose_direction(b);
	fits = fits && before_compare(b, &law);
	b->now.reversed = reversed;
	return fits;
}

/*
 * Try usual bases and scalings: those that fit what was measured, or, within <
 * 0, all.
 */
static void try_usual(struct before *b, double within)
{
	struct law law = {
		.rotary = b->head.rotary, .w = b->law_w, .slack = LAW_ERROR,
	};
	char text[100];

	for (size_t k = 0; k < COUNT(usual); k++) {
		law.text = usual[k];
		try_law(b, law, within);
	}
	law.text = text;
	for (size_t k = 0; k < SCALED_BASES * COUNT(scalings); k++) {
		snprintf(text, sizeof text, "%s scaling=%s",
			 usual[k / COUNT(scalings)],
			 scalings[k % COUNT(scalings)]);
		try_law(b, law, within);
	}
}

/* Judge "dim=64 out=freqs base=10000 ... ": the law is base and scaling. */
static bool judge(void *self, const char *options)
{
	struct before *b = self;
	char text[300];

	snprintf(text, sizeof text, "%s", strstr(options, "base="));
	for (size_t n = strlen(text); text[n - 1] == ' '; n--)
		text[n - 1] = '\0';
	/* Pairs that are not seen to turn may not explain an odd base. */
	return !search_over(&b->budget) &&
	       (b->trying == b->head.rotary || strtod(text + 5, NULL) <= 1e9) &&
	       try_law(b, (struct law){ .text = text, .rotary = b->trying,
					.w = b->law_w, .slack = LAW_ERROR },
		       LAW_ERROR);
}

/* Search for rope's table of the measured frequencies, of so many columns. */
static void try_measured(struct before *b, size_t rotary)
{
	const struct profile p = {
		.n = 1, .cols = rotary / 2, .epsilon = 0x1p-24,
	};
	struct search s = {
		.profile = &p, .owner = b->search.owner, .err = b->search.err,
		.judge = judge, .judging = b,
	};
	struct rotary r = {
		.profile = &p, .out = "freqs", .form = FORM_ANGLES,
		.pairs = rotary / 2, .amp = 1,
	};

	b->trying = rotary;
	r.w = search_alloc(&s, rotary, sizeof *r.w);
	if (!r.w)
		return;
	r.error = r.w + rotary / 2;
	for (size_t k = 0; k < r.pairs; k++) {
		r.w[k] = k < b->pairs ? b->w[k] : 0;
		r.error[k] = k < b->pairs ? b->error[k] : 1;
	}
	rotary_try_frequencies(&s, &r);
}

/*
 * Try numbers of rotary dimensions. Where pairs interleave, slow ones may be
 * lost in rounding: then more rotate than can be seen.
 */
static void try_dimensions(struct before *b)
{
	const size_t seen = b->head.rotary;
	const size_t most = b->head.gap == 1 ? b->head.dim : seen;
	const size_t likely[] = { b->head.noise < 1e-6 ? seen : most, most,
				  most / 2, most / 4 };

	for (size_t k = 0; k < COUNT(likely); k++)
		if (likely[k] >= seen && likely[k] % 2 == 0)
			try_measured(b, likely[k]);
	for (size_t n = seen; n <= most && !b->match.recipe; n += 2)
		try_measured(b, n);
}

/* Try usual bases with arithmetic of low precision. */
static void try_low_precision(struct before *b)
{
	const struct recipe *rope = recipe_find("rope", b->search.err);
	const struct option *o = option_of_role(rope->options, ROLE_ARITHMETIC);
	char text[100];

	for (size_t k = 0; k < COUNT(usual); k++)
		for (size_t e = 1; o->words[e]; e++) {
			const char *word = o->words[e];
			const bool all = strstr(word, "-all");

			snprintf(text, sizeof text, "%s emulate=%s", usual[k],
				 word);
			try_law(b, (struct law){
				.text = text, .rotary = b->head.rotary,
				.w = b->law_w,
				.slack = all || strstr(word, "-angles")
						 ? LOW_PRECISION : LAW_ERROR,
				.rounds = all || strstr(word, "-positions"),
			}, 2 * LOW_PRECISION);
		}
}

bool before_laws(struct before *b)
{
	const size_t n = b->pairs;
	double *room = search_alloc(&b->search, 4 * n + b->head.dim + 2 * b->n,
				    sizeof *room);

	if (!room)
		return false;
	b->w = room;
	b->error = b->w + n;
	b->phase = b->error + n;
	b->phase_error = b->phase + n;
	b->law_w = b->phase_error + n;
	b->now.at = b->law_w + b->head.dim;
	b->best.at = b->now.at + b->n;
	measure(b);
	if (b->first < b->last) {
		try_usual(b, LAW_ERROR);
		try_dimensions(b);
		if (!b->match.recipe)
			try_low_precision(b);
		b->step = 1;
	}
	if (!b->match.recipe)
		try_usual(b, -1);
	return b->match.recipe;
}
