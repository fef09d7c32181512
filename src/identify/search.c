/* search.c: generates candidates' tables and compares them with the input. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "table/never.h"
#include "identify/identify.h"
#include "identify/rounding.h"

/* The most digits of shortest decimals of each floating-point dtype. */
static const int max_digits[DTYPES] = {
	[F64] = 17,
	[F32] = 9,
	[F16] = 5,
	[BF16] = 4,
};

/* A candidate's table beside the input, while both are compared. */
struct trial {
	const struct profile *profile;
	const struct candidate *candidate;
	struct table made;
	bool strict;		/* stop once no kind of equality is left */
	const struct columns *columns; /* which of made are compared, or NULL */
	double *wide;		/* [made.cols] */
	double *scratch;	/* [cols] */
	bool plausible[DTYPES]; /* values may have been rounded to this dtype */
	bool equal[DTYPES];	/* all values, with the made ones rounded so */
	bool printed;		/* all values, with the input's digits */
	bool rounded;		/* all values, with the input's decimals */
	double residual[DTYPES]; /* largest, and where it is */
	size_t row[DTYPES], col[DTYPES];
};

/* 0 for infinities of one sign. */
static double distance(double x, double y)
{
	return x == y ? 0 : fabs(x - y);
}

/* Whether x is r, a value of d, or the shortest decimal of r. */
static bool same(enum dtype d, double x, double r)
{
	return distance(x, r) <= 0 || (fabs(dtype_round(d, x) - r) <= 0 &&
				       reads_back(x, shortest_decimal(r, d)));
}

/*
 * How far rounding may have moved y to x. Text is rounded to digits or to
 * decimals; the unit of the last digit is that of the smaller value.
 */
static double rounding_error(const struct profile *p, double x, double y)
{
	const double size = floor(log10(fmin(fabs(x), fabs(y)))) + 1;
	const double last = p->decimals < MAX_DIGITS ? -p->decimals : -HUGE_VAL;

	if (p->digits == MAX_DIGITS)
		return p->noise * fabs(y) + p->abs_noise;
	return fmax(0.5 * pow(10, fmax(size - p->digits, last)),
		    p->dtype_noise * fabs(y) + p->dtype_abs_noise);
}

static double tolerance(const struct trial *t, double x, double y,
			double position)
{
	const struct candidate *c = t->candidate;
	const struct profile *p = t->profile;

	return p->epsilon * (c->absolute + c->per_position * position +
			     c->relative * fabs(y)) +
	       2 * rounding_error(p, x, y);
}

/* Note the residual at row i, column j if the values were rounded to d. */
static void compare_as(struct trial *t, enum dtype d, size_t i, size_t j)
{
	const double x = profile_row(t->profile, i)[j];
	const double r = dtype_round(d, t->scratch[j]);
	const double residual = distance(x, r);

	if (residual > t->residual[d]) {
		t->residual[d] = residual;
		t->row[d] = i;
		t->col[d] = j;
	}
	t->equal[d] = t->equal[d] && same(d, x, r);
}

/* Note whether the values are equal with fewer digits or decimals. */
static void compare_as_text(struct trial *t, size_t i, size_t j)
{
	const struct profile *p = t->profile;
	const double x = profile_row(p, i)[j], y = t->scratch[j];
	const double r = dtype_round(t->made.dtype, y);
	const double own = dtype_round(p->table->dtype, y);

	t->printed = t->printed && reads_back(x, round_digits(r, p->digits));
	t->rounded =
		t->rounded && reads_back(x, round_decimals(own, p->decimals));
}

/* Whether values may have been rounded to d before they were stored. */
static bool plausible(const struct profile *p, enum dtype d)
{
	const enum dtype own = p->table->dtype;

	if (d == own || dtype_integer(own) || dtype_integer(d))
		return d == own;
	return d > own && (d <= p->stored || p->digits <= max_digits[d]);
}

