/*
 * gguf.c: models of llama.cpp (ggml/docs/gguf.md), versions 2 and 3: keys with
 * values, the tensors, and their bytes.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "containers/gguf.h"
#include "containers/quantized.h"

enum {
	RANK_GGML = 4,
	ALIGNMENT = 32,     /* without the key general.alignment */
	PART_END = sizeof "-00001-of-00003.gguf" - 1,
};

/* Types of plain values, by their numbers (ggml.h). */
static const struct {
	const char *name;
	struct element element;
} types[] = {
	[0] = { "F32", { 'f', 4, false } }, [1] = { "F16", { 'f', 2, false } },
	[24] = { "I8", { 'i', 1, false } }, [25] = { "I16", { 'i', 2, false } },
	[26] = { "I32", { 'i', 4, false } },
	[27] = { "I64", { 'i', 8, false } },
	[28] = { "F64", { 'f', 8, false } },
	[30] = { "BF16", { 'B', 2, false } },
};

enum { TYPES = sizeof types / sizeof *types };

static bool too_large(const struct gguf_reader *r, const struct tensor *t)
{
	return fail_file(r->err, r->in->path, "tensor '%.*s': shape is larger "
			 "than any file", tensor_width(t), t->name);
}

/* Read dimensions, innermost first in the file; the number of elements. */
static bool read_shape(struct gguf_reader *r, struct tensor *t, size_t *count)
{
	const uint64_t rank = gguf_number(r, 4);

	if (rank > RANK_GGML)
		return fail_file(r->err, r->in->path, "tensor '%.*s': expected "
				 "at most 4 dimensions, got %llu",
				 tensor_width(t), t->name,
				 (unsigned long long)rank);
	t->rank = (size_t)rank;
	*count = 1;
	for (size_t i = t->rank; i; i--) {
		const size_t n = (size_t)gguf_number(r, 8);

		t->shape[i - 1] = n;
		if (__builtin_mul_overflow(*count, n, count))
			return too_large(r, t);
	}
	return true;
}

/* Set the dtype of that number; the bytes of count elements, 0: unknown. */
static size_t set_type(struct tensor *t, uint64_t type, size_t count)
{
	const struct quantization *q = quantization_of(type);
	const char *name = q ? quantization_name(q)
			   : type < TYPES ? types[type].name : NULL;
	size_t bytes;

	if (name)
		snprintf(t->dtype, sizeof t->dtype, "%s", name);
	else
		snprintf(t->dtype, sizeof t->dtype, "type %u",
			 (unsigned)type);
	t->quantization = q;
	if (q)
		return quantization_bytes(q, count);
	if (name)
		t->element = types[type].element;
	return __builtin_mul_overflow(count, t->element.size, &bytes)
		       ? SIZE_MAX : bytes;
}

static bool read_tensor(struct gguf_reader *r, struct tensors *all)
{
	size_t n = 0, count = 0;
	const char *text = gguf_name(r, &n);
	struct tensor *t = text ? tensors_add(all, text, n, r->err) : NULL;
	uint64_t type;

	if (!t || !read_shape(r, t, &count))
		return false;
	type = gguf_number(r, 4);
	t->begin = (size_t)gguf_number(r, 8);
	/* The size, until check_places() makes it the end */
	t->end = set_type(t, type, count);
	return t->end == SIZE_MAX ? too_large(r, t) : !r->err->text[0];
}

/* The bytes begin where the header ends, padded. */
static bool check_places(struct tensors *all, const struct gguf_reader *r)
{
	const struct input_file *in = r->in;
	const size_t step = r->alignment ? r->alignment : ALIGNMENT;
	const size_t header = in->at + r->at - r->begin;
	const size_t data = r->begin + (header + step - 1) / step * step;
	const size_t room = in->size > data ? in->size - data : 0;
	size_t end = 0;

	for (size_t i = r->first; i < all->n; i++) {
		struct tensor *t = &all->at[i];

		if (t->begin % step)
			return fail_file(r->err, in->path, "tensor '%.*s': "
					 "offset %zu is not a multiple of %zu",
					 tensor_width(t), t->name, t->begin,
					 step);
		if (!all->cut && (t->begin > room ||
				  t->end > room - t->begin))
			return fail_file(r->err, in->path, "tensor '%.*s' does "
					 "not fit in the file: %zu bytes from "
					 "byte %zu of %zu on",
					 tensor_width(t), t->name, t->end,
					 t->begin, room);
		if (t->begin > SIZE_MAX / 2 - data ||
		    t->end > SIZE_MAX / 2 - data - t->begin)
			return too_large(r, t);
		t->begin += data;
		t->end += t->begin;
		end = t->end > end ? t->end : end;
	}
	return !all->cut || end <= in->size ||
	       tensors_note_cut(all, in, end, r->err);
}

