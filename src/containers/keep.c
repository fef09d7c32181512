/* keep.c: a safetensors file again, with one tensor replaced. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cJSON.h>

#include "exact/bits.h"
#include "formats/json_tree.h"
#include "formats/rows.h"
#include "containers/keep.h"
#include "containers/tensors.h"

/* The file, its header as a tree, and where the tensor is in it. */
struct kept {
	const struct stored_tensor *of;
	struct input_file in;
	struct cJSON *header;
	size_t data;           /* offset of values in the file */
	size_t begin, end;     /* of the old tensor, counted from there */
	size_t bytes;          /* of the new one */
};

/* A number of an array of the header, which was checked when it was listed. */
static size_t number_at(const struct cJSON *of, const char *key, int i)
{
	const struct cJSON *list = cJSON_GetObjectItemCaseSensitive(of, key);

	return (size_t)cJSON_GetArrayItem(list, i)->valuedouble;
}

static void set_number(struct cJSON *of, const char *key, int i, size_t n)
{
	struct cJSON *list = cJSON_GetObjectItemCaseSensitive(of, key);

	cJSON_SetNumberValue(cJSON_GetArrayItem(list, i), (double)n);
}

/* Bytes of a value of a tensor, by what its values take; 1 if there is none. */
static size_t value_bytes(const struct cJSON *of)
{
	const struct cJSON *shape = cJSON_GetObjectItemCaseSensitive(of,
								    "shape");
	size_t bytes = number_at(of, "data_offsets", 1) -
		       number_at(of, "data_offsets", 0);

	for (int i = 0; i < cJSON_GetArraySize(shape); i++)
		if (number_at(of, "shape", i) > 1)
			bytes /= number_at(of, "shape", i);
	return bytes > 1 ? bytes : 1;
}

/*
 * Give the tensor the shape of rows begin to end of t: dimensions before its
 * rows stay, if they are 1; of a grid as dimensions, both sides are set.
 */
static bool set_shape(const struct kept *k, struct cJSON *of,
		      const struct table *t, struct error *err)
{
	const struct cJSON *shape = cJSON_GetObjectItemCaseSensitive(of,
								    "shape");
	const int rank = cJSON_GetArraySize(shape);
	const size_t rows = t->end - t->begin;
	int planes = 0;        /* dimensions before the last two, more than 1 */

	for (int i = 0; i + 2 < rank; i++)
		planes += number_at(of, "shape", i) > 1;
	if (rank >= 2 && !planes) {
		set_number(of, "shape", rank - 2, rows);
		return true;
	}
	if (planes == 1 && number_at(of, "shape", rank - 3) > 1 &&
	    t->grid.height * t->grid.width == rows) {
		set_number(of, "shape", rank - 3, t->grid.height);
		set_number(of, "shape", rank - 2, t->grid.width);
		return true;
	}
	return fail(err, "--keep: %zu rows of %zu values have no place in the "
		    "%d dimensions of %.100s", rows, t->cols, rank,
		    k->of->name);
}

/* Move the tensors that follow, whose values must stay aligned. */
static bool move_others(const struct kept *k, struct cJSON *replaced,
			struct error *err)
{
	for (struct cJSON *of = k->header->child; of; of = of->next) {
		size_t at;

		if (of == replaced || !strcmp(of->string, "__metadata__"))
			continue;
		at = number_at(of, "data_offsets", 0);
		if (at < k->end)
			continue;
		at = at - k->end + k->begin + k->bytes;
		if (at % value_bytes(of) &&
		    number_at(of, "data_offsets", 0) % value_bytes(of) == 0)
			return fail(err, "--keep: '%.100s' would begin at %zu, "
				    "no multiple of the %zu bytes of its "
				    "values", of->string, at, value_bytes(of));
		set_number(of, "data_offsets", 1,
			   at + number_at(of, "data_offsets", 1) -
			   number_at(of, "data_offsets", 0));
		set_number(of, "data_offsets", 0, at);
	}
	return true;
}

/* Change the header to that of the new file. */
static bool change_header(struct kept *k, const struct table *t,
			  struct error *err)
{
	struct cJSON *of = cJSON_GetObjectItemCaseSensitive(k->header,
							    k->of->name);

	if (!of)
		return in_changed(&k->in, err);
	if (strcmp(k->of->dtype, safetensors_dtype(t->dtype)) != 0)
		return fail(err, "--keep: the dtype of %.100s is %s, and the "
			    "result is %s", k->of->name, k->of->dtype,
			    safetensors_dtype(t->dtype));
	k->begin = number_at(of, "data_offsets", 0);
	k->end = number_at(of, "data_offsets", 1);
	k->bytes = rows_binary_size(t);
	set_number(of, "data_offsets", 1, k->begin + k->bytes);
	return set_shape(k, of, t, err) && move_others(k, of, err);
}

