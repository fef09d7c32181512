/*
 * low_precision.c: tables of cosines and sines from position 0 on whose
 * frequencies, positions or angles were rounded to 16 bits.
 *
 * At positions 1, 2, 4, ... each kind of rounding makes the same angles: powers
 * of two times the frequencies, which are rounded, too, or not at all. So
 * frequencies can be measured there. Each says that the frequency before
 * rounding was in an interval, and all intervals together which base it had.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/frequencies.h"
#include "identify/low_precision.h"
#include "identify/rotary.h"
#include "identify/rounding.h"
#include "text/words.h"

/*
 * How frequencies were rounded, and the values of --emulate that do so. Those
 * of float32 are off by a few units, which other programs leave.
 */
static const struct precision {
	enum dtype dtype;      /* that they have; F64: any */
	double unit, least;    /* half a unit in the last place: relative to
				  the power of two below, and at least */
	const char *emulations[4];
	double exact[4];       /* whole positions up to this stay as they are;
				  0: it does not matter */
} precisions[] = {
	{ F64, 0x1p-20, 0,
	  { "bf16-positions", "fp16-positions" }, { 256, 2048 } },
	{ F16, 0x1p-11, 0x1p-25,
	  { "fp16-freqs", "fp16-angles", "fp16-all" }, { 0 } },
	{ BF16, 0x1p-8, 0,
	  { "bf16-freqs", "bf16-angles", "bf16-all" }, { 0 } },
};

/* A way to read the columns, and what is known of the frequencies. */
struct waves {
	struct rotary rotary;
	const char *sinusoid;  /* options of the layout, or NULL: none has it */
	const struct precision *precision;
	/* Frequency k is scale e^(-k x), x between least and most. */
	struct interval {
		double scale, least, most;
	} series, as_measured; /* without rounding; most 0: there is none */
	double *room;          /* [2, pairs] of a part of the search */
	bool counts;           /* all angles are multiples of those of row 1 */
	char emulate[32];      /* of the rotary */
};

/* Whether values of 16 bits may hide what was rounded before. */
static bool is_coarse(const struct profile *p)
{
	return p->noise >= 0x1p-12;
}

/* Frequency k, and how far from it it may have been before rounding. */
static double frequency(const struct waves *w, size_t k, double *within)
{
	const struct precision *p = w->precision;
	const double x = w->rotary.w[k], error = 3 * w->rotary.error[k];
	const double rounded = dtype_round(p->dtype, x), most = x + error;
	const double half = most > 0 ? ldexp(p->unit, ilogb(most)) : 0;

	*within = fmax(half, p->least) + 0x1p-22 * most;
	if (p->dtype != F64 && *within > error && fabs(rounded - x) <= error)
		return rounded;
	*within += error;
	return x;
}

/* The roundest first frequency: 1, a round value or the inverse of one. */
static double first_frequency(const struct waves *w)
{
	double within;
	const double x = frequency(w, 0, &within);
	const double value = round_to_nice(x, within);
	const double inverse = round_to_nice(1 / x, within / (x * x));

	return nice_digits(inverse) < nice_digits(value) ? 1 / inverse : value;
}

/* Set the series that all intervals allow; false if there is none. */
static bool find_series(struct waves *w)
{
	struct interval i = { first_frequency(w), 0, HUGE_VAL };

	for (size_t k = 1; k < w->rotary.pairs; k++) {
		double half;
		const double x = frequency(w, k, &half), d = (double)k;

		i.least = fmax(i.least, log(i.scale / (x + half)) / d);
		if (x > half)
			i.most = fmin(i.most, log(i.scale / (x - half)) / d);
	}
	w->series = i;
	return i.least < i.most && i.most < HUGE_VAL;
}

/* The roundest base that a series allows. */
static double roundest_base(const struct waves *w, const struct interval *i)
{
	const double d = (double)w->rotary.pairs;
	const double base = exp((i->least + i->most) / 2 * d);

	return round_to_nice(base, base * d * (i->most - i->least) / 2);
}

