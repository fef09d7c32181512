/*
 * wave.c: rows of sines and cosines: one at a time, and in blocks of rows,
 * correctly rounded to float32. wave_row() is the reference of wave_floats():
 * both give the same floats.
 *
 * wave_floats() computes sine and cosine exactly for the middle row of each
 * block, the anchor at position p, and rotates from there to the rows b above
 * and below, which have the same products:
 *
 *   sin((p +- b) w) = sin(p w) cos(b w) +- cos(p w) sin(b w)
 *   cos((p +- b) w) = cos(p w) cos(b w) -+ sin(p w) sin(b w)
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

#include "exact/bits.h"
#include "waves/wave.h"

enum {
	CHUNK = 128,          /* pairs at a time */
	BLOCK_MAX = 128,
	BLOCK_MIN = 4,
	TABLE_MAX = 1 << 15,  /* pairs in the table of a block: 256 KiB */
};

/*
 * What the rows of a block are rotated from: sine and cosine at a position of
 * the block [n], and upper bounds of the error of a result [n].
 */
struct anchor {
	const double *sine, *cosine;
	const double *sine_error, *cosine_error;
};

/* The columns of a row: [n] each, or both in first [n, 2] if interleaved. */
struct row_columns {
	float *first, *second;
};

/* x, rounded up by its error; unsure where that is not the same as down. */
SIMD_LOOP float rounded_up(double x, double error, uint32_t *unsure)
{
	const float up = (float)(x + error);

	*unsure |= bits_of_float(up) ^ bits_of_float((float)(x - error));
	return up;
}

/* Both rows have the same products. Pair i has columns i * stride. */
SIMD_LOOP unsigned rotate_loop(const struct anchor *a,
			       const double *restrict angle_sine,
			       const double *restrict angle_cosine, size_t n,
			       size_t stride, const struct row_columns *rows)
{
	const double *restrict sa = a->sine, *restrict ca = a->cosine;
	const double *restrict se = a->sine_error;
	const double *restrict ce = a->cosine_error;
	float *restrict f0 = rows[0].first, *restrict f1 = rows[1].first;
	float *restrict g0 = rows[0].second, *restrict g1 = rows[1].second;
	uint32_t unsure0 = 0, unsure1 = 0;

	for (size_t i = 0; i < n; i++) {
		const double as = angle_sine[i], ac = angle_cosine[i];
		const double sc = sa[i] * ac, cs = ca[i] * as;
		const double cc = ca[i] * ac, ss = sa[i] * as;
		const float s0 = rounded_up(sc - cs, se[i], &unsure0);
		const float c0 = rounded_up(cc + ss, ce[i], &unsure0);
		const float s1 = rounded_up(sc + cs, se[i], &unsure1);
		const float c1 = rounded_up(cc - ss, ce[i], &unsure1);

		f0[i * stride] = s0;
		f1[i * stride] = s1;
		SIMD_EITHER(stride == 1, g0, f0 + 1)[i * stride] = c0;
		SIMD_EITHER(stride == 1, g1, f1 + 1)[i * stride] = c1;
	}
	return (unsure0 != 0) | (unsigned)(unsure1 != 0) << 1;
}

/*
 * Sine and cosine of anchor minus angle to rows[0], and of anchor plus angle to
 * rows[1], to single precision: sin(a + b) = sin a cos b + cos a sin b, and so
 * on. The result says which may have a value rounded to the wrong side: 1,
 * rows[0], and 2, rows[1].
 */
SIMD_EACH(unsigned, rotate,
	  (const struct anchor *a, const double *restrict angle_sine,
	   const double *restrict angle_cosine, size_t n, bool interleaved,
	   const struct row_columns *rows),
	  return interleaved
		? rotate_loop(a, angle_sine, angle_cosine, n, 2, rows)
		: rotate_loop(a, angle_sine, angle_cosine, n, 1, rows))

/* A sine or cosine times the amplitude; 0 is not -0. */
static double amplify(const struct wave *w, double x)
{
	const double y = x * w->amplitude;

	return (w->emulation.value == F64
		? y : dtype_round(w->emulation.value, y)) + 0.0;
}