static bool check_version(const struct gguf_reader *r, uint64_t version)
{
	if (version == 2 || version == 3)
		return true;
	if (version >= 1 << 24)
		return fail_file(r->err, r->in->path, "a big-endian GGUF file, "
				 "which posenc does not read");
	return fail_file(r->err, r->in->path, "GGUF version %llu; posenc reads "
			 "2 and 3", (unsigned long long)version);
}

/* Read the header: keys, then tensors. */
static bool read_header(struct gguf_reader *r, struct tensors *all)
{
	const unsigned char *magic = gguf_take(r, 4);
	uint64_t tensors, keys;

	if (magic && memcmp(magic, "GGUF", 4) != 0)
		return fail_file(r->err, r->in->path, "not a GGUF file: it "
				 "does not begin with GGUF");
	if (!check_version(r, gguf_number(r, 4)))
		return false;
	tensors = gguf_number(r, 8);
	keys = gguf_number(r, 8);
	if (!gguf_read_keys(r, keys))
		return false;
	for (; tensors; tensors--)
		if (!read_tensor(r, all))
			return false;
	return check_places(all, r);
}

static bool list_part(struct tensors *all, struct input_file *in,
		      const char *path, struct error *err)
{
	const size_t first = all->n;
	struct gguf_reader r = {
		.in = in, .begin = in->at, .first = first, .err = err,
	};

	if (!read_header(&r, all))
		return false;
	for (size_t i = first; i < all->n; i++)
		all->at[i].file = path;
	return true;
}

/* Open another file of the model, and list its tensors, too. */
static bool add_part(struct tensors *all, const char *path, struct error *err)
{
	struct input_file in;
	bool good;

	if (access(path, F_OK) != 0)
		return tensors_note_missing(all, path, err);
	if (!open_beside(&in, path, err))
		return false;
	good = list_part(all, &in, path, err);
	in_close(&in);
	return good;
}

bool gguf_is_part(const char *path, unsigned no, unsigned count)
{
	const size_t n = strlen(path);
	char end[40];

	snprintf(end, sizeof end, "-%05u-of-%05u.gguf", no, count);
	return n >= PART_END && strcmp(path + n - PART_END, end) == 0;
}

const char *gguf_part(const char *path, unsigned no, struct table *owner,
		      struct error *err)
{
	char *part = table_copy(owner, path, err), number[16];

	if (part) {
		snprintf(number, sizeof number, "-%05u", no);
		memcpy(part + strlen(part) - PART_END, number, strlen(number));
	}
	return part;
}

/* The first file of a model lists the tensors of all, as in llama.cpp. */
static bool add_parts(struct tensors *all, const struct input_file *in,
		      const struct gguf_split *split, struct error *err)
{
	const unsigned no = split->no + 1, count = split->count;

	if (!gguf_is_part(in->path, no, count))
		return tensors_note(all, err, "file %u of %u of a model, but "
				    "not named NAME-%05u-of-%05u.gguf", no,
				    count, no, count);
	if (no > 1)
		return tensors_note(all, err, "file %u of %u of a model, of "
				    "which the first lists all tensors", no,
				    count);
	for (unsigned i = 2; i <= count; i++) {
		const char *path = gguf_part(in->path, i, all->owner, err);

		if (!path || !add_part(all, path, err))
			return false;
	}
	return true;
}

static bool gguf_list(struct tensors *all, struct input_file *in,
		      struct error *err)
{
	struct gguf_notes notes = { .all = all };
	struct gguf_reader r = {
		.in = in, .begin = in->at, .each = gguf_note_key,
		.self = &notes, .err = err,
	};

	return read_header(&r, all) &&
	       (notes.split.count < 2 ||
		add_parts(all, in, &notes.split, err)) &&
	       tensors_check_names(all, in, err);
}

bool gguf_keys(struct input_file *in, struct tensors *all, gguf_key *each,
	       void *self, struct error *err)
{
	struct gguf_reader r = {
		.in = in, .begin = in->at, .each = each, .self = self,
		.err = err,
	};

	return read_header(&r, all) &&
	       (!all->n || tensors_check_names(all, in, err));
}

/* Tensors of divisors of rotary frequencies (gguf-py, constants.py). */
static bool is_divisors(const struct tensor *t)
{
	return strcmp(t->name, "rope_freqs.weight") == 0 ||
	       strcmp(t->name, "rope_factors_long.weight") == 0 ||
	       strcmp(t->name, "rope_factors_short.weight") == 0;
}

static bool read_one(struct input_file *in, const struct tensors *all,
		     const struct tensor *one, struct table *t,
		     struct error *err)
{
	t->divisors = is_divisors(one);
	t->rotary_base = all->rotary_base;
	return tensor_read(in, one, t, err);
}

const struct container gguf_container = {
	.list = gguf_list,
	.read = read_one,
};

bool gguf_recognizes(const unsigned char *b, size_t n)
{
	return n >= 4 && memcmp(b, "GGUF", 4) == 0;
}

const struct format gguf_format = {
	.name = "gguf",
	.binary = true,
	.container = &gguf_container,
	.numbered = true,
	.recognizes = gguf_recognizes,
	.read = container_read,
};
