/*
 * families.c: the rows of families that one engine finds, solve.c. Their order
 * is that of trial: earlier rows win among equals.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "identify/families.h"
#include "identify/rounding.h"

/* ---- when a table may be of a family */

enum {
	FINITE = 1 << 0,       /* no infinity, no NaN */
	MASKED = 1 << 1,       /* finite but for some -inf */
	INTEGERS = 1 << 2,     /* of one plane */
	REALS = 1 << 3,        /* finite, and not all integers */
	DISTANCES = 1 << 4,    /* equal along diagonals */
	CELLS = 1 << 5,        /* square, of no distances, from 0 on */
	OBLONG = 1 << 6,
	EQUAL_COLUMNS = 1 << 7,
	SERIES = 1 << 8,       /* rows that tell a start and a step */
	TWO_VALUES = 1 << 9,   /* 0 and 1, or -1 and 1 */
	BITS = 1 << 10,        /* columns for the bits of a number */
	BUCKETS = 1 << 11,     /* small, from 0 on */
	AHEAD = 1 << 12,       /* the last key is after the first query: > 0 */
	BEHIND = 1 << 13,      /* it is as at distance 0, or masked: <= 0 */
	ONE_SIGN = 1 << 14,
	BELOW = 1 << 15,       /* 0 at most */
	ABOVE = 1 << 16,       /* 0 at least */
	ONE_PLANE = 1 << 17,
	PLANES = 1 << 18,      /* more than one */
	ROWS = 1 << 19,        /* the same */
	STACKED = 1 << 20,     /* squares, one upon the other */
	LINE = 1 << 21,        /* one row or column of up to 1024 values */
	COLUMN = 1 << 22,      /* one, of 4 rows or more */
	TWO_COLUMNS = 1 << 23,
	WIDE = 1 << 24,        /* 3 columns or more, and no more rows */
	PEAK = 1 << 25,        /* the last row has its largest value last */
	ZERO = 1 << 26,        /* it has 0 there */
	FALLS = 1 << 27,       /* the first value is the largest, 1 or more */
	KNOWN = 1 << 28,       /* no noise is assumed */
	APART = 1 << 29,       /* the second half of planes is not the first */
	UNIT = 1 << 30,        /* 4 columns or more, of at most 1 */
};

/* The next bit; enumerators are of type int. */
#define COARSE (1U << 31)      /* few digits, in 10 columns or more */

static double size(const struct profile *p)
{
	return fmax(fabs(p->min), fabs(p->max));
}

/*
 * Two rows have a start and a step whatever they are, and few small integers
 * may be evenly spaced by chance.
 */
static bool is_series(const struct profile *p)
{
	const double more = ((double)p->n - 2) * log2(2 * size(p) + 2);
	const double first = profile_row(p, 0)[0];

	return p->n > 2 &&
	       (!p->integers || more >= 10 ||
		((first == 0 || first == 1) &&
		 profile_row(p, 1)[0] - first == 1));
}

/* One or two rows have a start and a step whatever bits they hold. */
static bool has_two_values(const struct profile *p)
{
	if (!p->integers || p->n < 3 || p->max != 1 ||
	    (p->min != 0 && p->min != -1))
		return false;
	for (size_t i = 0; p->min < 0 && i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++)
			if (profile_row(p, i)[j] == 0)
				return false;
	return true;
}

/* Whether the last value of a row is its largest. */
static bool is_peak(const struct profile *p, const double *x)
{
	size_t j = 0;

	while (j < p->cols && x[j] <= x[p->cols - 1] + p->assumed)
		j++;
	return j == p->cols && (x[j - 1] > 0 || p->cols == 1);
}

/* Whether the second half of the planes repeats the first, as in batches. */
static bool is_repeated(const struct profile *p)
{
	const size_t half = p->n / 2;

	for (size_t i = 0; i < half; i++)
		for (size_t j = 0; j < p->cols; j++)
			if (fabs(profile_row(p, i)[j] -
				 profile_row(p, half + i)[j]) > 0)
				return false;
	return p->table->planes % 2 == 0;
}

