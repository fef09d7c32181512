/* simd.c: which instruction sets this machine has. */
#include "core/simd.h"

#if SIMD_X86
#include <sys/platform/x86.h>

/*
 * The C library has asked the processor at its start. To ask again would cost
 * as much as a small table where a hypervisor answers. (Its own macro for this
 * shifts into the sign bit.)
 */
static int has(unsigned feature)
{
	const struct cpuid_feature *leaf =
		__x86_get_cpuid_feature_leaf(feature / 128);

	return (int)(leaf->active_array[feature % 128 / 32] >> feature % 32 &
		     1);
}

enum simd simd_best(void)
{
	/* Each set has the one before in it. */
	const int avx2 = has(x86_cpu_AVX2) * has(x86_cpu_FMA);
	const int avx512 = avx2 * has(x86_cpu_AVX512F) *
			   has(x86_cpu_AVX512VL) * has(x86_cpu_AVX512DQ) *
			   has(x86_cpu_AVX512BW);

	return (enum simd)(SIMD_PLAIN + avx2 + avx512);
}
#else
enum simd simd_best(void)
{
	return SIMD_PLAIN;
}
#endif
