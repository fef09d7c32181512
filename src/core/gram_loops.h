/*
 * gram_loops.h: the loop of gram.c, included once for each instruction set
 * (see simd.h). A tile of DOWN x ACROSS sums stays in registers.
 */

/*
 * A column of the tile's rows a [k][8] meets one of its columns b
 * [ACROSS / 8][cols][8], or of part of those 8.
 */
TARGET static inline __attribute__((always_inline))
void VERSION(tile)(bool apart, const double *restrict a,
		   const double *restrict b, size_t cols,
		   double *restrict sums)
{
	enum {
		LANES = sizeof(VERSION(lanes)) / sizeof(double),
		DOWN = VERSION(down), WIDE = VERSION(across) / LANES,
		AHEAD = 16,  /* columns that are fetched before their turn */
	};
	VERSION(lanes) sum[DOWN][WIDE];

	memset(sum, 0, sizeof sum);
	for (size_t k = 0; k < cols; k++) {
		const size_t next = k + AHEAD < cols ? k + AHEAD : k;
		VERSION(lanes) y[WIDE];

		__builtin_prefetch(a + 8 * next);
#pragma GCC unroll 8
		for (size_t j = 0; j < WIDE; j++) {
			const double *at = b + j * LANES / 8 * 8 * cols +
					   j * LANES % 8;

			__builtin_prefetch(at + 8 * next);
			memcpy(&y[j], at + 8 * k, sizeof y[j]);
		}
#pragma GCC unroll 8
		for (size_t i = 0; i < DOWN; i++)
#pragma GCC unroll 8
			for (size_t j = 0; j < WIDE; j++)
				sum[i][j] = VERSION(add)(apart, a[8 * k + i],
							 y[j], sum[i][j]);
	}
	memcpy(sums, sum, sizeof sum);
}

TARGET static void VERSION(dots)(const double *a, const double *b,
				 size_t cols, double *sums)
{
	VERSION(tile)(false, a, b, cols, sums);
}

TARGET static void VERSION(distances)(const double *a, const double *b,
				      size_t cols, double *sums)
{
	VERSION(tile)(true, a, b, cols, sums);
}

static const struct loops VERSION(loops) = {
	.tile = { VERSION(dots), VERSION(distances) },
	.down = VERSION(down), .across = VERSION(across),
};
