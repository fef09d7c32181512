/* explain_shapes.c: reshaped, transposed, a part of the other. */
#include <string.h>

#include "compare/explain.h"

/*
 * A as a block of planes, rows and columns whose axes become others of B.
 */
struct arrangement {
	int axis[AXES];        /* of the block, for planes, rows, columns */
	const char *text;
};

static const struct arrangement arrangements[] = {
	{ { PLANES, ROWS, COLUMNS }, "reshaped" },
	{ { PLANES, COLUMNS, ROWS },
	  "with its rows and columns exchanged in each plane" },
	{ { ROWS, PLANES, COLUMNS }, "with its planes and rows exchanged" },
	{ { COLUMNS, ROWS, PLANES }, "with its planes and columns exchanged" },
	{ { ROWS, COLUMNS, PLANES },
	  "with its planes moved to columns: B[i, j, k] is A[k, i, j]" },
	{ { COLUMNS, PLANES, ROWS },
	  "with its columns moved to planes: B[i, j, k] is A[j, k, i]" },
};

enum { ARRANGEMENTS = sizeof arrangements / sizeof *arrangements };

/* The block, and how far its planes, rows and columns are apart in B. */
struct block_of_a {
	size_t shape[AXES], step[AXES];
};

static struct block_of_a block_of(const struct explainer *e, size_t k)
{
	const size_t *n = e->shape_b;
	const size_t steps[AXES] = { n[ROWS] * n[COLUMNS], n[COLUMNS], 1 };
	struct block_of_a b;

	for (int i = PLANES; i < AXES; i++) {
		b.shape[arrangements[k].axis[i]] = n[i];
		b.step[arrangements[k].axis[i]] = steps[i];
	}
	return b;
}

/* Where value i of the block is in B. */
static size_t place_in_b(const struct block_of_a *b, size_t i)
{
	const size_t row = i / b->shape[COLUMNS];

	return row / b->shape[ROWS] * b->step[PLANES] +
	       row % b->shape[ROWS] * b->step[ROWS] +
	       i % b->shape[COLUMNS] * b->step[COLUMNS];
}

/* Whether it is none of those before: of two axes there are two orders. */
static bool is_new(const struct explainer *e, size_t k)
{
	const size_t *n = e->shape_b;
	const size_t other = n[PLANES] == 1 ? 1 : n[ROWS] == 1 ? 3
			     : n[COLUMNS] == 1 ? 2 : k;

	return k ? k == other : !e->alike;
}

/* "reshaped to 6 x 7 x 16, with ..." */
static void add_arrangement(const struct explainer *e, size_t k,
			    char text[SENTENCE])
{
	const struct block_of_a b = block_of(e, k);
	const struct table shape = { .planes = b.shape[PLANES],
				     .rows = b.shape[ROWS],
				     .cols = b.shape[COLUMNS] };
	const bool flat = shape.planes == 1 && e->shape_b[PLANES] == 1;
	char words[SHAPE_TEXT];

	if (k && memcmp(b.shape, (size_t[]){ e->c->a->planes, e->c->a->rows,
					     e->c->a->cols },
			sizeof b.shape) != 0)
		add(text, "reshaped to %s, ", shape_words(&shape, words));
	add(text, "%s", !flat || !k ? arrangements[k].text
		  : "transposed (rows and columns exchanged)");
}

enum { PROBES = 64 };

/* Whether some values agree in the arrangement. */
static bool probe(const struct explainer *e, size_t arrangement)
{
	const struct block_of_a b = block_of(e, arrangement);
	uint64_t random = 0;
	bool good = true;

	for (int k = 0; good && k < PROBES; k++) {
		const size_t i = (size_t)(random >> 20) % table_size(e->a);
		const double x = value_of(e->a, i);
		const double y = value_of(e->b, place_in_b(&b, i));

		good = value_explained(e, x, y, value_difference(x, y));
		random = random * 6364136223846793005u + 1442695040888963407u;
	}
	return good;
}

/* Compare A, so arranged, with B; if also, after other changes, too. */
static void try_arranged(struct explainer *e, size_t k, bool also)
{
	const struct table *a = e->c->a, *b = e->c->b;
	const struct block_of_a block = block_of(e, k);
	const size_t n = table_size(a);
	struct table made = { .row = NULL };
	double *x = table_alloc(&made, n, sizeof *x, e->err);
	char words[SENTENCE] = "";

	for (size_t i = 0; x && i < n; i++)
		x[place_in_b(&block, i)] = value_of(a, i);
	table_like(&made, b);
	table_dense(&made, x);
	add_arrangement(e, k, words);
	explainer_compare(e, &made, b);
	if (x && also) {
		e->made = words;
		explain_all(e);
		e->made = "";
	} else if (x && try_change(e, &(struct change){ NO_CHANGE })) {
		explained(e, k ? "B is A %s" : "the same values in the same "
			  "order, %s", words);
	}
	explainer_compare(e, a, b);
	table_close(&made);
}