static unsigned traits_of_shape(const struct profile *p)
{
	const struct table *t = p->table;
	const size_t n = p->n, cols = p->cols;

	return (t->planes == 1 ? ONE_PLANE : PLANES) |
	       (n > 1 ? ROWS : 0) | (n != cols ? OBLONG : 0) |
	       (t->planes == 1 && n % cols == 0 && n > cols ? STACKED : 0) |
	       ((n == 1 || cols == 1) && n * cols <= 1024 ? LINE : 0) |
	       (cols == 1 && n > 3 ? COLUMN : 0) |
	       (cols == 2 ? TWO_COLUMNS : 0) | (cols <= 53 ? BITS : 0) |
	       (cols > 2 && t->rows <= cols ? WIDE : 0) |
	       (cols > 3 && size(p) <= 1.001 + p->assumed ? UNIT : 0);
}

static unsigned traits_of_values(const struct profile *p)
{
	const bool below = p->max <= p->assumed, above = p->min >= -p->assumed;
	const bool distances = p->integers && profile_toeplitz(p);
	const size_t rows = p->table->rows, cols = p->cols;
	const double *first = profile_row(p, 0), *last;
	unsigned is = p->finite ? FINITE : p->masked ? MASKED : 0;

	last = profile_row(p, rows - 1);
	is |= p->finite && !p->integers ? REALS : 0;
	is |= p->integers && p->n == rows ? INTEGERS : 0;
	is |= distances ? DISTANCES : p->n == cols && p->min >= 0 ? CELLS : 0;
	is |= profile_same_columns(p) ? EQUAL_COLUMNS : 0;
	is |= is_series(p) ? SERIES : 0;
	is |= has_two_values(p) ? TWO_VALUES : 0;
	is |= p->min >= 0 && p->max <= 8192 ? BUCKETS : 0;
	is |= first[cols - 1] > 0 ? AHEAD : BEHIND;
	is |= below || above ? ONE_SIGN : 0;
	is |= (below ? BELOW : 0) | (above ? ABOVE : 0);
	is |= is_repeated(p) ? 0 : APART;
	is |= is_peak(p, last) ? PEAK : 0;
	is |= fabs(last[cols - 1]) <= p->assumed ? ZERO : 0;
	is |= first[0] >= fmax(1, p->max) - p->noise - p->assumed ? FALLS : 0;
	is |= p->noise >= COARSE_NOISE && cols > 9 ? COARSE : 0;
	return is | (p->assumed > 0 ? 0 : KNOWN);
}

/* ---- what rows take from a table */

struct numbers {
	double planes, rows, cols, n, values;
	double stacked;        /* squares, one upon the other */
	double height, width;  /* of Swin's window, by its distances */
	double far;            /* the largest absolute value */
	double corner;         /* the first value */
	double here;           /* that of the first query at distance 0 */
	double before, after;  /* keys before and after the last query */
	double past;           /* keys before the first query */
	double past_buckets, buckets; /* T5's of the past, and all */
	double sandwich_dim, bound_dim;
};

static struct numbers measure(const struct profile *p)
{
	const struct table *t = p->table;
	const double *first = profile_row(p, 0), *last;
	struct numbers is = {
		.planes = (double)t->planes, .rows = (double)t->rows,
		.cols = (double)p->cols, .n = (double)p->n,
		.values = (double)p->n * (double)p->cols,
		.height = ((double)t->planes + 1) / 2,
		.width = ((double)t->rows + 1) / 2,
		.far = size(p), .corner = first[0],
		.here = first[p->cols > p->n ? p->cols - p->n : 0],
		.past_buckets = p->max + 1,
		/* The bound at distance 0 is the mean of 1 to dim / 2 */
		.bound_dim = 4 * first[0] - 2,
	};
	size_t n = p->n / p->cols;

	is.stacked = (double)n;
	n = 0;
	last = profile_row(p, p->n - 1);
	while (n + 1 < p->cols && fabs(last[n]) > 0)
		n++;
	is.before = (double)n;
	is.after = is.cols - 1 - is.before;
	is.past = fmax(0, is.before + 1 - is.n);
	/* Those of the future come after those of the past. */
	n = (size_t)is.past + 1;
	is.buckets = n < p->cols ? 2 * (first[n] - 1) : 0;
	/* The first head's bias at distance 0 is D H / 16 */
	last = profile_row(p, t->rows - 1);
	is.sandwich_dim = rint(16 * last[p->cols - 1] / is.planes);
	return is;
}

