/* inspect_spectrum.c: singular values of a table, and what they say. */
#include <math.h>

#include "views/inspect.h"

/* Numerical rank: singular values above this, of the largest. */
#define RANK_LEAST 1e-10

static double total_square(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i] * v[i];
	return sum;
}

/* How many of v [n] have this share of the sum of squares. */
static size_t components(const double *v, size_t n, double share)
{
	const double all = total_square(v, n);
	double sum = 0;
	size_t k = 0;

	while (k < n && sum < share * all) {
		sum += v[k] * v[k];
		k++;
	}
	return k;
}

/* exp of the entropy of p = v^power / sum v^power, Roy and Vetterli 2007. */
static double effective(const double *v, size_t n, double power)
{
	double sum = 0, entropy = 0;

	for (size_t i = 0; i < n; i++)
		sum += pow(v[i], power);
	for (size_t i = 0; i < n; i++) {
		const double p = pow(v[i], power) / sum;

		entropy -= p > 0 ? p * log(p) : 0;
	}
	return exp(entropy);
}

static size_t rank(const double *v, size_t n)
{
	size_t k = 0;

	while (k < n && v[k] > RANK_LEAST * v[0])
		k++;
	return k;
}

static void tell_rank(struct report *r, const double *v, size_t n)
{
	const double all = total_square(v, n);

	report_number(r, "rank", (double)rank(v, n), "singular values above "
		      "1e-10 of the largest");
	report_number(r, "effective_rank", effective(v, n, 1),
		      "(exp of the entropy)");
	report_number(r, "effective_rank_of_squares", effective(v, n, 2),
		      NULL);
	report_number(r, "stable_rank", all / (v[0] * v[0]), NULL);
	report_numbers(r, "singular_values", v, n);
}

static void tell_components(struct report *r, const double *v, size_t n)
{
	report_number(r, "components_90", (double)components(v, n, 0.9),
		      "for 90 % of the sum of squares");
	report_number(r, "components_95", (double)components(v, n, 0.95),
		      "for 95 %");
	report_number(r, "components_99", (double)components(v, n, 0.99),
		      "for 99 %");
}

/* What part of the variance the first principal components have. */
static void tell_shares(struct report *r, double *v, size_t n)
{
	const double all = total_square(v, n);

	for (size_t i = 0; i < n; i++)
		v[i] = all > 0 ? v[i] * v[i] / all : 0;
	report_numbers(r, "variance_shares", v, n);
}

void inspect_spectrum(struct inspection *s)
{
	const struct svd *d = &s->svd;

	report_group(s->r, "spectrum");
	if (d->left_out) {
		report_text(s->r, "left_out", "%s", d->left_out);
	} else if (!(d->values[0] > 0)) {
		report_number(s->r, "rank", 0, NULL);
	} else {
		tell_rank(s->r, d->values, d->n);
		tell_components(s->r, d->values, d->n);
		tell_shares(s->r, d->centred, d->n);
	}
}
