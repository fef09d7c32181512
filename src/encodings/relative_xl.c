/*
 * relative_xl.c: sinusoids of distances, Dai et al. 2019, arXiv:1901.02860,
 * section 3.3, and Yang et al. 2019, arXiv:1906.08237.
 */
#include "core/convention.h"
#include "encodings/relative.h"

/* R of query i / rows, key i % rows. */
static const double *vector_row(const struct table *t, size_t i,
				double *scratch)
{
	const struct relative *s = t->state;
	const long x = (long)(i % t->rows) - (long)(i / t->rows) - s->past;

	wave_row(&s->wave, relative_distance(x, s), scratch);
	return scratch;
}

/* Row i of R: the distance of the first row, less i. */
static const double *sinusoid_row(const struct table *t, size_t i,
				  double *scratch)
{
	const struct relative *s = t->state;
	const long d = (long)t->down.first - (long)i;

	wave_row(&s->wave,
		 relative_distance(s->sign == QUERY_KEY ? -d : d, s), scratch);
	return scratch;
}

static bool make_wave(struct relative *s, struct table *t, struct error *err)
{
	const struct convention c = {
		.dim = s->dim, .base = 10000, .layout = SPLIT, .angle_scale = 1
	};

	if (!s->dim)
		return fail(err, "--dim D is missing");
	if (s->dim % 2)
		return fail(err, "--dim must be even, not %zu", s->dim);
	t->cols = s->dim;
	t->across = (struct axis){ .name = "dimension", .step = 1 };
	t->dtype = F32;
	t->bounds = BOUNDS_TIGHT;
	t->lo = -1;
	t->hi = 1;
	t->state = s;
	return convention_wave(&c, &s->wave, t, err);
}

/* The table R of distances first, first - 1, ..., last, or the pairs'. */
static bool make(struct relative *s, struct table *t, size_t first, long last,
		 struct error *err)
{
	t->title = "Relative sinusoids";
	if (s->out == OUT_DISTANCES && s->dim)
		return fail(err, "--dim is for --out vectors or sinusoids");
	if (s->out != OUT_SINUSOIDS && s->causal)
		return fail(err, "--causal is for --out sinusoids");
	if (s->out == OUT_DISTANCES)
		return relative_pairs(s, t, relative_distance, NULL, 0, err);
	if (s->out == OUT_VECTORS) {
		t->over = t->down;
		t->down = t->across;
		t->planes = t->rows;
		t->rows = t->cols;
		t->row = vector_row;
		return make_wave(s, t, err);
	}
	t->rows = (size_t)((long)first - last) + 1;
	t->down = (struct axis){ .name = "distance", .step = -1,
				 .first = (double)first };
	t->row = sinusoid_row;
	return make_wave(s, t, err);
}

bool xl_make(struct relative *s, struct table *t, struct error *err)
{
	return make(s, t, t->cols - 1, 0, err);
}

bool xlnet_make(struct relative *s, struct table *t, struct error *err)
{
	return make(s, t, t->cols, s->causal ? 0 : 1 - (long)t->rows, err);
}
