/* trial.c: the table that a claim makes, beside the one that was seen. */
#include <math.h>
#include <string.h>

#include "core/never.h"
#include "identify/rounded.h"
#include "identify/trial.h"

/* The longest decimals that floating dtypes are written with. */
static const int digits_most[DTYPES] = {
	[F64] = 17, [F32] = 9, [F16] = 5, [BF16] = 4,
};

/* Infinities of one sign are no distance apart. */
static double apart(double x, double y)
{
	return x == y ? 0 : fabs(x - y);
}

/* Whether x is r, which was rounded to d, or its shortest decimal. */
static bool same(enum dtype d, double x, double r)
{
	return apart(x, r) <= 0 ||
	       (fabs(dtype_round(d, x) - r) <= 0 &&
		rounded_reads(x, rounded_shortest(r, d)));
}

/*
 * How far rounding takes y from x at most. Text has as many digits, or as many
 * decimals: a unit of the last one is that of the smaller of both.
 */
static double rounding(const struct sight *s, double x, double y)
{
	const double size = floor(log10(fmin(fabs(x), fabs(y)))) + 1;
	const double last = s->decimals < DIGITS_MOST ? -s->decimals
						      : -HUGE_VAL;

	if (s->digits == DIGITS_MOST)
		return s->noise * fabs(y) + s->least;
	return fmax(0.5 * pow(10, fmax(size - s->digits, last)),
		    s->written * fabs(y) + s->tiny);
}

static double allowed(const struct trial *t, double x, double y,
		      double position)
{
	const struct claim *c = t->claim;
	const struct sight *s = t->s;

	return s->arithmetic * (c->slack + c->slope * position +
				c->share * fabs(y)) +
	       2 * rounding(s, x, y);
}

static void note(struct trial *t, enum dtype d, size_t i, size_t j)
{
	const double x = sight_row(t->s, i)[j];
	const double r = dtype_round(d, t->scratch[j]);
	const double e = apart(x, r);

	if (e > t->error[d]) {
		t->error[d] = e;
		t->row[d] = i;
		t->col[d] = j;
	}
	t->equal[d] = t->equal[d] && same(d, x, r);
}

/* Whether column j of row i is what was made, in fewer digits or decimals. */
static void note_text(struct trial *t, size_t i, size_t j)
{
	const double x = sight_row(t->s, i)[j];
	const double y = t->scratch[j];
	const double r = dtype_round(t->made.dtype, y);
	const double own = dtype_round(t->s->table->dtype, y);

	t->printed = t->printed &&
		     rounded_reads(x, rounded_digits(r, t->s->digits));
	t->rounded = t->rounded &&
		     rounded_reads(x, rounded_decimals(own, t->s->decimals));
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
		if (x[j] != t->scratch[j] &&
		    !(fabs(x[j] - t->scratch[j]) <=
		      allowed(t, x[j], t->scratch[j], position)))
			return false;
	for (int d = 0; d < DTYPES; d++)
		for (size_t j = 0; t->plausible[d] && j < s->cols; j++)
			note(t, (enum dtype)d, i, j);
	for (size_t j = 0; j < s->cols; j++)
		note_text(t, i, j);
	for (int d = 0; d < DTYPES; d++)
		if (t->equal[d])
			return true;
	return t->printed || t->rounded || !t->strict;
}

bool trial_holds(struct trial *t, size_t n)
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

bool trial_begin(struct trial *t, const struct claim *c, struct error *err)
{
	const struct sight *s = t->s;

	t->claim = c;
	for (int d = 0; d < DTYPES; d++) {
		t->plausible[d] = plausible(s, (enum dtype)d);
		t->equal[d] = t->plausible[d];
		t->error[d] = -1;
	}
	if (!recipe_open(&t->made, c->recipe, c->options, NULL, err) ||
	    t->made.end != s->n)
		return false;
	/* Every claim says how many columns there are. */
	if (NEVER(t->made.cols != s->cols))
		return false;
	/* --precision leaves integers as they are. */
	t->printed = s->digits < DIGITS_MOST && !dtype_integer(t->made.dtype);
	t->rounded = t->printed && s->decimals < DIGITS_MOST;
	t->scratch = table_alloc(&t->made, s->cols, sizeof *t->scratch, err);
	return t->scratch != NULL;
}

enum dtype trial_dtype(const struct trial *t)
{
	for (int d = 0; d < DTYPES; d++)
		if (t->equal[d])
			return (enum dtype)d;
	return t->printed ? t->made.dtype
	       : t->rounded ? t->s->table->dtype : t->s->stored;
}
