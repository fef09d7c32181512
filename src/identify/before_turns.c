/* before_turns.c: frequencies and positions of a rotation's angles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/before.h"
#include "identify/frequencies.h"
#include "identify/rotary.h"

enum {
	STARTS = 48, /* pairs of rows that measure a frequency */
	MAX_LAGS = 64,
	MAX_POSITION = 1 << 21,
	MAX_TRIES = 1 << 16, /* positions of a row to compare */
	EVIDENT_ROWS = 512,    /* that are counted as evidence */
	EVIDENCE = 24, /* bits that angles agree in, by chance once in 2^24
			  tables */
};

/* Arithmetic in float32 moves an angle by less than this part of it. */
#define ANGLE_ERROR 0x1p-21

/* Arithmetic in bfloat16, by less than this. */
#define LOW_PRECISION 0x1p-8

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
static bool find_run(struct before *b)
{
	const size_t n = b->pairs;
	const double noise = 60 * b->noise * b->noise + 1e-20;
	struct turn *room = table_alloc(b->owner, 4 * n, sizeof *room, b->err);
	struct turn *old = room, *now = room + n, *swap;
	double apart, moved;
	size_t begin = 0;

	if (!room)
		return false;
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
	return true;
}

/* The bound of a phase's error where pairs have this weight. */
static double phase_error(const struct before *b, double weight)
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
		const double e =
			phase_error(b, t.weight) + phase_error(b, u.weight);

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
	for (double by = 1; by <= 64; by *= 2)
		if (first * by > 0.5 && fabs(first * by - rint(first * by)) <=
						(1e-5 + error) * by)
			return rint(first * by);
	return 1;
}

