/* edges.c: limits of memory and of numbers that commands don't reach. */
#define _GNU_SOURCE  /* mkstemps(), F_SETPIPE_SZ, RTLD_NEXT */
#include "test.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compare/compare.h"
#include "exact/floating.h"
#include "exact/nearest.h"
#include "formats/csv.h"
#include "containers/open.h"
#include "formats/values.h"
#include "files/output.h"
#include "files/place.h"
#include "identify/fit.h"
#include "identify/rounding.h"
#include "recipes.h"
#include "table/library.h"
#include "text/decimal.h"
#include "text/words.h"

extern const struct format onnx_format;

/* A model whose file has become shorter since it was opened. */
static void a_message_that_shrinks_is_reported(void **state)
{
	const struct read_options options = {
		.container = onnx_format.container,
	};
	char path[] = "/tmp/posenc-edges-XXXXXX";
	const int fd = mkstemp(path);
	struct table t = { .planes = 1 };
	struct error err = { 0 };
	struct input_file in;

	(void)state;
	assert_int_equal(write(fd, "\10\10\72\12", 4), 4);
	assert_int_equal(ftruncate(fd, 14), 0);
	assert_true(in_open(&in, path, &err));
	assert_int_equal(ftruncate(fd, 2), 0);
	assert_false(onnx_format.read(&in, &options, &t, &err));
	assert_non_null(strstr(err.text, "ends at byte 2, within a message"));
	in_close(&in);
	table_close(&t);
	close(fd);
	unlink(path);
}

/* Tables in files that became others after they were measured as different. */
static void tables_that_change_meanwhile_are_compared_to_the_end(void **state)
{
	enum { ROWS = 200, COLS = 10 };
	double zeros[ROWS * COLS] = { 0 }, ones[ROWS * COLS];
	struct table a = { .planes = 1, .rows = ROWS, .cols = COLS }, b = a;
	struct table owner = { 0 };
	struct error err = { 0 };
	struct report report = { .owner = &owner, .err = &err };
	struct comparison c = { .a = &a, .b = &b, .ulp = -1, .shaped = true,
				.absolute.value = 1, .differing = 1 };
	struct explanation e;
	char text[SENTENCE];

	(void)state;
	for (size_t i = 0; i < ROWS * COLS; i++)
		ones[i] = 1;
	table_dense(&a, zeros);
	table_dense(&b, zeros);
	explain(&c, &e, &owner, &err);
	table_dense(&b, ones);
	assert_true(explain_few(&c, &report, text));
	assert_non_null(strstr(text, "16 of 2000 values"));
	assert_false(err.text[0]);
	table_close(&owner);
}

/* Of rows so long that a cache holds few, the one asked for before stays. */
static void the_last_rows_on_demand_stay(void **state)
{
	enum { ROWS = 6, COLS = 300000 };
	const struct raw_kind raw = { COLS, U8, 0, 0 };
	char path[] = "/tmp/posenc-edges-XXXXXX.raw";
	const int fd = mkstemps(path, 4);
	struct table t = { .on_demand = true };
	struct error err = { 0 };
	const double *before, *now;

	(void)state;
	for (size_t i = 0; i < ROWS; i++) {
		static unsigned char row[COLS];

		memset(row, (int)i, COLS);
		assert_int_equal(write(fd, row, COLS), COLS);
	}
	assert_true(format_read(path, &raw, &t, &err));
	for (size_t i = 0; i < ROWS * ROWS; i++) {
		before = t.row(&t, i / ROWS, NULL);
		now = t.row(&t, i % ROWS, NULL);
		assert_true(before[0] == (double)(i / ROWS));
		assert_true(now[COLS - 1] == (double)(i % ROWS));
	}
	table_close(&t);
	close(fd);
	unlink(path);
}

/* Rows of two numbers, one of them a word, of n bytes. */
static char *rows_of_text(size_t n, size_t word)
{
	char *text = malloc(n + 1);

	for (size_t i = 0; i < n; i += 4)
		memcpy(text + i, i / 4 == word ? "1,x\n" : "1,2\n", 4);
	return text;
}

