/*
 * gguf.c: models of llama.cpp (ggml/docs/gguf.md), versions 2 and 3: keys with
 * values, the tensors, and their bytes.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "exact/bits.h"
#include "text/decimal.h"
#include "containers/gguf.h"
#include "containers/quantized.h"

/* Where the reader of a header is. A failure is noted in err. */
struct reader {
	struct input_file *in;
	size_t at;             /* in the window */
	size_t begin;          /* offset of the format in the file */
	size_t alignment;      /* 0: not given */
	size_t first;          /* the index of the first of its tensors */
	gguf_key *each;        /* receives keys, or NULL */
	void *self;
	struct error *err;
};

enum { NAME_MOST = 65535 };  /* bytes of a key, by the specification */

static const char header[] = "the header, whose length the file does "
			     "not say";  /* where a file ends */

/* The next n bytes, valid until the next call; NULL: an error. */
static const unsigned char *take(struct reader *r, size_t n)
{
	return in_take(r->in, &r->at, n, header, r->err);
}

/* The next number, of size bytes; 0 after a failure. */
static uint64_t read_number(struct reader *r, size_t size)
{
	const unsigned char *bytes = take(r, size);

	return bytes ? little_endian(bytes, size) : 0;
}

/* Skip n bytes, which the file must have. */
static bool skip(struct reader *r, uint64_t n)
{
	return in_pass(r->in, &r->at, (size_t)n, header, r->err);
}

/* A name [*n], valid until the next call; NULL: an error. */
static const char *read_name(struct reader *r, size_t *n)
{
	const uint64_t length = read_number(r, 8);

	*n = (size_t)length;
	if (length <= NAME_MOST)
		return (const char *)take(r, *n);
	fail_file(r->err, r->in->path, "byte %zu: expected a name of up to %d "
		  "bytes, got one of %llu", r->in->at + r->at, NAME_MOST,
		  (unsigned long long)length);
	return NULL;
}

enum {
	INT8 = 1, INT16 = 3, UINT32 = 4, INT32 = 5, FLOAT32 = 6, BOOL = 7,
	STRING = 8, ARRAY = 9, INT64 = 11, FLOAT64 = 12, VALUES = 13,
};

/* Bytes of a value of each type; 0: string and array. */
static const unsigned char sizes[VALUES] = {
	1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8,
};

/* Skip n values of a type. */
static bool skip_values(struct reader *r, uint64_t type, uint64_t n)
{
	uint64_t bytes;

	if (type != STRING)
		return __builtin_mul_overflow(n, sizes[type], &bytes)
			       ? skip(r, UINT64_MAX) : skip(r, bytes);
	while (n--) {
		bytes = read_number(r, 8);
		if (r->err->text[0] || !skip(r, bytes))
			return false;
	}
	return true;
}

/* The type of an array's values instead, and their number; known ones alone. */
static bool read_type(struct reader *r, uint64_t *type, uint64_t *n)
{
	const bool array = *type == ARRAY;

	if (array) {
		*type = read_number(r, 4);
		*n = read_number(r, 8);
	}
	if (*type >= VALUES || *type == ARRAY)
		return fail_file(r->err, r->in->path, "byte %zu: %s of type "
				 "%llu, which GGUF does not have",
				 r->in->at + r->at, array ? "an array"
				 : "a value", (unsigned long long)*type);
	return !r->err->text[0];
}

/* Skip a value of a type, or an array of such. */
static bool skip_value(struct reader *r, uint64_t type)
{
	uint64_t n = 1;

	return read_type(r, &type, &n) && skip_values(r, type, n);
}

/* The number that a float32 was written for: the shortest decimal, 1.1. */
static double shortest(double x)
{
	char text[NUMBER_ROOM + 1];

	if (isfinite(x)) {
		text[number_text(text, x, F32, 0)] = '\0';
		parse_real(text, &x);
	}
	return x;
}

/* A number of a type from its bits. */
static double value_of(uint64_t type, uint64_t bits)
{
	double x;

	switch (type) {
	case INT8:
		return (int8_t)bits;
	case INT16:
		return (int16_t)bits;
	case INT32:
		return (int32_t)bits;
	case INT64:
		return (double)(int64_t)bits;
	case FLOAT32:
		dtype_load(F32, &bits, 1, &x);
		return shortest(x);
	case FLOAT64:
		dtype_load(F64, &bits, 1, &x);
		return x;
	default:
		return (double)bits;
	}
}

