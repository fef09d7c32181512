/* t5.c: is it T5's buckets, of how many and how far? */
#include <math.h>
#include <stdio.h>

#include "identify/families.h"
#include "identify/snap.h"

enum { TRIES = 300, TIES = 8 };

/* What is known of buckets before their parameters are. */
struct buckets {
	char size[96];        /* "query-len=2 key-len=7 past=5" */
	bool causal;
	size_t one_way;       /* buckets of a direction */
	const double *row;    /* the row with most of the past, and where */
	size_t here;          /* distance 0 stands in it */
};

/* The bucket of a distance n into the past. */
static double past_bucket(const struct buckets *b, size_t n)
{
	return b->row[b->here - n];
}

/*
 * The least and greatest M with the seen first distances n of buckets E + j:
 * n - 1 < E (M / E)^(j / L) <= n. Arithmetic in float32 moves them a little.
 */
static void bound_distance(const struct buckets *b, double *least, double *most)
{
	const double e = floor((double)b->one_way / 2);
	const double l = (double)b->one_way - e;

	*least = e + 1;
	*most = 0x1p31;
	for (size_t n = 1; n <= b->here; n++) {
		const double after = past_bucket(b, n) - e;
		const double before = past_bucket(b, n - 1) - e;

		if (after <= before || after < 1)
			continue;
		/* first of after, and past the end of before */
		*most = fmin(*most, e * pow((double)n / e, l / after) * 1.0001);
		*least = fmax(*least, e * pow(((double)n - 1) / e,
					      l / (before + 1)) * 0.9999);
	}
}

static bool guess(struct hunt *h, const struct buckets *b, double most)
{
	const size_t all = b->causal ? b->one_way : 2 * b->one_way;
	const char *way = b->causal ? " causal" : "";

	return hunt_guess(h, "t5-bucket", 0, "%s%s num-buckets=%zu "
			  "max-distance=%.0f", b->size, way, all, most) ||
	       hunt_guess(h, "t5-bucket", 0, "%s%s num-buckets=%zu "
			  "max-distance=%.0f emulate=torch", b->size, way, all,
			  most);
}

/* The usual, then the roundest, then any whole distance between the bounds. */
static bool find_distance(struct hunt *h, const struct buckets *b)
{
	double least, most;
	bool found;

	if (b->one_way < 2)
		return false;
	bound_distance(b, &least, &most);
	if (least > most)
		return false;
	if (least <= 128 && most >= 128 && guess(h, b, 128))
		return true;
	for (int k = 1; k < 32; k++)
		if (ldexp(1, k) >= least && ldexp(1, k) <= most &&
		    guess(h, b, ldexp(1, k)))
			return true;
	found = guess(h, b, rint(snap((least + most) / 2,
				      (most - least) / 2)));
	if (found && most - least > TIES)
		return true;
	for (int k = 0; k < TRIES && ceil(least) + k <= most; k++)
		if (guess(h, b, ceil(least) + k))
			found = true;
	return found;
}

/* Where distance 0 stands: the last place of all before the future. */
static bool find_here(const struct sight *s, struct buckets *b)
{
	const size_t last = s->n - 1;
	size_t at = 0;

	b->row = sight_row(s, last);
	while (at < s->cols && b->row[at] > 0)
		at++;
	if (at == s->cols || at < last || (at && b->row[at - 1] != 1))
		return false;
	b->here = at;
	if (s->n == 1)
		snprintf(b->size, sizeof b->size, "distances=-%zu:%zu", at,
			 s->cols - 1 - at);
	else
		snprintf(b->size, sizeof b->size, "query-len=%zu key-len=%zu"
			 " past=%zu", s->n, s->cols, at - last);
	if (s->n == s->cols)
		snprintf(b->size, sizeof b->size, "len=%zu", s->n);
	return true;
}

void identify_t5(struct hunt *h)
{
	static const size_t usual[] = { 32, 64, 128, 256, 16, 8, 320 };
	const struct sight *s = h->sight;
	struct buckets b = { .causal = true };
	double top = 0;

	if (!s->whole || s->lo < 0 || s->hi > 8192 ||
	    s->n != s->table->rows || !sight_toeplitz(s) || !find_here(s, &b))
		return;
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = b.here - (s->n - 1) + i + 1; j < s->cols; j++)
			b.causal = b.causal && sight_row(s, i)[j] <= 0;
	for (size_t n = 0; n <= b.here; n++)
		top = fmax(top, past_bucket(&b, n));
	if (!b.causal) {
		/* The first of the future follows those of the past. */
		const double *x = sight_row(s, 0);
		const size_t at = b.here - (s->n - 1);

		b.one_way = (size_t)fmax(x[at + 1] - 1, 0);
		find_distance(h, &b);
		return;
	}
	b.one_way = (size_t)top + 1;
	if (find_distance(h, &b))
		return;
	for (size_t k = 0; k < sizeof usual / sizeof *usual; k++) {
		b.one_way = usual[k];
		if ((double)usual[k] > top && find_distance(h, &b))
			return;
	}
}
