/* fft.h: discrete Fourier transforms, the same on every machine. */
#ifndef FFT_H
#define FFT_H

#include <complex.h>

#include "table/table.h"

struct fft {
	size_t n;                     /* a power of two */
	const double complex *roots;  /* [n]; from h on, exp(-pi i k / h) of k
					 below h, for each power of two h */
};

/* Prepare transforms of at least n values, 2 or more, in memory of owner. */
bool fft_open(struct fft *f, size_t n, struct table *owner, struct error *err);

/* z [f->n] becomes its transform, sum_j z[j] exp(-2 pi i j k / n). */
void fft_transform(const struct fft *f, double complex *z);

#endif
