/*
 * limbs.h: natural numbers of any length, as little-endian arrays of 64-bit
 * limbs. Just what exact frequencies and exact thresholds need.
 */
#ifndef LIMBS_H
#define LIMBS_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;

/* a [n] += b [n]; the carry. */
uint64_t limbs_add(uint64_t *a, const uint64_t *b, size_t n);

/* a [n] -= b [n]; the borrow. */
uint64_t limbs_sub(uint64_t *a, const uint64_t *b, size_t n);

/* a [n] *= x; the limb carried out. */
uint64_t limbs_scale(uint64_t *a, size_t n, uint64_t x);

/* a [n] /= x, rounded down; the remainder. */
uint64_t limbs_divide(uint64_t *a, size_t n, uint64_t x);

/* p [n + m] = a [n] * b [m]; p must not overlap them. */
void limbs_multiply(uint64_t *p, const uint64_t *a, size_t n,
		    const uint64_t *b, size_t m);

/* a [n] shifted by any number of bits; what falls off is lost. */
void limbs_left(uint64_t *a, size_t n, size_t bits);
void limbs_right(uint64_t *a, size_t n, size_t bits);

/* Less than, equal to or greater than 0, as a [n] is to b [n]. */
int limbs_compare(const uint64_t *a, const uint64_t *b, size_t n);

/* How many bits a [n] needs: 0 for zero. */
size_t limbs_bits(const uint64_t *a, size_t n);

#endif
