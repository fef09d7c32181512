/* generators.c: generators of random numbers, and the logarithm they use. */
#include "test.h"

#include <math.h>

#include "exact/logarithm.h"
#include "random/mt19937.h"
#include "random/pcg64.h"

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
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mt19937_matches_the_standard_at_10000),
		cmocka_unit_test(pcg64_matches_numpy),
		cmocka_unit_test(logarithms_are_rounded_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
