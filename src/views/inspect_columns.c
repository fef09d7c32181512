/* inspect_columns.c: the wavelength that each column has most of. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "views/inspect.h"

#define TURN 6.28318530717958647692

enum { FINER = 4 };  /* bins that a column's zeros make of one */

/*
 * The discrete Fourier transform of z [n], n a power of two, in place
 * (Cooley and Tukey 1965); roots [n / 2] are exp(-2 pi i k / n).
 */
static void transform(double complex *z, size_t n,
		      const double complex *roots)
{
	for (size_t i = 1, j = 0; i < n; i++) {
		size_t bit = n >> 1;

		for (; j & bit; bit >>= 1)
			j ^= bit;
		j ^= bit;
		if (i < j) {
			const double complex swap = z[i];

			z[i] = z[j];
			z[j] = swap;
		}
	}
	for (size_t half = 1; half < n; half *= 2)
		for (size_t i = 0; i < n; i += 2 * half)
			for (size_t k = 0; k < half; k++) {
				const double complex a = z[i + k];
				const double complex b = z[i + half + k] *
					roots[k * (n / half / 2)];

				z[i + k] = a + b;
				z[i + half + k] = a - b;
			}
}

static double power(double complex z)
{
	return creal(z) * creal(z) + cimag(z) * cimag(z);
}

/* The transform's room, and what a column was found to have. */
struct spectra {
	size_t n;                       /* a power of two */
	double complex *z, *roots;      /* [n], [n / 2] */
	double *wavelength, *share;     /* [cols] */
};

/* Column j less its mean, and zeros; nothing is left of equal numbers. */
static void load(const struct spectra *s, const struct table *x, size_t j)
{
	const double first = x->row(x, 0, NULL)[j];
	double sum = 0;

	for (size_t i = 0; i < x->rows; i++)
		sum += x->row(x, i, NULL)[j] - first;
	for (size_t i = 0; i < s->n; i++)
		s->z[i] = i < x->rows ? x->row(x, i, NULL)[j] - first -
					sum / (double)x->rows : 0;
}

/*
 * The strongest bin, moved to the top of the parabola through it and those
 * beside it; infinite wavelength for a column that does not change.
 */
static void analyse(const struct spectra *s, const struct table *x, size_t j)
{
	double all = 0, a, b, c, bend, share = 0;
	size_t top = 1;

	load(s, x, j);
	transform(s->z, s->n, s->roots);
	for (size_t k = 1; k <= s->n / 2; k++) {
		all += power(s->z[k]);
		top = power(s->z[k]) > power(s->z[top]) ? k : top;
	}
	s->wavelength[j] = (double)INFINITY;
	if (!(power(s->z[top]) > 0))
		return;
	a = sqrt(power(s->z[top - 1]));
	b = sqrt(power(s->z[top]));
	c = sqrt(power(s->z[top + 1]));
	/* b is not less than a or c: where all are one the top is its own. */
	bend = fmax((b - a) + (b - c), DBL_MIN);
	s->wavelength[j] = (double)s->n / ((double)top + (c - a) / bend / 2);
	for (size_t k = top < FINER ? 1 : top - FINER + 1;
	     k < top + FINER && k <= s->n / 2; k++)
		share += power(s->z[k]);
	s->share[j] = share / all;
}

static bool prepare(struct spectra *s, size_t rows)
{
	for (s->n = 4; s->n < FINER * rows; s->n *= 2)
		;
	s->z = calloc(s->n, sizeof *s->z);
	s->roots = calloc(s->n / 2, sizeof *s->roots);
	for (size_t k = 0; s->roots && k < s->n / 2; k++) {
		const double angle = TURN * (double)k / (double)s->n;

		s->roots[k] = cos(angle) - sin(angle) * (double complex)I;
	}
	return s->z && s->roots;
}

static void tell(struct inspection *v, const struct spectra *s)
{
	const size_t n = v->x->cols;
	const double rows = (double)v->x->rows;
	double least = HUGE_VAL, most = 0, share = 0;
	size_t longer = 0;

	for (size_t j = 0; j < n; j++) {
		const bool resolved = s->wavelength[j] <= rows;

		longer += !resolved;
		share += s->share[j] / (double)n;
		if (resolved) {
			least = fmin(least, s->wavelength[j]);
			most = fmax(most, s->wavelength[j]);
		}
	}
	if (longer < n) {
		report_number(v->r, "shortest_wavelength", least, "rows");
		report_number(v->r, "longest_wavelength", most, "rows");
	}
	report_number(v->r, "unresolved", (double)longer, "columns, longer "
		      "than the table");
	report_number(v->r, "strongest_share", share, "of a column's power at "
		      "its wavelength (mean)");
	report_numbers(v->r, "wavelengths", s->wavelength, n);
}

bool inspect_columns(struct inspection *v, struct error *err)
{
	const size_t n = v->x->cols;
	struct spectra s = {
		.wavelength = table_alloc(v->r->owner, n, sizeof(double), err),
		.share = table_alloc(v->r->owner, n, sizeof(double), err),
	};
	bool good = s.wavelength && s.share;

	report_group(v->r, "columns");
	if (good && !prepare(&s, v->x->rows))
		good = fail_memory(err);
	for (size_t j = 0; good && j < n; j++)
		analyse(&s, v->x, j);
	free(s.z);
	free(s.roots);
	if (good)
		tell(v, &s);
	return good;
}
