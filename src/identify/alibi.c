/*
 * alibi.c: ALiBi of some of a model's heads, with the slopes of a known
 * mistake, or without a mask.
 */
#include <math.h>
#include <stdio.h>

#include "identify/families.h"
#include "identify/rounding.h"

/* More heads are rows or columns of another table: slopes take long. */
enum { MOST_HEADS = 1024 };

/* Wrong slopes are named if other values agree less often than this. */
#define CHANCE 5e-4

/* Slopes as measured, and the shape of the biases. */
struct slopes {
	size_t heads, queries, keys;
	double *values; /* [heads] */
};

/* Formulas in use that are not the authors'. */
struct mistake {
	double (*slope)(size_t head, size_t heads);
	const char *verdict;
};

/* The largest power of two up to n. */
static double power_below(size_t n)
{
	double p = 1;

	while (2 * p <= (double)n)
		p *= 2;
	return p;
}

/* The authors': of a power of two, then every other one of the next. */
static double usual(size_t head, size_t heads)
{
	const double n = power_below(heads);
	const double more = 2 * ((double)head - n) + 1;

	return (double)head < n ? exp2(-8 * (double)(head + 1) / n)
				: exp2(-4 * more / n);
}

static double geometric(size_t head, size_t heads)
{
	return exp2(-8 * (double)(head + 1) / (double)heads);
}

static double off_by_one(size_t head, size_t heads)
{
	return exp2(-8 * (double)head / (double)heads);
}

static double halves(size_t head, size_t heads)
{
	(void)heads;
	return exp2(-(double)(head + 1));
}

/* The first slopes of the next power of two. */
static double power_above(size_t head, size_t heads)
{
	double n = 1;

	while (n < (double)heads)
		n *= 2;
	return exp2(-8 * (double)(head + 1) / n);
}

static const struct mistake mistakes[] = {
	{ geometric, "alibi with wrong slopes: 2^(-8 h / heads); if heads is "
		     "not a power of two, the authors concatenate two "
		     "sequences" },
	{ off_by_one, "alibi with wrong slopes: the exponent is off by one, "
		      "so the first slope is 1" },
	{ halves, "alibi with wrong slopes: 2^-h for any number of heads" },
	{ power_above, "alibi with wrong slopes: the first slopes of the next "
		       "higher power of two; the authors concatenate two "
		       "sequences" },
};

static bool near(double a, double b, const struct profile *p)
{
	return fabs(a - b) <= (8 * p->epsilon + 2 * p->noise) * fabs(b);
}

/* Whether all slopes agree with the formula. */
static bool agree(const struct slopes *m, const struct profile *p,
		  double (*slope)(size_t head, size_t heads))
{
	size_t head = 0;

	while (head < m->heads &&
	       near(m->values[head], slope(head, m->heads), p))
		head++;
	return head == m->heads;
}

/* Distances of queries and keys; that of key j is its position less j. */
struct distances {
	double last;   /* position of the last query of each head */
	double step;   /* from query to query: 0 if all rows are equal */
	bool causal;   /* 0 where the key is after the query */
	bool negative; /* below 0 there */
};

/* Whether a value is factor times the distance; -inf is a masked key's. */
static bool is_distance(const struct profile *p, double x, double factor,
			double distance, const struct distances *d)
{
	if (p->masked && distance < 0)
		return isinf(x);
	if (!d->negative)
		distance = d->causal ? fmax(distance, 0) : fabs(distance);
	return near(x, factor * distance, p);
}

/* Whether all values are factor times what the slopes make of distances. */
static bool is_made(const struct slopes *m, const struct profile *p,
		    double (*slope)(size_t head, size_t heads), double factor,
		    const struct distances *d)
{
	for (size_t i = 0; i < p->n; i++) {
		const double *x = profile_row(p, i);
		const double by = factor * slope(i / m->queries, m->heads);
		const double at = d->last -
			d->step * (double)(m->queries - 1 - i % m->queries);

		for (size_t j = 0; j < p->cols; j++)
			if (!is_distance(p, x[j], by, at - (double)j, d))
				return false;
	}
	return true;
}

