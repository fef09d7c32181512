/*
 * rope_decay.c: how dot products of rotated queries and keys change with their
 * distance, without the vectors: Su et al. 2021, section 3.4.3.
 */
#include <math.h>

#include "encodings/rope.h"

enum { PART = 64 };  /* pairs at a time */

/* Mean of cosines, or of |S_j|, S_j the sum of the first j e^(i m w_k). */
static const double *decay_row(const struct table *t, size_t i,
			       double *scratch)
{
	const struct rope *s = t->state;
	const struct turns *turns = &s->wave.turns;
	const double distance = position_at(&s->at, i);
	double sine[PART], cosine[PART], re = 0, im = 0, sum = 0;

	for (size_t k = 0; k < turns->n; k += PART) {
		const size_t n = turns->n - k < PART ? turns->n - k : PART;

		turns_sincos(turns, k, n, distance, sine, cosine);
		for (size_t j = 0; j < n; j++) {
			re += cosine[j];
			im += sine[j];
			sum += sqrt(re * re + im * im);
		}
	}
	*scratch = (s->out == ROPE_DECAY ? re : sum) / (double)turns->n;
	return scratch;
}

bool rope_decay(struct rope *s, struct table *t, struct error *err)
{
	const bool bound = s->out == ROPE_BOUND;

	if (s->cells || s->sections.at || s->xpos > 0 || s->emulate != EXACT)
		return fail(err, "--out %s cannot be combined with --grid, "
			    "--sections, --xpos or --emulate",
			    bound ? "bound" : "decay");
	t->title = "Long-term decay of RoPE";
	t->value = bound ? "upper bound" : "mean cosine";
	t->rows = s->rows;
	t->cols = 1;
	t->row_axis.kind = AXIS_DISTANCE;
	t->row_axis.name = axis_of(AXIS_DISTANCE).name;
	t->col_axis = axis_of(AXIS_COLUMN);
	t->bounds = BOUNDS_LOOSE;
	t->hi = bound ? (double)s->wave.turns.n : 1;
	t->lo = -t->hi;
	t->row = decay_row;
	return true;
}
