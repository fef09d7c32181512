/* before.c: which rotary embedding turned one table into another. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/before.h"
#include "identify/fit.h"
#include "identify/low_precision.h"
#include "identify/rotary.h"
#include "identify/frequencies.h"
#include "identify/rounding.h"

enum {
	STARTS = 48,         /* pairs of rows that measure a frequency */
	MAX_POSITION = 1 << 21,
	MAX_TRIES = 1 << 16, /* positions of a row to compare */
	EVIDENT_ROWS = 512,  /* that are counted as evidence */
	EVIDENCE = 32,       /* bits that angles agree in, by chance once in
				2^32 tables */
	FIRM_EVIDENCE = 16,  /* that noise leaves of independent ones */
	SCALED_BASES = 3,    /* the first that are usual */
	USUAL_BITS = 4,      /* of a usual base */
	ODD_BITS = 24,       /* of other laws */
	MOST_EFFORT = 10000, /* laws, of which those that may be count more */
};

/* Options of rope that set frequencies: "base=10000 scaling=linear:4". */
struct law {
	const char *text;
	size_t rotary;         /* dimensions of a head that rotate */
	bool measured;         /* it must have the measured frequencies */
	double slack;          /* relative error of angles */
	double bits;           /* that it takes to name it */
	bool rounds;           /* positions are rounded to bfloat16; */
	bool exact;            /* they are not */
};

/* Arithmetic in float32, or in bfloat16, moves an angle by less of it. */
#define LAW_ERROR 0x1p-21
#define LOW_PRECISION 0x1p-8

static const char *const scalings[] = {
	"linear:2",	  "linear:4",	 "linear:8",	"llama3:8,8192",
	"llama3:32,8192", "yarn:4,4096", "yarn:4,32768", "yarn:8,4096",
	"yarn:16,4096",	  NULL,
};

static const char *const plain[] = { "", NULL };

/* The bound of a phase's error where pairs have this weight. */
static double phase_error(const struct before *b, double weight)
{
	return 6 * b->head.noise *
		       (1 + b->head.length / sqrt(fmax(weight, 1e-300))) +
	       1e-15;
}

/*
 * Set the longest run of positions that are evenly spaced, first to last: from
 * each to the next, phases gain the same, more than noise.
 */
