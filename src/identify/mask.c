/* mask.c: attention masks, which keys each query may attend to. */
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

/* Try segments: a key has the segment of the first key its query attends to. */
static bool try_segments(struct search *s, const struct mask *m)
{
	const struct profile *p = s->profile;
	/* The name, then up to 3 digits and a comma for each key. */
	char more[5 * MAX_SEGMENTS] = " segments=";
	size_t id[MAX_SEGMENTS] = { 0 }, segments = 0;
	size_t n = strlen(more);

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

static bool try_kinds(struct search *s, const struct mask *m)
{
	const struct profile *p = s->profile;
	/* Of the last query. With a window of 1 it is a one-hot table, too. */
	const size_t window = p->cols - first_keys(m, p->n - 1, false);

	return try_kind(s, m, "causal", 0, "") ||
	       ((window > 1 || m->additive) &&
		try_kind(s, m, "window", window, "")) ||
	       try_kind(s, m, "prefix", first_keys(m, 0, true), "") ||
	       try_chunks(s, m) ||
	       (p->n == p->cols && p->n <= MAX_SEGMENTS && try_segments(s, m));
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

void identify_mask(struct search *s)
{
	const struct profile *p = s->profile;
	const double x = p->min < 0 ? p->min : p->max;
	struct mask m = { .profile = p, .additive = p->additive_mask };
	char number[32];

	if (p->additive_mask) {
		snprintf(m.values, sizeof m.values, " values=ninf");
		try_kinds(s, &m);
		return;
	}
	/* Neither a single row nor a few zeros and ones are called a mask. */
	if (p->n == 1 || !only_zeros_and(p, x) ||
	    (p->n * p->cols < FEW_VALUES && x > MASKED_VALUE))
		return;
	if (x == 1 && try_kinds(s, &m))
		return;
	m.additive = true;
	snprintf(m.values, sizeof m.values, " values=fill:%s",
		 nice_text(x, number));
	try_kinds(s, &m);
}
