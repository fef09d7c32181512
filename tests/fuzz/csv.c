/* csv.c: any bytes as a file of csv. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_reader("csv", data, n);
	return 0;
}
