/* explain_shape.c: reshaped, transposed, a part of the other. */
#include <stdio.h>

#include "compare/explain.h"

/* Where in A the row of B at these indices of planes and rows begins. */
static size_t source_of(const size_t step[AXES], size_t plane, size_t row)
{
	return plane * step[PLANES] + row * step[ROWS];
}

/* What a value of A leaves of one of B is added to the largest difference. */
static double add_residual(struct explainer *e, double a, double b,
			   double largest)
{
	const double d = value_difference(a, b);

	evidence_add(e, a, b, d);
	return !value_explained(e, a, b, d) ? (double)INFINITY
					    : fmax(largest, d);
}

/* The values of B in order, beside those of A, which are in order in rows. */
static double rows_residual(struct explainer *e, const size_t step[AXES])
{
	const size_t *n = e->shape_b;
	double largest = 0;

	for (size_t i = 0; i < n[PLANES] * n[ROWS]; i++) {
		const size_t from = source_of(step, i / n[ROWS], i % n[ROWS]);
		const double *b = row_of(e->b, i);

		for (size_t j = 0; j < n[COLUMNS] && !isinf(largest); j++)
			largest = add_residual(e, value_of(e->a, from + j),
					       b[j], largest);
	}
	return largest;
}

/* Rows of A are columns of B, or planes are: both are read in squares. */
enum { SIDE = 128 };

static size_t side_of(size_t n, size_t first)
{
	return n - first < SIDE ? n - first : SIDE;
}

/*
 * A square of B that begins at these indices; the values of one of its columns,
 * along an axis, are in one row of A. They are read to a [SIDE, SIDE].
 */
static double square_residual(struct explainer *e,
			      const size_t step[AXES], int axis,
			      const size_t at[AXES], double *a)
{
	const size_t n = side_of(e->shape_b[axis], at[axis]);
	const size_t m = side_of(e->shape_b[COLUMNS], at[COLUMNS]);
	const size_t from = source_of(step, at[PLANES], at[ROWS]);
	const size_t rows = axis == ROWS ? 1 : e->shape_b[ROWS];
	const size_t row = at[PLANES] * e->shape_b[ROWS] + at[ROWS];
	double largest = 0;

	for (size_t j = 0; j < m; j++) {
		const size_t k = from + (at[COLUMNS] + j) * step[COLUMNS];

		table_part(e->a, k / e->a->cols, k % e->a->cols, n,
			   a + j * SIDE);
	}
	for (size_t i = 0; i < n && !isinf(largest); i++) {
		double b[SIDE];

		table_part(e->b, row + i * rows, at[COLUMNS], m, b);
		for (size_t j = 0; j < m; j++)
			largest = add_residual(e, a[j * SIDE + i], b[j],
					       largest);
	}
	return largest;
}

/* All squares, where the values along an axis of B are in one row of A. */
static double squares_residual(struct explainer *e, const size_t step[AXES],
			       int axis)
{
	double *a = explainer_alloc(e, SIDE, SIDE * sizeof *a), largest = 0;
	const size_t by[AXES] = {
		axis == PLANES ? SIDE : 1, axis == ROWS ? SIDE : 1, SIDE,
	};
	const size_t *n = e->shape_b;
	size_t at[AXES];

	if (!a)
		return (double)INFINITY;
	for (at[PLANES] = 0; at[PLANES] < n[PLANES]; at[PLANES] += by[PLANES])
		for (at[ROWS] = 0; at[ROWS] < n[ROWS]; at[ROWS] += by[ROWS])
			for (at[COLUMNS] = 0; at[COLUMNS] < n[COLUMNS] &&
			     !isinf(largest); at[COLUMNS] += by[COLUMNS])
				largest = fmax(largest,
					       square_residual(e, step, axis,
							       at, a));
	return largest;
}

/* The values of B in order, beside those of A with these steps per axis. */
static double strided_residual(struct explainer *e, const size_t step[AXES])
{
	return step[COLUMNS] == 1 ? rows_residual(e, step)
	       : squares_residual(e, step, step[ROWS] == 1 ? ROWS : PLANES);
}

