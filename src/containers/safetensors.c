/* safetensors.c: tensors to a file, or one of a file. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bits.h"
#include "recipe/recipe.h"
#include "table/sort.h"
#include "text/words.h"
#include "formats/format.h"
#include "formats/json_scan.h"
#include "formats/json_tree.h"
#include "formats/rows.h"
#include "containers/keep.h"
#include "containers/scaled.h"
#include "containers/tensors.h"

/* The dtypes of posenc first, in the order of enum dtype. */
static const struct {
	const char *name;
	struct element element;  /* kind 0: not read by posenc */
} dtypes[] = {
	{ "F64", { 'f', 8, false } }, { "F32", { 'f', 4, false } },
	{ "F16", { 'f', 2, false } }, { "BF16", { 'B', 2, false } },
	{ "I64", { 'i', 8, false } }, { "I32", { 'i', 4, false } },
	{ "I16", { 'i', 2, false } }, { "I8", { 'i', 1, false } },
	{ "U8", { 'u', 1, false } }, { "U64", { 'u', 8, false } },
	{ "U32", { 'u', 4, false } }, { "U16", { 'u', 2, false } },
	{ "BOOL", { 'b', 1, false } }, { "F8_E5M2", { '2', 1, false } },
	{ "F8_E4M3", { '3', 1, false } }, { "F8_E8M0", { '0', 1, false } },
	{ "C64", { 0, 8, false } },
};

enum { DTYPES_KNOWN = sizeof dtypes / sizeof *dtypes };

const char *safetensors_dtype(enum dtype d)
{
	return dtypes[d].name;
}

/* An element of a tensor; kind 0 if posenc does not read the dtype. */
static struct element tensor_element(const char *dtype)
{
	for (size_t i = 0; i < DTYPES_KNOWN; i++)
		if (strcmp(dtype, dtypes[i].name) == 0)
			return dtypes[i].element;
	return (struct element){ 0 };
}

/*
 * Write the description of the tensor at offset *at, which becomes that behind
 * it; its length.
 */
static size_t tensor_text(char *text, size_t room, const char *name,
			  const struct table *t, size_t *at)
{
	size_t shape[3], count = 1;
	const size_t rank = table_shape(t, shape);
	char dims[3][24];

	for (size_t i = 0; i < rank; i++) {
		snprintf(dims[i], sizeof dims[i], "%zu", shape[i]);
		count *= shape[i];
	}
	*at += count * dtype_size(t->dtype);
	return (size_t)snprintf(text, room, ",\"%s\":{\"dtype\":\"%s\","
				"\"shape\":[%s,%s%s%s],"
				"\"data_offsets\":[%zu,%zu]}",
				name, safetensors_dtype(t->dtype),
				dims[0], dims[1], rank == 3 ? "," : "",
				rank == 3 ? dims[2] : "",
				*at - count * dtype_size(t->dtype), *at);
}

enum { TENSOR_ROOM = 300 };

/* The end of the header: the descriptions of t and those beside it. */
static size_t tensors_text(char text[BESIDE_MOST * TENSOR_ROOM],
			   const struct style *style, const struct table *t)
{
	const bool several = t->beside;
	size_t n = 0, at = 0;

	for (; t; t = t->beside) {
		char name[ARRAY_NAME_ROOM];

		style_name(style, t, several, name);
		n += tensor_text(text + n, TENSOR_ROOM, name, t, &at);
	}
	text[n] = '}';
	text[n + 1] = '\0';
	return n + 1;
}

/* Write the header, padded with blanks to a multiple of 8 bytes. */
static void write_head(struct output_file *o, const struct table *t,
		       const struct style *style)
{
	static const char begin[] = "{\"__metadata__\":";
	char *metadata = json_metadata(t, style);
	char text[BESIDE_MOST * TENSOR_ROOM];
	size_t used, padded;

	if (!metadata) {
		out_fail(o, "out of memory");
		return;
	}
	used = sizeof begin - 1 + strlen(metadata) +
	       tensors_text(text, style, t);
	padded = (used + 7) / 8 * 8;
	for (size_t i = 0; i < 8; i++)
		out_bytes(o, (unsigned char[]){ padded >> 8 * i & 0xff }, 1);
	out_text(o, begin);
	out_text(o, metadata);
	out_format(o, "%s%*s", text, (int)(padded - used), "");
	free(metadata);
}

