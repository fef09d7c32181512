/* search.c: generates candidates' tables and compares them with the input. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "identify/fit.h"
#include "identify/low_precision.h"
#include "identify/trial.h"
#include "table/never.h"

/* ---- the time that a search may take */

/* How much slower the same search may be in a build for tests. */
#if defined __SANITIZE_ADDRESS__ || defined COVERAGE
#define SLOWNESS 16
#else
#define SLOWNESS 1
#endif

/* A pass over more takes a notable part of the budget. */
#define MANY_VALUES 0x1p20

static double seconds_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/*
 * Processor time: a busy machine does not change what is found. It is a call of
 * the system, which is not worth it before a millisecond has passed.
 */
static double now(struct search *s)
{
	const double elapsed = seconds_of(CLOCK_MONOTONIC);

	if (!(elapsed < s->asked + 1e-3)) {
		s->asked = elapsed;
		s->used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
	}
	return s->used;
}

void search_begin(struct search *s, double seconds)
{
	s->begin = now(s);
	s->seconds = seconds * SLOWNESS;
	s->stopped = false;
}

bool search_over_for(struct search *s, size_t values)
{
	const double share = 0.4 + MANY_VALUES / fmax(1, (double)values);

	s->stopped = s->stopped ||
		     now(s) >= s->begin + fmin(1, share) * s->seconds;
	return s->stopped;
}

void report_stop(const struct search *s, double seconds, struct report *r)
{
	if (!s->stopped)
		return;
	report_group(r, "search");
	report_text(r, "stopped", "after %g seconds: not all candidates were "
		    "tried", seconds);
}

/* ---- candidates */

void *search_alloc(struct search *s, size_t n, size_t size)
{
	return table_alloc(s->owner, n, size, s->err);
}

char *search_text(struct search *s, const char *format, ...)
{
	va_list list;
	char *text;

	va_start(list, format);
	text = table_format(s->owner, s->err, format, list);
	va_end(list);
	return text;
}

/* Bits of a value that is left out, and of its place. */
#define WRONG_BITS 64

/* The wrong values of a trial, owned by s->owner; NULL: there are none. */
static const struct wrong *copy_wrong(struct search *s, const struct trial *t)
{
	const size_t size = t->wrongs * sizeof *t->wrong;
	struct wrong *to = size ? search_alloc(s, 1, size) : NULL;

	return to ? memcpy(to, t->wrong, size) : NULL;
}

/* Make match from a trial that succeeded on n rows; false: out of memory. */
static bool make_match(struct search *s, const struct trial *t, size_t n,
		       struct match *match)
{
	const enum dtype d = trial_dtype(t);
	const bool equal = t->equal[d], printed = !equal && t->printed;
	const bool rounded = !equal && !printed && trial_rounded(t) < DTYPES;
	const bool exact = equal || printed || rounded;
	const enum dtype made = rounded ? trial_rounded(t) : d;
	const double values = (double)n * (double)s->profile->cols;
	char more[32] = "";

	if (printed)
		snprintf(more, sizeof more, " --precision %d",
			 t->profile->digits);
	else if (made != t->made.dtype)
		snprintf(more, sizeof more, " --dtype %s", dtype_name(made));
	*match = (struct match){
		.recipe = t->made.from.recipe,
		.candidate = *t->candidate,
		.command = search_text(s, "%s%s", t->made.from.command,
				       more),
		.dtype = d,
		.plain = !more[0],
		.printed = printed,
		.rounded = rounded,
		.exact = exact,
		.grade = exact	       ? GRADE_EXACT
			 : t->adjacent ? GRADE_ROUNDING
				       : GRADE_CLOSE,
		.unexplained = t->unexplained,
		.explained = t->unexplained <= t->most_jumps,
		.residual = t->residual[d],
		.jumps = t->jumps,
		.bits = t->bits,
		.row = t->row[d], .col = t->col[d],
		.rms = sqrt(t->squares[d] / values),
		.wrong = copy_wrong(s, t), .wrongs = t->wrongs,
		.few_frequencies = t->few_frequencies,
	};
	match->cost = match_cost(s->profile, match, values);
	match->candidate.options =
		table_copy(s->owner, t->candidate->options, s->err);
	return match->candidate.options && match->command &&
	       (match->wrong || !t->wrongs);
}

/* Whether a match is better than another that is not exact. */
static bool is_better(const struct match *m, const struct match *than)
{
	return m->exact || m->explained > than->explained ||
	       (m->explained == than->explained &&
		m->residual < than->residual / 2);
}

static bool emulates(const struct candidate *c)
{
	return strstr(c->options, " emulate=");
}

/*
 * Note the nearest candidate of which arithmetic does not explain all values:
 * one that emulates no other arithmetic, if there is one.
 */
static void note_nearest(struct search *s, const struct match *m)
{
	const struct match *n = &s->nearest;
	const bool plain = !emulates(&m->candidate);
	const bool was = n->recipe && !emulates(&n->candidate);

	if (!n->recipe || plain > was || ((plain == was) & (m->rms < n->rms)))
		s->nearest = *m;
}

/* Note the one with the shortest options, an exact one if there is any. */
static void note_agreeing(struct search *s, const struct match *m)
{
	const struct match *best = &s->agreeing;

	if (!best->recipe || m->exact > best->exact ||
	    (m->exact == best->exact && m->bits < best->bits))
		s->agreeing = *m;
}

/*
 * Compare the candidate on the first n rows. If it matches and is better than
 * best, which is not exact, it replaces best.
 */