/*
 * Whether rounding explains the frequencies better than a base that has them as
 * they are, if there is one: by a base that is rounder by more than two digits,
 * or by the same.
 */
static bool is_rounder(const struct waves *w)
{
	const double base = roundest_base(w, &w->series);
	double other;

	if (!(w->as_measured.most > 0))
		return true;
	other = roundest_base(w, &w->as_measured);
	return base == other || nice_digits(base) + 2 < nice_digits(other);
}

/*
 * How well a match agrees without its rounding: with its base, or with one that
 * makes the frequencies as they were measured.
 */
static enum grade grade_unrounded(struct search *s, const struct waves *w,
				  const struct match *m)
{
	const size_t room = strlen(m->candidate.options) + 64;
	char *text = search_alloc(s, room, 1), number[32];
	struct candidate plain = m->candidate;
	enum grade grade, other;

	if (!text)
		return GRADE_EXACT;
	plain.options = text;
	plain.jump = 0;
	snprintf(text, room, "%s", m->candidate.options);
	*strstr(text, " emulate=") = '\0';
	grade = candidate_grade(s, &plain);
	if (!(w->as_measured.most > 0))
		return grade;
	snprintf(text + strlen(text), room - strlen(text), " base=%s%s",
		 nice_text(roundest_base(w, &w->as_measured), number),
		 strstr(text, " scaling=ntk") ? " scaling=none" : "");
	other = candidate_grade(s, &plain);
	return other > grade ? other : grade;
}

/*
 * Whether the match just added is evidence: nothing without rounding is a
 * match, or it is exact and the other is not within a unit in the last place,
 * of which values of 16 bits have large ones. If not, the match is dropped.
 */
static bool keep_match(struct search *s, const struct waves *w)
{
	const struct match *m = &s->matches[s->n - 1];
	const enum grade grade = grade_unrounded(s, w, m);

	if (grade == GRADE_NONE || (m->exact && grade == GRADE_CLOSE) ||
	    (m->exact && grade == GRADE_ROUNDING && is_coarse(s->profile)))
		return true;
	s->n--;
	return false;
}

/* Try a base as that of a sinusoid. */
static bool try_sinusoid(struct search *s, const struct waves *w,
			 const struct base *base)
{
	const struct profile *p = s->profile;
	const double amp = w->rotary.amp;
	const struct candidate c = {
		.recipe = "sinusoid", .absolute = 4 * amp,
		.per_position = 4 * amp * w->series.scale,
		.jump = w->rotary.jump,
	};
	const double nice = fabs(amp - 1) > 8 * p->noise
				? round_to_nice(amp, 8 * amp * p->noise) : 1;
	char text[3][64];

	return try_candidate(s, &c, "len=%zu dim=%zu%s denom=%s%s%s%s%s",
			     p->n, p->cols, w->sinusoid, base->denom,
			     option_if("base", base->value, USUAL_BASE,
				       text[0]),
			     option_if("angle-scale", w->series.scale, 1,
				       text[1]),
			     option_if("amp", nice, 1, text[2]), w->emulate) &&
	       keep_match(s, w);
}

/* Try a base as that of rope. */
static bool try_rope(struct search *s, const struct waves *w, double base)
{
	const double factor = 1 / w->series.scale;

	return rope_try_linear(s, &w->rotary, base,
			       round_to_nice(factor, 1e-12 * factor)) &&
	       keep_match(s, w);
}

/* Try usual bases that scaling=ntk:F stretches to those that are allowed. */
static bool try_stretched(struct search *s, const struct waves *w)
{
	const double d = (double)w->rotary.pairs, power = (d - 1) / d;
	const double base = exp((w->series.least + w->series.most) / 2 * d);
	const double within = d * (w->series.most - w->series.least) / 2;
	char number[32];

	for (size_t b = 0; b < USUAL_BASES; b++) {
		const double x = pow(base / usual_bases[b], power);
		const double factor = round_to_nice(x, x * within * power);

		if (nice_digits(factor) < ROUND_DIGITS && factor > 1 &&
		    rope_try_base(s, &w->rotary, usual_bases[b],
				  " scaling=ntk:%s",
				  nice_text(factor, number)) &&
		    keep_match(s, w))
			return true;
	}
	return false;
}