static size_t safetensors_size(const struct table *t, bool *exact)
{
	size_t n = 0;

	*exact = false;
	if (t->kept)
		return keep_size(t);
	for (; t; t = t->beside)
		n += rows_binary_size(t);
	return n;
}

static bool safetensors_check(const struct style *style,
			      const struct table *t, struct error *err)
{
	return style_check_names(style, t, err) &&
	       (!t->kept || keep_check(t, err));
}

static void safetensors_write(const struct style *style, const struct table *t,
			      struct output_file *o)
{
	if (t->kept) {
		keep_write(style, t, o);
		return;
	}
	write_head(o, t, style);
	for (; t; t = t->beside)
		rows_binary(t, style, o);
}

/* In the functions that follow a failure sets *err, which ends the loops. */

enum { HEADER_MOST = 100000000 };  /* limit of the reference implementation */

/* Read an integer from 0 to 2^53 - 1. */
static bool read_size(struct json *j, size_t *n, struct error *err)
{
	struct decimal d;
	const char *text;

	if (!json_number(j, &d, &text, err))
		return false;
	if (!d.whole || d.x < 0 || d.x >= 0x1p53 || *text == '-')
		return json_fail(j, err, "sizes and offsets must be integers "
				 "from 0 to 2^53 - 1");
	*n = (size_t)d.x;
	return true;
}

static void read_shape(struct json *j, struct tensor *t, size_t *count,
		       struct error *err)
{
	size_t n = 0, rank = 0;

	*count = 1;
	json_take(j, '[', err);
	while (json_next(j, ']', &rank, err) && read_size(j, &n, err)) {
		if (rank <= RANK_MOST)
			t->shape[rank - 1] = n;
		if (__builtin_mul_overflow(*count, n, count))
			json_fail(j, err, "shape is larger than any file");
	}
	t->rank = rank;
}

static void read_offsets(struct json *j, struct tensor *t, struct error *err)
{
	(void)(json_take(j, '[', err) && read_size(j, &t->begin, err) &&
	       json_take(j, ',', err) && read_size(j, &t->end, err) &&
	       json_take(j, ']', err));
}

static void read_dtype(struct json *j, struct tensor *t, struct error *err)
{
	const char *text;
	size_t n = 0;

	if (!json_string(j, &text, &n, err))
		return;
	if (n >= sizeof t->dtype) {
		json_fail(j, err, "unknown dtype '%.*s'", n < 40 ? (int)n : 40,
			  text);
		return;
	}
	memcpy(t->dtype, text, n);
	t->dtype[n] = '\0';
	t->element = tensor_element(t->dtype);
}

/* Check that "dtype", "shape" and "data_offsets" agree. */
static void check_tensor(const struct json *j, const struct tensor *t,
			 size_t count, struct error *err)
{
	const size_t size = t->element.size;
	size_t bytes;

	if (t->end < t->begin)
		json_fail(j, err, "data_offsets end at %zu, before they begin "
			  "at %zu", t->end, t->begin);
	if (size && (__builtin_mul_overflow(count, size, &bytes) ||
		     bytes != t->end - t->begin))
		json_fail(j, err, "%zu elements of %s do not fill the %zu "
			  "bytes of data_offsets", count, t->dtype,
			  t->end - t->begin);
}

static void read_entry(struct json *j, struct tensor *t, struct error *err)
{
	static const char *const keys[] = { "dtype", "shape", "data_offsets" };
	bool seen[3] = { false };
	size_t n = 0, count = 0, k;
	char key[JSON_KEY];

	json_take(j, '{', err);
	while (json_next(j, '}', &n, err) && json_key(j, key, err)) {
		for (k = 0; k < 3 && strcmp(key, keys[k]) != 0; k++)
			;
		if (k == 3 || seen[k]) {
			json_fail(j, err, "unknown or duplicate key; expected "
				  "dtype, shape and data_offsets");
			return;
		}
		seen[k] = true;
		if (k == 0)
			read_dtype(j, t, err);
		else if (k == 1)
			read_shape(j, t, &count, err);
		else
			read_offsets(j, t, err);
	}
	if (!seen[0] || !seen[1] || !seen[2])
		json_fail(j, err, "tensor without dtype, shape or "
			  "data_offsets");
	check_tensor(j, t, count, err);
}

