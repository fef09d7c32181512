/* simd.c: which instruction sets this machine has. */
#include "exact/simd.h"

#if SIMD_X86
#include <sys/platform/x86.h>

/*
 * The C library executed cpuid when the process started. To execute it again
 * would take as long as a small table where a hypervisor traps it. (glibc's own
 * macro, CPU_FEATURE_ACTIVE, shifts into the sign bit.)
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
	/* Each set includes the one before it. */
	const int avx2 = has(x86_cpu_AVX2) * has(x86_cpu_FMA) *
			 has(x86_cpu_LZCNT);
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
