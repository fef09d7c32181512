/* gram.c: every row of a table with every row. */
#include "core/simd.h"
#if SIMD_X86
#include <immintrin.h>  /* brings in what error.h forbids: comes first */
#endif
#include <math.h>
#include <string.h>

#include "core/gram.h"

/* Two loops, and the tile that they make. */
struct loops {
	void (*tile[2])(const double *a, const double *b, size_t cols,
			double *sums);
	size_t down, across;
};

/* The tiles that fit the registers of each instruction set. */
enum {
	PANEL = 8, SUMS_MOST = 8 * 24,
	down_plain = 4, across_plain = 4,
	down_fused = 4, across_fused = 4,
	down_avx2 = 4, across_avx2 = 8,
	down_avx512 = 8, across_avx512 = 24,
};

typedef double lanes_plain __attribute__((vector_size(16)));
typedef lanes_plain lanes_fused;

/*
 * The sum and one term more: xy rounded once, with the addition, or (x - y)^2
 * rounded at each step. Products of float32 numbers are exact, so that nothing
 * is lost where the two roundings of plain multiplication are one.
 */
static inline lanes_plain add_plain(bool apart, double x, lanes_plain y,
				    lanes_plain sum)
{
	return apart ? sum + (x - y) * (x - y) : sum + x * y;
}

static inline lanes_fused add_fused(bool apart, double x, lanes_fused y,
				    lanes_fused sum)
{
	if (apart)
		return add_plain(apart, x, y, sum);
	return (lanes_fused){ fma(x, y[0], sum[0]), fma(x, y[1], sum[1]) };
}

#if SIMD_X86
typedef double lanes_avx2 __attribute__((vector_size(32)));
typedef double lanes_avx512 __attribute__((vector_size(64)));

SIMD_TARGET_AVX2
static inline lanes_avx2 add_avx2(bool apart, double x, lanes_avx2 y,
				  lanes_avx2 sum)
{
	if (apart)
		return sum + (x - y) * (x - y);
	return _mm256_fmadd_pd(_mm256_set1_pd(x), y, sum);
}

SIMD_TARGET_AVX512
static inline lanes_avx512 add_avx512(bool apart, double x, lanes_avx512 y,
				      lanes_avx512 sum)
{
	if (apart)
		return sum + (x - y) * (x - y);
	return _mm512_fmadd_pd(_mm512_set1_pd(x), y, sum);
}
#endif

#define LOOPS "core/gram_loops.h"
#include "core/simd_each.h"

#define TARGET
#define VERSION(name) name##_fused
#include LOOPS

/* exact: all products are, and plain multiplication will do. */
static const struct loops *loops_for(enum simd simd, bool exact)
{
	static const struct loops *const versions[SIMDS] =
		SIMD_VERSIONS(&loops);

	return simd == SIMD_PLAIN && !exact ? &loops_fused : versions[simd];
}

/* Rows that fill no panel, and panels that fill no tile, are zeros. */
static size_t panel_count(const struct gram *g)
{
	const size_t tiles = (g->rows + g->across - 1) / g->across;

	return (tiles * g->across + PANEL - 1) / PANEL;
}

/* Whether float32 holds all of x. */
static bool narrow(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (dtype_round(F32, x[i]) < x[i] ||
		    dtype_round(F32, x[i]) > x[i])
			return false;
	return true;
}

bool gram_open(struct gram *g, enum gram_of of, const struct table *x,
	       struct table *owner, struct error *err)
{
	const double *all = x->row(x, 0, NULL);
	const struct loops *loops =
		loops_for(simd_best(), narrow(all, x->rows * x->cols));
	double *panels;

	g->rows = x->rows;
	g->cols = x->cols;
	g->tile = loops->tile[of];
	g->down = loops->down;
	g->across = loops->across;
	panels = table_alloc(owner, panel_count(g) * g->cols,
			     PANEL * sizeof *panels, err);
	if (!panels)
		return false;
	g->panels = panels;
	for (size_t i = 0; i < g->rows; i++)
		for (size_t k = 0; k < g->cols; k++)
			panels[(i / PANEL * g->cols + k) * PANEL + i % PANEL] =
				all[i * g->cols + k];
	return true;
}

/* Row i's numbers: every eighth from here on. */
static const double *panel_row(const struct gram *g, size_t i)
{
	return g->panels + i / PANEL * PANEL * g->cols + i % PANEL;
}

/* The tile at (i, j), of which rows first to end - 1 are wanted. */
static void give_tile(const struct gram *g, size_t i, size_t j, size_t first,
		      size_t end, double *out)
{
	const size_t n = g->rows - j < g->across ? g->rows - j : g->across;
	double sums[SUMS_MOST];

	g->tile(panel_row(g, i), panel_row(g, j), g->cols, sums);
	for (size_t r = i < first ? first : i; r < i + g->down && r < end; r++)
		memcpy(out + (r - first) * g->rows + j,
		       sums + (r - i) * g->across, n * sizeof *out);
}

void gram_rows(const struct gram *g, size_t first, size_t n, double *out)
{
	for (size_t j = 0; j < g->rows; j += g->across)
		for (size_t i = first / g->down * g->down; i < first + n;
		     i += g->down)
			give_tile(g, i, j, first, first + n, out);
}

double gram_square(const struct gram *g, size_t i)
{
	const double *x = panel_row(g, i);
	double sum = 0;

	for (size_t k = 0; k < g->cols; k++)
		sum = fma(x[k * PANEL], x[k * PANEL], sum);
	return sum;
}
