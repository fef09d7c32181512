/* before.c: which rotary embedding turned one table into another. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/before.h"
#include "identify/budget.h"
#include "identify/fit.h"
#include "identify/low_precision.h"
#include "identify/rounding.h"

bool before_row(struct before *b, const struct law *law, const char *out,
		double *to)
{
	struct error err = { 0 };
	struct table t = { 0 };
	char text[400];
	bool good;

	snprintf(text, sizeof text, "dim=%zu out=%s %s", law->rotary, out,
		 law->text);
	good = recipe_open(&t, "rope", text, NULL, &err);
	if (good)
		table_rows(&t, F64, 0, 1, NULL, to);
	table_close(&t);
	pass_memory(b->search.err, &err);
	return good;
}

/* Options for the direction and the measured attention factor. */
static void add_factor(struct before *b, const struct law *law, char text[120])
{
	const double within = 1e-6 + 3 * b->head.noise, amp = b->head.amp;
	const char *direction = b->now.reversed ? " reversed" : "";
	double usual = 1;
	char number[32];

	if (before_row(b, law, "cos len=1", b->law_w))
		usual = b->law_w[0];
	nice_text(round_to_nice(amp, within * amp / 4), number);
	if (fabs(amp / usual - 1) <= within)
		snprintf(text, 120, "%s", direction);
	else if (b->now.reversed && fabs(amp * usual - 1) <= within)
		snprintf(text, 120, " inverse");
	else if (strstr(law->text, "=yarn:"))
		snprintf(text, 120, ",attention_factor=%s%s", number,
			 direction);
	else
		snprintf(text, 120, " scaling=yarn:1,1,attention_factor=%s%s",
			 number, direction);
}

/* Options for the positions: a start and a step, or a list. */
static char *position_options(struct before *b)
{
	const struct placed *p = &b->now;
	const double step = b->n > 1 ? p->at[1] - p->at[0] : 1;
	char start[64], steps[64], *text;
	size_t n = 0;

	if (p->even)
		return search_text(&b->search, "%s%s",
				   option_if("start", p->at[0], 0, start),
				   option_if("step", step, 1, steps));
	text = search_alloc(&b->search, b->n + 1, 24);
	for (size_t j = 0; text && j < b->n; j++)
		n += (size_t)snprintf(text + n, 24, "%s%.0f",
				      j ? "," : " positions=", p->at[j]);
	return text;
}

/* Write the options of rope --apply for a law. */
static char *options_of(struct before *b, const struct law *law)
{
	const struct head *h = &b->head;
	const char *positions = position_options(b);
	const double repeats =
		b->planes && b->n < b->x->planes && b->now.even;
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
		option_if("len", repeats * (double)b->n, 0, len), positions,
		law->text, factor) : NULL;
}

/* The largest magnitude of n positions. */
static double farthest(const struct placed *p, size_t n)
{
	double most = 0;

	for (size_t j = 0; j < n; j++)
		most = fmax(most, fabs(p->at[j]));
	return most;
}

/*
 * Whether the residual is as small as that of the lengths, which no law of
 * angles changes, and arithmetic in float32.
 */
static bool is_close(const struct before *b, double rms)
{
	const struct head *h = &b->head;
	const double arithmetic =
		fmin(1e-3, 0x1p-22 * (4 + farthest(&b->now, b->n))) * h->length;
	const double share = (double)h->rotary / (double)h->dim;

	return rms <= sqrt(share) * (4 * h->noise * h->length + arithmetic);
}

bool before_compare(struct before *b, const struct law *law)
{
	struct search *s = &b->search;
	const double amplitude = fmax(fabs(s->profile->min),
				      fabs(s->profile->max));
	const struct candidate c = {
		.recipe = "rope", .given = b->x, .options = options_of(b, law),
		.absolute = 4 * amplitude, .per_position = 4 * amplitude,
		.relative = 8,
	};
	const struct placed was = b->best;
	struct match m;

	b->tried = true;
	s->n = 0;
	if (!c.options || !fit_measure(s, &c, &m) || !is_close(b, m.rms))
		return false;
	/* Errors of angles change no lengths. */
	if (search_compare(s, &c) &&
	    (s->matches[0].exact || s->profile->stored > F32 ||
	     b->head.noise <= 0x1p-22))
		m = s->matches[0];
	else if (b->match.recipe && m.cost >= b->match.cost)
		return true;
	b->match = m;
	b->law = search_text(s, "dim=%zu len=1 %s", law->rotary, law->text);
	b->best = b->now;
	b->now.at = was.at;
	return true;
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
	char text[80];

	report_group(r, "rotation");
	report_text(r, "pairs", "%s", pairs_words(b, text));
	report_number(r, "head_dim", (double)h->dim, NULL);
	if (b->cols > h->dim)
		report_number(r, "heads_side_by_side",
			      (double)(b->cols / h->dim), NULL);
	report_text(r, "rotating", "dimensions %zu to %zu of a head", h->offset,
		    h->offset + h->rotary - 1);
	report_text(r, "positions_along", "%s", b->planes ? "planes" : "rows");
	report_number(r, "factor_of_lengths", h->amp, NULL);
	report_number(r, "noise_of_lengths", h->noise, "relative");
}

