// digits.cc: the text of numbers beside std::to_chars: N random float32 and
// float64, or every float32 ("all"); and of every float16 and bfloat16 beside
// the nearest of the fewest digits that read back. Run by `make verify`.
// Arguments: N, "all".
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

extern "C" {
#include "text/decimal.h"
}

enum { ROW = 4096 };

static unsigned long wrong, count;
static char text[ROW * NUMBER_ROOM];

static void check(double x, const char *ours, size_t n, const char *theirs,
		  size_t m)
{
	count++;
	if (n != m || std::memcmp(ours, theirs, n) != 0)
		if (wrong++ < 10)
			std::printf("%.17g: expected %.*s, got %.*s\n", x, (int)m,
				    theirs, (int)n, ours);
}

template <typename T> static void compare(const T *x, struct numbers row,
					  enum dtype type)
{
	const char *at = text;

	text[numbers_text(text, row, ROW, type, 0)] = ',';
	for (size_t i = 0; i < ROW; i++) {
		char theirs[400];
		const T size = std::fabs(x[i]);
		const bool plain = size <= 0 ||
				   (size >= (T)1e-5 && size < (T)1e16);
		const auto end = std::to_chars(
			theirs, theirs + 400, x[i],
			plain ? std::chars_format::fixed
			      : std::chars_format::scientific).ptr;
		const char *comma = std::strchr(at, ',');

		check((double)x[i], at, (size_t)(comma - at), theirs,
		      (size_t)(end - theirs));
		at = comma + 1;
	}
}

static void compare_floats(const float *x)
{
	compare(x, { x, nullptr }, F32);
}

static void every_float(void)
{
	static float x[ROW];

	for (uint64_t bits = 0; bits < 1ull << 32; bits += ROW) {
		for (uint32_t i = 0; i < ROW; i++) {
			const uint32_t u = (uint32_t)bits + i;

			std::memcpy(x + i, &u, 4);
			x[i] = std::isfinite(x[i]) ? x[i] : 1;
		}
		compare_floats(x);
	}
}

// Bits of any kind, and products of few digits and powers of ten.
static void random_ones(unsigned long n)
{
	static float f[ROW];
	static double d[ROW];
	uint64_t state = 88172645463325252ull;

	for (unsigned long k = 0; k < n; k += ROW) {
		for (size_t i = 0; i < ROW; i++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			std::memcpy(d + i, &state, 8);
			if (i % 4 == 1)
				d[i] = (double)(state >> 40) *
				       std::pow(10, (int)(state % 60) - 40);
			if (i % 4 == 2)
				d[i] = (double)(int64_t)state * 0x1p-62;
			if (i % 64 == 3)
				d[i] = std::ldexp(1, (int)(state % 2098) - 1074);
			d[i] = std::isfinite(d[i]) ? d[i] : 1;
			f[i] = (float)d[i];
			f[i] = std::isfinite(f[i]) ? f[i] : 1;
		}
		compare_floats(f);
		compare(d, { nullptr, d }, F64);
	}
}

// Digits [n] * 10^e that read back as x > 0 and are nearest, to *best.
static void try_digits(double x, enum dtype type, int n, double *best)
{
	char nearest[64];
	char *e;
	long last;

	std::snprintf(nearest, sizeof nearest, "%.*e", n - 1, x);
	e = std::strchr(nearest, 'e');
	last = std::strtol(e + 1, nullptr, 10) - n + 1;
	for (int step : { 0, -1, 1 }) {  // of two, printf's, which is even
		char other[64];
		double y;

		std::snprintf(other, sizeof other, "%.0fe%ld",
			      std::rint(std::strtod(nearest, nullptr) /
					std::pow(10, (double)last)) + step,
			      last);
		y = std::strtod(other, nullptr);
		if (dtype_round(type, y) == x &&
		    std::fabs(y - x) < std::fabs(*best - x))
			*best = y;
	}
}

static void every_half(enum dtype type)
{
	for (unsigned u = 1; u < 1 << 15; u++) {
		const uint16_t bits = (uint16_t)u;
		double x, best = HUGE_VAL;
		char theirs[NUMBER_ROOM];

		dtype_load(type, &bits, 1, &x);
		if (!std::isfinite(x))
			continue;
		for (int n = 1; std::isinf(best); n++)
			try_digits(x, type, n, &best);
		// Integers are written in full
		best = x == std::rint(x) && best < 1e16 ? x : best;
		check(x, text, number_text(text, x, type, 0), theirs,
		      number_text(theirs, best, F64, 0));
	}
}

int main(int argc, char **argv)
{
	const bool all = argc > 1 && std::strcmp(argv[1], "all") == 0;

	every_half(F16);
	every_half(BF16);
	if (all)
		every_float();
	else
		random_ones(argc > 1 ? std::strtoul(argv[1], nullptr, 10)
				     : 20000000);
	std::printf("%lu numbers beside std::to_chars and by their fewest digits: "
		    "%lu wrong\n", count, wrong);
	return wrong != 0;
}