/* Write the text that a name stands for; NULL: it stands for none. */
typedef char *text_of(struct search *s, const struct numbers *is);

static char *lengths(struct search *s, const struct numbers *is)
{
	return is->rows == is->cols
		? search_text(s, "len=%.0f", is->cols)
		: search_text(s, "query-len=%.0f key-len=%.0f", is->rows,
			      is->cols);
}

/* The same, or the distances of a single query. */
static char *distances(struct search *s, const struct numbers *is)
{
	return is->n > 1 ? lengths(s, is)
			 : search_text(s, "distances=-%.0f:%.0f", is->before,
				       is->after);
}

/* The same, with the keys before the first query if that is not the first. */
static char *reach(struct search *s, const struct numbers *is)
{
	return is->n > 1 && is->n != is->cols
		? search_text(s, "query-len=%.0f key-len=%.0f past=%.0f",
			      is->rows, is->cols, is->past)
		: distances(s, is);
}

static char *is_signed(struct search *s, const struct numbers *is)
{
	(void)is;
	return search_text(s, "%s", s->profile->min < 0 ? " signed" : "");
}

/* "{1x6|2x3|3x2|6x1}", grids of n cells. */
static char *grids_of(struct search *s, size_t n)
{
	char *to = search_text(s, "{%zux1", n);

	for (size_t w = 2; to && w <= n; w++)
		if (n % w == 0)
			to = search_text(s, "%s|%zux%zu", to, n / w, w);
	return to ? search_text(s, "%s}", to) : NULL;
}

static char *grids(struct search *s, const struct numbers *is)
{
	return grids_of(s, (size_t)is->rows);
}

/* Of the rows after the first. */
static char *grids_of_rest(struct search *s, const struct numbers *is)
{
	return is->n > 1 ? grids_of(s, (size_t)is->n - 1) : NULL;
}

/* "start=2 step=1" of the first columns that are not the least value. */
static char *hot(struct search *s, const struct numbers *is)
{
	const struct profile *p = s->profile;
	double at[2] = { 0 };

	(void)is;
	for (size_t i = 0; i < 2; i++)
		for (size_t j = p->cols; j-- > 0;)
			if (profile_row(p, i)[j] > 0)
				at[i] = (double)j;
	return search_text(s, "start=%.0f step=%.0f", at[0], at[1] - at[0]);
}

/* The integer whose bits are row i. */
static double decode(const struct profile *p, size_t i, bool lsb, bool gray)
{
	const double *x = profile_row(p, i);
	uint64_t bits = 0;

	for (size_t j = 0; j < p->cols; j++)
		bits = bits << 1 | (x[lsb ? p->cols - 1 - j : j] > 0);
	for (int shift = 32; gray && shift; shift /= 2)
		bits ^= bits >> shift;
	return (double)bits;
}

/* The four ways to write bits, each with its start and step. */
static char *bits(struct search *s, const struct numbers *is)
{
	const struct profile *p = s->profile;
	char *to = search_text(s, "{");

	for (int k = 0; k < 4 && to; k++) {
		const bool lsb = k % 2, gray = k / 2;
		const double first = decode(p, 0, lsb, gray);
		const double step = decode(p, 1, lsb, gray) - first;

		/* Any few bits are some numbers. */
		if (is->values - log2(1 + first) - log2(1 + fabs(step)) < 12)
			continue;
		to = search_text(s, "%s%skind=%s bits=%s start=%.0f step=%.0f",
				 to, to[1] ? "|" : "",
				 gray ? "gray" : "binary", lsb ? "lsb" : "msb",
				 first, step);
	}
	return to && to[1] ? search_text(s, "%s}", to) : NULL;
}

/*
 * Swin v2's largest coordinate is log2(1 + 8 (H - 1) / (P - 1)) / 3 if it was
 * pretrained with a window of P.
 */
