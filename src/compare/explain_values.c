/* explain_values.c: values rounded, negated, scaled, shifted or replaced. */
#include <stdio.h>

#include "compare/explain.h"
#include "compare/identified.h"

void explain_rounded(struct explainer *e)
{
	struct change x = { NO_CHANGE };

	for (int k = 0; e->alike && k < 2 * BF16; k++) {
		x.rounded = (enum dtype)(F32 + k / 2);
		x.back = k % 2;
		if (try_change(e, &x))
			explained(e, "%s rounded to %s", x.back ? "A is B"
				  : "B is A", dtype_name(x.rounded));
	}
}

enum {
	MOST_DECIMALS = 8,
	LEAST_DIFFERING = 8,
	LEAST_UNITS = 64,   /* units in the last place in one of a decimal */
};

/* Whether b is a cut off after the digits of a dtype. */
static bool is_truncated(void *self, double a, double b)
{
	const enum dtype d = *(const enum dtype *)self;
	const double r = dtype_round(d, a);

	if (!(fabs(r) > fabs(a)))
		return !(value_difference(r, b) > 0);
	return fabs(b) < fabs(a) && dtype_ulps(d, r, b) <= 1 &&
	       fabs(dtype_round(d, b) - b) <= 0;
}

/* Few values that differ, or two of them, say little. */
static bool tells_rounding(const struct explainer *e)
{
	return e->alike && e->c->differing >= LEAST_DIFFERING &&
	       fmin(e->bits_a, e->bits_b) > 1 && !explained_exactly(e);
}

void explain_truncated(struct explainer *e)
{
	for (enum dtype d = F32; tells_rounding(e) && d <= BF16; d++)
		if (all_values(e, is_truncated, &d)) {
			try_residual(e, 0);
			explained(e, "B is A truncated to %s: digits are cut "
				  "off, not rounded", dtype_name(d));
		}
}

/* A rounding: what one unit is, and if digits are cut off. */
struct rounding {
	double unit, epsilon;
	bool back, cut;    /* of B, which A is then */
	double last;       /* what the last value lost, and */
	size_t changes;    /* how often that was not as before */
};

/*
 * Whether b is a with as many decimals as its unit, a power of 10, has zeros:
 * rounded, or cut off. Arithmetic may be off by epsilon of the value.
 */
static bool is_decimal(void *self, double of_a, double of_b)
{
	struct rounding *r = self;
	const double a = r->back ? of_b : of_a, b = r->back ? of_a : of_b;
	const double x = a * r->unit, y = rint(b * r->unit);
	const double off = r->epsilon * fmax(fabs(x), 1);

	if (!isfinite(a) || !isfinite(b))
		return !(value_difference(a, b) > 0);
	r->changes += fabs(x - y) > off && fabs(x - y - r->last) > off;
	r->last = x - y;
	if (fabs(b * r->unit - y) > off)
		return false;
	return r->cut ? fabs(y) <= fabs(x) + off && fabs(x - y) < 1
		      : fabs(x - y) <= 0.5 + off;
}

/*
 * In both directions, rounded and cut off. Digits that are as small as the
 * dtype's last ones say nothing; and a constant, such as 1/2, is lost by
 * subtraction.
 */
void explain_decimals(struct explainer *e)
{
	const double epsilon = e->c->dtype == F64 ? 0x1p-51 : 0x1p-22;
	const double most = tells_rounding(e) ? finite_values(e->b).largest : 0;
	double unit = 1;

	for (int n = 0; tells_rounding(e) && n <= MOST_DECIMALS &&
	     LEAST_UNITS * epsilon * most * unit < 1; n++, unit *= 10)
		for (int way = 0; way < 4; way++) {
			struct rounding r = { unit, epsilon, way % 2, way / 2,
					      0, 0 };

			if (!all_values(e, is_decimal, &r) ||
			    r.changes < LEAST_DIFFERING)
				continue;
			try_residual(e, 0);
			explained(e, "%s %s %d decimals", r.back ? "A is B"
				  : "B is A", r.cut ? "cut off after"
				  : "rounded to", n);
		}
}

void explain_sign(struct explainer *e)
{
	struct change x = { NO_CHANGE, .needed = CHANCE };

	x.factor = -1;
	if (e->alike && try_change(e, &x))
		explained(e, "B is A with every sign changed");
}

