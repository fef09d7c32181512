/*
 * torch.c: checkpoints that torch.save() writes: zip archives with the members
 * data.pkl, which describes the tensors, and data/KEY, their values; and legacy
 * files. PyTorch checks no CRC-32 and does not always write one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/bits.h"
#include "containers/torch.h"
#include "text/words.h"

enum { PICKLE_MOST = 1 << 30 };  /* bytes of data.pkl */

static int by_name(const void *left, const void *right)
{
	const struct torch_record *a = left, *b = right;

	return names_order(a->name, a->length, b->name, b->length);
}

struct torch_record *torch_find(const struct torch_file *file, const char *name,
				size_t n)
{
	const struct torch_record wanted = { .name = name, .length = n };

	return file->n ? bsearch(&wanted, file->records, file->n,
				 sizeof wanted, by_name) : NULL;
}

struct torch_record *torch_add(struct torch_file *file, const char *name,
			       size_t n, struct table *owner,
			       struct error *err)
{
	char *copy = table_alloc(owner, n + 1, 1, err);

	if (!copy)
		return NULL;
	memcpy(copy, name, n);
	if (file->n == file->room) {
		const size_t room = file->room ? 2 * file->room : 16;
		struct torch_record *more = table_alloc(owner, room,
							sizeof *more, err);

		if (!more)
			return NULL;
		if (file->n)
			memcpy(more, file->records, file->n * sizeof *more);
		file->records = more;
		file->room = room;
	}
	file->records[file->n] = (struct torch_record){ .name = copy,
							.length = n };
	return &file->records[file->n++];
}

void torch_sort(struct torch_file *file)
{
	struct torch_record *r = file->records;
	const size_t all = file->n;

	if (all)
		qsort(r, all, sizeof *r, by_name);
	file->n = 0;
	for (size_t i = 0; i < all; i++)
		if (!i || by_name(&r[file->n - 1], &r[i]) != 0)
			r[file->n++] = r[i];
}

/* Whether the last part of a name [n] is base. */
static bool base_is(const char *name, size_t n, const char *base)
{
	const size_t m = strlen(base);

	return text_ends_in(name, n, base) &&
	       (n == m || name[n - m - 1] == '/');
}

/* Where members are added. */
struct adding {
	struct torch_file *file;
	struct table *owner;
};

static bool add_member(void *to, const struct zip_member *m, struct error *err)
{
	struct adding *a = to;
	struct torch_record *r = torch_add(a->file, m->name, m->length,
					   a->owner, err);

	if (r) {
		r->member = *m;
		r->member.name = r->name;
		r->bytes = m->size;
	}
	return r;
}

static const char pickle_name[] = "data.pkl";

/*
 * The member FOLDER/data.pkl, and the length of "FOLDER/"; NULL: not an archive
 * of torch.save().
 */
static const struct torch_record *find_pickle(const struct torch_file *file,
					      size_t *folder,
					      const struct input_file *in,
					      struct error *err)
{
	const struct torch_record *found = NULL;
	size_t n = 0;

	for (size_t i = 0; i < file->n; i++) {
		const struct torch_record *r = &file->records[i];

		if (base_is(r->name, r->length, "constants.pkl")) {
			fail_file(err, in->path, "a TorchScript archive, which "
				  "posenc does not read; save the tensors alone"
				  ": torch.save(model.state_dict(), FILE)");
			return NULL;
		}
		if (base_is(r->name, r->length, pickle_name)) {
			found = r;
			*folder = r->length - (sizeof pickle_name - 1);
			n++;
		}
	}
	if (n != 1) {
		fail_file(err, in->path, "not a checkpoint of PyTorch: "
			  "expected one member data.pkl, got %zu", n);
		return NULL;
	}
	return found;
}

/* Read the member byteorder, if there is one. */
static bool read_order(struct torch_file *file, const char *folder, size_t n,
		       struct input_file *in, struct table *owner,
		       struct error *err)
{
	static const char name[] = "byteorder";
	char *wanted = table_alloc(owner, n + sizeof name, 1, err);
	const struct torch_record *r;
	struct input_file member;
	struct zip_stream s;
	const char *path;
	bool good;

