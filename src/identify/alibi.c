/* alibi.c: is it ALiBi, in which form, or with the slopes of a known bug? */
#include <math.h>
#include <stdio.h>

#include "identify/families.h"
#include "identify/snap.h"

/* Slopes [heads] as seen, and the shape of what they multiply. */
struct slopes {
	size_t heads, queries, keys;
	double *at;
};

/* Formulas people ship that are not the authors'. */
struct mistake {
	double (*slope)(size_t head, size_t heads);
	const char *words;
};

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

/* 2^-8 h / n for the power of two above, the first of them. */
static double power_above(size_t head, size_t heads)
{
	double n = 1;

	while (n < (double)heads)
		n *= 2;
	return exp2(-8 * (double)(head + 1) / n);
}

static const struct mistake mistakes[] = {
	{ geometric, "alibi, but with wrong slopes: 2^(-8 h / heads), where "
		     "for heads that are no power of two the authors "
		     "interleave two sequences" },
	{ off_by_one, "alibi, but with wrong slopes: the exponent is off by "
		      "one, and they begin at 1" },
	{ halves, "alibi, but with wrong slopes: 2^-h whatever the number of "
		  "heads" },
	{ power_above, "alibi, but with wrong slopes: the first of the power "
		       "of two above, where the authors interleave two "
		       "sequences" },
};

static bool near(double a, double b, const struct sight *s)
{
	return fabs(a - b) <= (8 * s->arithmetic + 2 * s->noise) * fabs(b);
}

/* The greatest power of two that is not above n. */
static double power_below(size_t n)
{
	double p = 1;

	while (2 * p <= (double)n)
		p *= 2;
	return p;
}

/* Whether all slopes are what the formula says. */
static bool follow(const struct slopes *m, const struct sight *s,
		   double (*slope)(size_t head, size_t heads))
{
	size_t head = 0;

	while (head < m->heads &&
	       near(m->at[head], slope(head, m->heads), s))
		head++;
	return head == m->heads;
}

/* Name the mistake whose slopes these are. */
static void find_mistake(struct hunt *h, const struct slopes *m)
{
	const bool power = power_below(m->heads) >= (double)m->heads;

	/* The authors' own formula, for a power of two */
	if (power && follow(m, h->sight, geometric))
		return;
	for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++)
		if (m->heads > 1 && follow(m, h->sight, mistakes[k].slope))
			h->verdict = mistakes[k].words;
}

/* The first slope is 2^(-max / n), n the power of two below. */
static void bias_max(const struct slopes *m, const struct sight *s,
		     char text[32])
{
	const double n = power_below(m->heads);

	snap_text(snap(-n * log2(m->at[0]),
		       8 * n * (s->noise + s->arithmetic)), text);
}

/* "-2,-1,0": the positions of keys, by the first head; NULL where too far. */
static char *positions(struct hunt *h, const struct slopes *m)
{
	const double slope = exp2(-8 / power_below(m->heads));
	char *list = hunt_room(h, m->keys, 32);
	size_t length = 0;

	for (size_t j = 0; list && j < m->keys; j++) {
		const double p = sight_row(h->sight, 0)[j] / slope;

		if (fabs(p) > 0x1p53)
			return NULL;
		length += (size_t)snprintf(list + length, 32, "%s%.0f",
					   j ? "," : "", p);
	}
	return list;
}

static void try_forms(struct hunt *h, const struct slopes *m, const char *max)
{
	static const char *const forms[] = { "symmetric", "causal", "row" };
	char *list;

	for (int k = 0; k < 3; k++)
		hunt_guess(h, "alibi", 8, "heads=%zu query-len=%zu key-len=%zu "
			   "form=%s bias-max=%s", m->heads, m->queries,
			   m->keys, forms[k], max);
	if (!hunt_exact(h, 0))
		hunt_guess(h, "alibi", 8, "heads=%zu query-len=%zu key-len=%zu "
			   "form=row emulate=falcon", m->heads, m->queries,
			   m->keys);
	/* One head alone has positions for any whole numbers. */
	list = h->n || m->heads < 2 ? NULL : positions(h, m);
	if (list)
		hunt_guess(h, "alibi", 8, "heads=%zu query-len=%zu form=row "
			   "positions=%s", m->heads, m->queries, list);
}

/* From key to key of a row, where it is nearest 0 and so rounded least. */
static double rise(const double *x, size_t keys)
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

static void try_biases(struct hunt *h, struct slopes *m)
{
	const struct sight *s = h->sight;
	char max[32];

	for (size_t k = 0; k < m->heads; k++) {
		const size_t last = k * m->queries + m->queries - 1;

		m->at[k] = rise(sight_row(s, last), m->keys);
		if (!(m->at[k] > 0))
			return;
	}
	bias_max(m, s, max);
	try_forms(h, m, max);
	if (!h->n)
		find_mistake(h, m);
}

static void try_slopes(struct hunt *h, struct slopes *m)
{
	const struct sight *s = h->sight;
	char max[32];

	for (size_t k = 0; k < m->heads; k++)
		m->at[k] = s->n > 1 ? sight_row(s, k)[0] : sight_row(s, 0)[k];
	bias_max(m, s, max);
	hunt_guess(h, "alibi", 8, "heads=%zu bias-max=%s", m->heads, max);
	if (!hunt_exact(h, 0))
		hunt_guess(h, "alibi", 8, "heads=%zu emulate=falcon", m->heads);
	if (!h->n)
		find_mistake(h, m);
}

void identify_alibi(struct hunt *h)
{
	const struct sight *s = h->sight;
	const struct table *t = s->table;
	struct slopes m = { .heads = t->planes, .queries = t->rows,
			    .keys = t->cols };

	if (h->n || (s->lo < 0 && s->hi > 0))
		return;
	m.at = hunt_room(h, s->n > s->cols ? s->n : s->cols, sizeof *m.at);
	if (!m.at)
		return;
	if (s->cols > 1)
		try_biases(h, &m);
	if (!h->n && t->planes == 1 && s->n % s->cols == 0 && s->cols > 1) {
		m.heads = s->n / s->cols;
		m.queries = s->cols;
		try_biases(h, &m);
	}
	if (!h->n && t->planes == 1 && s->cols > 1 && s->n > 1) {
		m.heads = t->rows;
		m.queries = 1;
		try_biases(h, &m);
	}
	if (!h->n && s->lo > 0 && (s->n == 1 || s->cols == 1)) {
		m.heads = s->n * s->cols;
		try_slopes(h, &m);
	}
}