/* Generate row i of the candidate to t->scratch; its absolute position. */
static double generate_row(struct trial *t, size_t i)
{
	const struct columns *c = t->columns;

	table_rows(&t->made, F64, i, 1, NULL, t->wide);
	for (size_t j = 0; j < t->profile->cols; j++)
		t->scratch[j] = c ? c->sign[j] * t->wide[c->from[j]]
				  : t->wide[j];
	return fabs(axis_label(&t->made.row_axis, i % t->made.rows));
}

/* Compare row i; false if a value is out of tolerance. */
static bool compare_row(struct trial *t, size_t i)
{
	const size_t cols = t->profile->cols;
	const double *x = profile_row(t->profile, i);
	const double position = generate_row(t, i);

	for (size_t j = 0; j < cols; j++)
		if (x[j] != t->scratch[j] &&
		    !(fabs(x[j] - t->scratch[j]) <=
		      tolerance(t, x[j], t->scratch[j], position)))
			return false;
	for (int d = 0; d < DTYPES; d++)
		for (size_t j = 0; t->plausible[d] && j < cols; j++)
			compare_as(t, (enum dtype)d, i, j);
	for (size_t j = 0; j < cols; j++)
		compare_as_text(t, i, j);
	for (int d = 0; d < DTYPES; d++)
		if (t->equal[d])
			return true;
	return t->printed || t->rounded || !t->strict;
}

/* Compare a few rows, which reject most candidates, then rows 0 to n - 1. */
static bool compare_table(struct trial *t, size_t n)
{
	const size_t few[] = { 0, 1, n / 2, n - 1 };

	for (size_t k = 0; k < sizeof few / sizeof *few; k++)
		if (few[k] < n && !compare_row(t, few[k]))
			return false;
	for (size_t i = 0; i < n; i++)
		if (!compare_row(t, i))
			return false;
	return true;
}

/*
 * Open the candidate's table, t->made, which the caller closes in any case.
 * Fails if the options are invalid or the shape is not that of the input.
 */
static bool trial_begin(struct trial *t, const struct candidate *c,
			struct error *err)
{
	const struct profile *p = t->profile;

	t->candidate = c;
	for (int d = 0; d < DTYPES; d++) {
		t->plausible[d] = plausible(p, (enum dtype)d);
		t->equal[d] = t->plausible[d];
		t->residual[d] = -1;
	}
	if (!recipe_open(&t->made, c->recipe, c->options, NULL, err) ||
	    t->made.end != p->n)
		return false;
	/* Every family gives the number of columns. */
	if (NEVER(t->made.cols != (t->columns ? t->columns->all : p->cols)))
		return false;
	/* --precision does not change integers. */
	t->printed = p->digits < MAX_DIGITS && !dtype_integer(t->made.dtype);
	t->rounded = t->printed && p->decimals < MAX_DIGITS;
	t->scratch = table_alloc(&t->made, p->cols, sizeof *t->scratch, err);
	t->wide = table_alloc(&t->made, t->made.cols, sizeof *t->wide, err);
	return t->scratch && t->wide;
}

/* The widest dtype with which all values are equal, or the input's. */
static enum dtype trial_dtype(const struct trial *t)
{
	for (int d = 0; d < DTYPES; d++)
		if (t->equal[d])
			return (enum dtype)d;
	return t->printed   ? t->made.dtype
	       : t->rounded ? t->profile->table->dtype
			    : t->profile->stored;
}

void *search_alloc(struct search *s, size_t n, size_t size)
{
	return table_alloc(s->owner, n, size, s->err);
}

static char *concatenate(struct search *s, const char *a, const char *b)
{
	const size_t room = strlen(a) + strlen(b) + 1;
	char *text = search_alloc(s, room, 1);

	if (text)
		snprintf(text, room, "%s%s", a, b);
	return text;
}

/* Make match from a trial that succeeded; false if out of memory. */
static bool make_match(struct search *s, const struct trial *t,
		       struct match *match)
{
	const enum dtype d = trial_dtype(t);
	const bool printed = !t->equal[d] && t->printed;
	const bool rounded = !t->equal[d] && !printed && t->rounded;
	char more[32] = "";