	if (!wanted)
		return false;
	memcpy(wanted, folder, n);
	memcpy(wanted + n, name, sizeof name);
	r = torch_find(file, wanted, n + sizeof name - 1);
	if (!r)
		return true;
	path = path_of_member(in, r->name, owner, err);
	if (!path || !zip_open(&s, in, &r->member, false, path, &member, err))
		return false;
	good = in_read(&member, 8, err);
	file->big = good && member.n == 3 && !memcmp(member.bytes, "big", 3);
	if (good && !file->big &&
	    !(member.n == 6 && !memcmp(member.bytes, "little", 6)))
		good = fail_file(err, path, "expected little or big");
	zip_close(&s, &member);
	return good;
}

/* List the tensors that data.pkl describes. */
static bool read_pickle(struct tensors *all, struct torch_file *file,
			const struct torch_record *r, struct input_file *in,
			struct error *err)
{
	const char *path = path_of_member(in, r->name, all->owner,
					  err);
	struct pickle p = { .err = err, .calls = torch_calls };
	struct input_file member;
	struct zip_stream s;
	const struct object *root;
	bool good;

	if (path && r->member.size > PICKLE_MOST)
		return fail_file(err, path, "%llu bytes; posenc reads up to %d",
				 (unsigned long long)r->member.size,
				 PICKLE_MOST);
	if (!path || !zip_open(&s, in, &r->member, false, path, &member, err))
		return false;
	p.in = &member;
	root = pickle_read(&p);
	good = root && torch_tree(all, file, root, in, err) &&
	       torch_note(all, &p, err);
	pickle_end(&p);
	zip_close(&s, &member);
	return good;
}

/* Leave the members FOLDER/data/KEY, which begin alike, by their keys. */
static void keep_storages(struct torch_file *file, const char *folder, size_t n)
{
	static const char data[] = "data/";
	const size_t before = n + sizeof data - 1;
	size_t kept = 0;

	for (size_t i = 0; i < file->n; i++) {
		struct torch_record r = file->records[i];

		if (r.length < before || memcmp(r.name, folder, n) != 0 ||
		    memcmp(r.name + n, data, sizeof data - 1) != 0)
			continue;
		r.name += before;
		r.length -= before;
		file->records[kept++] = r;
	}
	file->n = kept;
}

static bool list_archive(struct tensors *all, struct torch_file *file,
			 struct input_file *in, struct error *err)
{
	struct adding to = { file, all->owner };
	const struct torch_record *found;
	struct torch_record pickle;
	size_t n = 0;

	file->archive = true;
	if (!zip_members(in, add_member, &to, err))
		return false;
	if (name_twice(file->records, file->n, sizeof *file->records, err))
		return fail_file(err, in->path, "two members have the same "
				 "name");
	if (err->text[0])
		return false;
	torch_sort(file);
	found = find_pickle(file, &n, in, err);
	if (!found)
		return false;
	pickle = *found;
	if (!read_order(file, pickle.name, n, in, all->owner, err))
		return false;
	keep_storages(file, pickle.name, n);
	return read_pickle(all, file, &pickle, in, err);
}

static bool torch_list(struct tensors *all, struct input_file *in,
		       struct error *err)
{
	struct torch_file *file = table_alloc(all->owner, 1, sizeof *file, err);
	bool good;

	if (!file || !in_random(in, err) || !in_read(in, FIRST_BYTES, err))
		return false;
	if (zip_recognizes(in->bytes, in->n))
		good = list_archive(all, file, in, err);
	else if (in->n && in->bytes[0] == 0x80)
		good = torch_legacy_list(all, file, in, err);
	else
		good = fail_file(err, in->path, "not a checkpoint of PyTorch: "
				 "it begins neither as a zip archive nor as a "
				 "pickle");
	return good && tensors_check_names(all, in, err);
}

const struct container torch_container = {
	.list = torch_list,
};

/* An archive begins with data.pkl, its first member, as torch.save() writes. */
static bool torch_recognizes(const unsigned char *b, size_t n)
{
	size_t length;
	const char *name = zip_first_name(b, n, &length);

	return torch_legacy_begins(b, n) ||
	       (name && base_is(name, length, "data.pkl"));
}

const struct format torch_format = {
	.name = "pt",
	.read_suffixes = { "pth", "bin", "ckpt" },
	.binary = true,
	.container = &torch_container,
	.recognizes = torch_recognizes,
	.read = container_read,
};
