/* tensors.c: the tensors that a safetensors header lists, checked. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json_scan.h"
#include "formats/safetensors.h"

/* What fails is kept in *err, which ends every loop over members. */

enum { HEADER_MOST = 100000000 };  /* of the format's own implementation */

/* A whole number that doubles tell from its neighbours. */
static bool read_size(struct json *j, size_t *n, struct error *err)
{
	struct decimal d;
	const char *text;

	if (!json_number(j, &d, &text, err))
		return false;
	if (!d.whole || d.x < 0 || d.x >= 0x1p53 || *text == '-')
		return json_fail(j, err, "sizes and offsets are whole numbers "
				 "from 0 to 2^53");
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
			json_fail(j, err, "a shape of more numbers than any "
				  "file can hold");
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
		json_fail(j, err, "no dtype is called '%.*s'",
			  n < 40 ? (int)n : 40, text);
		return;
	}
	memcpy(t->dtype, text, n);
	t->dtype[n] = '\0';
}

/* What "dtype", "shape" and "data_offsets" say agrees. */
static void check_tensor(const struct json *j, const struct tensor *t,
			 size_t count, struct error *err)
{
	const size_t size = tensor_layout(t->dtype).size;
	size_t bytes;

	if (t->end < t->begin)
		json_fail(j, err, "a tensor ends at %zu before it begins at "
			  "%zu", t->end, t->begin);
	if (size && (__builtin_mul_overflow(count, size, &bytes) ||
		     bytes != t->end - t->begin))
		json_fail(j, err, "%zu numbers of %s do not take the %zu "
			  "bytes of the tensor", count, t->dtype,
			  t->end - t->begin);
}

static void read_tensor(struct json *j, struct tensor *t, struct error *err)
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
			json_fail(j, err, "a tensor has one dtype, one shape "
				  "and data_offsets, no more");
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
		json_fail(j, err, "a tensor without dtype, shape or "
			  "data_offsets");
	check_tensor(j, t, count, err);
}

/* "__metadata__": strings, nothing else. */
static void read_metadata(struct json *j, struct error *err)
{
	char key[JSON_KEY];
	const char *text;
	size_t n = 0, length;

	json_take(j, '{', err);
	while (json_next(j, '}', &n, err) && json_key(j, key, err))
		json_string(j, &text, &length, err);
}

static struct tensor *add_tensor(struct tensors *all, struct error *err)
{
	if (all->n >= all->room) {
		const size_t room = all->room ? 2 * all->room : 16;
		struct tensor *more = realloc(all->at, room * sizeof *more);

		if (!more) {
			fail_memory(err);
			return NULL;
		}
		all->at = more;
		all->room = room;
	}
	all->at[all->n] = (struct tensor){ 0 };
	return &all->at[all->n++];
}

static void read_member(struct tensors *all, struct json *j, size_t *metadata,
			struct error *err)
{
	struct tensor *t;
	const char *name;
	size_t n = 0;

	if (!json_string(j, &name, &n, err) || !json_take(j, ':', err))
		return;
	if (n == 12 && !memcmp(name, "__metadata__", 12)) {
		if ((*metadata)++)
			json_fail(j, err, "a second __metadata__");
		read_metadata(j, err);
		return;
	}
	t = add_tensor(all, err);
	if (!t)
		return;
	t->name = name;
	t->length = n;
	read_tensor(j, t, err);
}

/* All that the header lists; its '{' comes next. */
static bool read_members(struct tensors *all, struct json *j,
			 struct error *err)
{
	size_t n = 0, metadata = 0;

	j->at++;
	while (json_next(j, '}', &n, err))
		read_member(all, j, &metadata, err);
	return !err->text[0] && json_end(j, err);
}

static int by_name(const void *left, const void *right)
{
	const struct tensor *a = left, *b = right;
	const size_t n = a->length < b->length ? a->length : b->length;
	const int order = memcmp(a->name, b->name, n);

	return order ? order : (a->length > b->length) -
			       (a->length < b->length);
}

static int by_place(const void *left, const void *right)
{
	const struct tensor *a = left, *b = right;

	return a->begin != b->begin ? a->begin < b->begin ? -1 : 1 :
	       a->end != b->end ? a->end < b->end ? -1 : 1 : by_name(a, b);
}

static bool check_names(struct tensors *all, const struct in *in,
			struct error *err)
{
	qsort(all->at, all->n, sizeof *all->at, by_name);
	for (size_t i = 1; i < all->n; i++)
		if (by_name(&all->at[i - 1], &all->at[i]) == 0)
			return fail_file(err, in->path, "two tensors are "
					 "called '%.*s'",
					 all->at[i].length < 100
					 ? (int)all->at[i].length : 100,
					 all->at[i].name);
	return true;
}

/* Tensors fill the file, none over another, no byte between or after them. */
static bool check_places(struct tensors *all, const struct in *in,
			 struct error *err)
{
	const size_t left = in->size == SIZE_MAX ? SIZE_MAX
						 : in->size - all->data;
	size_t at = 0;

	qsort(all->at, all->n, sizeof *all->at, by_place);
	for (size_t i = 0; i < all->n; i++) {
		const struct tensor *t = &all->at[i];
		const int n = t->length < 100 ? (int)t->length : 100;

		if (t->begin != at)
			return fail_file(err, in->path, t->begin < at
					 ? "tensor '%.*s' begins at %zu, and "
					   "the one before ends at %zu"
					 : "tensor '%.*s' begins at %zu, and "
					   "nothing lies there from %zu on",
					 n, t->name, t->begin, at);
		if (t->end > left)
			return fail_file(err, in->path, "tensor '%.*s' ends at "
					 "byte %zu, and the file at %zu", n,
					 t->name, all->data + t->end, in->size);
		at = t->end;
	}
	if (left != SIZE_MAX && at != left)
		return fail_file(err, in->path, "goes on after its tensors, at "
				 "byte %zu", all->data + at);
	return true;
}

/* The length of the header: the file's first 8 bytes. */
static bool read_length(struct in *in, size_t *n, struct error *err)
{
	if (!in_read(in, 8, err))
		return false;
	if (in->n < 8)
		return fail_file(err, in->path, "ends at byte %zu, before its "
				 "header", in->n);
	*n = 0;
	for (size_t i = 8; i-- > 0;)
		*n = *n << 8 | in->bytes[i];
	if (*n > HEADER_MOST)
		return fail_file(err, in->path, "no safetensors file: its "
				 "header would take %zu bytes", *n);
	if (!in_read(in, 8 + *n, err))
		return false;
	if (in->n < 8 + *n)
		return fail_file(err, in->path, "ends at byte %zu, before its "
				 "header of %zu bytes does", in->at + in->n,
				 *n);
	return true;
}

bool tensors_read(struct tensors *all, struct in *in, struct error *err)
{
	const size_t begin = in->at;
	unsigned char after;
	struct json j;
	size_t n = 0;
	bool good;

	*all = (struct tensors){ 0 };
	if (!read_length(in, &n, err))
		return false;
	all->data = begin + 8 + n;
	if (!n || in->bytes[8] != '{')
		return fail_file(err, in->path, "no safetensors file: its "
				 "header is no object");
	in_drop(in, 8);
	/* The header ends with a NUL while it is read. */
	after = in->bytes[n];
	in->bytes[n] = '\0';
	json_begin(&j, in, all->data);
	j.line = 0;
	good = read_members(all, &j, err);
	in->bytes[n] = after;
	if (good && !all->n)
		return fail_file(err, in->path, "no tensor in it");
	return good && check_names(all, in, err) && check_places(all, in, err);
}
