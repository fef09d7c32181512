/* mask.c: does it say which keys each query may attend to? */
#include <stdio.h>
#include <string.h>

#include "identify/families.h"

enum { SEGMENTS_MOST = 512 };  /* keys whose segments are told */

static bool sees(const struct sight *s, size_t i, size_t j)
{
	return s->hides ? sight_row(s, i)[j] >= 0 : sight_row(s, i)[j] > 0;
}

/* How many keys query i sees before one that it doesn't; as it may, or not. */
static size_t run(const struct sight *s, size_t i, bool seen)
{
	size_t n = 0;

	while (n < s->cols && sees(s, i, n) == seen)
		n++;
	return n;
}

/* A kind, with a number if k, of as many queries and keys as there are. */
static bool try_kind(struct hunt *h, const char *kind, size_t k,
		     const char *more)
{
	char size[64], number[24] = "";

	if (k)
		snprintf(number, sizeof number, ":%zu", k);
	return hunt_guess(h, "mask", 0, "%s kind=%s%s%s%s",
			  sight_lengths(h->sight, size), kind, number,
			  h->sight->hides ? " values=ninf" : "", more);
}

/* A key is of the segment of the first that its query sees. */
static void try_segments(struct hunt *h)
{
	const struct sight *s = h->sight;
	/* A word, then up to 3 digits and a comma for each. */
	char more[5 * SEGMENTS_MOST] = " segments=";
	size_t id[SEGMENTS_MOST] = { 0 }, segments = 0;
	size_t n = strlen(more);

	for (size_t j = 0; j < s->n; j++) {
		const size_t first = run(s, j, false);

		id[j] = first < j ? id[first] : segments++;
		n += (size_t)snprintf(more + n, sizeof more - n, "%s%zu",
				      j ? "," : "", id[j]);
	}
	/* One of each is a one-hot table. */
	if (segments < s->n && !try_kind(h, "segments", 0, more))
		try_kind(h, "causal", 0, more);
}

void identify_mask(struct hunt *h)
{
	const struct sight *s = h->sight;
	/* Of the last query; of one key, it is a one-hot table as well. */
	const size_t window = s->cols - run(s, s->n - 1, false);

	/* One row of bits may be anything. */
	if (!s->hides &&
	    (s->n == 1 || !s->whole || s->lo < 0 || s->hi > 1))
		return;
	if (try_kind(h, "causal", 0, "") ||
	    ((window > 1 || s->hides) && try_kind(h, "window", window, "")) ||
	    try_kind(h, "prefix", run(s, 0, true), ""))
		return;
	if (s->n == s->cols && s->n <= SEGMENTS_MOST)
		try_segments(h);
}