/* Read the beginning of a string, and skip the rest of it. */
static bool read_text(struct reader *r, char text[GGUF_TEXT])
{
	const uint64_t length = read_number(r, 8);
	const size_t n = length < GGUF_TEXT ? (size_t)length : GGUF_TEXT - 1;
	const unsigned char *bytes = take(r, n);

	if (!bytes)
		return false;
	if (memchr(bytes, '\0', n))
		return fail_file(r->err, r->in->path, "byte %zu: a string with "
				 "a NUL byte", r->in->at + r->at - n);
	memcpy(text, bytes, n);
	text[n] = '\0';
	return skip(r, length - n);
}

/* Read n numbers of a type. */
static bool read_numbers(struct reader *r, uint64_t type, size_t n,
			 double *x)
{
	for (size_t i = 0; i < n && !r->err->text[0]; i++)
		x[i] = value_of(type, read_number(r, sizes[type]));
	return !r->err->text[0];
}

/* Read a value of a type, or an array of such, and give it to each(). */
static bool give_value(struct reader *r, const char *key, uint64_t type)
{
	struct gguf_value v = { .array = type == ARRAY };
	double x[GGUF_VALUES];
	char text[GGUF_TEXT];
	uint64_t n = 1;

	if (!read_type(r, &type, &n))
		return false;
	v.kind = type == STRING ? GGUF_STRING :
		 type == BOOL ? GGUF_BOOL : GGUF_NUMBER;
	if (type == STRING && !v.array) {
		v.text = text;
		if (!read_text(r, text))
			return false;
	} else if (type == STRING || n > GGUF_VALUES) {
		if (!skip_values(r, type, n))
			return false;
	} else {
		v.x = x;
		v.n = (size_t)n;
		if (!read_numbers(r, type, v.n, x))
			return false;
	}
	return r->each(r->self, key, &v, r->err);
}

static bool read_alignment(struct reader *r, uint64_t type)
{
	const size_t twice = r->alignment;

	r->alignment = type == UINT32 ? (size_t)read_number(r, 4) : 0;
	if (!twice && r->alignment && r->alignment % 8 == 0)
		return true;
	return fail_file(r->err, r->in->path, "byte %zu: expected "
			 "general.alignment once, a uint32 that is a multiple "
			 "of 8",
			 r->in->at + r->at);
}

static bool read_key(struct reader *r)
{
	static const char alignment[] = "general.alignment";
	size_t n = 0;
	const char *key = read_name(r, &n);
	const bool given = key && r->each && n < GGUF_TEXT &&
			   !memchr(key, '\0', n);
	char text[GGUF_TEXT] = "";
	uint64_t type;
	bool aligns;

	if (!key)
		return false;
	aligns = n == sizeof alignment - 1 && memcmp(key, alignment, n) == 0;
	memcpy(text, key, given ? n : 0);
	type = read_number(r, 4);
	if (r->err->text[0])
		return false;
	return aligns ? read_alignment(r, type) :
	       given ? give_value(r, text, type) : skip_value(r, type);
}

static bool read_keys(struct reader *r, uint64_t n)
{
	while (n--)
		if (!read_key(r))
			return false;
	return !r->err->text[0];
}

/* What keys say of tensors, to be listed with them, and of their file. */
struct notes {
	struct tensors *all;
	unsigned no, count;    /* which file of a model it is, from 0 on, and
				  how many there are; 0: the only one */
};

/* Parts of names (gguf-py, constants.py): of rotary positions, lengths. */
static const char *const parts[] = {
	".rope.", ".context_length", ".attention.sliding_window",
	".attention.relative_buckets_count", ".attention.max_alibi_bias",
	".attention.causal", ".position_embedding", "general.architecture",
};

enum { PARTS = sizeof parts / sizeof *parts, SHOWN = 8 };

static bool is_positional(const char *name)
{
	for (size_t i = 0; i < PARTS; i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}

/* Values as text; of a long array the first ones. */
static void write_value(const struct gguf_value *v, char *text, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n && i < SHOWN; i++) {
		char number[NUMBER_ROOM + 1];

		number[number_text(number, v->x[i], F64, 0)] = '\0';
		n += (size_t)snprintf(text + n, room - n, "%s%s", i ? "," : "",
				      v->kind != GGUF_BOOL ? number :
				      v->x[i] > 0 ? "true" : "false");
	}
	if (v->n > SHOWN)
		snprintf(text + n, room - n, ",... (%zu values)", v->n);
}

