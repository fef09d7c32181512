/*
 * eva_torch_legacy.c: lists any file of PyTorch before 1.6, for the same proof
 * as eva_npy.c. Its pickles are any objects that eva_pickle.c shows to follow,
 * and of its window any number of bytes are there. It also looks at BYTES bytes
 * where a file begins.
 */
#include "eva.h"

#include "containers/torch_legacy.c"
#include "eva_objects.h"

enum { ROOM = 2 * COUNT, TEXT = 16 };

/* The window ends where it does, so that EVA sees what is read behind it. */
static unsigned char room[ROOM];
static char letters[TEXT + 1];

/* Lists of any objects, of keys, each with a value, and of storages. */
static struct object any, text, stored;
static struct item list[2], keys[2], values[2], storages[2];

static struct torch_record record;

static bool maybe(struct error *err)
{
	return Frama_C_interval(0, 1) || fail(err, "");
}

#include "eva_torch.h"

static void make_lists(void)
{
	const size_t i = Frama_C_size_t_interval(0, 1);
	const struct object *const objects[] = { &any, &text, &stored };
	const struct object *o = objects[Frama_C_interval(0, 2)];

	Frama_C_make_unknown(letters, TEXT);
	any.kind = Frama_C_nondet(OBJECT_OTHER, OBJECT_TUPLE);
	text.kind = OBJECT_TEXT;
	text.text = letters;
	text.length = TEXT;
	stored.kind = OBJECT_PERSISTENT;
	stored.args = &any;
	for (size_t k = 0; k < 2; k++) {
		list[k] = (struct item){ o, &list[i] };
		keys[k] = (struct item){ o, &values[i] };
		values[k] = (struct item){ o, &keys[i] };
		storages[k] = (struct item){ &stored, &storages[i] };
	}
	list[i].next = values[i].next = storages[i].next = NULL;
}

/* A pickle is any object, or broken; its storages are in a list. */
const struct object *pickle_read(struct pickle *p)
{
	static struct object o[5];

	p->persistent.first = Frama_C_interval(0, 1) ? storages : NULL;
	p->in->at = Frama_C_size_t_interval(0, SIZE_MAX);
	o[0].kind = Frama_C_nondet(OBJECT_OTHER, OBJECT_LONG);
	o[1].kind = Frama_C_nondet(OBJECT_BOOL, OBJECT_INTEGER);
	o[1].integer = Frama_C_long_long_interval(INT64_MIN, INT64_MAX);
	o[2].kind = Frama_C_nondet(OBJECT_LIST, OBJECT_TUPLE);
	o[2].first = Frama_C_interval(0, 1) ? list : NULL;
	o[3].kind = OBJECT_DICT;
	o[3].pairs = true;
	o[3].first = Frama_C_interval(0, 1) ? keys : NULL;
	o[4].kind = Frama_C_nondet(OBJECT_TEXT, OBJECT_CALL);
	if (maybe(p->err))
		return &o[Frama_C_interval_split(0, 4)];
	return NULL;
}

void pickle_end(struct pickle *p)
{
	p->persistent.first = NULL;
}

/* As eva_torch_tree.c shows: the key has an end, and values have a size. */
bool torch_storage(const struct object *o, struct torch_storage *s,
		   const struct input_file *in, struct error *err)
{
	const bool good = maybe(err);

	(void)in;
	/*@ assert o->kind == OBJECT_PERSISTENT && \valid_read(o->args); */
	/*@ split good; */
	if (!good)
		return false;
	*s = (struct torch_storage){
		.key = letters, .length = TEXT, .dtype = "float32",
		.element = { 0, Frama_C_size_t_interval(1, 16), false },
	};
	return true;
}

struct torch_record *torch_add(struct torch_file *file, const char *name,
			       size_t n, struct table *owner, struct error *err)
{
	(void)owner;
	/*@ assert n == 0 || \valid_read(name + (0 .. n - 1)); */
	if (!maybe(err))
		return NULL;
	file->n = 1;
	record.name = letters;
	record.length = n;
	return &record;
}

void torch_sort(struct torch_file *file)
{
	(void)file;
}

/* One that was added: name_storages() set the size of its values. */
struct torch_record *torch_find(const struct torch_file *file, const char *name,
				size_t n)
{
	/*@ assert n == 0 || \valid_read(name + (0 .. n - 1)); */
	/*@ assert !file->n || record.size > 0; */
	return file->n && Frama_C_interval(0, 1) ? &record : NULL;
}

/* The file has so many bytes or more, or ends. */
bool in_read(struct input_file *in, size_t n, struct error *err)
{
	in->n = n - Frama_C_interval_split(0, COUNT);
	in->n = Frama_C_nondet(0, 1) ? in->n : ROOM;
	in->bytes = room + ROOM - in->n;
	Frama_C_make_unknown((char *)room, ROOM);
	return maybe(err);
}

size_t in_left(const struct input_file *in)
{
	return Frama_C_size_t_interval(in->n, SIZE_MAX);
}

/* What of a file is looked at first. */
static void look(void)
{
	static unsigned char bytes[BYTES + 1];

	Frama_C_make_unknown((char *)bytes, sizeof bytes);
	torch_legacy_begins(bytes + sizeof bytes - BYTES, BYTES);
}

int main(void)
{
	struct tensors all = { 0 };
	struct torch_file file = { 0 };
	struct input_file in = { .path = "x.pt" };
	struct error err = { 0 };

	make_lists();
	look();
	torch_legacy_list(&all, &file, &in, &err);
	return 0;
}
