/* raw.c: any bytes as a file of raw. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_reader("raw", data, n);
	return 0;
}
