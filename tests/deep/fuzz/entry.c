/* entry.c: what libFuzzer calls: the reader of format READER, or fuzz_TARGET(). */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#ifdef READER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_reader(READER, data, n);
	return 0;
}
#else
#define JOIN(a, b) a##b
#define NAME(target) JOIN(fuzz_, target)

int NAME(TARGET)(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return NAME(TARGET)(data, n);
}
#endif
