/*
 * eva_zip.c: reads any bytes as parts of a zip archive, for the same proof as
 * eva_npy.c. TOKEN: 0 the end of a file of BYTES bytes, which says where the
 * central directory is, and as many where a file begins; 1 a central directory
 * of BYTES bytes; 2 extra fields of BYTES bytes; 3 where a member is; 4 its
 * next BYTES bytes.
 */
#include "eva.h"

#include "exact/bits.h"

enum { ROOM = BYTES + 64 };

/*
 * What is read ends where the room does, so that EVA sees reads behind it. TOKEN
 * 0 searches backwards: there it also begins where the room does.
 */
static unsigned char room[ROOM];

/* What the last bytes that were compared with a signature begin. */
static const unsigned char *entry = room;

static int same(const void *a, const void *b, size_t n)
{
	entry = a;
	return compare(a, b, n);
}

/* An error has a text from its beginning on. */
static bool failed(struct error *err, ...)
{
	err->text[0] = 'x';
	return false;
}

/*
 * A length, which EVA follows one by one: to most, if there are so many bytes
 * left; or one for which there is no room.
 */
static uint64_t length(size_t left, size_t most, size_t step)
{
	uint64_t i = 0;

	while (i < most && i < left && Frama_C_nondet(0, 1))
		i += step;
	return Frama_C_nondet(0, 1) ? i
	     : Frama_C_size_t_interval(left + 1, UINT16_MAX);
}

/*
 * Any number of n bytes; but names and extra fields of entries that have room
 * take up to LENGTH bytes each. Behind a longer comment no entry has room.
 */
static uint64_t number(const unsigned char *bytes, size_t n)
{
	enum { ENTRIES = 46, LENGTH = BYTES < 2 * ENTRIES ? 8 : 4 };
	static const unsigned char *last;
	const uint64_t x = little_endian(bytes, n);
	const ptrdiff_t at = bytes - entry;
	const size_t left = BYTES < ENTRIES ? 0 : BYTES - ENTRIES;

	/* Neither flags and a method nor what extra fields are */
	if (n != 2 || at == 8 || at == 10 || bytes + 2 == last)
		return x;
	last = bytes;
	if (TOKEN == 1 && at == 32)
		return length(left > ENTRIES ? left - ENTRIES : 0, left, 1);
	if (TOKEN == 1)
		return length(left, LENGTH, 1);
	return TOKEN == 2 ? length(BYTES, BYTES, BYTES < 16 ? 1 : 4) : x;
}

#undef memcmp
#define memcmp same
#define fail_file failed
#define fail_memory failed
#define little_endian number

#include "containers/zip.c"

static bool maybe(struct error *err)
{
	return Frama_C_nondet(0, 1) || failed(err);
}

bool in_random(struct input_file *in, struct error *err)
{
	(void)in;
	return maybe(err);
}

bool in_skip(struct input_file *in, size_t at, struct error *err)
{
	(void)at;
	in->at = Frama_C_size_t_interval(0, SIZE_MAX);
	in->n = 0;
	return maybe(err);
}

/*
 * The file has any bytes, which may change meanwhile, or ends; but if a central
 * directory is looked for, its end says that it has BYTES bytes.
 */
bool in_read(struct input_file *in, size_t n, struct error *err)
{
	in->n = n && n <= ROOM ? n - Frama_C_interval_split(0, 1) : 0;
	in->n = Frama_C_nondet(0, 1) ? in->n : 0;
	in->bytes = room + ROOM - in->n;
	if (TOKEN == 0 && Frama_C_interval_split(0, 1))
		in->bytes = room;
	if (TOKEN == 4) {
		in->n = Frama_C_size_t_interval(0, ROOM);
		in->bytes = room;
	}
	Frama_C_make_unknown((char *)room, ROOM);
	if (TOKEN == 1 && n == END) {
		room[ROOM - 10] = BYTES;
		memset(room + ROOM - 9, 0, 3);
	}
	return maybe(err);
}

void in_drop(struct input_file *in, size_t n)
{
	in->bytes += n;
	in->n -= n;
	in->at += n;
}

static bool add_any(void *to, const struct zip_member *m, struct error *err)
{
	static char name[BYTES + 1];

	(void)to;
	if (m->length)
		memcpy(name, m->name, m->length);
	return maybe(err);
}

void in_source(struct input_file *in, const char *path, struct source *s)
{
	*in = (struct input_file){ .path = path, .source = s };
}

void in_close(struct input_file *in)
{
	(void)in;
}

bool inflate_begin(struct inflate *d)
{
	d->stream = NULL;
	return Frama_C_nondet(0, 1);
}

void inflate_end(struct inflate *d)
{
	(void)d;
}

size_t inflate_bytes(struct inflate *d, const void *from, size_t *n, void *to,
		     size_t left)
{
	const size_t got = Frama_C_size_t_interval(0, left);

	d->short_of_memory = Frama_C_nondet(0, 1);
	*n = Frama_C_size_t_interval(0, *n);
	Frama_C_make_unknown(to, left);
	(void)from;
	return Frama_C_nondet(0, 1) ? got : SIZE_MAX;
}

unsigned long crc_add(unsigned long crc, const void *bytes, size_t n)
{
	(void)bytes;
	(void)n;
	return crc ^ Frama_C_unsigned_long_interval(0, UINT32_MAX);
}

/* A member of which anything is said. */
static void open_any(struct input_file *in, struct error *err)
{
	struct zip_member m;
	struct zip_stream s;
	struct input_file member;

	Frama_C_make_unknown((char *)&m, sizeof m);
	if (zip_open(&s, in, &m, Frama_C_nondet(0, 1), "x", &member, err))
		zip_close(&s, &member);
}

/* The next bytes, wherever in it. */
static void read_any(struct input_file *in, struct error *err)
{
	struct zip_stream s = { .in = in, .path = "x" };
	unsigned char to[BYTES];

	Frama_C_make_unknown((char *)&s.left, sizeof s.left);
	s.check = Frama_C_nondet(0, 1);
	s.crc = Frama_C_unsigned_long_interval(0, UINT32_MAX);
	read_member(&s.source, to, BYTES, err);
}

int main(void)
{
	struct input_file in = { .path = "x.npz", .size = TOKEN ? END : BYTES };
	struct directory d = { 0 };
	struct zip_member m = { 0 };
	struct error err = { 0 };

	(void)d, (void)m;
#if TOKEN == 0
	find_directory(&d, &in, &err);
	Frama_C_make_unknown((char *)room, ROOM);
	zip_recognizes(room + ROOM - BYTES, BYTES);
	zip_first_name(room + ROOM - BYTES, BYTES, &(size_t){ 0 });
#elif TOKEN == 1
	zip_members(&in, add_any, NULL, &err);
#elif TOKEN == 2
	Frama_C_make_unknown((char *)&m, sizeof m);
	Frama_C_make_unknown((char *)room, ROOM);
	read_large(&m, room + ROOM - BYTES, BYTES);
#elif TOKEN == 3
	in.size = Frama_C_size_t_interval(0, SIZE_MAX);
	open_any(&in, &err);
#else
	read_any(&in, &err);
#endif
	return 0;
}