static void find_run(struct before *b)
{
	const double noise = 15 * pow(b->head.noise, 2) + 1e-20;
	double *gain = b->w, *phase = b->phase;
	size_t begin = 0;

	for (size_t j = 0; j < b->n; j++) {
		double other = 0, moved = 0, all = 0;

		for (size_t k = 0; k < b->pairs; k++) {
			const struct turn t = before_turn(b, j, k);
			const double more = atan2(t.im, t.re) - phase[k];

			other += t.weight * pow(sin((more - gain[k]) / 2), 2);
			moved += t.weight * pow(sin(more / 2), 2);
			all += t.weight;
			gain[k] = more;
			phase[k] += more;
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

/*
 * Measure the frequency of pair k by phases gained over 1, 2, 4 ... positions
 * of the run, means of so many.
 */
static void measure_pair(struct before *b, size_t k)
{
	for (size_t lag = 1; lag <= b->last - b->first; lag *= 2) {
		const size_t count = b->last - b->first - lag + 1;
		const size_t n = count < STARTS ? count : STARTS;
		double re = 0, im = 0, all = 0, squares = 0, e;

		for (size_t s = 0; s < n; s++) {
			const size_t at =
				b->first +
				(n > 1 ? s * (count - 1) / (n - 1) : 0);
			const struct turn t = before_turn(b, at, k);
			const struct turn u = before_turn(b, at + lag, k);
			const double weight = t.weight * u.weight;

			re += t.re * u.re + t.im * u.im;
			im += t.re * u.im - t.im * u.re;
			all += weight;
			squares += pow(weight * (phase_error(b, t.weight) +
						 phase_error(b, u.weight)), 2);
		}
		e = all > 0 ? sqrt(squares) / all : TWO_PI;
		if (lag == 1) {
			b->w[k] = atan2(im, re);
			b->error[k] = e;
		}
		refine_frequency(&b->w[k], &b->error[k], (double)lag,
				 atan2(im, re), e);
	}
}

/*
 * Divide by a step that is a whole number, where the frequencies, or the fast
 * ones, are a series, which also tells the turns they lack. It begins with the
 * step, or that over 2, 4 ... 64 for a linear scaling.
 */
static void divide_by_step(struct before *b)
{
	struct series l = { .tolerance = 0x1p-20 };
	size_t n = b->pairs;
	bool good;

	do {
		memcpy(b->phase, b->w, b->pairs * sizeof *b->w);
		good = series_fit(&l, b->phase, b->error, n);
		n = good ? n : n > 8 ? n * 3 / 4 : n - 1;
	} while (!good && n > 2);
	if (good)
		memcpy(b->w, b->phase, n * sizeof *b->w);
	for (double by = 1; good && by <= 64; by *= 2) {
		const double step = rint(l.first * by);
		const double error = 1e-5 + fabs(l.first) * l.first_error;

		if (step > 0 && fabs(l.first - step / by) <= error) {
			b->step = step;
			break;
		}
	}
	for (size_t k = 0; k < b->pairs; k++) {
		b->w[k] /= b->step;
		b->error[k] /= b->step;
	}
}

/* Measure all, with the sign that most have. */
static void measure(struct before *b)
{
	double sign = 0;

	for (size_t k = 0; k < b->pairs; k++) {
		measure_pair(b, k);
		if (fabs(b->w[k]) > 3 * b->error[k])
			sign += b->w[k] > 0 ? 1 : -1;
	}
	b->reversed = sign < 0;
	for (size_t k = 0; k < b->pairs; k++)
		b->w[k] = sign < 0 ? -b->w[k] : b->w[k];
	divide_by_step(b);
}

/* The position that a row has where arithmetic rounds it. */
static double placed(const struct law *law, double at)
{
	return law->rounds ? dtype_round(BF16, at) : at;
}

/* The bound of the error of phase k at a position. */
static double bound_at(const struct before *b, const struct law *law, size_t k,
		       double at)
{
	return b->bound[k] + law->slack * fabs(at) * b->law_w[k];
}

/* How far position at is from explaining all phases; HUGE_VAL: beyond errors */
static double distance(const struct before *b, const struct law *law, double at)
{
	double off = 0;

	at = placed(law, at);
	for (size_t k = 0; k < b->pairs; k++) {
		const double bound = bound_at(b, law, k, at);
		const double e = wrap_phase(b->phase[k] - at * b->law_w[k]);

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

	while (k && !(4 * b->bound[k] < MAX_TRIES * b->law_w[k]))
		k--;
	for (int t = 0; !(best < HUGE_VAL); t++) {
		const double turns = t % 2 ? (t + 1) / 2 : -(t / 2);
		const double w = b->law_w[k];
		const double mid = (b->phase[k] + TWO_PI * turns) / w;
		const double slack =
			b->bound[k] / w + fabs(mid) * law->slack;

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

static void read_phases(struct before *b, size_t j)
{
	for (size_t k = 0; k < b->pairs; k++) {
		const struct turn t = before_turn(b, j, k);

		b->phase[k] = atan2(b->reversed ? -t.im : t.im, t.re);
		b->bound[k] = phase_error(b, t.weight);
	}
}

/*
 * The bits by which the phases of a row say more than their errors hide: pairs
 * that have not turned, or turned fully, say nothing.
 */
static double phase_bits(const struct before *b, const struct law *law,
			 double at)
{
	double bits = 0;

	for (size_t k = 0; k < b->pairs; k++) {
		const double bound = bound_at(b, law, k, at);

		if (fabs(b->phase[k]) > 2 * bound)
			bits += fmax(0, log2(0.5 * TWO_PI / fmax(bound, 1e-6)));
	}
	return bits;
}

/* The bits of a law and its positions: a start and a step, or so many rows. */
static double told_bits(const struct before *b, const struct law *law,
			double rows)
{
	const double step = b->n > 1 ? fabs(b->at[1] - b->at[0]) : 1;
	double bits = law->bits;

	bits += fabs(b->at[0]) > 0 ? log2(b->most + 1) + 2 : 0;
	if (!b->even)
		bits += rows * (log2(b->most + 1) + 1);
	else if (fabs(step - 1) > 0)
		bits += 2 * log2(step + 1) + 4;
	return bits;
}

/*
 * Find the positions of all rows: the next one, that rounded to bfloat16, the
 * same, or any. False if there are none, or if angles do not explain more bits
 * than the law and the positions take: a start and a step, or all. Evidence is
 * firm if two of evenly spaced rows, and errors of all, leave enough. Positions
 * that are all negative, turning the other way, are positive.
 */
static bool find_positions(struct before *b, struct law *law)
{
	double *at = b->at, bits = 0, firm = 0, rows = 0, told;
	double highest = -HUGE_VAL, largest = 0, far, more;
	bool rounds = !law->rounds && !law->exact;

	b->even = true;
	b->most = -1;
	for (size_t j = 0; j < b->n; j++) {
		size_t same = j < EVIDENT_ROWS ? 0 : j + 1;

		read_phases(b, j);
		at[j] = j ? at[j - 1] + b->step : 0;
		if (j && rounds && !(distance(b, law, at[j]) < HUGE_VAL)) {
			law->rounds = true;
			law->rounds = distance(b, law, at[j]) < HUGE_VAL;
		}
		rounds = rounds && fabs(dtype_round(BF16, at[j]) - at[j]) <= 0;
		if ((j == 0 || !(distance(b, law, at[j]) < HUGE_VAL)) &&
		    !find_position(b, law, &at[j]))
			return false;
		more = phase_bits(b, law, placed(law, at[j]));
		far = fabs(placed(law, at[j]));
		if (j > 1 && fabs(at[j] - 2 * at[j - 1] + at[j - 2]) > 0)
			b->even = false;
		while (same < j && fabs(fabs(placed(law, at[same])) - far) > 0)
			same++;
		bits += same == j ? phase_bits(b, law, 0) : 0;
		firm += same == j ? more : 0;
		largest = fmax(largest, more);
		rows += same == j;
		b->most = fmax(b->most, far);
		highest = fmax(highest, more > 0 ? at[j] : highest);
	}
	b->reversed ^= highest <= 0;
	for (size_t j = 0; highest <= 0 && j < b->n; j++)
		at[j] = 0 - at[j];
	told = told_bits(b, law, rows);
	if (b->even)
		firm = fmin(firm, 2 * largest + (double)b->pairs *
						log2((double)b->n));
	b->firm = firm - told >= FIRM_EVIDENCE;
	return bits - told >= EVIDENCE;
}

/* Set law_w to the only row of rope's table of a law; false if it has none. */
static bool open_law(const struct before *b, const struct law *law,
		     const char *out)
{
	struct error err = { 0 };
	struct table t = { 0 };
	char text[400];
	bool good;

	snprintf(text, sizeof text, "dim=%zu out=%s %s", law->rotary, out,
		 law->text);
	good = recipe_open(&t, "rope", text, NULL, &err);
	if (good)
		table_rows(&t, F64, 0, 1, NULL, b->law_w);
	table_close(&t);
	pass_memory(b->search.err, &err);
	return good;
}

/* Options for the direction and the measured attention factor. */
static void add_factor(const struct before *b, const struct law *law,
		       char text[120])
{
	const double within = 1e-6 + 3 * b->head.noise, amp = b->head.amp;
	const double of_law =
		open_law(b, law, "cos len=1") ? b->law_w[0] : 1;
	const char *direction = b->reversed ? " reversed" : "";
	char number[32];

	nice_text(round_to_nice(amp, within * amp / 4), number);
	if (fabs(amp / of_law - 1) <= within)
		snprintf(text, 120, "%s", direction);
	else if (b->reversed && fabs(amp * of_law - 1) <= within)
		snprintf(text, 120, " inverse");
	else
		snprintf(text, 120, "%s,attention_factor=%s%s",
			 strstr(law->text, "=yarn:") ? "" : " scaling=yarn:1,1",
			 number, direction);
}

/* Options of rope --apply for a law. */
static char *options_of(struct before *b, const struct law *law)
{
	const struct head *h = &b->head;
	const bool repeats = b->planes && b->n < b->x->planes && b->even;
	const char *positions =
		rope_position_options(&b->search, b->at, b->n, b->even, false);
	char dim[64], rotary[64], offset[64], len[64], factor[120];

	add_factor(b, law, factor);
	return positions ? search_text(
		&b->search, "apply=%s%s%s%s%s%s%s %s%s",
		option_if("dim", (double)h->dim, (double)b->cols, dim),
		option_if("rotary-dim", (double)law->rotary, (double)h->dim,
			  rotary),
		option_if("rotary-offset", (double)h->offset, 0, offset),
		h->gap == 1 ? " pairs=interleaved" : "",
		b->planes ? " along=planes" : "",
		option_if("len", repeats ? (double)b->n : 0, 0, len),
		positions, law->text, factor) : NULL;
}

/*
 * Compare the command of a law at its positions. Whether the residual is as
 * small as that of the lengths, which no law of angles changes, and arithmetic
 * in float32; the law is kept if it is better than others.
 */
static bool compare(struct before *b, const struct law *law)
{
	struct search *s = &b->search;
	const double size = fmax(fabs(s->profile->min), fabs(s->profile->max));
	const struct candidate c = {
		.recipe = "rope", .given = b->x, .options = options_of(b, law),
		.absolute = 4 * size, .per_position = 4 * size, .relative = 8,
	};
	const double near = 4 * b->head.noise +
			    fmin(1e-3, 0x1p-22 * (4 + b->most));
	const double share = (double)b->head.rotary / (double)b->head.dim;
	/* Two frequencies have many bases and scalings. */
	const bool loose = b->pairs < 3 && law->measured &&
			   strstr(law->text, "scaling");
	struct match m;

	s->n = 0;
	if (!c.options || !fit_measure(s, &c, 1, &m) ||
	    m.rms > sqrt(share) * near * b->head.length)
		return false;
	/* Errors of angles change no lengths. */
	if (search_compare(s, &c) &&
	    (s->matches[0].exact || s->profile->stored > F32 ||
	     b->head.noise <= 0x1p-22))
		m = s->matches[0];
	if (!m.exact && !m.explained && (loose || !b->firm))
		return false;
	/* Errors of frequencies in float32 are like those of an odd base. */
	if (b->match.recipe && !m.exact &&
	    (b->match.explained
		     ? m.rms >= 0.5 * b->match.rms
		     : !m.explained && m.rms >= 0.95 * b->match.rms &&
			       (m.cost >= b->match.cost ||
				m.rms >= 1.05 * b->match.rms)))
		return true;
	b->match = m;
	b->found = m.exact || (m.explained && law->bits < ODD_BITS);
	b->farthest = b->most;
	b->options = search_text(s, "dim=%zu len=1 %s", law->rotary, law->text);
	return true;
}

/*
 * Try a law at the positions that it gives, unless one explains all or it has
 * not the frequencies that were measured; whether it is close. Each pair must
 * tell something of its own.
 */
static bool try_law(struct before *b, struct law law)
{
	const double *w = b->law_w;
	const bool reversed = b->reversed, rounds = law.rounds;
	char text[300];
	bool good = !b->found &&
		    open_law(b, &law, "freqs") &&
		    (b->pairs == 1 || w[b->pairs - 1] < 0.9 * w[0]) &&
		    (b->pairs > 1 || !strstr(law.text, "scaling"));

	for (size_t k = 0; good && law.measured && k < b->pairs; k++)
		good = fabs(w[k] - b->w[k]) <= b->error[k] + LAW_ERROR * w[k];
	b->effort += !law.measured ? 0 : good ? 16 : 1;
	good = good && find_positions(b, &law);
	if (good && !b->even && law.rounds && !rounds) {
		law.rounds = false;
		law.exact = true;
		b->reversed = reversed;
		good = find_positions(b, &law);
	}
	snprintf(text, sizeof text, "%s%s", law.text,
		 law.rounds && !rounds ? " emulate=bf16-positions" : "");
	law.text = text;
	good = good && compare(b, &law);
	b->reversed = reversed;
	return good;
}

/*
 * Try the first usual bases with values of an option; if there is time, unless
 * it is "".
 */
static void try_usual(struct before *b, size_t rotary, size_t bases,
		      const char *option, const char *const *values)
{
	for (size_t k = 0; k < bases; k++)
		for (size_t v = 0; values[v] &&
				   !(option[0] && search_over(&b->budget));
		     v++) {
			const char *x = values[v];
			const bool all = strstr(x, "-all");
			const bool angles = all || strstr(x, "-angles");
			char text[100];

			snprintf(text, sizeof text, "base=%.0f%s%s",
				 usual_bases[k], option, x);
			try_law(b, (struct law){
				.text = text, .rotary = rotary,
				.bits = option[0] ? ODD_BITS : USUAL_BITS,
				.slack = angles ? LOW_PRECISION : LAW_ERROR,
				.rounds = all || strstr(x, "-positions") });
		}
}

/* Judge "dim=64 out=freqs base=10000 ... ": the law is base and scaling. */
static bool judge(void *self, const char *options)
{
	struct before *b = self;
	const char *at = strstr(options, "base=");

	/* Pairs that are not seen to turn may not explain an odd base. */
	return b->effort < MOST_EFFORT && !search_over(&b->budget) &&
	       (b->trying == b->head.rotary || strtod(at + 5, NULL) <= 1e9) &&
	       try_law(b, (struct law){
			       .text = at, .rotary = b->trying,
			       .measured = true, .bits = ODD_BITS,
			       .slack = LAW_ERROR });
}

/* Search for rope's table of the frequencies, if any, of so many columns. */
static void try_measured(struct before *b, size_t rotary)
{
	const struct profile p = {
		.n = 1, .cols = rotary / 2, .epsilon = 0x1p-24,
	};
	struct search s = {
		.profile = &p, .owner = b->search.owner, .err = b->search.err,
		.judge = judge, .judging = b,
	};
	struct rotary r;

	if (b->first >= b->last || !rotary_of_frequencies(&r, &s, rotary / 2))
		return;
	for (size_t k = 0; k < r.pairs; k++) {
		r.w[k] = k < b->pairs ? b->w[k] : 0;
		r.error[k] = k < b->pairs ? b->error[k] : 1;
	}
	b->trying = rotary;
	rotary_try_frequencies(&s, &r);
}

/*
 * Search for the law of the angles; whether there is one. Where pairs
 * interleave, slow ones may be lost in rounding: then more rotate than can be
 * seen.
 */
static bool find_law(struct before *b)
{
	const size_t seen = b->head.rotary;
	const size_t most = b->head.gap > 1 ? seen
			    : (b->head.dim - b->head.offset) / 2 * 2;
	const size_t likely[] = { b->head.noise < 1e-6 ? seen : most, most,
				  most / 2, most / 4 };
	const struct recipe *rope = recipe_find("rope", b->search.err);
	const char *const *words =
		option_of_role(rope->options, ROLE_ARITHMETIC)->words;
	double **const arrays[] = {
		&b->w, &b->error, &b->phase, &b->bound, &b->law_w, &b->at,
	};

	for (size_t k = 0; k < COUNT(arrays); k++)
		*arrays[k] = search_alloc(&b->search, b->cols + b->n,
					  sizeof(double));
	if (b->search.err->text[0])
		return false;
	b->step = 1;
	find_run(b);
	if (b->first < b->last)
		measure(b);
	for (size_t k = 0; k < COUNT(likely); k++) {
		if (likely[k] < seen || likely[k] % 2 ||
		    (k && likely[k] == likely[0]))
			continue;
		try_usual(b, likely[k], ROTARY_BASES, "", plain);
		try_usual(b, likely[k], SCALED_BASES, " scaling=", scalings);
		try_measured(b, likely[k]);
	}
	for (size_t n = seen; n <= most && !b->match.recipe; n += 2)
		try_usual(b, n, ROTARY_BASES, "", plain);
	for (size_t n = seen; n <= most && !b->match.recipe; n += 2)
		try_measured(b, n);
	if (!b->match.recipe)
		try_usual(b, seen, ROTARY_BASES, " emulate=", words + 1);
	return b->match.recipe;
}

/* Pairs in words: "k and k + 32". */
static const char *pairs_words(const struct before *b, char text[80])
{
	if (b->uneven)
		snprintf(text, 80, "heads rotate by different angles, pairs as "
			 "of %zu and %zu", b->head.offset,
			 b->head.offset + b->head.gap);
	else if (b->head.gap > 1)
		snprintf(text, 80, "half: k and k + %zu", b->pairs);
	else
		snprintf(text, 80, "interleaved: 2k and 2k + 1");
	return text;
}

/* What is known of the rotation, with or without a command. */
static void report_rotation(const struct before *b, struct report *r)
{
	const struct head *h = &b->head;
	const size_t heads = b->cols / h->dim;
	char text[80];

	report_group(r, "rotation");
	report_text(r, "pairs", "%s", pairs_words(b, text));
	report_number(r, "head_dim", (double)h->dim, NULL);
	if (heads > 1)
		report_number(r, "heads_side_by_side", (double)heads, NULL);
	report_text(r, "rotating", "dimensions %zu to %zu of a head", h->offset,
		    h->offset + h->rotary - 1);
	report_text(r, "positions_along", "%s", b->planes ? "planes" : "rows");
	report_number(r, "factor_of_lengths", h->amp, NULL);
	report_number(r, "noise_of_lengths", h->noise, "relative");
}

/* The report where pairs rotate by angles of no law, if they do. */
static void report_no_law(const struct before *b, struct report *r)
{
	const double *x = b->x->row(b->x, 0, NULL);
	const double *y = b->y->row(b->y, 0, NULL);
	double xx = 0, xy = 0, yy = 0;
	char text[80];

	for (size_t i = 0; i < b->rows * b->cols; i++) {
		xx += x[i] * x[i];
		xy += x[i] * y[i];
		yy += y[i] * y[i];
	}
	if (yy - xy * xy / xx <= 1e-4 * yy) {
		report_headline(r, "no match found: nothing rotates; TABLE is "
				"%.4g times the table before, with a relative "
				"residual below 0.01", xy / xx);
	} else if (!before_is_rotation(b, &b->head)) {
		report_headline(r, "no match found: too few values to tell a "
				"rotation from other changes");
	} else {
		report_headline(r, "no match found: pairs of columns rotate "
				"(%s), but no formula gives their angles",
				pairs_words(b, text));
		report_rotation(b, r);
		if (b->first < b->last)
			report_numbers(r, "frequencies", b->w, b->pairs);
	}
}

/* Say which arithmetic may be why, or what residuals look like. */
static void test_residuals(struct before *b)
{
	struct search *s = &b->search;
	const struct profile *p = s->profile;
	const enum dtype d = p->stored > F32 ? p->stored : F32;
	const double most = d > F32 ? 2 * p->noise
			    : b->head.noise <= 0x1p-22
				    ? 0x1p-24 * (4 + b->farthest) : 0;

	residuals_test(s);
	if (b->match.rms <= most * b->head.length * b->head.amp &&
	    (!p->integers || profile_dtype(p) == d))
		snprintf(s->residuals.text, sizeof s->residuals.text,
			 ", explained by %s arithmetic", dtype_name(d));
}

/* The answer, as that of any match, and the rotation. */
static void report_law(struct before *b, struct report *r)
{
	const struct match law = {
		.recipe = b->match.recipe, .candidate.options = b->options,
	};
	struct reading reading = { .text = NULL };
	char text[120];

	snprintf(text, sizeof text, "this table with the columns of each head "
		 "of %zu reordered from %s", b->order, b->halves
		 ? "half to interleaved" : "interleaved to half");
	if (b->order)
		reading.text = reading.made = text;
	b->search.matches[0] = b->match;
	b->search.n = 1;
	if (!b->match.exact && !b->match.explained)
		test_residuals(b);
	/* It is not of columns of the table. */
	b->search.matches[0].candidate.given = NULL;
	report_answer(&b->search, &reading, r);
	report_low_precision(&law, r);
	report_match(&b->match, &reading, r, r->err);
	report_rotation(b, r);
}

bool before_measurable(const struct table *t)
{
	const double *x = t->row(t, 0, NULL);
	double most = 0;

	for (size_t i = 0; i < t->planes * t->rows * t->cols; i++) {
		if (!(fabs(x[i]) < 0x1p500))
			return false;
		most = fmax(most, fabs(x[i]));
	}
	return most >= 0x1p-250 || most <= 0;
}

/* Both must have one shape and values that can be measured. */
static bool check_tables(const struct table *x, const struct table *y,
			 struct error *err)
{
	char expected[SHAPE_TEXT], got[SHAPE_TEXT];

	if (x->planes != y->planes || x->rows != y->rows || x->cols != y->cols)
		return fail(err, "--before: expected a table of TABLE's shape "
			    "%s, got %s", shape_of(y, expected),
			    shape_of(x, got));
	if (!before_measurable(x) || !before_measurable(y))
		return fail(err, "--before: expected finite values, below "
			    "2^500 and not all below 2^-250 in magnitude, got "
			    "others in %s",
			    before_measurable(x) ? "TABLE" : x->title);
	return true;
}

bool before_report(const struct table *x, const struct table *y,
		   double seconds, struct report *r, struct error *err)
{
	/* Not on the stack, which may be small */
	struct before *b = table_alloc(r->owner, 1, sizeof *b, err);
	struct table ordered;
	struct profile p;
	const char *why = "";
	bool pairs, heads;

	if (!b || !check_tables(x, y, err))
		return false;
	b->search.owner = r->owner;
	b->search.err = err;
	b->x = x;
	b->y = y;
	b->rows = x->planes * x->rows;
	b->cols = x->cols;
	search_begin(&b->budget, seconds);
	search_begin(&b->search, HUGE_VAL);
	pairs = before_pairs(b, &why);
	heads = (pairs || before_order(b, &ordered)) && before_heads(b);
	if (pairs && !heads)
		why = "no match found: pairs of columns rotate, but neither do "
		      "rows of all planes rotate alike nor all rows of a plane";
	profile_table(&p, b->y);
	b->search.profile = b->search.plain = &p;
	b->search.step = p.integers;
	r->no = !heads || b->uneven || !find_law(b);
	if (!r->no)
		report_law(b, r);
	else if (heads && pairs)
		report_no_law(b, r);
	else
		report_headline(r, "%s", why);
	report_stop(&b->budget, seconds, r);
	return !err->text[0];
}
