/* change.c: what a change of A leaves of the difference to B. */
#include <stdio.h>

#include "compare/explain.h"

/* Values compared at most, beside 8 times those of B: less than a second. */
#define WORK_MOST ((size_t)1 << 26)

void *explainer_alloc(struct explainer *e, size_t n, size_t size)
{
	return table_alloc(e->owner, n, size, e->err);
}

bool spend(struct explainer *e, size_t n)
{
	e->work += n;
	e->best->stopped |= e->work > WORK_MOST + 8 * table_size(e->c->b);
	return !e->best->stopped;
}

bool explained_exactly(const struct explainer *e)
{
	return e->found && !(e->best->residual > 0);
}

bool value_explained(const struct explainer *e, double v, double b,
		     double residual)
{
	return residual <= (e->found ? e->best->residual : e->limit) ||
	       (!e->found && values_equal(e->c, v, b));
}

bool try_residual(struct explainer *e, double residual)
{
	if (isinf(residual))
		return false;
	e->tie = e->found && residual >= e->best->residual;
	if (e->tie)
		return !(residual > 0);
	e->found = true;
	*e->best = (struct explanation){ .residual = residual,
					 .stopped = e->best->stopped };
	return true;
}

static void add_tie(struct explainer *e, const char *text)
{
	struct explanation *best = e->best;

	if (best->ties == ALSO_MOST)
		return;
	best->also[best->ties] = table_copy(e->owner, text, e->err);
	best->ties += best->also[best->ties] != NULL;
}

struct explanation *explained(struct explainer *e, const char *format, ...)
{
	struct explanation *to = e->tie ? &e->spare : e->best;
	va_list list;

	va_start(list, format);
	vsnprintf(to->text, sizeof to->text, format, list);
	va_end(list);
	if (e->tie)
		add_tie(e, to->text);
	return to;
}

void explained_by(struct explainer *e, struct explanation *x,
		  const char *format, ...)
{
	va_list list;

	va_start(list, format);
	x->command = table_format(e->owner, e->err, format, list);
	va_end(list);
}

static size_t map_index(const struct index_map *m, size_t i)
{
	return m ? m->source(m, i) : i;
}

static double sign_at(const struct change *x, int axis, size_t i)
{
	return x->signs[axis] ? x->signs[axis][i] : 1;
}

/* x rounded; what is too large for the dtype is not. */
static double rounded(enum dtype d, double x)
{
	const double y = d == F64 ? x : dtype_round(d, x);

	return isinf(y) ? x : y;
}

/* The difference that remains of values a and b, infinite if too large. */
static double change_value(const struct explainer *e, const struct change *x,
			   double sign, double a, double b)
{
	const double changed = x->factor * (sign * a) + x->offset;
	const double v = x->back ? changed : rounded(x->rounded, changed);
	const double w = x->back ? rounded(x->rounded, b) : b;
	const double d = value_difference(v, w);

	return value_explained(e, v, w, d) ? d : (double)INFINITY;
}

/* Row b of B beside row a of A. */
static double row_residual(const struct explainer *e, const struct change *x,
			   double sign, const double *a, const double *b)
{
	const bool plain = x->rounded == F64 && !x->signs[COLUMNS];
	const double factor = x->factor * sign, offset = x->offset;
	double largest = 0;

	for (size_t j = 0; j < e->shape_b[COLUMNS] && !isinf(largest); j++) {
		const double from = a[e->columns[j]];
		const double v = factor * from + offset;
		double d;

		if (plain && v >= b[j] && v <= b[j])
			continue;
		d = change_value(e, x, sign * sign_at(x, COLUMNS, j), from,
				 b[j]);
		largest = d > largest ? d : largest;
	}
	return largest;
}

/* Row i of all of A for row j of all of B, or NOWHERE. */
static size_t source_row(const struct explainer *e, const struct change *x,
			 size_t j)
{
	const size_t rows = e->shape_b[ROWS];
	const size_t p = map_index(x->maps[PLANES], j / rows);
	const size_t r = map_index(x->maps[ROWS], j % rows);

	return r == NOWHERE ? NOWHERE : p * e->shape_a[ROWS] + r;
}

double most_of_a(const struct explainer *e)
{
	return row_of(e->a, e->c->row)[e->c->col];
}

double most_of_b(const struct explainer *e)
{
	return row_of(e->b, e->c->row)[e->c->col];
}

/* Whether the change explains value j of row i of all of B. */
static bool explains(const struct explainer *e, const struct change *x,
		     size_t i, size_t j)
{
	const double sign = sign_at(x, ROWS, i % e->shape_b[ROWS]) *
			    sign_at(x, COLUMNS, j);
	const size_t from = source_row(e, x, i);
	const size_t col = map_index(x->maps[COLUMNS], j);

	return from == NOWHERE ||
	       !isinf(change_value(e, x, sign, row_of(e->a, from)[col],
				   row_of(e->b, i)[j]));
}

enum { PROBES = 16 };

/*
 * The value that differs most, and a few others: most wrong changes end here.
 */