static char *pretrained(struct search *s, const struct numbers *is)
{
	const double *x = profile_row(s->profile, s->profile->n - 1);

	return search_text(s, "pretrained=%.0fx%.0f",
			   1 + 8 * (is->height - 1) / (exp2(3 * x[0]) - 1),
			   1 + 8 * (is->width - 1) / (exp2(3 * x[1]) - 1));
}

/* Positions of keys by the first head's slope: "positions=-2,-1,0". */
static char *positions(struct search *s, const struct numbers *is)
{
	const struct profile *p = s->profile;
	const bool few = p->cols > 1 && p->cols <= 4096;
	char *to = few ? search_text(s, "positions=") : NULL;
	double n = 1;

	while (2 * n <= (is->planes > 1 ? is->planes : is->rows))
		n *= 2;
	for (size_t j = 0; to && j < p->cols; j++) {
		const double at = profile_row(p, 0)[j] / exp2(-8 / n);

		if (fabs(at) > 0x1p53)
			return NULL;
		to = search_text(s, "%s%s%.0f", to, j ? "," : "", at);
	}
	return to;
}

/* Rows of zeros, as those of class tokens are, before the cells of a grid. */
static size_t zero_rows(const struct profile *p)
{
	size_t n = 0;

	while (n + 1 < p->n && profile_zero_row(p, n))
		n++;
	return n;
}

/* How many columns are the same in two rows. */
static size_t same_columns(const struct profile *p, size_t i, size_t k)
{
	const double within = 2 * (p->noise + p->abs_noise + p->assumed);
	const double *x = profile_row(p, i), *y = profile_row(p, k);
	size_t n = 0;

	for (size_t j = 0; j < p->cols; j++)
		n += fabs(x[j] - y[j]) <= within;
	return n;
}

/*
 * Whether all rows after the zeros have the same norm, and the first two may
 * be neighbouring cells: one coordinate of two or three differs.
 */
static bool are_cells(const struct profile *p, size_t zeros)
{
	double first = 0;

	for (size_t i = zeros; i < p->n; i++) {
		const double *x = profile_row(p, i);
		double sum = 0;

		for (size_t j = 0; j < p->cols; j++)
			sum += x[j] * x[j];
		first = i == zeros ? sum : first;
		if (!(fabs(sum - first) <= (1e-3 + 8 * p->noise) * first))
			return false;
	}
	return first > 0 && (zeros + 1 == p->n ||
			     4 * same_columns(p, zeros, zeros + 1) >= p->cols);
}

/* Whether rows of w cells change one coordinate: a column changes by one. */
static bool may_have_width(const struct profile *p, size_t zeros, size_t w)
{
	return w < 2 || zeros + w >= p->n ||
	       same_columns(p, zeros, zeros + 1) +
	       same_columns(p, zeros, zeros + w) >= p->cols;
}

/* Alternatives of "grid=3x4", each with what write() adds to that width. */
static char *cells_with(struct search *s,
			const char *write(struct search *s, size_t zeros,
					  size_t width))
{
	const struct profile *p = s->profile;
	const size_t zeros = zero_rows(p), n = p->n - zeros;
	char *to = are_cells(p, zeros) ? search_text(s, "{") : NULL;

	for (size_t w = 1; w <= n && to; w++)
		if (n % w == 0 && may_have_width(p, zeros, w))
			to = search_text(s, "%s%sgrid=%zux%zu%s", to,
					 to[1] ? "|!" : "", n / w, w,
					 write ? write(s, zeros, w) : "");
	if (!to || !to[1])
		return NULL;
	return zeros ? search_text(s, "%s} cls=%zu", to, zeros)
		     : search_text(s, "%s}", to);
}

static char *cells(struct search *s, const struct numbers *is)
{
	(void)is;
	return cells_with(s, NULL);
}

/*
 * mae's columns with scaled coordinates, as in diffusers: the first one of cell
 * 1 is the scale; columns are [sin | cos | ...].
 */