static size_t size_of(const size_t shape[AXES])
{
	return shape[PLANES] * shape[ROWS] * shape[COLUMNS];
}

static bool try_steps(struct explainer *e, const size_t step[AXES])
{
	evidence_begin(e, e->b);
	return try_residual(e, evident_residual(e, strided_residual(e, step)));
}

void explain_reshaped(struct explainer *e)
{
	const size_t *b = e->shape_b;
	const size_t step[AXES] = { b[ROWS] * b[COLUMNS], b[COLUMNS], 1 };

	if (!e->c->shaped && size_of(e->shape_a) == size_of(b) &&
	    try_steps(e, step))
		explained(e, "the same values in the same order, reshaped");
}

/* Which axes of A become planes, rows and columns of B. */
static const struct {
	int axis[AXES];
	const char *text;
} exchanges[] = {
	{ { PLANES, COLUMNS, ROWS },
	  "with its rows and columns exchanged in each plane" },
	{ { ROWS, PLANES, COLUMNS }, "with its planes and rows exchanged" },
	{ { COLUMNS, ROWS, PLANES }, "with its planes and columns exchanged" },
	{ { ROWS, COLUMNS, PLANES },
	  "with its planes moved to columns: B[i, j, k] is A[k, i, j]" },
	{ { COLUMNS, PLANES, ROWS },
	  "with its columns moved to planes: B[i, j, k] is A[j, k, i]" },
};

void explain_exchanged_axes(struct explainer *e)
{
	const size_t *a = e->shape_a;
	const size_t steps[AXES] = { a[ROWS] * a[COLUMNS], a[COLUMNS], 1 };
	const bool flat = a[PLANES] == 1 && e->shape_b[PLANES] == 1;

	if (e->c->shaped && (double)size_of(a) * e->bits_a < 2 * CHANCE)
		return;
	for (size_t k = 0; k < (flat ? 1 : sizeof exchanges /
				    sizeof *exchanges); k++) {
		size_t step[AXES];
		bool fits = true;

		for (int i = PLANES; i < AXES; i++) {
			step[i] = steps[exchanges[k].axis[i]];
			fits &= a[exchanges[k].axis[i]] == e->shape_b[i];
		}
		if (fits && !(explained_exactly(e) && !flat) &&
		    try_steps(e, step))
			explained(e, "B is A %s", flat ? "transposed (rows and "
				  "columns exchanged)" : exchanges[k].text);
	}
}

/* One table inside the other. */
struct placement {
	const struct table *small, *large;
	const size_t *inner, *outer;  /* their shapes */
	size_t at[AXES];              /* where the small one begins */
	bool a_larger;
};

/* Row i of all rows of the small table; where it is in the large one. */
static const double *placed_row(const struct placement *p, size_t i)
{
	const size_t plane = p->at[PLANES] + i / p->inner[ROWS];
	const size_t row = p->at[ROWS] + i % p->inner[ROWS];

	return row_of(p->large, plane * p->outer[ROWS] + row) + p->at[COLUMNS];
}

static double part_residual(struct explainer *e, const struct placement *p)
{
	const size_t rows = p->inner[PLANES] * p->inner[ROWS];
	const size_t cols = p->inner[COLUMNS];
	double largest = 0;

	evidence_begin(e, e->b);
	for (size_t i = 0; i < rows && !isinf(largest); i++) {
		const double *x = row_of(p->small, i), *y = placed_row(p, i);
		const double *a = p->a_larger ? y : x;
		const double *b = p->a_larger ? x : y;
		size_t j = 0;

		for (; j < cols && !isinf(largest); j++)
			largest = add_residual(e, a[j], b[j], largest);
		spend(e, j + 1);
	}
	return evident_residual(e, largest);
}

