/*
 * gguf.c: models of llama.cpp (ggml/docs/gguf.md), versions 2 and 3: keys with
 * values, the tensors, and their bytes.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "containers/gguf.h"

enum {
	RANK_GGML = 4,
	ALIGNMENT = 32,     /* without the key general.alignment */
	TYPE_Q8_0 = 8, Q8_VALUES = 32, Q8_BYTES = 2 + Q8_VALUES,
};

/* Types of tensors, by their numbers; kind 0: not read by posenc. */
static const struct {
	const char *name;
	struct element element;
} types[] = {
	[0] = { "F32", { 'f', 4, false } }, [1] = { "F16", { 'f', 2, false } },
	[2] = { .name = "Q4_0" }, [3] = { .name = "Q4_1" },
	[6] = { .name = "Q5_0" }, [7] = { .name = "Q5_1" },
	[TYPE_Q8_0] = { .name = "Q8_0" }, [9] = { .name = "Q8_1" },
	[10] = { .name = "Q2_K" }, [11] = { .name = "Q3_K" },
	[12] = { .name = "Q4_K" }, [13] = { .name = "Q5_K" },
	[14] = { .name = "Q6_K" }, [15] = { .name = "Q8_K" },
	[16] = { .name = "IQ2_XXS" }, [17] = { .name = "IQ2_XS" },
	[18] = { .name = "IQ3_XXS" }, [19] = { .name = "IQ1_S" },
	[20] = { .name = "IQ4_NL" }, [21] = { .name = "IQ3_S" },
	[22] = { .name = "IQ2_S" }, [23] = { .name = "IQ4_XS" },
	[24] = { "I8", { 'i', 1, false } }, [25] = { "I16", { 'i', 2, false } },
	[26] = { "I32", { 'i', 4, false } },
	[27] = { "I64", { 'i', 8, false } },
	[28] = { "F64", { 'f', 8, false } }, [29] = { .name = "IQ1_M" },
	[30] = { "BF16", { 'B', 2, false } }, [34] = { .name = "TQ1_0" },
	[35] = { .name = "TQ2_0" }, [39] = { .name = "MXFP4" },
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
	for (size_t i = t->rank; i-- > 0;) {
		t->shape[i] = (size_t)gguf_number(r, 8);
		if (__builtin_mul_overflow(*count, t->shape[i], count))
			return too_large(r, t);
	}
	return true;
}

/* Bytes of count elements; 0: not read by posenc; SIZE_MAX: too many. */
static size_t tensor_bytes(const struct tensor *t, uint64_t type, size_t count)
{
	const bool q8 = type == TYPE_Q8_0;
	size_t bytes;

	return __builtin_mul_overflow(q8 ? count / Q8_VALUES : count,
				      q8 ? Q8_BYTES : t->element.size, &bytes)
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
	if (type < TYPES && types[type].name) {
		snprintf(t->dtype, sizeof t->dtype, "%s", types[type].name);
		t->element = types[type].element;
	} else {
		snprintf(t->dtype, sizeof t->dtype, "type %u",
			 (unsigned)type);
	}
	/* Bytes as yet, from an offset that check_places() completes */
	t->end = tensor_bytes(t, type, count);
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

	for (size_t i = 0; i < all->n; i++) {
		struct tensor *t = &all->at[i];

		if (t->begin % step)
			return fail_file(r->err, in->path, "tensor '%.*s': "
					 "offset %zu is no multiple of %zu",
					 tensor_width(t), t->name, t->begin,
					 step);
		if (t->begin > room || t->end > room - t->begin)
			return fail_file(r->err, in->path, "tensor '%.*s' does "
					 "not fit in the file: %zu bytes from "
					 "byte %zu of %zu on",
					 tensor_width(t), t->name, t->end,
					 t->begin, room);
		t->begin += data;
		t->end += t->begin;
	}
	return true;
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
	return !r->err->text[0] && check_places(all, r);
}

static bool gguf_list(struct tensors *all, struct input_file *in,
		      struct error *err)
{
	struct gguf_reader r = { .in = in, .begin = in->at, .err = err };

	return read_header(&r, all) && tensors_check_names(all, in, err);
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

/*
 * Values of n blocks: a float16 scale, then 32 integers. Their products are
 * exact in float32.
 */
static void load_q8(const unsigned char *bytes, size_t n, double *x)
{
	for (; n--; bytes += Q8_BYTES, x += Q8_VALUES) {
		double scale;

		dtype_load(F16, bytes, 1, &scale);
		dtype_load(I8, bytes + 2, Q8_VALUES, x);
		for (size_t i = 0; i < Q8_VALUES; i++)
			x[i] *= scale;
	}
}

static bool read_q8(struct input_file *in, const struct tensor *one,
		    struct table *t, struct error *err)
{
	enum { BLOCKS = 4096 };  /* at once */
	struct values g = { .in = in, .t = t };
	const struct element single = { 'f', 4, false };
	size_t n;

	if (one->shape[one->rank - 1] % Q8_VALUES)
		return fail_file(err, in->path, "tensor '%.*s': rows of Q8_0 "
				 "must be multiples of 32, got %zu",
				 tensor_width(one), one->name,
				 one->shape[one->rank - 1]);
	if (!binary_shape(in, single, one->shape, one->rank, t, err) ||
	    !in_skip(in, one->begin, err))
		return false;
	n = t->planes * t->rows * t->cols;
	while (g.n < n) {
		const size_t left = (n - g.n) / Q8_VALUES;
		const size_t k = left < BLOCKS ? left : BLOCKS;

		if (!in_read(in, k * Q8_BYTES, err))
			return false;
		if (in->n < k * Q8_BYTES)
			return fail_file(err, in->path, "ends at byte %zu, "
					 "within its values", in->at + in->n);
		/* The size of a file is known, that of a pipe is not */
		if (!values_reserve(&g, in->size == SIZE_MAX ? k * Q8_VALUES
				    : n - g.n, err))
			return false;
		load_q8(in->bytes, k, g.at + g.n);
		in_drop(in, k * Q8_BYTES);
		g.n += k * Q8_VALUES;
	}
	table_dense(t, g.at);
	return true;
}

static bool read_one(struct input_file *in, const struct tensors *all,
		     const struct tensor *one, struct table *t,
		     struct error *err)
{
	(void)all;
	if (one->rank && strcmp(one->dtype, types[TYPE_Q8_0].name) == 0)
		return read_q8(in, one, t, err);
	return tensor_read(in, one, t, err);
}

const struct container gguf_container = {
	.list = gguf_list,
	.read = read_one,
};

static bool gguf_read(struct input_file *in,
		      const struct read_options *options, struct table *t,
		      struct error *err)
{
	return container_read(&gguf_container, in, options, t, err);
}

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
	.read = gguf_read,
};