static const char *scaled(struct search *s, size_t zeros, size_t width)
{
	const struct profile *p = s->profile;
	const double *x = profile_row(p, zeros + 1 < p->n ? zeros + 1 : 0);
	const double step = atan2(x[0], x[p->cols / 4]);
	const double by = step > 0 ? step : 1, size = by * (double)width;
	const double within = fmax(1e-6, 4 * p->noise);
	char number[2][32];
	const char *to;

	nice_text(round_to_nice(16 / size, 16 * within / size), number[0]);
	nice_text(round_to_nice(1 / by, within / by), number[1]);
	to = search_text(s, "{|! interpolation=%s|! base-size=%.0f|! "
			 "base-size=%zu interpolation=%s}", number[0], size,
			 width, number[1]);
	return to ? to : "";
}

static char *scaled_cells(struct search *s, const struct numbers *is)
{
	(void)is;
	return cells_with(s, scaled);
}

/* Cells in planes: frames of a video, or rows. */
static char *cubes(struct search *s, const struct numbers *is)
{
	const size_t n = (size_t)is->n;
	char *to = are_cells(s->profile, 0) ? search_text(s, "{") : NULL;

	for (size_t planes = 2; planes < n; planes++)
		for (size_t w = 1; w <= n / planes && to; w++)
			if (n % planes == 0 && n / planes % w == 0)
				to = search_text(s, "%s%sgrid=%zux%zux%zu", to,
						 to[1] ? "|!" : "",
						 n / planes / w, w, planes);
	return to && to[1] ? search_text(s, "%s}", to) : NULL;
}

/* Options of factors of queries that change every so many positions. */
struct steps {
	double by, start, shift;
};

/*
 * Steps of so many positions, the first one at row first, where factor k
 * begins. The table tells only the sum of the first position and the shift.
 */
static size_t add_steps(struct steps *to, double by, double k, double first)
{
	const double sum = k * by - first;
	size_t n = 0;

	if (sum >= 1)
		to[n++] = (struct steps){ by, sum - 1, 1 };
	if (sum >= 0)
		to[n++] = (struct steps){ by, sum, 0 };
	if (sum > 1)
		to[n++] = (struct steps){ by, 0, sum };
	return n;
}

/*
 * One change does not tell how many they are: it may be the first from position
 * 0 on. Models, where A is 0.1, have usual ones.
 */
static size_t add_usual_steps(struct steps *to, double k, double first,
			      double rows, bool model)
{
	static const double usual[] = { 8192, 16384, 4096 };
	size_t n = 0, i = 0;

	while (i < COUNT(usual) && usual[i] < fmax(first, rows - first))
		i++;
	for (int pass = 0; pass < 2; pass++) {
		if ((pass == 0) == model && i < COUNT(usual))
			n += add_steps(to + n, usual[i], k, first);
		if ((pass == 1) == model && k < 2) {
			to[n++] = (struct steps){ first + 1, 0, 1 };
			to[n++] = (struct steps){ first, 0, 0 };
		}
	}
	return n;
}

/* Factor k of queries is 1 + A ln(1 + k); it changes with the position. */
static char *steps(struct search *s, const struct numbers *is)
{
	enum { FACTORS = 64 };
	const struct profile *p = s->profile;
	const double within = 4 * (p->noise + p->epsilon + p->assumed);
	double at[2] = { 0 }, k = 0, a = 0;
	struct steps all[8];
	char *to = NULL, number[32];
	size_t n = 0;

	for (size_t i = 1; i < p->n; i++) {
		const double more =
			profile_row(p, i)[0] - profile_row(p, i - 1)[0];

		if (more < -within)
			return NULL;
		if (more > within && n < 2)
			at[n++] = (double)i;
	}
	do
		a = (profile_row(p, (size_t)at[0])[0] - 1) / log1p(++k);
	while (k < FACTORS &&
	       fabs(a * log1p(k - 1) - is->corner + 1) > 2 * within);
	if (!n || k == FACTORS)
		return NULL;
	a = round_to_nice(a, within / log1p(k));
	n = n > 1 ? add_steps(all, at[1] - at[0], k, at[0])
		  : add_usual_steps(all, k, at[0], is->n, fabs(a - 0.1) <= 0);
	for (size_t i = 0; i < n; i++)
		to = search_text(s, "%s%cattn-scale=%s floor-scale=%.0f "
				 "start=%.0f shift=%.0f", to ? to : "",
				 i ? '|' : '{', nice_text(a, number),
				 all[i].by, all[i].start, all[i].shift);
	return to ? search_text(s, "%s}", to) : NULL;
}

