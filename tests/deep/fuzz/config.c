/* config.c: reads any bytes as a model's config.json or GGUF file. */
#define _GNU_SOURCE  /* memfd_create */
#include "memory.h"
#include "model/command.h"

int fuzz_config(const uint8_t *data, size_t n);

/* Options or one sentence, for each recipe that models have. */
static void read_as(const char *path, const char *recipe)
{
	struct assignments a = { .n = 0 };
	struct table owner = { 0 };
	struct error err = { 0 };
	const bool good = config_read(path, recipe, &owner, &a, &err);

	if (good == (err.text[0] != '\0') || (good && !a.n))
		abort();
	table_close(&owner);
}

int fuzz_config(const uint8_t *data, size_t n)
{
	static const char *const recipes[] = {
		"rope", "alibi", "t5-bucket", "sinusoid", "mask", "attend",
	};
	static const char *const parts[] = {
		"", ":text", ":vision", ":full_attention",
		":text:sliding_attention", ":sliding_attention",
	};
	char file[MEMORY_PATH], path[2 * MEMORY_PATH];
	const int fd = memory_file(data, n, file);

	for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++)
		for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
			snprintf(path, sizeof path, "%s%s", file, parts[k]);
			read_as(path, recipes[i]);
		}
	close(fd);
	return 0;
}
