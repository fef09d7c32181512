/*
 * eva_npy.c: NPY's header parser over any BYTES bytes, for Frama-C's EVA, which
 * shows that nothing is read or written out of bounds, nothing overflows and
 * nothing is used before it has a value (make prove).
 */
#include "eva.h"
#include "formats/npy_header.c"

#include <__fc_builtin.h>

int main(void)
{
	char text[BYTES + 1];
	const struct in in = { .path = "x.npy" };
	struct npy_header h = { .in = &in, .at = text, .end = text + BYTES };
	struct error err = { 0 };

	Frama_C_make_unknown(text, BYTES);
	return read_dictionary(&h, &err);
}