/* A gguf_key: note it, if it concerns positions. */
static bool note_key(void *self, const char *name,
		   const struct gguf_value *value, struct error *err)
{
	struct notes *notes = self;
	char text[SHOWN * (NUMBER_ROOM + 1) + 40] = "";
	const char *behind = strchr(name, '.');
	const bool one = value->n == 1 && value->x[0] >= 0 &&
			 value->x[0] <= 99999;

	if (one && strcmp(name, "split.no") == 0)
		notes->no = (unsigned)value->x[0];
	if (value->n == 1 && !value->array && behind &&
	    strcmp(behind, ".rope.freq_base") == 0)
		notes->all->rotary_base = value->x[0];
	if (one && strcmp(name, "split.count") == 0)
		notes->count = (unsigned)value->x[0];
	if (!is_positional(name))
		return true;
	write_value(value, text, sizeof text);
	return tensors_setting(notes->all, name, value->text ? value->text
			       : text, err);
}

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

static bool too_large(const struct reader *r, const struct tensor *t)
{
	return fail_file(r->err, r->in->path, "tensor '%.*s': shape is larger "
			 "than any file", tensor_width(t), t->name);
}

/* Read dimensions, innermost first in the file; the number of elements. */
static bool read_shape(struct reader *r, struct tensor *t, size_t *count)
{
	const uint64_t rank = read_number(r, 4);

	if (rank > RANK_GGML)
		return fail_file(r->err, r->in->path, "tensor '%.*s': expected "
				 "at most 4 dimensions, got %llu",
				 tensor_width(t), t->name,
				 (unsigned long long)rank);
	t->rank = (size_t)rank;
	*count = 1;
	for (size_t i = t->rank; i; i--) {
		const size_t n = (size_t)read_number(r, 8);

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

static bool read_tensor(struct reader *r, struct tensors *all)
{
	size_t n = 0, count = 0;
	const char *text = read_name(r, &n);
	struct tensor *t = text ? tensors_add(all, text, n, r->err) : NULL;
	uint64_t type;

	if (!t || !read_shape(r, t, &count))
		return false;
	type = read_number(r, 4);
	t->begin = (size_t)read_number(r, 8);
	/* The size, until check_places() makes it the end */
	t->end = set_type(t, type, count);
	return t->end == SIZE_MAX ? too_large(r, t) : !r->err->text[0];
}

/* The bytes begin where the header ends, padded. */
static bool check_places(struct tensors *all, const struct reader *r)
{
	const struct input_file *in = r->in;
	const size_t step = r->alignment ? r->alignment : ALIGNMENT;
	const size_t used = in->at + r->at - r->begin;
	const size_t data = r->begin + (used + step - 1) / step * step;
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

static bool check_version(const struct reader *r, uint64_t version)
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
static bool read_header(struct reader *r, struct tensors *all)
{
	const unsigned char *magic = take(r, 4);
	uint64_t tensors, keys;

	if (magic && memcmp(magic, "GGUF", 4) != 0)
		return fail_file(r->err, r->in->path, "not a GGUF file: it "
				 "does not begin with GGUF");
	if (!check_version(r, read_number(r, 4)))
		return false;
	tensors = read_number(r, 8);
	keys = read_number(r, 8);
	if (!read_keys(r, keys))
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
	struct reader r = {
		.in = in, .begin = in->at, .first = first, .err = err,
	};

	if (!read_header(&r, all))
		return false;
	for (size_t i = first; i < all->n; i++)
		all->at[i].file = path;
	return true;
}

/* Open another file of the model, and list its tensors, too. */
static bool add_part(struct tensors *all, const char *path, const char *first,
		     struct error *err)
{
	struct input_file in;
	bool good;

	if (access(path, F_OK) != 0)
		return tensors_note_missing(all, path, err);
	if (!open_beside(&in, path, first, err))
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
		      const struct notes *notes, struct error *err)
{
	const unsigned no = notes->no + 1, count = notes->count;

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

		if (!path || !add_part(all, path, in->path, err))
			return false;
	}
	return true;
}

static bool gguf_list(struct tensors *all, struct input_file *in,
		      struct error *err)
{
	struct notes notes = { .all = all };
	struct reader r = {
		.in = in, .begin = in->at, .each = note_key,
		.self = &notes, .err = err,
	};

	return read_header(&r, all) &&
	       (notes.count < 2 ||
		add_parts(all, in, &notes, err)) &&
	       tensors_check_names(all, in, err);
}

bool gguf_keys(struct input_file *in, struct tensors *all, gguf_key *each,
	       void *self, struct error *err)
{
	struct reader r = {
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
