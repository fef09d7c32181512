/*
 * eva_npz.c: lists, describes and reads any members of a zip archive, as
 * eva_zip.c finds them, for the same proof as eva_npy.c. Their names have up to
 * BYTES bytes.
 */
#include "eva.h"

enum { TENSORS = 2 };

/* An error has a text from its beginning on. */
static bool failed(struct error *err, ...)
{
	err->text[0] = 'x';
	return false;
}

static bool maybe(struct error *err)
{
	return Frama_C_nondet(0, 1) || failed(err);
}

#include "text/words.c"
#include "containers/npz.c"
#include "eva_members.h"

bool zip_recognizes(const unsigned char *bytes, size_t n)
{
	(void)bytes;
	(void)n;
	return Frama_C_nondet(0, 1);
}

static size_t length;  /* of a name, which ends where its memory does */

static void any_member(struct zip_member *m)
{
	static char name[BYTES];

	Frama_C_make_unknown(name, BYTES);
	Frama_C_make_unknown((char *)m, sizeof *m);
	m->name = name + BYTES - length;
	m->length = length;
}

static bool read_any(struct input_file *in, const struct read_options *options,
		     struct table *t, struct error *err)
{
	(void)options;
	in->at = Frama_C_size_t_interval(0, SIZE_MAX);
	t->rows = 1;
	return maybe(err);
}

const struct format npy_format = { .read = read_any };

bool npy_describe(struct input_file *in, char dtype[NPY_DTYPE],
		  struct element *element, size_t shape[RANK_MOST],
		  size_t *rank, struct error *err)
{
	in->at = Frama_C_size_t_interval(0, SIZE_MAX);
	Frama_C_make_unknown(dtype, NPY_DTYPE);
	Frama_C_make_unknown((char *)element, sizeof *element);
	Frama_C_make_unknown((char *)shape, RANK_MOST * sizeof *shape);
	*rank = Frama_C_size_t_interval(0, RANK_MOST);
	return maybe(err);
}

/* Places for TENSORS tensors. */
struct tensor *tensors_add(struct tensors *all, const char *name, size_t n,
			   struct error *err)
{
	static char copy[BYTES + 1];

	if (all->n == TENSORS || Frama_C_nondet(0, 1)) {
		failed(err);
		return NULL;
	}
	if (n)
		memcpy(copy, name, n);
	all->at[all->n] = (struct tensor){ .name = copy, .length = n };
	return &all->at[all->n++];
}

void *table_alloc(struct table *t, size_t n, size_t size, struct error *err)
{
	static struct zip_member memory;

	(void)t;
	if (n == 1 && size == sizeof memory && Frama_C_nondet(0, 1))
		return &memory;
	failed(err);
	return NULL;
}

const char *path_of_member(const struct input_file *in, const char *name,
			   struct table *owner, struct error *err)
{
	(void)name;
	(void)owner;
	return maybe(err) ? in->path : NULL;
}

bool zip_check_unpacked(const struct zip_member *m, size_t most,
			const char *path, struct error *err)
{
	(void)most;
	(void)path;
	/*@ assert \valid_read(m); */
	return maybe(err);
}

bool tensors_check_names(const struct tensors *all, const struct input_file *in,
			 struct error *err)
{
	(void)in;
	return all->n && maybe(err);
}

bool tensors_note(struct tensors *all, struct error *err, const char *format,
		  ...)
{
	all->note = format;
	return maybe(err);
}

void pass_call(struct error *err, const struct error *part)
{
	if (part->text[0] && Frama_C_nondet(0, 1))
		*err = *part;
}

/* Any that are listed, and any that were. */
bool container_read(struct input_file *in, const struct read_options *options,
		    struct table *t, struct error *err)
{
	const struct container *c = options->container;
	static struct tensor tensors[TENSORS];
	static struct zip_member member;
	struct tensors all = { .owner = t, .at = tensors, .room = TENSORS };

	all.n = Frama_C_nondet(0, 1) ? TENSORS - 1 : TENSORS;
	if (!c->list(&all, in, err))
		return false;
	any_member(&member);
	for (all.n = 0; all.n < TENSORS; all.n++)
		all.at[all.n] = (struct tensor){ .name = "x", .length = 1,
						 .member = &member };
	return c->describe(&all, in, err) &&
	       c->read(in, &all, &all.at[TENSORS - 1], t, err);
}

int main(void)
{
	struct input_file in = { .path = "x.npz" };
	struct read_options options = { .container = &npz };
	struct table t = { 0 };

	for (length = 0; length <= BYTES; length++) {
		struct error err = { 0 };

		npz_format.read(&in, &options, &t, &err);
	}
	return 0;
}
