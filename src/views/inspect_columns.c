/* inspect_columns.c: the wavelength of each column. */
#include <math.h>

#include "exact/turns.h"
#include "views/fft.h"
#include "views/inspect.h"

enum { PADDING = 4 };  /* zero padding: bins of the transform per bin */

static double power(double complex z)
{
	return creal(z) * creal(z) + cimag(z) * cimag(z);
}

/* Memory of the transform, and the results for each column. */
struct spectra {
	struct fft fft;
	double complex *z;              /* [fft.n] */
	size_t rows;
	double *column;                 /* [rows] without its mean */
	double *wavelength, *share;     /* [cols]; share of the power */
};

/* Column j minus its mean, then zeros; exactly 0 if its values are equal. */
static void load_column(const struct spectra *s, const struct table *x,
			size_t j)
{
	const double first = x->row(x, 0, NULL)[j];
	double sum = 0;

	for (size_t i = 0; i < x->rows; i++)
		sum += x->row(x, i, NULL)[j] - first;
	for (size_t i = 0; i < s->rows; i++)
		s->column[i] = x->row(x, i, NULL)[j] - first -
			       sum / (double)s->rows;
	for (size_t i = 0; i < s->fft.n; i++)
		s->z[i] = i < s->rows ? s->column[i] : 0;
}

/*
 * The sum of squares that a constant and a sinusoid of an angle per row explain
 * of the column, by least squares: the normal equations of cosines and sines
 * without their means.
 */
static double explained(const struct spectra *s, double angle)
{
	const double complex step = cos(angle) + sin(angle) * (double complex)I;
	double complex turn = 1, sum = 0, squares = 0, products = 0;
	const double n = (double)s->rows;
	double cc, cs, ss, determinant;

	for (size_t i = 0; i < s->rows; i++, turn *= step) {
		sum += turn;
		squares += turn * turn;
		products += s->column[i] * turn;
	}
	cc = (n + creal(squares)) / 2 - creal(sum) * creal(sum) / n;
	ss = (n - creal(squares)) / 2 - cimag(sum) * cimag(sum) / n;
	cs = cimag(squares) / 2 - creal(sum) * cimag(sum) / n;
	determinant = cc * ss - cs * cs;
	/* Where rows alternate, sines are 0. */
	if (determinant < 1e-12 * n * n)
		return creal(products) * creal(products) / cc;
	return (creal(products) * creal(products) * ss -
		2 * creal(products) * cimag(products) * cs +
		cimag(products) * cimag(products) * cc) / determinant;
}

/* The angle per row between a and b that explains most: golden sections. */
static double best_angle(const struct spectra *s, double a, double b)
{
	enum { SECTIONS = 45 };
	const double golden = (sqrt(5) - 1) / 2;
	double c = b - golden * (b - a), d = a + golden * (b - a);
	double at_c = explained(s, c), at_d = explained(s, d);

	for (int k = 0; k < SECTIONS; k++)
		if (at_c > at_d) {
			b = d;
			d = c;
			at_d = at_c;
			c = b - golden * (b - a);
			at_c = explained(s, c);
		} else {
			a = c;
			c = d;
			at_c = at_d;
			d = a + golden * (b - a);
			at_d = explained(s, d);
		}
	return (a + b) / 2;
}

/* The angle per row near a bin that explains most; the bin's among equals. */
static double angle_near(const struct spectra *s, size_t bin)
{
	const double unit = TWO_PI / (double)s->fft.n;
	const size_t near = PADDING / 2, last = s->fft.n / 2;
	const double at = (double)bin;
	const double angle = best_angle(
		s, unit * fmax(at - (double)near, 0.5),
		unit * fmin(at + (double)near, (double)last));

	return explained(s, unit * at) < (1 - 1e-12) * explained(s, angle)
		       ? angle
		       : unit * at;
}

/*
 * The wavelength of the sinusoid that fits best near the strongest bin;
 * infinite for a constant column.
 */
static void find_wavelength(const struct spectra *s, const struct table *x,
			    size_t j)
{
	const size_t last = s->fft.n / 2;
	double all = 0, share = 0;
	size_t top = 1;

	load_column(s, x, j);
	fft_transform(&s->fft, s->z);
	for (size_t k = 1; k <= last; k++) {
		all += power(s->z[k]);
		top = power(s->z[k]) > power(s->z[top]) ? k : top;
	}
	s->wavelength[j] = (double)INFINITY;
	if (!(power(s->z[top]) > 0))
		return;
	s->wavelength[j] = TWO_PI / angle_near(s, top);
	for (size_t k = top < PADDING ? 1 : top - PADDING + 1;
	     k < top + PADDING && k <= last; k++)
		share += power(s->z[k]);
	s->share[j] = share / all;
}

static void add_columns(struct inspection *v, const struct spectra *s)
{
	const size_t n = v->x->cols;
	const double rows = (double)v->x->rows;
	double min = HUGE_VAL, max = 0, share = 0;
	size_t longer = 0;

	for (size_t j = 0; j < n; j++) {
		const bool resolved = s->wavelength[j] <= rows;

		if (!resolved)
			s->wavelength[j] = (double)NAN;
		longer += !resolved;
		share += s->share[j] / (double)n;
		if (resolved) {
			min = fmin(min, s->wavelength[j]);
			max = fmax(max, s->wavelength[j]);
		}
	}
	if (longer < n) {
		report_number(v->r, "shortest_wavelength", min, "rows");
		report_number(v->r, "longest_wavelength", max, "rows");
	}
	report_number(v->r, "unresolved", (double)longer, "(columns that are "
		      "constant or have a wavelength longer than the table)");
	report_number(v->r, "power_share", share, "(mean share of a column's "
		      "power at its wavelength)");
	report_numbers(v->r, "wavelengths", s->wavelength, n);
}

bool inspect_columns(struct inspection *v, struct error *err)
{
	const size_t n = v->x->cols, rows = v->x->rows;
	struct table room = { 0 };
	struct spectra s = {
		.rows = rows,
		.column = table_alloc(&room, rows, sizeof *s.column, err),
		.wavelength = table_alloc(&room, n, sizeof *s.share, err),
		.share = table_alloc(&room, n, sizeof *s.share, err),
	};
	bool good = s.column && s.wavelength && s.share &&
		    fft_open(&s.fft, PADDING * rows, &room, err);

	s.z = good ? table_alloc(&room, s.fft.n, sizeof *s.z, err) : NULL;
	report_group(v->r, "columns");
	for (size_t j = 0; s.z && j < n; j++)
		find_wavelength(&s, v->x, j);
	if (s.z)
		add_columns(v, &s);
	table_close(&room);
	return s.z;
}
