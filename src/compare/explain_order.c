/* explain_order.c: planes, rows or columns permuted, or with other signs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/explain.h"
#include "exact/simd.h"
#include "table/sort.h"

/* The contents of one plane, row or column of a table, as a number. */
struct slice {
	uint64_t hash;
	size_t index;
};

SIMD_LOOP uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

/*
 * Hashes of values x [n] at places first, first + step, ... to hash: equal for
 * equal values, for 0 and -0, and for all NaN.
 */
SIMD_LOOP void hash_loop(const double *x, size_t n, uint64_t first,
			 uint64_t step, uint64_t *hash)
{
	for (size_t j = 0; j < n; j++) {
		const double y = x[j] != x[j] ? (double)NAN : x[j] + 0.0;
		uint64_t u;

		memcpy(&u, &y, sizeof u);
		hash[j] = mix(u + mix(first + j * step));
	}
}

SIMD_EACH(void, hash_values, (const double *x, size_t n, uint64_t first,
			      uint64_t step, uint64_t *hash),
	  hash_loop(x, n, first, step, hash))

/* Add the hashes of row r of plane p to those of their slices. */
static void hash_row(const struct explainer *e, const double *x, size_t p,
		     size_t r, int axis, struct slice *s)
{
	enum { SOME = 512 };
	const size_t *n = e->shape_b, cols = n[COLUMNS];
	const uint64_t step = axis != COLUMNS;
	const uint64_t place = axis == PLANES ? r * cols
			       : axis == ROWS ? p * cols : p * n[ROWS] + r;
	uint64_t hash[SOME];

	for (size_t c = 0, k; c < cols; c += k) {
		k = cols - c < SOME ? cols - c : SOME;
		hash_values[simd_best()](x + c, k, place + c * step, step,
					 hash);
		for (size_t j = 0; j < k; j++)
			s[axis == PLANES ? p : axis == ROWS ? r : c + j].hash +=
				hash[j];
	}
}

/* The slices along an axis of t, which has the shape of both tables. */
static void hash_slices(const struct explainer *e, const struct table *t,
			int axis, struct slice *s)
{
	const size_t *n = e->shape_b;

	for (size_t i = 0; i < n[axis]; i++)
		s[i] = (struct slice){ 0, i };
	for (size_t p = 0; p < n[PLANES]; p++)
		for (size_t r = 0; r < n[ROWS]; r++)
			hash_row(e, row_of(t, p * n[ROWS] + r), p, r, axis, s);
}

static int by_hash(const void *left, const void *right)
{
	const struct slice *a = left, *b = right;
	const int order = integers_order(a->hash, b->hash);

	return order ? order : integers_order(a->index, b->index);
}

/* Set order [n] to where the slices of B are in A; false if some are not. */
static bool match_slices(struct slice *a, struct slice *b, size_t n,
			 double *order)
{
	qsort(a, n, sizeof *a, by_hash);
	qsort(b, n, sizeof *b, by_hash);
	for (size_t i = 0; i < n; i++) {
		if (a[i].hash != b[i].hash)
			return false;
		order[b[i].index] = (double)a[i].index;
	}
	return true;
}

static size_t listed_source(const struct index_map *m, size_t i)
{
	return (size_t)m->order[i];
}

enum { LISTED = 6 };

/* Whether order is k, k + 1, ..., n - 1, 0, 1, ... */
static bool is_rolled(const double *order, size_t n)
{
	size_t i = 0;

	while (i < n && (size_t)order[i] == ((size_t)order[0] + i) % n)
		i++;
	return i == n;
}

/*
 * Write the indices that are elsewhere in A to text, as far as there is room:
 * "30, 31", and in A "31, 30". Returns how many there are.
 */
static size_t list_moved(const double *order, size_t n, char to[200],
			 char from[200])
{
	size_t moved = 0, x = 0, y = 0;

	for (size_t i = 0; i < n; i++) {
		if ((size_t)order[i] == i)
			continue;
		if (moved < LISTED) {
			x += (size_t)snprintf(to + x, 200 - x, "%s%zu",
					      moved ? ", " : "", i);
			y += (size_t)snprintf(from + y, 200 - y, "%s%.0f",
					      moved ? ", " : "", order[i]);
		}
		moved++;
	}
	return moved;
}

