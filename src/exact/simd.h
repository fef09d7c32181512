/*
 * simd.h: loops compiled once for each instruction set of the processor.
 *
 * A loop is written once, as an inline function f_loop (SIMD_LOOP). SIMD_EACH
 * compiles it for each set and defines the array f of the versions, which
 * simd_best() indexes. The versions differ in the width of registers only:
 * operations are neither fused nor reordered (see EXACT in the Makefile), so
 * all versions give the same bits. GCC's target_clones is not used: it is as
 * fast, but executes cpuid at every start, which a hypervisor traps, and a
 * test can't make it choose a narrower set.
 */
#ifndef SIMD_H
#define SIMD_H

enum simd { SIMD_PLAIN, SIMD_AVX2, SIMD_AVX512, SIMD_SETS };

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#define SIMD_X86 1
#define SIMD_TARGET_AVX2 __attribute__((target("avx2,fma,lzcnt")))
#if defined(__clang__)
#define SIMD_TARGET_AVX512                                              \
	__attribute__((target("lzcnt,"                                  \
			      "avx512f,avx512vl,avx512dq,avx512bw")))
#else  /* gcc uses half the width by default */
#define SIMD_TARGET_AVX512                                              \
	__attribute__((target("lzcnt,"                                  \
			      "avx512f,avx512vl,avx512dq,avx512bw,"     \
			      "prefer-vector-width=512")))
#endif
#else
#define SIMD_X86 0
#endif

/* make cover leaves out the versions that its machine can't execute. */
#if SIMD_X86 && !defined(COVERAGE_AVX2)
#define SIMD_IF_AVX512(...) __VA_ARGS__
#else
#define SIMD_IF_AVX512(...)
#endif

/*
 * a if a constant of the inlined loop is not 0, else b: no branch. Where make
 * cover would count one that can go one way only, the value is in an array.
 */
#ifdef COVERAGE
#define SIMD_EITHER(constant, a, b) ((__typeof__(a)[]){ b, a }[!!(constant)])
#else
#define SIMD_EITHER(constant, a, b) ((constant) ? (a) : (b))
#endif

#define SIMD_LOOP static inline __attribute__((always_inline))

/*
 * Define name [SIMD_SETS], the versions of a function: its result, name,
 * parameters in parentheses, and the statement that is its body, which calls
 * the loop. In it, FUSED is 1 where the set has fused multiplication and
 * addition.
 */
#if SIMD_X86
#define SIMD_EACH(result, name, parameters, body)                       \
	static result name##_plain parameters                           \
	{ enum { FUSED = 0 }; body; }                                   \
	SIMD_TARGET_AVX2                                                \
	static result name##_avx2 parameters                            \
	{ enum { FUSED = 1 }; body; }                                   \
	SIMD_IF_AVX512(SIMD_TARGET_AVX512                               \
	static result name##_avx512 parameters                          \
	{ enum { FUSED = 1 }; body; })                                  \
	static __typeof__(name##_plain) *const name[SIMD_SETS] = {      \
		name##_plain, name##_avx2, SIMD_IF_AVX512(name##_avx512) \
	};
#else
#define SIMD_EACH(result, name, parameters, body)                       \
	static result name##_plain parameters                           \
	{ enum { FUSED = 0 }; body; }                                   \
	static __typeof__(name##_plain) *const name[SIMD_SETS] = {      \
		name##_plain                                            \
	};
#endif

/*
 * The widest instruction set of this machine, without executing cpuid.
 * GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX2 takes sets away.
 */
enum simd simd_best(void);

#endif
