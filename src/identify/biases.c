/* biases.c: KERPLE, Sandwich and RetNet, whose biases depend on distances. */
#include <math.h>
#include <stdio.h>

#include "exact/logarithm.h"
#include "identify/identify.h"
#include "identify/kernel.h"
#include "identify/rounding.h"

enum { MOST_HEADS = 128, ROOM = 32 };

/* The value of the last query in head h at a distance. */
static double at(const struct profile *p, size_t h, size_t distance)
{
	const struct table *t = p->table;

	return profile_row(p, (h + 1) * t->rows - 1)[t->cols - 1 - distance];
}

/* r1 and r2 of a head, from distances 1 and the largest; false: none. */
static bool fit_kernel(const struct profile *p, size_t h, bool power,
		       double r[2])
{
	const double most = (double)(p->table->cols - 1);
	const double one = -at(p, h, 1);
	const double ratio = -at(p, h, p->table->cols - 1) / one;
	const double within = 4 * (p->noise + p->epsilon);
	double low, high;

	if (!(one > 0 && ratio > 1 && (power || ratio < most)))
		return false;
	if (power) {
		low = log_ratio(ratio * (1 - within), 1) / log_ratio(most, 1);
		high = log_ratio(ratio * (1 + within), 1) / log_ratio(most, 1);
	} else {
		low = kernel_of_growth(ratio * (1 + within), most);
		high = kernel_of_growth(ratio * (1 - within), most);
	}
	r[1] = round_to_nice((low + high) / 2, (high - low) / 2);
	r[0] = power ? one : one / log_one_plus(r[1], 1);
	r[0] = round_to_nice(r[0], r[0] * within);
	return true;
}

/* Try KERPLE, where nearer keys have larger biases, and the nearest 0. */
static void try_kerple(struct search *s, const char *size, bool power)
{
	const struct profile *p = s->profile;
	const struct table *t = p->table;
	const bool causal = t->rows > 1 &&
			    profile_row(p, t->rows - 2)[t->cols - 1] == 0;
	char r1[MOST_HEADS * ROOM] = "", r2[MOST_HEADS * ROOM] = "";
	char number[ROOM];
	size_t n = 0, m = 0;
	double r[2];

	for (size_t h = 0; h < t->planes; h++) {
		if (!fit_kernel(p, h, power, r))
			return;
		n += (size_t)snprintf(r1 + n, sizeof r1 - n, "%s%s",
				      h ? "," : "", nice_text(r[0], number));
		m += (size_t)snprintf(r2 + m, sizeof r2 - m, "%s%s",
				      h ? "," : "", nice_text(r[1], number));
	}
	try_recipe(s, "kerple", 8, "heads=%zu %s kind=%s r1=%s r2=%s form=%s",
		   t->planes, size, power ? "power" : "log", r1, r2,
		   causal ? "causal" : "symmetric");
}

/* Sandwich's bias of the first of so many heads. */
static double sandwich_bias(double heads, double dim, double distance)
{
	const size_t n = (size_t)(dim / 2);
	double sum = 0;

	for (size_t k = 0; k < n; k++)
		sum += cos(distance * pow(10000, -(double)k / (double)n));
	return sum * heads / 8;
}

/*
 * Whether the first biases are roughly Sandwich's. A candidate computes all of
 * them at once, D / 2 cosines for each: of a wide table, many seconds' work.
 */
static bool resembles_sandwich(const struct profile *p, double dim)
{
	enum { FIRST = 8 };
	const struct table *t = p->table;
	const double within = 0.1 * at(p, 0, 0) + p->noise + p->assumed;
	size_t d = 1;

	while (d < FIRST && d < t->cols &&
	       fabs(at(p, 0, d) - sandwich_bias((double)t->planes, dim,
						(double)d)) <= within)
		d++;
	return d == FIRST || d == t->cols;
}

/* Try Sandwich: at distance 0 the bias of the first head is D H / 16. */
static void try_sandwich(struct search *s, const char *size)
{
	enum { DIM_MOST = 1048576 };
	const struct profile *p = s->profile;
	const struct table *t = p->table;
	const double dim = rint(16 * at(p, 0, 0) / (double)t->planes);

	if (dim >= 2 && dim <= DIM_MOST && resembles_sandwich(p, dim))
		try_recipe(s, "sandwich", 8, "heads=%zu %s dim=%.0f",
			   t->planes, size, dim);
}

/* Try RetNet's mask, of which a key's share decays by 31 / 32 at first. */
static void try_retnet(struct search *s, const char *size)
{
	static const char *const normalizes[] = { "root-sum", "none" };
	const struct profile *p = s->profile;
	const size_t heads = p->table->planes;

	if (fabs(at(p, 0, 1) - 0.96875 * at(p, 0, 0)) >
	    4 * (p->noise + p->epsilon) + p->assumed)
		return;
	for (size_t k = 0; k < 2; k++)
		try_recipe(s, "retnet", 8, "heads=%zu %s normalize=%s", heads,
			   size, normalizes[k]);
}

void identify_biases(struct search *s)
{
	const struct profile *p = s->profile;
	const struct table *t = p->table;
	char size[64];

	if (s->n || s->verdict || t->planes > MOST_HEADS || t->cols < 3 ||
	    t->rows > t->cols)
		return;
	if (p->n == 1 &&
	    fabs(profile_row(p, 0)[0] - 0.96875) <= p->noise + p->assumed)
		try_recipe(s, "retnet", 8, "heads=%zu", t->cols);
	snprintf(size, sizeof size, t->rows == t->cols ? "len=%zu"
		 : "key-len=%zu query-len=%zu", t->cols, t->rows);
	if (p->max <= 0) {
		try_kerple(s, size, false);
		try_kerple(s, size, true);
	} else {
		try_sandwich(s, size);
		try_retnet(s, size);
	}
}