/* The factor c that makes y nearest to c x, or 0 if it is not near. */
static double factor_of_all(const struct before *b)
{
	const size_t n = b->rows * b->cols;
	const double *x = b->x->row(b->x, 0, NULL);
	const double *y = b->y->row(b->y, 0, NULL);
	double xx = 0, xy = 0, left = 0;

	for (size_t i = 0; i < n; i++) {
		xx += x[i] * x[i];
		xy += x[i] * y[i];
	}
	for (size_t i = 0; i < n; i++)
		left += pow(y[i] - xy / xx * x[i], 2);
	return left <= 1e-4 * xy * xy / xx ? xy / xx : 0;
}

/* The report where pairs rotate by angles of no law, if they do. */
static void report_no_law(const struct before *b, struct report *r)
{
	const double factor = factor_of_all(b);
	char text[80];

	r->no = true;
	if (fabs(factor) > 0) {
		report_headline(r, "no match found: nothing rotates; TABLE is "
				"%.4g times the table before, with a relative "
				"residual below 0.01", factor);
		return;
	}
	if (!before_is_rotation(b)) {
		report_headline(r, "no match found: too few values to tell a "
				"rotation from other changes");
		return;
	}
	report_headline(r, "no match found: pairs of columns rotate (%s), but "
			"no formula gives their angles", pairs_words(b, text));
	report_rotation(b, r);
	if (b->first < b->last)
		report_numbers(r, "frequencies", b->w, b->pairs);
}

/* Test the residuals, unless the arithmetic that is usual for a dtype is why. */
static void test_residuals(struct before *b)
{
	struct search *s = &b->search;
	const enum dtype d = s->profile->stored;
	const double size = b->match.rms / (b->head.length * b->head.amp);
	const double most = d == F16 ? 0x1p-10 : d == BF16 ? 0x1p-7
		: b->head.noise > 0x1p-22 ? 0 : 0x1p-24 * (4 + farthest(&b->best, b->n));

	if (b->match.exact || b->match.explained)
		return;
	residuals_test(s);
	if (size <= most && !s->profile->integers)
		snprintf(s->residuals.text, sizeof s->residuals.text,
			 ", explained by %s arithmetic",
			 dtype_name(d > F32 ? d : F32));
}

/* The answer, as that of any match, and the rotation. */
static void report_law(struct before *b, struct report *r)
{
	const struct placed *p = &b->best;
	const struct match rounded = {
		.recipe = b->match.recipe, .candidate.options = b->law,
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
	test_residuals(b);
	/* It is not of columns of the table. */
	b->search.matches[0].candidate.given = NULL;
	report_answer(&b->search, &reading, r);
	report_low_precision(&rounded, r);
	report_match(&b->match, &reading, r, r->err);
	report_rotation(b, r);
	report_text(r, "direction", "%s", p->reversed ? "reversed" : "usual");
	if (p->even)
		report_text(r, "positions", "%.0f, step %.0f", p->at[0],
			    b->n > 1 ? p->at[1] - p->at[0] : 1);
	else
		report_numbers(r, "positions", p->at, b->n);
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
	struct before b = {
		.search = { .owner = r->owner, .err = err },
		.x = x, .y = y, .rows = x->planes * x->rows, .cols = x->cols,
	};
	struct table ordered;
	struct profile p;
	const char *why = "", *heads = "no match found: pairs of columns "
		"rotate, but neither do rows of all planes rotate alike nor "
		"all rows of a plane";
	bool pairs;

	if (!check_tables(x, y, err))
		return false;
	search_begin(&b.budget, seconds);
	search_begin(&b.search, HUGE_VAL);
	pairs = before_pairs(&b, &why);
	if (!pairs && !before_order(&b, &ordered))
		heads = why;
	else if (before_heads(&b))
		heads = NULL;
	profile_table(&p, b.y);
	b.search.profile = b.search.plain = &p;
	if (!heads && !b.uneven && before_laws(&b)) {
		report_law(&b, r);
	} else if (heads || b.order) {
		r->no = true;
		report_headline(r, "%s", b.order ? why : heads);
	} else {
		report_no_law(&b, r);
	}
	report_stop(&b.budget, seconds, r);
	return !err->text[0];
}
