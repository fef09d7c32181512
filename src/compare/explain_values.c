/* explain_values.c: values rounded, negated, scaled, shifted or replaced. */
#include <stdio.h>

#include "compare/explain.h"

void explain_rounded(struct explainer *e)
{
	struct change x = { NO_CHANGE };

	for (int k = 0; k < 2 * BF16; k++) {
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
	return e->c->differing >= LEAST_DIFFERING &&
	       fmin(e->bits_a, e->bits_b) > 1 && !explained_exactly(e);
}

void explain_truncated(struct explainer *e)
{
	for (enum dtype d = F32; tells_rounding(e) && d <= BF16; d++)
		if (all_values(e, is_truncated, &d) && try_residual(e, 0))
			explained(e, "B is A truncated to %s: digits are cut "
				  "off, not rounded", dtype_name(d));
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
	const double most = tells_rounding(e) ? finite_values(e->b).largest
					      : (double)INFINITY;
	double unit = 1;

	for (int n = 0; tells_rounding(e) && n <= MOST_DECIMALS &&
	     LEAST_UNITS * epsilon * most * unit < 1; n++, unit *= 10)
		for (int way = 0; way < 4; way++) {
			struct rounding r = { unit, epsilon, way % 2, way / 2,
					      0, 0 };

			if (all_values(e, is_decimal, &r) &&
			    r.changes >= LEAST_DIFFERING && try_residual(e, 0))
				explained(e, "%s %s %d decimals", r.back ?
					  "A is B" : "B is A", r.cut ?
					  "cut off after" : "rounded to", n);
		}
}

void explain_sign(struct explainer *e)
{
	struct change x = { NO_CHANGE, .needed = CHANCE };

	x.factor = -1;
	if (try_change(e, &x))
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

/* Of all values, of each row and of each column, in one pass; or NULL. */
static struct sums *make_sums(struct explainer *e)
{
	const size_t rows = e->shape_b[ROWS], cols = e->shape_b[COLUMNS];
	struct sums *s = explainer_alloc(e, 1 + rows + cols, sizeof *s);

	for (size_t i = 0; s && i < e->shape_b[PLANES] * rows; i++) {
		const double *a = row_of(e->a, i), *b = row_of(e->b, i);
		struct sums *of_row = s + 1 + i % rows;
		struct sums *of_columns = s + 1 + rows;

		for (size_t j = 0; j < cols; j++) {
			add_sums(s, a[j], b[j]);
			add_sums(of_row, a[j], b[j]);
			add_sums(of_columns + j, a[j], b[j]);
		}
	}
	return s;
}

/* Those of each row or column, or of AXES: all; or NULL. */
static const struct sums *sums_of(struct explainer *e, int axis)
{
	if (!e->sums)
		e->sums = make_sums(e);
	return !e->sums || axis == AXES ? e->sums : axis == ROWS
	       ? e->sums + 1 : e->sums + 1 + e->shape_b[ROWS];
}

enum { DIGITS = 6 };

static double rounded_to(double x, int digits)
{
	const double unit = pow(10, floor(log10(fabs(x))) + 1 - digits);

	return fabs(x) > 0 ? rint(x / unit) * unit : 0;
}

static bool is_near(double x, double y)
{
	return fabs(x - y) <= 1e-6 * fabs(y);
}

/* Add what a factor of a table with so many columns is likely to be. */
static void add_factor(double factor, size_t cols, char text[SENTENCE])
{
	static const int scales[] = { 2, 4, 8, 16, 32, 40, 64 };
	const char *inverse = factor < 1 ? "1 / " : "";
	const double x = factor < 1 ? 1 / factor : factor;

	if (cols > 1 && is_near(x, sqrt((double)cols)))
		add(text, ", which is %ssqrt(%zu) for %zu columns", inverse,
		    cols, cols);
	for (size_t k = 0; k < sizeof scales / sizeof *scales; k++)
		if (is_near(x, 0.1 * log(scales[k]) + 1))
			add(text, ", which is %syarn's attention factor for a "
				  "scale of %d", inverse, scales[k]);
}

/* "B is A times 2 plus 1, rounded to float16" */
static void say_numbers(struct explainer *e, const struct change *x)
{
	char text[SENTENCE] = "";

	if (value_difference(x->factor, 1) > 0)
		add(text, " times %.9g", x->factor);
	if (fabs(x->offset) > 0)
		add(text, " %s %.9g", x->offset < 0 ? "minus" : "plus",
		    fabs(x->offset));
	else if (x->rounded == F64)
		add_factor(x->factor, e->shape_b[COLUMNS], text);
	if (x->rounded != F64)
		add(text, ", rounded to %s", dtype_name(x->rounded));
	explained(e, "B is A%s", text);
}

/* What numbers rounded to so many digits, or not (0), leave; x gets them. */
static double digits_residual(struct explainer *e, struct change *x,
			      double factor, double offset, int digits)
{
	x->factor = digits ? rounded_to(factor, digits) : factor;
	x->offset = digits ? rounded_to(offset, digits) : offset;
	return fabs(x->factor) > 0 ? change_residual(e, x) : (double)INFINITY;
}

/*
 * Try fitted numbers: those of few digits whose results were rounded to B's
 * narrow dtype; else those of six digits, if they leave about as little.
 */
static void try_numbers(struct explainer *e, double factor, double offset,
			double needed)
{
	const enum dtype d = e->c->b->dtype;
	struct change x = { NO_CHANGE, .needed = needed };
	double residual = (double)INFINITY, six;

	if (!isfinite(factor) || !isfinite(offset))
		return;
	x.rounded = d;
	for (int n = 1; d > F32 && d <= BF16 && n <= DIGITS && residual > 0;
	     n++)
		residual = digits_residual(e, &x, factor, offset, n);
	if (residual > 0) {
		x.rounded = F64;
		six = digits_residual(e, &x, factor, offset, DIGITS);
		residual = digits_residual(e, &x, factor, offset, 0);
		if (isfinite(six) && six <= 4 * residual)
			residual = digits_residual(e, &x, factor, offset,
						   DIGITS);
	}
	if (try_residual(e, residual))
		say_numbers(e, &x);
}

/*
 * From values that say that the number is no chance: three of two kinds, or
 * many beside zeros. A factor leaves zeros as they are, so they say nothing.
 */
void explain_scaled(struct explainer *e)
{
	const struct sums *s = sums_of(e, AXES);

	if (s && (s->two_others ? s->others > 2 : s->others >= 8 &&
		  e->bits_a > 0))
		try_numbers(e, s->ab / s->aa, 0, 0);
}

void explain_offset(struct explainer *e)
{
	const struct sums *s = sums_of(e, AXES);

	if (s && s->two && s->n > 2)
		try_numbers(e, 1, (s->b - s->a) / (double)s->n, 0);
}

enum { MANY = 64 };

/* Two numbers are no chance for values of several kinds, or many of two. */
void explain_affine(struct explainer *e)
{
	const bool many = e->bits_a >= 1 &&
			  !(fabs(e->bits_a - e->bits_b) > 0) &&
			  table_size(e->b) >= MANY;
	const struct sums *s = e->bits_a > 2 || many ? sums_of(e, AXES) : NULL;
	const double n = s ? (double)s->n : 0;
	const double factor = s ? (s->ab - s->a * s->b / n) /
				  (s->aa - s->a * s->a / n) : 0;

	if (s)
		try_numbers(e, factor, (s->b - factor * s->a) / n, 4 * CHANCE);
}

/* What each row or column has of its own: a sign or 0, a factor, an addend. */
enum own { OWN_SIGN, OWN_FACTOR, OWN_ADDEND };

/* Fitted to its values; NaN where these don't tell, or are as they were. */
static double own_number(enum own own, const struct sums *s)
{
	const double ratio = s->ab / s->aa, n = (double)s->n;

	if (own == OWN_SIGN)
		return ratio < 0.5 && rint(ratio) >= -1 ? rint(ratio)
							: (double)NAN;
	if (own == OWN_FACTOR)
		return s->two_others && s->others > 2 && fabs(ratio) > 0 &&
		       fabs(ratio - 1) > 1e-6 ? ratio : (double)NAN;
	return s->two && s->n > 2 && value_difference(s->b, s->a) > 0
	       ? (s->b - s->a) / n : (double)NAN;
}

/* Those that changed, places [n], and the range of their numbers. */
static void say_own(struct explainer *e, int axis, enum own own,
		    const double *places, size_t n, const double range[2])
{
	static const char *const words[] = { "times", "times", "plus" };
	const size_t all = e->shape_b[axis];
	const char *word = axis_word[axis];
	char list[SENTENCE], number[SENTENCE] = "";
	struct explanation *x;

	index_list(places, n, list);
	if (!(range[1] - range[0] > 0) && !(fabs(range[0]) > 0))
		add(number, "set to 0");
	else if (range[1] - range[0] <= 1e-6 * fabs(range[0]))
		add(number, "%s %.6g", words[own], range[0]);
	else
		add(number, "%s %s (%.6g to %.6g)", words[own], n < all ?
		    "numbers of their own" : "a number of its own",
		    range[0], range[1]);
	if (own == OWN_SIGN && range[1] < 0)
		x = explained(e, "B is A with the signs of %zu of %zu %ss "
			      "changed: %s", n, all, word, list);
	else if (n == 1)
		x = explained(e, "B is A with %s %s %s", word, list, number);
	else if (n == all)
		x = explained(e, "B is A with each %s %s", word, number);
	else
		x = explained(e, "B is A with %zu of %zu %ss %s: %s", n, all,
			      word, number, list);
	x->order_of = own == OWN_SIGN && range[1] < 0
		      ? axis == ROWS ? "flipped_rows" : "flipped_columns"
		      : axis == ROWS ? "changed_rows" : "changed_columns";
	x->order = places;
	x->n = n;
}

static void try_own(struct explainer *e, int axis, enum own own)
{
	const size_t n = e->shape_b[axis];
	const struct sums *s = sums_of(e, axis);
	double *f = explainer_alloc(e, n, 2 * sizeof *f), *places = f + n;
	double range[2] = { (double)INFINITY, -(double)INFINITY };
	struct change x = { NO_CHANGE, .own = f, .axis = axis,
			    .adds = own == OWN_ADDEND };
	size_t changed = 0;

	for (size_t i = 0; s && f && i < n; i++) {
		f[i] = own_number(own, &s[i]);
		if (isfinite(f[i])) {
			places[changed++] = (double)i;
			range[0] = fmin(range[0], f[i]);
			range[1] = fmax(range[1], f[i]);
		} else {
			f[i] = own != OWN_ADDEND;
		}
	}
	x.needed = own == OWN_SIGN ? 1 + 2 * (double)changed
				   : CHANCE + 16 * (double)changed;
	/* A table of zeros is no multiple */
	if (changed && !(own == OWN_SIGN && changed == n && range[0] >= 0) &&
	    try_change(e, &x))
		say_own(e, axis, own, places, changed, range);
}

void explain_signs(struct explainer *e)
{
	for (int axis = COLUMNS; axis >= ROWS && !explained_exactly(e); axis--)
		try_own(e, axis, OWN_SIGN);
}

void explain_own_numbers(struct explainer *e)
{
	for (int way = 0; way < 3 && !e->found; way++)
		try_own(e, way == 1 ? ROWS : COLUMNS,
			way == 2 ? OWN_ADDEND : OWN_FACTOR);
}

/* A as far as it is within the least and greatest value of B. */
void explain_clipped(struct explainer *e)
{
	struct change x = { NO_CHANGE, .needed = 2 * CHANCE };
	const struct finite a = finite_values(e->a), b = finite_values(e->b);

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
	bool here;

	if (!r->found && !values_equal(r->c, a, b)) {
		r->found = true;
		r->from = a;
		r->to = isnan(b) ? (double)NAN : b;
	}
	here = r->found && !(value_difference(a, r->from) > 0);
	r->count += here;
	if (here)
		return !(value_difference(b, r->to) > 0);
	r->residual = fmax(r->residual, value_difference(a, b));
	return values_equal(r->c, a, b);
}

/*
 * One value of A is another one in B, at all of its places, which are several,
 * but not all: -inf of a mask as -1e9.
 */
void explain_replaced_value(struct explainer *e)
{
	struct replaced r = { .c = e->c };

	if (e->c->differing < 2 || !all_values(e, is_replaced, &r))
		return;
	/* The value that differs most was counted twice */
	if (--r.count > 1 && r.count < table_size(e->b) &&
	    try_residual(e, r.residual))
		explained(e, "B is A with %.9g replaced by %.9g (at %zu "
			  "places)", r.from, r.to, r.count);
}
