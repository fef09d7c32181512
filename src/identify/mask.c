/* mask.c: attention masks, which keys each query may attend to. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/identify.h"
#include "identify/rounding.h"

enum {
	MAX_SEGMENTS = 512, /* keys with listed segments */
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

/* Try a window of so many keys before and after; less than 0: all. */
static bool try_band(struct search *s, const struct mask *m, long before,
		     long after, const char *more)
{
	char kind[64];

	snprintf(kind, sizeof kind, "band:%ld,%ld", before, after);
	return try_kind(s, m, kind, 0, more);
}

/* Try segments: a key has the segment of the first key its query attends to. */
static bool try_segments(struct search *s, const struct mask *m)
{
	const struct profile *p = s->profile;
	/* The name, then up to 3 digits and a comma for each key. */
	char more[5 * MAX_SEGMENTS] = " segments=";
	size_t id[MAX_SEGMENTS] = { 0 }, segments = 0;
	size_t n = strlen(more);

	if (p->n != p->cols || p->n > MAX_SEGMENTS)
		return false;
	for (size_t j = 0; j < p->n; j++) {
		const size_t first = first_keys(m, j, false);

		id[j] = first < j ? id[first] : segments++;
		n += (size_t)snprintf(more + n, sizeof more - n, "%s%zu",
				      j ? "," : "", id[j]);
	}
	/* A segment per key is a one-hot table. */
	return segments < p->n && (try_kind(s, m, "segments", 0, more) ||
				   try_kind(s, m, "causal", 0, more));
}

/* Try chunks: where one begins, the first visible key moves by its length. */
static bool try_chunks(struct search *s, const struct mask *m)
{
	size_t i = 1, length;

	while (i < s->profile->n &&
	       first_keys(m, i, false) == first_keys(m, i - 1, false))
		i++;
	if (i >= s->profile->n)
		return false;
	length = first_keys(m, i, false) - first_keys(m, i - 1, false);
	return length > 1 && length < s->profile->cols &&
	       try_kind(s, m, "chunk", length, "");
}

/*
 * How far keys of queries with all their keys in the table are from them, in
 * gaps: distances between neighbours among them.
 */
struct reach {
	size_t before, after, gap;
	bool first, last;   /* the table's first or last key is among them */
};

/* Whether the queries see keys at even distances, and themselves. */
static bool find_reach(const struct mask *m, struct reach *r)
{
	const struct profile *p = m->profile;
	const size_t own = p->cols - p->n, end = p->cols - 1;
	size_t gap = 0;

	*r = (struct reach){ 0 };
	if (p->n > p->cols || !attends(m, p->n - 1, end) ||
	    !attends(m, 0, own))
		return false;
	r->before = end - first_keys(m, p->n - 1, false);
	for (size_t d = 1; d <= end - own; d++)
		if (attends(m, 0, own + d))
			r->after = d;
	for (size_t d = 1; !gap && d <= end; d++)
		if (attends(m, p->n - 1, end - d) ||
		    (d <= r->after && attends(m, 0, own + d)))
			gap = d;
	if (!gap)
		return false;
	r->first = r->before + gap > end;
	r->last = own + r->after + gap > end;
	r->before /= gap;
	r->after /= gap;
	r->gap = gap;
	return true;
}

/*
 * Try windows of both sides and dilated ones. If both sides reach as far, or
 * one might, they are called symmetric.
 */
static bool try_bands(struct search *s, const struct mask *m)
{
	char more[40] = "";
	struct reach r;
	long before, after;

	if (!find_reach(m, &r))
		return false;
	if (r.gap > 1)
		snprintf(more, sizeof more, " dilation=%zu", r.gap);
	before = r.first ? -1 : (long)r.before;
	after = r.after && r.last ? -1 : (long)r.after;
	if (r.gap > 1 && r.first && (r.last || !r.after))
		return try_kind(s, m, r.after ? "full" : "causal", 0, more) &&
		       (try_segments(s, m) || true);
	if (r.gap > 1 && !r.after)
		return try_kind(s, m, "window", (size_t)before + 1, more);
	if (before >= 0 && (after == before || after < 0) &&
	    try_kind(s, m, "symmetric", (size_t)before, more) && after >= 0)
		return true;
	return try_band(s, m, before, after, more);
}

/* Where the image of a key begins, in which queries see later keys. */
static size_t image_start(const struct mask *m, size_t key)
{
	while (key && attends(m, key - 1, key))
		key--;
	return key;
}

/*
 * Try images, in which all see each other: a query that sees the next key is of
 * the same image.
 */
