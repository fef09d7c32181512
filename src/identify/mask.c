/* mask.c: attention masks, which keys each query may attend to. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/identify.h"
#include "identify/rounding.h"

enum {
	MAX_SEGMENTS = 512, /* keys with listed segments */
	LIST_TEXT = 16 + 5 * MAX_SEGMENTS,
	FEW_VALUES = 9,     /* fewer values are a mask of any kind */
};

/* Values from here down are only used to mask keys. */
#define MASKED_VALUE (-1e4)

/* How a table is read as a mask. */
struct mask {
	const struct profile *profile;
	bool additive;      /* visible keys have the value 0, not 1 */
	bool usual;         /* masked or visible keys have a usual value */
	char values[48];    /* the option */
};

static bool attends(const struct mask *m, size_t i, size_t j)
{
	const double x = profile_row(m->profile, i)[j];

	return m->additive ? x == 0 : x > 0;
}

/* How many first keys query i attends to; or, if not attended, does not. */
static size_t first_keys(const struct mask *m, size_t i, bool attended)
{
	size_t n = 0;

	while (n < m->profile->cols && attends(m, i, n) == attended)
		n++;
	return n;
}

/* Try a kind with the size k, if not 0, and more options. */
static bool try_kind(struct search *s, const struct mask *m, const char *kind,
		     size_t k, const char *more)
{
	char size[64], number[24] = "";

	if (k)
		snprintf(number, sizeof number, ":%zu", k);
	return try_recipe(s, "mask", 0, "%s kind=%s%s%s%s",
			  profile_lengths(s->profile, size), kind, number,
			  m->values, more);
}

/* " segments=0,0,1": an option with a number for each of n keys. */
static void write_list(char text[], const char *name, const long *id, size_t n)
{
	text += snprintf(text, 16, " %s=", name);
	for (size_t j = 0; j < n; j++)
		text += snprintf(text, 8, "%s%ld", j ? "," : "", id[j]);
}

/* Try segments: a key has the segment of the first key its query attends to. */
static bool try_segments(struct search *s, const struct mask *m)
{
	const struct profile *p = s->profile;
	char more[LIST_TEXT];
	long id[MAX_SEGMENTS] = { 0 }, segments = 0;

	if (p->n != p->cols || p->n > MAX_SEGMENTS)
		return false;
	for (size_t j = 0; j < p->n; j++) {
		const size_t first = first_keys(m, j, false);

		id[j] = first < j ? id[first] : segments++;
	}
	write_list(more, "segments", id, p->n);
	/* A segment per key is a one-hot table. */
	return segments < (long)p->n && (try_kind(s, m, "segments", 0, more) ||
					 try_kind(s, m, "causal", 0, more));
}

/* Try chunks: where one begins, the first visible key moves by its length. */
static bool try_chunks(struct search *s, const struct mask *m)
{
	size_t length = 0;

	for (size_t i = 1; !length && i < s->profile->n; i++)
		length = first_keys(m, i, false) - first_keys(m, i - 1, false);
	return length > 1 && length < s->profile->cols &&
	       try_kind(s, m, "chunk", length, "");
}

/*
 * How far keys of queries with all their keys in the table are from them, in
 * gaps: distances between neighbours among them. -1: as far as the table.
 */
struct reach {
	long before, after;
	size_t gap;
	char dilation[40];     /* the gap as an option */
};

/* Whether the first and the last query see themselves, as with bands. */
static bool find_reach(const struct mask *m, struct reach *r)
{
	const struct profile *p = m->profile;
	const size_t own = p->cols - p->n, end = p->cols - 1;
	const size_t first = first_keys(m, p->n - 1, false);
	const bool sees = p->n <= p->cols && attends(m, p->n - 1, end) &&
			  attends(m, 0, own);
	size_t before = first > end ? 0 : end - first, after = 0, gap = 1;

	for (size_t d = 1; sees && d <= end - own; d++)
		if (attends(m, 0, own + d))
			after = d;
	while (sees && m->usual && before + after &&
	       !attends(m, p->n - 1, end - gap) &&
	       !(gap <= after && attends(m, 0, own + gap)))
		gap++;
	*r = (struct reach){ .before = -1, .after = -1, .gap = gap };
	if (before + gap <= end)
		r->before = (long)(before / gap);
	if (!after || own + after + gap <= end)
		r->after = (long)(after / gap);
	if (gap > 1)
		snprintf(r->dilation, sizeof r->dilation, " dilation=%zu", gap);
	return sees && m->usual && before + after;
}

/*
 * Try windows of both sides. If both sides reach as far, or one might, they are
 * called symmetric.
 */
