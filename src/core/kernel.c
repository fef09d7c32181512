/* kernel.c: the loops of the sinusoid core, for each instruction set. */
#include "core/bits.h"
#include "core/kernel.h"

#define TARGET
#define VERSION(name) name##_plain
#include "core/kernel_loops.h"
#undef TARGET
#undef VERSION

#if SIMD_X86
#define TARGET SIMD_TARGET_AVX2
#define VERSION(name) name##_avx2
#include "core/kernel_loops.h"
#undef TARGET
#undef VERSION

#define TARGET SIMD_TARGET_AVX512
#define VERSION(name) name##_avx512
#include "core/kernel_loops.h"
#endif

const struct kernel *kernel_for(enum simd simd)
{
	static const struct kernel *const kernels[SIMDS] = {
		&kernel_plain,
#if SIMD_X86
		&kernel_avx2, &kernel_avx512,
#endif
	};

	return kernels[simd];
}
