/*
 * before_pairs.c: which columns rotate together. A rotation keeps the length of
 * each pair, so what the square of one column gains in a row, its partner's
 * loses.
 */
#include <math.h>

#include "identify/before.h"

enum {
	BUCKETS = 32, /* sums of squares of a column */
	ANCHORS = 48, /* columns whose partner is searched */
	GAPS = 40,
	SAMPLE_ROWS = 64,
	GAIN_ROWS = 2048,
	MATCHED_MOST = 4096, /* columns of which each partner is searched */
};

/* Lengths of true pairs differ by less, relative to their size. */
#define MAX_NOISE 0.02

/* What is known of the columns while pairs are searched. */
struct columns_seen {
	double *change; /* [cols] of squares, relative */
	double *moved;	/* [cols] mean squared change */
	bool *turning;	/* [cols] */
	double *gains;	/* [cols, buckets] */
	size_t buckets;
	size_t gaps[GAPS], gap_count;
};

/* A regular layout of pairs, and how well it fits. */
struct layout {
	size_t gap, dim, offset, rotary;
	double amp, noise; /* noise is relative */
	double length;	   /* root mean square */
};

static size_t fewer(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Measure how much each column changes, and the factor of lengths. */
static void measure_changes(struct before *b, struct columns_seen *c)
{
	double *before = c->gains, *after = c->gains + b->cols;
	double sums[2] = {0};

	for (size_t i = 0; i < b->rows; i++) {
		const double *x = before_row(b->x, i), *y = before_row(b->y, i);

		for (size_t j = 0; j < b->cols; j++) {
			before[j] += x[j] * x[j];
			after[j] += y[j] * y[j];
			c->change[j] += (y[j] - x[j]) * (y[j] - x[j]);
		}
	}
	for (size_t j = 0; j < b->cols; j++) {
		c->moved[j] = c->change[j] / (double)b->rows;
		if (c->change[j] > 1e-4 * before[j]) {
			sums[0] += before[j];
			sums[1] += after[j];
		}
		c->change[j] /= before[j] > 0 ? before[j] : 1;
		before[j] = after[j] = 0;
	}
	b->amp = sums[0] > 0 ? sqrt(sums[1] / sums[0]) : 1;
	if (fabs(b->amp - 1) < 0.01)
		b->amp = 1;
	/* Where lengths change, all columns that turn change as much. */
	for (size_t j = 0; j < b->cols; j++)
		c->turning[j] = c->moved[j] > 0 &&
				c->change[j] >= 0.1 * pow(b->amp - 1, 2);
}

/*
 * Sum what the squares gain, in buckets of rows with signs that follow no
 * pattern of positions.
 */
static void sum_gains(const struct before *b, struct columns_seen *c)
{
	const double factor = b->amp * b->amp;
	const size_t n = fewer(b->rows, GAIN_ROWS);

	for (size_t r = 0; r < n; r++) {
		const size_t i = before_spread(r, n, b->rows);
		const double *x = before_row(b->x, i), *y = before_row(b->y, i);
		const size_t at = r % c->buckets;
		const double sign =
			(r / c->buckets * 2654435761u) >> 13 & 1 ? -1 : 1;

		for (size_t j = 0; j < b->cols; j++)
			c->gains[j * c->buckets + at] +=
				sign * (y[j] * y[j] - factor * x[j] * x[j]);
	}
}

/* How far the gains of two columns are from opposite: 0 to 2. */
static double imbalance(const struct columns_seen *c, size_t a, size_t b)
{
	const double *x = c->gains + a * c->buckets;
	const double *y = c->gains + b * c->buckets;
	double off = 0, all = 0;

	for (size_t k = 0; k < c->buckets; k++) {
		off += (x[k] + y[k]) * (x[k] + y[k]);
		all += x[k] * x[k] + y[k] * y[k];
	}
	return all > 0 ? off / all : 2;
}

/* The column whose gains are most nearly the losses of column a. */
static size_t partner(const struct before *b, const struct columns_seen *c,
		      size_t a)
{
	size_t best = a;
	double least = 2;

	for (size_t j = 0; j < b->cols; j++) {
		const double x =
			j == a || !c->turning[j] ? 2 : imbalance(c, a, j);

		if (x < least) {
			least = x;
			best = j;
		}
	}
	return best;
}

static void add_gap(struct columns_seen *c, size_t gap)
{
	size_t k = 0;

	while (k < c->gap_count && c->gaps[k] != gap)
		k++;
	if (gap && k == c->gap_count && k < GAPS)
		c->gaps[c->gap_count++] = gap;
}

/* List gaps between partners: usual ones, then those of columns that turn. */
static void list_gaps(const struct before *b, struct columns_seen *c)
{
	double most = 0;
	size_t tried = 0;

	add_gap(c, 1);
	for (size_t h = b->cols; h >= 4 && h % 2 == 0; h /= 2)
		add_gap(c, h / 2);
	for (size_t j = 0; j < b->cols; j++)
		most = fmax(most, c->change[j]);
	for (size_t j = 0; j < b->cols && tried < ANCHORS; j++)
		if (c->change[j] > 0.3 * most) {
			const size_t other = partner(b, c, j);

			add_gap(c, other > j ? other - j : j - other);
			tried++;
		}
}

/* Pair k of a head at column first, by a layout. */
static struct column_pair pair_at(const struct layout *l, size_t first,
				  size_t k)
{
	const size_t a = first + l->offset + (l->gap == 1 ? 2 * k : k);

	return (struct column_pair){a, a + l->gap};
}

/* Lengths of a pair of columns in row i, before and after. */
static void lengths(const struct before *b, size_t i, struct column_pair c,
		    double *before, double *after)
{
	const double *x = before_row(b->x, i), *y = before_row(b->y, i);

	*before = sqrt(x[c.a] * x[c.a] + x[c.b] * x[c.b]);
	*after = sqrt(y[c.a] * y[c.a] + y[c.b] * y[c.b]);
}

/* Measure amp and the relative noise of a layout on some rows. */
static void measure_layout(const struct before *b, struct layout *l)
{
	const size_t n = fewer(b->rows, SAMPLE_ROWS);
	const size_t heads = b->cols / l->dim, pairs = l->rotary / 2;
	const double count = (double)(n * heads * pairs);
	double products = 0, squares = 0, left = 0, x, y;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t r = 0; r < n; r++)
			for (size_t h = 0; h < b->cols; h += l->dim)
				for (size_t k = 0; k < l->rotary / 2; k++) {
					lengths(b, before_spread(r, n, b->rows),
						pair_at(l, h, k), &x, &y);
					products += pass ? 0 : x * y;
					squares += pass ? 0 : x * x;
					left += pass ? pow(y - l->amp * x, 2)
						     : 0;
				}
		l->amp = squares > 0 ? products / squares : 1;
	}
	l->length = sqrt(squares / count);
	l->noise = sqrt(left / fmax(squares, 1e-300)) / fmax(l->amp, 1e-300);
}

