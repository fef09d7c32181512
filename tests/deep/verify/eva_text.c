/*
 * eva_text.c: reads a number (TOKEN is 0), several (1) or an integer (2) from any
 * text of up to BYTES bytes, for the same proof as eva_npy.c. The C library's functions
 * are those of Frama-C; arithmetic of 128 bits, which it does not know, gives any
 * number that it may.
 */
#include "eva.h"

#define memchr find_byte

#include "text/decimal.c"

bool tens_scale(uint64_t x, int64_t e, double *to)
{
	/*@ assert 0 < x; */
	(void)x;
	(void)e;
	*to = Frama_C_double_interval(0x1p-960, 0x1.fffffffffffffp1023);
	return Frama_C_nondet(0, 1);
}

int main(void)
{
	char text[BYTES + 1];
	double at[4] = { 0 };

	Frama_C_make_unknown(text, BYTES);
	text[BYTES] = '\0';
#if TOKEN == 0
	parse_real(text, at);
	parse_exact(text, at[0]);
	decimal_single(text, at[0]);
#elif TOKEN == 1
	parse_reals(text, ':', at, 4);
#else
	parse_integer(text, at);
#endif
	return 0;
}