/* Enformer's length: rows are distances, whose first feature has no sign. */
static char *half(struct search *s, const struct numbers *is)
{
	const struct profile *p = s->profile;

	for (size_t i = 0; i < p->n; i++)
		if (fabs(profile_row(p, i)[0] -
			 profile_row(p, p->n - 1 - i)[0]) > p->noise)
			return NULL;
	return p->n % 2 ? search_text(s, "%.0f", (is->rows + 1) / 2) : NULL;
}

/* Degrees of spherical harmonics, the first of which is the same anywhere. */
static char *degrees(struct search *s, const struct numbers *is)
{
	const struct profile *p = s->profile;
	const double l = sqrt(is->cols);

	for (size_t i = 1; i < p->n; i++)
		if (fabs(profile_row(p, i)[0] - is->corner) > p->noise)
			return NULL;
	return l > 1 && rint(l) == l ? search_text(s, "%.0f", l) : NULL;
}

/* LoFTR's models divide by 2 in the wrong place. */
static char *loftr_base(struct search *s, const struct numbers *is)
{
	return search_text(s, "%.17g", exp(is->cols / 2));
}

#define NUMBER(name, field) { name, offsetof(struct numbers, field), NULL }

static const struct name {
	const char *name;
	size_t at;             /* of a number */
	text_of *text;         /* or NULL */
} names[] = {
	NUMBER("planes", planes), NUMBER("rows", rows), NUMBER("cols", cols),
	NUMBER("n", n), NUMBER("values", values), NUMBER("stacked", stacked),
	NUMBER("height", height), NUMBER("width", width), NUMBER("far", far),
	NUMBER("corner", corner), NUMBER("here", here),
	NUMBER("buckets", buckets), NUMBER("past-buckets", past_buckets),
	NUMBER("sandwich-dim", sandwich_dim), NUMBER("bound-dim", bound_dim),
	{ "lengths", 0, lengths }, { "distances", 0, distances },
	{ "reach", 0, reach }, { "signed", 0, is_signed },
	{ "grids", 0, grids }, { "grids-of-rest", 0, grids_of_rest },
	{ "hot", 0, hot }, { "bits", 0, bits },
	{ "pretrained", 0, pretrained }, { "positions", 0, positions },
	{ "cells", 0, cells }, { "scaled-cells", 0, scaled_cells },
	{ "cubes", 0, cubes }, { "steps", 0, steps },
	{ "loftr-base", 0, loftr_base }, { "half", 0, half },
	{ "degrees", 0, degrees },
};

/* ---- the rows */

#define T5 "<reach> max-distance={#2147483647:2|!#2147483647:2 emulate=torch}" \
	" num-buckets="
#define ALIBI "form={symmetric|causal|row} bias-max=?8"
#define BIASES (REALS | ONE_SIGN)