static bool try_bands(struct search *s, const struct mask *m,
		      const struct reach *r)
{
	char kind[64];

	if (r->before >= 0 && (r->after == r->before || r->after < 0) &&
	    try_kind(s, m, "symmetric", (size_t)r->before, r->dilation) &&
	    r->after >= 0)
		return true;
	snprintf(kind, sizeof kind, "band:%ld,%ld", r->before, r->after);
	return try_kind(s, m, kind, 0, r->dilation);
}

/*
 * Try images, in which all see each other: a query that sees the next key is of
 * the same image.
 */
static bool try_images(struct search *s, const struct mask *m)
{
	const struct profile *p = m->profile;
	char more[LIST_TEXT];
	long id[MAX_SEGMENTS] = { 0 }, images = 0;
	size_t window = 1;

	if (p->n != p->cols || p->n > MAX_SEGMENTS)
		return false;
	for (size_t j = 0, start = 0; j < p->n; j++) {
		const size_t first = first_keys(m, j, false);
		bool inside;

		if (j && !attends(m, j - 1, j))
			start = j;
		inside = start < j || (j + 1 < p->n && attends(m, j, j + 1));
		images += inside && start == j;
		id[j] = inside ? images - 1 : -1;
		if (first < start && j - first + 1 > window)
			window = j - first + 1;
	}
	write_list(more, "images", id, p->n);
	return images && (try_kind(s, m, "causal", 0, more) ||
			  try_kind(s, m, "window", window, more));
}

/* A mask that two commands make has both as matches. */
static bool try_kinds(struct search *s, const struct mask *m)
{
	struct reach r;
	const bool bands = find_reach(m, &r);

	if (try_kind(s, m, "causal", 0, r.dilation) ||
	    try_kind(s, m, "full", 0, r.dilation))
		return r.gap == 1 || try_segments(s, m) || true;
	/* With a window of 1 it is a one-hot table, too. */
	if ((r.before > 0 || (r.before == 0 && m->additive)) &&
	    try_kind(s, m, "window", (size_t)r.before + 1, r.dilation))
		return true;
	if (try_kind(s, m, "prefix", first_keys(m, 0, true), ""))
		return try_images(s, m) || true;
	return try_chunks(s, m) || (bands && try_bands(s, m, &r)) ||
	       try_segments(s, m) || (m->usual && try_images(s, m));
}

/* Whether all values are x, 0 or so low as least. */
static bool only_zeros_and(const struct profile *p, double x, double least)
{
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++) {
			const double y = profile_row(p, i)[j];

			if (!(y == 0 || y == x || y <= least))
				return false;
		}
	return true;
}

/*
 * A mask that no command makes, one plane: keys low to end - 1 are there. Those
 * that a query attends to are all of them; or, up to its own, the first ones
 * (a sink) and a window of the last ones.
 */
struct shape {
	size_t low, end, sink, window;
	bool full, strict;     /* strict: not its own */
	int alone;             /* what a query before low attends to: nothing,
				  itself (1) or all (2) */
};

static bool shape_has(const struct shape *a, size_t own, size_t j)
{
	if (own < a->low && a->alone)
		return a->alone > 1 || j == own;
	return j >= a->low && j < a->end &&
	       (a->full || (j + a->strict <= own &&
			    (j < a->low + a->sink || j + a->window > own)));
}

/* Measure the sink and the window by the last row; whether all rows agree. */
static bool is_shape(const struct mask *m, size_t plane, struct shape *a)
{
	const struct profile *p = m->profile;
	const size_t rows = p->table->rows, last = plane * rows + rows - 1;
	size_t first;

	for (a->end = p->cols; a->end && !attends(m, last, a->end - 1);)
		a->end--;
	for (first = a->end; first > a->low && attends(m, last, first - 1);)
		first--;
	a->window = first > a->low ? p->cols - first : p->cols;
	for (a->sink = 0; a->low + a->sink < first &&
	     attends(m, last, a->low + a->sink);)
		a->sink++;
	if (a->strict && a->end == p->cols - 1)
		a->end++;
	for (size_t i = plane * rows; i <= last; i++)
		for (size_t j = 0; j < p->cols; j++)
			if (attends(m, i, j) !=
			    shape_has(a, i + p->cols - 1 - last, j))
				return false;
	return a->end > a->low;
}

/* Find the shape of a plane: causal rather than full, of few first keys. */
static bool find_shape(const struct mask *m, size_t plane, struct shape *a)
{
	for (size_t low = 0; low < m->profile->cols; low++)
		for (int k = 0; k < (low ? 9 : 3); k++) {
			*a = (struct shape){ .low = low, .alone = k / 3,
					     .full = k % 3 == 1,
					     .strict = k % 3 == 2 };
			if (is_shape(m, plane, a))
				return true;
		}
	return false;
}

