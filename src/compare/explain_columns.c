/* explain_columns.c: the orders of columns of sines and cosines. */
#include <stdio.h>

#include "compare/explain.h"

enum column_order {
	SPLIT, INTERLEAVED, SWAPPED_PAIRS, SWAPPED_HALVES, SPLIT_SWAPPED,
	INTERLEAVED_SWAPPED, REVERSED, COLUMN_ORDERS
};

/* What a change does, and what it is where pairs are sines and cosines. */
static const struct {
	const char *text, *waves;
} orders[COLUMN_ORDERS] = {
	[SPLIT] = { "its columns split",
		    " (interleaved to [sin ... | cos ...])" },
	[INTERLEAVED] = { "its columns interleaved",
			  " (from [sin ... | cos ...])" },
	[SWAPPED_PAIRS] = { "neighbouring columns swapped", " (sin and cos)" },
	[SWAPPED_HALVES] = { "the halves of its columns swapped",
			     " (sin and cos)" },
	[SPLIT_SWAPPED] = { "its columns split and swapped",
			    " (interleaved to [cos ... | sin ...])" },
	[INTERLEAVED_SWAPPED] = { "its columns interleaved and swapped",
				  " (from [cos ... | sin ...])" },
	[REVERSED] = { "its columns in reverse order", "" },
};

/* Whether all pairs of columns of A are (amp sin x, amp cos x). */
static bool has_waves(const struct explainer *e, bool adjacent)
{
	const size_t cols = e->shape_a[COLUMNS];
	const size_t rows = e->shape_a[PLANES] * e->shape_a[ROWS];
	const size_t gap = adjacent ? 1 : cols / 2, stride = adjacent ? 2 : 1;
	const double *first = row_of(e->a, 0);
	const double amp = hypot(first[0], first[gap]);
	bool waves = amp > 0;

	for (size_t i = 0; waves && i < rows; i++) {
		const double *x = row_of(e->a, i);

		for (size_t k = 0; waves && k < cols / 2; k++, x += stride)
			waves = fabs(hypot(x[0], x[gap]) - amp) <= 0.01 * amp;
	}
	return waves;
}

static const char *waves_text(const struct explainer *e, int order)
{
	const bool adjacent = order == SPLIT || order == SPLIT_SWAPPED ||
			      order == SWAPPED_PAIRS;

	return has_waves(e, adjacent) ? orders[order].waves : "";
}

static size_t column_source(const struct index_map *m, size_t j)
{
	const size_t first = (m->n + 1) / 2, h = m->n / 2;

	switch ((enum column_order)m->kind) {
	case SPLIT:
		return j < first ? 2 * j : 2 * (j - first) + 1;
	case INTERLEAVED:
		return j % 2 ? first + j / 2 : j / 2;
	case SWAPPED_PAIRS:
		return j ^ 1;
	case SWAPPED_HALVES:
		return j < h ? j + h : j - h;
	case SPLIT_SWAPPED:
		return j < h ? 2 * j + 1 : 2 * (j - h);
	case INTERLEAVED_SWAPPED:
		return j % 2 ? j / 2 : h + j / 2;
	case REVERSED:
	case COLUMN_ORDERS:
	default:
		return m->n - 1 - j;
	}
}

void explain_columns(struct explainer *e)
{
	const size_t cols = e->shape_b[COLUMNS];

	for (int k = SPLIT; e->c->shaped && cols > 1 && k < COLUMN_ORDERS;
	     k++) {
		const struct index_map m = { .source = column_source,
					     .n = cols, .kind = k, .hint = 1 };

		if ((cols % 2 == 0 || k <= INTERLEAVED || k == REVERSED) &&
		    try_change(e, &(struct change){
			    NO_CHANGE, .maps[COLUMNS] = &m,
			    .needed = CHANCE }))
			explained(e, "B is A with %s%s", orders[k].text,
				  waves_text(e, k));
	}
}
