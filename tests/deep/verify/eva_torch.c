/*
 * eva_torch.c: reads checkpoints of PyTorch in any zip archive, as eva_zip.c
 * finds its members, with anything that pickles and other functions may give,
 * for the same proof as eva_npy.c. TOKEN: 0 lists a file, whose members' names
 * have some lengths up to 14; 1 finds, adds and keeps records; 2 looks at BYTES
 * bytes where a file begins.
 */
#include "eva.h"

enum {
	ROOM = 16,             /* the first capacity of the records */
	TEXT = 300,            /* most bytes of a path that is looked up */
	WINDOW = 128,          /* the same of a window */
};

/* An error may have a text at any time, see main(). */
static bool maybe(struct error *err)
{
	return Frama_C_nondet(0, 1) || fail(err, "");
}

#define bsearch find
#define qsort sort

static void *find(const void *wanted, const void *all, size_t n, size_t size,
		  int (*order)(const void *, const void *));
static void sort(void *all, size_t n, size_t size,
		 int (*order)(const void *, const void *));

#include "text/words.c"
#include "containers/torch.c"
#include "eva_members.h"
#include "eva_names.h"
#include "eva_torch.h"

static size_t length;  /* of a name, which ends where its memory does */
static char letters[TEXT], texts[TEXT + 1];  /* the same with a NUL */
static unsigned char room[WINDOW];
static struct torch_record records[2 * ROOM];

static size_t any_size(void)
{
	return Frama_C_size_t_interval(0, SIZE_MAX);
}

/* Any of those that there are, or none. */
static void *find(const void *wanted, const void *all, size_t n, size_t size,
		  int (*order)(const void *, const void *))
{
	const size_t i = Frama_C_size_t_interval(0, n - 1);
	const struct torch_record *r = all;

	/*@ assert n > 0 && size == sizeof(struct torch_record); */
	if (order(wanted, &r[i]) != 0 && Frama_C_nondet(0, 1))
		return NULL;
	return (void *)&r[i];
}

/* Any two of them may change places. */
static void sort(void *all, size_t n, size_t size,
		 int (*order)(const void *, const void *))
{
	struct torch_record *r = all;

	/*@ assert n > 0 && size == sizeof(struct torch_record); */
	for (size_t i = 1; i < n; i++)
		if (order(&r[i - 1], &r[i]) > 0) {
			const struct torch_record swap = r[i];

			r[i] = r[i - 1];
			r[i - 1] = swap;
		}
}

const struct name *name_twice(const void *items, size_t n, size_t size,
			      struct error *err)
{
	/*@ assert n == 0 || size >= sizeof(struct name); */
	return n && Frama_C_interval(0, 1) && maybe(err) ? items : NULL;
}

int names_order(const char *a, size_t n, const char *b, size_t m)
{
	/*@ assert n == 0 || \valid_read(a + (0 .. n - 1)); */
	/*@ assert m == 0 || \valid_read(b + (0 .. m - 1)); */
	return Frama_C_interval(-1, 1);
}

/* Memory for a name, which ends where it does, a file or records; or none. */
void *table_alloc(struct table *t, size_t n, size_t size, struct error *err)
{
	static struct torch_file file;
	static struct torch_record more[2 * ROOM];
	static char name[2 * TEXT];

	(void)t;
	/*@ assert n > 0; */
	if (!maybe(err))
		return NULL;
	if (size == sizeof file)
		return &file;
	if (size == sizeof *more)
		return n <= 2 * ROOM ? &more[2 * ROOM - n] : NULL;
	memset(name, 0, sizeof name);
	return n <= sizeof name ? name + sizeof name - n : NULL;
}

static void any_member(struct zip_member *m)
{
	Frama_C_make_unknown(letters, TEXT);
	Frama_C_make_unknown((char *)m, sizeof *m);
	m->name = letters + (length ? TEXT - length : 0);
	m->length = length;
}

bool zip_recognizes(const unsigned char *bytes, size_t n)
{
	return n >= 4 && bytes[3] == Frama_C_nondet(4, 6);
}

const char *zip_first_name(const unsigned char *bytes, size_t n,
			   size_t *length)
{
	enum { NAME = 30 };

	*length = 0;
	if (n < NAME || Frama_C_nondet(0, 1))
		return NULL;
	*length = Frama_C_size_t_interval(0, n - NAME);
	return (const char *)bytes + NAME;
}

