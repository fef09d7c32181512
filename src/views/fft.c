/* fft.c: Fourier transforms by halves of halves (Cooley and Tukey 1965). */
#include "exact/nearest.h"
#include "views/fft.h"

/* exp(-pi i k / h) to roots [h], of angles that are exact parts of a turn. */
static void fill_roots(double complex *roots, size_t h)
{
	enum { SOME = NEAREST_MOST };
	double sine[SOME], cosine[SOME];
	uint64_t unsure[SOME];

	for (size_t first = 0; first < h; first += SOME) {
		const size_t n = h - first < SOME ? h - first : SOME;
		struct nearest a = { 0 };

		for (size_t k = 0; k < n; k++)
			a.high[k] = (UINT64_MAX / 2 / h + 1) * (first + k);
		nearest_sincos(simd_best(), &a, n, sine, cosine, unsure);
		for (size_t k = 0; k < n; k++)
			roots[first + k] = cosine[k] - sine[k] * I;
	}
}

bool fft_open(struct fft *f, size_t n, struct table *owner, struct error *err)
{
	double complex *roots;

	for (f->n = 2; f->n < n; f->n *= 2)
		;
	f->roots = roots = table_alloc(owner, f->n, sizeof *roots, err);
	for (size_t h = 1; roots && h < f->n; h *= 2)
		fill_roots(roots + h, h);
	return roots;
}

/* The transform of z [n] from those of its halves. */
static void join(double complex *z, size_t n, const double complex *roots)
{
	const size_t half = n / 2;

	for (size_t k = 0; k < half; k++) {
		const double complex a = z[k], b = z[half + k];
		const double complex w = roots[half + k];
		const double re = creal(b) * creal(w) - cimag(b) * cimag(w);
		const double im = creal(b) * cimag(w) + cimag(b) * creal(w);

		z[k] = a + (re + im * I);
		z[half + k] = a - (re + im * I);
	}
}

/* Parts that the cache holds are finished before the next is begun. */
static void transform(double complex *z, size_t n, const double complex *roots)
{
	enum { CACHED = 4096 };

	if (n > CACHED) {
		transform(z, n / 2, roots);
		transform(z + n / 2, n / 2, roots);
		join(z, n, roots);
		return;
	}
	for (size_t part = 2; part <= n; part *= 2)
		for (size_t i = 0; i < n; i += part)
			join(z + i, part, roots);
}

void fft_transform(const struct fft *f, double complex *z)
{
	/* The order of indices whose bits are reversed */
	for (size_t i = 1, j = 0; i < f->n; i++) {
		size_t bit = f->n >> 1;

		for (; j & bit; bit >>= 1)
			j ^= bit;
		j ^= bit;
		if (i < j) {
			const double complex swap = z[i];

			z[i] = z[j];
			z[j] = swap;
		}
	}
	transform(z, f->n, f->roots);
}