static bool compare(struct search *s, const struct candidate *c, size_t n,
		    struct match *best)
{
	const bool coarse = s->profile->noise >= COARSE_NOISE;
	/* No arithmetic makes other integers of integers. */
	const bool integers = dtype_integer(s->profile->table->dtype);
	struct trial t = {
		.profile = s->profile,
		.strict = s->strict || coarse || integers,
		.columns = s->columns,
		.original = s->original,
		.skip = s->skip,
		.most_wrong = s->most_wrong,
		.near_wrong = s->near_wrong,
	};
	struct error err = { 0 };
	struct match found;
	bool few, good = !search_over(s) && trial_begin(&t, c, &err) &&
		    evidence_cost(&t, &err) && trial_compare(&t, n, &err);

	t.list_cost += WRONG_BITS * (double)t.wrongs;
	few = good && n == s->profile->n &&
	      (s->few || !evidence_suffices(&t, &err));
	good = good && make_match(s, &t, n, &found);
	if (good && few && (found.exact || found.explained))
		note_agreeing(s, &found);
	good = good && !few;
	table_close(&t.made);
	pass_memory(s->err, &err);
	if (good && (!best->recipe || is_better(&found, best)))
		*best = found;
	return good;
}

/*
 * The recipe may emulate other libraries' arithmetic: the emulation with the
 * smallest residual on some rows is compared on all. Those of low precision
 * don't differ by rounding.
 */
static void compare_emulations(struct search *s, const struct candidate *c,
			       struct match *best)
{
	enum { SAMPLE_ROWS = 64 };
	const struct option *o =
		option_of_role(best->recipe->options, ROLE_ARITHMETIC);
	const size_t n =
		s->profile->n < SAMPLE_ROWS ? s->profile->n : SAMPLE_ROWS;
	struct candidate other = *c;
	struct match nearest = {0};

	if (!o)
		return;
	compare(s, c, n, &nearest);
	for (size_t k = 1; !nearest.exact && o->words[k]; k++) {
		if (is_low_precision(o->words[k]))
			continue;
		other.options = search_text(s, "%s %s=%s", c->options, o->name,
					    o->words[k]);
		if (other.options)
			compare(s, &other, n, &nearest);
	}
	compare(s, &nearest.candidate, s->profile->n, best);
}

enum grade candidate_grade(struct search *s, const struct candidate *c)
{
	struct match found = {0};

	return compare(s, c, s->profile->n, &found) ? found.grade : GRADE_NONE;
}

bool search_compare(struct search *s, const struct candidate *c)
{
	struct match best = {0};

	/* No table that was seen has so many matches. */
	if (NEVER(s->n == MAX_MATCHES) || !compare(s, c, s->profile->n, &best))
		return false;
	if (!best.exact && !emulates(c))
		compare_emulations(s, c, &best);
	if (!best.exact && !best.explained) {
		note_nearest(s, &best);
		return false;
	}
	for (size_t k = 0; k < s->n; k++)
		if (strcmp(s->matches[k].command, best.command) == 0)
			return true;
	s->matches[s->n++] = best;
	return true;
}

/* Options are freed at once: a search may try thousands of candidates. */
__attribute__((format(printf, 3, 0)))
static bool try_format(struct search *s, struct candidate candidate,
		       const char *format, va_list list)
{
	struct table owner = {0};
	bool good;

	candidate.options = table_format(&owner, s->err, format, list);
	s->tried++;
	if (candidate.options && s->judge)
		good = s->judge(s->judging, candidate.options);
	else
		good = candidate.options &&
		       (s->profile->assumed > 0
				? fit_candidate(s, &candidate)
				: search_compare(s, &candidate));
	table_close(&owner);
	return good;
}

bool try_candidate(struct search *s, const struct candidate *candidate,
		   const char *format, ...)
{
	va_list list;
	bool good;

	va_start(list, format);
	good = try_format(s, *candidate, format, list);
	va_end(list);
	return good;
}

bool try_recipe(struct search *s, const char *recipe, double absolute,
		const char *format, ...)
{
	const struct candidate candidate = {
		.recipe = recipe,
		.absolute = absolute,
		.relative = 4,
	};
	va_list list;
	bool good;

	va_start(list, format);
	good = try_format(s, candidate, format, list);
	va_end(list);
	return good;
}

struct search *search_copy(struct search *s)
{
	struct search *to = search_alloc(s, 1, sizeof *to);

	return to ? memcpy(to, s, sizeof *to) : NULL;
}

void search_restore(struct search *s, const struct search *before)
{
	const bool stopped = s->stopped;
	const size_t tried = s->tried;
	const struct match agreeing = s->agreeing;

	*s = *before;
	s->stopped = stopped;
	s->tried = tried;
	if (!s->agreeing.recipe)
		s->agreeing = agreeing;
}

bool search_has_exact(const struct search *s, size_t first)
{
	for (size_t k = first; k < s->n; k++)
		if (s->matches[k].exact)
			return true;
	return false;
}

/* Recipes stay as they were tried, of each the plain commands come first. */
void search_keep_best(struct search *s)
{
	const bool exact = search_has_exact(s, 0);
	struct match all[MAX_MATCHES];
	double least = HUGE_VAL;
	size_t n = 0;

	for (size_t k = 0; k < s->n; k++)
		least = fmin(least, s->matches[k].residual);
	for (size_t k = 0; k < s->n; k++)
		if (exact ? s->matches[k].exact
			  : s->matches[k].residual <= 2 * least)
			all[n++] = s->matches[k];
	s->n = 0;
	for (size_t first = 0; first < n; first++) {
		const struct recipe *recipe = all[first].recipe;

		for (int plain = 1; recipe && plain >= 0; plain--)
			for (size_t k = first; k < n; k++)
				if (all[k].recipe == recipe &&
				    all[k].plain == plain) {
					s->matches[s->n++] = all[k];
					all[k].recipe = NULL;
				}
	}
}