/* Read the header, which safetensors_list() checks. */
static bool read_header(struct kept *k, struct error *err)
{
	struct table owner = { 0 };
	struct tensors all = { .owner = &owner };
	bool good = safetensors_container.list(&all, &k->in, err) &&
		    in_skip(&k->in, 0, err) && in_read(&k->in, 8, err);

	if (good)
		k->data = 8 + (size_t)little_endian(k->in.bytes, 8);
	good = good && in_read(&k->in, k->data, err);
	if (good)
		k->header = cJSON_ParseWithLength((char *)k->in.bytes + 8,
						  k->data - 8);
	free(all.at);
	table_close(&owner);
	return good && (k->header || fail_memory(err));
}

static void close_kept(struct kept *k)
{
	cJSON_Delete(k->header);
	in_close(&k->in);
}

/* Open the file, and make the new header. On success close_kept() follows. */
static bool open_kept(struct kept *k, const struct table *t, struct error *err)
{
	*k = (struct kept){ .of = t->kept };
	if (!in_open(&k->in, k->of->path, err))
		return false;
	if (in_random(&k->in, err) && read_header(k, err) &&
	    change_header(k, t, err))
		return true;
	close_kept(k);
	return false;
}

bool keep_check(const struct table *t, struct error *err)
{
	struct kept k;

	if (!open_kept(&k, t, err))
		return false;
	close_kept(&k);
	return true;
}

size_t keep_size(const struct table *t)
{
	struct stat st;

	return stat(t->kept->path, &st) == 0 &&
	       (size_t)st.st_size > t->kept->bytes
		       ? (size_t)st.st_size - t->kept->bytes +
			 rows_binary_size(t) : rows_binary_size(t);
}

/* Copy bytes from one offset of the file to another. */
static bool copy(struct kept *k, size_t from, size_t to, struct output_file *o,
		 struct error *err)
{
	enum { AT_ONCE = 1 << 18 };

	if (!in_skip(&k->in, from, err))
		return false;
	for (size_t n; from < to; from += n) {
		n = to - from < AT_ONCE ? to - from : AT_ONCE;
		if (!in_read(&k->in, n, err))
			return false;
		if (k->in.n < n)
			return in_changed(&k->in, err);
		out_bytes(o, k->in.bytes, n);
		in_drop(&k->in, n);
	}
	return true;
}

/* Write the length of the header and the header, padded to 8 bytes. */
static bool write_header(const struct kept *k, struct output_file *o)
{
	char *text = cJSON_PrintUnformatted(k->header);
	const size_t used = text ? strlen(text) : 0;
	const size_t padded = (used + 7) / 8 * 8;

	for (size_t i = 0; text && i < 8; i++)
		out_bytes(o, (unsigned char[]){ padded >> 8 * i & 0xff }, 1);
	if (text)
		out_text(o, text);
	for (size_t i = used; i < padded; i++)
		out_text(o, " ");
	cJSON_free(text);
	return text;
}

/* Note position ids of the same module, whose number is not that of rows. */
static void note_ids(const struct kept *k, const struct table *t,
		     struct output_file *o)
{
	static const char ids[] = "position_ids";

	for (const struct cJSON *of = k->header->child; of; of = of->next) {
		const size_t n = strlen(of->string);
		const size_t module = n - (sizeof ids - 1);
		const struct cJSON *shape =
			cJSON_GetObjectItemCaseSensitive(of, "shape");
		const int rank = cJSON_GetArraySize(shape);
		size_t length;

		if (n < sizeof ids - 1 ||
		    strcmp(of->string + module, ids) != 0 ||
		    strncmp(of->string, k->of->name, module) != 0 || !rank)
			continue;
		length = number_at(of, "shape", rank - 1);
		if (length != t->end - t->begin)
			snprintf(o->note, sizeof o->note, "%.100s is kept, but "
				 "its length %zu no longer fits the %zu rows",
				 of->string, length, t->end - t->begin);
	}
}

void keep_write(const struct style *style, const struct table *t,
		struct output_file *o)
{
	struct error err = { 0 };
	struct kept k;

	if (!open_kept(&k, t, &err)) {
		out_fail(o, err.text);
		return;
	}
	if (!write_header(&k, o))
		fail_memory(&err);
	else if (copy(&k, k.data, k.data + k.begin, o, &err)) {
		rows_binary(t, style, o);
		if (copy(&k, k.data + k.end, k.in.size, o, &err) &&
		    in_unchanged(&k.in, &err))
			note_ids(&k, t, o);
	}
	if (err.text[0])
		out_fail(o, err.text);
	close_kept(&k);
}
