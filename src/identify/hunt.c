/* hunt.c: whether what is claimed of a table is so. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/hunt.h"

enum { ROWS_SOME = 64 };

/* A comparison under way. */
struct trial {
	const struct sight *s;
	const struct claim *claim;
	struct table made;
	bool strict;             /* to be given up once nothing is equal */
	double *scratch;         /* [cols] */
	bool plausible[DTYPES];  /* as what the numbers were rounded to */
	bool equal[DTYPES];      /* to what was made, rounded so */
	bool printed;            /* equal but for digits that were cut */
	double error[DTYPES];    /* from that, at most */
	size_t row[DTYPES], col[DTYPES];
};

/* The longest decimals that floating dtypes are written with. */
static const int digits_most[DTYPES] = {
	[F64] = 17, [F32] = 9, [F16] = 5, [BF16] = 4,
};

/* Whether x is r, which was rounded to d, or its shortest decimal. */
static bool same(const struct sight *s, enum dtype d, double x, double r)
{
	return fabs(x - r) <= 0 || (s->digits <= digits_most[d] &&
				    fabs(dtype_round(d, x) - r) <= 0);
}

/* Whether x is r in fewer digits, or fewer decimals. */
static bool same_digits(const struct sight *s, double x, double r)
{
	const double digits = floor(log10(fabs(r))) + 1 - s->digits;

	return s->digits <= digits_most[F32] &&
	       fabs(x - r) <= 0x1p-23 * fabs(r) +
			      0.5 * pow(10, fmax(digits, -s->decimals));
}

static double allowed(const struct trial *t, double y, double position)
{
	const struct claim *c = t->claim;
	const struct sight *s = t->s;

	return s->arithmetic * (c->slack + c->slope * position +
				c->share * fabs(y)) +
	       2 * (s->noise * fabs(y) + s->least);
}

static void note(struct trial *t, enum dtype d, size_t i, size_t j)
{
	const double x = sight_row(t->s, i)[j];
	const double r = dtype_round(d, t->scratch[j]);
	const double e = fabs(x - r);

	if (e > t->error[d]) {
		t->error[d] = e;
		t->row[d] = i;
		t->col[d] = j;
	}
	if (same(t->s, d, x, r))
		return;
	t->equal[d] = false;
	if (d == t->s->table->dtype)
		t->printed = t->printed && same_digits(t->s, x, r);
}

/* Whether the numbers may have been rounded to d before they were stored. */
static bool plausible(const struct sight *s, enum dtype d)
{
	const enum dtype own = s->table->dtype;

	if (d == own || dtype_integer(own) || dtype_integer(d))
		return d == own;
	return d > own && (d <= s->stored || s->digits <= digits_most[d]);
}

/* Compare row i; false where a number is too far from the one claimed. */
static bool try_row(struct trial *t, size_t i)
{
	const struct sight *s = t->s;
	const double *x = sight_row(s, i);
	const double *y = t->made.row(&t->made, i, t->scratch);
	const double position =
		fabs(axis_label(&t->made.down, i % t->made.rows));

	if (y != t->scratch)
		memcpy(t->scratch, y, s->cols * sizeof *y);
	for (size_t j = 0; j < s->cols; j++)
		if (!(fabs(x[j] - t->scratch[j]) <=
		      allowed(t, t->scratch[j], position)))
			return false;
	for (int d = 0; d < DTYPES; d++)
		for (size_t j = 0; t->plausible[d] && j < s->cols; j++)
			note(t, (enum dtype)d, i, j);
	for (int d = 0; d < DTYPES; d++)
		if (t->equal[d])
			return true;
	return t->printed || !t->strict;
}

/* A few rows, which settle most claims, then all up to the n-th. */
static bool try_rows(struct trial *t, size_t n)
{
	const size_t few[] = { 0, 1, n / 2, n - 1 };

	for (size_t k = 0; k < sizeof few / sizeof *few; k++)
		if (few[k] < n && !try_row(t, few[k]))
			return false;
	for (size_t i = 0; i < n; i++)
		if (!try_row(t, i))
			return false;
	return true;
}

static bool begin(struct trial *t, const struct claim *c, struct error *err)
{
	const struct sight *s = t->s;

	t->claim = c;
	t->printed = true;
	for (int d = 0; d < DTYPES; d++) {
		t->plausible[d] = plausible(s, (enum dtype)d);
		t->equal[d] = t->plausible[d];
		t->error[d] = -1;
	}
	if (!recipe_open(&t->made, c->recipe, c->options, NULL, err) ||
	    t->made.end != s->n || t->made.cols != s->cols)
		return false;
	t->scratch = table_alloc(&t->made, s->cols, sizeof *t->scratch, err);
	return t->scratch != NULL;
}