/* Whether all biases have a factor: the verdict. */
static bool find_factor(struct search *s, const struct slopes *m)
{
	const double size = m->values[0] / geometric(0, m->heads);
	const double factor = round_to_nice(s->profile->max > 0 ? -size : size,
					    1e-6 * size);
	const struct distances d = {
		.last = (double)m->keys - 1, .step = 1,
	};

	if (m->queries != m->keys || m->heads < 2 || factor == 1 ||
	    !is_made(m, s->profile, geometric, -factor, &d))
		return false;
	s->verdict = search_text(s, "alibi with a factor: each value is %.9g "
				 "times that of 'posenc alibi --heads %zu "
				 "--len %zu'", factor, m->heads, m->keys);
	s->family = "alibi";
	return true;
}

/* Whether the slopes make all values, in any form and with any sign. */
static bool is_mistake(const struct slopes *m, const struct profile *p,
		       double (*slope)(size_t head, size_t heads))
{
	const double sign = p->max > 0 ? 1 : -1;
	const double *x = profile_row(p, m->queries - 1);
	const double first = fabs(x[0]), last = fabs(x[m->keys - 1]);
	const double far = rint(last / slope(0, m->heads));
	struct distances d = {
		.last = (double)m->keys - 1 + (last < first ? far : -far),
	};
	bool made = agree(m, p, slope);

	if (!made || m->keys == 1)
		return made;
	made = is_made(m, p, slope, sign, &d);
	d.step = 1;
	made = made || is_made(m, p, slope, sign, &d);
	d.causal = true;
	return made || is_made(m, p, slope, sign, &d);
}

/* Whether values of few digits agree with some slopes by chance. */
static bool is_chance(const struct search *s, const struct slopes *m)
{
	const size_t steps = m->keys > 1 ? m->keys - 1 : 1;

	return pow(2 * s->profile->noise, (double)(m->heads * steps)) > CHANCE;
}

/* Whether a mistake makes these slopes: the verdict. */
static bool find_mistake(struct search *s, const struct slopes *m)
{
	const bool power = power_below(m->heads) >= (double)m->heads;

	if (is_chance(s, m))
		return false;
	/* For a power of two, that is the authors' formula. */
	if (power && agree(m, s->profile, geometric))
		return find_factor(s, m);
	for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++)
		/* --bias-max makes 2^-h of a power of two. */
		if (m->heads > 1 && !(power && mistakes[k].slope == halves) &&
		    is_mistake(m, s->profile, mistakes[k].slope)) {
			s->verdict = mistakes[k].verdict;
			s->family = "alibi";
			return true;
		}
	return power && find_factor(s, m);
}

/* The slope of a row, where values are nearest 0 and rounded least. */
static double slope_of(const double *x, size_t keys)
{
	double step = 0, least = INFINITY;

	for (size_t j = 1; j < keys; j++) {
		const double far = fmax(fabs(x[j]), fabs(x[j - 1]));

		if (far < least && x[j] - x[j - 1] != 0) {
			least = far;
			step = fabs(x[j] - x[j - 1]);
		}
	}
	return step;
}

/* Measure the slopes in the last row of each head; false if there are none. */
static bool measure(const struct profile *p, struct slopes *m)
{
	if (m->heads > MOST_HEADS)
		return false;
	for (size_t k = 0; k < m->heads; k++) {
		const double *x =
			profile_row(p, k * m->queries + m->queries - 1);

		m->values[k] =
			slope_of(x, m->keys);
		if (!(m->values[k] > 0))
			return false;
	}
	return true;
}

/*
 * Biases that go on beyond the query, where other forms have their largest or a
 * mask: as some code makes them, which masks later.
 */
