/* gram.c: the dot products or distances of rows with rows. */
#include "exact/simd.h"
#if SIMD_X86
#include <immintrin.h>  /* brings in what error.h forbids: comes first */
#endif
#include <math.h>
#include <string.h>

#include "views/gram.h"

/*
 * For each instruction set: the doubles of one register (lanes), the rows by
 * columns of sums that its registers hold (height, width), and how a term is
 * added: xy rounded once, with the addition (dot), or (x - y)^2 rounded at each
 * step (distance). Products of float32 values are exact, so for them rounding
 * xy first changes nothing: "plain" has no fused operation.
 */
enum {
	PANEL = 8, SUMS_MAX = 8 * 24,
	AHEAD = 16,  /* columns fetched into the cache before their use */
};

typedef double lanes_plain __attribute__((vector_size(16)));
typedef lanes_plain lanes_fused;

static inline lanes_plain dot_plain(double x, lanes_plain y, lanes_plain sum)
{
	return sum + x * y;
}

static inline lanes_fused dot_fused(double x, lanes_fused y, lanes_fused sum)
{
	return (lanes_fused){ fma(x, y[0], sum[0]), fma(x, y[1], sum[1]) };
}
#if SIMD_X86
typedef double lanes_avx2 __attribute__((vector_size(32)));
typedef double lanes_avx512 __attribute__((vector_size(64)));

SIMD_TARGET_AVX2
static inline lanes_avx2 dot_avx2(double x, lanes_avx2 y, lanes_avx2 sum)
{
	return _mm256_fmadd_pd(_mm256_set1_pd(x), y, sum);
}

SIMD_IF_AVX512(SIMD_TARGET_AVX512
static inline lanes_avx512 dot_avx512(double x, lanes_avx512 y,
				      lanes_avx512 sum)
{
	return _mm512_fmadd_pd(_mm512_set1_pd(x), y, sum);
})
#endif

#define UNROLL _Pragma("GCC unroll 8")

/*
 * Sums [height, width] of a tile, which stay in registers, from the tile's rows
 * a [k][8] and columns b [width / 8][cols][8], or part of those 8.
 */
