/*
 * before_pairs.c: which columns rotate together, in which heads, and along
 * which axis. A rotation keeps the length of each pair, so what the square of
 * one column gains in a row, its partner's loses.
 */
#include <math.h>

#include "identify/before.h"

enum {
	ANCHORS = 48, /* columns whose partner is searched */
	GAIN_ROWS = 32,
	SAMPLE_ROWS = 64,
	MOST_ORDERED = 16384, /* columns that may be in another order */
};

/* Lengths of true pairs differ by less, relative to their size. */
#define MAX_NOISE 0.02

/* Squares of a column over all rows. */
struct column {
	double change, before, after;
	bool turning;
	bool gap;              /* column j: pairs may be j columns apart */
};

static const double *row(const struct table *t, size_t i)
{
	return t->row(t, i, NULL);
}

static size_t fewer(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Row k of a sample of n, spread over all. */
static size_t spread(size_t k, size_t n, size_t all)
{
	return n < 2 ? all - 1 : k * (all - 1) / (n - 1);
}

/* Measure how much each column changes, and about the factor of lengths. */
static size_t measure_changes(struct before *b, struct column *c)
{
	double before = 0, after = 0, amp;
	size_t turning = 0;

	for (size_t i = 0; i < b->rows; i++) {
		const double *x = row(b->x, i), *y = row(b->y, i);

		for (size_t j = 0; j < b->cols; j++) {
			c[j].before += x[j] * x[j];
			c[j].after += y[j] * y[j];
			c[j].change += (y[j] - x[j]) * (y[j] - x[j]);
		}
	}
	for (size_t j = 0; j < b->cols; j++)
		if (c[j].change > 1e-4 * c[j].before) {
			before += c[j].before;
			after += c[j].after;
		}
	amp = before > 0 ? sqrt(after / before) : 1;
	b->head.amp = fabs(amp - 1) < 0.01 ? 1 : amp;
	/* Where lengths change, all columns that turn change as much. */
	for (size_t j = 0; j < b->cols; j++) {
		c[j].turning = c[j].change > 0 &&
			       c[j].change >= 0.1 * c[j].before *
						      pow(b->head.amp - 1, 2);
		turning += c[j].turning;
	}
	return turning;
}

/*
 * The distance to the column whose squares lose most nearly what those of j
 * gain, beyond the factor of lengths.
 */
static size_t partner(const struct before *b, const struct column *c, size_t j)
{
	const double factor = b->head.amp * b->head.amp;
	const size_t n = fewer(b->rows, GAIN_ROWS);
	size_t best = j;
	double least = 2;

	for (size_t k = 0; k < b->cols; k++) {
		double off = 0, all = 0;

		for (size_t r = 0; r < n && c[k].turning && k != j; r++) {
			const size_t i = spread(r, n, b->rows);
			const double *p = row(b->x, i), *q = row(b->y, i);
			const double x = q[j] * q[j] - factor * p[j] * p[j];
			const double y = q[k] * q[k] - factor * p[k] * p[k];

			off += (x + y) * (x + y);
			all += x * x + y * y;
		}
		if (all > 0 && off < least * all) {
			least = off / all;
			best = k;
		}
	}
	return best > j ? best - j : j - best;
}

/* Note usual gaps between partners, and those of columns that turn most. */
static void note_gaps(const struct before *b, struct column *c)
{
	double most = 0;
	size_t tried = 0;

	c[1].gap = true;
	for (size_t h = b->cols; h >= 4 && h % 2 == 0; h /= 2)
		c[h / 2].gap = true;
	for (size_t j = 0; j < b->cols; j++)
		if (c[j].before > 0)
			most = fmax(most, c[j].change / c[j].before);
	for (size_t j = 0; j < b->cols && tried < ANCHORS; j++)
		if (c[j].change > 0.3 * most * c[j].before) {
			c[partner(b, c, j)].gap = true;
			tried++;
		}
}

/* The first column of pair k of heads side by side. */
static size_t column_of(const struct head *h, size_t k)
{
	const size_t pairs = h->rotary / 2;

	return k / pairs * h->dim + h->offset +
	       k % pairs * (h->gap == 1 ? 2 : 1);
}

/* Measure amp, length and noise of a layout on some rows. */
static void measure_head(const struct before *b, struct head *h)
{
	const size_t n = fewer(b->rows, SAMPLE_ROWS), gap = h->gap;
	const size_t pairs = b->cols / h->dim * (h->rotary / 2);
	double offs = 0, squares = 0, products = 0;

	for (size_t r = 0; r < n; r++)
		for (size_t k = 0; k < pairs; k++) {
			const size_t i = spread(r, n, b->rows);
			const double *x = row(b->x, i) + column_of(h, k);
			const double *y = row(b->y, i) + column_of(h, k);
			const double size = sqrt(x[0] * x[0] + x[gap] * x[gap]);
			const double off = sqrt(y[0] * y[0] + y[gap] * y[gap]) -
					   b->head.amp * size;

			offs += off * off;
			products += off * size;
			squares += size * size;
		}
	squares = fmax(squares, 1e-300);
	h->amp = b->head.amp + products / squares;
	h->noise = sqrt(fmax(offs - products * products / squares, 0) /
			squares) / fmax(h->amp, 1e-300);
	h->length = sqrt(squares / (double)(n * pairs));
}

/*
 * Place the pairs of a gap within heads of dim columns, around all columns that
 * turn; false if they don't fit.
 */
static bool place(const struct before *b, const struct column *c,
		  struct head *h)
{
	size_t first = h->dim, last = 0;

	for (size_t j = 0; j < b->cols; j++)
		if (c[j].turning) {
			first = fewer(first, j % h->dim);
			last = j % h->dim > last ? j % h->dim : last;
		}
	h->offset = first;
	h->rotary = h->gap > 1 ? 2 * h->gap : (last - first + 2) / 2 * 2;
	return first <= last && first + h->rotary <= h->dim &&
	       last < first + h->rotary;
}

/* Columns that a layout covers: fewer are a simpler explanation. */
static size_t covered(const struct before *b, const struct head *h)
{
	return b->cols / h->dim * h->rotary;
}

/* Whether h is better: much less noise, or fewer columns. */
static bool better(const struct before *b, const struct head *h,
		   const struct head *best)
{
	if (h->noise > MAX_NOISE || h->noise > 3 * best->noise + 1e-9)
		return false;
	return !best->dim || h->noise < best->noise / 3 - 1e-9 ||
	       covered(b, h) < covered(b, best);
}

/* Find the best layout with one of the gaps; its dim is 0 if there is none. */
static struct head best_head(const struct before *b, const struct column *c)
{
	struct head best = { .noise = 1 };

	for (size_t dim = 2; dim <= b->cols; dim++)
		for (size_t gap = 1; b->cols % dim == 0 && 2 * gap <= dim;
		     gap++) {
			struct head h = { .gap = gap, .dim = dim };

			if (!c[gap].gap || !place(b, c, &h))
				continue;
			measure_head(b, &h);
			if (better(b, &h, &best))
				best = h;
		}
	return best;
}

bool before_pairs(struct before *b, const char **why)
{
	struct column *c = search_alloc(&b->search, b->cols + 1, sizeof *c);
	struct head all, visible;

	*why = "no rotation: both tables are the same";
	if (!c || !measure_changes(b, c))
		return false;
	*why = "no match found: no pairing of columns keeps the lengths of "
	       "pairs, so no rotation of pairs explains the change";
	note_gaps(b, c);
	all = best_head(b, c);
	if (!all.dim)
		return false;
	/* Columns whose change is not above the noise need not turn. */
	for (size_t j = 0; j < b->cols; j++)
		c[j].turning = c[j].turning &&
			       c[j].change > 16 * (double)b->rows *
				       pow(all.noise * all.length, 2);
	visible = best_head(b, c);
	/* Where some columns are the same, those that change all turn. */
	b->head = covered(b, &all) < b->cols || !visible.dim ? all : visible;
	return true;
}

bool before_is_rotation(const struct before *b, const struct head *h)
{
	const double lengths = (double)b->rows * (double)covered(b, h) / 2;
	const double bits = -log2(3 * h->noise + 0x1p-40);

	return (lengths - 1) * bits - 2 * log2((double)b->cols) - 10 >= 32;
}

/* Write the first rows of y, its columns in the other order, to x. */
static void reorder(const struct before *b, const struct table *y, double *x)
{
	const size_t half = b->order / 2;

	for (size_t m = 0; m < b->rows * b->cols; m++) {
		const size_t j = m % b->cols, h = j % b->order;

		x[m] = row(y, m / b->cols)[
			j - h + (b->halves ? h / 2 + h % 2 * half
					   : h % half * 2 + h / half)];
	}
}

bool before_order(struct before *b, struct table *to)
{
	const size_t rows = b->rows;
	const struct table *y = b->y;
	const char *why;
	double *x = b->cols > MOST_ORDERED ? NULL
		: search_alloc(&b->search, rows * b->cols, sizeof *x);

	*to = *y;
	if (x)
		table_dense(to, x);
	for (size_t k = 2 * b->cols + 1; x && k >= 8; k--) {
		struct head h = { .dim = k / 2, .rotary = k / 2,
				  .gap = k % 2 ? 1 : k / 4 };

		if (h.dim % 2 || b->cols % h.dim)
			continue;
		b->y = to;
		b->order = h.dim;
		b->halves = k % 2;
		b->rows = fewer(rows, SAMPLE_ROWS);
		reorder(b, y, x);
		measure_head(b, &h);
		if (h.noise <= MAX_NOISE && before_is_rotation(b, &h)) {
			b->rows = rows;
			reorder(b, y, x);
			return before_pairs(b, &why);
		}
	}
	b->y = y;
	b->rows = rows;
	b->order = 0;
	return false;
}

struct turn before_turn(const struct before *b, size_t j, size_t k)
{
	const size_t inner = b->x->rows, gap = b->head.gap;
	struct turn t = { 0 };

	for (size_t i = b->planes ? j * inner : j; i < b->rows;) {
		for (size_t c = column_of(&b->head, k); c < b->cols;
		     c += b->group * b->head.dim) {
			const double *x = row(b->x, i) + c;
			const double *y = row(b->y, i) + c;

			t.re += x[0] * y[0] + x[gap] * y[gap];
			t.im += x[0] * y[gap] - x[gap] * y[0];
			t.weight += x[0] * x[0] + x[gap] * x[gap];
			t.after += y[0] * y[0] + y[gap] * y[gap];
		}
		i += !b->planes	       ? inner
		     : (i + 1) % inner ? 1
				       : (b->n - 1) * inner + 1;
	}
	return t;
}

/* Whether noise explains how far single pairs are off the sums of them. */
static bool alike(const struct before *b)
{
	const size_t n = fewer(b->n, SAMPLE_ROWS);
	double off = 0, all = 0;

	for (size_t r = 0; r < n; r++)
		for (size_t k = 0; k < b->group * b->head.rotary / 2; k++) {
			const struct turn t =
				before_turn(b, spread(r, n, b->n), k);

			if (t.weight > 0)
				off += t.after - (t.re * t.re + t.im * t.im) /
							 t.weight;
			all += t.after;
		}
	return off <= (30 * pow(b->head.noise, 2) + 1e-12) * all;
}

bool before_heads(struct before *b)
{
	struct head *h = &b->head;
	const size_t heads = b->cols / h->dim, planes = b->x->planes;

	b->group = heads;
	b->n = b->x->rows;
	if (planes > 1 && !alike(b)) {
		b->planes = true;
		b->n = planes;
		if (!alike(b))
			return false;
		/* Positions may repeat after some planes. */
		for (b->n = 1; b->n < planes && (planes % b->n || !alike(b));)
			b->n++;
	}
	for (b->group = 1; b->group < heads && (heads % b->group || !alike(b));)
		b->group++;
	/* Several heads that turn apart are one, if its pairs are regular. */
	b->uneven = b->group > 1 && (h->gap > 1 || h->rotary < h->dim);
	if (!b->uneven && b->group > 1)
		h->dim = h->rotary = b->group * h->dim;
	b->group = 1;
	b->pairs = h->rotary / 2;
	return true;
}
