/* wave.c: rows of sines and cosines, one at a time. */
#include "core/wave.h"

enum { CHUNK = 256 };

void wave_row(const struct wave *w, double position, double *x)
{
	const size_t pairs = w->turns.n;
	double sine[CHUNK], cosine[CHUNK];
	const double *f = w->cosine_first ? cosine : sine;
	const double *g = w->cosine_first ? sine : cosine;

	for (size_t j = 2 * pairs; j < w->cols; j++)
		x[j] = 0;
	for (size_t k = 0; k < pairs; k += CHUNK) {
		const size_t n = pairs - k < CHUNK ? pairs - k : CHUNK;

		turns_sincos(&w->turns, k, n, position, sine, cosine);
		for (size_t i = 0; i < n; i++) {
			const size_t at = (k + i) * w->stride;

			x[at] = f[i] * w->amplitude + 0.0;  /* not -0 */
			if (at + w->apart < w->cols)
				x[at + w->apart] = g[i] * w->amplitude + 0.0;
		}
	}
}
