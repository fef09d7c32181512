/* explain_orders.c: planes, rows or columns in another order, or repeated. */
#include <stdlib.h>
#include <string.h>

#include "compare/explain.h"
#include "table/sort.h"

/*
 * Columns as pairs, which are interleaved, or split in two halves: from an
 * order to one, and whether the two of a pair are swapped. Where pairs are
 * sines and cosines, what that is.
 */
static const struct column_order {
	bool split[2], swapped;
	const char *text, *waves;
} column_orders[] = {
	{ { false, true }, false, "its columns split",
	  " (interleaved to [sin ... | cos ...])" },
	{ { true, false }, false, "its columns interleaved",
	  " (from [sin ... | cos ...])" },
	{ { false, false }, true, "neighbouring columns swapped",
	  " (sin and cos)" },
	{ { true, true }, true, "the halves of its columns swapped",
	  " (sin and cos)" },
	{ { false, true }, true, "its columns split and swapped",
	  " (interleaved to [cos ... | sin ...])" },
	{ { true, false }, true, "its columns interleaved and swapped",
	  " (from [cos ... | sin ...])" },
};

bool has_waves(const struct table *t, bool split)
{
	const size_t gap = split ? t->cols / 2 : 1, stride = split ? 1 : 2;
	const double *first = row_of(t, 0);
	const double amp = t->cols > 1 ? hypot(first[0], first[gap]) : 0;
	bool waves = amp > 0;

	for (size_t i = 0; waves && i < t->planes * t->rows; i++) {
		const double *x = row_of(t, i);

		for (size_t k = 0; waves && k < t->cols / 2; k++, x += stride)
			waves = fabs(hypot(x[0], x[gap]) - amp) <= 0.01 * amp;
	}
	return waves;
}

static size_t column_source(const struct index_map *m, size_t j)
{
	const struct column_order *o = &column_orders[m->by];
	const size_t half = (m->n + 1) / 2;
	const size_t k = !o->split[1] ? j / 2 : j < half ? j : j - half;
	const size_t second = (o->split[1] ? j >= half : j % 2) ^ o->swapped;

	return o->split[0] ? second * half + k : 2 * k + second;
}

void explain_columns(struct explainer *e)
{
	const size_t cols = e->shape_b[COLUMNS];
	struct index_map reversed = { .source = stepped_source,
				      .first = (long)cols - 1, .by = -1 };

	for (size_t k = 0; k < sizeof column_orders / sizeof *column_orders;
	     k++) {
		const struct column_order *o = &column_orders[k];
		struct index_map m = { .source = column_source,
				       .by = (long)k, .hint = 1 };

		if ((cols % 2 == 0 || !o->swapped) &&
		    try_map(e, COLUMNS, &m, 0))
			explained(e, "B is A with %s%s", o->text,
				  has_waves(e->a, o->split[0]) ? o->waves : "");
	}
	if (try_map(e, COLUMNS, &reversed, 0))
		explained(e, "B is A with its columns in reverse order");
}

static size_t heads_source(const struct index_map *m, size_t i)
{
	return head_source(&m->heads, i);
}

static void say_heads(struct explainer *e, int axis,
		      const struct head_layout *l)
{
	static const char *const order[] = { "half", "interleaved" };
	const size_t heads = e->shape_b[axis] / l->dim;
	const bool bias = axis == COLUMNS && e->shape_b[ROWS] == 1;
	char partial[SENTENCE] = "", part[SENTENCE] = "";
	struct explanation *x;

	if (l->rotary != l->dim) {
		add(partial, ", of which the first %zu rotate", l->rotary);
		add(part, " --rotary-dim %zu", l->rotary);
	}
	x = explained(e, "B is A with its %ss permuted within each of %zu "
		      "head%s of %zu%s, from %s to %s order", axis_word[axis],
		      heads, heads == 1 ? "" : "s", l->dim, partial,
		      order[l->to == HEAD_HALF], order[l->to]);
	x->heads = heads;
	x->head_dim = l->dim;
	x->rotary_dim = l->rotary;
	explained_by(e, x, "permute %s --heads %zu --to %s%s%s",
		     e->c->a->from.command, heads, order[l->to],
		     axis == COLUMNS && !bias ? " --axis columns" : "", part);
}

