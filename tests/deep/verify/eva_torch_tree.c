/*
 * eva_torch_tree.c: reads tensors in objects of a pickle, for the same proof as
 * eva_npy.c. Any object that eva_pickle.c shows to follow may be asked for at
 * any place. TOKEN: 0 the persistent id of a storage, 1 the arguments of a call
 * that makes a tensor, with any storage and any result of set_shape(), 2 up to
 * two sizes and strides behind any number of others. The walk from
 * object to object is in eva_torch_walk.c.
 */
#include "eva.h"

#define snprintf print_text
#define memcpy copy

static void *copy(void *to, const void *from, size_t n);

/* Functions that are tried by themselves give any result to those above. */
#define torch_storage(o, s, in, err) STORAGE_##o, s, in, err)
#define STORAGE_storage any_storage(storage
#define STORAGE_const torch_storage(const
#define set_shape(w, t, v, sizes, strides) SHAPE_##w, t, v, sizes, strides)
#define SHAPE_w any_shape(w
#define SHAPE_struct set_shape(struct

struct object;
struct torch_storage;
struct input_file;
struct tree;
struct tensor;
struct view;
static bool any_storage(const struct object *o, struct torch_storage *s,
			const struct input_file *in, struct error *err);
static bool any_shape(struct tree *w, struct tensor *t, struct view *v,
		      const struct object *sizes, const struct object *strides);

#include "containers/torch_tree.c"
#include "eva_objects.h"

#undef torch_storage
#undef set_shape

enum { OBJECTS = 16, TEXT = 2000, SHAPED = 2 };

/* Of any other kind is what is PLAIN. */
enum class { TEXTS, PLAIN, DICTS };

/* Objects whose other fields do not matter, in lists of any length. */
static struct object any[2];
static struct item list[2], keys[2], values[2];

/* Objects that were asked for, each once, and the length of their texts. */
static struct object objects[OBJECTS];
static size_t asked, length;
static char letters[TEXT + 1];
static char memory[sizeof(size_t) * RANK_MOST];

/* A text, of which EVA keeps no byte. */
static void *copy(void *to, const void *from, size_t n)
{
	if (n) {
		/*@ assert \valid_read((char *)from + (0 .. n - 1)); */
		Frama_C_make_unknown(to, n);
	}
	return to;
}

/* An object of a class. */
static struct object *make_object(enum class class)
{
	static const enum object_kind plain[] = {
		OBJECT_OTHER, OBJECT_BOOL, OBJECT_INTEGER, OBJECT_TUPLE,
		OBJECT_LIST, OBJECT_PERSISTENT, OBJECT_CALL, OBJECT_INSTANCE,
		OBJECT_DICT,    /* a storage reads no items of it */
	};
	struct item *const firsts[] = { NULL, &list[0], &keys[0] };
	struct object *o = &objects[asked++];

	*o = (struct object){
		.n = Frama_C_size_t_interval(0, SIZE_MAX),
		.first = firsts[Frama_C_interval(0, 1)],
	};
	o->built = Frama_C_interval(0, 1);
	if (class == TEXTS) {
		o->kind = Frama_C_interval(OBJECT_LONG, OBJECT_NAME);
		o->text = letters + TEXT - length;
		o->length = length;
	} else if (class == DICTS) {
		o->kind = OBJECT_DICT;
		o->pairs = true;
		o->first = firsts[2 * Frama_C_interval(0, 1)];
	} else {
		o->kind = plain[Frama_C_interval(0, TOKEN ? 7 : 8)];
		o->integer = Frama_C_long_long_interval(INT64_MIN, INT64_MAX);
	}
	return o;
}

/* An object of any class that matters. */
static const struct object *any_object(void)
{
	switch (Frama_C_interval(0, TOKEN ? 2 : 1)) {
	case 0:
		return make_object(TEXTS);
	case 1:
		return make_object(PLAIN);
	default:
		return make_object(DICTS);
	}
}

/* Lists of any objects, and of keys, each with a value. */
static void make_lists(void)
{
	const size_t i = Frama_C_size_t_interval(0, 1);

	for (size_t k = 0; k < 2; k++) {
		any[k].kind = Frama_C_interval(0, OBJECT_PERSISTENT);
		any[k].integer = Frama_C_long_long_interval(INT64_MIN,
							    INT64_MAX);
		list[k] = (struct item){ &any[i], &list[i] };
		keys[k] = (struct item){ &any[i], &values[i] };
		values[k] = (struct item){ &any[i], &keys[i] };
	}
	list[i].next = NULL;
	values[i].next = NULL;
}

const struct object *object_item(const struct object *o, size_t i)
{
	return i < o->n ? any_object() : NULL;
}

const char *object_name(const struct object *o, char text[OBJECT_NAME_TEXT])
{
	/*@ assert o->kind == OBJECT_NAME; */
	print_text(text, OBJECT_NAME_TEXT, "%s", o->text);
	return text;
}

int name_width(size_t n)
{
	(void)n;
	return Frama_C_interval(0, 100);
}

void *table_alloc(struct table *t, size_t n, size_t size, struct error *err)
{
	(void)t;
	if (Frama_C_interval(0, 1)) {
		fail(err, "");
		return NULL;
	}
	/*@ assert 0 < n <= 8 && size == 8; */
	return memory + sizeof memory - n * size;
}

struct tensor *tensors_add(struct tensors *all, const char *name, size_t n,
			   struct error *err)
{
	static struct tensor t;