/*
 * Place the pairs of a gap within heads of dim columns, around all columns that
 * turn; false if they don't fit.
 */
static bool place(const struct before *b, const struct columns_seen *c,
		  struct layout *l)
{
	size_t first = l->dim, last = 0;

	for (size_t j = 0; j < b->cols; j++)
		if (c->turning[j]) {
			first = fewer(first, j % l->dim);
			last = j % l->dim > last ? j % l->dim : last;
		}
	l->offset = first;
	l->rotary = l->gap > 1 ? 2 * l->gap : (last - first + 2) / 2 * 2;
	return first <= last && first + l->rotary <= l->dim &&
	       last < first + l->rotary;
}

/* Columns that a layout covers: fewer are a simpler explanation. */
static size_t covered(const struct before *b, const struct layout *l)
{
	return b->cols / l->dim * l->rotary;
}

/* Whether l is better: much less noise, or fewer columns. */
static bool better(const struct before *b, const struct layout *l,
		   const struct layout *best)
{
	if (l->noise > MAX_NOISE || l->noise > 3 * best->noise + 1e-9)
		return false;
	return !best->dim || l->noise < best->noise / 3 - 1e-9 ||
	       covered(b, l) < covered(b, best);
}

/* Find the best layout; its dim is 0 if there is none. */
static struct layout best_layout(const struct before *b,
				 const struct columns_seen *c)
{
	struct layout best = {.noise = 1};

	for (size_t g = 0; g < c->gap_count; g++)
		for (size_t h = 2; h <= b->cols; h++) {
			struct layout l = {.gap = c->gaps[g], .dim = h};

			if (b->cols % h || h < 2 * l.gap || !place(b, c, &l))
				continue;
			measure_layout(b, &l);
			if (better(b, &l, &best))
				best = l;
		}
	return best;
}

