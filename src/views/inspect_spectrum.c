/* inspect_spectrum.c: singular values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "views/inspect.h"
#include "views/inspect_normal.h"
#include "views/inspect_tall.h"

/* Copy x to a [rows, cols]; minus the mean of each column if centered. */
static void load(const struct table *x, bool centered, double *a)
{
	for (size_t i = 0; i < x->rows; i++)
		memcpy(a + i * x->cols, x->row(x, i, NULL),
		       x->cols * sizeof *a);
	for (size_t j = 0; centered && j < x->cols; j++) {
		double sum = 0;

		for (size_t i = 0; i < x->rows; i++)
			sum += a[i * x->cols + j];
		for (size_t i = 0; i < x->rows; i++)
			a[i * x->cols + j] -= sum / (double)x->rows;
	}
}

/* LAPACK sees the row-major x as its transpose: same singular values. */
static bool decompose(const struct lapack *l, const struct table *x,
		      bool centered, double *values)
{
	double *a = calloc(x->rows * x->cols, sizeof *a);
	bool good = a;

	if (good) {
		load(x, centered, a);
		good = lapack_singular_values(l, a, x->cols, x->rows, values);
	}
	free(a);
	return good;
}

/* Results: the values of struct svd, its centered values, its residual. */
struct svd_job {
	const struct table *x;
	size_t by, n;
};

static bool run_job(const struct lapack *l, const void *self, double *result)
{
	const struct svd_job *job = self;
	const struct table *x = job->x;
	double *const residual = result + 2 * job->n;
	enum normal_result normal;

	*residual = (double)NAN;
	normal = normal_decompose(l, x, job->by, result, result + job->n,
				  residual);
	if (normal != NORMAL_UNSUITED)
		return normal == NORMAL_DONE;
	if (x->rows > x->cols)
		return tall_decompose(l, x, job->by, result, result + job->n,
				      residual);
	return decompose(l, x, false, result) &&
	       decompose(l, x, true, result + job->n);
}

bool svd_open(struct svd *s, const struct table *x, size_t by,
	      struct table *owner, struct error *err)
{
	const size_t n = x->rows < x->cols ? x->rows : x->cols;
	const struct svd_job job = { x, by, n };
	double *all = table_alloc(owner, 2 * n + 1, sizeof *all, err);
	struct error why = { 0 };
	enum lapack_result done;

	if (!all)
		return false;
	done = lapack_run(run_job, &job, 4 * x->rows * x->cols * sizeof *all,
			  all, 2 * n + 1, &why);
	*s = (struct svd){
		.n = n, .values = all,
		.centered = all + n, .residual = all[2 * n],
	};
	if (done == LAPACK_SKIPPED)
		snprintf(s->skipped, sizeof s->skipped, "LAPACK %s", why.text);
	if (done == LAPACK_FAILED)
		return fail(err, "LAPACK failed; memory may have run out");
	return true;
}

/* Numerical rank counts singular values above this, times the largest. */
#define RANK_MIN 1e-10

/* The longest name of an inspection. */
#define SQUARES "effective_rank_of_squares"

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
	report_number(r, SQUARES, effective_rank(v, n, 2),
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

void inspect_spectrum(struct inspection *s)
{
	const struct svd *d = &s->svd;

	report_group(s->r, "spectrum");
	if (d->skipped[0]) {
		report_text(s->r, "skipped", "%s", d->skipped);
		s->r->name_width = strlen(SQUARES); /* columns as with LAPACK */
	} else if (!(d->values[0] > 0)) {
		report_number(s->r, "rank", 0, NULL);
	} else {
		add_ranks(s->r, s->x, d->values, d->n);
		add_components(s->r, d->values, d->n);
		add_variance(s->r, d->centered, d->n);
	}
}
