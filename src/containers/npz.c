/*
 * npz.c: several arrays of NumPy: a zip archive (APPNOTE.TXT) of NAME.npy,
 * stored or deflated. The central directory at its end says where they are.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "formats/deflate.h"
#include "containers/tensors.h"

extern const struct format npy_format;

enum {
	END = 22, END_MOST = END + 65535,  /* with a comment */
	LOCATOR = 20, END64 = 56, ENTRY = 46, LOCAL = 30,
	STORED = 0, DEFLATED = 8, ENCRYPTED = 1,
	ZIP64 = 1,                         /* the identifier of extra fields */
};

static uint64_t number(const unsigned char *bytes, size_t size)
{
	uint64_t x = 0;

	while (size-- > 0)
		x = x << 8 | bytes[size];
	return x;
}

/* Bytes [n] at an offset of the file, valid until the next call, or NULL. */
static const unsigned char *bytes_at(struct input_file *in, uint64_t at,
				     uint64_t n, struct error *err)
{
	if (!in_skip(in, at < in->size ? (size_t)at : in->size, err) ||
	    !in_read(in, (size_t)n, err))
		return NULL;
	if (in->n >= n)
		return in->bytes;
	fail_file(err, in->path, "not a whole zip archive: it ends at byte %zu",
		  in->at + in->n);
	return NULL;
}

/* The central directory. */
struct directory {
	uint64_t at, bytes, entries;
};

static bool no_archive(const struct input_file *in, struct error *err)
{
	return fail_file(err, in->path, "not a whole zip archive: its central "
			 "directory is missing");
}

/* Where sizes take 64 bits: a locator before the end says where they are. */
static bool find_large(struct directory *d, struct input_file *in, size_t end,
		       struct error *err)
{
	const unsigned char *b = end < LOCATOR ? NULL
			       : bytes_at(in, end - LOCATOR, LOCATOR, err);

	if (!b || memcmp(b, "PK\6\7", 4) != 0)
		return no_archive(in, err);
	b = bytes_at(in, number(b + 8, 8), END64, err);
	if (!b || memcmp(b, "PK\6\6", 4) != 0)
		return no_archive(in, err);
	*d = (struct directory){ number(b + 48, 8), number(b + 40, 8),
				 number(b + 32, 8) };
	return true;
}

static bool find_directory(struct directory *d, struct input_file *in,
			   struct error *err)
{
	const size_t n = in->size < END_MOST ? in->size : END_MOST;
	const unsigned char *b = bytes_at(in, in->size - n, n, err);
	size_t at = n;

	if (!b)
		return false;
	/* The comment ends with the file */
	while (at-- > 0)
		if (n - at >= END && !memcmp(b + at, "PK\5\6", 4) &&
		    number(b + at + 20, 2) == n - at - END)
			break;
	if (at == SIZE_MAX)
		return no_archive(in, err);
	b += at;
	*d = (struct directory){ number(b + 16, 4), number(b + 12, 4),
				 number(b + 10, 2) };
	return (d->at != UINT32_MAX && d->bytes != UINT32_MAX &&
		d->entries != UINT16_MAX) ||
	       find_large(d, in, in->size - n + at, err);
}

/* What the directory says of a member; at: of what comes before its bytes. */
struct member {
	uint64_t packed, size, at;
	unsigned long crc;
	uint64_t method, flags;
};

/* Sizes that take 64 bits are in an extra field, of n bytes in all. */
static void read_large(struct member *m, const unsigned char *b, size_t n)
{
	uint64_t *const fields[] = { &m->size, &m->packed, &m->at };
	size_t size;

	for (; n >= 4; b += 4 + size, n -= 4 + size) {
		const unsigned char *value = b + 4, *end;

		size = number(b + 2, 2);
		if (size > n - 4)
			return;
		end = value + size;
		for (size_t i = 0; number(b, 2) == ZIP64 && i < 3; i++)
			if (*fields[i] == UINT32_MAX && end - value >= 8) {
				*fields[i] = number(value, 8);
				value += 8;
			}
	}
}

/* The entry of a member [left]; its length, or 0: broken. */
static size_t read_entry(const unsigned char *b, size_t left, struct member *m)
{
	size_t name, extra, all;

	if (left < ENTRY || memcmp(b, "PK\1\2", 4) != 0)
		return 0;
	*m = (struct member){
		.packed = number(b + 20, 4), .size = number(b + 24, 4),
		.at = number(b + 42, 4), .crc = number(b + 16, 4),
		.method = number(b + 10, 2), .flags = number(b + 8, 2),
	};
	name = number(b + 28, 2);
	extra = number(b + 30, 2);
	all = ENTRY + name + extra + number(b + 32, 2);
	if (all > left)
		return 0;
	read_large(m, b + ENTRY + name, extra);
	return all;
}

/* Add a member NAME.npy; others are no arrays. */
static bool add_member(struct tensors *all, const unsigned char *b,
		       const struct member *m, struct error *err)
{
	static const char suffix[] = ".npy";
	const size_t end = sizeof suffix - 1, n = number(b + 28, 2);
	const char *name = (const char *)b + ENTRY;
	struct member *copy;
	struct tensor *t;

	if (n < end || memcmp(name + n - end, suffix, end) != 0)
		return true;
	copy = table_alloc(all->owner, 1, sizeof *copy, err);
	t = copy ? tensors_add(all, name, n - end, err) : NULL;
	if (!t)
		return false;
	*copy = *m;
	t->where = copy;
	return true;
}

