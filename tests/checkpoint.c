/*
 * checkpoint.c: a checkpoint reads its tensors in any order as FILE:NAME reads
 * them.
 */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "checkpoint/checkpoint.h"

#define FILES "tests/golden/files/"

/* Compare a tensor with the table of FILE:NAME. */
static void check_tensor(struct checkpoint *c, const struct tensor *one)
{
	const struct raw_kind raw = { .dtype = NO_CHOICE };
	struct table t = { 0 }, same = { 0 };
	struct error err = { 0 };
	char path[400];
	bool good;

	snprintf(path, sizeof path, "%s:%s", c->file.in.path, one->name);
	good = checkpoint_read(c, one, &t, &err);
	if (!format_read(path, &raw, &same, &err))
		assert_false(good);
	else if (!good)
		fail_msg("%s: %s", path, err.text);
	assert_int_equal(t.dtype, same.dtype);
	assert_string_equal(t.row_axis.name, same.row_axis.name);
	assert_string_equal(t.col_axis.name, same.col_axis.name);
	for (size_t i = 0; good && i < same.end; i++)
		assert_memory_equal(t.row(&t, i, NULL),
				    same.row(&same, i, NULL),
				    same.cols * sizeof(double));
	table_close(&t);
	table_close(&same);
}

/* Open a model, and read its tensors from the last to the first, then again. */
static void check(const char *path, const char *file, size_t n)
{
	struct table owner = { 0 };
	struct error err = { 0 };
	struct checkpoint c;

	if (!checkpoint_open(&c, path, &owner, &err))
		fail_msg("%s: %s", path, err.text);
	assert_string_equal(c.file.in.path, file);
	assert_int_equal(c.all.n, n);
	for (size_t i = 2 * n; i-- > 0;)
		check_tensor(&c, &c.all.at[i % n]);
	checkpoint_close(&c);
	table_close(&owner);
}

static void tensors_are_read_in_any_order(void **state)
{
	(void)state;
	check(FILES "st/sharded", FILES "st/sharded/model.safetensors.index"
	      ".json", 6);
	check(FILES "st/sharded/model-00001-of-00003.safetensors",
	      FILES "st/sharded/model-00001-of-00003.safetensors", 2);
	check(FILES "gguf/gpt2-f32.gguf", FILES "gguf/gpt2-f32.gguf", 5);
	check(FILES "gguf/integers.gguf", FILES "gguf/integers.gguf", 5);
	check(FILES "npz/deflated.npz", FILES "npz/deflated.npz", 3);
	check(FILES "npz/kinds.npz", FILES "npz/kinds.npz", 10);
	check(FILES "onnx/typed.onnx", FILES "onnx/typed.onnx", 8);
	check(FILES "onnx/external.onnx", FILES "onnx/external.onnx", 3);
}

UNIT(checkpoint,
	TEST(tensors_are_read_in_any_order)
)
