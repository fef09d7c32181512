// digits.cc: compares the text of every float32 in [2^-14, 1), and of random
// others, with std::to_chars. Run by `make verify`. Argument: the number of
// others.
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
#include "text/digits.h"
#include "text/decimal.h"
}

static unsigned long wrong, count;

static void compare(const float *x, size_t n)
{
	static char text[4096 * NUMBER_ROOM];
	const char *at = text;

	text[digits_text(text, x, n)] = ',';
	for (size_t i = 0; i < n; i++, count++) {
		char theirs[64];
		const float size = std::fabs(x[i]);
		const bool plain = size == 0 || (size >= 1e-5f && size < 1e16f);
		const auto end = std::to_chars(
			theirs, theirs + 64, x[i],
			plain ? std::chars_format::fixed
			      : std::chars_format::scientific).ptr;
		const size_t m = (size_t)(end - theirs);
		const char *comma = std::strchr(at, ',');

		if ((size_t)(comma - at) != m || std::memcmp(at, theirs, m)) {
			if (wrong++ < 10)
				std::printf("%.9g: expected %.*s, got %.*s\n",
					    x[i], (int)m, theirs, (int)(comma - at),
					    at);
		}
		at = comma + 1;
	}
}

int main(int argc, char **argv)
{
	const unsigned long others = argc > 1 ? std::strtoul(argv[1], 0, 10)
					      : 20000000;
	static float x[4096];
	uint64_t state = 88172645463325252ull;

	for (uint32_t bits = 0x38800000; bits < 0x3f800000; bits += 4096) {
		for (uint32_t i = 0; i < 4096; i++) {
			const uint32_t u = bits + i;

			std::memcpy(x + i, &u, 4);
		}
		compare(x, 4096);
	}
	for (unsigned long k = 0; k < others; k += 4096) {
		for (size_t i = 0; i < 4096; i++) {
			uint32_t u;

			do {
				state ^= state << 13;
				state ^= state >> 7;
				state ^= state << 17;
				u = (uint32_t)(state >> 32);
			} while ((u & 0x7f800000) == 0x7f800000);
			std::memcpy(x + i, &u, 4);
		}
		compare(x, 4096);
	}
	std::printf("%lu floats compared with std::to_chars: %lu wrong\n",
		    count, wrong);
	return wrong != 0;
}
