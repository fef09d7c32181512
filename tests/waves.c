/* waves.c: how sinusoid, shift and grid are related. */
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((format(printf, 2, 3)))
static struct pe_table *open_formatted(const char *recipe, const char *format,
				       ...)
{
	char options[300];
	va_list args;

	va_start(args, format);
	vsnprintf(options, sizeof options, format, args);
	va_end(args);
	return open_table(recipe, options);
}

static const char *const denoms[] = {
	"dim", "half", "half-1", "t2t", "shift:0.5"
};
enum { DENOMS = sizeof denoms / sizeof *denoms, LEN = 9 };

/* All values of a table [LEN, *cols]; the caller frees them. */
static double *values_of(struct pe_table *t, size_t *cols)
{
	double *x = all_numbers(t);

	*cols = pe_cols(t);
	pe_close(t);
	return x;
}

static void split_permutes_interleaved_columns(void **state)
{
	static const char *const odds[] = { "sine", "zero", "round-up",
					    "fewer" };

	(void)state;
	for (int k = 0; k < DENOMS * 4 * 5; k++) {
		const char *denom = denoms[k % DENOMS];
		const char *odd = odds[k / DENOMS % 4];
		const int dim = 4 + k / DENOMS / 4;
		size_t cols, same, half;
		double *x = values_of(open_formatted(
			"sinusoid", "len=%d dim=%d start=-3 step=0.75 odd=%s "
			"denom=%s", LEN, dim, odd, denom), &cols);
		double *y = values_of(open_formatted(
			"sinusoid", "len=%d dim=%d start=-3 step=0.75 odd=%s "
			"denom=%s layout=split", LEN, dim, odd, denom), &same);

		assert_int_equal(cols, same);
		half = odd[0] == 'z' ? cols / 2 : (cols + 1) / 2;
		for (size_t i = 0; i < LEN * cols; i++) {
			const size_t j = i % cols;
			const bool zero = odd[0] == 'z' && j == 2 * half;
			const size_t at = zero ? j : j % 2 ? half + j / 2
							   : j / 2;

			assert_true(x[i] == y[i - j + at]);
		}
		test_free(x);
		test_free(y);
	}
}

/* The largest |P[t + by] - M P[t]|. */
static double residual(const double *m, const double *before,
		       const double *after, size_t cols)
{
	double worst = 0;

	for (size_t i = 0; i < LEN * cols; i++) {
		double sum = 0;

		for (size_t j = 0; j < cols; j++)
			sum += m[i % cols * cols + j] *
			       before[i / cols * cols + j];
		worst = fmax(worst, fabs(sum - after[i]));
	}
	return worst;
}

static void shift_maps_a_sinusoid_to_a_later_one(void **state)
{
	static const double steps[] = { 1, 0.5, -7, 12345, 1e6 };

	(void)state;
	for (int k = 0; k < DENOMS * 2 * 2 * 2 * 5; k++) {
		const double by = steps[k % 5];
		char convention[200];
		double *m, *before, *after;
		size_t cols;

		snprintf(convention, sizeof convention,
			 "dim=%d denom=%s layout=%s first=%s odd=zero base=500 "
			 "angle-scale=0.7", k / 5 % 2 ? 11 : 8,
			 denoms[k / 40], k / 10 % 2 ? "split" : "interleaved",
			 k / 20 % 2 ? "cos" : "sin");
		m = values_of(open_formatted("shift", "%s by=%.17g",
					      convention, by), &cols);
		before = values_of(open_formatted("sinusoid", "%s len=%d",
						   convention, LEN), &cols);
		after = values_of(open_formatted("sinusoid", "%s len=%d "
						  "start=%.17g", convention,
						  LEN, by), &cols);
		assert_true(residual(m, before, after, cols) < 1e-15);
		test_free(m);
		test_free(before);
		test_free(after);
	}
}

/* Columns at to at + n - 1 of row i of a grid are row r of a sinusoid. */
static void same_columns(const double *grid, size_t i, size_t at,
			 const double *part, size_t r, size_t n)
{
	for (size_t j = 0; j < n; j++)
		assert_true(grid[i * 16 + at + j] == part[r * n + j]);
}

static void grids_are_made_of_sinusoids(void **state)
{
	enum { H = 3, W = 5 };
	size_t cols;
	double *mae = values_of(open_table("grid", "grid=3x5 dim=16"), &cols);
	double *detr = values_of(open_table("grid", "grid=3x5 dim=16 "
					     "variant=detr"), &cols);
	double *video = values_of(open_table("grid", "grid=3x5x2 dim=16 "
					      "variant=diffusers"), &cols);
	double *split = values_of(open_table("sinusoid", "len=9 dim=8 "
					      "layout=split"), &cols);
	double *turns = values_of(open_table("sinusoid", "len=9 dim=8 "
					      "start=1"), &cols);
	double *four = values_of(open_table("sinusoid", "len=9 dim=4 "
					     "layout=split"), &cols);
	double *six = values_of(open_table("sinusoid", "len=9 dim=6 "
					    "layout=split"), &cols);

	(void)state;
	for (size_t i = 0; i < H * W; i++) {
		same_columns(mae, i, 0, split, i % W, 8);
		same_columns(mae, i, 8, split, i / W, 8);
		same_columns(detr, i, 0, turns, i / W, 8);
		same_columns(detr, i, 8, turns, i % W, 8);
		for (size_t t = 0; t < 2; t++) {
			same_columns(video, t * H * W + i, 0, four, t, 4);
			same_columns(video, t * H * W + i, 4, six, i % W, 6);
			same_columns(video, t * H * W + i, 10, six, i / W, 6);
		}
	}
	test_free(mae);
	test_free(detr);
	test_free(video);
	test_free(split);
	test_free(turns);
	test_free(four);
	test_free(six);
}

