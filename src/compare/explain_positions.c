/* explain_positions.c: rows that repeat others: positions clamped, wrapped. */
#include <string.h>

#include "compare/explain.h"

static size_t clamped_source(const struct index_map *m, size_t i)
{
	return i < m->first ? i : m->first;
}

static size_t wrapped_source(const struct index_map *m, size_t i)
{
	return i % m->p;
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

bool same_rows(const struct explainer *e, size_t first, size_t end)
{
	while (first < end && same_row(e, first))
		first++;
	return first == end;
}

static bool try_source(struct explainer *e, struct index_map m)
{
	const struct change x = {
		NO_CHANGE, .maps[ROWS] = &m,
		.needed = CHANCE + log2((double)m.n),
	};

	return try_change(e, &x);
}

/* The first rows are the same; the others repeat the last of them, or all. */
void explain_repeated_rows(struct explainer *e)
{
	struct index_map m = { .n = e->shape_b[ROWS] };
	size_t same = 0;

	while (e->c->shaped && same < m.n && same_row(e, same))
		same++;
	/* Not all rows are, unless a file has changed */
	if (!same || same == m.n)
		return;
	m.first = same - 1;
	m.p = m.hint = same;
	m.source = clamped_source;
	if (try_source(e, m))
		explained(e, "row %zu of A is repeated in B from row %zu on, "
			  "as if positions were clamped; rows before are "
			  "unchanged", same - 1, same);
	m.source = wrapped_source;
	if (same > 1 && try_source(e, m))
		explained(e, "rows 0 to %zu of A are repeated in B from row "
			  "%zu on, as if positions were taken modulo %zu",
			  same - 1, same, same);
}
