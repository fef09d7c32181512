/* json.c: any bytes as a file of json. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_reader("json", data, n);
	return 0;
}