/* Try the bases that the series allows. */
static bool try_series(struct search *s, const struct waves *w)
{
	const struct series series = {
		.decay = (w->series.least + w->series.most) / 2,
		.decay_error = (w->series.most - w->series.least) / 2,
	};
	const double base = roundest_base(w, &w->series);
	const size_t before = s->n;
	struct base found[MAX_BASES];
	const size_t n = series_bases(&series, 1, s->profile->cols, false,
				      found);
	bool good = false;

	for (size_t k = 0; w->sinusoid && !good && k < n; k++)
		good = try_sinusoid(s, w, &found[k]);
	if (w->rotary.out && try_rope(s, w, base))
		good = true;
	if (w->rotary.out && nice_digits(base) > 1 &&
	    !search_has_exact(s, before) && try_stretched(s, w))
		good = true;
	return good;
}

/* Try scalings that keep the fast frequencies of a usual base. */
static void try_by_parts(struct search *s, struct waves *w)
{
	struct rotary r = w->rotary;

	r.error = w->room;
	for (size_t k = 0; k < r.pairs; k++) {
		double half;

		frequency(w, k, &half);
		r.error[k] = half / 8;
	}
	for (size_t b = 0; r.out && b < USUAL_BASES; b++)
		if (rope_try_by_parts(s, &r, usual_bases[b])) {
			keep_match(s, w);
			return;
		}
}

/*
 * Angles that were rounded tell more of frequencies that were not, in all rows.
 * False if that finds no base.
 */
static bool try_narrowed(struct search *s, const struct waves *w)
{
	static const struct precision none = { 0 };
	struct waves narrow = *w;
	struct rotary *r = &narrow.rotary;

	r->w = w->room;
	r->error = w->room + r->pairs;
	for (size_t k = 0; k < r->pairs; k++) {
		double half;
		const double x = frequency(w, k, &half);

		r->w[k] = fmax(x - half, 0);
		r->error[k] = x + half;
	}
	rotary_narrow(r, w->precision->unit);
	narrow.precision = &none;
	return find_series(&narrow) && try_series(s, &narrow);
}

/*
 * Whether the angles of row 1 are numbers of 16 bits, as rounded ones are. The
 * least have been measured in later rows, whose angles were rounded less.
 */
static bool angles_rounded(const struct waves *w)
{
	const struct precision *p = w->precision;
	const struct rotary *r = &w->rotary;

	for (size_t k = 0; k < r->pairs; k++) {
		const double x = r->w[k];

		if (fabs(dtype_round(p->dtype, x) - x) >
		    8 * r->error[k] + 0x1p-22 * x + p->least)
			return false;
	}
	return true;
}

/*
 * Whether the rounding may be what the table shows: a position that is rounded,
 * angles that are or are not multiples, frequencies that are rounder before it.
 */
static bool may_show(const struct search *s, const struct waves *w, size_t k,
		     bool rounder)
{
	const struct precision *p = w->precision;
	const bool frequencies = strstr(p->emulations[k], "-freqs");

	if (p->dtype == F64)
		return (double)s->profile->n - 1 > p->exact[k];
	return (frequencies ? rounder : angles_rounded(w)) &&
	       (frequencies == w->counts || is_coarse(s->profile));
}