/*
 * Of the finite values of A. If one of B is not finite there, neither are the
 * sums, and no number is found.
 */
struct sums {
	double a, b, aa, ab;
	size_t n, others;      /* values; those other than 0, */
	double first;          /* of them one; */
	bool two, two_others;  /* whether there is another, of all and those */
	double last;
};

static void add_sums(struct sums *s, double a, double b)
{
	if (!isfinite(a))
		return;
	s->two |= s->n && value_difference(a, s->last) > 0;
	s->two_others |= fabs(a) > 0 && s->others &&
			 value_difference(a, s->first) > 0;
	s->last = a;
	s->first = fabs(a) > 0 ? a : s->first;
	s->others += fabs(a) > 0;
	s->n++;
	s->a += a;
	s->b += b;
	s->aa += a * a;
	s->ab += a * b;
}

/* Of each row or column, or of AXES: all; or NULL. */
static struct sums *sums_of(struct explainer *e, int axis)
{
	const size_t rows = e->shape_b[ROWS], cols = e->shape_b[COLUMNS];
	struct sums *s = explainer_alloc(e, axis == AXES ? 1 : e->shape_b[axis],
					 sizeof *s);

	for (size_t i = 0; s && i < e->shape_b[PLANES] * rows; i++) {
		const double *a = row_of(e->a, i), *b = row_of(e->b, i);

		for (size_t j = 0; j < cols; j++)
			add_sums(&s[axis == ROWS ? i % rows
				    : axis == COLUMNS ? j : 0], a[j], b[j]);
	}
	return s;
}

enum { DIGITS = 6 };

static double with_digits(double x, int digits)
{
	const double unit = pow(10, floor(log10(fabs(x))) + 1 - digits);

	return fabs(x) > 0 ? rint(x / unit) * unit : 0;
}

static struct change with_fewer(const struct change *x, int digits)
{
	struct change y = *x;

	y.factor = with_digits(x->factor, digits);
	y.offset = with_digits(x->offset, digits);
	return y;
}

/*
 * Try fitted numbers: those of few digits whose results were rounded to B's
 * narrow dtype; else those of six digits, if they leave about as little.
 */
static bool try_numbers(struct explainer *e, struct change *x)
{
	const enum dtype d = e->c->b->dtype;
	struct change y;
	double residual, round;

	if (!isfinite(x->factor) || !isfinite(x->offset) ||
	    !(fabs(x->factor) > 0))
		return false;
	for (int n = 1; d > F32 && d <= BF16 && n <= DIGITS; n++) {
		y = with_fewer(x, n);
		y.rounded = d;
		if (fabs(y.factor) > 0 && !(change_residual(e, &y) > 0)) {
			*x = y;
			return try_residual(e, 0);
		}
	}
	residual = change_residual(e, x);
	y = with_fewer(x, DIGITS);
	round = change_residual(e, &y);
	if (isinf(round) || round > 4 * residual)
		return try_residual(e, residual);
	*x = y;
	return try_residual(e, round);
}

static const char *rounded_words(const struct change *x, char text[40])
{
	text[0] = '\0';
	if (x->rounded != F64)
		snprintf(text, 40, ", rounded to %s", dtype_name(x->rounded));
	return text;
}

/*
 * From values that say that the number is no chance: three of two kinds, or
 * many beside zeros. A factor leaves zeros as they are, so they say nothing.
 */
void explain_scaled(struct explainer *e)
{
	struct change x = { NO_CHANGE };
	const struct sums *s = e->alike && !explained_exactly(e)
			       ? sums_of(e, AXES) : NULL;
	char words[FACTOR_ROOM], narrow[40];

	if (!s || !(s->two_others ? s->others > 2 : s->others >= 8 &&
		    e->bits_a > 0))
		return;
	x.factor = s->ab / s->aa;
	if (try_numbers(e, &x))
		explained(e, "B is A times %.9g%s%s", x.factor, rounded_words(
			  &x, narrow), x.rounded != F64 ? "" : factor_words(
			  x.factor, e->shape_b[COLUMNS], words));
}

