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
	};
	VERSION(lanes) sum[DOWN][WIDE];

	memset(sum, 0, sizeof sum);
	for (size_t k = 0; k < cols; k++) {
		VERSION(lanes) y[WIDE];

#pragma GCC unroll 8
		for (size_t j = 0; j < WIDE; j++)
			memcpy(&y[j], b + (j * LANES / 8 * cols + k) * 8 +
			       j * LANES % 8, sizeof y[j]);
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

static const struct kernel VERSION(kernel) = {
	.tile = { VERSION(dots), VERSION(distances) },
	.down = VERSION(down), .across = VERSION(across),
};
