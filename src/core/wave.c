/* wave.c: rows of sines and cosines, one at a time. */
#include "core/wave.h"

enum { CHUNK = 256 };

void wave_pairs(const struct wave *w, size_t first, size_t n, double position,
		double *x)
{
	double sine[CHUNK], cosine[CHUNK];
	const double *f = w->cosine_first ? cosine : sine;
	const double *g = w->cosine_first != w->alike ? sine : cosine;

	for (size_t k = first; k < first + n; k += CHUNK) {
		const size_t left = first + n - k;
		const size_t few = left < CHUNK ? left : CHUNK;

		if (w->emulation.way == EXACT)
			turns_sincos(&w->turns, k, few, position, sine, cosine);
		else
			emulation_sincos(&w->emulation, k, few, position, sine,
					 cosine);
		for (size_t i = 0; i < few; i++) {
			const size_t at = (k + i) * w->stride;

			x[at] = f[i] * w->amplitude + 0.0;  /* not -0 */
			if (at + w->apart < w->cols)
				x[at + w->apart] = g[i] * w->amplitude + 0.0;
		}
	}
}

void wave_row(const struct wave *w, double position, double *x)
{
	for (size_t j = 2 * w->turns.n; j < w->cols; j++)
		x[j] = 0;
	wave_pairs(w, 0, w->turns.n, position, x);
}