/* Whole turns change nothing, and quarter turns are exact. */
static void full_turns_are_exact(void **state)
{
	size_t cols;
	double *x = values_of(open_table("sinusoid", "positions="
					  "0,1,7,1000003,0.25,0.5,-1.75,"
					  "4503599627370495.5,0.125 dim=2 "
					  "full-turns"), &cols);
	const double eighth = sqrt(0.5);
	const double sines[LEN] = { 0, 0, 0, 0, 1, 0, 1, 0, eighth };
	const double cosines[LEN] = { 1, 1, 1, 1, 0, -1, 0, -1, eighth };

	(void)state;
	for (size_t i = 0; i < LEN; i++) {
		assert_true(fabs(x[2 * i] - sines[i]) < 2e-16);
		assert_true(fabs(x[2 * i + 1] - cosines[i]) < 2e-16);
	}
	test_free(x);
}

/* That rows which are made together are the same as each alone. */
static void same_as_rows_alone(struct pe_table *t)
{
	const size_t rows = pe_rows(t), cols = pe_cols(t);
	float *x = test_malloc(rows * cols * sizeof *x);
	double *row = test_malloc(cols * sizeof *row);

	assert_int_equal(pe_fill(t, 0, rows, x), 0);
	for (size_t i = 0; i < rows; i++) {
		const double *y = pe_row(t, i, row);

		for (size_t j = 0; j < cols; j++)
			assert_true(x[i * cols + j] == (float)y[j]);
	}
	test_free(x);
	test_free(row);
	pe_close(t);
}

/*
 * At these positions a sine or cosine is near 0, a difference of products that
 * agree in more than 20 bits, and within 2e-17 of the middle between two
 * floats.
 */
static void hard_values_are_rounded_as_in_a_row_alone(void **state)
{
	enum { BLOCK = 32 };
	static const int hard[] = {
		122925461, 245850922, 411557987, 561006999, 657408909,
		711029215, 1314817818, 1422058430,
	};

	(void)state;
	for (size_t k = 0; k < BLOCK * sizeof hard / sizeof *hard; k++)
		same_as_rows_alone(open_formatted("sinusoid", "len=64 dim=2 "
			"start=%d", hard[k / BLOCK] - (int)(k % BLOCK)));
}

/* Blocks of rows are for whole positions and an amplitude of 1 alone. */
static void blocks_are_the_same_as_rows_alone(void **state)
{
	static const char *const sizes[] = {
		"len=64 dim=2", "len=65 dim=7", "len=65 dim=258",
		"len=64 dim=515", "len=1025 dim=3",
	};
	static const char *const others[] = {
		"", "layout=split", "first=cos", "layout=split first=cos",
		"odd=zero", "odd=zero layout=split", "odd=round-up first=cos",
		"amp=1.5", "amp=0.7", "amp=3", "start=1000000000.3",
		"step=0.3 start=1000000007", "start=1000000000.3 step=0.7",
		"start=-40 step=-3", "emulate=numpy64 step=7",
		"zero-row=5", "full-turns base=3", "base=0.01",
	};

	(void)state;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
			same_as_rows_alone(open_formatted("sinusoid", "%s %s",
							  sizes[k], others[i]));
	same_as_rows_alone(open_table("sinusoid", "len=40 dim=8194"));
	same_as_rows_alone(open_table("sinusoid", "len=40 dim=16384"));
	same_as_rows_alone(open_table("sinusoid", "len=40 dim=16386"));
}

static void tiny_angles_are_their_sines(void **state)
{
	(void)state;
	for (int digits = 12; digits < 300; digits++) {
		char angle[20];
		struct pe_table *t = open_formatted("sinusoid", "len=1 start=1 "
			"dim=2 angle-scale=1e-%d", digits);
		double x[2];

		snprintf(angle, sizeof angle, "1e-%d", digits);
		pe_row(t, 0, x);
		assert_true((float)x[0] == strtof(angle, NULL));
		assert_true((float)x[1] == 1);
		pe_close(t);
	}
}

UNIT(waves,
	TEST(split_permutes_interleaved_columns),
	TEST(shift_maps_a_sinusoid_to_a_later_one),
	TEST(grids_are_made_of_sinusoids),
	TEST(full_turns_are_exact),
	TEST(hard_values_are_rounded_as_in_a_row_alone),
	TEST(blocks_are_the_same_as_rows_alone),
	TEST(tiny_angles_are_their_sines)
)
