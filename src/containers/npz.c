/* npz.c: several arrays of NumPy: a zip archive of NAME.npy. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "containers/tensors.h"
#include "containers/zip.h"
#include "formats/deflate.h"
#include "formats/npy.h"
#include "formats/style.h"
#include "text/words.h"

extern const struct format npy_format;

/* Add a member NAME.npy; others are no arrays. */
static bool add_member(void *to, const struct zip_member *m, struct error *err)
{
	static const char suffix[] = ".npy";
	struct tensors *all = to;
	struct zip_member *copy;
	struct tensor *t;

	if (!text_ends_in(m->name, m->length, suffix))
		return true;
	copy = table_alloc(all->owner, 1, sizeof *copy, err);
	t = copy ? tensors_add(all, m->name,
			       m->length - strlen(suffix), err) : NULL;
	if (!t)
		return false;
	*copy = *m;
	t->member = copy;
	return true;
}

static bool npz_list(struct tensors *all, struct input_file *in,
		     struct error *err)
{
	return zip_members(in, add_member, all, err) &&
	       tensors_check_names(all, in, err);
}

/*
 * Open a member, of which so many bytes may be unpacked (zip_check_unpacked());
 * zip_close() must follow on success.
 */
static bool open_member(struct zip_stream *s, struct input_file *in,
			const struct tensor *one, size_t most,
			struct table *owner, struct input_file *member,
			struct error *err)
{
	const char *path = path_of_member(in, one->name, owner, err);

	return path && zip_check_unpacked(one->member, most, path, err) &&
	       zip_open(s, in, one->member, true, path, member, err);
}

static bool npz_read_one(struct input_file *in, const struct tensors *all,
			 const struct tensor *one, struct table *t,
			 struct error *err)
{
	struct input_file member;
	struct zip_stream s;
	bool good;

	(void)all;
	if (!open_member(&s, in, one, t->most, t, &member, err))
		return false;
	good = npy_format.read(&member, NULL, t, err);
	zip_close(&s, &member);
	return good;
}

/* Read the header of a member. */
static void describe(struct input_file *in, struct tensor *t,
		     struct table *owner, struct error *err)
{
	struct input_file member;
	struct zip_stream s;

	if (!open_member(&s, in, t, SIZE_MAX, owner, &member, err))
		return;
	if (!npy_describe(&member, t->dtype, &t->element, t->shape, &t->rank,
			  err))
		t->dtype[0] = '\0';
	zip_close(&s, &member);
}

/* What can't be told of a member, such as an encrypted one, is a note, unless a
   call failed. */
static bool npz_describe(struct tensors *all, struct input_file *in,
			 struct error *err)
{
	for (size_t i = 0; i < all->n; i++) {
		struct error why = { 0 };

		describe(in, &all->at[i], all->owner, &why);
		pass_call(err, &why);
		if (why.text[0] && !tensors_note(all, err, "%s", why.text))
			return false;
	}
	return !err->text[0];
}

static const struct container npz = {
	.list = npz_list,
	.describe = npz_describe,
	.read = npz_read_one,
};

/* A zip archive that does not begin with a pickle, as those of PyTorch do. */
static bool npz_recognizes(const unsigned char *b, size_t n)
{
	size_t length;
	const char *name = zip_first_name(b, n, &length);

	return zip_recognizes(b, n) &&
	       !(name && length >= 4 &&
		 memcmp(name + length - 4, ".pkl", 4) == 0);
}

static bool npz_check(const struct style *style, const struct table *t,
		      struct error *err)
{
	bool good = style_check_names(style, t, err);

	for (; good && t; t = t->beside)
		good = npy_format.check(style, t, err);
	return good;
}

static size_t npz_size(const struct table *t, bool *exact)
{
	size_t n = 0;

	for (; t; t = t->beside)
		n += npy_format.size(t, exact);
	*exact = false;
	return n;
}

static void npz_write(const struct style *style, const struct table *t,
		      struct output_file *o)
{
	const bool several = t->beside;
	struct zip_writer w = { .out = o };

	for (; t; t = t->beside) {
		char array[ARRAY_NAME_ROOM], name[ZIP_NAME];
		bool exact;

		style_name(style, t, several, array);
		snprintf(name, sizeof name, "%s.npy", array);
		zip_add(&w, name, npy_format.size(t, &exact));
		npy_format.write(style, t, o);
		zip_added(&w);
	}
	zip_end(&w);
}

const struct format npz_format = {
	.name = "npz",
	.summary = "NumPy archive (.npz) of an array, or of several as "
		   "with --out cos,sin, not compressed",
	.binary = true,
	.several = true,
	.check = npz_check,
	.size = npz_size,
	.write = npz_write,
	.container = &npz,
	.recognizes = npz_recognizes,
	.read = container_read,
};
