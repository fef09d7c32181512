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

/*
 * The rule of ALiBi's authors: a geometric series for a power of two; for other
 * numbers of heads, the series of the next lower one, then every other slope of
 * the next higher one.
 */
static double paper_slope(size_t heads, size_t i)
{
	size_t lower = 1;

	while (2 * lower <= heads)
		lower *= 2;
	if (i < lower)
		return exp2(-8 * (double)(i + 1) / (double)lower);
	return exp2(-8 * (double)(2 * (i - lower) + 1) / (double)(2 * lower));
}

static void alibi_slopes_are_the_papers(void **state)
{
	(void)state;
	for (size_t heads = 1; heads <= 256; heads++) {
		char options[40];
		struct pe_table *t;
		double *slopes;

		snprintf(options, sizeof options, "heads=%zu", heads);
		t = open_table("alibi", options);
		slopes = all_numbers(t);
		assert_int_equal(pe_planes(t) * pe_rows(t) * pe_cols(t), heads);
		for (size_t i = 0; i < heads; i++) {
			const double want = paper_slope(heads, i);

			near(slopes[i], want, 2e-16 * want);
		}
		test_free(slopes);
		pe_close(t);
	}
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
	float x[8];

	(void)state;
	assert_int_equal(pe_planes(t), 1);
	assert_int_equal(pe_rows(t), 4);
	assert_int_equal(pe_cols(t), 4);
	assert_int_equal(pe_fill(t, 2, 2, x), 0);
	near(x[0], 0.90929743, 1e-7);
	pe_close(t);
	pe_close(NULL);
	refuse("sinusoid", "len=4 dim=0",
	       "--dim must be between 1 and 1048576, got 0");
	refuse("sinusoi", "",
	       "unknown command 'sinusoi' (did you mean 'sinusoid'?)");
	refuse("sinusoid", "lem=4",
	       "unknown option 'lem' (did you mean 'len'?)");
	refuse("sinusoid", "len=4 dim=4\\",
	       "--dim must be an integer between 1 and 1048576, got '4\\'");
	assert_null(pe_open("embed", "table=x.npy", NULL, 0));
}

/* A buffer of any size holds as much of the sentence as fits. */
static void reasons_are_cut_to_the_buffer(void **state)
{
	char why[24];

	(void)state;
	memset(why, 'x', sizeof why);
	assert_null(pe_open("sinusoid", "len=4 dim=0", why, 16));
	assert_string_equal(why, "--dim must be b");
	assert_int_equal(why[16], 'x');
	assert_null(pe_open("sinusoid", "len=4 dim=0", why, 0));
	assert_int_equal(why[0], '-');
}

/* Every name opens: what fails is an option that is missing, or nothing. */
static void names_are_those_of_encodings(void **state)
{
	char why[PE_WHY];
	size_t n = 0;

	(void)state;
	assert_string_equal(pe_name(0), "sinusoid");
	for (; pe_name(n); n++) {
		struct pe_table *t = pe_open(pe_name(n), "", why,
					     sizeof why);

		if (!t)
			assert_non_null(strstr(why, "missing"));
		pe_close(t);
	}
	assert_true(n >= 10);
	assert_null(pe_name(1000));
}

/* As in a shell: parts of words, both kinds of quotes, a backslash. */
static void option_text_has_quotes(void **state)
{
	struct pe_table *t = open_table("sinusoid", " 'dim=4'\tbase=\"100\"00 "
					"positions=5,' 1,'\\ 3\n");

	(void)state;
	assert_int_equal(pe_rows(t), 3);
	near(pe_axis_label(t, PE_ROWS, 1), 1, 0);
	near(pe_axis_label(t, PE_ROWS, 2), 3, 0);
	pe_close(t);
	refuse("sinusoid", "len=2 'dim=4", "options: missing closing '");
	refuse("sinusoid", "len=2 dim=''",
	       "--dim must be an integer between 1 and 1048576, got ''");
}

static void a_table_says_what_it_is(void **state)
{
	struct pe_table *t = open_table("alibi", "heads=2 len=3");
	struct pe_table *flat = open_table("sinusoid", "len=3 dim=4 start=7");
	float x[6 * 3] = { 0 };

	(void)state;
	assert_string_equal(pe_dtype(t), "float32");
	assert_string_equal(pe_axis_name(t, PE_PLANES), "head");
	assert_string_equal(pe_axis_name(t, PE_ROWS), "query");
	assert_string_equal(pe_axis_name(t, PE_COLS), "key");
	assert_null(pe_axis_name(flat, PE_PLANES));
	assert_true(isnan(pe_axis_label(flat, PE_PLANES, 0)));
	near(pe_axis_label(flat, PE_ROWS, 2), 9, 0);
	assert_true(isnan(pe_axis_label(flat, PE_ROWS, 3)));
	assert_true(isnan(pe_axis_label(flat, PE_COLS, 4)));
	assert_non_null(pe_row(t, 5, (double [3]){ 0 }));
	assert_null(pe_row(t, 6, NULL));
	assert_int_equal(pe_fill(t, 0, 6, x), 0);
	assert_int_equal(pe_fill(t, 6, 0, NULL), 0);
	assert_int_equal(pe_fill(t, 5, 2, NULL), -1);
	assert_int_equal(pe_fill(t, 7, 0, NULL), -1);
	assert_int_equal(pe_fill(t, 1, SIZE_MAX, NULL), -1);
	pe_close(flat);
	pe_close(t);
}

UNIT(encodings,
	TEST(sinusoid_rows_turn_together),
	TEST(split_is_interleaved_in_another_order),
	TEST(whole_positions_are_the_limit_of_fractions),
	TEST(relative_distances_are_antisymmetric),
	TEST(long_toeplitz_tables_are_the_same),
	TEST(t5_buckets_rise_with_distance),
	TEST(t5_buckets_have_the_golden_sums),
	TEST(alibi_slopes_are_the_papers),
	TEST(drawn_tables_are_normal),
	TEST(the_public_face),
	TEST(reasons_are_cut_to_the_buffer),
	TEST(names_are_those_of_encodings),
	TEST(option_text_has_quotes),
	TEST(a_table_says_what_it_is)
)
