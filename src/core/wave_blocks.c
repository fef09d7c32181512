/*
 * wave_blocks.c: rows of sines and cosines, many at a time, correctly rounded
 * to float32. wave_row() is the plain version of the same.
 *
 * Sine and cosine of a position p are found exactly for the first row of each
 * block, the anchor. The rows below turn from there:
 *
 *   sin((p + b) w) = sin(p w) cos(b w) + cos(p w) sin(b w)
 *   cos((p + b) w) = cos(p w) cos(b w) - sin(p w) sin(b w)
 *
 * with sin(b w) and cos(b w) from a table that serves every block.
 *
 * How far can such a sum be off? Let u = 2^-53. The four factors are within
 * 2 u of their values, and each product adds u: so it is off by less than 5 u
 * of itself. Let A and B bound the magnitudes of the two products. Their sum is
 * off by 5 u (A + B), adding them up makes it 6, and adding the bound itself to
 * see what lies within it makes it 7 (terms in u^2 are far below what is left
 * to 8). If 8 u (A + B) more and 8 u (A + B) less round to the same float, so
 * does the exact value. If not, the row is made the way wave_row() does.
 */
#include <math.h>
#include <string.h>

#include "core/kernel.h"
#include "core/wave.h"

enum {
	CHUNK = 256,          /* pairs at a time */
	BLOCK_MOST = 64,
	BLOCK_LEAST = 4,
	TABLE_MOST = 1 << 15, /* pairs in the table of a block: 512 KiB */
};

/* Rows of a block: many for long tables, but the table must stay in cache. */
static size_t block_rows(size_t pairs, size_t rows)
{
	size_t block = rows > 1024 ? BLOCK_MOST : BLOCK_MOST / 4;

	while (block * pairs > TABLE_MOST)
		block /= 2;
	return block >= BLOCK_LEAST && rows >= 2 * block ? block : 0;
}

bool wave_prepare(struct wave *w, double start, double step, size_t rows,
		  struct table *t, struct error *err)
{
	const size_t pairs = w->turns.n;
	const bool whole = start == rint(start) && step == rint(step);
	const size_t block = pairs ? block_rows(pairs, rows) : 0;

	w->start = start;
	w->step = step;
	if (!block || !whole || w->amplitude < 1 || w->amplitude > 1 ||
	    w->emulation.way != EXACT)
		return true;
	w->turn_sine = table_alloc(t, block * pairs, sizeof(double), err);
	w->turn_cosine = table_alloc(t, block * pairs, sizeof(double), err);
	w->most = table_alloc(t, pairs, sizeof(double), err);
	if (!w->turn_sine || !w->turn_cosine || !w->most)
		return false;
	for (size_t b = 0; b < block; b++) {
		double *sine = w->turn_sine + b * pairs;

		turns_sincos(&w->turns, 0, pairs, (double)b * step, sine,
			     w->turn_cosine + b * pairs);
		for (size_t k = 0; k < pairs; k++)
			w->most[k] = fmax(w->most[k], fabs(sine[k]));
	}
	w->block = block;
	return true;
}

/* Some pairs of one block: where they stand, and their anchor. */
struct part {
	size_t k, n;          /* pairs k to k + n - 1 */
	double position;      /* of the block's first row */
	double sine[CHUNK], cosine[CHUNK];
	double sine_error[CHUNK], cosine_error[CHUNK];
};

static void part_begin(const struct wave *w, struct part *p)
{
	turns_sincos(&w->turns, p->k, p->n, p->position, p->sine, p->cosine);
	for (size_t i = 0; i < p->n; i++) {
		const double s = fabs(p->sine[i]), c = fabs(p->cosine[i]);
		const double most = w->most[p->k + i];

		p->sine_error[i] = 0x1p-50 * (s + c * most);
		p->cosine_error[i] = 0x1p-50 * (c + s * most);
	}
}

/* Row b of the block, where a float could have been rounded either way. */
static void row_exactly(const struct wave *w, const struct part *p, size_t b,
			float *sine, float *cosine)
{
	double s[CHUNK], c[CHUNK];

	turns_sincos(&w->turns, p->k, p->n,
		     p->position + (double)b * w->step, s, c);
	for (size_t i = 0; i < p->n; i++) {
		sine[i] = (float)s[i];
		cosine[i] = (float)c[i];
	}
}

static void lay(const struct wave *w, const struct part *p, const float *sine,
		const float *cosine, float *row)
{
	const float *f = w->cosine_first ? cosine : sine;
	const float *g = w->cosine_first != w->alike ? sine : cosine;
	float *to = row + p->k * w->stride;
	const size_t first = p->k * w->stride + w->apart;
	const size_t room = first < w->cols ? w->cols - first : 0;
	size_t both = (room + w->stride - 1) / w->stride;

	both = both < p->n ? both : p->n;
	if (w->stride == 1) {
		memcpy(to, f, p->n * sizeof *f);
		if (both)
			memcpy(to + w->apart, g, both * sizeof *g);
		return;
	}
	for (size_t i = 0; i < both; i++) {
		to[2 * i] = f[i];
		to[2 * i + 1] = g[i];
	}
	if (both < p->n)
		to[2 * both] = f[both];
}

static void block_floats(const struct wave *w, double position, size_t rows,
			 float *out)
{
	const size_t pairs = w->turns.n;
	struct part p = { .position = position };
	const struct kernel_anchor anchor = {
		p.sine, p.cosine, p.sine_error, p.cosine_error
	};
	float sine[CHUNK], cosine[CHUNK];

	for (p.k = 0; p.k < pairs; p.k += CHUNK) {
		p.n = pairs - p.k < CHUNK ? pairs - p.k : CHUNK;
		part_begin(w, &p);
		for (size_t b = 0; b < rows; b++) {
			const size_t at = b * pairs + p.k;

			if (!w->turns.kernel->rotate(&anchor,
						     w->turn_sine + at,
						     w->turn_cosine + at, p.n,
						     sine, cosine))
				row_exactly(w, &p, b, sine, cosine);
			lay(w, &p, sine, cosine, out + b * w->cols);
		}
	}
}

void wave_floats(const struct wave *w, size_t first, size_t n, float *out)
{
	const size_t laid = 2 * w->turns.n;

	for (size_t i = 0; laid < w->cols && i < n; i++)
		memset(out + i * w->cols + laid, 0,
		       (w->cols - laid) * sizeof *out);
	for (size_t i = 0; i < n; i += w->block)
		block_floats(w, fma((double)(first + i), w->step, w->start),
			     n - i < w->block ? n - i : w->block,
			     out + i * w->cols);
}