/* The finest dtype at which all is equal; or that of the table. */
static enum dtype settle_dtype(const struct trial *t)
{
	for (int d = 0; d < DTYPES; d++)
		if (t->equal[d])
			return (enum dtype)d;
	return t->printed ? t->made.dtype
	       : dtype_integer(t->s->table->dtype) ? t->s->table->dtype
						   : t->s->stored;
}

static char *copied(struct table *owner, const char *a, const char *b,
		    struct error *err)
{
	const size_t room = strlen(a) + strlen(b) + 1;
	char *text = table_alloc(owner, room, 1, err);

	if (text)
		snprintf(text, room, "%s%s", a, b);
	return text;
}

/* Keep what the trial found, in place of to. */
static bool keep(struct hunt *h, const struct trial *t, struct match *to,
		 struct error *err)
{
	const enum dtype d = settle_dtype(t);
	const bool cut = !t->equal[d] && t->printed;
	char more[32] = "";

	if (cut)
		snprintf(more, sizeof more, " --precision %d", t->s->digits);
	else if (d != t->made.dtype)
		snprintf(more, sizeof more, " --dtype %s", dtype_name(d));
	*to = (struct match){
		.recipe = t->made.recipe, .claim = *t->claim,
		.command = copied(h->owner, t->made.command, more, err),
		.dtype = d, .exact = t->equal[d] || cut, .cut = cut,
		.error = fmax(t->error[d], 0),
		.row = t->row[d], .col = t->col[d],
	};
	to->claim.options = copied(h->owner, t->claim->options, "", err);
	return to->claim.options && to->command;
}

/* Try the claim on n rows; keep it where it holds and is the better one. */
static bool attempt(struct hunt *h, const struct claim *c, size_t n,
		    struct match *best)
{
	struct trial t = { .s = h->sight, .strict = h->strict };
	struct error err = { 0 };
	struct match found;
	bool good = begin(&t, c, &err) && try_rows(&t, n) &&
		    keep(h, &t, &found, &err);

	table_close(&t.made);
	if (good && (!best->recipe || (found.exact && !best->exact) ||
		     (found.exact == best->exact &&
		      found.error < best->error / 2)))
		*best = found;
	return good;
}

/*
 * Others' arithmetic, where the recipe knows any, may come nearer yet: the one
 * that does on some rows is tried on all.
 */
static void emulate(struct hunt *h, const struct claim *claim,
		    struct match *best)
{
	const struct option *o = option_find(best->recipe->options, "emulate",
					     strlen("emulate"));
	const size_t room = strlen(claim->options) + 48;
	const size_t n = h->sight->n < ROWS_SOME ? h->sight->n : ROWS_SOME;
	struct claim c = *claim;
	struct match near = { 0 };
	struct error err = { 0 };
	char *text = o ? table_alloc(h->owner, room, 1, &err) : NULL;

	if (!text)
		return;
	attempt(h, claim, n, &near);
	c.options = text;
	for (size_t k = 1; !near.exact && o->words[k]; k++) {
		snprintf(text, room, "%s emulate=%s", claim->options,
			 o->words[k]);
		attempt(h, &c, n, &near);
	}
	attempt(h, &near.claim, h->sight->n, best);
}

bool hunt_exact(const struct hunt *h, size_t first)
{
	for (size_t k = first; k < h->n; k++)
		if (h->matches[k].exact)
			return true;
	return false;
}

bool hunt_claim(struct hunt *h, const struct claim *claim)
{
	struct match best = { 0 };

	if (h->n == MATCHES_MOST ||
	    !attempt(h, claim, h->sight->n, &best))
		return false;
	if (!best.exact)
		emulate(h, claim, &best);
	for (size_t k = 0; k < h->n; k++)
		if (strcmp(h->matches[k].command, best.command) == 0)
			return true;
	h->matches[h->n++] = best;
	return true;
}

bool hunt_guess(struct hunt *h, const char *recipe, double slack,
		const char *format, ...)
{
	va_list list;
	char *text;
	bool good;
	int n;

	va_start(list, format);
	n = vsnprintf(NULL, 0, format, list);
	va_end(list);
	text = n < 0 ? NULL : malloc((size_t)n + 1);
	if (!text)
		return false;
	va_start(list, format);
	vsnprintf(text, (size_t)n + 1, format, list);
	va_end(list);
	good = hunt_claim(h, &(struct claim){
		.recipe = recipe, .options = text, .slack = slack, .share = 4,
	});
	free(text);
	return good;
}

void hunt_settle(struct hunt *h)
{
	const bool exact = hunt_exact(h, 0);
	const size_t n = h->n;
	double least = HUGE_VAL;

	for (size_t k = 0; k < n; k++)
		least = fmin(least, h->matches[k].error);
	h->n = 0;
	for (size_t k = 0; k < n; k++)
		if (exact ? h->matches[k].exact
			  : h->matches[k].error <= 2 * least)
			h->matches[h->n++] = h->matches[k];
}