/* Try what may have rounded the measured frequencies. */
static void try_precision(struct search *s, struct waves *w,
			  const struct precision *precision, bool by_parts)
{
	bool series, rounder;

	w->precision = precision;
	series = find_series(w);
	if (precision->dtype == F64)
		w->as_measured = series ? w->series : (struct interval){ 0 };
	rounder = !series || is_rounder(w);
	if (!rounder)
		w->series = w->as_measured;
	for (size_t k = 0; series != by_parts && precision->emulations[k];
	     k++) {
		const bool angles = strstr(precision->emulations[k], "-angles");

		snprintf(w->emulate, sizeof w->emulate, " emulate=%s",
			 precision->emulations[k]);
		if (!may_show(s, w, k, rounder))
			continue;
		if (by_parts)
			try_by_parts(s, w);
		if (by_parts || try_series(s, w) || !angles ||
		    try_narrowed(s, w))
			continue;
		/*
		 * Angles nearly half way between two of 16 bits may have been
		 * rounded the other way, by a program whose frequencies are a
		 * few units off.
		 */
		w->rotary.jump = 2 * precision->unit;
		try_series(s, w);
		w->rotary.jump = 0;
	}
}

/* Measure the frequencies, and try all kinds of rounding. */
static bool try_waves(struct search *s, struct rotary *form)
{
	static const char *const layouts[2][2] = {
		{ " layout=split first=cos", " first=cos" },
		{ " layout=split", "" },
	};
	const size_t before = s->n;
	struct waves w = { .counts = false };
	struct rotary *r = &w.rotary;

	if (form->pairs < 2)
		return false;
	w.room = search_alloc(s, form->pairs, 2 * sizeof *w.room);
	if (!w.room || !rotary_open(form, s))
		return false;
	w.rotary = *form;
	if (r->form == FORM_BOTH)
		w.sinusoid = layouts[r->sine_first][r->stride > 1];
	r->positions[1] = 1;
	r->evenly_spaced = true;
	r->emulate = w.emulate;
	if (!rotary_measure(r, false) || !rotary_counts(r, 1))
		return false;
	rotary_refine(r);
	w.counts = rotary_counts(r, 4096);
	for (int by_parts = 0; by_parts < 2 && s->n == before; by_parts++)
		for (size_t k = 0; !search_has_exact(s, before) &&
				   k < COUNT(precisions); k++)
			try_precision(s, &w, &precisions[k], by_parts);
	return s->n > before && r->form != FORM_BOTH;
}

void identify_low_precision(struct search *s)
{
	const struct profile *p = s->profile;

	/* Neither one column again and again shows a base, nor one digit. */
	if (p->n >= 3 && p->cols >= 2 && !p->integers && !(p->assumed > 0) &&
	    p->digits > 1 && !profile_same_columns(p))
		rotary_each_form(s, true, try_waves);
}

/* A row is off if a cosine or sine is, by these shares of the amplitude. */
#define VISIBLE 0.001
#define HARMFUL 0.1

/* Positions, and values of all of them, that are compared at most. */
enum { MOST_POSITIONS = 65000, MOST_VALUES = 1 << 24 };

bool is_low_precision(const char *emulation)
{
	return strncmp(emulation, "bf16-", 5) == 0 ||
	       strncmp(emulation, "fp16-", 5) == 0;
}

/* Write to text the options of the cosines and sines of n positions. */
static void write_options(char *text, size_t room, const struct recipe *recipe,
			  char *options, size_t n, struct error *err)
{
	size_t length = (size_t)snprintf(text, room, "len=%zu", n);
	char *word;

	while ((word = word_next(&options, err))) {
		const struct option *o = option_find(recipe->options, word,
						     strcspn(word, "="));

		if (o->role != ROLE_EXTENT && o->role != ROLE_ARITHMETIC &&
		    strcmp(o->name, "out") != 0)
			length += (size_t)snprintf(text + length, room - length,
						   " %s", word);
	}
}

/* Compare the rows of the exact table and the rounded one. */
static bool compare_rows(struct low_precision *l, const struct table *exact,
			 const struct table *rounded, struct table *owner,
			 struct error *err)
{
	const size_t cols = exact->cols;
	double *x = table_alloc(owner, cols, 2 * sizeof *x, err);

