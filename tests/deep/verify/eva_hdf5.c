/*
 * eva_hdf5.c: receives any bytes from libhdf5's process, for the same proof as
 * eva_npy.c: any list of datasets, whose names are cut or have up to BYTES
 * bytes; and anything that it leaves in shared memory. TOKEN: 0 lists a file,
 * 1 reads a dataset.
 */
#include "eva.h"

#include "containers/hdf5.h"
#include "containers/hdf5_process.h"

enum { ROOM = sizeof(struct dataset), TENSORS = 2 };

/* The window ends where it does, so that EVA sees what is read behind it. */
static unsigned char room[ROOM] __attribute__((aligned(8)));

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

#define fail_file failed
#define fail_memory failed
#define fail_call failed
#define snprintf print
#define munmap(p, n) unmap(p, n)
#define free(p) ((void)(p))

/* Any text of up to n - 1 bytes. */
static void print(char *to, size_t n, ...)
{
	Frama_C_make_unknown(to, n);
	to[n - 1] = '\0';
}

static int unmap(void *p, size_t n);

#include "containers/hdf5.c"
#include "eva_names.h"

/* Any length of a name; EVA follows those up to BYTES one by one. */
static uint32_t any_length(void)
{
	uint32_t n = 0;

	while (n < BYTES && Frama_C_nondet(0, 1))
		n++;
	return Frama_C_nondet(0, 1) ? n
	     : Frama_C_unsigned_int_interval(BYTES + 1, UINT32_MAX);
}

/* Any bytes, or the end of them. */
bool in_read(struct input_file *in, size_t n, struct error *err)
{
	struct dataset *d = (struct dataset *)room;
	const bool fits = n == sizeof *d || (n && n <= BYTES);

	in->n = fits ? n - Frama_C_interval_split(0, 1) : 0;
	in->n = Frama_C_nondet(0, 1) ? in->n : 0;
	in->bytes = room + ROOM - in->n;
	Frama_C_make_unknown((char *)room, ROOM);
	if (in->n == sizeof *d)
		d->length = any_length();
	return maybe(err);
}

void in_drop(struct input_file *in, size_t n)
{
	in->bytes += n;
	in->n -= n;
	in->at += n;
}

bool element_known(struct element e)
{
	return e.size && e.size <= 8 && e.kind && Frama_C_nondet(0, 1);
}

/* Room for up to TENSORS tensors. */
struct tensor *tensors_add(struct tensors *all, const char *name, size_t n,
			   struct error *err)
{
	static struct tensor tensors[TENSORS];
	static char copy[ROOM + 1];

	if (all->n == TENSORS || Frama_C_nondet(0, 1)) {
		failed(err);
		return NULL;
	}
	all->at = tensors;
	if (n)
		memcpy(copy, name, n);
	all->at[all->n] = (struct tensor){ .name = copy, .length = n };
	return &all->at[all->n++];
}

void *table_alloc(struct table *t, size_t n, size_t size, struct error *err)
{
	static char memory[sizeof(struct dataset)];

	(void)t;
	memset(memory, 0, sizeof memory);
	if (n * size <= sizeof memory && Frama_C_nondet(0, 1))
		return memory;
	failed(err);
	return NULL;
}

/* What the process did with this memory is only known once it has ended. */
static struct shared shared;
static char version[HDF5_VERSION];

void *process_share(size_t n)
{
	void *of = n == sizeof shared ? (void *)&shared : version;

	return Frama_C_nondet(0, 1) ? of : NULL;
}

pid_t process_start(void (*work)(void *self), void *self)
{
	(void)work;
	(void)self;
	return Frama_C_interval(-1, INT_MAX);
}

int process_wait(pid_t child)
{
	(void)child;
	Frama_C_make_unknown((char *)&shared, sizeof shared);
	Frama_C_make_unknown(version, sizeof version);
	return Frama_C_interval(INT_MIN, INT_MAX);
}

static int unmap(void *p, size_t n)
{
	(void)p;
	(void)n;
	return 0;
}

void in_pipe(struct input_file *in, const char *path, int fd)
{
	*in = (struct input_file){ .path = path, .fd = fd, .size = SIZE_MAX };
}

void in_close(struct input_file *in)
{
	(void)in;
}

bool in_unchanged(const struct input_file *in, struct error *err)
{
	(void)in;
	return maybe(err);
}

bool tensor_check(const struct input_file *in, const struct tensor *one,
		  struct error *err)
{
	(void)in;
	return one->element.kind && one->rank && one->rank <= RANK_MOST &&
	       maybe(err);
}

bool tensor_read(struct input_file *in, const struct tensor *one,
		 struct table *t, struct error *err)
{
	(void)in;
	t->rows = one->shape[0];
	return maybe(err);
}

const struct tensor *tensors_choose(struct tensors *all,
				    const struct input_file *in,
				    const char *pattern, struct error *err)
{
	(void)in;
	(void)pattern;
	return all->n && maybe(err) ? all->at : NULL;
}

bool tensors_title(const char *pattern, const struct tensor *one,
		   struct table *t, struct error *err)
{
	(void)pattern;
	t->title = one->name;
	return maybe(err);
}

int main(void)
{
	static char text[HDF5_VERSION];
	struct tensors all = { 0 };
	struct input_file in = { .path = "x.h5" };
	struct read_options options = { 0 };
	struct table t = { 0 };
	struct error err = { 0 };

	in.seeks = Frama_C_nondet(0, 1);
	in.size = Frama_C_size_t_interval(1, SIZE_MAX - 1);
#if TOKEN == 0
	(void)t, (void)options;
	hdf5_list(&all, &in, &err);
	hdf5_version(text);
	Frama_C_make_unknown((char *)room, ROOM);
	for (size_t n = 0; n <= 8; n++)
		hdf5_format.recognizes(room + ROOM - n, n);
#else
	(void)all, (void)text;
	options.tensor = Frama_C_nondet(0, 1) ? "//x" : NULL;
	hdf5_format.read(&in, &options, &t, &err);
#endif
	return 0;
}
