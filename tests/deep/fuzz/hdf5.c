/*
 * hdf5.c: reads any bytes as the list that libhdf5's process sends. (The
 * library itself is not fuzzed: it is not built for that, and runs elsewhere.)
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "containers/hdf5.h"

int fuzz_hdf5(const uint8_t *data, size_t n);

/* Whether posenc would ask for its values, or one sentence. */
static void check_tensor(const struct input_file *in, const struct tensor *t)
{
	struct error err = { 0 };

	if (tensor_check(in, t, &err) != !err.text[0])
		abort();
	if (!err.text[0] && !element_known(t->element))
		abort();
}

int fuzz_hdf5(const uint8_t *data, size_t n)
{
	struct table owner = { 0 };
	struct tensors all = { .owner = &owner };
	struct error err = { 0 };
	struct input_file in;
	unsigned char *copy = malloc(n + 1);

	if (!copy)
		abort();
	memcpy(copy, data, n);
	in_memory(&in, "x", copy, n);
	if (hdf5_read_list(&all, &in, &err) != !err.text[0])
		abort();
	for (size_t i = 0; i < all.n; i++)
		check_tensor(&in, &all.at[i]);
	if (!err.text[0] && tensors_check_names(&all, &in, &err))
		tensors_choose(&all, &in, "*", &err);
	free(all.at);
	free(copy);
	table_close(&owner);
	return 0;
}