static const struct family families[] = {
	{ "sinusoid", "len=<n> dim=<cols>{| first=cos| layout=split| "
	  "layout=split first=cos} base={10000|500000|1000000|1000|150000|"
	  "10000000|100|100000|20000|50000} denom={dim|half-1} start={0|1}",
	  REALS | KNOWN | COARSE, 4, false, NULL },
	{ "naive", "kind=normalized len=<n> dim=<cols> norm={n|n-1|center} "
	  "start={0|1}", FINITE | EQUAL_COLUMNS, 0, true, NULL },
	{ "naive", "kind=integer len=<n> dim=<cols> start=~0 step=~1",
	  FINITE | EQUAL_COLUMNS | SERIES, 0, true, NULL },
	{ "naive", "kind=onehot len=<n> dim=<cols> <hot><signed>", TWO_VALUES,
	  0, true, NULL },
	{ "naive", "len=<n> dim=<cols> <bits><signed>", TWO_VALUES | BITS, 0,
	  true, NULL },
	{ "relative", "<lengths>{| sign=query-key}"
	  "{| clip=<far> out=distances| clip=<here>}", INTEGERS | DISTANCES,
	  4, true, NULL },
	{ "relative", "<lengths>{| sign=query-key} align=start"
	  "{| clip=<far> out=distances| clip=<corner>}",
	  INTEGERS | DISTANCES | OBLONG, 4, true, NULL },
	{ "relative", "<distances> kind=deberta max-position="
	  "{512|!256|!128|!64|!40|!32|!1024|!2048|!4096|!16|!8|!20|!100} "
	  "buckets=#2:4096", INTEGERS | DISTANCES, 4, true, NULL },
	{ "relative", "<lengths> kind=deberta", INTEGERS | DISTANCES | OBLONG,
	  4, true, NULL },
	{ "relative", "kind=swin window=<grids>", INTEGERS | CELLS, 4, true,
	  NULL },
	{ "relative", "kind=swin cls window=<grids-of-rest>", INTEGERS | CELLS,
	  4, true, NULL },
	{ "relative", "kind=swin out=logcoords window=<height>x<width>"
	  "{|! <pretrained>}", FINITE | TWO_COLUMNS | PLANES, 4, false, NULL },
	{ "t5-bucket", T5 "<buckets>", INTEGERS | DISTANCES | BUCKETS | AHEAD,
	  0, true, NULL },
	{ "t5-bucket", T5 "{<past-buckets>|!32|!64|!128|!256|!16|!8|!320} "
	  "causal", INTEGERS | DISTANCES | BUCKETS | BEHIND, 0, true, NULL },
	{ "alibi", "heads=<planes> <lengths> {" ALIBI "|!form=row "
	  "emulate=falcon}", BIASES, 8, false, NULL },
	{ "alibi", "heads=<planes> <lengths> form=masked bias-max=?8",
	  MASKED | BELOW, 8, false, NULL },
	{ "alibi", "heads=<planes> query-len=<rows> form=row <positions>",
	  BIASES | PLANES, 8, false, NULL },
	{ "alibi", "heads=<stacked> len=<cols> " ALIBI, BIASES | STACKED, 8,
	  false, NULL },
	{ "alibi", "heads=<rows> query-len=1 {key-len=<cols> " ALIBI
	  "|!form=row <positions>}", BIASES | ONE_PLANE | ROWS, 8, false,
	  NULL },
	{ "alibi", "heads=<values>{ bias-max=?8|! emulate=falcon}",
	  BIASES | ABOVE | LINE, 8, false, NULL },
	{ "alibi", "heads=<planes> grid=<grids>{|! bias-max=?8}",
	  REALS | BELOW | WIDE | ZERO, 8, false, NULL },
	{ "alibi", NULL, KNOWN, 0, false, alibi_mistakes },
	{ "retnet", "heads=<cols>", REALS | ABOVE | LINE, 8, false, NULL },
	{ "kerple", "heads=<planes> <lengths> kind={log|!power} r1=?1,... "
	  "r2=?1,... form={symmetric|causal}", REALS | BELOW | WIDE | APART, 8,
	  false, NULL },
	{ "sandwich", "heads=<planes> <lengths> dim=<sandwich-dim>",
	  REALS | WIDE | PEAK, 8, false, NULL },
	{ "retnet", "heads=<planes> <lengths> normalize={root-sum|none}",
	  REALS | WIDE | PEAK, 8, false, NULL },
	{ "fire", "<lengths> c=?0.3{|! threshold=0|! threshold=?<cols>|! "
	  "threshold=?8}", REALS | ABOVE | WIDE | ONE_PLANE | ZERO, 8, false,
	  NULL },
	{ "rope", "len=<n> {out=bound dim=<bound-dim>|!out=decay dim={128|!64|"
	  "!96|!80|!256|!192|!48|!32|!16|!8|!4}} base={10000|!500000|!1000000|"
	  "!?10000|!?100|!?1000|!?40000|!?200000}", REALS | COLUMN | FALLS, 40,
	  false, NULL },
	{ "enformer", "len=<half> dim=<cols> functions={exponential,"
	  "central-mask,gamma|!scaled-mask|!exponential|!central-mask|!gamma|"
	  "!exponential,gamma|!exponential,central-mask|!central-mask,gamma}"
	  "{|! symmetric}", FINITE | ONE_PLANE | ROWS, 8, false, NULL },
	{ "spherical", "grid=<grids> legendre-polys=<degrees> "
	  "variant={satclip|!orthonormal|!closed-form}",
	  REALS | ONE_PLANE | ROWS, 8, false, NULL },
};

