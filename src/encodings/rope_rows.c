/* rope_rows.c: the rows of rope: angles, cosines and sines, rotated tables. */
#include "encodings/rope.h"

/*
 * (x_a, x_b) becomes (x_a cos - x_b sin, x_a sin + x_b cos), equation 34; row
 * holds the cosine at a and the sine at b, and takes the result.
 */
static void rotate(const struct wave *w, const double *x, double *row)
{
	for (size_t k = 0; k < w->turns.n; k++) {
		const size_t a = k * w->stride, b = a + w->apart;
		const double c = row[a], s = row[b];

		row[a] = x[a] * c - x[b] * s + 0.0;  /* not -0 */
		row[b] = x[a] * s + x[b] * c + 0.0;
	}
}

/* The position that row i of the table stands for. */
static size_t position_of(const struct rope *s, const struct table *t,
			  size_t i)
{
	if (!s->apply)
		return i;
	return s->along == ALONG_PLANES ? i / t->rows % s->rows : i % t->rows;
}

const double *rope_row(const struct table *t, size_t i, double *scratch)
{
	const struct rope *s = t->state;
	const struct wave *w = &s->wave;
	const size_t p = position_of(s, t, i), n = w->turns.n;
	const double *x;

	for (size_t k = 0, end; k < n; k = end) {
		for (end = k + 1; end < n && s->axis[end] == s->axis[k];)
			end++;
		wave_pairs(w, k, end - k, rope_coordinate(s, p, s->axis[k]),
			   scratch);
	}
	if (s->xpos > 0)
		rope_decay(s, rope_coordinate(s, p, AXIS_T), scratch);
	if (!s->apply)
		return scratch;
	x = s->apply->row(s->apply, i, NULL);
	rotate(w, x, scratch);
	for (size_t j = 2 * n; j < t->cols; j++)
		scratch[j] = x[j];
	return scratch;
}

void rope_floats(const struct table *t, size_t first, size_t n, float *out)
{
	const struct rope *s = t->state;

	wave_floats(&s->wave, first, n, out);
}

const double *rope_angles(const struct table *t, size_t i, double *scratch)
{
	const struct rope *s = t->state;

	for (size_t k = 0; k < t->cols; k++) {
		const double p = s->out == ROPE_FREQS ? 1 :
				 rope_coordinate(s, i, s->axis[k]);

		scratch[k] = turns_radians(&s->wave.turns, k, p);
	}
	return scratch;
}

void rope_lay_out(struct rope *s)
{
	struct wave *w = &s->wave;
	const size_t pairs = w->turns.n;
	const bool by_turns = s->out == ROPE_CIS ||
			      (s->pairs == PAIRS_INTERLEAVED &&
			       s->out != ROPE_COSSIN);

	w->cols = 2 * pairs;
	w->stride = by_turns ? 2 : 1;
	w->apart = by_turns ? 1 : pairs;
	w->cosine_first = s->out != ROPE_SIN && s->out != ROPE_SIN_FULL;
	w->alike = s->out == ROPE_COS_FULL || s->out == ROPE_SIN_FULL;
	if (s->out == ROPE_COS || s->out == ROPE_SIN) {
		w->cols = w->apart = pairs;
		w->stride = 1;
	}
}