/* The error of reading a large CSV, of which fd is read after the window. */
static void fail_after_window(size_t word, int fd, const char *wanted)
{
	enum { BYTES = 1 << 22, WINDOW = 1 << 18 };
	const struct raw_kind raw = { 0, NO_CHOICE, 2, 0 };
	const struct read_options options = { .raw = &raw };
	char path[] = "/tmp/posenc-edges-XXXXXX.csv";
	const int file = mkstemps(path, 4);
	char *text = rows_of_text(BYTES, word);
	struct input_file in;
	struct table t = { 0 };
	struct error err = { 0 };

	assert_int_equal(write(file, text, BYTES), BYTES);
	free(text);
	close(file);
	assert_true(in_open(&in, path, &err));
	assert_true(in_read(&in, WINDOW, &err));
	assert_int_equal(dup2(fd, in.fd), in.fd);
	assert_false(csv_read(&in, &options, &t, &err));
	assert_non_null(strstr(err.text, wanted));
	in_close(&in);
	table_close(&t);
	unlink(path);
}

/* A file that can't be read any more while threads read it, or not again. */
static void files_that_break_while_threads_read(void **state)
{
	enum { BYTES = 1 << 19 };
	const int folder = open("/", O_RDONLY);
	char *text = rows_of_text(BYTES, BYTES / 8);
	int ends[2];

	(void)state;
	fail_after_window(SIZE_MAX, folder, "Is a directory");
	close(folder);
	assert_int_equal(pipe(ends), 0);
	assert_true(fcntl(ends[1], F_SETPIPE_SZ, BYTES) >= BYTES);
	assert_int_equal(write(ends[1], text, BYTES), BYTES);
	close(ends[1]);
	fail_after_window(SIZE_MAX, ends[0], "Illegal seek");
	close(ends[0]);
	free(text);
}

/* 2^(exponent - 64) * high, and 2^-64 of that times low. */
static double doubled(uint64_t high, uint64_t low)
{
	const struct floating f = { 64, { low, high } };

	return floating_double(&f, 2);
}

static void numbers_are_rounded_to_the_nearest_double(void **state)
{
	const uint64_t unit = 1 << 11, half = unit / 2;
	const uint64_t even = (1ull << 63) + 4 * unit, odd = even + unit;

	(void)state;
	assert_true(doubled(even, 0) == (double)even);
	assert_true(doubled(even + half - 1, 0) == (double)even);
	assert_true(doubled(even + half + 1, 0) == (double)odd);
	/* Ties go to the even double, what is past them does not. */
	assert_true(doubled(even + half, 0) == (double)even);
	assert_true(doubled(odd + half, 0) == (double)(odd + unit));
	assert_true(doubled(even + half, 1ull << 33) == (double)odd);
	/* But 96 bits of ones are the double they nearly are. */
	assert_true(doubled(odd - 1, UINT64_MAX) == (double)odd);
	assert_true(doubled(UINT64_MAX, UINT64_MAX) == 0x1p64);
}

/* A double that becomes a float makes the same float as the value itself. */
static void numbers_near_the_middle_of_floats_are_not_there(void **state)
{
	const uint64_t unit = 1 << 11, middle = (1ull << 63) + (1ull << 39);

	(void)state;
	assert_true(doubled(middle, 0) == (double)middle);
	assert_true(doubled(middle - 1, 0) == (double)(middle - unit));
	assert_true(doubled(middle + 1, 0) == (double)(middle + unit));
	assert_true(doubled(middle + unit - 1, 0) == (double)(middle + unit));
}

/* The largest remainder there is: all others are less than an eighth. */
static void an_eighth_of_a_turn_has_equal_sine_and_cosine(void **state)
{
	const struct remainder eighth = {
		.m = { 0, 0, 0, 1ull << 63 }, .exponent = -2,
	};
	double sine, cosine;

	(void)state;
	series_remainder(&eighth, TO_NEAREST, &sine, &cosine);
	assert_true(sine == sqrt(0.5));
	assert_true(cosine == sine);
}

/* The sine of this angle is 2^-70 more than the middle between two floats. */
static void what_is_past_the_middle_of_floats_stays_there(void **state)
{
	const struct remainder angle = {
		.m = { 0xdea07e116614fce0, 0xf28260a16fb4a903,
		       0xe08d4f997ea8a8c5, 0xaaaaab66da8568ee },
		.exponent = -3,
	};
	const double middle = 0.5 + 0x1p-25;
	double sine, cosine;

	(void)state;
	series_remainder(&angle, TO_NEAREST, &sine, &cosine);
	assert_true(sine == middle);
	series_remainder(&angle, TO_ODD, &sine, &cosine);
	assert_true(sine == middle + 0x1p-53);
}