	(void)all;
	(void)err;
	t = (struct tensor){ .name = name, .length = n };
	return Frama_C_interval(0, 1) ? &t : NULL;
}

bool tensors_note(struct tensors *all, struct error *err, const char *format,
		  ...)
{
	(void)all;
	(void)err;
	(void)format;
	return Frama_C_interval(0, 1);
}

static bool any_storage(const struct object *o, struct torch_storage *s,
			const struct input_file *in, struct error *err)
{
	static const struct element none, some = { 'f', 4, false };

	(void)in;
	/*@ assert o->kind == OBJECT_PERSISTENT; */
	*s = (struct torch_storage){
		.key = letters + TEXT - length, .length = length,
		.dtype = "float32",
		.offset = Frama_C_size_t_interval(0, INT64_MAX),
	};
	s->element = Frama_C_interval(0, 1) ? some : none;
	return Frama_C_interval(0, 1) || fail(err, "");
}

static bool any_shape(struct tree *w, struct tensor *t, struct view *v,
		      const struct object *sizes, const struct object *strides)
{
	Frama_C_make_unknown((char *)v, sizeof *v);
	Frama_C_make_unknown((char *)t->shape, sizeof t->shape);
	t->rank = (size_t)Frama_C_interval_split(0, RANK_MOST + 1);
	/*@ assert \valid_read(sizes) && \valid_read(strides); */
	return Frama_C_interval(0, 1) || fail(w->err, "");
}

/* Any storage of a file, or none of this key. */
struct torch_record *torch_find(const struct torch_file *file, const char *name,
				size_t n)
{
	static struct torch_record record;

	(void)file;
	/*@ assert n == 0 || \valid_read(name + (0 .. n - 1)); */
	record.bytes = Frama_C_size_t_interval(0, SIZE_MAX);
	record.begin = Frama_C_size_t_interval(0, SIZE_MAX);
	return Frama_C_interval(0, 1) ? &record : NULL;
}

char *table_format(struct table *t, struct error *err, const char *format,
		   va_list list)
{
	static char text[1];

	(void)t;
	(void)format;
	(void)list;
	return Frama_C_interval(0, 1) || fail(err, "") ? text : NULL;
}

/* The offset of a value, and the element, of any storage. */
static void read_storage(void)
{
	struct torch_storage s;
	const struct input_file in = { .path = "x" };
	struct error err = { 0 };

	const struct object id = {
		.kind = OBJECT_PERSISTENT, .args = any_object(),
	};

	if (torch_storage(&id, &s, &in, &err)) {
		/*@ assert s.element.size > 0; */
		/*@ assert \valid_read(s.key + (0 .. s.length)); */
	}
}

/* Sizes [n] and strides [m] of a tensor that has none, or any number, yet. */
static void read_shape(struct tree *w, size_t n, size_t m, bool begins)
{
	static struct object values_of[2][SHAPED];
	static struct item items_of[2][SHAPED];
	const size_t both[] = { n, m };
	struct object lists[2] = { { 0 }, { 0 } };
	struct view v = { .offset = Frama_C_size_t_interval(
		0, SIZE_MAX - 1) };
	struct tensor t = { .rank = begins ? 0 : Frama_C_size_t_interval(
		0, SIZE_MAX / 2) };

	for (size_t i = 0; i < 2; i++) {
		lists[i].kind = OBJECT_TUPLE;
		lists[i].first = both[i] ? items_of[i] : NULL;
		for (size_t k = 0; k < both[i]; k++) {
			struct object *o = &values_of[i][k];

			o->kind = Frama_C_interval(0, OBJECT_PERSISTENT);
			o->integer = Frama_C_long_long_interval(INT64_MIN,
								INT64_MAX);
			items_of[i][k] = (struct item){
				o, k + 1 < both[i] ? &items_of[i][k + 1] : NULL
			};
		}
	}
	set_shape(w, &t, &v, &lists[0], &lists[1]);
	/*@ slevel merge; */
	asked = 0;
}

static void read_shapes(struct tree *w)
{
	for (size_t n = 0; n <= SHAPED; n++)
		for (size_t m = n ? n - 1 : 0; m <= n; m++) {
			read_shape(w, n, m, true);
			read_shape(w, m, n, false);
		}
}

static void read_any(struct tree *w)
{
	if (TOKEN == 0)
		read_storage();
	if (TOKEN == 2)
		read_shapes(w);
	for (size_t i = 0; TOKEN == 1 && i < MAKERS; i++) {
		asked = 0;
		add_tensor(w, i, make_object(PLAIN));
		/*@ slevel merge; */
		asked = 0;
	}
}

int main(void)
{
	static const size_t lengths[] = { 0, 7, TEXT };
	static struct tree w;
	const struct input_file in = { .path = "x" };
	struct error err = { 0 };
	struct tensors all = { 0 };
	const struct torch_file file = { 0 };

	make_lists();
	w.all = &all;
	w.file = &file;
	w.in = &in;
	w.err = &err;
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		length = lengths[i];
		Frama_C_make_unknown(letters, TEXT);
		w.steps = Frama_C_size_t_interval(0, STEPS_MOST);
		w.length = Frama_C_size_t_interval(0, PATH_MOST);
		asked = 0;
		read_any(&w);
		/*@ slevel merge; */
		asked = 0;
	}
	return 0;
}
