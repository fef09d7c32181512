/* config.c: reads any bytes as a model's config.json. */
#define _GNU_SOURCE  /* memfd_create */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/config.h"

int fuzz_config(const uint8_t *data, size_t n);

int fuzz_config(const uint8_t *data, size_t n)
{
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char *options = NULL;
	struct table owner = { 0 };
	struct error err = { 0 };
	char path[40];
	bool good;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (fd < 0 || write(fd, data, n) != (ssize_t)n)
		abort();
	good = config_read(path, &owner, &options, &err);
	if (good == (err.text[0] != '\0') || good != (options != NULL))
		abort();
	table_close(&owner);
	close(fd);
	return 0;
}