static void say_order(struct explainer *e, int axis, const double *order,
		      size_t n)
{
	static const char *const names[AXES] = {
		"plane_order", "row_order", "column_order"
	};
	char to[200], from[200];
	const size_t moved = list_moved(order, n, to, from);
	const char *word = axis_word[axis];
	const char *more = moved > LISTED ? ", ..." : "";
	struct explanation *x;

	if (is_rolled(order, n))
		x = explained(e, "B is A with its %ss rolled by %.0f, as by "
			      "numpy.roll", word,
			      (double)n - order[0]);
	else if (moved == n)
		x = explained(e, "B is A with its %ss permuted: %s of B are "
			      "%ss %s%s of A", word,
			      n > LISTED ? "the first" : "those", word, from,
			      more);
	else
		x = explained(e, "B is A with %zu of %zu %ss permuted: %ss "
			      "%s%s of B are %ss %s%s of A", moved, n, word,
			      word, to, more, word, from, more);
	x->order_of = names[axis];
	x->order = order;
	x->n = n;
}

static void try_order(struct explainer *e, int axis)
{
	const size_t n = e->shape_b[axis];
	struct slice *a = explainer_alloc(e, n, sizeof *a);
	struct slice *b = explainer_alloc(e, n, sizeof *b);
	double *order = explainer_alloc(e, n, sizeof *order);
	const struct index_map m = { .source = listed_source, .n = n,
				     .order = order };
	struct change x = { NO_CHANGE, .needed = CHANCE };

	if (!a || !b || !order)
		return;
	x.maps[axis] = &m;
	hash_slices(e, e->a, axis, a);
	hash_slices(e, e->b, axis, b);
	if (match_slices(a, b, n, order) && try_change(e, &x))
		say_order(e, axis, order, n);
}

/* Other explanations say more. */
void explain_permuted(struct explainer *e)
{
	for (int axis = PLANES; e->c->shaped && axis < AXES &&
	     !explained_exactly(e); axis++)
		if (e->shape_b[axis] > 1)
			try_order(e, axis);
}

/* Signs of an axis: what the values so far allow. */
enum { SAME = 1, OTHER = 2 };

static int allowed_signs(const struct explainer *e, double a, double b)
{
	return (value_explained(e, a, b, value_difference(a, b)) ? SAME : 0) |
	       (value_explained(e, -a, b, value_difference(-a, b)) ? OTHER : 0);
}

static bool allow_signs(const struct explainer *e, int axis,
			unsigned char *signs)
{
	const size_t *n = e->shape_b;

	for (size_t i = 0; i < n[PLANES] * n[ROWS]; i++) {
		const double *a = row_of(e->a, i), *b = row_of(e->b, i);

		for (size_t j = 0; j < n[COLUMNS]; j++, a++, b++) {
			unsigned char *s = &signs[axis == ROWS ? i % n[ROWS]
							       : j];

			*s &= (unsigned char)allowed_signs(e, *a, *b);
			if (!*s)
				return false;
		}
	}
	return true;
}

/* "columns 1, 3, 5, ..." */
static void say_signs(struct explainer *e, int axis, const double *sign,
		      double *flipped)
{
	char places[200];
	size_t length = 0, n = 0;
	struct explanation *x;

	for (size_t i = 0; i < e->shape_b[axis]; i++) {
		if (sign[i] > 0)
			continue;
		if (n < LISTED)
			length += (size_t)snprintf(places + length,
						   sizeof places - length,
						   "%s%zu", n ? ", " : "", i);
		flipped[n++] = (double)i;
	}
	x = explained(e, "B is A with the signs of %zu of %zu %ss changed: "
		      "%s%s",
		      n, e->shape_b[axis], axis_word[axis], places,
		      n > LISTED ? ", ..." : "");
	x->order_of = axis == ROWS ? "flipped_rows" : "flipped_columns";
	x->order = flipped;
	x->n = n;
}

static void try_signs(struct explainer *e, int axis)
{
	const size_t n = e->shape_b[axis];
	unsigned char *allowed = explainer_alloc(e, n, 1);
	double *sign = explainer_alloc(e, n, 2 * sizeof *sign);
	struct change x = { NO_CHANGE, .needed = 1 };

	if (!allowed || !sign)
		return;
	memset(allowed, SAME | OTHER, n);
	if (!allowed_signs(e, most_of_a(e), most_of_b(e)) ||
	    !allow_signs(e, axis, allowed))
		return;
	for (size_t i = 0; i < n; i++) {
		sign[i] = allowed[i] & SAME ? 1 : -1;
		x.needed += 2 * (sign[i] < 0);
	}
	x.signs[axis] = sign;
	if (try_change(e, &x))
		say_signs(e, axis, sign, sign + n);
}

/* A sign for each row or column, where these have several values. */
void explain_flipped_signs(struct explainer *e)
{
	for (int axis = COLUMNS; e->c->shaped && axis >= ROWS &&
	     !explained_exactly(e); axis--)
		try_signs(e, axis);
}