	l->visible = l->harmful = l->positions;
	for (size_t i = 0; x && i < l->harmful; i++) {
		double off = 0;

		table_rows(exact, F64, i, 1, NULL, x);
		table_rows(rounded, F64, i, 1, NULL, x + cols);
		for (size_t j = 0; j < cols; j++)
			off = fmax(off, fabs(x[j] - x[cols + j]) / exact->hi);
		if (off > VISIBLE && l->visible == l->positions)
			l->visible = i;
		if (off > HARMFUL)
			l->harmful = i;
	}
	return x;
}

/* "bf16-freqs" as words; false for another value of --emulate. */
static bool write_words(char words[64], const char *emulation)
{
	const char *what;

	if (!is_low_precision(emulation))
		return false;
	what = emulation + strlen("bf16-");
	if (strcmp(what, "all") == 0)
		what = "frequencies, positions, angles and values";
	else if (strcmp(what, "freqs") == 0)
		what = "frequencies";
	snprintf(words, 64, "%s rounded to %s", what,
		 emulation[0] == 'b' ? "bfloat16" : "float16");
	return true;
}

/* Make both tables, of as many positions as can be compared quickly. */
static bool compare_tables(struct low_precision *l, const struct table *made,
			   const char *options, const char *emulation,
			   struct error *err)
{
	struct table owner = { 0 }, exact = { 0 }, rounded = { 0 };
	const struct recipe *recipe = made->from.recipe;
	const size_t room = strlen(options) + 64;
	const size_t most = MOST_VALUES / (2 * made->cols);
	char *copy = table_copy(&owner, options, err);
	char *text = table_alloc(&owner, 1, room, err);
	char *other = table_alloc(&owner, 1, room, err);
	bool good = copy && text && other;

	l->positions = most < MOST_POSITIONS ? most : MOST_POSITIONS;
	if (good) {
		write_options(text, room, recipe, copy, l->positions, err);
		snprintf(other, room, "%s emulate=%s", text, emulation);
	}
	good = good && recipe_open(&exact, recipe->name, text, NULL, err) &&
	       recipe_open(&rounded, recipe->name, other, NULL, err) &&
	       compare_rows(l, &exact, &rounded, &owner, err);
	table_close(&exact);
	table_close(&rounded);
	table_close(&owner);
	return good;
}

bool low_precision_of(struct low_precision *l, const char *recipe,
		      const char *options, struct error *err)
{
	struct table made = { 0 };
	struct error why = { 0 };
	char room[OPTION_ROOM];
	const char *emulation = "";
	const struct option *o = NULL;
	bool good = recipe_open(&made, recipe, options, NULL, &why);

	*l = (struct low_precision){ .positions = 0 };
	if (good)
		o = option_of_role(made.from.recipe->options, ROLE_ARITHMETIC);
	if (o)
		emulation = option_text(o, made.from.options, room);
	good = write_words(l->words, emulation) &&
	       compare_tables(l, &made, options, emulation, &why);
	table_close(&made);
	pass_memory(err, &why);
	return good;
}

void report_low_precision(const struct match *m, struct report *r)
{
	struct low_precision l;

	if (m->candidate.note)
		report_headline(r, "%s; %s", r->headline, m->candidate.note);
	if (!low_precision_of(&l, m->recipe->name, m->candidate.options,
			      r->err))
		return;
	if (m->jumps)
		report_headline(r, "%s: '%s' fits with a root-mean-square "
				"residual of %.2g: up to %.2g in %zu of all "
				"values, as where other arithmetic rounds an "
				"angle the other way", m->recipe->name,
				m->command, m->rms, m->residual, m->jumps);
	report_group(r, "low_precision");
	report_text(r, "rounded", "%s", l.words);
	if (l.harmful < l.positions) {
		report_number(r, "first_position_off", (double)l.harmful,
			      "by more than 0.1");
		report_headline(r, "%s; %s, first off by more than 0.1 at "
				"position %zu", r->headline, l.words,
				l.harmful);
		return;
	}
	report_text(r, "first_position_off", "none of the first %zu, by more "
		    "than 0.1", l.positions);
	report_headline(r, "%s; %s, off by at most 0.1 at the first %zu "
			"positions", r->headline, l.words, l.positions);
}
