/*
 * tens.c: powers of ten, and integers times them, in products of 128 bits.
 *
 * The table is made by the compiler: the highest 192 bits of each 27th power,
 * rounded down, times 5^0 to 5^26.
 */
#include "exact/bits.h"
#include "exact/limbs.h"
#include "exact/tens.h"

/* The highest 128 of 256 bits, the product of 192 (a, b, c) and 64 (f). */
#define LOW(b, c, f) ((uint128)(b) * (f) + ((uint128)(c) * (f) >> 64))
#define HIGH(a, b, c, f) ((uint128)(a) * (f) + (LOW(b, c, f) >> 64))
#define TOP(a, b, c, f)                                                 \
	(HIGH(a, b, c, f) >> 127                                        \
	 ? HIGH(a, b, c, f)                                             \
	 : HIGH(a, b, c, f) << 1 | (uint64_t)LOW(b, c, f) >> 63)
#define X(a, b, c, f)                                                   \
	{ (uint64_t)(TOP(a, b, c, f) >> 64), (uint64_t)TOP(a, b, c, f) },
#define FIVES(a, b, c)                                                  \
	X(a, b, c, 0x8000000000000000) X(a, b, c, 0xa000000000000000)   \
	X(a, b, c, 0xc800000000000000) X(a, b, c, 0xfa00000000000000)   \
	X(a, b, c, 0x9c40000000000000) X(a, b, c, 0xc350000000000000)   \
	X(a, b, c, 0xf424000000000000) X(a, b, c, 0x9896800000000000)   \
	X(a, b, c, 0xbebc200000000000) X(a, b, c, 0xee6b280000000000)   \
	X(a, b, c, 0x9502f90000000000) X(a, b, c, 0xba43b74000000000)   \
	X(a, b, c, 0xe8d4a51000000000) X(a, b, c, 0x9184e72a00000000)   \
	X(a, b, c, 0xb5e620f480000000) X(a, b, c, 0xe35fa931a0000000)   \
	X(a, b, c, 0x8e1bc9bf04000000) X(a, b, c, 0xb1a2bc2ec5000000)   \
	X(a, b, c, 0xde0b6b3a76400000) X(a, b, c, 0x8ac7230489e80000)   \
	X(a, b, c, 0xad78ebc5ac620000) X(a, b, c, 0xd8d726b7177a8000)   \
	X(a, b, c, 0x878678326eac9000) X(a, b, c, 0xa968163f0a57b400)   \
	X(a, b, c, 0xd3c21bcecceda100) X(a, b, c, 0x84595161401484a0)   \
	X(a, b, c, 0xa56fa5b99019a5c8)

const uint64_t tens[][2] = {
	FIVES(0x8049a4ac0c5811ae, 0x205b896d777d6278, 0xac261e9f5141430b)
	FIVES(0xcf42894a5dce35ea, 0x52064cac828675b9, 0x475f2b7d7df1ad7a)
	FIVES(0xa76c582338ed2621, 0xaf2af2b80af6f24e, 0x657c8f4d43323a36)
	FIVES(0x873e4f75e2224e68, 0x5a7744a6e804a291, 0xcc35eddfcf0996d7)
	FIVES(0xda7f5bf590966848, 0xaf39a475506a899e, 0xa30294cc2934e662)
	FIVES(0xb080392cc4349dec, 0xbd8d794d96aacfb3, 0xfe13a5c86af64418)
	FIVES(0x8e938662882af53e, 0x547eb47b7282ee9c, 0x41b0230e1421487d)
	FIVES(0xe65829b3046b0afa, 0x0cb4a5a3112a5112, 0xa3b561b1cb208396)
	FIVES(0xba121a4650e4ddeb, 0x92f34d62616ce413, 0x21a0183e10583cd3)
	FIVES(0x964e858c91ba2655, 0x3a6a07f8d510f86f, 0xe9082f25e9c5e9ec)
	FIVES(0xf2d56790ab41c2a2, 0xfae27299423fb9c3, 0x3695dad7e8858901)
	FIVES(0xc428d05aa4751e4c, 0xaa97e14c3c26b886, 0x96842dc95323f5a8)
	FIVES(0x9e74d1b791e07e48, 0x775ea264cf55347d, 0xca49f1c05120c9c7)
	FIVES(0x8000000000000000, 0x0000000000000000, 0x0000000000000000)
	FIVES(0xcecb8f27f4200f3a, 0x0000000000000000, 0x0000000000000000)
	FIVES(0xa70c3c40a64e6c51, 0x999090b65f67d924, 0x0000000000000000)
	FIVES(0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3, 0xdf9f915627c04e28)
	FIVES(0xda01ee641a708de9, 0xe80e6f4820cc9495, 0xd74baad03bc1d8d3)
	FIVES(0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f, 0xc04c79ffe324301f)
	FIVES(0x8e41ade9fbebc27d, 0x14588f13be847307, 0x23bd6a2059c002f5)
	FIVES(0xe5d3ef282a242e81, 0x8f1668c8a86da5fa, 0xf0b5ccf5176ecc7c)
	FIVES(0xb9a74a0637ce2ee1, 0x6d953e2bd7173692, 0x88efb0037ac08bde)
	FIVES(0x95f83d0a1fb69cd9, 0x4abdaf101564f98e, 0x0d5a4af7b3a98e47)
	FIVES(0xf24a01a73cf2dccf, 0xbc633b39673c8cec, 0x3d9c44cd2f36917c)
	FIVES(0xc3b8358109e84f07, 0x0a862f80ec4700c8, 0x02606ea01029dc37)
	FIVES(0x9e19db92b4e31ba9, 0x6c07a2c26a8346d1, 0x4944d9f52cd0dec2)
};

/*
 * The algorithm of D. Lemire, "Number Parsing at a Gigabyte per Second" (2021),
 * of which N. Mushtak and D. Lemire, "Fast Number Parsing Without Fallback"
 * (2022), proved that 128 bits of 5^e always decide. Where the product may lie
 * half way between two doubles, it is exact; elsewhere a bit that is set below
 * all others says that it is not.
 */
bool tens_scale(uint64_t x, int64_t e, double *to)
{
	const int up = __builtin_clzll(x);
	const uint64_t left = x << up;
	const int64_t power = tens_log2(e) + 2 - up;
	uint128 product;
	uint64_t top, low;
	bool exact;

	if (e < -TEN_MOST || e > TEN_MOST || power < -1022 || power > 960)
		return false;
	/* A multiple of 5^-e is divided without a rest */
	low = tens[TEN_ZERO + e][1] + (e < 0 && e >= -27);
	product = (uint128)left * tens[TEN_ZERO + e][0] +
		  (uint64_t)((uint128)left * low >> 64);
	exact = e >= -4 && e <= 23 && !(uint64_t)product;
	top = (uint64_t)(product >> 65) | (uint64_t)(product >> 64 & 1) |
	      !exact;
	*to = (double)(int64_t)top *
	      double_of((uint64_t)(power + 1023) << 52);
	return true;
}