/* Divide by a step that is a whole number, where frequencies are a series. */
static void divide_by_step(struct before *b)
{
	struct series l = {.tolerance = 0x1p-20};
	double *w = table_alloc(b->owner, b->pairs, sizeof *w, b->err);

	b->step = 1;
	if (!w)
		return;
	memcpy(w, b->w, b->pairs * sizeof *w);
	if (series_fit(&l, w, b->error, b->pairs)) {
		b->step = whole_step(l.first, l.first_error);
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

/* Set the frequencies of a law; false if rope refuses it. */
static bool law_open(struct before *b, struct law *law)
{
	struct error err = {0};
	struct table t = {0};
	char text[300];
	bool good;

	snprintf(text, sizeof text, "dim=%zu out=freqs %s", law->rotary,
		 law->text);
	good = recipe_open(&t, "rope", text, NULL, &err);
	law->w = good ? table_alloc(b->owner, t.cols, sizeof *law->w, b->err)
		      : NULL;
	if (law->w)
		table_rows(&t, F64, 0, 1, NULL, law->w);
	table_close(&t);
	return law->w;
}

/*
 * Whether each of the pairs tells something of its own: not so if all have one
 * frequency, or if there is but one, with a factor that anything fits.
 */
static bool law_tells(const struct before *b, const struct law *law)
{
	return b->pairs > 1 ? law->w[b->pairs - 1] < 0.9 * law->w[0]
			    : !strstr(law->text, "scaling");
}

/* Whether the law has the frequencies that were measured. */
static bool law_fits(const struct before *b, const struct law *law)
{
	for (size_t k = 0; k < b->pairs; k++)
		if (fabs(law->w[k] - b->w[k]) >
		    b->error[k] + ANGLE_ERROR * law->w[k])
			return false;
	return true;
}

static bool law_add(struct before *b, const char *text, size_t rotary,
		    bool measured)
{
	struct law law = {.rotary = rotary, .slack = ANGLE_ERROR};

	for (size_t k = 0; k < b->law_count; k++)
		if (b->laws[k].rotary == rotary &&
		    strcmp(b->laws[k].text, text) == 0)
			return true;
	law.text = table_copy(b->owner, text, b->err);
	if (b->law_count == MAX_LAWS || !law.text || !law_open(b, &law) ||
	    !law_tells(b, &law) || (measured && !law_fits(b, &law)))
		return false;
	b->laws[b->law_count++] = law;
	return true;
}

enum { SCALED_BASES = 3 }; /* the first of these */

static const char *const usual[] = {
	"base=10000",	"base=500000", "base=1000000", "base=10000000",
	"base=1000",	"base=100",    "base=150000",
};

/* Whether the law has a usual base and no scaling. */
static bool is_usual(const char *text)
{
	for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
		if (strcmp(text, usual[k]) == 0)
			return true;
	return false;
}

/* Judge "dim=64 out=freqs base=10000 ... ": the law is base and scaling. */
static bool judge(void *self, const char *options)
{
	struct before *b = self;
	char *text = table_copy(b->owner, strstr(options, "base="), b->err);
	size_t n = text ? strlen(text) : 0;

	while (n && text[n - 1] == ' ')
		text[--n] = '\0';
	/* Pairs that are not seen to turn may not explain an odd base. */
	return text && (!b->only_usual || is_usual(text)) &&
	       (b->trying == b->rotary || strtod(text + 5, NULL) <= 1e9) &&
	       law_add(b, text, b->trying, true);
}

/* List laws of R rotary dimensions that have the measured frequencies. */
static bool try_measured(struct before *b, size_t rotary)
{
	const struct profile p = {
		.n = 1,
		.cols = rotary / 2,
		.epsilon = 0x1p-24,
	};
	struct search s = {
		.profile = &p,
		.owner = b->owner,
		.err = b->err,
		.judge = judge,
		.judging = b,
	};
	struct rotary r = {
		.profile = &p,
		.out = "freqs",
		.form = FORM_ANGLES,
		.pairs = rotary / 2,
		.amp = 1,
	};

	b->trying = rotary;
	r.w = table_alloc(b->owner, r.pairs, sizeof *r.w, b->err);
	r.error = table_alloc(b->owner, r.pairs, sizeof *r.error, b->err);
	if (!r.w || !r.error)
		return false;
	for (size_t k = 0; k < r.pairs; k++) {
		r.w[k] = k < b->pairs ? b->w[k] : 0;
		r.error[k] = k < b->pairs ? b->error[k] : 1;
	}
	rotary_try_frequencies(&s, &r);
	return b->law_count;
}

/* List laws of usual bases and scalings, if measured those that fit. */
static void try_usual(struct before *b, bool measured)
{
	static const char *const scalings[] = {
		"linear:2",	"linear:4",	 "linear:8",
		"llama3:8,8192", "llama3:32,8192", "yarn:4,4096",
		"yarn:4,32768",	"yarn:8,4096",	 "yarn:16,4096",
	};
	char text[100];

	for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
		law_add(b, usual[k], b->rotary, measured);
	for (size_t k = 0; k < SCALED_BASES; k++)
		for (size_t i = 0; i < sizeof scalings / sizeof *scalings;
		     i++) {
			snprintf(text, sizeof text, "%s scaling=%s", usual[k],
				 scalings[i]);
			law_add(b, text, b->rotary, measured);
		}
}

/*
 * Try numbers of rotary dimensions. Where pairs interleave, slow ones may be
 * lost in rounding: then more rotate than can be seen.
 */
static void try_dimensions(struct before *b)
{
	const size_t most =
		b->pairing == PAIRING_INTERLEAVED ? b->dim : b->rotary;
	const size_t likely[] = {b->noise < 1e-6 ? b->rotary : most, most,
				 most / 2, most / 4};

	for (int any = 0; any < 2; any++) {
		b->only_usual = !any;
		for (size_t k = 0; k < 4; k++)
			if (likely[k] >= b->rotary && likely[k] % 2 == 0)
				try_measured(b, likely[k]);
		for (size_t rotary = b->rotary;
		     rotary <= most && !b->law_count; rotary += 2)
			try_measured(b, rotary);
	}
}

/* Add a law whose arithmetic was of low precision, if it is nearly so. */
static void add_low_precision(struct before *b, const char *base,
			      const char *word)
{
	struct law law = {.rotary = b->rotary, .slack = ANGLE_ERROR};
	char text[100];

	snprintf(text, sizeof text, "%s emulate=%s", base, word);
	law.text = table_copy(b->owner, text, b->err);
	law.rounds = strstr(word, "-positions") || strstr(word, "-all");
	if (strstr(word, "-angles") || strstr(word, "-all"))
		law.slack = LOW_PRECISION;
	if (!law.text || !law_open(b, &law) || b->law_count == MAX_LAWS)
		return;
	for (size_t k = 0; k < b->pairs; k++)
		if (fabs(law.w[k] - b->w[k]) >
		    b->error[k] + 2 * LOW_PRECISION * law.w[k])
			return;
	b->laws[b->law_count++] = law;
}

bool before_usual(struct before *b)
{
	b->law_count = 0;
	b->step = 1;
	try_usual(b, false);
	return b->law_count;
}

bool before_low_precision(struct before *b)
{
	const struct recipe *rope = recipe_find("rope", b->err);
	const struct option *o = option_of_role(rope->options, ROLE_ARITHMETIC);

	b->law_count = 0;
	for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
		for (size_t e = 1; b->first < b->last && o->words[e]; e++)
			add_low_precision(b, usual[k], o->words[e]);
	return b->law_count;
}

bool before_laws(struct before *b)
{
	b->w = table_alloc(b->owner, b->pairs, sizeof *b->w, b->err);
	b->error = table_alloc(b->owner, b->pairs, sizeof *b->error, b->err);
	b->at = table_alloc(b->owner, b->n, sizeof *b->at, b->err);
	if (!b->at || !b->error || !b->w || !find_run(b))
		return false;
	b->step = 1;
	if (b->first == b->last)
		return false;
	measure(b);
	divide_by_step(b);
	try_dimensions(b);
	try_usual(b, true);
	return b->law_count;
}

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
		p->error[k] = phase_error(b, t.weight);
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

/* The pair with the lowest frequency whose phase tells a position. */
static size_t slowest(const struct phases *p, const struct law *law)
{
	size_t best = 0;

	for (size_t k = 1; k < p->n; k++)
		if (law->w[k] > 0 && law->w[k] < law->w[best] &&
		    p->error[k] < MAX_TRIES / 4 * law->w[k])
			best = k;
	return best;
}

/* Compare whole numbers within slack of mid; the best is *at. */
static bool try_positions(const struct phases *p, const struct law *law,
			  double mid, double slack, double *at)
{
	double best = HUGE_VAL, off;

	for (double q = ceil(mid - slack); q <= mid + slack; q++)
		if (explains(p, law, q, &off) && off < best) {
			best = off;
			*at = q + 0.0;
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
		const double turns = (double)((t + 1) / 2) * (t % 2 ? 1 : -1);
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
 * The bits by which the phases of position at say more than their errors hide;
 * pairs that hardly turn say nothing.
 */
static double phase_bits(const struct phases *p, const struct law *law,
			 double at)
{
	double bits = 0;

	for (size_t k = 0; k < p->n; k++)
		if (fabs(at) * law->w[k] > 2 * p->error[k])
			bits += fmax(0, log2(0.5 * TWO_PI /
					     fmax(p->error[k], 1e-6)));
	return bits;
}

/* The bits that name a law, and positions: all, or a start and a step. */
static double parameter_bits(const struct before *b, const struct law *law,
			     double rows)
{
	const double step = b->n > 1 ? fabs(b->at[1] - b->at[0]) : 1;
	double bits = is_usual(law->text) ? 4 : 24, most = 0;

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
			bits += phase_bits(p, law, b->at[j]);
			rows++;
		}
	}
	return bits - parameter_bits(b, law, rows) >= EVIDENCE;
}

/* Positions that are all negative, turning the other way, are positive. */
static void choose_direction(struct before *b)
{
	double most = -HUGE_VAL, least = HUGE_VAL;

	for (size_t j = 0; j < b->n; j++) {
		most = fmax(most, b->at[j]);
		least = fmin(least, b->at[j]);
	}
	if (most > 0 || !(least < 0))
		return;
	b->reversed = !b->reversed;
	for (size_t j = 0; j < b->n; j++)
		b->at[j] = 0 - b->at[j];
}

/* Take positions for evenly spaced ones if rounding to bfloat16 makes them. */
static void undo_rounding(struct before *b, struct law *law)
{
	const double first = b->at[0], step = b->step;
	char text[200];

	for (size_t j = 0; j < b->n; j++)
		if (fabs(dtype_round(BF16, first + (double)j * step) -
			 b->at[j]) > 0)
			return;
	snprintf(text, sizeof text, "%s emulate=bf16-positions", law->text);
	law->text = table_copy(b->owner, text, b->err);
	law->rounds = b->even = true;
	for (size_t j = 0; j < b->n; j++)
		b->at[j] = first + (double)j * step;
}

bool before_positions(struct before *b, struct law *law)
{
	const bool reversed = b->reversed;
	struct phases p = {.n = b->pairs};

	p.phase = table_alloc(b->owner, p.n, sizeof *p.phase, b->err);
	p.error = table_alloc(b->owner, p.n, sizeof *p.error, b->err);
	if (!p.phase || !p.error)
		return false;
	if (find_all(b, law, &p)) {
		if (!b->even)
			undo_rounding(b, law);
		choose_direction(b);
		return true;
	}
	b->reversed = reversed;
	return false;
}