void explain_offset(struct explainer *e)
{
	struct change x = { NO_CHANGE };
	const struct sums *s = e->alike ? sums_of(e, AXES) : NULL;
	char narrow[40];

	if (!s || !s->two || s->n <= 2)
		return;
	x.offset = (s->b - s->a) / (double)s->n;
	if (try_numbers(e, &x))
		explained(e, "B is A %s %.9g%s", x.offset < 0 ? "minus" :
			  "plus", fabs(x.offset), rounded_words(&x, narrow));
}

/* Two numbers are no chance for values of several kinds. */
void explain_affine(struct explainer *e)
{
	struct change x = { NO_CHANGE, .needed = 4 * CHANCE };
	const struct sums *s = e->alike && e->bits_a > 2 && !e->found
			       ? sums_of(e, AXES) : NULL;
	char narrow[40];
	double n;

	if (!s)
		return;
	n = (double)s->n;
	x.factor = (s->ab - s->a * s->b / n) / (s->aa - s->a * s->a / n);
	x.offset = (s->b - x.factor * s->a) / n;
	if (try_numbers(e, &x))
		explained(e, "B is A times %.9g %s %.9g%s", x.factor,
			  x.offset < 0 ? "minus" : "plus", fabs(x.offset),
			  rounded_words(&x, narrow));
}

/* Numbers of the rows or columns that change. */
struct several {
	double *x, *places;    /* [n], those that changed */
	double low, high;
	size_t n;
};

static struct several several_of(double *x, double *places, size_t n,
				 double none)
{
	struct several s = { .x = x, .places = places,
			     .low = (double)INFINITY,
			     .high = -(double)INFINITY };

	for (size_t i = 0; i < n; i++)
		if (value_difference(x[i], none) > 0) {
			s.places[s.n++] = (double)i;
			s.low = fmin(s.low, x[i]);
			s.high = fmax(s.high, x[i]);
		}
	return s;
}

/* "column 3 times 2", or "4 of 8 columns times numbers of their own ..." */
static void say_several(struct explainer *e, int axis, const struct several *s,
			const char *what)
{
	const char *word = axis_word[axis];
	const size_t n = e->shape_b[axis];
	char list[LIST_ROOM], number[80];
	struct explanation *x;

	index_list(s->places, s->n, list);
	if (!(fabs(s->low) > 0) && !(fabs(s->high) > 0))
		snprintf(number, sizeof number, "set to 0");
	else if (s->high - s->low <= 1e-6 * fabs(s->low))
		snprintf(number, sizeof number, "%s %.6g", what, s->low);
	else
		snprintf(number, sizeof number, "%s %s (%.6g to %.6g)", what,
			 s->n < n ? "numbers of their own" : "a number of its "
			 "own", s->low, s->high);
	if (s->n == 1)
		x = explained(e, "B is A with %s %s %s", word, list, number);
	else if (s->n == n)
		x = explained(e, "B is A with each %s %s", word, number);
	else
		x = explained(e, "B is A with %zu of %zu %ss %s: %s", s->n, n,
			      word, number, list);
	x->order_of = axis == ROWS ? "changed_rows" : "changed_columns";
	x->order = s->places;
	x->n = s->n;
}

static void say_signs(struct explainer *e, int axis, const struct several *s)
{
	char list[LIST_ROOM];
	struct explanation *x;

	x = explained(e, "B is A with the signs of %zu of %zu %ss changed: %s",
		      s->n, e->shape_b[axis], axis_word[axis],
		      index_list(s->places, s->n, list));
	x->order_of = axis == ROWS ? "flipped_rows" : "flipped_columns";
	x->order = s->places;
	x->n = s->n;
}

/* Signs, and columns of zeros, of rows or columns of several values. */
static void try_signs(struct explainer *e, int axis, const struct sums *s,
		      double *f)
{
	const size_t n = e->shape_b[axis];
	struct change x = { NO_CHANGE };
	struct several changed;

	for (size_t i = 0; i < n; i++) {
		const double ratio = rint(s[i].ab / s[i].aa);
		const bool allowed = fabs(ratio) <= 1 &&
				     (axis == COLUMNS || fabs(ratio) > 0);

		f[i] = allowed ? ratio : 1;
	}
	changed = several_of(f, f + n, n, 1);
	x.factors[axis] = f;
	x.needed = 1 + 2 * (double)changed.n;
	/* A table of zeros is no multiple */
	if (!changed.n || (changed.n == n && changed.low >= 0) ||
	    !try_change(e, &x))
		return;
	if (changed.high < 0)
		say_signs(e, axis, &changed);
	else
		say_several(e, axis, &changed, "times");
}

