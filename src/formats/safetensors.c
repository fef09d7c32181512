/* safetensors.c: one tensor to a file, or one of a file. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/parse.h"
#include "core/recipe.h"
#include "formats/format.h"
#include "formats/json.h"
#include "formats/rows.h"
#include "formats/safetensors.h"

/* Ours first, in their order. */
static const struct {
	const char *name;
	struct layout layout;  /* kind 0: numbers that posenc does not read */
} dtypes[] = {
	{ "F64", { 'f', 8, false } }, { "F32", { 'f', 4, false } },
	{ "F16", { 'f', 2, false } }, { "BF16", { 'B', 2, false } },
	{ "I64", { 'i', 8, false } }, { "I32", { 'i', 4, false } },
	{ "I16", { 'i', 2, false } }, { "I8", { 'i', 1, false } },
	{ "U8", { 'u', 1, false } }, { "U64", { 'u', 8, false } },
	{ "U32", { 'u', 4, false } }, { "U16", { 'u', 2, false } },
	{ "BOOL", { 'b', 1, false } }, { "F8_E5M2", { 0, 1, false } },
	{ "F8_E4M3", { 0, 1, false } }, { "C64", { 0, 8, false } },
};

enum { DTYPES_KNOWN = sizeof dtypes / sizeof *dtypes };

/* What safetensors calls d. */
static const char *tensor_dtype(enum dtype d)
{
	return dtypes[d].name;
}

struct layout tensor_layout(const char *dtype)
{
	for (size_t i = 0; i < DTYPES_KNOWN; i++)
		if (strcmp(dtype, dtypes[i].name) == 0)
			return dtypes[i].layout;
	return (struct layout){ 0 };
}

/* The end of the header, which tells of the one tensor, at text; its length. */
static size_t tensor_text(char *text, size_t room, const struct table *t)
{
	size_t shape[3], count = 1;
	const size_t rank = table_shape(t, shape);
	char dims[3][24];

	for (size_t i = 0; i < rank; i++) {
		snprintf(dims[i], sizeof dims[i], "%zu", shape[i]);
		count *= shape[i];
	}
	return (size_t)snprintf(text, room, ",\"%s\":{\"dtype\":\"%s\","
				"\"shape\":[%s,%s%s%s],"
				"\"data_offsets\":[0,%zu]}}",
				t->recipe->name, tensor_dtype(t->dtype),
				dims[0], dims[1], rank == 3 ? "," : "",
				rank == 3 ? dims[2] : "",
				count * dtype_size(t->dtype));
}

/* The header, padded with blanks so that it ends at a multiple of 8. */
static void write_head(struct out *o, const struct table *t,
		       const struct style *style)
{
	static const char begin[] = "{\"__metadata__\":";
	char *metadata = json_metadata(t, style), text[300];
	size_t used, padded;

	if (!metadata) {
		out_fail(o, "out of memory");
		return;
	}
	used = sizeof begin - 1 + strlen(metadata) +
	       tensor_text(text, sizeof text, t);
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
	*exact = false;
	return rows_binary_size(t);
}

static void safetensors_write(const struct style *style, const struct table *t,
			      struct out *o)
{
	write_head(o, t, style);
	rows_binary(t, style, o);
}