static bool try_images(struct search *s, const struct mask *m)
{
	const struct profile *p = m->profile;
	char more[6 * MAX_SEGMENTS] = " images=";
	size_t images = 0, window = 1, n = strlen(more);

	if (p->n != p->cols || p->n > MAX_SEGMENTS)
		return false;
	for (size_t j = 0; j < p->n; j++) {
		const size_t start = image_start(m, j);
		const size_t first = first_keys(m, j, false);
		const bool inside = start < j ||
			(j + 1 < p->n && attends(m, j, j + 1));

		images += inside && start == j;
		n += (size_t)snprintf(more + n, sizeof more - n, "%s%ld",
				      j ? "," : "",
				      inside ? (long)images - 1 : -1);
		if (first < start && j - first + 1 > window)
			window = j - first + 1;
	}
	return images && (try_kind(s, m, "causal", 0, more) ||
			  try_kind(s, m, "window", window, more));
}

/* A first image also makes a prefix: both are named. */
static bool try_prefix(struct search *s, const struct mask *m)
{
	if (!try_kind(s, m, "prefix", first_keys(m, 0, true), ""))
		return false;
	try_images(s, m);
	return true;
}

static bool try_kinds(struct search *s, const struct mask *m)
{
	const struct profile *p = s->profile;
	/* Of the last query. With a window of 1 it is a one-hot table, too. */
	const size_t window = p->cols - first_keys(m, p->n - 1, false);

	return try_kind(s, m, "causal", 0, "") ||
	       ((window > 1 || m->additive) &&
		try_kind(s, m, "window", window, "")) ||
	       try_prefix(s, m) || try_chunks(s, m) ||
	       (m->usual && try_bands(s, m)) || try_segments(s, m) ||
	       (m->usual && try_images(s, m));
}

/* Whether all values are x or 0. */
static bool only_zeros_and(const struct profile *p, double x)
{
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++)
			if (profile_row(p, i)[j] != 0 &&
			    profile_row(p, i)[j] != x)
				return false;
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

/* The key of query i of each plane that is its own, if the last is the last. */
static size_t own_key(const struct profile *p, size_t i)
{
	return i % p->table->rows + p->cols - p->table->rows;
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
			if (attends(m, i, j) != shape_has(a, own_key(p, i), j))
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
	const size_t planes = s->profile->table->planes;
	char list[128];
	size_t n = 0, most = 0;

	for (size_t k = 0; k < planes; k++) {
		const size_t pad = left ? a[k].low
					: s->profile->cols - a[k].end;

		most = pad > most ? pad : most;
		if (n < sizeof list - 32)
			n += (size_t)snprintf(list + n, sizeof list - n,
					      "%s%zu", k ? ", " : "", pad);
		else if (list[n - 1] != '.')
			n += (size_t)snprintf(list + n, sizeof list - n,
					      ", ...");
	}
	return most ? search_text(s, ", %s padding of %s keys",
				  left ? "left" : "right", list) : "";
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

/* Whether all values are 0 or so low that they mask a key. */
static bool only_masked(const struct profile *p)
{
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->cols; j++)
			if (!(profile_row(p, i)[j] == 0 ||
			      profile_row(p, i)[j] <= MASKED_VALUE))
				return false;
	return true;
}

void identify_mask(struct search *s)
{
	const struct profile *p = s->profile;
	const double x = p->min < 0 ? p->min : p->max;
	struct mask m = {
		.profile = p, .additive = p->additive_mask || p->masked,
		.usual = p->additive_mask || x == 1 || x <= MASKED_VALUE,
	};
	char number[32];

	if (p->additive_mask || p->masked) {
		snprintf(m.values, sizeof m.values, " values=ninf");
		if (p->additive_mask && try_kinds(s, &m))
			return;
		if (only_masked(p))
			describe(s, &m);
		return;
	}
	/* Neither a single row nor a few zeros and ones are called a mask. */
	if (p->n == 1 || (p->n * p->cols < FEW_VALUES && x > MASKED_VALUE))
		return;
	if (!only_zeros_and(p, x)) {
		m.additive = true;
		if (only_masked(p))
			describe(s, &m);
		return;
	}
	if (x == 1 && try_kinds(s, &m))
		return;
	m.additive = true;
	snprintf(m.values, sizeof m.values, " values=fill:%s",
		 nice_text(x, number));
	for (enum dtype d = F64; d <= BF16; d++)
		if (x <= -dtype_greatest(d) && x >= -dtype_greatest(d))
			snprintf(m.values, sizeof m.values, " values=min-%s",
				 dtype_name(d));
	if (try_kinds(s, &m) || !m.usual)
		return;
	m.additive = x < 1;
	if (!describe(s, &m) && x == 1) {
		m.additive = true;
		describe(s, &m);
	}
}
