/* wave.c: rows of sines and cosines. */
#include "core/wave.h"

void wave_row(const struct wave *w, double position, double *x)
{
	for (size_t j = 0; j < w->cols; j++)
		x[j] = 0;
	for (size_t k = 0; k < w->turns.n; k++) {
		const size_t first = k * w->stride, second = first + w->apart;
		double sine, cosine;

		turns_sincos(&w->turns, k, position, &sine, &cosine);
		sine *= w->amplitude;
		cosine *= w->amplitude;
		x[first] = w->cosine_first ? cosine : sine;
		if (second < w->cols)
			x[second] = w->cosine_first ? sine : cosine;
	}
}