/* Memory of A arranged, 1 GB; and values that other changes are tried on. */
#define ARRANGED_MOST ((size_t)1 << 27)
#define MADE_MOST ((size_t)1 << 20)

void explain_arranged(struct explainer *e)
{
	const size_t n = table_size(e->a);
	const bool flat = e->a->planes == 1 && e->b->planes == 1;

	for (size_t k = 0; n == table_size(e->b) && k < ARRANGEMENTS; k++) {
		if (!is_new(e, k) || !probe(e, k) ||
		    (explained_exactly(e) && !flat) ||
		    (e->c->shaped && (double)n * e->bits_a < 2 * CHANCE))
			continue;
		if (n <= ARRANGED_MOST)
			try_arranged(e, k, false);
		else
			e->best->stopped = true;
	}
}

/* Two changes at a time. */
void explain_transposed(struct explainer *e)
{
	const size_t n = table_size(e->a);

	for (size_t k = 0; n == table_size(e->b) && n <= MADE_MOST &&
	     k < ARRANGEMENTS && !e->found; k++)
		if (is_new(e, k))
			try_arranged(e, k, true);
}

/* One table inside the other. */
struct placement {
	struct index_map maps[AXES];
	const char *small, *large;     /* "A" and "B" */
};

/* Steps from one row that is taken to the next. */
enum { STEP_MOST = 64, STRIDED_LEAST = 3 };

/*
 * Go to the next place along an axis: n in sequence, then every second, third
 * ... row up to the end. False at the end, where the first is next.
 */
static bool next_place(const struct explainer *e, struct placement *p,
		       int axis)
{
	struct index_map *m = &p->maps[axis];
	const size_t n = e->shape_b[axis], all = e->shape_a[axis];

	m->first++;
	if (m->by == 1 && (size_t)m->first + n <= all)
		return true;
	for (; axis != COLUMNS && n >= STRIDED_LEAST && n < all &&
	     m->by < STEP_MOST; m->by++, m->first = 0)
		for (; m->by > 1 && m->first < m->by; m->first++)
			if ((all - (size_t)m->first - 1) / (size_t)m->by + 1 ==
			    n)
				return true;
	m->first = 0;
	m->by = 1;
	return false;
}

/* Whether the large table is zero outside the small one. */
static bool zeros_around(const struct explainer *e, const struct placement *p)
{
	const size_t *small = e->shape_b, *n = e->shape_a;
	const size_t first[AXES] = { (size_t)p->maps[PLANES].first,
				     (size_t)p->maps[ROWS].first,
				     (size_t)p->maps[COLUMNS].first };

	for (size_t i = 0; i < n[PLANES] * n[ROWS]; i++) {
		const double *y = row_of(e->a, i);
		const bool outside =
			i / n[ROWS] - first[PLANES] >= small[PLANES] ||
			i % n[ROWS] - first[ROWS] >= small[ROWS];

		for (size_t j = 0; j < n[COLUMNS]; j++)
			if ((outside || j - first[COLUMNS] >= small[COLUMNS]) &&
			    value_difference(y[j], 0) > 0)
				return false;
	}
	return true;
}

/* "rows 2 to 513", "plane 1", "rows 0, 2, ..., 62" */
static void add_axis(const struct explainer *e, const struct placement *p,
		     int axis, char text[SENTENCE])
{
	const struct index_map *m = &p->maps[axis];
	const size_t n = e->shape_b[axis];

	add(text, "%s%s%s %ld", text[0] ? ", " : "", axis_word[axis],
	    n > 1 ? "s" : "", m->first);
	if (n > 1 && m->by == 1)
		add(text, " to %zu", stepped_source(m, n - 1));
	else if (n > 1)
		add(text, ", %zu, ..., %zu", stepped_source(m, 1),
		    stepped_source(m, n - 1));
}