/* All numbers of heads, or the one that is given, with all or some rotating. */
static void try_heads(struct explainer *e, int axis, bool all)
{
	const size_t n = e->shape_b[axis], given = e->c->heads;

	for (size_t heads = 1; heads <= n / 4; heads++) {
		const size_t dim = n / heads;
		/* Columns of one head are explain_columns()'s. */
		const bool other = all && axis == COLUMNS && heads == 1;

		if (n % heads || (given ? heads != given : other))
			continue;
		for (size_t r = all ? dim : 4; r < dim + all && r % 2 == 0;
		     r += 2)
			for (int to = HEAD_HALF; to <= HEAD_INTERLEAVED; to++) {
				struct index_map m = {
					.source = heads_source,
					.hint = to == HEAD_HALF ? r / 2 : 1,
					.heads = { dim, r,
						   (enum head_order)to },
				};

				if (try_map(e, axis, &m, 0))
					say_heads(e, axis, &m.heads);
			}
	}
}

void explain_heads(struct explainer *e)
{
	const int least = e->made[0] ? 1 : 0;

	for (int all = 1; all >= least; all--)
		for (int axis = ROWS; axis <= COLUMNS; axis++)
			try_heads(e, axis, all);
}

void explain_reversed_rows(struct explainer *e)
{
	struct index_map m = { .source = stepped_source, .by = -1,
			       .first = (long)e->shape_b[ROWS] - 1 };

	if (try_map(e, ROWS, &m, 0))
		explained(e, "B is A with its rows in reverse order%s",
			  e->shape_b[PLANES] > 1 ? " in each plane" : "");
}

/*
 * The axis, from index first on, is [outer, p, q, inner] in A and [outer, q, p,
 * inner] in B.
 */
static size_t regrouped_source(const struct index_map *m, size_t i)
{
	const size_t first = (size_t)m->first, j = i - first, in = j % m->inner;
	const size_t p = j / m->inner % m->p;
	const size_t q = j / m->inner / m->p % m->q;
	const size_t outer = j / m->inner / m->p / m->q;

	if (i < first)
		return i;
	return first + ((outer * m->p + p) * m->q + q) * m->inner + in;
}

/* "its columns regrouped: reshaped to [3, 2, 4], the first two axes ..." */
static void say_groups(struct explainer *e, int axis,
		       const struct index_map *m)
{
	char shape[SENTENCE] = "";

	if (m->outer > 1)
		add(shape, "%zu, ", m->outer);
	add(shape, "%zu, %zu", m->p, m->q);
	if (m->inner > 1)
		add(shape, ", %zu", m->inner);
	if (m->outer == 1 && m->inner == 1)
		explained(e, "B is A with the cells of a grid transposed: its "
			  "%ss are %zu x %zu cells in A and %zu x %zu in B%s",
			  axis_word[axis], m->p, m->q, m->q, m->p,
			  m->first == 2 ? ", after the first two rows"
			  : m->first ? ", after the first row" : "");
	else
		explained(e, "B is A with its %ss regrouped: reshaped to "
			  "[%s], the %s two axes are exchanged",
			  axis_word[axis], shape, m->outer == 1 ? "first"
			  : m->inner == 1 ? "last" : "middle");
}

