/* explain.c: what a change of A leaves of the difference to B. */
#include <stdio.h>
#include <string.h>

#include "compare/explain.h"

const char *const axis_word[AXES] = { "plane", "row", "column" };

/* The share of the largest difference that an explanation may leave. */
#define RESIDUAL_MAX 1e-3

/* Of the standard deviation of B: no tolerance explains more than that. */
#define TOLERATED_MOST 0.125

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

/* Whether values are equal within the tolerance, if that says something. */
static bool tolerated(const struct explainer *e, double a, double b)
{
	return value_difference(a, b) <= e->most_tolerated &&
	       values_equal(e->c, a, b);
}

bool value_explained(const struct explainer *e, double v, double b,
		     double residual)
{
	return residual <= (e->found ? e->best->residual : e->limit) ||
	       (!e->found && tolerated(e, v, b));
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

/* "B is A with ..." to "B is A transposed, with ...", of such an A */
struct explanation *explained(struct explainer *e, const char *format, ...)
{
	static const char begin[] = "B is A ";
	struct explanation *to = e->tie ? &e->spare : e->best;
	char text[SENTENCE - 140];
	const char *rest = text;
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	if (e->made[0] && strncmp(text, begin, strlen(begin)) == 0)
		rest += strlen(begin);
	snprintf(to->text, sizeof to->text, "%s%.90s%s%s",
		 rest > text ? begin : "", e->made, e->made[0] ? ", " : "",
		 rest);
	if (e->tie && e->best->ties < ALSO_MOST) {
		const char *copy = table_copy(e->owner, to->text, e->err);

		e->best->also[e->best->ties] = copy;
		e->best->ties += copy != NULL;
	}
	return to;
}

void explained_by(struct explainer *e, struct explanation *x,
		  const char *format, ...)
{
	va_list list;

	va_start(list, format);
	x->command = e->made[0] ? NULL : table_format(e->owner, e->err, format,
						      list);
	va_end(list);
}

const char *index_list(const double *x, size_t n, char text[SENTENCE])
{
	text[0] = '\0';
	for (size_t i = 0; i < n && i < LISTED; i++)
		add(text, "%s%.0f", i ? ", " : "", x[i]);
	if (n > LISTED)
		add(text, ", ...");
	return text;
}

size_t stepped_source(const struct index_map *m, size_t i)
{
	const long from = m->first + (long)i * m->by;

	return from < 0 || from >= (long)m->n ? NOWHERE : (size_t)from;
}

static size_t map_index(const struct index_map *m, size_t i)
{
	return !m ? i : m->order ? (size_t)m->order[i] : m->source(m, i);
}

/* x rounded; what is too large for the dtype is not. */
static double rounded(enum dtype d, double x)
{
	const double y = d == F64 ? x : dtype_round(d, x);

	return isinf(y) ? x : y;
}

/*
 * The difference that remains of a, where it is in row i of all and column j of
 * B, and b; infinite if too large.
 */
static double change_value(const struct explainer *e, const struct change *x,
			   size_t i, size_t j, double a, double b)
{
	const double own = !x->own ? !x->adds : x->own[x->axis == COLUMNS ? j
						: i % e->shape_b[ROWS]];
	const double y = x->factor * (x->adds ? a + own : own * a) + x->offset;
	const double z = y < x->low ? x->low : y > x->high ? x->high : y;
	const double v = x->back ? z : rounded(x->rounded, z);
	const double w = x->back ? rounded(x->rounded, b) : b;
	const double d = value_difference(v, w);

	return value_explained(e, v, w, d) ? d : (double)INFINITY;
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

enum {
	BINADES = 512,    /* powers of 2 that are told apart */
	MIDDLE = 256,     /* that of 1 */
	NEAR = 64,        /* values agree to a 64th of the scale */
};

/* The power of 2 up to the median magnitude, without zeros and the largest. */
static double typical(const struct table *t, double largest)
{
	size_t counts[BINADES] = { 0 }, n = 0, k = 0, below;

	for (size_t i = 0; i < t->planes * t->rows; i++) {
		const double *x = row_of(t, i);

		for (size_t j = 0; j < t->cols; j++)
			if (fabs(x[j]) > 0 && fabs(x[j]) < largest) {
				const int at = ilogb(x[j]) + MIDDLE;

				counts[at < 0 ? 0 : at < BINADES ? at
				       : BINADES - 1]++;
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
		v->largest = finite_values(b).largest;
		v->scale = typical(b, v->largest);
	}
	v->n = v->near = 0;
}

void evidence_add(struct explainer *e, double a, double b, double d)
{
	struct evidence *v = &e->evidence;

	if (fabs(b) < v->largest && (fabs(a) > 0 || fabs(b) > 0)) {
		v->n++;
		v->near += NEAR * d <= v->scale || tolerated(e, a, b);
	}
}

double evident_residual(const struct explainer *e, double residual)
{
	const struct evidence *v = &e->evidence;

	return residual > 0 && 4 * v->near < 3 * v->n ? (double)INFINITY
						      : residual;
}

/*
 * The largest difference that remains; values that differed, if shapes do not,
 * and those of them that still differ as much.
 */
struct left {
	double largest;
	size_t differed, differing;
};

/* Row j of all of B beside row a of A, which was the row before. */
static void compare_row(struct explainer *e, const struct change *x,
			const double *a, size_t j, struct left *l)
{
	const double *b = row_of(e->b, j);
	const double *before = e->c->shaped ? row_of(e->c->a, j) : NULL;
	const bool plain = x->rounded == F64 && !x->own &&
			   isinf(x->high - x->low);

	for (size_t k = 0; k < e->shape_b[COLUMNS] && !isinf(l->largest); k++) {
		const double from = a[e->columns[k]];
		const double v = x->factor * from + x->offset;
		const double d = plain && v >= b[k] && v <= b[k] ? 0 :
			change_value(e, x, j, k, from, b[k]);
		const double was = before ? value_difference(before[k], b[k])
					  : 0;

		l->largest = d > l->largest ? d : l->largest;
		l->differed += was > 0;
		l->differing += was > 0 && d > was / 2;
		if (!before)
			evidence_add(e, from, b[k], d);
	}
}

/* Whether the change explains value j of row i of all of B. */
static bool explains(const struct explainer *e, const struct change *x,
		     size_t i, size_t j)
{
	const size_t from = source_row(e, x, i);
	const size_t col = map_index(x->maps[COLUMNS], j);

	return from == NOWHERE ||
	       !isinf(change_value(e, x, i, j, row_of(e->a, from)[col],
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

	if (!explains(e, x, e->c->absolute.row, e->c->absolute.col))
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

/*
 * What the change leaves; infinite if that is too much. Or if it isn't exact
 * and does not explain most of the values that differ: the limit is low for the
 * largest values only. Or if there is not evidence enough: by chance few values
 * fit one of many changes.
 */
double change_residual(struct explainer *e, const struct change *x)
{
	const size_t rows = e->shape_b[PLANES] * e->shape_b[ROWS];
	const size_t cols = e->shape_b[COLUMNS];
	struct left l = { 0 };
	double bits;

	if (!spend(e, 1) || !probe(e, x))
		return (double)INFINITY;
	for (size_t j = 0; j < cols; j++)
		e->columns[j] = map_index(x->maps[COLUMNS], j);
	if (!e->c->shaped)
		evidence_begin(e, e->b);
	for (size_t j = 0; j < rows && !isinf(l.largest); j++) {
		const size_t from = source_row(e, x, j);

		if (from == NOWHERE)
			continue;
		if (!spend(e, cols))
			return (double)INFINITY;
		compare_row(e, x, row_of(e->a, from), j, &l);
	}
	bits = e->c->shaped ? (double)l.differed * e->bits_a
	       : (double)rows * (double)cols *
		 (e->b == e->c->b ? e->bits_b : e->bits_a);
	if (bits < x->needed + (e->made[0] ? 2 * CHANCE : 0) ||
	    (e->c->shaped && 4 * l.differing > l.differed))
		return (double)INFINITY;
	return e->c->shaped ? l.largest : evident_residual(e, l.largest);
}

bool try_change(struct explainer *e, const struct change *x)
{
	return try_residual(e, change_residual(e, x));
}

bool try_map(struct explainer *e, int axis, struct index_map *m, double bits)
{
	struct change x = { NO_CHANGE, .needed = CHANCE + bits };

	m->n = e->shape_b[axis];
	x.maps[axis] = m;
	return try_change(e, &x);
}

bool all_values(const struct explainer *e,
		bool (*holds)(void *self, double a, double b), void *self)
{
	const size_t row = e->c->absolute.row,
		     col = e->c->absolute.col;

	if (!holds(self, row_of(e->a, row)[col], row_of(e->b, row)[col]))
		return false;
	for (size_t i = 0; i < e->b->planes * e->b->rows; i++) {
		const double *a = row_of(e->a, i), *b = row_of(e->b, i);

		for (size_t j = 0; j < e->b->cols; j++)
			if (!holds(self, a[j], b[j]))
				return false;
	}
	return true;
}

uint64_t value_hash(double x, size_t place)
{
	const double y = isnan(x) ? (double)NAN : x + 0.0;
	const uint64_t odd = 0xd6e8feb86659fd93u;
	uint64_t u;

	memcpy(&u, &y, sizeof u);
	u += place * odd;
	u = (u ^ u >> 32) * odd;
	u = (u ^ u >> 32) * odd;
	return u ^ u >> 32;
}

enum { DISTINCT_MOST = 256, SLOTS = 1024 };

/* log2 of the number of values of t that are different, up to 256. */
static double count_bits(const struct table *t)
{
	uint64_t slots[SLOTS] = { 0 };
	size_t count = 0;

	for (size_t i = 0; count < DISTINCT_MOST && i < t->planes * t->rows;
	     i++) {
		const double *x = row_of(t, i);

		for (size_t j = 0; j < t->cols && count < DISTINCT_MOST; j++) {
			const uint64_t u = value_hash(x[j], 0) | 1;
			size_t at = (size_t)(u >> 54);

			while (slots[at] && slots[at] != u)
				at = (at + 1) % SLOTS;
			count += !slots[at];
			slots[at] = u;
		}
	}
	return count ? log2((double)count) : 0;
}

void explainer_compare(struct explainer *e, const struct table *a,
		       const struct table *b)
{
	e->a = a;
	e->b = b;
	e->sums = NULL;
	memcpy(e->shape_a, (size_t[]){ a->planes, a->rows, a->cols },
	       sizeof e->shape_a);
	memcpy(e->shape_b, (size_t[]){ b->planes, b->rows, b->cols },
	       sizeof e->shape_b);
	e->alike = memcmp(e->shape_a, e->shape_b, sizeof e->shape_a) == 0 &&
		   (a != e->c->a || e->c->shaped);
}

static bool begin(struct explainer *e)
{
	const struct table *a = e->c->a, *b = e->c->b;
	const struct finite f = finite_values(b);

	explainer_compare(e, a, b);
	e->limit = RESIDUAL_MAX * fmin(f.largest, e->c->absolute.value);
	e->most_tolerated = TOLERATED_MOST * f.deviation;
	e->bits_a = count_bits(a);
	e->bits_b = count_bits(b);
	e->columns = table_alloc(e->owner, a->cols > b->cols ? a->cols
							     : b->cols,
				 sizeof *e->columns, e->err);
	return e->columns && table_size(a) > 1 && table_size(b) > 1;
}

void explain_all(struct explainer *e)
{
	static const struct {
		void (*explain)(struct explainer *e);
		unsigned int when;
	} all[] = {
#define EXPLANATION(name, when) { explain_##name, when },
		EXPLANATIONS(EXPLANATION)
#undef EXPLANATION
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if ((all[i].when & UNLIKE || e->alike) &&
		    (all[i].when & MADE || !e->made[0]) &&
		    !(all[i].when & INEXACT && explained_exactly(e)) &&
		    !(all[i].when & UNFOUND && e->found))
			all[i].explain(e);
}

bool explain(const struct comparison *c, struct explanation *best,
	     struct table *owner, struct error *err)
{
	struct explainer e = { .c = c, .best = best, .owner = owner,
			       .err = err, .made = "" };

	*best = (struct explanation){ .n = 0 };
	if (begin(&e))
		explain_all(&e);
	return e.found;
}
