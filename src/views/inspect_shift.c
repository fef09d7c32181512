/* inspect_shift.c: how well one rotation moves every row on. */
#include <complex.h>
#include <math.h>

#include "views/inspect.h"

/*
 * Columns a and b in pairs, z = a + i b. What takes z[t] to z[t + shift] best,
 * in the least squares, is sum z[t + shift] conj z[t] / sum |z[t]|^2.
 */
struct pairing {
	const char *name;
	size_t stride, apart;   /* columns: a = stride k, b = a + apart */
	double residual;        /* what is left, of all there was */
	double stretch;         /* the largest ||turn| - 1| */
};

static double complex pair_at(const struct table *x, const struct pairing *p,
			      size_t i, size_t k)
{
	const double *row = x->row(x, i, NULL) + p->stride * k;

	return row[0] + row[p->apart] * (double complex)I;
}

/* The factor that takes pair k on by shift rows; 1 for a pair of zeros. */
static double complex turn(const struct table *x, const struct pairing *p,
			   size_t shift, size_t k)
{
	double complex sum = 0;
	double squares = 0;

	for (size_t i = 0; i + shift < x->rows; i++) {
		const double complex z = pair_at(x, p, i, k);
		const double complex next = pair_at(x, p, i + shift, k);

		sum += next * conj(z);
		squares += creal(z) * creal(z) + cimag(z) * cimag(z);
	}
	return squares > 0 ? sum / squares : 1;
}

/* Angles [cols / 2] are as M[2k, 2k + 1] = sin(angle) of posenc shift. */
static void fit(const struct table *x, size_t shift, struct pairing *p,
		double *angles)
{
	double left = 0, all = 0;

	p->stretch = 0;
	for (size_t k = 0; k < x->cols / 2; k++) {
		const double complex c = turn(x, p, shift, k);

		angles[k] = 0.0 - carg(c);
		p->stretch = fmax(p->stretch, fabs(cabs(c) - 1));
		for (size_t i = 0; i + shift < x->rows; i++) {
			const double complex next =
				pair_at(x, p, i + shift, k);
			const double miss =
				cabs(next - c * pair_at(x, p, i, k));

			left += miss * miss;
			all += creal(next) * creal(next) +
			       cimag(next) * cimag(next);
		}
	}
	p->residual = all > 0 ? sqrt(left / all) : 0;
}

/* Any matrix, where there are rows enough to tell one. */
static void any_matrix(const struct inspection *s)
{
	if (s->x->rows <= s->shift + s->x->cols)
		report_text(s->r, "any_matrix", "undetermined: fewer rows than "
			    "columns");
	else if (s->svd.left_out)
		report_text(s->r, "any_matrix", "%s", s->svd.left_out);
	else
		report_number(s->r, "any_matrix", s->svd.residual,
			      "is left by the best matrix");
}

bool inspect_shift(struct inspection *s, struct error *err)
{
	const size_t half = s->x->cols / 2;
	struct pairing pairings[] = {
		{ .name = "interleaved", .stride = 2, .apart = 1 },
		{ .name = "split", .stride = 1, .apart = half },
	};
	double *angles = table_alloc(s->r->owner, half + 1, 2 * sizeof *angles,
				     err);
	size_t best;

	report_group(s->r, "shift");
	s->residual = (double)NAN;
	if (!angles)
		return false;
	if (!half || s->x->rows < s->shift + 2) {
		report_text(s->r, "left_out", "needs two columns and %zu rows",
			    s->shift + 2);
		return true;
	}
	for (size_t k = 0; k < 2; k++)
		fit(s->x, s->shift, &pairings[k], angles + k * half);
	best = pairings[1].residual < pairings[0].residual;
	s->residual = pairings[best].residual;
	report_number(s->r, "by", (double)s->shift, "rows");
	report_number(s->r, "residual", s->residual, "is left where pairs of "
		      "columns turn");
	report_text(s->r, "pairs", "%s", pairings[best].name);
	report_number(s->r, "stretch", pairings[best].stretch, "beyond "
		      "turning, at most");
	report_numbers(s->r, "angles", angles + best * half, half);
	any_matrix(s);
	return true;
}