static bool find_unmasked(struct search *s, struct slopes *m)
{
	const struct profile *p = s->profile;
	const struct distances d = {
		.last = (double)m->keys - 1, .step = 1, .negative = true,
	};
	const bool above = profile_row(p, 0)[m->keys - 1] > 0;

	if (m->heads < 2 || !measure(p, m) || is_chance(s, m) ||
	    !is_made(m, p, usual, above ? -1 : 1, &d))
		return false;
	s->verdict = above
		? "alibi without a mask: the bias of query i and key j is "
		  "m (j - i), above 0 for keys after the query, which a causal "
		  "mask must hide"
		: "alibi with the opposite sign: the bias of query i and key j "
		  "is m (i - j), so the farther a key is before the query, the "
		  "higher is its score";
	s->family = "alibi";
	return true;
}

/* Whether the slopes are those of so many heads from the first on. */
static bool are_of(const struct search *s, const struct slopes *m, size_t heads,
		   size_t first)
{
	size_t k = 0;

	while (k < m->heads &&
	       near(m->values[k], usual(first + k, heads), s->profile))
		k++;
	return k == m->heads;
}

static bool try_range(struct search *s, const struct slopes *m, size_t heads,
		      size_t first)
{
	static const struct family row = { .recipe = "alibi", .absolute = 8 };
	const char *forms = " form={symmetric|causal|row|masked}";
	const char *size = m->keys == 1 ? ""
		: m->keys == m->queries
		? search_text(s, " len=%zu%s", m->keys, forms)
		: search_text(s, " query-len=%zu key-len=%zu%s", m->queries,
			      m->keys, forms);
	const char *options = size ? search_text(s, "heads=%zu head-range=%zu:"
						 "%zu%s", heads, first,
						 first + m->heads, size)
				   : NULL;

	return options && solve_family(s, &row, options);
}

/*
 * Devices share heads evenly: theirs are tried before others. rank 0: of a
 * power of two of devices; 1: of any number; 2: any.
 */
static bool find_range(struct search *s, const struct slopes *m)
{
	const size_t n = m->heads;

	for (int rank = 0; rank < 3 && 2 * n <= MOST_HEADS; rank++)
		for (size_t h = n + 1; h <= MOST_HEADS; h++) {
			const size_t by = rank < 2 ? n : 1;

			if ((rank < 2 && h % n) ||
			    (!rank && (h / n & (h / n - 1))))
				continue;
			for (size_t first = 0; first + n <= h; first += by)
				if (are_of(s, m, h, first) &&
				    try_range(s, m, h, first))
					return true;
		}
	return false;
}

/* What the slopes of heads of so many rows and columns are. */
static bool find_slopes(struct search *s, struct slopes *m)
{
	const struct profile *p = s->profile;

	for (size_t k = 0; k < m->heads && m->keys == 1; k++)
		m->values[k] =
			p->n > 1 ? profile_row(p, k)[0] : profile_row(p, 0)[k];
	return (m->keys == 1 || measure(p, m)) &&
	       !((m->heads > 1 || m->keys == 1) && find_range(s, m)) &&
	       find_mistake(s, m);
}

bool alibi_mistakes(struct search *s)
{
	const struct profile *p = s->profile;
	const size_t planes = p->table->planes, rows = p->table->rows;
	const bool stacked = planes == 1 && p->n % p->cols == 0;
	struct slopes of[] = {
		{ .heads = planes, .queries = rows, .keys = p->cols },
		{ .heads = stacked ? p->n / p->cols : MOST_HEADS + 1,
		  .queries = p->cols, .keys = p->cols },
		{ .heads = planes == 1 && rows > 1 ? rows : MOST_HEADS + 1,
		  .queries = 1, .keys = p->cols },
		{ .heads = p->min > 0 && (p->n == 1 || p->cols == 1)
			? p->n * p->cols : MOST_HEADS + 1,
		  .queries = 1, .keys = 1 },
	};
	double *values = search_alloc(s, MOST_HEADS, sizeof *values);
	bool found = false;

	for (size_t k = 0; k < COUNT(of) && values && !found && !s->n; k++) {
		of[k].values = values;
		if (of[k].heads > MOST_HEADS || (k < 3 && p->cols < 2))
			continue;
		if (p->min < 0 && p->max > 0)
			found = !k && find_unmasked(s, &of[k]);
		else
			found = find_slopes(s, &of[k]);
	}
	return found;
}