const char *path_of_member(const struct input_file *in, const char *name,
			   struct table *owner, struct error *err)
{
	(void)owner;
	/*@ assert valid_read_string(name); */
	return maybe(err) ? in->path : NULL;
}

bool in_random(struct input_file *in, struct error *err)
{
	(void)in;
	return maybe(err);
}

/* The file has so many bytes or more, or ends. */
bool in_read(struct input_file *in, size_t n, struct error *err)
{
	/*@ assert n <= WINDOW; */
	in->n = Frama_C_nondet(0, 1) ? WINDOW : Frama_C_interval_split(0, 8);
	in->bytes = room + WINDOW - in->n;
	Frama_C_make_unknown((char *)room, WINDOW);
	return maybe(err);
}

const struct object *pickle_read(struct pickle *p)
{
	static const struct object o;

	p->in->at = any_size();
	return maybe(p->err) ? &o : NULL;
}

void pickle_end(struct pickle *p)
{
	p->blocks = NULL;
}

bool torch_legacy_begins(const unsigned char *bytes, size_t n)
{
	return n >= 14 && bytes[13] == Frama_C_nondet(0, 0x19);
}

bool torch_legacy_list(struct tensors *all, struct torch_file *file,
		       struct input_file *in, struct error *err)
{
	(void)all;
	in->at = any_size();
	file->n = 0;
	return maybe(err);
}

/* List the file. */
bool container_read(struct input_file *in, const struct read_options *options,
		    struct table *t, struct error *err)
{
	const struct container *c = options->container;
	struct tensors all = { .owner = t };

	return c->list(&all, in, err);
}

/* Records [n] of any members or storages. */
static void make_records(struct torch_file *file, size_t n, size_t capacity)
{
	Frama_C_make_unknown(texts, TEXT);
	for (size_t i = 0; i < n; i++) {
		any_member(&records[i].member);
		records[i].name = texts + TEXT - length;
		records[i].length = length;
		records[i].begin = any_size();
		records[i].bytes = any_size();
	}
	file->records = capacity ? records : NULL;
	file->n = n;
	file->room = capacity;
}

/* What an archive of up to three members says of itself. */
static void list_any(struct input_file *in, struct table *t)
{
	struct tensors all = { .owner = t };
	struct torch_file file = { 0 };
	struct error err = { 0 };
	size_t folder;

	err.text[0] = (char)Frama_C_interval(0, 1);
	for (size_t n = 0; n <= 3; n++) {
		make_records(&file, n, ROOM);
		find_pickle(&file, &folder, in, &err);
	}
	make_records(&file, 2, ROOM);
	read_order(&file, letters + (length ? TEXT - length : 0), length, in, t,
		   &err);
	read_pickle(&all, &file, &records[0], in, &err);
}

/* Records where there is room, or none, and storages among others. */
static void add_any(struct table *t)
{
	static const size_t used[] = { 0, 1, 3, ROOM - 1, ROOM };
	struct torch_file file = { 0 };
	struct error err = { 0 };

	for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
		Frama_C_make_unknown(letters, TEXT);
		make_records(&file, used[i], used[i] ? ROOM : 0);
		torch_find(&file, letters, length);
		torch_add(&file, texts + TEXT - length, length, t, &err);
		make_records(&file, used[i] < 4 ? used[i] : 4, ROOM);
		torch_sort(&file);
		make_records(&file, used[i] < 4 ? used[i] : 4, ROOM);
		keep_storages(&file, letters, length);
	}
}

int main(void)
{
	static const size_t lengths[] = { 0, 7, 8, 9, 13, 14 };
	static unsigned char bytes[BYTES + 1];
	struct input_file in = { .path = "x.pt" };
	struct read_options options = { .container = &torch_container };
	struct table t = { 0 };
	struct error err = { 0 };

	err.text[0] = (char)Frama_C_interval(0, 1);
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		length = lengths[i];
		if (TOKEN == 0 && length == 8)
			torch_format.read(&in, &options, &t, &err);
		else if (TOKEN == 0)
			list_any(&in, &t);
		else if (TOKEN == 1)
			add_any(&t);
		/*@ slevel merge; */
		in.n = 0;
	}
	Frama_C_make_unknown((char *)bytes, sizeof bytes);
	if (TOKEN == 2)
		torch_format.recognizes(bytes + sizeof bytes - BYTES,
					BYTES);
	return 0;
}