/* A factor for each row or column, or for columns what is added. */
static void try_several(struct explainer *e, int axis, bool add,
			const struct sums *s, double *f)
{
	const size_t n = e->shape_b[axis];
	struct change x = { NO_CHANGE };
	struct several changed;

	for (size_t i = 0; i < n; i++) {
		const double y = add ? (s[i].b - s[i].a) / (double)s[i].n
				     : s[i].ab / s[i].aa;
		const bool tells = add ? s[i].two && s[i].n > 2 :
				   s[i].two_others && s[i].others > 2 &&
				   fabs(y) > 0 && fabs(y - 1) > 1e-6;

		f[i] = tells && isfinite(y) ? y : !add;
	}
	if (add)
		x.addends = f;
	else
		x.factors[axis] = f;
	changed = several_of(f, f + n, n, !add);
	x.needed = CHANCE + 16 * (double)changed.n;
	if (changed.n && try_change(e, &x))
		say_several(e, axis, &changed, add ? "plus" : "times");
}

void explain_signs(struct explainer *e)
{
	for (int axis = COLUMNS; e->alike && axis >= ROWS &&
	     !explained_exactly(e); axis--) {
		const struct sums *s = sums_of(e, axis);
		double *f = explainer_alloc(e, e->shape_b[axis], 6 * sizeof *f);

		if (!s || !f)
			return;
		try_signs(e, axis, s, f);
	}
}

void explain_own_numbers(struct explainer *e)
{
	for (int way = 0; e->alike && way < 3 && !e->found; way++) {
		const int axis = way == 1 ? ROWS : COLUMNS;
		const struct sums *s = sums_of(e, axis);
		double *f = explainer_alloc(e, e->shape_b[axis], 2 * sizeof *f);

		if (!s || !f)
			return;
		try_several(e, axis, way == 2, s, f);
	}
}

/* A as far as it is within the least and greatest value of B. */
void explain_clipped(struct explainer *e)
{
	struct change x = { NO_CHANGE, .needed = 2 * CHANCE };
	struct finite a, b;

	if (!e->alike || e->found)
		return;
	a = finite_values(e->a);
	b = finite_values(e->b);
	x.low = b.low;
	x.high = b.high;
	if (e->bits_b <= 2 || !try_change(e, &x))
		return;
	if (a.low < b.low && a.high > b.high)
		explained(e, "B is A clipped to values of %.9g to %.9g",
			  b.low, b.high);
	else
		explained(e, "B is A clipped to values of at %s %.9g",
			  a.low < b.low ? "least" : "most",
			  a.low < b.low ? b.low : b.high);
}

/* A value of A that is another one in B. */
struct replaced {
	const struct comparison *c;
	double from, to;
	bool found;
	size_t count;          /* of places */
	double residual;       /* of all others */
};

/* Set it to the first value that is not equal; then whether others are. */
static bool is_replaced(void *self, double a, double b)
{
	struct replaced *r = self;
	const double d = value_difference(a, b);
	bool here;

	if (!r->found && !values_equal(r->c, a, b)) {
		r->found = true;
		r->from = a;
		r->to = b;
	}
	here = r->found && !(value_difference(a, r->from) > 0);
	r->count += here;
	if (!here)
		r->residual = fmax(r->residual, d);
	return here ? !(value_difference(b, r->to) > 0)
		    : values_equal(r->c, a, b);
}

/*
 * One value of A is another one in B, at all of its places, which are several,
 * but not all: -inf of a mask as -1e9.
 */
void explain_replaced_value(struct explainer *e)
{
	struct replaced r = { .c = e->c };

	if (!e->alike || e->c->differing < 2 ||
	    !all_values(e, is_replaced, &r))
		return;
	/* The value that differs most was counted twice */
	if (--r.count > 1 && r.count < table_size(e->b) &&
	    try_residual(e, r.residual))
		explained(e, "B is A with %.9g replaced by %.9g (at %zu "
			  "places)", r.from, r.to, r.count);
}
