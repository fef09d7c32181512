/*
 * simd.h: which instruction sets this machine has. A file with loops worth it
 * has them included once for each set, by simd_each.h, with TARGET their
 * functions' attribute and VERSION(name) the function's name; one text gives
 * the same bits in all.
 */
#ifndef SIMD_H
#define SIMD_H

enum simd { SIMD_PLAIN, SIMD_AVX2, SIMD_AVX512, SIMDS };

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#define SIMD_X86 1
#define SIMD_TARGET_AVX2 __attribute__((target("avx2,fma")))
#if defined(__clang__)
#define SIMD_TARGET_AVX512                                              \
	__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw")))
#else  /* gcc takes half the width unless told */
#define SIMD_TARGET_AVX512                                              \
	__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,"     \
			      "prefer-vector-width=512")))
#endif
#else
#define SIMD_X86 0
#endif

/* What a table of versions, [SIMDS], is begun with: "{ f_plain, ... }". */
#if SIMD_X86
#define SIMD_VERSIONS(name) { name##_plain, name##_avx2, name##_avx512 }
#else
#define SIMD_VERSIONS(name) { name##_plain }
#endif

/* The widest set of this machine, without asking the processor again. */
enum simd simd_best(void);

#endif