static bool npz_list(struct tensors *all, struct input_file *in,
		     struct error *err)
{
	struct directory d = { 0 };
	const unsigned char *b;
	struct member m;

	if (!in_random(in, err) || !find_directory(&d, in, err))
		return false;
	b = bytes_at(in, d.at, d.bytes, err);
	for (size_t n; b && d.entries; d.entries--, b += n, d.bytes -= n) {
		n = read_entry(b, d.bytes, &m);
		if (!n)
			return fail_file(err, in->path, "broken entry in the "
					 "central directory of this zip "
					 "archive");
		if (!add_member(all, b, &m, err))
			return false;
	}
	return b && tensors_check_names(all, in, err);
}

/* The bytes of a member as they are read. */
struct stream {
	struct source source;
	struct input_file *in;
	struct member left;    /* what is still to come, and its CRC */
	unsigned long crc;     /* of what came */
	struct inflate inflate;
	const char *path;
};

/* Copy or decompress up to n bytes, one at least; 0: an error. */
static size_t unpack(struct stream *s, unsigned char *to, size_t n,
		     struct error *err)
{
	struct input_file *in = s->in;
	size_t used, got;

	do {
		if (!in_read(in, 1, err))
			return 0;
		used = in->n < s->left.packed ? in->n : (size_t)s->left.packed;
		if (s->left.method == DEFLATED) {
			got = inflate_bytes(&s->inflate, in->bytes, &used, to,
					    n);
		} else {
			got = used = used < n ? used : n;
			memcpy(to, in->bytes, got);
		}
		if (got == SIZE_MAX || (!got && !used)) {
			fail_file(err, s->path, "broken or cut: %llu bytes are "
				  "missing", (unsigned long long)s->left.size);
			return 0;
		}
		in_drop(in, used);
		s->left.packed -= used;
	} while (!got);
	return got;
}

static ssize_t read_member(struct source *source, unsigned char *to, size_t n,
			   struct error *err)
{
	struct stream *s = (struct stream *)source;
	size_t got;

	if (!s->left.size && s->crc != s->left.crc) {
		fail_file(err, s->path, "CRC-32 is %08lx, not %08lx: a "
			  "damaged file", s->crc, s->left.crc);
		return -1;
	}
	if (!s->left.size)
		return 0;
	got = unpack(s, to, n < s->left.size ? n : (size_t)s->left.size, err);
	s->crc = crc_add(s->crc, to, got);
	s->left.size -= got;
	return got ? (ssize_t)got : -1;
}

/* Check how a member is stored, and move to its bytes. */
static bool find_bytes(const struct stream *s, struct error *err)
{
	const struct member *m = &s->left;
	const unsigned char *b;
	uint64_t data;

	if (m->flags & ENCRYPTED)
		return fail_file(err, s->path, "an encrypted member, which "
				 "posenc does not read");
	if (m->method != STORED && m->method != DEFLATED)
		return fail_file(err, s->path, "compressed by method %llu; "
				 "posenc reads stored and deflated members",
				 (unsigned long long)m->method);
	b = bytes_at(s->in, m->at, LOCAL, err);
	if (!b)
		return false;
	data = m->at + LOCAL + number(b + 26, 2) + number(b + 28, 2);
	if (memcmp(b, "PK\3\4", 4) != 0 || data > s->in->size ||
	    m->packed > s->in->size - data)
		return fail_file(err, s->path, "its %llu bytes are not where "
				 "the central directory says",
				 (unsigned long long)m->packed);
	if (m->method == STORED && m->packed != m->size)
		return fail_file(err, s->path, "a stored member of %llu bytes "
				 "in %llu", (unsigned long long)m->size,
				 (unsigned long long)m->packed);
	return in_skip(s->in, (size_t)data, err);
}

static bool npz_read_one(struct input_file *in, const struct tensors *all,
			 const struct tensor *one, struct table *t,
			 struct error *err)
{
	const size_t room = strlen(in->path) + one->length + 2;
	char *path = table_alloc(t, room, 1, err);
	struct stream s = {
		.source.read = read_member, .in = in, .path = path,
		.left = *(const struct member *)one->where,
	};
	struct input_file member;
	bool good;

	(void)all;
	if (!path)
		return false;
	snprintf(path, room, "%s:%s", in->path, one->name);
	if (!find_bytes(&s, err))
		return false;
	in_source(&member, path, &s.source);
	good = inflate_begin(&s.inflate) || fail_memory(err);
	good = good && npy_format.read(&member, NULL, t, err);
	inflate_end(&s.inflate);
	in_close(&member);
	return good;
}

static const struct container npz = {
	.list = npz_list,
	.read = npz_read_one,
};

static bool npz_read(struct input_file *in, const struct read_options *options,
		     struct table *t, struct error *err)
{
	return container_read(&npz, in, options, t, err);
}

static bool npz_recognizes(const unsigned char *b, size_t n)
{
	return n >= 4 && (!memcmp(b, "PK\3\4", 4) || !memcmp(b, "PK\5\6", 4));
}

const struct format npz_format = {
	.name = "npz",
	.binary = true,
	.container = &npz,
	.recognizes = npz_recognizes,
	.read = npz_read,
};
