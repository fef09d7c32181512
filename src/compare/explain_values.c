/* explain_values.c: values rounded, negated, scaled, shifted or replaced. */
#include "compare/explain.h"
#include "compare/identified.h"

void explain_rounded(struct explainer *e)
{
	for (enum dtype d = F32; e->c->shaped && d <= BF16; d++)
		for (int back = 0; back < 2; back++)
			if (try_change(e, &(struct change){
					.factor = 1, .rounded = d,
					.back = back }))
				explained(e, "%s rounded to %s", back
					  ? "A is B" : "B is A", dtype_name(d));
}

void explain_sign(struct explainer *e)
{
	if (e->c->shaped && try_change(e, &(struct change){
			.factor = -1, .rounded = F64, .needed = CHANCE }))
		explained(e, "B is A with every sign changed");
}

/*
 * Of the finite values of A. If one of B is not finite there, neither are the
 * sums, and no factor is found.
 */
struct sums {
	double a, b, aa, ab, n;
};

static void add_row(struct sums *s, const double *a, const double *b, size_t n)
{
	for (size_t j = 0; j < n; j++)
		if (isfinite(a[j])) {
			s->a += a[j];
			s->b += b[j];
			s->aa += a[j] * a[j];
			s->ab += a[j] * b[j];
			s->n++;
		}
}

static struct sums sums_of(const struct explainer *e)
{
	struct sums s = { 0 };

	for (size_t i = 0; i < e->b->planes * e->b->rows; i++)
		add_row(&s, row_of(e->a, i), row_of(e->b, i), e->b->cols);
	return s;
}

enum { DIGITS = 6 };

static double with_digits(double x, int digits)
{
	const double unit = pow(10, floor(log10(fabs(x))) + 1 - digits);

	return rint(x / unit) * unit;
}

/*
 * Whether A has enough values, finite in both tables, to say that a number
 * found from them is not chance: three of two kinds, or many beside zeros. A
 * factor leaves zeros as they are, so they say nothing about it.
 */
static bool tells_number(const struct explainer *e, bool zeros)
{
	const size_t n = table_size(e->c->b);
	double first = 0;
	bool other = false;
	size_t count = 0;

	for (size_t i = 0; e->c->shaped && i < n && !(other && count > 2);
	     i++) {
		const double a = value_of(e->a, i), b = value_of(e->b, i);

		if (!isfinite(a) || !isfinite(b) ||
		    (!zeros && !(fabs(a) > 0)))
			continue;
		first = count++ ? first : a;
		other |= value_difference(a, first) > 0;
	}
	return other ? count > 2 : count >= 8 && !zeros && e->bits_a > 0;
}

/*
 * Try the fitted number, one field of x. The number of six digits is taken if
 * it leaves about as little.
 */
static bool try_number(struct explainer *e, struct change *x, double *number)
{
	const double fitted = *number;
	double round, residual;

	if (!(fabs(fitted) > 0) || isinf(fitted))
		return false;
	residual = change_residual(e, x);
	*number = with_digits(fitted, DIGITS);
	round = change_residual(e, x);
	if (isinf(round) || round > 4 * residual)
		*number = fitted;
	else
		residual = round;
	return try_residual(e, residual);
}

/* A factor of few digits whose products were rounded to B's narrow dtype. */
static bool try_rounded_factor(struct explainer *e, double fitted)
{
	const enum dtype d = e->c->b->dtype;
	struct change x = { .rounded = d };

	for (int n = 1; d > F32 && d <= BF16 && n <= DIGITS; n++) {
		x.factor = with_digits(fitted, n);
		if (change_residual(e, &x) > 0)
			continue;
		try_residual(e, 0);
		explained(e, "B is A times %.9g, rounded to %s", x.factor,
			  dtype_name(d));
		return true;
	}
	return false;
}

void explain_scaled(struct explainer *e)
{
	struct change x = { NO_CHANGE };
	struct sums s;
	char words[FACTOR_ROOM];

	if (explained_exactly(e) || !tells_number(e, false))
		return;
	s = sums_of(e);
	x.factor = s.ab / s.aa;
	if (!try_rounded_factor(e, x.factor) &&
	    try_number(e, &x, &x.factor))
		explained(e, "B is A times %.9g%s", x.factor,
			  factor_words(x.factor, e->shape_b[COLUMNS], words));
}

void explain_offset(struct explainer *e)
{
	struct change x = { NO_CHANGE };
	struct sums s;

	if (!tells_number(e, true))
		return;
	s = sums_of(e);
	x.offset = (s.b - s.a) / s.n;
	if (try_number(e, &x, &x.offset))
		explained(e, "B is A %s %.9g", x.offset < 0 ? "minus" : "plus",
			  fabs(x.offset));
}

/* A value of A that is another one in B. */
struct replaced {
	double from, to;
	size_t count;          /* of places */
	double residual;       /* of all others */
};

/* Whether rows a and b follow it. */
static bool row_replaced(const struct explainer *e, struct replaced *r,
			 const double *a, const double *b)
{
	for (size_t j = 0; j < e->shape_b[COLUMNS]; j++) {
		const bool here = !(value_difference(a[j], r->from) > 0);

		r->count += here;
		if (here ? value_difference(b[j], r->to) > 0
			 : !values_equal(e->c, a[j], b[j]))
			return false;
		if (!here)
			r->residual = fmax(r->residual,
					   value_difference(a[j], b[j]));
	}
	return true;
}

/* The first value that is not equal; the last, if a file has changed. */
static struct replaced first_replaced(const struct explainer *e)
{
	const size_t last = e->b->planes * e->b->rows - 1;
	const size_t cols = e->b->cols;

	for (size_t i = 0;; i++) {
		const double *a = row_of(e->a, i), *b = row_of(e->b, i);
		size_t j = 0;

		while (j + 1 < cols && values_equal(e->c, a[j], b[j]))
			j++;
		if (i == last || !values_equal(e->c, a[j], b[j]))
			return (struct replaced){ .from = a[j], .to = b[j] };
	}
}

/*
 * One value of A is another one in B, at all of its places, which are several,
 * but not all: -inf of a mask as -1e9.
 */
void explain_replaced_value(struct explainer *e)
{
	const size_t rows = e->b->planes * e->b->rows;
	struct replaced r;

	if (!e->c->shaped || e->c->differing < 2)
		return;
	r = first_replaced(e);
	for (size_t i = 0; i < rows; i++)
		if (!row_replaced(e, &r, row_of(e->a, i), row_of(e->b, i)))
			return;
	if (r.count > 1 && r.count < table_size(e->b) &&
	    try_residual(e, r.residual))
		explained(e, "B is A with %.9g replaced by %.9g (at %zu "
			  "places)", r.from, r.to, r.count);
}
