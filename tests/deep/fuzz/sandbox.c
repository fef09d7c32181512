/* sandbox.c: replaces the sandbox, since the fuzzer must write its findings. */
#include "cli/sandbox.h"

void sandbox_enter(const struct output *outputs, size_t n, bool processes)
{
	(void)outputs;
	(void)n;
	(void)processes;
}
