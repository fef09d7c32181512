/*
 * torch_legacy.c: files of PyTorch before 1.6. Five pickles follow each other:
 * a magic number, a version, facts about the machine, the object, and the keys
 * of storages. Then each storage comes in that order: how many values it has in
 * 64 bits, and the values, little-endian.
 */
#include <string.h>

#include "exact/bits.h"
#include "containers/torch.h"

enum { VERSION = 1001, COUNT = 8 };

static const char magic[] = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";

bool torch_legacy_begins(const unsigned char *bytes, size_t n)
{
	/* PROTO 2, LONG1 of ten bytes */
	return n >= 14 && memcmp(bytes, "\x80\x02\x8a\x0a", 4) == 0 &&
	       memcmp(bytes + 4, magic, sizeof magic - 1) == 0;
}

/* The storages that the pickle names, each once. */
static bool name_storages(struct torch_file *file, const struct pickle *p,
			  struct table *owner)
{
	for (const struct item *i = p->persistent.first; i; i = i->next) {
		struct torch_storage s;
		struct torch_record *r;

		if (!torch_storage(i->object, &s, p->in, p->err))
			return false;
		r = torch_add(file, s.key, s.length, owner, p->err);
		if (!r)
			return false;
		r->size = s.element.size;
	}
	torch_sort(file);
	return true;
}

/* Move past the values of a storage, which come next. */
static bool pass_storage(struct torch_record *r, struct input_file *in,
			 struct error *err)
{
	uint64_t count = 0;

	if (!in_read(in, COUNT, err))
		return false;
	if (in->n >= COUNT)
		count = little_endian(in->bytes, COUNT);
	if (in->n < COUNT || count > (in_left(in) - COUNT) / r->size)
		return fail_file(err, in->path, "ends within storage '%.100s' "
				 "of %llu values", r->name,
				 (unsigned long long)count);
	r->begin = in->at + COUNT;
	r->bytes = count * r->size;
	return in_skip(in, r->begin + (size_t)r->bytes, err);
}

/* Find where storages are: they come in the order of keys. */
static bool find_storages(const struct torch_file *file,
			  const struct object *keys, struct input_file *in,
			  struct error *err)
{
	for (const struct item *i = keys->first; i; i = i->next) {
		const struct object *key = i->object;
		struct torch_record *r = key->kind == OBJECT_TEXT
				? torch_find(file, key->text, key->length)
				: NULL;

		if (!r || r->begin)
			return fail_file(err, in->path, "a storage that no "
					 "tensor has, or that comes twice");
		if (!pass_storage(r, in, err))
			return false;
	}
	return true;
}

/* Read the pickles before the object. */
static bool read_head(struct pickle *p)
{
	const struct object *o = pickle_read(p);

	if (!o)
		return false;
	if (!object_is(o, OBJECT_LONG, magic))
		return fail_file(p->err, p->in->path, "not a checkpoint of "
				 "PyTorch: this pickle does not begin with "
				 "its magic number");
	o = pickle_read(p);
	if (!o)
		return false;
	if (o->kind != OBJECT_INTEGER || o->integer != VERSION)
		return fail_file(p->err, p->in->path, "expected version 1001 "
				 "of a PyTorch file, got another one");
	return true;
}

/* Read the facts about the machine. */
static bool read_machine(struct pickle *p)
{
	const struct object *o = pickle_read(p);
	const struct item *i = o && o->kind == OBJECT_DICT ? o->first : NULL;

	for (; i; i = i->next->next) {
		const struct object *value = i->next->object;

		if (object_is(i->object, OBJECT_TEXT, "little_endian") &&
		    !(value->kind == OBJECT_BOOL && value->integer))
			return fail_file(p->err, p->in->path, "written on a "
					 "big-endian machine, which posenc "
					 "does not read");
	}
	return o;
}

bool torch_legacy_list(struct tensors *all, struct torch_file *file,
		       struct input_file *in, struct error *err)
{
	struct pickle p = { .in = in, .err = err, .calls = torch_calls };
	const struct object *root, *keys;
	bool good;

	root = read_head(&p) && read_machine(&p) ? pickle_read(&p) : NULL;
	keys = root ? pickle_read(&p) : NULL;
	if (keys && keys->kind != OBJECT_LIST)
		fail_file(err, in->path, "expected a list of storages after "
			  "the objects");
	good = keys && keys->kind == OBJECT_LIST &&
	       name_storages(file, &p, all->owner) &&
	       find_storages(file, keys, in, err) &&
	       torch_tree(all, file, root, in, err) &&
	       torch_note(all, &p, err);
	pickle_end(&p);
	return good;
}
