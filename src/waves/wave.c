/*
 * wave.c: rows of sines and cosines: one at a time, and in blocks of rows,
 * correctly rounded to float32. wave_row() is the reference of wave_floats():
 * both give the same floats.
 *
 * wave_floats() computes sine and cosine exactly for the first row of each
 * block, the anchor at position p, and rotates from there to the row b below:
 *
 *   sin((p + b) w) = sin(p w) cos(b w) + cos(p w) sin(b w)
 *   cos((p + b) w) = cos(p w) cos(b w) - sin(p w) sin(b w)
 *
 * sin(b w) and cos(b w) come from a table that all blocks share.
 *
 * Error bound of such a sum: let u = 2^-53. The four factors have errors of at
 * most 2 u of their magnitude, and each product adds u: 5 u of itself. Let A
 * and B be upper bounds of the magnitudes of the two products. The sum of their
 * errors is 5 u (A + B); adding the products makes it 6, and adding the bound
 * itself to test the rounding makes it 7 (terms in u^2 are far below the
 * difference to 8). If the sum plus and minus 8 u (A + B) round to the same
 * float, so does the exact value. If not, the row is computed by
 * turns_sincos().
 */
#include <math.h>
#include <string.h>

#include "exact/kernel.h"
#include "waves/wave.h"

enum {
	CHUNK = 256,          /* pairs at a time */
	BLOCK_MAX = 64,
	BLOCK_MIN = 4,
	TABLE_MAX = 1 << 15,  /* pairs in the table of a block: 512 KiB */
};

/* A sine or cosine times the amplitude; 0 is not -0. */
static double amplify(const struct wave *w, double x)
{
	return dtype_round(w->emulation.value, x * w->amplitude) + 0.0;
}

void wave_pairs(const struct wave *w, size_t first, size_t n, double position,
		double *x)
{
	double sine[CHUNK], cosine[CHUNK];
	const double *f = w->cosine_first ? cosine : sine;
	const double *g = w->cosine_first != w->same_function ? sine : cosine;

	for (size_t k = first; k < first + n; k += CHUNK) {
		const size_t left = first + n - k;
		const size_t some = left < CHUNK ? left : CHUNK;

		if (w->emulation.program == EXACT)
			turns_sincos(&w->turns, k, some, position, sine,
				     cosine);
		else if (w->emulation.program >= LOW_PRECISION)
			low_precision_sincos(w, k, some, position, sine,
					     cosine);
		else
			emulation_sincos(&w->emulation, k, some, position, sine,
					 cosine);
		for (size_t i = 0; i < some; i++) {
			const size_t at = (k + i) * w->stride;

			x[at] = amplify(w, f[i]);
			if (at + w->apart < w->cols)
				x[at + w->apart] = amplify(w, g[i]);
		}
	}
}

struct axis wave_axis(const struct wave *w)
{
	struct axis a = axis_of(AXIS_DIMENSION);

	if (w->apart < w->cols)
		a.pairs = w->stride == 2 ? PAIRS_ADJACENT : PAIRS_SPLIT;
	if (a.pairs && !w->same_function)
		a.apart = w->apart;
	return a;
}

static double frequency(const void *self, size_t k)
{
	const struct wave *w = self;

	return turns_angle(&w->turns, k, 1);
}

struct frequencies wave_frequencies(const struct wave *w, double length)
{
	return (struct frequencies){
		.n = w->turns.n, .at = frequency, .self = w, .length = length,
	};
}

void wave_row(const struct wave *w, double position, double *x)
{
	for (size_t j = 2 * w->turns.n; j < w->cols; j++)
		x[j] = 0;
	wave_pairs(w, 0, w->turns.n, position, x);
}