/* Whether name [n] is what pattern says, where '*' is any letters. */
static bool matches(const char *pattern, const char *name, size_t n)
{
	const char *star = NULL, *end = name + n, *back = NULL;

	while (name < end) {
		if (*pattern == '*') {
			star = pattern++;
			back = name;
		} else if (*pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++back;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

/* "a, b and 3 more" of the tensors, some, that pattern matches, or of all. */
static const char *names_text(const struct tensors *all, const char *pattern,
			      char text[240])
{
	size_t n = 0, more = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct tensor *t = &all->at[i];

		if (pattern && !matches(pattern, t->name, t->length))
			continue;
		if (more || (n && n + t->length > 200))
			more++;
		else
			n += (size_t)snprintf(text + n, 240 - n, "%s%.*s",
					      n ? ", " : "", t->length < 200
					      ? (int)t->length : 200, t->name);
	}
	if (more)
		snprintf(text + n, 240 - n, " and %zu more", more);
	return text;
}

static bool no_tensor(const struct tensors *all, const struct in *in,
		      const char *pattern, struct error *err)
{
	const struct tensor *near = NULL;
	char names[240], name[40];
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < all->n; i++) {
		const struct tensor *t = &all->at[i];

		snprintf(name, sizeof name, "%.*s",
			 t->length < sizeof name ? (int)t->length : 0, t->name);
		if (name[0] && nearer_word(pattern, name, &best))
			near = t;
	}
	if (near)
		return fail_file(err, in->path, "no tensor '%.60s' (did you "
				 "mean '%.*s'?)", pattern, (int)near->length,
				 near->name);
	return fail_file(err, in->path, "no tensor '%.60s'; it holds %s",
			 pattern, names_text(all, NULL, names));
}

/* The one tensor that is asked for, or NULL. */
static const struct tensor *choose(const struct tensors *all,
				   const struct in *in, const char *pattern,
				   struct error *err)
{
	const struct tensor *found = NULL;
	char names[240];
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct tensor *t = &all->at[i];

		if (pattern && strlen(pattern) == t->length &&
		    memcmp(pattern, t->name, t->length) == 0)
			return t;
		if (!pattern || matches(pattern, t->name, t->length)) {
			found = t;
			n++;
		}
	}
	if (!n)
		no_tensor(all, in, pattern, err);
	else if (n > 1 && pattern)
		fail_file(err, in->path, "%zu tensors match '%.60s': %s", n,
			  pattern, names_text(all, pattern, names));
	else if (n > 1)
		fail_file(err, in->path, "holds %zu tensors; ask for one, as "
			  "%.60s:NAME: %s", n, in->path,
			  names_text(all, NULL, names));
	return n == 1 ? found : NULL;
}

static bool read_tensor(struct in *in, const struct tensors *all,
			const struct tensor *t, struct table *table,
			struct error *err)
{
	const struct layout y = tensor_layout(t->dtype);
	const int n = t->length < 100 ? (int)t->length : 100;

	if (!y.kind)
		return fail_file(err, in->path, "tensor '%.*s' is of %s, which "
				 "posenc does not read", n, t->name, t->dtype);
	if (t->rank < 1 || t->rank > RANK_MOST)
		return fail_file(err, in->path, "tensor '%.*s' has %zu "
				 "dimensions; posenc reads 1 to 8", n, t->name,
				 t->rank);
	return binary_shape(in, y, t->shape, t->rank, table, err) &&
	       in_skip(in, all->data + t->begin, err) &&
	       binary_read(in, y, table, err);
}

/* A pipe's size shows behind its last tensor; before that it is let be. */
static bool check_end(const struct tensors *all, const struct tensor *one,
		      struct in *in, struct error *err)
{
	if (one->end != all->at[all->n - 1].end)
		return true;
	if (!in_read(in, 1, err))
		return false;
	if (in->n)
		return fail_file(err, in->path, "goes on after its tensors, at "
				 "byte %zu", in->at);
	return true;
}

static bool safetensors_read(struct in *in, const struct asked *asked,
			     struct table *t, struct error *err)
{
	struct tensors all;
	const struct tensor *one = NULL;
	bool good;

	if (tensors_read(&all, in, err))
		one = choose(&all, in, asked->tensor, err);
	good = one && read_tensor(in, &all, one, t, err) &&
	       check_end(&all, one, in, err);
	free(all.at);
	return good;
}

const struct format safetensors_format = {
	.name = "safetensors",
	.summary = "one tensor, its options as metadata",
	.binary = true,
	.size = safetensors_size,
	.write = safetensors_write,
	.read = safetensors_read,
};
