/* fire.c: FIRE's relative distances, which its network takes. */
#include <math.h>
#include <stdio.h>

#include "exact/logarithm.h"
#include "identify/identify.h"
#include "identify/kernel.h"
#include "identify/rounding.h"

/* In a denominator, ln(|c| max(i, L) + 1) + SMALL. */
#define SMALL 1e-6

/* Relative error of a kernel that float32 rounded. */
static double slack(const struct profile *p)
{
	return 4 * (p->noise + p->epsilon);
}

/* c by how the last query's values grow with the distance; 0: they do not. */
static double fit_c(const struct profile *p)
{
	const size_t keys = p->cols;
	const double *x = profile_row(p, p->n - 1);
	const double most = (double)(keys - 1);
	const double ratio = x[0] / x[keys - 2], within = slack(p);
	double low, high;

	if (!(x[keys - 2] > 0 && ratio > 1 && ratio < most))
		return 0;
	low = kernel_of_growth(ratio * (1 + within), most);
	high = kernel_of_growth(ratio * (1 - within), most);
	return round_to_nice((low + high) / 2, (high - low) / 2);
}

/* The position that a query's values are relative to, its own or L. */
static double relative_to(const struct profile *p, size_t i, double c,
			  double *within)
{
	const size_t query = p->cols - p->n + i;
	const size_t key = query ? query - 1 : 1;
	const double below = log_one_plus(c, 1) / profile_row(p, i)[key];
	const double most = expm1(below - SMALL) / c;

	*within = slack(p) * below * (1 + c * most) / c;
	return most;
}

/* Try L as the first query tells it, unless that is at its own position. */
static void try_threshold(struct search *s, double c)
{
	const struct profile *p = s->profile;
	const double first = (double)(p->cols - p->n);
	char size[64], threshold[48] = "", number[32];
	double within;
	const double most = relative_to(p, 0, c, &within);

	if (!isfinite(most) || most < first - within)
		return;
	if (most <= first + within && first > 0)
		snprintf(threshold, sizeof threshold, " threshold=0");
	else if (!(fabs(most - 512) <= within))
		snprintf(threshold, sizeof threshold, " threshold=%s",
			 most > within
			 ? nice_text(round_to_nice(most, within), number)
			 : "0");
	try_recipe(s, "fire", 8, "%s c=%s%s", profile_lengths(p, size),
		   nice_text(c, number), threshold);
}

void identify_fire(struct search *s)
{
	const struct profile *p = s->profile;
	double c;

	if (s->n || p->table->planes > 1 || p->cols < 4 || p->n > p->cols ||
	    p->min < 0 || profile_row(p, p->n - 1)[p->cols - 1] > 0)
		return;
	c = fit_c(p);
	if (c > 0)
		try_threshold(s, c);
}
