/* inspect_spectrum.c: singular values. */
#include <math.h>
#include <string.h>

#include "views/inspect.h"
#include "views/svd.h"

/* Numerical rank counts singular values above this, times the largest. */
#define RANK_MIN 1e-10

static double total_square(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i] * v[i];
	return sum;
}

/* How many values of v [n] hold this share of the sum of squares. */
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

/* exp(entropy of p = v^power / sum v^power), Roy and Vetterli 2007. */
static double effective_rank(const double *v, size_t n, double power)
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

/*
 * The largest singular value that rounding may leave: that of a matrix of
 * independent errors, sqrt(n) + sqrt(m) times one of them, four times.
 */
static double rounding(const struct table *x, double norm)
{
	static const double units[DTYPES] = {
		[F32] = 0x1p-24, [F16] = 0x1p-11, [BF16] = 0x1p-8,
	};
	const double *values = x->row(x, 0, NULL);
	const enum dtype d =
		x->dtype == F64 && dtype_exact(F32, values, x->rows * x->cols)
			? F32 : x->dtype;

	return 4 * units[d] * norm *
	       (1 / sqrt((double)x->rows) + 1 / sqrt((double)x->cols));
}

static void add_ranks(struct report *r, const struct table *x, const double *v,
		      size_t n)
{
	const double all = total_square(v, n);
	const double least = fmax(RANK_MIN * v[0], rounding(x, sqrt(all)));
	size_t rank = 0;

	while (rank < n && v[rank] > least)
		rank++;
	report_number(r, "rank", (double)rank, "(singular values above "
		      "rounding)");
	report_number(r, "effective_rank", effective_rank(v, n, 1),
		      "(exp of the entropy of the singular values)");
	report_number(r, "effective_rank_of_squares", effective_rank(v, n, 2),
		      NULL);
	report_number(r, "stable_rank", all / (v[0] * v[0]),
		      "(sum of squares / largest square)");
	report_numbers(r, "singular_values", v, n);
}

static void add_components(struct report *r, const double *v, size_t n)
{
	report_number(r, "components_90", (double)components(v, n, 0.9),
		      "singular values hold 90 % of the sum of squares");
	report_number(r, "components_95", (double)components(v, n, 0.95),
		      "hold 95 %");
	report_number(r, "components_99", (double)components(v, n, 0.99),
		      "hold 99 %");
}

/* The share of the variance that each principal component explains. */
static void add_variance(struct report *r, double *v, size_t n)
{
	const double all = total_square(v, n);

	for (size_t i = 0; i < n; i++)
		v[i] = all > 0 ? v[i] * v[i] / all : 0;
	report_numbers(r, "explained_variance_ratio", v, n);
}

/* x minus the mean of each column, decomposed. */
static bool open_centered(struct svd *s, const struct table *x,
			  struct table *owner, struct error *err)
{
	const size_t n = x->rows * x->cols;
	double *v = table_alloc(owner, n, sizeof *v, err);

	if (!v)
		return false;
	memcpy(v, x->row(x, 0, NULL), n * sizeof *v);
	columns_center(v, x->rows, x->cols);
	return svd_open(s, v, x->rows, x->cols, owner, err);
}

bool inspect_spectrum(struct inspection *s, struct error *err)
{
	const struct table *x = s->x;
	struct table room = { 0 };
	struct svd whole, centered;
	const bool good = svd_open(&whole, x->row(x, 0, NULL), x->rows,
				   x->cols, &room, err) &&
			  open_centered(&centered, x, &room, err);

	report_group(s->r, "spectrum");
	if (good && whole.values[0] > 0) {
		add_ranks(s->r, x, whole.values, whole.n);
		add_components(s->r, whole.values, whole.n);
		add_variance(s->r, centered.values, centered.n);
	} else if (good) {
		report_number(s->r, "rank", 0, NULL);
	}
	table_close(&room);
	return good;
}