/* Take columns whose change is not above the noise as not turning. */
static void drop_still(const struct before *b, struct columns_seen *c,
		       const struct layout *l)
{
	const double noise = l->noise * l->length;

	for (size_t j = 0; j < b->cols; j++)
		c->turning[j] =
			c->turning[j] && c->moved[j] > 16 * noise * noise;
}

/* Keep the layout as pairs of columns. */
static bool keep_layout(struct before *b, const struct layout *l)
{
	b->pairing = l->gap == 1 ? PAIRING_INTERLEAVED : PAIRING_HALF;
	b->dim = l->dim;
	b->heads = b->cols / l->dim;
	b->offset = l->offset;
	b->rotary = l->rotary;
	b->pairs = l->rotary / 2;
	b->column_pairs = table_alloc(b->owner, b->heads * b->pairs,
				      sizeof *b->column_pairs, b->err);
	b->amp = l->amp;
	b->noise = l->noise;
	b->length = l->length;
	for (size_t m = 0; b->column_pairs && m < b->heads * b->pairs; m++)
		b->column_pairs[m] = pair_at(l, m / b->pairs * l->dim,
					     m % b->pairs);
	return b->column_pairs;
}

static bool seen_open(const struct before *b, struct columns_seen *c)
{
	c->buckets = fewer(b->rows, b->cols > 65536 ? 4 : BUCKETS);
	c->change = table_alloc(b->owner, b->cols,
				(c->buckets + 3) * sizeof *c->change +
					sizeof *c->turning, b->err);
	if (!c->change)
		return false;
	c->moved = c->change + b->cols;
	c->gains = c->moved + b->cols;
	c->turning = (void *)(c->gains + b->cols * (c->buckets + 1));
	return true;
}

static bool any(const bool *x, size_t n)
{
	size_t k = 0;

	while (k < n && !x[k])
		k++;
	return k < n;
}

bool before_pairs(struct before *b, const char **why)
{
	struct columns_seen c = {0};
	struct layout l, visible;

	if (!seen_open(b, &c))
		return false;
	measure_changes(b, &c);
	*why = "no rotation: both tables are the same";
	if (!any(c.turning, b->cols))
		return false;
	sum_gains(b, &c);
	list_gaps(b, &c);
	*why = "no match found: no pairing of columns keeps the lengths of "
	       "pairs, so no rotation of pairs explains the change";
	l = best_layout(b, &c);
	if (!l.dim)
		return false;
	drop_still(b, &c, &l);
	visible = best_layout(b, &c);
	/* Where some columns are the same, those that change all turn. */
	if (covered(b, &l) < b->cols || !visible.dim)
		visible = l;
	return keep_layout(b, &visible);
}

bool before_is_rotation(const struct before *b)
{
	const double lengths =
		(double)b->rows * (double)b->heads * (double)b->pairs;
	const double bits = -log2(3 * b->noise + 0x1p-40);

	return (lengths - 1) * bits - 2 * log2((double)b->cols) - 10 >= 32;
}
