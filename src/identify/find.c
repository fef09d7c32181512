/* find.c: runs all families on a table. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/fit.h"
#include "identify/reading.h"
#include "identify/rounding.h"

#define FAMILY(name) identify_##name,
static void (*const families[])(struct search *s) = {
#include "identify/list.h"
};
#undef FAMILY

/* Whether an option has a number that hardly anybody types: "base=5.4858". */
static bool has_odd_number(const struct match *m, const struct table *t)
{
	const char *at = m->candidate.options;
	char *end;

	while ((at = strchr(at, '='))) {
		const double x = strtod(++at, &end);

		if ((!*end || *end == ' ') && nice_digits(x) > ROUND_DIGITS &&
		    fabs(x - (double)t->rows) > 0 &&
		    fabs(x - (double)t->cols) > 0)
			return true;
	}
	return false;
}

/*
 * The first n matches are of low precision, which is told only if no command
 * without it makes the table with options that people type.
 */
static void settle_low_precision(struct search *s, size_t n)
{
	/* What is no more than explained hides no plain one that is, too. */
	const bool exact = search_has_exact(s, 0);
	size_t plain = n;

	while (plain < s->n &&
	       (s->matches[plain].exact < exact ||
		has_odd_number(&s->matches[plain], s->profile->table)))
		plain++;
	if (plain == s->n) {
		s->n = n;
		return;
	}
	s->n -= n;
	memmove(s->matches, s->matches + n, s->n * sizeof *s->matches);
}

/* Whether family k is for such values: few tables have infinite ones. */
static bool is_for(const struct profile *p, size_t k)
{
	return p->finite ||
	       ((p->additive_mask || p->masked) &&
		families[k] == identify_mask) ||
	       (p->masked && families[k] == identify_families);
}

/* No match: a command agrees, but its options say as much as the values. */
static void tell_agreeing(struct search *s, const char *where)
{
	const struct match *m = &s->agreeing;
	char residual[48] = "";

	if (!m->exact)
		snprintf(residual, sizeof residual,
			 " up to a residual of %.2g", m->residual);
	s->verdict = search_text(
		s, "no match found: '%s' makes all %zu values%s%s, perhaps by "
		"chance: %s", m->command, s->profile->n * s->profile->cols,
		where, residual, m->few_frequencies
		? "any so few frequencies are those of some base and step"
		: "its options say as much as the values do");
}

/* Run all families on a profiled table; whether there is a match. */
static bool run_profiled(struct search *s, const struct profile *p)
{
	size_t low = 0;

	s->profile = p;
	s->agreeing.recipe = NULL;
	for (size_t k = 0;
	     p->max > p->min && k < sizeof families / sizeof *families; k++) {
		/* Where a command makes every value, ties are looked for. */
		s->strict = search_has_exact(s, 0);
		if (!search_over(s) && is_for(p, k))
			families[k](s);
		if (families[k] == identify_low_precision)
			low = s->n;
	}
	s->strict = false;
	if (low)
		settle_low_precision(s, low);
	search_keep_best(s);
	if (!s->n && s->agreeing.recipe)
		tell_agreeing(s, "");
	return s->n;
}

bool run_families(struct search *s, struct profile *p, const struct table *t)
{
	const struct match nearest = s->nearest;
	bool found;

	profile_table(p, t);
	found = run_profiled(s, p);
	s->nearest = nearest;
	return found;
}

/* Whether it lists positions. */
static bool lists_positions(const struct match *m)
{
	return strstr(m->candidate.options, "positions=");
}

/* Whether the table is made as another one; of planes, up to rounding. */
static bool find_view(struct finding *f, const struct table *t,
		      enum view_kind k)
{
	const struct search *before = search_copy(&f->search);
	const struct match *m = &f->search.matches[0];

	if (!before)
		return false;
	if (read_view(f, t, k) &&
	    (k > VIEW_BATCH_CAUSAL || m->grade != GRADE_CLOSE) &&
	    (k != VIEW_LEFT_OUT || !lists_positions(m)))
		return true;
	return reading_undo(f, before);
}

/* Prefer some other arrangements to a match that few would type. */
static void reconsider(struct finding *f, const struct table *t)
{
	const struct search *before = search_copy(&f->search);
	const struct match *best;
	bool listed;

	if (!before)
		return;
	best = &before->matches[0];
	listed = lists_positions(best);
	f->search.n = 0;
	if (listed && find_view(f, t, VIEW_LEFT_OUT))
		return;
	if (((has_odd_number(best, t) && !best->candidate.note) ||
	     (listed && (t->planes > 1 || t->rows == 1))) &&
	    (read_view(f, t, VIEW_PLANE) || read_columns(f, t)) &&
	    f->reading.text && f->search.matches[0].exact >= best->exact)
		return;
	reading_undo(f, before);
}