/* The keys of "__metadata__". */
struct keys {
	struct name *at;       /* [n], owned */
	size_t n, room;
};

static bool add_key(struct keys *keys, struct name key, struct error *err)
{
	if (keys->n == keys->room) {
		const size_t room = keys->room ? 2 * keys->room : 16;
		struct name *more = realloc(keys->at, room * sizeof *more);

		if (!more)
			return fail_memory(err);
		keys->at = more;
		keys->room = room;
	}
	keys->at[keys->n++] = key;
	return true;
}

/* Fail if two keys are the same: readers would differ in which counts. */
static void check_keys(const struct keys *keys, const struct json *j,
		       struct error *err)
{
	const struct name *twice = err->text[0] ? NULL
		: name_twice(keys->at, keys->n, sizeof *keys->at, err);

	if (twice)
		json_fail(j, err, "duplicate key '%.*s' in __metadata__",
			  name_width(twice->length), twice->text);
}

/* Check "__metadata__", an object of strings; posenc's has its command. */
static void read_metadata(struct tensors *all, struct json *j,
			  struct error *err)
{
	bool ours = false;
	struct keys keys = { 0 };
	struct name key = { 0 };
	const char *text;
	size_t n = 0, length;

	json_take(j, '{', err);
	while (json_next(j, '}', &n, err) &&
	       json_string(j, &key.text, &key.length, err) &&
	       json_take(j, ':', err) && add_key(&keys, key, err) &&
	       json_string(j, &text, &length, err)) {
		ours |= text_is(key.text, key.length, "posenc");
		if (ours && text_is(key.text, key.length, "command"))
			tensors_setting(all, "command", text, err);
	}
	check_keys(&keys, j, err);
	free(keys.at);
}

static void read_member(struct tensors *all, struct json *j, size_t *metadata,
			struct error *err)
{
	struct tensor *t;
	struct name key = { 0 };

	if (!json_string(j, &key.text, &key.length, err) ||
	    !json_take(j, ':', err))
		return;
	if (text_is(key.text, key.length, "__metadata__")) {
		if ((*metadata)++)
			json_fail(j, err, "duplicate key __metadata__");
		read_metadata(all, j, err);
		return;
	}
	t = tensors_add(all, key.text, key.length, err);
	if (t)
		read_entry(j, t, err);
}

/* Read all members of the header; its '{' comes next. */
static bool read_members(struct tensors *all, struct json *j,
			 struct error *err)
{
	size_t n = 0, metadata = 0;

	j->at++;
	while (json_next(j, '}', &n, err))
		read_member(all, j, &metadata, err);
	return !err->text[0] && json_end(j, err);
}

static int by_place(const void *left, const void *right)
{
	const struct tensor *a = left, *b = right;
	int order = integers_order(a->begin, b->begin);

	if (!order)
		order = integers_order(a->end, b->end);
	return order ? order : tensors_by_name(a, b);
}

/* Most files list them in this order. */
static void sort_by_place(struct tensors *all)
{
	size_t i = 1;

	while (i < all->n && by_place(&all->at[i - 1], &all->at[i]) < 0)
		i++;
	if (i < all->n)
		qsort(all->at, all->n, sizeof *all->at, by_place);
}

/*
 * Check that tensors, whose offsets count from offset data of the file, fill
 * the rest of it without gaps and overlaps. Make them offsets of the file.
 */