static const struct family grids_of_cells[] = {
	{ "grid", "dim=<cols> variant={mae|timm|timm layout=interleaved|detr|"
	  "detr normalize|multidim|t2t|timm order=x,y layout=alternating "
	  "start=1|timm order=x,y layout=alternating|timm layout=alternating "
	  "start=1|timm layout=alternating|mae start=1|mae order=y,x start=1|"
	  "timm start=1|timm order=x,y start=1|multidim order=x,y|multidim "
	  "order=x,y start=1} base={10000|100|1000|<loftr-base>} <cells>",
	  FINITE | UNIT, 400, false, NULL },
	{ "grid", "dim=<cols> variant=diffusers <scaled-cells>", FINITE | UNIT,
	  400, false, NULL },
	{ "rope", "dim=<cols> out={cossin|cis} base={10000|100|1000} <cells>",
	  FINITE | UNIT, 400, false, NULL },
	{ "grid", "dim=<cols> <cubes> variant={diffusers|!multidim|!t2t}",
	  FINITE | UNIT, 400, false, NULL },
};

static const struct family steps_of_queries[] = {
	{ "temperature", "len=<n> <steps>", REALS | COLUMN, 8, false, NULL },
};

/* The text that a name between < and > stands for, or NULL. */
static char *named(struct search *s, const struct numbers *is,
		   const char *from, size_t length)
{
	for (size_t k = 0; k < COUNT(names); k++) {
		const struct name *n = &names[k];
		double x;

		if (strncmp(n->name, from, length) != 0 || n->name[length])
			continue;
		if (n->text)
			return n->text(s, is);
		memcpy(&x, (const char *)is + n->at, sizeof x);
		return search_text(s, "%.0f", x);
	}
	return NULL;
}

/* Put in what the table tells; NULL: it is none of the family. */
static char *fill(struct search *s, const struct numbers *is,
		  const char *options)
{
	char *text = search_text(s, "%s", "");

	while (text && *options) {
		const size_t plain = strcspn(options, "<");
		const char *end = strchr(options, '>');
		char *name;

		if (!options[plain])
			return search_text(s, "%s%s", text, options);
		name = named(s, is, options + plain + 1,
			     (size_t)(end - options) - plain - 1);
		text = name ? search_text(s, "%s%.*s%s", text, (int)plain,
					  options, name)
			    : NULL;
		options = end + 1;
	}
	return text;
}

static void try_rows(struct search *s, const struct family *rows, size_t n)
{
	const unsigned traits = traits_of_shape(s->profile) |
				traits_of_values(s->profile);
	const struct numbers is = measure(s->profile);

	for (size_t k = 0; k < n; k++) {
		const struct family *f = &rows[k];
		char *options;

		if ((s->n && !f->ties) || (f->when & ~traits))
			continue;
		if (f->mistakes) {
			if (f->mistakes(s))
				return;
			continue;
		}
		options = fill(s, &is, f->options);
		if (options)
			solve_family(s, f, options);
	}
}

void identify_families(struct search *s)
{
	/* A verdict holds up to rounding: what is not noise cannot fit. */
	if (!s->verdict || !(s->profile->assumed > 0))
		try_rows(s, families, COUNT(families));
}

void identify_grid(struct search *s)
{
	if (!s->n)
		try_rows(s, grids_of_cells, COUNT(grids_of_cells));
}

void identify_temperature(struct search *s)
{
	if (!s->n)
		try_rows(s, steps_of_queries, COUNT(steps_of_queries));
}