/* No match: the verdict names m as the nearest command, and why it differs. */
static void refuse(struct search *s, const struct match *m, const char *why)
{
	s->verdict = search_text(s, "no match found: nearest is '%s'%s",
				 m->command, why);
	s->family = m->recipe->name;
	s->nearest = *m;
	s->n = 0;
}

/*
 * Search under noise, then in other arrangements. A match with a residual that
 * is no noise gives way to one in another arrangement. For a large table there
 * is no time for both: what is fast comes first.
 */
static void search_further(struct finding *f, const struct table *t)
{
	struct search *s = &f->search, *fit;
	const struct profile *p = &f->profile;
	bool fits = p->finite && !search_over(s);

	fits = fits && !s->agreeing.recipe &&
	       fit_families(s, p, &f->rough);
	fit = search_copy(s);
	if (!fit || (fits && (fit->residuals.kind == RESIDUALS_NOISE ||
			      fit->matches[0].explained)))
		return;
	s->n = 0;
	if (find_reading(f, t))
		return;
	/* Columns in their order may be nearly as near as in another. */
	if (p->finite && !search_over_for(s, p->n * p->cols) &&
	    fit_columns(f) &&
	    !(fits && fit->matches[0].rms <= 1.1 * s->matches[0].rms))
		return;
	if (!fits)
		return;
	f->reading = (struct reading){ .text = NULL };
	fit->stopped = s->stopped;
	*s = *fit;
	if (fit->residuals.kind == RESIDUALS_SYSTEMATIC)
		refuse(s, &s->matches[0], search_text(
			s, " with a root-mean-square residual of %.2g%s",
			s->matches[0].rms, s->residuals.text));
}

/*
 * Search in other arrangements and under noise. A usual table under values that
 * were added comes last: others may leave smaller residuals.
 */
static void search_other(struct finding *f, const struct table *t)
{
	struct search *s = &f->search, *before = search_copy(s), *under;
	const size_t values = f->profile.n * f->profile.cols;
	struct reading reading;

	if (f->profile.finite && !search_over(s) && values > LARGE &&
	    find_large_reading(f, t))
		return;
	if (!search_over_for(s, values) && find_wrapped(f, t) &&
	    (s->matches[0].grade != GRADE_CLOSE || s->matches[0].wrongs))
		return;
	under = search_copy(s);
	if (!before || !under)
		return;
	reading = f->reading;
	reading_undo(f, before);
	search_further(f, t);
	if (s->n || !under->n)
		return;
	f->under = true;
	under->stopped = s->stopped;
	*s = *under;
	f->reading = reading;
}

/* Rounding does not explain the nearest command: it has other parameters. */
static void refuse_nearest(struct search *s)
{
	const struct match *m = &s->nearest;

	refuse(s, m, search_text(
		s, ", but rounding does not explain %zu of %zu values (largest "
		"residual %.2g)", m->unexplained,
		s->profile->n * s->profile->cols, m->residual));
}

bool find_command_within(struct finding *f, const struct table *t,
			 double seconds, struct table *owner,
			 struct error *err)
{
	enum { LONG = 256 };

	*f = (struct finding){ .search = { .owner = owner, .err = err } };
	search_begin(&f->search, seconds);
	if (!profile_with_column(&f->profile, t, owner, err))
		return false;
	f->search.profile = &f->profile;
	if (read_divisors(f, t))
		return !err->text[0];
	if (f->profile.finite && !(f->profile.max > f->profile.min))
		return !err->text[0];  /* constants tell nothing */
	/* Families would take long to search one long row or column. */
	if (find_view(f, t, VIEW_COUNTING) || read_steps(f, t) ||
	    (f->profile.n * f->profile.cols >= LONG && read_flat(f, t)) ||
	    find_view(f, t, VIEW_PLANE) || find_view(f, t, VIEW_BATCH) ||
	    find_view(f, t, VIEW_BATCH_CAUSAL))
		return !err->text[0];
	if (!run_profiled(&f->search, &f->profile)) {
		if (find_view(f, t, VIEW_LEFT_OUT))
			return !err->text[0];
		if (f->search.nearest.recipe)
			refuse_nearest(&f->search);
		else if (!f->search.settled &&
			 !find_view(f, t, VIEW_HALVED) && !find_repaired(f, t))
			search_other(f, t);
		if (!f->search.n && !f->search.verdict &&
		    f->search.agreeing.recipe)
			tell_agreeing(&f->search, " of the table rearranged");
	} else {
		reconsider(f, t);
	}
	return !err->text[0];
}

bool find_command(struct finding *f, const struct table *t, struct table *owner,
		  struct error *err)
{
	const bool good = find_command_within(f, t, SEARCH_SECONDS, owner,
					      err);

	if (f->under)
		f->search.n = 0;
	return good;
}
