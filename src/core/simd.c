/* simd.c: which instruction sets this machine has. */
#include "core/simd.h"

#if SIMD_X86
#include <sys/platform/x86.h>

/*
 * The C library has asked the processor at its start. To ask again would cost
 * as much as a small table where a hypervisor answers.
 */
enum simd simd_best(void)
{
	if (CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512VL) &&
	    CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(AVX512BW))
		return SIMD_AVX512;
	return CPU_FEATURE_ACTIVE(AVX2) ? SIMD_AVX2 : SIMD_PLAIN;
}
#else
enum simd simd_best(void)
{
	return SIMD_PLAIN;
}
#endif