/* All [outer, p, q, inner] of one outer from index first on; or cells. */
static void try_groups(struct explainer *e, int axis, size_t first,
		       size_t outer, bool cells)
{
	const size_t n = (e->shape_b[axis] - first) / outer;

	for (size_t p = 2; p <= n; p++)
		for (size_t q = cells ? n / p : 2; n % p == 0 && q > 1 &&
		     q <= n / p; q++) {
			struct index_map m = {
				.source = regrouped_source,
				.first = (long)first,
				.outer = outer, .p = p, .q = q,
				.inner = n / p / q,
				.hint = first + n / p / q,
			};

			if (n / p % q == 0 &&
			    (cells || outer * m.inner > 1) &&
			    try_map(e, axis, &m, 0))
				say_groups(e, axis, &m);
		}
}

/* Class tokens and the like may come before the cells. */
void explain_cells(struct explainer *e)
{
	for (size_t first = 0; !explained_exactly(e) && first <= 2 &&
	     first < e->shape_b[ROWS]; first++)
		try_groups(e, ROWS, first, 1, true);
}

/* Such as [heads, 3, dim] to [3, heads, dim]. */
void explain_regrouped(struct explainer *e)
{
	for (int axis = ROWS; axis < AXES; axis++)
		for (size_t n = 1; n <= e->shape_b[axis]; n++)
			if (e->shape_b[axis] % n == 0 && !explained_exactly(e))
				try_groups(e, axis, 0, n, false);
}

/* The contents of one plane, row or column of a table, as a number. */
struct slice {
	uint64_t hash;
	size_t index;
};

static int by_hash(const void *left, const void *right)
{
	const struct slice *a = left, *b = right;
	const int order = integers_order(a->hash, b->hash);

	return order ? order : integers_order(a->index, b->index);
}

/* The slices along an axis of t, which has the shape of both, by hash; NULL */
static struct slice *hash_slices(struct explainer *e, const struct table *t,
				 int axis)
{
	const size_t *n = e->shape_b;
	struct slice *s = explainer_alloc(e, n[axis], sizeof *s);

	for (size_t i = 0; s && i < n[axis]; i++)
		s[i] = (struct slice){ 0, i };
	for (size_t i = 0; s && i < n[PLANES] * n[ROWS]; i++) {
		const double *x = row_of(t, i);
		const size_t p = i / n[ROWS], r = i % n[ROWS];

		for (size_t c = 0; c < n[COLUMNS]; c++) {
			const size_t at[] = { p, r, c };
			const size_t place = axis == PLANES ? r * n[COLUMNS] + c
				: axis == ROWS ? p * n[COLUMNS] + c : i;

			s[at[axis]].hash += value_hash(x[c], place);
		}
	}
	if (s)
		qsort(s, n[axis], sizeof *s, by_hash);
	return s;
}

static void say_order(struct explainer *e, int axis, const double *order)
{
	static const char *const names[AXES] = {
		"plane_order", "row_order", "column_order"
	};
	const char *word = axis_word[axis];
	const size_t n = e->shape_b[axis];
	double to[LISTED] = { 0 }, from[LISTED] = { 0 };
	char of_b[SENTENCE], of_a[SENTENCE];
	struct explanation *x;
	size_t moved = 0, rolled = 0;

	for (size_t i = 0; i < n; i++) {
		rolled += (size_t)order[i] == ((size_t)order[0] + i) % n;
		if ((size_t)order[i] == i)
			continue;
		if (moved < LISTED) {
			to[moved] = (double)i;
			from[moved] = order[i];
		}
		moved++;
	}
	index_list(to, moved, of_b);
	index_list(from, moved, of_a);
	if (rolled == n)
		x = explained(e, "B is A with its %ss rolled by %.0f, as by "
			      "numpy.roll", word, (double)n - order[0]);
	else if (moved == n)
		x = explained(e, "B is A with its %ss permuted: %s of B are "
			      "%ss %s of A", word, n > LISTED ? "the first"
			      : "those", word, of_a);
	else
		x = explained(e, "B is A with %zu of %zu %ss permuted: %ss "
			      "%s of B are %ss %s of A", moved, n, word,
			      word, of_b, word, of_a);
	x->order_of = names[axis];
	x->order = order;
	x->n = n;
}