void wave_pairs(const struct wave *w, enum dtype d, size_t first, size_t n,
		double position, double *x)
{
	double sine[CHUNK], cosine[CHUNK];
	const double *f = w->cosine_first ? cosine : sine;
	const double *g = w->cosine_first != w->same_function ? sine : cosine;

	for (size_t k = first; k < first + n; k += CHUNK) {
		const size_t left = first + n - k;
		const size_t some = left < CHUNK ? left : CHUNK;

		if (w->emulation.program == EXACT)
			(d == F64 ? turns_nearest : turns_sincos)
				(&w->turns, k, some, position, sine, cosine);
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
		a.pairs = w->stride > 1 ? PAIRS_ADJACENT : PAIRS_SPLIT;
	if (a.pairs && !w->same_function)
		a.apart = w->apart;
	return a;
}

struct axis wave_columns(const struct wave *w)
{
	static const char *const names[] = { "sine", "cosine", "sine" };
	struct axis a = wave_axis(w);

	if (a.apart) {
		a.waves = names + w->cosine_first;
		a.waves_n = w->turns.n;
	}
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

void wave_row(const struct wave *w, enum dtype d, double position, double *x)
{
	for (size_t j = 2 * w->turns.n; j < w->cols; j++)
		x[j] = 0;
	wave_pairs(w, d, 0, w->turns.n, position, x);
}

/*
 * Rows of a block: more for long tables; the table, of the middle and half of
 * the others, must stay in cache.
 */
static size_t block_rows(size_t pairs, size_t rows)
{
	size_t block = rows > 1024 ? BLOCK_MAX : BLOCK_MAX / 4;

	while (block / 2 * pairs > TABLE_MAX)
		block /= 2;
	return block >= BLOCK_MIN && rows >= 2 * block ? block : 0;
}

bool wave_prepare(struct wave *w, double start, double step, size_t rows,
		  struct table *t, struct error *err)
{
	const size_t pairs = w->turns.n;
	const bool whole = start == rint(start) && step == rint(step);
	const size_t block = pairs ? block_rows(pairs, rows) : 0;
	const size_t angles = block / 2 + 1;

	w->start = start;
	w->step = step;
	if (!block || !whole || w->amplitude != 1 ||
	    w->emulation.program != EXACT)
		return true;
	w->angle_sine = table_alloc(t, angles * pairs, sizeof(double), err);
	w->angle_cosine = table_alloc(t, angles * pairs, sizeof(double), err);
	w->sine_max = table_alloc(t, pairs, sizeof(double), err);
	if (!w->angle_sine || !w->angle_cosine || !w->sine_max)
		return false;
	for (size_t b = 0; b < angles; b++) {
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
	/* Vectors do not cross lines of the cache */
	_Alignas(64) double sine[CHUNK];
	_Alignas(64) double cosine[CHUNK];
	_Alignas(64) double sine_error[CHUNK];
	_Alignas(64) double cosine_error[CHUNK];
	size_t k, n;          /* pairs k to k + n - 1 */
	double position;      /* of the block's middle row */
	bool direct;          /* the loop can write to rows */
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
	p->direct = !w->same_function &&
		    (p->k + p->n - 1) * w->stride + w->apart < w->cols;
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

/* The row b steps from the middle, if a float of it may be rounded wrongly. */
static void exact_row(const struct wave *w, const struct pair_run *p, double b,
		      float *row)
{
	double s[CHUNK], c[CHUNK];
	float sine[CHUNK], cosine[CHUNK];

	turns_sincos(&w->turns, p->k, p->n, p->position + b * w->step, s, c);
	for (size_t i = 0; i < p->n; i++) {
		sine[i] = (float)s[i];
		cosine[i] = (float)c[i];
	}
	place_pairs(w, p, sine, cosine, row);
}

/* Rotate to the rows b above and below the middle; NULL: none there. */
static void rotate_rows(const struct wave *w, const struct pair_run *p,
			size_t b, float *rows[2])
{
	const size_t at = b * w->turns.n + p->k, to = p->k * w->stride;
	const bool interleaved = p->direct && w->stride == 2;
	/* cos(a - b) = cos a cos b + sin a sin b: as the sine of a sum */
	const unsigned swap = p->direct && w->cosine_first;
	const struct anchor anchors[] = {
		{ p->sine, p->cosine, p->sine_error, p->cosine_error },
		{ p->cosine, p->sine, p->cosine_error, p->sine_error },
	};
	float room[2][2][CHUNK];
	struct row_columns out[2];
	unsigned unsure;

	for (size_t i = 0; i < 2; i++) {
		const bool direct = rows[i] && p->direct;

		out[i ^ swap] = (struct row_columns){
			direct ? rows[i] + to : &room[i][0][0],
			direct ? rows[i] + to + w->apart : &room[i][1][0],
		};
	}
	unsure = rotate[w->turns.simd](&anchors[swap], w->angle_sine + at,
				       w->angle_cosine + at, p->n, interleaved,
				       out);
	for (unsigned i = 0; i < 2; i++)
		if (rows[i] && unsure >> (i ^ swap) & 1)
			exact_row(w, p, i ? (double)b : -(double)b, rows[i]);
		else if (rows[i] && !p->direct)
			place_pairs(w, p, room[i][0], room[i][1], rows[i]);
}

static void block_floats(const struct wave *w, size_t first, size_t n,
			 float *out)
{
	const size_t middle = n / 2;
	struct pair_run p = {
		.position = fma((double)(first + middle), w->step, w->start),
	};

	for (p.k = 0; p.k < w->turns.n; p.k += CHUNK) {
		p.n = w->turns.n - p.k < CHUNK ? w->turns.n - p.k : CHUNK;
		run_begin(w, &p);
		for (size_t b = 0; b <= middle; b++) {
			float *row = out + middle * w->cols;
			float *rows[] = { row - b * w->cols, NULL };

			if (b && middle + b < n)
				rows[1] = row + b * w->cols;
			rotate_rows(w, &p, b, rows);
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
		block_floats(w, first + i, n - i < w->block ? n - i : w->block,
			     out + i * w->cols);
}
