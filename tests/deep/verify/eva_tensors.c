/*
 * eva_tensors.c: checks a safetensors header made of any number of any JSON
 * tokens, for the same proof as eva_npy.c. The tokens themselves are scanned in
 * eva_json.c.
 */
#include "eva.h"

enum { NAME = 16, ROOM = 3 };

#define qsort sort
#define realloc none
#define calloc places_for
#define free(p) ((void)(p))
#define strcmp(a, b) any_order()

/* The comparison of an arbitrary dtype or key. */
static int any_order(void)
{
	return Frama_C_interval(-1, 1);
}

static void *none(void *old, size_t n);
static void *places_for(size_t n, size_t size);
static void sort(void *all, size_t n, size_t size,
		 int (*order)(const void *, const void *));

#include "text/names.c"
#include "containers/tensors.c"

/*
 * tensors_add(), whose memory for many names EVA cannot follow: it relates no
 * pointer to what is left behind it.
 */
static struct tensor *add_any(struct tensors *all, const char *name, size_t n,
			      struct error *err)
{
	static char copy[NAME + 1];

	if (all->n >= all->room || Frama_C_interval(0, 1)) {
		fail(err, "");
		return NULL;
	}
	memcpy(copy, name, n);
	all->at[all->n] = (struct tensor){ .name = copy, .length = n };
	return &all->at[all->n++];
}

#define tensors_add add_any

#include "text/words.c"
#include "containers/safetensors.c"

bool fail_memory(struct error *err)
{
	return fail(err, "");
}

/* Places for ROOM names, all empty, or none. */
static void *places_for(size_t n, size_t size)
{
	static const struct name *places[1 << ROOM];

	return n <= 1 << ROOM && size == sizeof *places &&
	       Frama_C_interval(0, 1) ? places : NULL;
}

static void *none(void *old, size_t n)
{
	(void)old;
	(void)n;
	return NULL;
}

static void sort(void *all, size_t n, size_t size,
		 int (*order)(const void *, const void *))
{
	struct tensor *t = all;

	(void)size;
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k && order(&t[k - 1], &t[k]) > 0; k--) {
			const struct tensor swap = t[k];

			t[k] = t[k - 1];
			t[k - 1] = swap;
		}
}

/* Room for names, or none. */
void *table_alloc(struct table *t, size_t n, size_t size, struct error *err)
{
	static char room[NAMES_ROOM];

	(void)t;
	if (n * size <= sizeof room && Frama_C_interval(0, 1))
		return room;
	fail_memory(err);
	return NULL;
}

static bool maybe(struct error *err)
{
	err->text[0] = (char)Frama_C_interval(0, 1);
	return !err->text[0];
}

void json_begin(struct json *j, struct input_file *in, size_t end)
{
	*j = (struct json){ .in = in, .end = end };
}

bool json_take(struct json *j, char c, struct error *err)
{
	(void)j;
	(void)c;
	return maybe(err);
}

bool json_end(struct json *j, struct error *err)
{
	return json_take(j, '\0', err);
}

bool json_next(struct json *j, char close, size_t *n, struct error *err)
{
	(void)j;
	(void)close;
	*n = Frama_C_size_t_interval(1, SIZE_MAX);
	return maybe(err) && Frama_C_interval(0, 1);
}

bool json_string(struct json *j, const char **text, size_t *n,
		 struct error *err)
{
	static char any[NAME];

	(void)j;
	Frama_C_make_unknown(any, sizeof any);
	*text = any;
	*n = Frama_C_size_t_interval(0, sizeof any);
	return maybe(err);
}

bool json_key(struct json *j, char key[JSON_KEY], struct error *err)
{
	Frama_C_make_unknown(key, JSON_KEY - 1);
	key[JSON_KEY - 1] = '\0';
	return json_take(j, ':', err);
}

bool json_number(struct json *j, struct decimal *d, const char **text,
		 struct error *err)
{
	*text = Frama_C_interval(0, 1) ? "-1" : "1";
	d->x = Frama_C_double_interval(-1e308, 1e308);
	d->whole = Frama_C_interval(0, 1);
	return json_take(j, '1', err);
}

bool json_fail(const struct json *j, struct error *err, const char *fmt, ...)
{
	(void)j;
	return fail(err, fmt);
}

/* The header is in the window, or the file ends before it does. */
bool in_read(struct input_file *in, size_t n, struct error *err)
{
	(void)in;
	(void)n;
	return maybe(err);
}

void in_drop(struct input_file *in, size_t n)
{
	in->bytes += n;
	in->n -= n;
	in->at += n;
}

/* Read into a fixed array; realloc() fails. */
static void read_any(struct input_file *in)
{
	static struct tensor room[ROOM];
	struct tensors all = { .at = room, .room = ROOM };
	struct error err = { 0 };
	struct json j;
	size_t n = 0;

	read_length(in, &n, &err);
	json_begin(&j, in, n);
	read_members(&all, &j, &err);
}

/* Up to ROOM tensors with any names and offsets. */
static void check_any(const struct input_file *in)
{
	static char name[NAME];
	static struct tensor room[ROOM];
	struct tensors all = {
		.at = room, .n = Frama_C_size_t_interval(0, ROOM), .room = ROOM,
	};
	struct error err = { 0 };

	Frama_C_make_unknown(name, sizeof name);
	Frama_C_make_unknown((char *)room, sizeof room);
	for (size_t i = 0; i < ROOM; i++) {
		room[i].name = name;
		room[i].length = Frama_C_size_t_interval(0, sizeof name);
	}
	tensors_check_names(&all, in, &err);
	check_places(&all, Frama_C_size_t_interval(0, BYTES), in, &err);
}

/* The same for the keys of the metadata, with room for one more. */
static void check_any_keys(void)
{
	static char name[NAME];
	static struct name room[ROOM];
	struct keys keys = { room, Frama_C_size_t_interval(0, ROOM - 1), ROOM };
	struct error err = { 0 };
	struct json j = { 0 };

	Frama_C_make_unknown(name, sizeof name);
	for (size_t i = 0; i < ROOM; i++)
		room[i] = (struct name){
			name, Frama_C_size_t_interval(0, sizeof name) };
	add_key(&keys, room[0], &err);
	check_keys(&keys, &j, &err);
}

int main(void)
{
	static unsigned char bytes[BYTES + 1];
	struct input_file in = {
		.path = "x.safetensors", .bytes = bytes, .n = BYTES,
		.size = Frama_C_interval(0, 1) ? SIZE_MAX : BYTES,
	};

	Frama_C_make_unknown((char *)bytes, BYTES);
	check_any(&in);
	check_any_keys();
	read_any(&in);
	return 0;
}