/* The order in which slices of B are in A, by their contents. */
static void try_contents(struct explainer *e, int axis)
{
	const size_t n = e->shape_b[axis];
	struct slice *a = hash_slices(e, e->a, axis);
	struct slice *b = hash_slices(e, e->b, axis);
	double *order = explainer_alloc(e, n, sizeof *order);
	struct index_map m = { .order = order };
	size_t i = 0;

	for (; a && b && order && i < n && a[i].hash == b[i].hash; i++)
		order[b[i].index] = (double)a[i].index;
	if (i == n && try_map(e, axis, &m, 0))
		say_order(e, axis, order);
}

/* Other explanations say more. */
void explain_permuted(struct explainer *e)
{
	for (int axis = PLANES; axis < AXES && !explained_exactly(e); axis++)
		if (e->shape_b[axis] > 1)
			try_contents(e, axis);
}

/* Whether row i is the same in both tables, in all planes. */
static bool same_row(const struct explainer *e, size_t i)
{
	const size_t cols = e->shape_b[COLUMNS];

	for (size_t p = 0; p < e->shape_b[PLANES]; p++) {
		const size_t at = p * e->shape_b[ROWS] + i;
		const double *a = row_of(e->a, at), *b = row_of(e->b, at);

		for (size_t j = 0; j < cols; j++)
			if (!values_equal(e->c, a[j], b[j]))
				return false;
	}
	return true;
}

static size_t repeated_source(const struct index_map *m, size_t i)
{
	return m->by ? i % m->p : i < m->p ? i : m->p - 1;
}

/* The first rows are the same; the others repeat the last of them, or all. */
void explain_repeated_rows(struct explainer *e)
{
	const size_t n = e->shape_b[ROWS];
	struct index_map m = { .source = repeated_source };
	size_t same = 0;

	while (same < n && same_row(e, same))
		same++;
	/* Not all rows are, unless a file has changed */
	if (!same || same == n)
		return;
	m.p = m.hint = same;
	if (try_map(e, ROWS, &m, log2((double)n)))
		explained(e, "row %zu of A is repeated in B from row %zu on, "
			  "as if positions were clamped; rows before are "
			  "unchanged", same - 1, same);
	m.by = 1;
	if (same > 1 && try_map(e, ROWS, &m, log2((double)n)))
		explained(e, "rows 0 to %zu of A are repeated in B from row "
			  "%zu on, as if positions were taken modulo %zu",
			  same - 1, same, same);
}

/* Of the rows that a shift leaves, if they are the same. */
static void add_unchanged(const struct explainer *e, long by,
			  char text[SENTENCE])
{
	const size_t n = (size_t)labs(by);
	const size_t first = by < 0 ? 0 : e->shape_b[ROWS] - n;
	const char *where = by < 0 ? "first" : "last";
	size_t same = 0;

	while (same < n && same_row(e, first + same))
		same++;
	if (same == n && n == 1)
		add(text, "; the %s row is unchanged", where);
	else if (same == n)
		add(text, "; the %s %zu rows are unchanged", where, n);
}

/* A shift leaves some rows unexplained, at most half of them. */
void explain_shifted_rows(struct explainer *e)
{
	const long n = (long)e->shape_b[ROWS];

	for (long k = 2; k / 2 <= n / 2 && spend(e, 0); k++) {
		const long by = k % 2 ? -(k / 2) : k / 2;
		struct index_map m = { .source = stepped_source, .first = by,
				       .by = 1, .hint = (size_t)n / 2 };
		char rest[SENTENCE] = "";

		if (!try_map(e, ROWS, &m, log2((double)n)))
			continue;
		add_unchanged(e, by, rest);
		explained(e, "row i of B is row i %c %ld of A%s%s",
			  by < 0 ? '-' : '+', labs(by),
			  e->shape_b[PLANES] > 1 ? " in each plane" : "", rest);
	}
}
