/*
 * limbs.h: unsigned integers of any length, as little-endian arrays of 64-bit
 * limbs: the operations that exact frequencies and exact thresholds need.
 */
#ifndef LIMBS_H
#define LIMBS_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;

/* a [n] += b [n]; returns the carry. */
uint64_t limbs_add(uint64_t *a, const uint64_t *b, size_t n);

/* a [n] -= b [n]; returns the borrow. */
uint64_t limbs_sub(uint64_t *a, const uint64_t *b, size_t n);

/* a [n] *= x; returns the limb carried out. */
uint64_t limbs_scale(uint64_t *a, size_t n, uint64_t x);

/* a [n] /= x, rounded down; returns the remainder. */
uint64_t limbs_divide(uint64_t *a, size_t n, uint64_t x);

/* p [n + m] = a [n] * b [m]; p must not overlap them. */
void limbs_multiply(uint64_t *p, const uint64_t *a, size_t n,
		    const uint64_t *b, size_t m);

/* Shift a [n] by any number of bits; bits shifted out are lost. */
void limbs_left(uint64_t *a, size_t n, uint64_t bits);
void limbs_right(uint64_t *a, size_t n, uint64_t bits);

/* -1, 0 or 1: a [n] is less than, equal to or greater than b [n]. */
int limbs_compare(const uint64_t *a, const uint64_t *b, size_t n);

/* How many bits a [n] needs: 0 for zero. */
size_t limbs_bits(const uint64_t *a, size_t n);

/*
 * Whether (n / e)^l >= (m / e)^j: 1 or 0, or -1 if memory runs out. All five
 * are below 2^53; all but j are positive. Logarithms decide unless they are too
 * close to each other; then integers do.
 */
int power_reaches(size_t n, size_t m, size_t e, size_t l, size_t j);

#endif
