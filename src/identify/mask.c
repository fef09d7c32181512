/* mask.c: attention masks, which keys each query may attend to. */
#include <stdio.h>
#include <string.h>

#include "identify/identify.h"

enum { MAX_SEGMENTS = 512 }; /* keys with listed segments */

static bool attends(const struct profile *p, size_t i, size_t j)
{
	return p->additive_mask ? profile_row(p, i)[j] >= 0
				: profile_row(p, i)[j] > 0;
}

/* How many first keys query i attends to; or, if not attended, does not. */
static size_t first_keys(const struct profile *p, size_t i, bool attended)
{
	size_t n = 0;

	while (n < p->cols && attends(p, i, n) == attended)
		n++;
	return n;
}

/* Try a kind with the size k, if not 0, and more options. */
static bool try_kind(struct search *s, const char *kind, size_t k,
		     const char *more)
{
	char size[64], number[24] = "";

	if (k)
		snprintf(number, sizeof number, ":%zu", k);
	return try_recipe(s, "mask", 0, "%s kind=%s%s%s%s",
			  profile_lengths(s->profile, size), kind, number,
			  s->profile->additive_mask ? " values=ninf" : "",
			  more);
}

/* Try segments: a key has the segment of the first key its query attends to. */
static void try_segments(struct search *s)
{
	const struct profile *p = s->profile;
	/* The name, then up to 3 digits and a comma for each key. */
	char more[5 * MAX_SEGMENTS] = " segments=";
	size_t id[MAX_SEGMENTS] = { 0 }, segments = 0;
	size_t n = strlen(more);

	for (size_t j = 0; j < p->n; j++) {
		const size_t first = first_keys(p, j, false);

		id[j] = first < j ? id[first] : segments++;
		n += (size_t)snprintf(more + n, sizeof more - n, "%s%zu",
				      j ? "," : "", id[j]);
	}
	/* A segment per key is a one-hot table. */
	if (segments < p->n && !try_kind(s, "segments", 0, more))
		try_kind(s, "causal", 0, more);
}

void identify_mask(struct search *s)
{
	const struct profile *p = s->profile;
	/* Of the last query. With a window of 1 it is a one-hot table, too. */
	const size_t window = p->cols - first_keys(p, p->n - 1, false);

	/* A single row of zeros and ones is not called a mask. */
	if (!p->additive_mask &&
	    (p->n == 1 || !p->integers || p->min < 0 || p->max > 1))
		return;
	if (try_kind(s, "causal", 0, "") ||
	    ((window > 1 || p->additive_mask) &&
	     try_kind(s, "window", window, "")) ||
	    try_kind(s, "prefix", first_keys(p, 0, true), ""))
		return;
	if (p->n == p->cols && p->n <= MAX_SEGMENTS)
		try_segments(s);
}