/*
 * Near a 1024th of a turn, where terms of the series are largest. long double
 * tells which double is the nearest but for 1/1000 of its unit.
 */
static void small_sines_are_rounded_to_the_nearest_double(void **state)
{
	struct table owner = { 0 };
	struct error err = { 0 };
	struct turns radian;

	(void)state;
	assert_true(turns_radian(&radian, &owner, &err));
	for (double x = 0x1p-9; x < 0x1.8p-9; x += 0x1p-27) {
		const long double exact = sinl((long double)x);
		const long double unit = exact < 0x1p-9L ? 0x1p-62L : 0x1p-61L;
		double sine, cosine;

		turns_nearest(&radian, 0, 1, x, &sine, &cosine);
		assert_true(fabsl(exact - sine) <= 0.501L * unit);
	}
	table_close(&owner);
}

/* Angles that need the slow series are rare: it takes most of the time. */
static void few_angles_leave_two_doubles(void **state)
{
	enum { CHUNKS = 1024, MOST = CHUNKS * NEAREST_MOST / 100 };
	double sine[NEAREST_MOST], cosine[NEAREST_MOST];
	uint64_t unsure[NEAREST_MOST], turn = 0;
	struct nearest a = { { 0 }, { 0 }, { 0 } };
	size_t n = 0;

	(void)state;
	for (size_t c = 0; c < CHUNKS; c++) {
		bool any = false, told;

		for (size_t i = 0; i < NEAREST_MOST; i++)
			a.high[i] = turn += 0x9e3779b97f4a7c15;
		told = nearest_sincos(simd_best(), &a, NEAREST_MOST, sine,
				      cosine, unsure);
		for (size_t i = 0; i < NEAREST_MOST; i++) {
			any |= unsure[i] != 0;
			n += unsure[i] != 0;
		}
		assert_true(told == any);
	}
	assert_in_range(n, 1, MOST);
}

/* The range of one value among others that are all less, or all greater. */
static void a_range_has_the_least_and_the_greatest(void **state)
{
	enum { COLS = 530 };  /* more than are looked at in lanes */
	struct table t = { .planes = 1, .rows = 1, .end = 1, .cols = COLS };
	struct error err = { 0 };
	struct survey is;
	double x[COLS] = { 0 }, lo, hi;

	(void)state;
	table_dense(&t, x);
	for (size_t i = 0; i < COLS; i++)
		for (double sign = -1; sign < 2; sign += 2) {
			for (size_t j = 0; j < COLS; j++)
				x[j] = 9 * sign;
			x[i] = sign;
			assert_true(table_range(&t, &lo, &hi, &err));
			assert_true(lo == fmin(sign, 9 * sign));
			assert_true(hi == fmax(sign, 9 * sign));
			x[(i + 1) % COLS] = INFINITY;
			is = table_survey(&t);
			assert_true(is.lo == lo && is.hi == hi && is.odd == 1);
		}
}

/* Of few digits, or a part of a turn where that takes as many as anything. */
static void nice_numbers_are_decimals_or_parts_of_a_turn(void **state)
{
	static const double parts[] = { 1, 2, 0.5, 0.25 };
	const double pi = 3.14159265358979323846;

	(void)state;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const double x = parts[i] * pi;

		assert_true(round_to_nice(x * (1 + 1e-9), 1e-8 * x) == x);
		assert_true(round_to_nice(x, 1e-3 * x) == round_digits(x, 3));
	}
}

