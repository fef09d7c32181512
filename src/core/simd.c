/* simd.c: which instruction sets this machine has. */
#include "core/simd.h"

#if SIMD_X86
#include <stdbool.h>
#include <sys/platform/x86.h>

/*
 * The C library has asked the processor at its start. To ask again would cost
 * as much as a small table where a hypervisor answers. (Its own macro for this
 * shifts into the sign bit.)
 */
static bool has(unsigned feature)
{
	const struct cpuid_feature *leaf =
		__x86_get_cpuid_feature_leaf(feature / 128);

	return leaf->active_array[feature % 128 / 32] >> feature % 32 & 1;
}

enum simd simd_best(void)
{
	if (has(x86_cpu_AVX512F) & has(x86_cpu_AVX512VL) &
	    has(x86_cpu_AVX512DQ) & has(x86_cpu_AVX512BW))
		return SIMD_AVX512;
	return has(x86_cpu_AVX2) & has(x86_cpu_FMA) ? SIMD_AVX2 : SIMD_PLAIN;
}
#else
enum simd simd_best(void)
{
	return SIMD_PLAIN;
}
#endif
