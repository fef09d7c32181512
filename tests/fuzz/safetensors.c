/* safetensors.c: any bytes as a file of safetensors. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_reader("safetensors", data, n);
	return 0;
}
