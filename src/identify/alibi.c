/* alibi.c: ALiBi, in which form, or with the slopes of a known mistake. */
#include <math.h>
#include <stdio.h>

#include "identify/identify.h"
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

/* Set the verdict to the factor that all biases have. */
static void find_factor(struct search *s, const struct slopes *m)
{
	const double size = m->values[0] / geometric(0, m->heads);
	const double factor = round_to_nice(s->profile->max > 0 ? -size : size,
					    1e-6 * size);
	const struct distances d = {
		.last = (double)m->keys - 1, .step = 1,
	};

	if (m->queries != m->keys || m->heads < 2 || factor == 1 ||
	    !is_made(m, s->profile, geometric, -factor, &d))
		return;
	s->verdict = search_text(s, "alibi with a factor: each value is %.9g "
				 "times that of 'posenc alibi --heads %zu "
				 "--len %zu'", factor, m->heads, m->keys);
	s->family = "alibi";
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

/* Set the verdict to the mistake that makes these slopes. */
static void find_mistake(struct search *s, const struct slopes *m)
{
	const bool power = power_below(m->heads) >= (double)m->heads;

	if (is_chance(s, m))
		return;
	/* For a power of two, that is the authors' formula. */
	if (power && agree(m, s->profile, geometric)) {
		find_factor(s, m);
		return;
	}
	for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++)
		/* --bias-max makes 2^-h of a power of two. */
		if (m->heads > 1 && !(power && mistakes[k].slope == halves) &&
		    is_mistake(m, s->profile, mistakes[k].slope)) {
			s->verdict = mistakes[k].verdict;
			s->family = "alibi";
			return;
		}
	if (power)
		find_factor(s, m);
}

/* --bias-max: the first slope is 2^(-max / n), n the power of two below. */
static void bias_max(const struct slopes *m, const struct profile *p,
		     char text[32])
{
	const double n = power_below(m->heads);
	const double steps = m->keys > 1 ? (double)(m->keys - 1) : 1;
	const double within =
		p->assumed > 0 ? 2 * p->assumed / steps / m->values[0]
			       : p->noise + p->epsilon;

	nice_text(round_to_nice(-n * log2(m->values[0]), 8 * n * within),
		  text);
}

/* Positions of keys by the first head: "-2,-1,0"; NULL if too large. */
static char *positions(struct search *s, const struct slopes *m)
{
	const double slope = exp2(-8 / power_below(m->heads));
	char *list = search_alloc(s, m->keys, 32);
	size_t length = 0;

	for (size_t j = 0; list && j < m->keys; j++) {
		const double p = profile_row(s->profile, 0)[j] / slope;

		if (fabs(p) > 0x1p53)
			return NULL;
		length += (size_t)snprintf(list + length, 32, "%s%.0f",
					   j ? "," : "", p);
	}
	return list;
}

static void try_forms(struct search *s, const struct slopes *m, const char *max)
{
	static const char *const forms[] = {
		"symmetric", "causal", "row", "masked"
	};
	const bool masked = s->profile->masked;
	char *list;

	for (int k = masked ? 3 : 0; k < (masked ? 4 : 3); k++)
		try_recipe(s, "alibi", 8,
			   "heads=%zu query-len=%zu key-len=%zu "
			   "form=%s bias-max=%s",
			   m->heads, m->queries, m->keys, forms[k], max);
	if (masked)
		return;
	if (!search_has_exact(s, 0) && !(s->profile->assumed > 0))
		try_recipe(s, "alibi", 8,
			   "heads=%zu query-len=%zu key-len=%zu "
			   "form=row emulate=falcon",
			   m->heads, m->queries, m->keys);
	/* With one head, any integers are some positions. */
	list = s->n || m->heads < 2 ? NULL : positions(s, m);
	if (list)
		try_recipe(s, "alibi", 8,
			   "heads=%zu query-len=%zu form=row positions=%s",
			   m->heads, m->queries, list);
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
			p->assumed > 0 ? fabs(x[m->keys - 1] - x[0]) /
						 (double)(m->keys - 1)
				       : slope_of(x, m->keys);
		if (!(m->values[k] > 0))
			return false;
	}
	return true;
}

static void try_biases(struct search *s, struct slopes *m)
{
	char max[32];

	if (!measure(s->profile, m))
		return;
	bias_max(m, s->profile, max);
	try_forms(s, m, max);
	if (!s->n)
		find_mistake(s, m);
}

static void try_slopes(struct search *s, struct slopes *m)
{
	const struct profile *p = s->profile;
	char max[32];

	for (size_t k = 0; k < m->heads; k++)
		m->values[k] =
			p->n > 1 ? profile_row(p, k)[0] : profile_row(p, 0)[k];
	bias_max(m, p, max);
	try_recipe(s, "alibi", 8, "heads=%zu bias-max=%s", m->heads, max);
	if (!search_has_exact(s, 0) && !(p->assumed > 0))
		try_recipe(s, "alibi", 8, "heads=%zu emulate=falcon", m->heads);
	if (!s->n)
		find_mistake(s, m);
}

/*
 * Biases that go on beyond the query, where other forms have their largest or a
 * mask: as some code makes them, which masks later.
 */
static void find_unmasked(struct search *s, struct slopes *m)
{
	const struct profile *p = s->profile;
	const struct distances d = {
		.last = (double)m->keys - 1, .step = 1, .negative = true,
	};
	const bool above = profile_row(p, 0)[m->keys - 1] > 0;

	if (m->heads < 2 || !measure(p, m) || is_chance(s, m) ||
	    !is_made(m, p, usual, above ? -1 : 1, &d))
		return;
	s->verdict = above
		? "alibi without a mask: the bias of query i and key j is "
		  "m (j - i), above 0 for keys after the query, which a causal "
		  "mask must hide"
		: "alibi with the opposite sign: the bias of query i and key j "
		  "is m (i - j), so the farther a key is before the query, the "
		  "higher is its score";
	s->family = "alibi";
}

void identify_alibi(struct search *s)
{
	const struct profile *p = s->profile;
	const struct table *t = p->table;
	struct slopes m = { .heads = t->planes,
			    .queries = t->rows,
			    .keys = t->cols };
	const bool two_signs = p->min < -p->assumed && p->max > p->assumed;
	const size_t before = s->n;

	/* What explains less noise may have too many digits for this. */
	if ((s->n && !(p->assumed > 0)) || (two_signs && p->assumed > 0))
		return;
	m.values = search_alloc(s, p->n > p->cols ? p->n : p->cols,
				sizeof *m.values);
	if (!m.values)
		return;
	if (two_signs) {
		find_unmasked(s, &m);
		return;
	}
	if (p->cols > 1)
		try_biases(s, &m);
	if (s->n == before && t->planes == 1 && p->n % p->cols == 0 &&
	    p->cols > 1) {
		m.heads = p->n / p->cols;
		m.queries = p->cols;
		try_biases(s, &m);
	}
	if (s->n == before && t->planes == 1 && p->cols > 1 && p->n > 1) {
		m.heads = t->rows;
		m.queries = 1;
		try_biases(s, &m);
	}
	if (s->n == before && p->min > 0 && (p->n == 1 || p->cols == 1) &&
	    p->n * p->cols <= MOST_HEADS) {
		m.heads = p->n * p->cols;
		m.keys = 1;
		try_slopes(s, &m);
	}
}
