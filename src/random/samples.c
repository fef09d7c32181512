/* samples.c: samples of the generators that options name. */
#include "random/samples.h"

const char *const sample_generators[] = {
	"philox", "torch", "numpy", "numpy-legacy", NULL
};
const char *const sample_generator_meanings[] = {
	"Philox 4x32-10", "PyTorch's after manual_seed(S)",
	"NumPy's default_rng(S)", "NumPy's RandomState(S)",
};

bool sample_seed_check(int generator, uint64_t seed, struct error *err)
{
	return generator != NUMPY_LEGACY || seed <= UINT32_MAX ||
	       fail(err, "--seed must be between 0 and 4294967295 with --rng "
		    "numpy-legacy, got %llu", (unsigned long long)seed);
}

void sample_normal(const struct samples *s, double deviation, size_t first,
		   size_t n, double *x)
{
	switch (s->generator) {
	case TORCH:
		torch_normal(s->seed, deviation, s->total, n, x);
		return;
	case NUMPY:
		numpy_normal(s->seed, n, x);
		break;
	case NUMPY_LEGACY:
		numpy_legacy_normal((uint32_t)s->seed, n, x);
		break;
	default:
		random_normal(s->seed, first, n, x);
	}
	for (size_t i = 0; i < n; i++)
		x[i] = x[i] * deviation + 0.0;  /* not -0 */
}

void sample_uniform(const struct samples *s, double from, double to,
		    size_t first, size_t n, double *x)
{
	switch (s->generator) {
	case TORCH:
		torch_uniform(s->seed, from, to, n, x);
		return;
	case NUMPY:
		numpy_uniform(s->seed, n, x);
		break;
	case NUMPY_LEGACY:
		numpy_legacy_uniform((uint32_t)s->seed, n, x);
		break;
	default:
		random_uniform(s->seed, first, n, x);
	}
	for (size_t i = 0; i < n; i++)
		x[i] = from + (to - from) * x[i];  /* as NumPy does */
}
