/* entry.c: what libFuzzer calls: fuzz_TARGET(). */
#include <stddef.h>
#include <stdint.h>

#define JOIN(a, b) a##b
#define NAME(target) JOIN(fuzz_, target)

int NAME(TARGET)(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return NAME(TARGET)(data, n);
}