#define TILE(name, set, target, height, width, add)			\
target static void name##_##set(const double *restrict a,		\
				const double *restrict b, size_t cols,	\
				double *restrict sums)			\
{									\
	enum {								\
		LANES = sizeof(lanes_##set) / sizeof(double),		\
		WIDE = width / LANES,					\
	};								\
	lanes_##set sum[height][WIDE], y[WIDE];				\
									\
	memset(sum, 0, sizeof sum);					\
	for (size_t k = 0; k < cols; k++) {				\
		const size_t next = k + AHEAD < cols ? k + AHEAD : k;	\
									\
		__builtin_prefetch(a + 8 * next);			\
		UNROLL for (size_t j = 0; j < WIDE; j++) {		\
			const size_t lane = j * LANES;			\
			const double *at = b + lane / 8 * 8 * cols +	\
					   lane % 8;			\
									\
			__builtin_prefetch(at + 8 * next);		\
			memcpy(&y[j], at + 8 * k, sizeof y[j]);		\
		}							\
		UNROLL for (size_t i = 0; i < height; i++)		\
			UNROLL for (size_t j = 0; j < WIDE; j++)	\
				sum[i][j] = add(a[8 * k + i], y[j],	\
						sum[i][j]);		\
	}								\
	memcpy(sums, sum, sizeof sum);					\
}

#define DISTANCE(x, y, sum) ((sum) + ((x) - (y)) * ((x) - (y)))

/* The loops of an instruction set, and the tile that they compute. */
struct loops {
	void (*tile[2])(const double *a, const double *b, size_t cols,
			double *sums);
	size_t height, width;
};

#define LOOPS(set, target, height, width)				\
	TILE(dots, set, target, height, width, dot_##set)		\
	TILE(distances, set, target, height, width, DISTANCE)		\
	static const struct loops loops_##set = {			\
		{ dots_##set, distances_##set }, height, width,		\
	};

LOOPS(plain, , 4, 4)
LOOPS(fused, , 4, 4)
#if SIMD_X86
LOOPS(avx2, SIMD_TARGET_AVX2, 4, 8)
SIMD_IF_AVX512(LOOPS(avx512, SIMD_TARGET_AVX512, 8, 24))
#endif

/* exact: all products are exact; plain multiplication gives the same sums. */
static const struct loops *loops_for(enum simd simd, bool exact)
{
	static const struct loops *const versions[SIMD_SETS] = {
		&loops_plain,
#if SIMD_X86
		&loops_avx2, SIMD_IF_AVX512(&loops_avx512)
#endif
	};

	return simd == SIMD_PLAIN && !exact ? &loops_fused : versions[simd];
}

/* Incomplete panels and tiles are padded with zeros. */
static size_t panel_count(size_t rows, size_t width)
{
	return ((rows + width - 1) / width * width + PANEL - 1) / PANEL;
}

/* Row i of panels, which are zeros. */
static void fill_row(double *panels, size_t i, const double *row, size_t cols)
{
	double *to = panels + i / PANEL * PANEL * cols + i % PANEL;

	for (size_t k = 0; k < cols; k++)
		to[k * PANEL] = row[k];
}

bool gram_open(struct gram *g, enum gram_of of, const struct gram_source *from,
	       struct table *owner, struct error *err)
{
	const size_t width = loops_for(simd_best(), true)->width;
	double *panels = table_alloc(owner, panel_count(from->rows, width) *
				     from->cols, PANEL * sizeof *panels, err);

	*g = (struct gram){ of, from->rows, from->cols, panels, true };
	for (size_t i = 0; panels && i < g->rows; i++) {
		const double *row = from->x->row(from->x, from->first + i,
						 NULL) + from->at;

		g->exact = g->exact && dtype_exact(F32, row, g->cols);
		fill_row(panels, i, row, g->cols);
	}
	return panels;
}

/* Some rows in panels, with all rows of others. */
struct product {
	const double *panels;
	const struct gram *others;
	const struct loops *loops;
};

/* Compute the tile at (i, j); copy rows first to end - 1 of it to out. */
static void copy_tile(const struct product *p, size_t i, size_t j,
		      size_t first, size_t end, double *out)
{
	const struct gram *g = p->others;
	const size_t height = p->loops->height, width = p->loops->width;
	const size_t n = g->rows - j < width ? g->rows - j : width;
	double sums[SUMS_MAX];

	p->loops->tile[g->of]
		(p->panels + i / PANEL * PANEL * g->cols + i % PANEL,
		 g->panels + j / PANEL * PANEL * g->cols + j % PANEL, g->cols,
		 sums);
	for (size_t r = i < first ? first : i; r < i + height && r < end; r++)
		memcpy(out + (r - first) * g->rows + j, sums + (r - i) * width,
		       n * sizeof *out);
}

static void multiply(const struct product *p, size_t first, size_t n,
		     double *out)
{
	const size_t height = p->loops->height;

	for (size_t j = 0; j < p->others->rows; j += p->loops->width)
		for (size_t i = first / height * height; i < first + n;
		     i += height)
			copy_tile(p, i, j, first, first + n, out);
}

void gram_rows(const struct gram *a, const struct gram *b, size_t first,
	       size_t n, double *out)
{
	const struct product p = {
		a->panels, b, loops_for(simd_best(), a->exact && b->exact),
	};

	multiply(&p, first, n, out);
}

size_t gram_room(size_t n, size_t cols)
{
	return panel_count(n, PANEL) * PANEL * cols;
}

void gram_others(const double *x, size_t stride, size_t n, const struct gram *b,
		 double *panels, double *out)
{
	const struct product p = { panels, b, loops_for(simd_best(), false) };

	memset(panels, 0, gram_room(n, b->cols) * sizeof *panels);
	for (size_t i = 0; i < n; i++)
		fill_row(panels, i, x + i * stride, b->cols);
	multiply(&p, 0, n, out);
}

void gram_add(const struct gram *g, size_t i, double a, double *sum)
{
	const double *x = g->panels + i / PANEL * PANEL * g->cols + i % PANEL;

	for (size_t k = 0; k < g->cols; k++)
		sum[k] += a * x[k * PANEL];
}

/* The squares of a panel's rows. */
SIMD_LOOP void squares_loop(const double *restrict x, size_t cols,
			    double *restrict to)
{
	double sums[PANEL] = { 0 };

	for (size_t k = 0; k < cols; k++)
		for (size_t r = 0; r < PANEL; r++)
			sums[r] = fma(x[k * PANEL + r], x[k * PANEL + r],
				      sums[r]);
	memcpy(to, sums, sizeof sums);
}

SIMD_EACH(void, squares_of, (const double *x, size_t cols, double *to),
	  squares_loop(x, cols, to))

void gram_squares(const struct gram *g, double *squares)
{
	double of_panel[PANEL];

	for (size_t i = 0; i < g->rows; i++) {
		if (i % PANEL == 0)
			squares_of[simd_best()](g->panels + i * g->cols,
						g->cols, of_panel);
		squares[i] = of_panel[i % PANEL];
	}
}
