/*
 * rope_fourier.c: FoPE (Hua et al. 2024, arXiv:2412.17739): the cosine and the
 * sine of a pair are sums over all frequencies, with learned coefficients of
 * each head.
 */
#include "exact/within.h"
#include "encodings/rope.h"

enum { PART = 64 };  /* frequencies at a time */

/*
 * The sums for the pairs that have coefficients, and 1 for the others, whose
 * frequency is 0: their sine is 1, too, as in the authors' code, in XTuner's,
 * which trained Intern-S1-Pro, and in LMDeploy's.
 */
static void sums(const struct rope *s, bool of_cosines, size_t head,
		 double position, double *x)
{
	const struct wave *w = &s->wave;
	const struct table *c = s->coefficients.at[of_cosines ? 0 : 1];
	double sine[PART], cosine[PART];

	for (size_t j = 0; j < w->turns.n; j++)
		x[j * w->stride] = j < c->cols ? 0 : 1;
	for (size_t k = 0; k < c->rows; k++) {
		const size_t left = c->rows - k, i = k % PART;
		const double *row = c->row(c, head * c->rows + k, NULL);

		if (i == 0)
			turns_sincos(&w->turns, k, left < PART ? left : PART,
				     position, sine, cosine);
		for (size_t j = 0; j < c->cols; j++)
			x[j * w->stride] += row[j] * (of_cosines ? cosine[i]
								 : sine[i]);
	}
	for (size_t j = 0; j < w->turns.n; j++)
		x[j * w->stride] = x[j * w->stride] * w->amplitude + 0.0;
}

void rope_fourier_row(const struct rope *s, size_t head, double position,
		      double *x)
{
	const struct wave *w = &s->wave;

	sums(s, w->cosine_first, head, position, x);
	if (w->apart < w->cols)
		sums(s, w->cosine_first == w->same_function, head, position,
		     x + w->apart);
}

static bool check_values(const struct table *c, struct error *err)
{
	const double *x = c->row(c, 0, NULL);

	for (size_t i = 0; i < c->planes * c->rows * c->cols; i++)
		if (!within(x[i], -1e100, 1e100))
			return fail(err, "--coefficients: expected numbers "
				    "from -1e100 to 1e100, got %g", x[i]);
	return true;
}

bool rope_fourier(struct rope *s, struct error *err)
{
	const struct table *const *c = s->coefficients.at;
	char cosines[SHAPE_TEXT], sines[SHAPE_TEXT];

	if (s->coefficients.n != 2)
		return fail(err, "--coefficients: expected two files, COS,SIN, "
			    "got %zu", s->coefficients.n);
	if (c[0]->rows != c[0]->cols || c[0]->cols > s->wave.turns.n ||
	    c[0]->planes != c[1]->planes || c[0]->rows != c[1]->rows ||
	    c[0]->cols != c[1]->cols)
		return fail(err, "--coefficients: expected files of one shape, "
			    "[heads, F, F] or [F, F] with F at most %zu, the "
			    "number of pairs, got %s and %s", s->wave.turns.n,
			    shape_of(c[0], cosines), shape_of(c[1], sines));
	s->heads = c[0]->planes;
	return check_values(c[0], err) && check_values(c[1], err);
}