/* Rows of a block: more for long tables; the table must stay in cache. */
static size_t block_rows(size_t pairs, size_t rows)
{
	size_t block = rows > 1024 ? BLOCK_MAX : BLOCK_MAX / 4;

	while (block * pairs > TABLE_MAX)
		block /= 2;
	return block >= BLOCK_MIN && rows >= 2 * block ? block : 0;
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
	    w->emulation.program != EXACT)
		return true;
	w->angle_sine = table_alloc(t, block * pairs, sizeof(double), err);
	w->angle_cosine = table_alloc(t, block * pairs, sizeof(double), err);
	w->sine_max = table_alloc(t, pairs, sizeof(double), err);
	if (!w->angle_sine || !w->angle_cosine || !w->sine_max)
		return false;
	for (size_t b = 0; b < block; b++) {
		double *sine = w->angle_sine + b * pairs;

		turns_sincos(&w->turns, 0, pairs, (double)b * step, sine,
			     w->angle_cosine + b * pairs);
		for (size_t k = 0; k < pairs; k++)
			w->sine_max[k] = fmax(w->sine_max[k], fabs(sine[k]));
	}
	w->block = block;
	return true;
}

/* The fastest frequency is the first; if --base is below 1, the last. */
bool wave_smooth(const struct wave *w)
{
	const size_t n = w->turns.n;

	return n && w->emulation.program == EXACT &&
	       fmax(fabs(turns_angle(&w->turns, 0, w->step)),
		    fabs(turns_angle(&w->turns, n - 1, w->step))) <=
		       TWO_PI / 2;
}

/* Some pairs of a block, and the anchor that its rows are rotated from. */
struct pair_run {
	size_t k, n;          /* pairs k to k + n - 1 */
	double position;      /* of the block's first row */
	double sine[CHUNK], cosine[CHUNK];
	double sine_error[CHUNK], cosine_error[CHUNK];
};

static void run_begin(const struct wave *w, struct pair_run *p)
{
	turns_sincos(&w->turns, p->k, p->n, p->position, p->sine, p->cosine);
	for (size_t i = 0; i < p->n; i++) {
		const double s = fabs(p->sine[i]), c = fabs(p->cosine[i]);
		const double max = w->sine_max[p->k + i];

		p->sine_error[i] = 0x1p-50 * (s + c * max);
		p->cosine_error[i] = 0x1p-50 * (c + s * max);
	}
}

/* Row b of the block, if a float of it could be rounded either way. */
static void exact_row(const struct wave *w, const struct pair_run *p, size_t b,
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

/* Write the pairs of a run to their columns of row [cols]. */
static void place_pairs(const struct wave *w, const struct pair_run *p,
			const float *sine, const float *cosine, float *row)
{
	const float *f = w->cosine_first ? cosine : sine;
	const float *g = w->cosine_first != w->same_function ? sine : cosine;
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
	struct pair_run p = { .position = position };
	const struct kernel_anchor anchor = {
		p.sine, p.cosine, p.sine_error, p.cosine_error
	};
	float sine[CHUNK], cosine[CHUNK];

	for (p.k = 0; p.k < pairs; p.k += CHUNK) {
		p.n = pairs - p.k < CHUNK ? pairs - p.k : CHUNK;
		run_begin(w, &p);
		for (size_t b = 0; b < rows; b++) {
			const size_t at = b * pairs + p.k;

			if (!kernel_rotate(w->turns.simd, &anchor,
					   w->angle_sine + at,
					   w->angle_cosine + at, p.n, sine,
					   cosine))
				exact_row(w, &p, b, sine, cosine);
			place_pairs(w, &p, sine, cosine, out + b * w->cols);
		}
	}
}

void wave_floats(const struct wave *w, size_t first, size_t n, float *out)
{
	const size_t used = 2 * w->turns.n;

	for (size_t i = 0; used < w->cols && i < n; i++)
		memset(out + i * w->cols + used, 0,
		       (w->cols - used) * sizeof *out);
	for (size_t i = 0; i < n; i += w->block)
		block_floats(w, fma((double)(first + i), w->step, w->start),
			     n - i < w->block ? n - i : w->block,
			     out + i * w->cols);
}
