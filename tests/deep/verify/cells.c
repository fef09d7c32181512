/*
 * cells.c: compares random cells of sinusoids with MPFR at 1,200 bits. All
 * dtypes must be correctly rounded. Run by `make verify`, and for fewer cells by
 * `make check`. `cells N wide` compares float64 with series.h instead, for N
 * cells. TAP on standard output.
 */
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/series.h"
#include "waves/wave.h"

enum { BITS = 1200, PAIRS = 40, ROWS = 40 };

static uint64_t state = 88172645463325252ull;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* The exact sine and cosine of position * base^(-k / denominator). */
static void exact(mpfr_t sine, mpfr_t cosine, double position, double base,
		  double denominator, size_t k)
{
	mpfr_t angle, exponent;

	mpfr_init2(angle, BITS);
	mpfr_init2(exponent, BITS);
	mpfr_set_d(exponent, -(double)k, MPFR_RNDN);
	mpfr_div_d(exponent, exponent, denominator, MPFR_RNDN);
	mpfr_set_d(angle, base, MPFR_RNDN);
	mpfr_pow(angle, angle, exponent, MPFR_RNDN);
	mpfr_mul_d(angle, angle, position, MPFR_RNDN);
	mpfr_sin_cos(sine, cosine, angle, MPFR_RNDN);
	mpfr_clear(angle);
	mpfr_clear(exponent);
}

/* x rounded to p bits, with the smallest exponent of the format. */
static double rounded(const mpfr_t x, int p, long least)
{
	mpfr_t y;
	double d;
	int t;

	mpfr_init2(y, p);
	mpfr_set_emin(least);
	t = mpfr_set(y, x, MPFR_RNDN);
	t = mpfr_check_range(y, t, MPFR_RNDN);
	mpfr_subnormalize(y, t, MPFR_RNDN);
	d = mpfr_get_d(y, MPFR_RNDN);
	mpfr_set_emin(mpfr_get_emin_min());
	mpfr_clear(y);
	return d;
}

static unsigned long cells, wrong, wrong_f64;

static void compare(double ours, float fast, double nearest, const mpfr_t truth,
		    const char *what)
{
	const double f32 = rounded(truth, 24, -148);
	const double f64 = mpfr_get_d(truth, MPFR_RNDN);

	cells++;
	wrong_f64 += nearest != f64;
	if (nearest != f64 && wrong_f64 < 10)
		printf("%s: nearest %.17g, truth %.17g\n", what, nearest, f64);
	if ((double)(float)ours != f32 || (double)fast != f32 ||
	    dtype_round(F16, ours) != rounded(truth, 11, -23) ||
	    dtype_round(BF16, ours) != rounded(truth, 8, -132)) {
		wrong++;
		if (wrong < 10)
			printf("%s: %.17g, fast %.9g, truth %.17g\n", what,
			       ours, (double)fast, f64);
	}
}

/* The nearest doubles of a position, and what 200 bits of series.h make. */
static void compare_wide(const struct wave *w, double position)
{
	double row[2 * PAIRS], s, c;

	wave_row(w, F64, position, row);
	for (size_t k = 0; k < PAIRS; k++) {
		series_sincos(&w->turns, k, fabs(position), TO_NEAREST, &s, &c);
		s = position < 0 ? 0 - s : s;
		cells += 2;
		wrong_f64 += row[2 * k] != s;
		wrong_f64 += row[2 * k + 1] != c;
	}
}

static void one_table(double base, double denominator, double start, bool wide)
{
	struct table t = { 0 };
	struct error err = { 0 };
	struct wave w = { .cols = 2 * PAIRS, .stride = 2, .apart = 1,
			  .amplitude = 1 };
	static float fast[ROWS * 2 * PAIRS];
	double row[2 * PAIRS], nearest[2 * PAIRS];
	char what[200];
	mpfr_t sine, cosine;

	if (!turns_geometric(&w.turns, PAIRS, base, denominator, 1, &t, &err)) {
		table_close(&t);
		return;
	}
	for (size_t i = 0; wide && i < ROWS; i++)
		compare_wide(&w, start + (double)i);
	mpfr_init2(sine, BITS);
	mpfr_init2(cosine, BITS);
	wave_prepare(&w, start, 1, ROWS, &t, &err);
	if (w.block)
		wave_floats(&w, 0, ROWS, fast);
	for (size_t i = 0; !wide && i < ROWS; i += 1 + draw() % 4) {
		const double position = start + (double)i;

		wave_row(&w, F32, position, row);
		wave_row(&w, F64, position, nearest);
		for (size_t k = draw() % 3; k < PAIRS; k += 1 + draw() % 3) {
			const float *f = fast + i * 2 * PAIRS + 2 * k;

			snprintf(what, sizeof what, "%.17g at %.17g^(-%zu/%.17g)",
				 position, base, k, denominator);
			exact(sine, cosine, position, base, denominator, k);
			compare(row[2 * k], w.block ? f[0] : (float)row[2 * k],
				nearest[2 * k], sine, what);
			compare(row[2 * k + 1],
				w.block ? f[1] : (float)row[2 * k + 1],
				nearest[2 * k + 1], cosine, what);
		}
	}
	mpfr_clear(sine);
	mpfr_clear(cosine);
	table_close(&t);
}

int main(int argc, char **argv)
{
	const unsigned long wanted = argc > 1 ? strtoul(argv[1], NULL, 10)
					      : 1000000;

	if (argc > 3)
		state ^= strtoul(argv[3], NULL, 10) * 0x9e3779b97f4a7c15u;
	while (cells < wanted) {
		const double part = (double)(draw() >> 11) * 0x1p-53;
		const double base = draw() % 3
			? 10000 : pow(10, 600 * part - 300);
		const double denominator = (double)(1 + draw() % 512) *
			(draw() % 4 ? 1 : 0.5 + part);
		const uint64_t start = draw() >> (11 + draw() % 53);

		one_table(base, denominator + PAIRS,
			  (double)start - (draw() % 2 ? 0 : 2 * (double)start),
			  argc > 2);
	}
	printf("%s - %lu cells compared with %s: %lu wrong in float32, "
	       "float16 or bfloat16, %lu in float64\n",
	       wrong || wrong_f64 ? "not ok" : "ok", cells,
	       argc > 2 ? "series.h" : "MPFR", wrong, wrong_f64);
	return wrong || wrong_f64;
}