/* Whether the large table is zero outside the small one. */
static bool zeros_around(const struct placement *p)
{
	const size_t rows = p->outer[PLANES] * p->outer[ROWS];

	for (size_t i = 0; i < rows; i++) {
		const size_t plane = i / p->outer[ROWS] - p->at[PLANES];
		const size_t row = i % p->outer[ROWS] - p->at[ROWS];
		const double *y = row_of(p->large, i);
		const bool outside = plane >= p->inner[PLANES] ||
				     row >= p->inner[ROWS];

		for (size_t j = 0; j < p->outer[COLUMNS]; j++, y++)
			if ((outside || j - p->at[COLUMNS] >=
					p->inner[COLUMNS]) &&
			    value_difference(*y, 0) > 0)
				return false;
	}
	return true;
}

/* Whether the small table is the large one but for its first rows. */
static bool is_tail(const struct placement *p)
{
	return p->outer[PLANES] == 1 &&
	       p->inner[COLUMNS] == p->outer[COLUMNS] &&
	       p->at[ROWS] + p->inner[ROWS] == p->outer[ROWS];
}

/* The offset of learned positions: those of OPT and BART begin at row 2. */
static void say_tail(struct explainer *e, const struct placement *p)
{
	const char *small = p->a_larger ? "B" : "A";
	const char *large = p->a_larger ? "A" : "B";
	const size_t n = p->at[ROWS];

	explained(e, "%s is %s without its first %zu row%s: row p of %s is row "
		  "p + %zu of %s", small, large, n, n > 1 ? "s" : "", small, n,
		  large);
}

/* "B is rows 2 to 513 of A, which has zeros elsewhere" */
static void say_part(struct explainer *e, const struct placement *p)
{
	const bool zeros = zeros_around(p);
	char where[200];
	size_t n = 0;

	if (!zeros && is_tail(p)) {
		say_tail(e, p);
		return;
	}
	for (int i = PLANES; i < AXES; i++) {
		if (p->inner[i] == p->outer[i])
			continue;
		if (p->inner[i] == 1)
			n += (size_t)snprintf(where + n, sizeof where - n,
					      "%s%s %zu", n ? ", " : "",
					      axis_word[i], p->at[i]);
		else
			n += (size_t)snprintf(where + n, sizeof where - n,
					      "%s%ss %zu to %zu", n ? ", " : "",
					      axis_word[i], p->at[i],
					      p->at[i] + p->inner[i] - 1);
	}
	explained(e, "%s is %s of %s%s", p->a_larger ? "B" : "A", where,
		  p->a_larger ? "A" : "B",
		  zeros ? ", which has zeros elsewhere" : "");
}

void explain_part(struct explainer *e)
{
	const bool a_larger = size_of(e->shape_a) > size_of(e->shape_b);
	struct placement p = {
		.small = a_larger ? e->b : e->a, .a_larger = a_larger,
		.large = a_larger ? e->a : e->b,
		.inner = a_larger ? e->shape_b : e->shape_a,
		.outer = a_larger ? e->shape_a : e->shape_b,
	};
	const double bits = (a_larger ? e->bits_b : e->bits_a) *
			    (double)size_of(p.inner);
	double places = 1;
	size_t most[AXES];

	for (int i = PLANES; i < AXES; i++) {
		if (p.inner[i] > p.outer[i])
			return;
		most[i] = p.outer[i] - p.inner[i];
		places *= (double)most[i] + 1;
	}
	/* By chance, a few values are found in one of many places. */
	if (size_of(p.inner) == size_of(p.outer) || bits < 6 + log2(places))
		return;
	for (p.at[PLANES] = 0; p.at[PLANES] <= most[PLANES]; p.at[PLANES]++)
		for (p.at[ROWS] = 0; p.at[ROWS] <= most[ROWS]; p.at[ROWS]++)
			for (p.at[COLUMNS] = 0;
			     p.at[COLUMNS] <= most[COLUMNS] && spend(e, 0);
			     p.at[COLUMNS]++)
				if (try_residual(e, part_residual(e, &p)))
					say_part(e, &p);
}
