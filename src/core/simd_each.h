/*
 * simd_each.h: includes the file that LOOPS names once for each instruction
 * set (see simd.h). Without a guard: every file of loops comes through here.
 */
#define TARGET
#define VERSION(name) name##_plain
#include LOOPS
#undef TARGET
#undef VERSION

#if SIMD_X86
#define TARGET SIMD_TARGET_AVX2
#define VERSION(name) name##_avx2
#include LOOPS
#undef TARGET
#undef VERSION

#define TARGET SIMD_TARGET_AVX512
#define VERSION(name) name##_avx512
#include LOOPS
#undef TARGET
#undef VERSION
#endif