static bool check_places(struct tensors *all, size_t data,
			 const struct input_file *in, struct error *err)
{
	const size_t left = in->size == SIZE_MAX ? SIZE_MAX : in->size - data;
	size_t at = 0;

	sort_by_place(all);
	for (size_t i = 0; i < all->n; i++) {
		struct tensor *t = &all->at[i];
		const int n = tensor_width(t);

		if (t->begin != at)
			return fail_file(err, in->path, t->begin < at
					 ? "tensor '%.*s' begins at %zu, but "
					   "the one before ends at %zu"
					 : "tensor '%.*s' begins at %zu, "
					   "leaving a gap from %zu on",
					 n, t->name, t->begin, at);
		if (t->end > left && !all->cut)
			return fail_file(err, in->path, "tensor '%.*s' ends at "
					 "byte %zu, but the file ends at %zu",
					 n, t->name, data + t->end, in->size);
		at = t->end;
		t->begin += data;
		t->end += data;
	}
	if (left != SIZE_MAX && at > left)
		return tensors_note_cut(all, in, data + at, err);
	if (left != SIZE_MAX && at < left)
		return fail_file(err, in->path, "unexpected bytes after the "
				 "tensors, from byte %zu on", data + at);
	return true;
}

/* Read the length of the header, the first 8 bytes of the file. */
static bool read_length(struct input_file *in, size_t *n, struct error *err)
{
	if (!in_read(in, 8, err))
		return false;
	if (in->n < 8)
		return fail_file(err, in->path, "ends at byte %zu, before the "
				 "header", in->at + in->n);
	*n = little_endian(in->bytes, 8);
	if (*n > HEADER_MOST)
		return fail_file(err, in->path, "not a safetensors file: its "
				 "header would take %zu bytes", *n);
	if (!in_read(in, 8 + *n, err))
		return false;
	if (in->n < 8 + *n)
		return fail_file(err, in->path, "ends at byte %zu, within the "
				 "header of %zu bytes: %zu bytes are needed",
				 in->at + in->n, *n, 8 + *n);
	return true;
}

/*
 * Read the header at the start of the window, and check it for consistency and
 * against the size of the file.
 */
static bool safetensors_list(struct tensors *all, struct input_file *in,
			     struct error *err)
{
	size_t data = in->at + 8;
	unsigned char after;
	struct json j;
	size_t n = 0;
	bool good;

	if (!read_length(in, &n, err))
		return false;
	data += n;
	if (!n || in->bytes[8] != '{')
		return fail_file(err, in->path, "not a safetensors file: the "
				 "header must be a JSON object");
	in_drop(in, 8);
	/* json_scan.h needs a NUL at the end of the text. */
	after = in->bytes[n];
	in->bytes[n] = '\0';
	json_begin(&j, in, data);
	j.line = 0;
	good = read_members(all, &j, err);
	in->bytes[n] = after;
	return good && tensors_check_names(all, in, err) &&
	       check_places(all, data, in, err);
}

/* Read a tensor. The end of a pipe is seen only after its last one. */
static bool read_one(struct input_file *in, const struct tensors *all,
		     const struct tensor *one, struct table *t,
		     struct error *err)
{
	if (!scaled_read(in, all, one, t, err))
		return false;
	if (in->size != SIZE_MAX || one->end != all->at[all->n - 1].end)
		return true;
	if (!in_read(in, 1, err))
		return false;
	if (in->n)
		return fail_file(err, in->path, "unexpected bytes after the "
				 "tensors, from byte %zu on", in->at);
	return true;
}

const struct container safetensors_container = {
	.list = safetensors_list,
	.read = read_one,
};

/* The length of a header, below 4 GB, then an object. */
static bool safetensors_recognizes(const unsigned char *b, size_t n)
{
	return n >= 9 && b[8] == '{' && !memcmp(b + 4, "\0\0\0", 4) &&
	       (n == 9 || memchr("\"} \t\r\n", b[9], 6));
}

const struct format safetensors_format = {
	.name = "safetensors",
	.summary = "one tensor, or several as with --out cos,sin, with the "
		   "options as metadata",
	.binary = true,
	.several = true,
	.container = &safetensors_container,
	.recognizes = safetensors_recognizes,
	.keeps = true,
	.check = safetensors_check,
	.size = safetensors_size,
	.write = safetensors_write,
	.read = container_read,
};
