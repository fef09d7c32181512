/* heads.c: ALiBi of some of a model's heads, as one of several devices has. */
#include <math.h>
#include <stdio.h>

#include "identify/families.h"

enum { MOST_HEADS = 1024 };

/* Slopes as measured, and the shape of the biases; keys 1: slopes only. */
struct slopes {
	size_t n, queries, keys;
	double *values;        /* [n] */
};

/* The authors': of a power of two, then every other one of the next. */
static double usual(size_t head, size_t heads)
{
	double n = 1;

	while (2 * n <= (double)heads)
		n *= 2;
	return exp2((double)head < n ? -8 * (double)(head + 1) / n
				     : -8 * ((double)head - n) / n - 4 / n);
}

/* Whether the slopes are those of so many heads from the first on. */
static bool agree(const struct search *s, const struct slopes *m, size_t heads,
		  size_t first)
{
	const double within = 8 * s->profile->epsilon + 2 * s->profile->noise;

	for (size_t k = 0; k < m->n; k++) {
		const double y = usual(first + k, heads);

		if (fabs(m->values[k] - y) > within * y)
			return false;
	}
	return true;
}

static bool try_range(struct search *s, const struct slopes *m, size_t heads,
		      size_t first)
{
	static const char *const forms[] = {
		"symmetric", "causal", "row", "masked",
	};
	char size[80] = "";
	bool found = false;

	if (m->keys > 1 && m->keys == m->queries)
		snprintf(size, sizeof size, "len=%zu form=", m->keys);
	else if (m->keys > 1)
		snprintf(size, sizeof size, "query-len=%zu key-len=%zu form=",
			 m->queries, m->keys);
	for (size_t k = 0; k < COUNT(forms) && (!k || size[0]); k++)
		found |= try_recipe(s, "alibi", 8,
				    "heads=%zu head-range=%zu:%zu %s%s", heads,
				    first, first + m->n, size,
				    size[0] ? forms[k] : "");
	return found;
}

/*
 * Devices share heads evenly: theirs are tried before others. rank 0: of a
 * power of two of devices; 1: of any number; 2: any.
 */
static bool try_slopes(struct search *s, const struct slopes *m)
{
	for (int rank = 0; rank < 3; rank++)
		for (size_t h = m->n + 1; h <= MOST_HEADS; h++) {
			const size_t devices = h / m->n;
			const size_t by = rank < 2 ? m->n : 1;

			if ((rank < 2 && h % m->n) ||
			    (!rank && devices & (devices - 1)))
				continue;
			for (size_t first = 0; first + m->n <= h; first += by)
				if (agree(s, m, h, first) &&
				    try_range(s, m, h, first))
					return true;
		}
	return false;
}

/* Measure the slopes in the last row of each head, of n / heads rows. */
static bool measure(const struct profile *p, struct slopes *m)
{
	m->queries = p->n / m->n;
	m->keys = p->cols;
	for (size_t k = 0; k < m->n; k++) {
		const double *x = profile_row(p, (k + 1) * m->queries - 1);

		m->values[k] = fabs(x[m->keys - 1] - x[0]) /
			       (double)(m->keys - 1);
		if (!(m->values[k] > 0 && m->values[k] <= 1))
			return false;
	}
	return true;
}

void identify_heads(struct search *s)
{
	const struct profile *p = s->profile;
	const size_t values = p->n * p->cols;
	const size_t counts[] = { p->table->planes, p->n, p->n / p->cols };
	double room[MOST_HEADS];
	struct slopes m = { .values = room };

	if (s->n || p->assumed > 0 || p->noise >= COARSE_NOISE)
		return;
	if ((p->n == 1 || p->cols == 1) && values <= MOST_HEADS / 2) {
		m = (struct slopes){ values, 1, 1, room };
		for (size_t k = 0; k < values; k++)
			room[k] = profile_row(p, k / p->cols)[k % p->cols];
		if (try_slopes(s, &m))
			return;
	}
	for (size_t k = 0; k < COUNT(counts) && p->cols > 1; k++) {
		m.n = counts[k];
		if (m.n > 1 && m.n <= MOST_HEADS / 2 && p->n % m.n == 0 &&
		    measure(p, &m) && try_slopes(s, &m))
			return;
	}
}
