/*
 * torch.c: PyTorch's normal and uniform samples.
 *
 * For 16 or more elements PyTorch draws all as uniform, then transforms each
 * block of 16 by the Box-Muller method, eight radii with eight angles. Its
 * vector code has Cephes' single precision logarithm, sine and cosine (Moshier
 * 1989). Here, multiplications and additions are fused where the compiler of
 * PyTorch's x86-64 packages fuses them, which gives the bits of PyTorch 1.13
 * with AVX2. Other builds differ by a unit in the last place or so.
 */
#include <math.h>

#include "random/generators.h"
#include "random/samples.h"

enum { BLOCK = 16, HALF = BLOCK / 2 };

/* Uniform in [0, 1): 24 bits. */
static float unit(struct mt19937 *m)
{
	return (float)(mt19937_next(m) & 0xffffff) * 0x1p-24f;
}

/* Cephes' logf() for x from 2^-24 to 1. */
static float logarithm(float x)
{
	static const float terms[] = {
		-1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f,
		1.4249322787e-1f, -1.6668057665e-1f, 2.0000714765e-1f,
		-2.4999993993e-1f, 3.3333331174e-1f,
	};
	int exponent;
	float m = frexpf(x, &exponent), e, y = 7.0376836292e-2f, z;

	if (m < 0x1.6a09e6p-1f) {
		exponent--;
		m += m;
	}
	m -= 1;
	e = (float)exponent;
	z = m * m;
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
		y = fmaf(y, m, terms[i]);
	y = fmaf(y * m, z, e * -2.12194440e-4f) - 0.5f * z;
	return fmaf(e, 0.693359375f, m + y);
}

/* Cephes' sinf() and cosf() for x from 0 to 2 pi. */
static void sine_cosine(float x, float *sine, float *cosine)
{
	const int octant = ((int)(x * 1.27323954473516f) + 1) & ~1;
	const float j = (float)octant;
	float z, c, s;

	x = fmaf(j, -0.78515625f, x);
	x = fmaf(j, -2.4187564849853515625e-4f, x);
	x = fmaf(j, -3.77489497744594108e-8f, x);
	z = x * x;
	c = fmaf(2.443315711809948e-5f, z, -1.388731625493765e-3f);
	c = fmaf(c, z, 4.166664568298827e-2f);
	c = fmaf(c * z, z, -0.5f * z) + 1;
	s = fmaf(-1.9515295891e-4f, z, 8.3321608736e-3f);
	s = fmaf(s, z, -1.6666654611e-1f);
	s = fmaf(s * z, x, x);
	*sine = octant & 2 ? c : s;
	*cosine = octant & 2 ? s : c;
	if (octant & 4)
		*sine = -*sine;
	if ((octant + 2) & 4)
		*cosine = -*cosine;
}

/* Draw a block of normal samples and write the first n of them to x. */
static void block(struct mt19937 *m, float deviation, size_t n, double *x)
{
	float u[BLOCK], sine, cosine;

	for (size_t j = 0; j < BLOCK; j++)
		u[j] = unit(m);
	for (size_t j = 0; j < HALF; j++) {
		const float radius = sqrtf(-2 * logarithm(1 - u[j]));

		sine_cosine(0x1.921fb6p2f * u[j + HALF], &sine, &cosine);
		if (j < n)
			x[j] = (double)(radius * cosine * deviation);
		if (j + HALF < n)
			x[j + HALF] = (double)(radius * sine * deviation);
	}
}

static uint64_t next_64(struct mt19937 *m)
{
	const uint64_t high = mt19937_next(m);

	return high << 32 | mt19937_next(m);
}

/* Below 16 elements: pairs in double precision, from the low 53 bits of 64. */
static void small(struct mt19937 *m, double deviation, size_t n, double *x)
{
	double sine, cosine;

	for (size_t i = 0; i < n; i += 2) {
		const uint64_t angle = next_64(m) << 11;

		random_box_muller(next_64(m) << 11, angle, &cosine, &sine);
		x[i] = (double)(float)(cosine * deviation);
		if (i + 1 < n)
			x[i + 1] = (double)(float)(sine * deviation);
	}
}

void torch_normal(uint64_t seed, double deviation, size_t total, size_t n,
		  double *x)
{
	const size_t tail = total % BLOCK;
	struct mt19937 m;

	mt19937_seed(&m, (uint32_t)seed);
	if (total < BLOCK) {
		small(&m, deviation, n, x);
		return;
	}
	for (size_t i = 0; i < n && i + BLOCK <= total; i += BLOCK)
		block(&m, (float)deviation, n - i, x + i);
	if (!tail || n <= total - BLOCK)
		return;
	/* The tail was drawn as uniform; then the last 16 are drawn again. */
	for (size_t i = 0; i < tail; i++)
		mt19937_next(&m);
	block(&m, (float)deviation, n - (total - BLOCK), x + total - BLOCK);
}

void torch_uniform(uint64_t seed, double from, double to, size_t n, double *x)
{
	const float a = (float)from, width = (float)to - a;
	struct mt19937 m;

	mt19937_seed(&m, (uint32_t)seed);
	for (size_t i = 0; i < n; i++)
		x[i] = (double)fmaf(unit(&m), width, a);
}
