/* npy.c: any bytes as a file of npy. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_reader("npy", data, n);
	return 0;
}
