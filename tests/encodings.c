/* encodings.c: the laws of the mathematics, by encoding. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t j = 0; j < n; j++)
		sum += a[j] * b[j];
	return sum;
}

static void near(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance))
		fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

/* Every row of an even dim has length sqrt(dim / 2); products see distance. */
static void sinusoid_rows_turn_together(void **state)
{
	static const char *const options[] = {
		"len=40 dim=64", "len=40 dim=64 layout=split",
		"len=40 dim=64 denom=half-1 first=cos",
		"len=40 dim=64 base=0.001 start=-7",
		"len=40 dim=64 step=0.37 angle-scale=-2.5",
	};

	(void)state;
	for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
		struct pe_table *t = open_table("sinusoid", options[k]);
		double *p = all_numbers(t);

		for (size_t i = 0; i + 10 < 40; i++) {
			const double *row = p + i * 64;

			near(dot(row, row, 64), 32, 1e-12);
			near(dot(row, row + 10 * 64, 64),
			     dot(p, p + 10 * 64, 64), 1e-11);
		}
		test_free(p);
		pe_close(t);
	}
}

static void split_is_interleaved_in_another_order(void **state)
{
	struct pe_table *a = open_table("sinusoid", "len=9 dim=7");
	struct pe_table *b = open_table("sinusoid", "len=9 dim=7 layout=split");
	double *p = all_numbers(a), *q = all_numbers(b);

	(void)state;
	for (size_t i = 0; i < 9; i++)
		for (size_t j = 0; j < 7; j++)
			assert_true(p[i * 7 + j] ==
				    q[i * 7 + j / 2 + (j % 2 ? 4 : 0)]);
	test_free(p);
	test_free(q);
	pe_close(a);
	pe_close(b);
}

/* The fast path and the exact one, which fractions take, are one function. */
static void whole_positions_are_the_limit_of_fractions(void **state)
{
	struct pe_table *a = open_table("sinusoid",
					"len=200 dim=32 start=1000");
	struct pe_table *b = open_table("sinusoid",
					"len=400 dim=32 start=1000 step=0.5");
	double *p = all_numbers(a), *q = all_numbers(b);

	(void)state;
	for (size_t i = 0; i < 200; i++)
		for (size_t j = 0; j < 32; j++)
			assert_true(p[i * 32 + j] == q[2 * i * 32 + j]);
	test_free(p);
	test_free(q);
	pe_close(a);
	pe_close(b);
}

static void relative_distances_are_antisymmetric(void **state)
{
	struct pe_table *t = open_table("relative",
					"len=20 clip=6 out=distances");
	double *d = all_numbers(t);

	(void)state;
	for (size_t i = 0; i < 20; i++)
		for (size_t j = 0; j < 20; j++) {
			assert_true(d[i * 20 + j] == -d[j * 20 + i]);
			assert_true(fabs(d[i * 20 + j]) <= 6);
		}
	test_free(d);
	pe_close(t);
}

/* Too long to keep a vector of, a Toeplitz table makes the same rows. */
static void long_toeplitz_tables_are_the_same(void **state)
{
	struct pe_table *t = open_table("relative",
					"query-len=1000000 key-len=9 clip=3");
	double scratch[9];
	const double *row = pe_row(t, 999995, scratch);

	(void)state;
	for (size_t j = 0; j < 9; j++)
		near(row[j], fmax(-3, fmin(3, (double)j - 4)) + 3, 0);
	pe_close(t);
}

static void t5_buckets_rise_with_distance(void **state)
{
	struct pe_table *t = open_table("t5-bucket", "causal distances=-500:3");
	double *b = all_numbers(t);

	(void)state;
	for (size_t i = 1; i < 504; i++)
		assert_true(b[i] <= b[i - 1]);
	assert_true(b[0] == 31 && b[500] == 0 && b[503] == 0);
	test_free(b);
	pe_close(t);
}

/* CRC-32 as in zip and PNG, a byte at a time. */
static uint32_t crc_byte(uint32_t crc, unsigned byte)
{
	static uint32_t table[256];

	if (!table[1])
		for (uint32_t i = 0; i < 256; i++) {
			table[i] = i;
			for (int k = 0; k < 8; k++)
				table[i] = table[i] >> 1 ^
					   (0xedb88320u & -(table[i] & 1));
		}
	return crc >> 8 ^ table[(crc ^ byte) & 255];
}

