/* samples.c: normal samples of the generators that options name. */
#include "random/numpy.h"
#include "random/philox.h"
#include "random/samples.h"
#include "random/torch.h"

const char *const sample_generators[] = {
	"philox", "torch", "numpy", "numpy-legacy", NULL
};
const char *const sample_generator_meanings[] = {
	"Philox 4x32-10", "PyTorch's after manual_seed(S)",
	"NumPy's default_rng(S)", "NumPy's RandomState(S)",
};

void sample_normal(int generator, uint64_t seed, double deviation,
		   size_t total, size_t n, double *x)
{
	switch (generator) {
	case TORCH:
		torch_normal(seed, deviation, total, n, x);
		return;
	case NUMPY:
		numpy_normal(seed, n, x);
		break;
	case NUMPY_LEGACY:
		numpy_legacy_normal((uint32_t)seed, n, x);
		break;
	default:
		random_normal(seed, 0, n, x);
	}
	for (size_t i = 0; i < n; i++)
		x[i] = x[i] * deviation + 0.0;  /* not -0 */
}
