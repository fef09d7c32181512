/* before_heads.c: heads and the axis of positions, by equal angles. */
#include <math.h>

#include "identify/before.h"

const double *before_row(const struct table *t, size_t i)
{
	return t->row(t, i, NULL);
}

size_t before_spread(size_t k, size_t n, size_t all)
{
	return n < 2 ? all - 1 : k * (all - 1) / (n - 1);
}

static size_t fewer(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The turn of pair m in row i. */
static struct turn turn_at(const struct before *b, size_t i, size_t m)
{
	const double *x = before_row(b->x, i), *y = before_row(b->y, i);
	const struct column_pair c = b->column_pairs[m];

	return (struct turn){
		.re = x[c.a] * y[c.a] + x[c.b] * y[c.b],
		.im = x[c.a] * y[c.b] - x[c.b] * y[c.a],
		.weight = x[c.a] * x[c.a] + x[c.b] * x[c.b],
	};
}

struct turn before_turn(const struct before *b, size_t j, size_t k)
{
	const size_t inner = b->x->rows;
	struct turn sum = {0};

	for (size_t i = b->planes ? j * inner : j; i < b->rows;) {
		for (size_t h = 0; h < b->heads; h++) {
			const struct turn t = turn_at(b, i, h * b->pairs + k);

			sum.re += t.re;
			sum.im += t.im;
			sum.weight += t.weight;
		}
		i += !b->planes	       ? inner
		     : (i + 1) % inner ? 1
				       : (b->n - 1) * inner + 1;
	}
	return sum;
}

/* Squared differences of turns, and the weight they have. */
struct difference {
	double off, all;
};

/* Compare pair m of row i with pair k of row j. */
static void compare_turns(const struct before *b, size_t i, size_t m, size_t j,
			  size_t k, struct difference *d)
{
	const struct turn t = turn_at(b, i, m), u = turn_at(b, j, k);
	const double weight = fmin(t.weight, u.weight);

	if (!(weight > 0))
		return;
	d->off += weight * (pow(t.re / t.weight - u.re / u.weight, 2) +
			    pow(t.im / t.weight - u.im / u.weight, 2));
	d->all += weight * b->amp * b->amp;
}

/* Whether noise explains the differences. */
static bool alike(const struct before *b, const struct difference *d)
{
	return d->off <= (30 * b->noise * b->noise + 1e-20) * d->all;
}

/* Whether rows of all planes turn alike, or all rows of each plane. */
static bool same_turns(const struct before *b, bool across_planes)
{
	enum { OUTER = 16, INNER = 8 };
	const size_t inner = b->x->rows, planes = b->x->planes;
	const size_t outer = across_planes ? inner : planes;
	const size_t other = across_planes ? planes : inner;
	const size_t some = fewer(outer, OUTER), few = fewer(other, INNER);
	struct difference d = {0};

	for (size_t o = 0; o < some; o++)
		for (size_t k = 0; k < few; k++) {
			const size_t at = before_spread(o, some, outer);
			const size_t to = before_spread(k, few, other);

			for (size_t m = 0; m < b->heads * b->pairs; m++)
				compare_turns(b,
					      across_planes ? to * inner + at
							    : at * inner + to,
					      m,
					      across_planes ? at : at * inner,
					      m, &d);
		}
	return alike(b, &d);
}

/* Whether the planes turn as the first n of them do, again and again. */
static bool planes_repeat(const struct before *b, size_t n)
{
	const size_t inner = b->x->rows, count = fewer(b->x->planes, 64);
	struct difference d = {0};

	for (size_t q = 0; q < count; q++) {
		const size_t at = before_spread(q, count, b->x->planes);

		for (size_t m = 0; m < b->heads * b->pairs; m++)
			compare_turns(b, at * inner, m, at % n * inner, m, &d);
	}
	return alike(b, &d);
}

/* Find the axis that positions run along. */
static bool find_axis(struct before *b)
{
	const size_t planes = b->x->planes;

	b->n = b->x->rows;
	if (planes == 1 || same_turns(b, true))
		return true;
	b->planes = true;
	b->n = 1;
	while (b->n < planes && (planes % b->n || !planes_repeat(b, b->n)))
		b->n++;
	return same_turns(b, false);
}

/* Whether the layout's heads turn alike, taken together in groups of n. */
static bool heads_repeat(const struct before *b, size_t n)
{
	const size_t count = fewer(b->rows, 16), period = n * b->pairs;
	struct difference d = {0};

	for (size_t r = 0; r < count; r++) {
		const size_t i = before_spread(r, count, b->rows);

		for (size_t m = period; m < b->heads * b->pairs; m++)
			compare_turns(b, i, m, i, m % period, &d);
	}
	return alike(b, &d);
}

/* Take n heads for one, if its pairs are regular, too. */
static void join_heads(struct before *b, size_t n)
{
	if (n == 1)
		return;
	if (b->pairing == PAIRING_HALF || b->rotary < b->dim) {
		b->pairing = PAIRING_OTHER;
		return;
	}
	b->heads /= n;
	b->dim *= n;
	b->rotary = b->dim;
	b->pairs *= n;
}

/* Allocate all that laws and positions are searched with. */
static bool begin_search(struct before *b)
{
	double *room;

	b->laws = table_alloc(b->owner, MAX_LAWS * sizeof *b->laws +
			      4 * b->pairs * sizeof *b->turns +
			      (4 * b->pairs + b->n) * sizeof *room, 1, b->err);
	if (!b->laws)
		return false;
	b->turns = (struct turn *)(void *)(b->laws + MAX_LAWS);
	room = (double *)(void *)(b->turns + 4 * b->pairs);
	b->w = room;
	b->error = b->w + b->pairs;
	b->scratch = b->error + b->pairs;
	b->at = b->scratch + 2 * b->pairs;
	return true;
}

bool before_heads(struct before *b, const char **why)
{
	size_t n = 1;

	*why = "no match found: pairs of columns rotate, but neither do rows "
	       "of "
	       "all planes rotate alike nor all rows of a plane";
	if (!find_axis(b))
		return false;
	while (n < b->heads && (b->heads % n || !heads_repeat(b, n)))
		n++;
	join_heads(b, n);
	return begin_search(b);
}