/* The sum goes on over the buckets of distances 0 to most, 16 bits each. */
static uint32_t crc_buckets(uint32_t crc, unsigned buckets, unsigned most)
{
	char options[100];
	struct pe_table *t;
	double *b;

	snprintf(options, sizeof options,
		 "causal num-buckets=%u max-distance=%u distances=-%u:0",
		 buckets, most, most);
	t = open_table("t5-bucket", options);
	b = all_numbers(t);
	for (unsigned n = 0; n <= most; n++) {
		const unsigned x = (unsigned)b[most - n];

		crc = crc_byte(crc_byte(crc, x & 255), x >> 8);
	}
	test_free(b);
	pe_close(t);
	return crc;
}

/* Whole exact sequences, for every max distance of a row of the file. */
static void t5_buckets_have_the_golden_sums(void **state)
{
	FILE *in = fopen("tests/golden/t5/exact_crc32.json", "r");
	unsigned buckets, first, last, step, elements, sum, rows = 0;
	char line[200];

	(void)state;
	assert_non_null(in);
	while (fgets(line, sizeof line, in)) {
		uint32_t crc = ~0u;

		if (sscanf(line, " [%u, %u, %u, %u, %u, \"%x\"]", &buckets,
			   &first, &last, &step, &elements, &sum) != 6)
			continue;
		rows++;
		for (unsigned most = first; most <= last; most += step)
			crc = crc_buckets(crc, buckets, most);
		assert_int_equal(~crc, sum);
	}
	fclose(in);
	assert_int_equal(rows, 22);
}

static void drawn_tables_are_normal(void **state)
{
	struct pe_table *t = open_table("embed", "vocab=500 dim=400 seed=7");
	double *x = all_numbers(t), sum = 0, square = 0, fourth = 0;
	const double n = 200000;

	(void)state;
	for (size_t i = 0; i < 200000; i++) {
		sum += x[i];
		square += x[i] * x[i];
		fourth += x[i] * x[i] * x[i] * x[i];
	}
	near(sum / n, 0, 0.01);
	near(square / n, 1, 0.015);
	near(fourth / n, 3, 0.1);
	test_free(x);
	pe_close(t);
}

/* The library refuses in a sentence, and fills floats. */
static void the_public_face(void **state)
{
	struct pe_table *t = open_table("sinusoid", "len=4 dim=4");
	char why[PE_WHY];
	float x[8];

	(void)state;
	assert_int_equal(pe_planes(t), 1);
	assert_int_equal(pe_rows(t), 4);
	assert_int_equal(pe_cols(t), 4);
	assert_int_equal(pe_fill(t, 2, 2, x), 0);
	near(x[0], 0.90929743, 1e-7);
	pe_close(t);
	pe_close(NULL);
	assert_null(pe_open("sinusoid", "len=4 dim=0", why));
	assert_string_equal(why, "--dim must be from 1 to 1048576, not 0");
	assert_null(pe_open("sinusoi", "", why));
	assert_string_equal(why, "no command 'sinusoi' (did you mean "
				 "'sinusoid'?)");
	assert_null(pe_open("sinusoid", "lem=4", why));
	assert_string_equal(why, "no option 'lem' (did you mean 'len'?)");
	assert_null(pe_open("embed", "table=x.npy", NULL));
	assert_string_equal(pe_name(0), "sinusoid");
	assert_null(pe_name(1000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sinusoid_rows_turn_together),
		cmocka_unit_test(split_is_interleaved_in_another_order),
		cmocka_unit_test(whole_positions_are_the_limit_of_fractions),
		cmocka_unit_test(relative_distances_are_antisymmetric),
		cmocka_unit_test(long_toeplitz_tables_are_the_same),
		cmocka_unit_test(t5_buckets_rise_with_distance),
		cmocka_unit_test(t5_buckets_have_the_golden_sums),
		cmocka_unit_test(drawn_tables_are_normal),
		cmocka_unit_test(the_public_face),
	};

	return cmocka_run_group_tests_name("encodings", tests, NULL, NULL);
}
