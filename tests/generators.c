/* generators.c: generators of random numbers, and the logarithm they use. */
#include "test.h"

#include <math.h>
#include <stdbool.h>

#include "exact/logarithm.h"
#include "random/generators.h"
#include "random/samples.h"

/* The value that the C++ standard requires of std::mt19937: [rand.predef]. */
static void mt19937_matches_the_standard_at_10000(void **state)
{
	struct mt19937 m;
	uint32_t last = 0;

	(void)state;
	mt19937_seed(&m, 5489);
	for (int i = 0; i < 10000; i++)
		last = mt19937_next(&m);
	assert_int_equal(last, 4123659995);
}

/* numpy.random.PCG64(seed).random_raw(2) */
static void pcg64_matches_numpy(void **state)
{
	static const uint64_t first[][3] = {
		{ 0, 11749869230777074271u, 4976686463289251617u },
		{ 42, 14276969152011380360u, 8095878257575067585u },
		{ 1099511640121, 3507160528743507672u, 14799867152733359230u },
	};
	struct pcg64 g;

	(void)state;
	for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
		pcg64_seed(&g, first[i][0]);
		assert_int_equal(pcg64_next(&g), first[i][1]);
		assert_int_equal(pcg64_next(&g), first[i][2]);
	}
}

static void matches_logl(double a, double b, double ours)
{
	const long double exact = logl((long double)a / b);

	if (fabsl(ours - exact) > 0x1.01p-53L * fabsl(exact))
		fail_msg("log(%a / %a) is %La, not %a", a, b, exact, ours);
}

static void logarithms_are_rounded_once(void **state)
{
	double x = 1e-300;

	(void)state;
	assert_true(log_ratio(7, 7) == 0);
	assert_true(log_ratio(8, 1) == 3 * log_ratio(2, 1));
	for (; x < 1e300; x *= 1.37)
		matches_logl(x, 1, log_ratio(x, 1));
	for (x = 1; x < 4000; x++) {
		matches_logl(x, 4000, log_ratio(x, 4000));
		matches_logl(1 - x * 0x1p-53, 1, log_ratio(1 - x * 0x1p-53, 1));
		matches_logl(1 + x * 0x1p-10, 1, log_one_plus(x, 0x1p-10));
	}
}

enum { MOST = 600, ROOM = MOST + 2 };  /* more than are drawn at a time */

static void draw(const struct samples *s, bool uniform, size_t first,
		 size_t n, double *x)
{
	for (size_t i = 0; i < ROOM; i++)
		x[i] = 99;
	if (uniform)
		sample_uniform(s, -1, 1, first, n, x);
	else
		sample_normal(s, 2, first, n, x);
}

/* The first n of a longer draw are the same, and no more are written. */
static void is_a_part(const struct samples *s, bool uniform, size_t first,
		      size_t n)
{
	double all[ROOM], x[ROOM];

	draw(s, uniform, 0, MOST, all);
	draw(s, uniform, first, n, x);
	assert_memory_equal(x, all + first, n * sizeof *x);
	for (size_t i = 0; i < MOST; i++)
		assert_true(fabs(all[i]) < 20);
	for (size_t i = n; i < ROOM; i++)
		assert_true(x[i] == 99);
}

static void as_many_samples_are_drawn_as_asked_for(void **state)
{
	(void)state;
	for (int g = PHILOX; g <= NUMPY_LEGACY; g++)
		for (size_t n = 0; n <= MOST; n++) {
			const struct samples s = { g, 7, MOST };

			is_a_part(&s, false, 0, n);
			is_a_part(&s, true, 0, n);
		}
	for (size_t first = 0; first < 9; first++)
		for (size_t n = 0; first + n <= MOST; n++) {
			const struct samples s = { PHILOX, 7, MOST };

			is_a_part(&s, false, first, n);
			is_a_part(&s, true, first, n);
		}
}

/* PyTorch draws less than 16 in another way. */
static void few_samples_are_drawn_alone(void **state)
{
	double all[ROOM], x[ROOM];

	(void)state;
	for (size_t total = 1; total < 16; total++)
		for (size_t n = 0; n <= total; n++) {
			const struct samples s = { TORCH, 7, total };

			draw(&s, false, 0, total, all);
			draw(&s, false, 0, n, x);
			assert_memory_equal(x, all, n * sizeof *x);
			for (size_t i = n; i < ROOM; i++)
				assert_true(x[i] == 99);
		}
}

UNIT(generators,
	TEST(mt19937_matches_the_standard_at_10000),
	TEST(pcg64_matches_numpy),
	TEST(logarithms_are_rounded_once),
	TEST(as_many_samples_are_drawn_as_asked_for),
	TEST(few_samples_are_drawn_alone)
)
