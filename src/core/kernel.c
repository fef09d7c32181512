/* kernel.c: the loops of the sinusoid core, for each instruction set. */
#include "core/bits.h"
#include "core/kernel.h"

#define LOOPS "core/kernel_loops.h"
#include "core/simd_each.h"

const struct kernel *kernel_for(enum simd simd)
{
	static const struct kernel *const kernels[SIMDS] =
		SIMD_VERSIONS(&kernel);

	return kernels[simd];
}
