/* sequence.c: modes of sequences. */
#include <math.h>

#include "exact/within.h"
#include "resize/resize.h"

static struct span tile_span(const struct scale *s, size_t i)
{
	return copy_span(s, i % s->in);
}

const struct filter tile_filter = { tile_span, copy_weight };

static struct span last_span(const struct scale *s, size_t i)
{
	return copy_span(s, i < s->in ? i : s->in - 1);
}

const struct filter last_filter = { last_span, copy_weight };

bool keep_open(struct scale *s, struct table *owner, struct error *err)
{
	(void)owner;
	if (!whole_within(s->number, 0, 0x1p31))
		return fail(err, "--mode keep:K: K must be an integer, at "
			    "least 0, got %.17g", s->number);
	if (s->number >= (double)s->in)
		return fail(err, "--mode keep:%.0f must keep fewer rows than "
			    "there are to resize, %zu", s->number, s->in);
	if (s->number > (double)s->out)
		return fail(err, "--to must have room for the %.0f rows that "
			    "--mode keep:K keeps, got %zu", s->number, s->out);
	return true;
}

/*
 * Row K + j lies at K + j (N - K) / (M - K), whose fraction is exact here.
 * Those beyond the last row go on along the last difference.
 */
static struct span keep_span(const struct scale *s, size_t i)
{
	const size_t kept = (size_t)s->number;
	struct span at = copy_span(s, i);
	size_t place, k;

	if (i < kept || s->in == 1)
		return copy_span(s, i < kept ? i : 0);
	place = (i - kept) * (s->in - kept);
	k = kept + place / (s->out - kept);
	at.first = k < s->in - 1 ? k : s->in - 2;
	at.n = 2;
	place %= s->out - kept;
	at.at = (double)(k - at.first) +
		(double)place / (double)(s->out - kept);
	return at;
}

const struct filter keep_filter = { keep_span, linear_weight };

bool hierarchical_open(struct scale *s, struct table *owner, struct error *err)
{
	(void)owner;
	if (!(s->number >= 0 && s->number < 1))
		return fail(err, "--mode hierarchical:A: A must be at least 0 "
			    "and less than 1, got %.17g", s->number);
	if (s->out > s->in * s->in)
		return fail(err, "--mode hierarchical makes at most %zu * %zu "
			    "rows of %zu, got --to %zu", s->in, s->in, s->in,
			    s->out);
	return true;
}

static struct span hierarchical_span(const struct scale *s, size_t i)
{
	const size_t high = i / s->in, low = i % s->in;

	return (struct span){ .i = i, .n = (high > low ? high : low) + 1,
			      .sum = 1 };
}

/*
 * A e[high] + (1 - A) e[low] with e = (T - A T[0]) / (1 - A) is
 * T[low] + A / (1 - A) (T[high] - T[0]).
 */
static double hierarchical_weight(const struct scale *s, const struct span *at,
				  size_t j)
{
	const double share = s->number / (1 - s->number);

	return (j == at->i / s->in ? share : 0) - (j == 0 ? share : 0) +
	       (j == at->i % s->in ? 1 : 0);
}

const struct filter hierarchical_filter = {
	hierarchical_span, hierarchical_weight,
};