/* "left padding of 3 keys", or of each plane; nothing if there is none. */
static const char *padding_words(struct search *s, const struct shape *a,
				 bool left)
{
	enum { LISTED = 24 };
	const size_t planes = s->profile->table->planes;
	char list[LISTED * 24] = "";
	size_t n = 0, most = 0;

	for (size_t k = 0; k < planes; k++) {
		const size_t pad = left ? a[k].low
					: s->profile->cols - a[k].end;

		most = pad > most ? pad : most;
		if (k < LISTED)
			n += (size_t)snprintf(list + n, 24, "%s%zu",
					      k ? ", " : "", pad);
	}
	return most ? search_text(s, ", %s padding of %s%s keys",
				  left ? "left" : "right", list,
				  planes > LISTED ? ", ..." : "") : "";
}

/* "0", or both values where masked keys have two. */
static const char *masked_words(struct search *s, const struct mask *m)
{
	const struct profile *p = m->profile;
	double lo = HUGE_VAL, hi = -HUGE_VAL;

	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++) {
			const double x = profile_row(p, i)[j];

			if (attends(m, i, j))
				continue;
			lo = fmin(lo, x);
			hi = fmax(hi, x);
		}
	return lo < hi ? search_text(s, "%.9g or %.9g", hi, lo)
		       : search_text(s, "%.9g", lo);
}

/* Find the shape of all planes a; they differ in their padding at most. */
static bool find_shapes(const struct mask *m, struct shape *a)
{
	const struct table *t = m->profile->table;

	for (size_t k = 0; k < t->planes; k++)
		if (t->rows > t->cols || !find_shape(m, k, &a[k]) ||
		    a[k].full != a->full || a[k].strict != a->strict ||
		    a[k].sink != a->sink || a[k].window != a->window)
			return false;
	return true;
}

/* Tell what the mask is. Zeros and ones of no known shape may be anything. */
static bool describe(struct search *s, const struct mask *m)
{
	const struct profile *p = m->profile;
	struct shape *a = search_alloc(s, p->table->planes, sizeof *a);
	const char *kind = "of no known kind";
	char sink[64] = "", window[64] = "";
	bool known, alone = false;

	if (!a)
		return false;
	known = find_shapes(m, a);
	if (!(p->min <= MASKED_VALUE) && (!known || s->few || a->window == 1))
		return false;
	if (known)
		kind = a->full ? "bidirectional" : a->strict
			? "strictly causal (no query attends to its own key)"
			: "causal";
	for (size_t k = 0; known && k < p->table->planes; k++)
		alone = alone || a[k].alone;
	if (known && a->sink)
		snprintf(sink, sizeof sink, ", attention sink of %zu keys",
			 a->sink);
	if (known && a->window < p->cols)
		snprintf(window, sizeof window, ", window of %zu keys",
			 a->window);
	s->verdict = search_text(
		s, "no match found, but this is an attention mask: %s%s%s%s%s%s"
		"; %s where a query attends, %s elsewhere", kind, window, sink,
		known ? padding_words(s, a, true) : "",
		known ? padding_words(s, a, false) : "",
		alone ? ", queries in the padding attend to themselves or to "
			"all keys" : "",
		m->additive ? "0" : "1", masked_words(s, m));
	return true;
}

/* Write the option of masked keys with the value x, or -inf. */
static void write_values(struct mask *m, bool infinite, double x)
{
	char number[32];

	snprintf(m->values, sizeof m->values, " values=%s%s",
		 infinite ? "ninf" : "fill:",
		 infinite ? "" : nice_text(x, number));
	for (enum dtype d = F64; d <= BF16; d++)
		if (x <= -dtype_greatest(d) && x >= -dtype_greatest(d))
			snprintf(m->values, sizeof m->values, " values=min-%s",
				 dtype_name(d));
}

void identify_mask(struct search *s)
{
	const struct profile *p = s->profile;
	const bool infinite = p->additive_mask || p->masked;
	const double x = p->min < 0 ? p->min : p->max;
	const bool two_values = infinite ? p->additive_mask
					 : only_zeros_and(p, x, -HUGE_VAL);
	const bool ones = !infinite && two_values && x == 1;
	struct mask m = {
		.profile = p, .additive = !ones,
		.usual = p->additive_mask || x == 1 || x <= MASKED_VALUE,
	};

	/* Neither a single row nor a few zeros and ones are called a mask. */
	if (!infinite && (p->n == 1 || (p->n * p->cols < FEW_VALUES &&
					x > MASKED_VALUE)))
		return;
	if (ones && try_kinds(s, &m))
		return;
	m.additive = true;
	write_values(&m, infinite, x);
	if (two_values ? try_kinds(s, &m) || !m.usual
		       : !only_zeros_and(p, 0, MASKED_VALUE))
		return;
	m.additive = !ones;
	if (!describe(s, &m) && ones) {
		m.additive = true;
		describe(s, &m);
	}
}