/* Values after the last one say nothing, and are not in the way of vectors. */
static void the_smallest_dtype_is_that_of_the_values(void **state)
{
	static const struct {
		double x[2];
		size_t n;
		enum dtype smallest;
	} rows[] = {
		{ { 1, 0.1 }, 1, BF16 },        { { 1, 0.1 }, 2, F64 },
		{ { 0.1, 1 }, 2, F64 },         { { 0x1p-140, 0 }, 2, F32 },
		{ { 0x1p-130, 0.1 }, 1, BF16 }, { { 0x1.01p-14, 0.1 }, 1, F16 },
		{ { 0x1p200, 1 }, 2, F64 },     { { -INFINITY, 1 }, 2, BF16 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(dtype_smallest(rows[i].x, rows[i].n),
				 rows[i].smallest);
}

/* Also where the signs differ, and of more steps than a double counts. */
static void ulps_are_steps_between_values(void **state)
{
	static const struct {
		enum dtype d;
		double x, y, ulps;
	} rows[] = {
		{ F64, 1, 1 + DBL_EPSILON, 1 }, { F64, -1, 0, 0x3ffp52 },
		{ F64, -0x1p-1074, 0x1p-1074, 2 }, { F64, 0, -0.0, 0 },
		{ F64, -1, 1, 0x3ffp53 },       { F16, -65504, 65504, 63486 },
		{ F64, DBL_MAX, -DBL_MAX, 0x7ffp53 }, { I8, -128, 127, 255 },
		{ F32, 1, 70000, 0x808b800 },    { F16, 1, 70000, INFINITY },
		{ F32, NAN, 1, INFINITY },      { F32, NAN, NAN, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int swap = 0; swap < 2; swap++) {
			const double x = swap ? rows[i].y : rows[i].x;
			const double y = swap ? rows[i].x : rows[i].y;

			if (dtype_ulps(rows[i].d, x, y) != rows[i].ulps)
				fail_msg("%s %g %g: %.17g",
					 dtype_name(rows[i].d), x, y,
					 dtype_ulps(rows[i].d, x, y));
		}
}

static void two_floats(const struct table *t, size_t first, size_t n,
		       float *out)
{
	(void)first;
	for (size_t i = 0; i < n * t->cols; i++)
		out[i] = 2;
}

/* A table's other sources of rows are not those of what replaces them. */
static void values_in_memory_replace_all_sources(void **state)
{
	const double ones[] = { 1, 1 };
	struct table t = { .planes = 1, .rows = 1, .end = 1, .cols = 2,
			   .floats = two_floats };
	double scratch[2];
	float x[2];

	(void)state;
	table_rows(&t, F32, 0, 1, scratch, x);
	assert_true(x[0] == 2 && x[1] == 2);
	table_dense(&t, ones);
	table_rows(&t, F32, 0, 1, scratch, x);
	assert_true(x[0] == 1 && x[1] == 1);
}

/* Which failures of a part are those of the whole. */
static void the_first_failure_stays(void **state)
{
	const struct error none = { 0 };
	struct error said = none, call = none, memory = none, whole;

	(void)state;
	assert_false(fail(&said, "first"));
	errno = ENOENT;
	assert_false(fail_call(&call, "x"));
	assert_false(fail_room(&memory, 2, 1));
	assert_true(!said.call && call.call && !memory.call);
	assert_true(!said.memory && !call.memory && memory.memory);

	assert_false(fail(&said, "then"));
	assert_false(fail_file(&said, "x", "then"));
	assert_false(fail_call(&said, "x"));
	assert_false(fail_memory(&said));
	assert_string_equal(said.text, "first");
	assert_false(said.about_file || said.call || said.memory);

	const struct error *const parts[] = { &said, &call, &memory };

	for (size_t i = 0; i < 3; i++) {
		whole = none;
		pass_call(&whole, parts[i]);
		assert_string_equal(whole.text, i ? parts[i]->text : "");
		whole = none;
		pass_memory(&whole, parts[i]);
		assert_string_equal(whole.text, i > 1 ? parts[i]->text : "");
		whole = said;
		pass_call(&whole, parts[i]);
		pass_memory(&whole, parts[i]);
		assert_string_equal(whole.text, "first");
	}
}

/*
 * In place of the C library's, with an errno that misleads: a call that fails
 * leaves it as it was, unless memory is short; one that succeeds sets ENOMEM,
 * as code of the library that it loads may do.
 */
static bool errno_misleads, memory_is_short;

void *dlopen(const char *name, int flags)
{
	void *(*real)(const char *name, int flags);
	void *const at = dlsym(RTLD_NEXT, "dlopen");
	const int before = errno;
	void *library;

	memcpy(&real, &at, sizeof real);
	library = real(name, flags);
	if (errno_misleads)
		errno = library || memory_is_short ? ENOMEM : before;
	return library;
}

/* What another call left in errno is no reason. "" is the program itself. */
static void a_missing_library_is_no_lack_of_memory(void **state)
{
	const struct library_function none[] = { { .name = "no_name" }, { 0 } };
	const struct library absent = {
		.package = "p", .functions = none,
		.names = (const char *const[]){ "libno-name.so", NULL },
	};
	const struct library other = {
		.package = "p", .functions = none,
		.names = (const char *const[]){ "", NULL },
	};
	struct error a = { 0 }, b = { 0 }, c = { 0 };

	(void)state;
	errno = ENOMEM;
	errno_misleads = true;
	assert_false(library_load(&absent, NULL, &a));
	assert_false(library_load(&other, NULL, &b));
	memory_is_short = true;
	assert_false(library_load(&absent, NULL, &c));
	memory_is_short = errno_misleads = false;
	assert_string_equal(c.text, "out of memory");
	assert_string_equal(a.text, "not found (Debian: p)");
	assert_memory_equal(b.text, "cannot be loaded: ", 18);
	assert_false(a.memory || a.about_file || b.memory || b.about_file);
}

static void no_double_falls_on_a_tie_of_floats(void **state)
{
	const uint64_t tie = (1ull << 63) + (1ull << 39);

	(void)state;
	assert_true(doubled(tie, 0) == 0x1p63 + 0x1p39);
	assert_true((float)doubled(tie + 1, 0) == 0x1p63f + 0x1p40f);
	assert_true((float)doubled(tie - 1, 0) == 0x1p63f);
}

/* pe_fill() makes the floats of the numbers that pe_row() gives. */
static void assert_filled(const char *recipe, const char *options)
{
	struct pe_table *t = open_table(recipe, options);
	const size_t rows = pe_planes(t) * pe_rows(t), cols = pe_cols(t);
	double *want = all_numbers(t);
	float *x = test_malloc(rows * cols * sizeof *x);

	assert_int_equal(pe_fill(t, 0, rows, x), 0);
	for (size_t i = 0; i < rows * cols; i++)
		if (x[i] < (float)want[i] || x[i] > (float)want[i])
			fail_msg("%s %s: %g at %zu, not %g", recipe, options,
				 (double)x[i], i, want[i]);
	test_free(x);
	test_free(want);
	pe_close(t);
}

static void a_buffer_is_filled_with_the_rows(void **state)
{
	(void)state;
	assert_filled("sinusoid", "len=300 dim=6");
	assert_filled("sinusoid", "len=3 dim=6");
	assert_filled("sinusoid", "len=2 dim=100000");
	assert_filled("alibi", "heads=3 len=40");
	assert_filled("embed", "vocab=50 dim=6 seed=1");
}

static void files_are_not_the_librarys(void **state)
{
	(void)state;
	refuse("similarity", "",
	       "similarity works on tables; the program reads them");
	refuse("rope", "config=x.json",
	       "--config: only the program reads files, not the library");
	refuse("embed", "table=x.npy",
	       "--table: only the program reads tables, not the library");
}

/* Make a table of options that are text, as presets and files have them. */
static bool set_all(const char *name, const char *options, struct error *err)
{
	const struct recipe *r = recipe_find(name, err);
	struct fields fields = { 0 };
	struct table t = { 0 };
	char text[80];
	bool good;

	snprintf(text, sizeof text, "%s", options);
	good = recipe_begin(r, &t, &fields, err) &&
	       recipe_set_all(r, &fields, text, err) &&
	       recipe_finish(r, &fields, NULL, &t, err);
	table_close(&t);
	return good;
}

static void options_as_text(void **state)
{
	static const struct {
		const char *name, *options, *why;
	} all[] = {
		{ "relative", "len=4 clip=2", "" },
		{ "relative", "--len 4 --clip 2", "" },
		{ "relative", " --len=4  clip=2 ", "" },
		{ "t5-bucket", "--causal --len 4", "" },
		{ "t5-bucket", "causal len=4", "" },
		{ "sinusoid", "positions='1 2  3' dim=4", "" },
		{ "sinusoid", "--positions \"1 2\"' 3' dim=\\4", "" },
		{ "sinusoid", "positions='1 2 dim=4",
		  "options: missing closing '" },
		{ "sinusoid", "positions=1 2 dim=4", "unknown option '2'" },
		{ "relative", "--clip 3 --layout split",
		  "unknown option 'layout'" },
		{ "relative", "--clip", "--clip must be an integer between "
		  "0 and 4503599627370496, got ''" },
		{ "t5-bucket", "causal=yes", "--causal takes no value, got "
		  "'yes'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct error err = { 0 };

		assert_int_equal(set_all(all[i].name, all[i].options, &err),
				 !all[i].why[0]);
		assert_string_equal(err.text, all[i].why);
	}
}

static void shells_read_words_as_they_are(void **state)
{
	static const char *const words[][2] = {
		{ "a.npy", "a.npy" }, { "", "''" }, { "a b", "'a b'" },
		{ "it's", "'it'\\''s'" }, { "\n'", "$'\\x0a\\x27'" },
	};
	char to[40];

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t n = shell_word(words[i][0], to);

		assert_int_equal(n, shell_word(words[i][0], NULL));
		to[n] = '\0';
		assert_string_equal(to, words[i][1]);
	}
}

/* The numbers end where the memory does. */
static void no_number_beyond_the_last_is_read(void **state)
{
	enum { N = 200 };
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct numbers x = { .f = (float *)(void *)(memory + page) - N };
	char text[N * NUMBER_ROOM];

	(void)state;
	assert_ptr_not_equal(memory, MAP_FAILED);
	assert_int_equal(mprotect(memory + page, page, PROT_NONE), 0);
	assert_int_equal(numbers_text(text, x, N, F32, 0), 2 * N - 1);
	munmap(memory, 2 * page);
}

/* Sanitizers abort when memory runs out. */
static void what_is_too_long_is_cut_or_refused(void **state)
{
	char name[] = "/tmp/edges-XXXXXX", text[5001];
	struct error err = { 0 };
	struct place place;
	struct stat made;
	struct output_file o;

	(void)state;
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	assert_false(place_open(&place, text, &made));
	assert_int_equal(errno, ENAMETOOLONG);
	close(mkstemp(name));
	assert_true(out_open(&o, name, &err));
	out_format(&o, "%s", text);
	assert_true(out_finish(&o, &err) && out_publish(&o, 1, &err));
	out_close(&o);
	assert_int_equal(stat(name, &made), 0);
	assert_int_equal(made.st_size, 1000);
	unlink(name);
}

/* AddressSanitizer has allocations of its own, which do not fail. */
static void needs_memory_that_ends(void)
{
#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
}

static void blocks_past_all_memory_are_refused(void **state)
{
	struct table t = { 0 };
	struct error a = { 0 }, b = { 0 }, c = { 0 };
	void *first;

	(void)state;
	needs_memory_that_ends();
	first = table_alloc(&t, 1, 8, &a);
	assert_non_null(first);
	assert_null(table_alloc(&t, SIZE_MAX, 2, &a));
	assert_string_equal(a.text, "out of memory (for 18446744073709551615 "
				    "times 2 bytes)");
	assert_null(table_alloc(&t, SIZE_MAX, 1, &b));
	assert_true(b.text[0]);
	assert_null(table_grow(&t, first, SIZE_MAX / 4 + 2, 4, &c));
	assert_string_equal(c.text, "out of memory (for 4611686018427387905 "
			    "times 4 bytes)");
	table_close(&t);
}

struct piece {
	struct piece *next;
};

/* Allocate all memory in pieces, the largest first. */
static struct piece *take_memory(void)
{
	struct piece *all = NULL, *p;

	for (size_t n = 1 << 20; n >= sizeof *p; n /= 2)
		while ((p = malloc(n))) {
			p->next = all;
			all = p;
		}
	return all;
}

static void free_memory(struct piece *p)
{
	while (p) {
		struct piece *next = p->next;

		free(p);
		p = next;
	}
}

/* Where the time of a search ends while families are run under noise. */
static void no_candidate_is_fitted_when_the_time_is_over(void **state)
{
	const struct candidate c = { .recipe = "alibi", .options = "len=2" };
	struct error err = { 0 };
	struct search s = { .err = &err };

	(void)state;
	search_begin(&s, 0);
	assert_false(fit_candidate(&s, &c));
	assert_true(s.stopped);
	assert_int_equal(s.n, 0);
	assert_string_equal(err.text, "");
}

/* The error of reserving n more values when no memory is left. */
static void reserve_without_memory(size_t had, size_t n, struct error *err)
{
	const struct input_file in = { .path = "pipe" };
	struct table t = { 0 };
	struct values g = { .in = &in, .t = &t, .n = had, .room = had };
	struct rlimit was, small;

	*err = (struct error){ 0 };
	assert_int_equal(getrlimit(RLIMIT_AS, &was), 0);
	small = (struct rlimit){ 1, was.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
	assert_false(values_reserve(&g, n, err));
	setrlimit(RLIMIT_AS, &was);
}

/* The room in the sentence that no memory is left for it. */
static size_t room_of(const char *text)
{
	static const char begin[] = "out of memory (for ";

	assert_int_equal(strncmp(text, begin, strlen(begin)), 0);
	assert_non_null(strstr(text, " times 8 bytes)"));
	return strtoul(text + strlen(begin), NULL, 10);
}

/* Other programs take and free memory, so this is seen from far. */
static void room_doubles_up_to_the_available_memory(void **state)
{
	const size_t most = available_memory() / sizeof(double);
	struct error err;

	(void)state;
	needs_memory_that_ends();
	reserve_without_memory(most / 4, 1, &err);
	assert_int_equal(room_of(err.text), 2 * (most / 4));
	reserve_without_memory(2 * most, 1, &err);
	assert_in_range(room_of(err.text), 2 * most + most / 2, 3 * most);
	reserve_without_memory(0, 2 * most, &err);
	assert_string_equal(err.text, "pipe: too many values for the memory "
				      "of this machine");
}

/* A C library may have kept some memory, which it still gives. */
static void the_library_says_where_memory_ends(void **state)
{
	static const char memory[] = "out of memory";
	struct pe_table *t, *none;
	struct rlimit was, small;
	struct piece *all;
	char why[PE_WHY] = "";
	float x[16];
	int status;

	(void)state;
	needs_memory_that_ends();
	t = open_table("sinusoid", "len=4 dim=4");
	assert_int_equal(getrlimit(RLIMIT_AS, &was), 0);
	small = (struct rlimit){ 1, was.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
	all = take_memory();
	none = pe_open("sinusoid", "len=4 dim=4", why, sizeof why);
	status = pe_fill(t, 0, 4, x);
	free_memory(all);
	setrlimit(RLIMIT_AS, &was);
	assert_null(none);
	assert_int_equal(strncmp(why, memory, strlen(memory)), 0);
	assert_int_equal(status, -1);
	assert_int_equal(pe_fill(t, 0, 4, x), 0);
	pe_close(t);
}

UNIT(edges,
	TEST(numbers_are_rounded_to_the_nearest_double),
	TEST(numbers_near_the_middle_of_floats_are_not_there),
	TEST(an_eighth_of_a_turn_has_equal_sine_and_cosine),
	TEST(what_is_past_the_middle_of_floats_stays_there),
	TEST(small_sines_are_rounded_to_the_nearest_double),
	TEST(few_angles_leave_two_doubles),
	TEST(a_range_has_the_least_and_the_greatest),
	TEST(nice_numbers_are_decimals_or_parts_of_a_turn),
	TEST(the_smallest_dtype_is_that_of_the_values),
	TEST(ulps_are_steps_between_values),
	TEST(values_in_memory_replace_all_sources),
	TEST(the_first_failure_stays),
	TEST(a_missing_library_is_no_lack_of_memory),
	TEST(no_double_falls_on_a_tie_of_floats),
	TEST(a_buffer_is_filled_with_the_rows),
	TEST(files_are_not_the_librarys),
	TEST(options_as_text),
	TEST(shells_read_words_as_they_are),
	TEST(no_number_beyond_the_last_is_read),
	TEST(what_is_too_long_is_cut_or_refused),
	TEST(a_message_that_shrinks_is_reported),
	TEST(the_last_rows_on_demand_stay),
	TEST(files_that_break_while_threads_read),
	TEST(tables_that_change_meanwhile_are_compared_to_the_end),
	TEST(no_candidate_is_fitted_when_the_time_is_over),
	TEST(blocks_past_all_memory_are_refused),
	TEST(room_doubles_up_to_the_available_memory),
	TEST(the_library_says_where_memory_ends)
)