	if (printed)
		snprintf(more, sizeof more, " --precision %d",
			 t->profile->digits);
	else if (d != t->made.dtype)
		snprintf(more, sizeof more, " --dtype %s", dtype_name(d));
	*match = (struct match){
		.recipe = t->made.from.recipe, .candidate = *t->candidate,
		.command = concatenate(s, t->made.from.command, more),
		.dtype = d,
		.plain = !more[0], .printed = printed, .rounded = rounded,
		.exact = t->equal[d] || printed || rounded,
		.residual = fmax(t->residual[d], 0), .row = t->row[d],
		.col = t->col[d],
	};
	match->candidate.options = concatenate(s, t->candidate->options, "");
	return match->candidate.options && match->command;
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
	};
	struct error err = { 0 };
	struct match found;
	bool good = !s->err->text[0] && trial_begin(&t, c, &err) &&
		    compare_table(&t, n) && make_match(s, &t, &found);

	table_close(&t.made);
	if (err.memory)
		*s->err = err;
	if (good && (!best->recipe || found.exact ||
		     found.residual < best->residual / 2))
		*best = found;
	return good;
}

/*
 * The recipe may emulate other libraries' arithmetic: the emulation with the
 * smallest residual on some rows is compared on all.
 */
static void compare_emulations(struct search *s, const struct candidate *c,
			       struct match *best)
{
	enum { SAMPLE_ROWS = 64 };
	const struct option *o = option_of_role(best->recipe->options,
						ROLE_ARITHMETIC);
	const size_t room = strlen(c->options) + 48;
	const size_t n =
		s->profile->n < SAMPLE_ROWS ? s->profile->n : SAMPLE_ROWS;
	struct candidate other = *c;
	struct match nearest = { 0 };
	char *text = o ? search_alloc(s, room, 1) : NULL;

	if (!text)
		return;
	compare(s, c, n, &nearest);
	other.options = text;
	for (size_t k = 1; !nearest.exact && o->words[k]; k++) {
		snprintf(text, room, "%s %s=%s", c->options, o->name,
			 o->words[k]);
		compare(s, &other, n, &nearest);
	}
	compare(s, &nearest.candidate, s->profile->n, best);
}

static bool compare_candidate(struct search *s, const struct candidate *c)
{
	struct match best = { 0 };

	/* No table that was seen has so many matches. */
	if (NEVER(s->n == MAX_MATCHES) || !compare(s, c, s->profile->n, &best))
		return false;
	if (!best.exact)
		compare_emulations(s, c, &best);
	for (size_t k = 0; k < s->n; k++)
		if (strcmp(s->matches[k].command, best.command) == 0)
			return true;
	s->matches[s->n++] = best;
	return true;
}

static bool try_format(struct search *s, struct candidate candidate,
		       const char *format, va_list list)
	__attribute__((format(printf, 3, 0)));

/* Options are freed at once: a search may try thousands of candidates. */
static bool try_format(struct search *s, struct candidate candidate,
		       const char *format, va_list list)
{
	struct table owner = { 0 };
	bool good;

	candidate.options = table_format(&owner, s->err, format, list);
	good = candidate.options && compare_candidate(s, &candidate);
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
		.recipe = recipe, .absolute = absolute, .relative = 4,
	};
	va_list list;
	bool good;

	va_start(list, format);
	good = try_format(s, candidate, format, list);
	va_end(list);
	return good;
}

bool search_has_exact(const struct search *s, size_t first)
{
	for (size_t k = first; k < s->n; k++)
		if (s->matches[k].exact)
			return true;
	return false;
}

void search_keep_best(struct search *s)
{
	const bool exact = search_has_exact(s, 0);
	const size_t n = s->n;
	struct match all[MAX_MATCHES];
	double least = HUGE_VAL;

	for (size_t k = 0; k < n; k++)
		least = fmin(least, s->matches[k].residual);
	memcpy(all, s->matches, sizeof all);
	s->n = 0;
	for (int plain = 1; plain >= 0; plain--)
		for (size_t k = 0; k < n; k++)
			if (all[k].plain == plain &&
			    (exact ? all[k].exact
				   : all[k].residual <= 2 * least))
				s->matches[s->n++] = all[k];
}