static void say_part(struct explainer *e, const struct placement *p)
{
	const struct index_map *m = p->maps;
	const size_t first = (size_t)m[ROWS].first;
	const bool strided = m[PLANES].by * m[ROWS].by * m[COLUMNS].by > 1;
	const bool zeros = !strided && zeros_around(e, p);
	char where[SENTENCE] = "";

	/* The offset of learned positions: those of OPT begin at row 2 */
	if (!zeros && !strided && e->shape_a[PLANES] == 1 &&
	    e->shape_b[COLUMNS] == e->shape_a[COLUMNS] &&
	    first + e->shape_b[ROWS] == e->shape_a[ROWS]) {
		explained(e, "%s is %s without its first %zu row%s: row p of "
			  "%s is row p + %zu of %s", p->small, p->large, first,
			  first > 1 ? "s" : "", p->small, first, p->large);
		return;
	}
	for (int i = PLANES; i < AXES; i++)
		if (e->shape_b[i] < e->shape_a[i])
			add_axis(e, p, i, where);
	explained(e, "%s is %s of %s%s", p->small, where, p->large,
		  zeros ? ", which has zeros elsewhere" : "");
}

void explain_part(struct explainer *e)
{
	const struct table *a = e->a, *b = e->b;
	const bool swap = table_size(a) < table_size(b);
	struct placement p = { .small = swap ? "A" : "B",
			       .large = swap ? "B" : "A" };
	struct change x = { NO_CHANGE, .needed = 6 };
	bool fits = table_size(a) != table_size(b), more = true;

	explainer_compare(e, swap ? b : a, swap ? a : b);
	for (int i = PLANES; i < AXES; i++) {
		p.maps[i] = (struct index_map){ .source = stepped_source,
						.by = 1,
						.n = e->shape_a[i] };
		fits &= e->shape_b[i] <= e->shape_a[i];
		x.maps[i] = &p.maps[i];
		/* By chance, few values are found in one of many places */
		x.needed += log2(fmax(1, (double)e->shape_a[i] -
					 (double)e->shape_b[i] + 1));
	}
	fits &= (double)table_size(e->b) * (swap ? e->bits_a : e->bits_b) >=
		x.needed;
	while (fits && more && spend(e, 1)) {
		if (try_change(e, &x))
			say_part(e, &p);
		more = next_place(e, &p, COLUMNS) || next_place(e, &p, ROWS) ||
		       next_place(e, &p, PLANES);
	}
	explainer_compare(e, a, b);
}

/* Rows that one table has and the other has not: at most a LEFT_OUT_SHAREth. */
enum { LEFT_OUT_SHARE = 4 };

static bool rows_near(const struct explainer *e, size_t i, size_t j,
		      double most)
{
	const double *a = row_of(e->a, i), *b = row_of(e->b, j);

	for (size_t k = 0; k < e->shape_b[COLUMNS]; k++)
		if (value_difference(a[k], b[k]) > most)
			return false;
	return true;
}

/*
 * The rows of e->a that those of e->b are, in their order, within most: kept,
 * and the others, out; false if these are not all.
 */
static bool find_kept(struct explainer *e, double most, double *kept,
		      double *out)
{
	const size_t n = e->shape_b[ROWS], all = e->shape_a[ROWS];
	size_t k = 0;

	for (size_t i = 0; i < all && spend(e, e->shape_b[COLUMNS]); i++)
		if (k < n && rows_near(e, i, k, most))
			kept[k++] = (double)i;
		else if (i - k < all - n)
			out[i - k] = (double)i;
		else
			return false;
	return k == n;
}

/* "B is A without rows 5 to 7" */
static void say_left_out(struct explainer *e, bool swap, const double *out,
			 size_t n)
{
	const char *x = swap ? "A" : "B", *y = swap ? "B" : "A";
	char list[SENTENCE];
	struct explanation *to;

	index_list(out, n, list);
	if (n == 1)
		to = explained(e, "%s is %s without row %.0f", x, y, out[0]);
	else if (out[n - 1] - out[0] < (double)n)
		to = explained(e, "%s is %s without rows %.0f to %.0f", x, y,
			       out[0], out[n - 1]);
	else
		to = explained(e, "%s is %s without %zu of its %zu rows: %s", x,
			       y, n, e->shape_a[ROWS], list);
	to->order_of = "left_out_rows";
	to->order = out;
	to->n = n;
}

void explain_left_out(struct explainer *e)
{
	const struct table *a = e->a, *b = e->b;
	const bool swap = a->rows < b->rows;
	const size_t all = swap ? b->rows : a->rows;
	const size_t n = all - (swap ? a->rows : b->rows);
	double *out = explainer_alloc(e, all + n, sizeof *out);
	struct index_map m = { .order = out + n };

	if (!out || !n || LEFT_OUT_SHARE * n > all || a->cols != b->cols ||
	    a->planes != 1 || b->planes != 1)
		return;
	explainer_compare(e, swap ? b : a, swap ? a : b);
	if ((find_kept(e, 0, out + n, out) ||
	     find_kept(e, e->limit, out + n, out)) &&
	    try_map(e, ROWS, &m, (double)n * log2((double)all)))
		say_left_out(e, swap, out, n);
	explainer_compare(e, a, b);
}