static bool probe(const struct explainer *e, const struct change *x)
{
	size_t at[AXES];
	uint64_t random = 1;

	if (!explains(e, x, e->c->row, e->c->col))
		return false;
	for (int k = 0; k < PROBES; k++) {
		for (int axis = PLANES; axis < AXES; axis++) {
			const struct index_map *m = x->maps[axis];

			random = random * 6364136223846793005u + 1;
			at[axis] = k % 2 && m ? m->hint :
				   (size_t)(random >> 33) % e->shape_b[axis];
		}
		at[ROWS] += at[PLANES] * e->shape_b[ROWS];
		if (!explains(e, x, at[ROWS], at[COLUMNS]))
			return false;
	}
	return true;
}

/* The largest difference that remains; infinite if it is too large. */
static double residual_of(struct explainer *e, const struct change *x)
{
	const size_t rows = e->shape_b[PLANES] * e->shape_b[ROWS];
	const size_t cols = e->shape_b[COLUMNS];
	double largest = 0;

	if (!probe(e, x))
		return (double)INFINITY;
	for (size_t j = 0; j < cols; j++)
		e->columns[j] = map_index(x->maps[COLUMNS], j);
	for (size_t j = 0; j < rows && !isinf(largest); j++) {
		const size_t from = source_row(e, x, j);

		if (from == NOWHERE)
			continue;
		if (!spend(e, cols))
			return (double)INFINITY;
		largest = fmax(largest, row_residual(e, x,
			sign_at(x, ROWS, j % e->shape_b[ROWS]),
			row_of(e->a, from), row_of(e->b, j)));
	}
	return largest;
}

enum {
	BINADES = 512,    /* powers of 2 that are told apart */
	MIDDLE = 256,     /* that of 1 */
	NEAR = 64,        /* values agree to a 64th of the scale */
};

static size_t binade(double x)
{
	return (size_t)fmax(0, fmin(BINADES - 1, ilogb(x) + MIDDLE));
}

/* The power of 2 up to the median magnitude, without zeros and the largest. */
static double typical(const struct table *t, double largest)
{
	size_t counts[BINADES] = { 0 }, n = 0, k = 0, below;

	for (size_t i = 0; i < t->planes * t->rows; i++) {
		const double *x = row_of(t, i);

		for (size_t j = 0; j < t->cols; j++)
			if (fabs(x[j]) > 0 && fabs(x[j]) < largest) {
				counts[binade(x[j])]++;
				n++;
			}
	}
	for (below = counts[0]; 2 * below < n; below += counts[++k])
		;
	return ldexp(1, (int)k - MIDDLE);
}

void evidence_begin(struct explainer *e, const struct table *b)
{
	struct evidence *v = &e->evidence;

	if (v->of != b) {
		v->of = b;
		v->largest = largest_finite(b);
		v->scale = typical(b, v->largest);
	}
	v->n = v->near = 0;
}

void evidence_add(struct explainer *e, double a, double b, double d)
{
	struct evidence *v = &e->evidence;

	if (fabs(b) < v->largest && (fabs(a) > 0 || fabs(b) > 0)) {
		v->n++;
		v->near += NEAR * d <= v->scale || values_equal(e->c, a, b);
	}
}

double evident_residual(const struct explainer *e, double residual)
{
	const struct evidence *v = &e->evidence;

	return residual > 0 && 4 * v->near < 3 * v->n ? (double)INFINITY
						      : residual;
}

/* Values that differed, and those of them that still differ as much. */
struct gain {
	size_t differed, left;
};

static void row_gain(const struct explainer *e, const struct change *x,
		     size_t from, size_t j, struct gain *g)
{
	const size_t cols = e->shape_b[COLUMNS];
	const double sign = sign_at(x, ROWS, j % e->shape_b[ROWS]);
	const double *a = row_of(e->a, from), *b = row_of(e->b, j);
	const double *before = row_of(e->a, j);

	for (size_t k = 0; k < cols; k++) {
		const double d = value_difference(before[k], b[k]);

		g->differed += d > 0;
		g->left += d > 0 && change_value(e, x, sign *
						 sign_at(x, COLUMNS, k),
						 a[e->columns[k]], b[k]) >
				    d / 2;
	}
}

/*
 * Whether a change that isn't exact explains most of the values that differ:
 * the limit is low for the largest values only. And whether there is evidence
 * enough: by chance few values fit one of many changes.
 */
static bool convincing(const struct explainer *e, const struct change *x)
{
	const size_t rows = e->shape_b[PLANES] * e->shape_b[ROWS];
	struct gain g = { 0 };

	for (size_t j = 0; j < rows; j++) {
		const size_t from = source_row(e, x, j);

		if (from != NOWHERE)
			row_gain(e, x, from, j, &g);
	}
	return 4 * g.left <= g.differed &&
	       (double)g.differed * e->bits_a >= x->needed;
}

double change_residual(struct explainer *e, const struct change *x)
{
	const double residual = residual_of(e, x);

	return isinf(residual) || !convincing(e, x) ? (double)INFINITY
						    : residual;
}

bool try_change(struct explainer *e, const struct change *x)
{
	return try_residual(e, change_residual(e, x));
}
