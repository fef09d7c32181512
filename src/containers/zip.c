/* zip.c: zip archives: the central directory, and the bytes of members. */
#include <stdint.h>
#include <string.h>

#include "exact/bits.h"
#include "containers/zip.h"

enum {
	END = 22, END_MOST = END + 65535,  /* with a comment */
	LOCATOR = 20, END64 = 56, ENTRY = 46, LOCAL = 30,
	STORED = 0, DEFLATED = 8, ENCRYPTED = 1,
	ZIP64 = 1,                         /* the identifier of extra fields */
	RATIO_MOST = 1032,                 /* of what deflate makes of a byte */
	DIRECTORY_MOST = 1 << 26,          /* bytes, of a million members */
};

bool zip_recognizes(const unsigned char *b, size_t n)
{
	return n >= 4 && (!memcmp(b, "PK\3\4", 4) || !memcmp(b, "PK\5\6", 4));
}

const char *zip_first_name(const unsigned char *b, size_t n, size_t *length)
{
	*length = n < LOCAL ? 0 : little_endian(b + 26, 2);
	return n >= LOCAL && *length <= n - LOCAL && zip_recognizes(b, n)
	       ? (const char *)b + LOCAL : NULL;
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
	fail_file(err, in->path, "not a complete zip archive: it ends at byte "
		  "%zu", in->at + in->n);
	return NULL;
}

/* The central directory. */
struct directory {
	uint64_t at, bytes, entries;
};

static bool no_archive(const struct input_file *in, struct error *err)
{
	return fail_file(err, in->path, "not a complete zip archive: its "
			 "central directory is missing");
}

/* Where sizes take 64 bits: a locator before the end says where they are. */
static bool find_large(struct directory *d, struct input_file *in, size_t end,
		       struct error *err)
{
	const unsigned char *b = end < LOCATOR ? NULL
			       : bytes_at(in, end - LOCATOR, LOCATOR, err);

	if (!b || memcmp(b, "PK\6\7", 4) != 0)
		return no_archive(in, err);
	b = bytes_at(in, little_endian(b + 8, 8), END64, err);
	if (!b || memcmp(b, "PK\6\6", 4) != 0)
		return no_archive(in, err);
	*d = (struct directory){
		little_endian(b + 48, 8), little_endian(b + 40, 8),
		little_endian(b + 32, 8),
	};
	return true;
}

/* The end record of an archive, in the last bytes [n] of its file; or NULL. */
static const unsigned char *find_end(const unsigned char *b, size_t n)
{
	for (size_t comment = 0; comment + END <= n; comment++) {
		const unsigned char *end = b + n - END - comment;

		if (!memcmp(end, "PK\5\6", 4) &&
		    little_endian(end + 20, 2) == comment)
			return end;
	}
	return NULL;
}

static bool find_directory(struct directory *d, struct input_file *in,
			   struct error *err)
{
	const size_t n = in->size < END_MOST ? in->size : END_MOST;
	const unsigned char *b = bytes_at(in, in->size - n, n, err), *end;

	if (!b)
		return false;
	end = find_end(b, n);
	if (!end)
		return no_archive(in, err);
	*d = (struct directory){
		little_endian(end + 16, 4), little_endian(end + 12, 4),
		little_endian(end + 10, 2),
	};
	return (d->at != UINT32_MAX && d->bytes != UINT32_MAX &&
		d->entries != UINT16_MAX) ||
	       find_large(d, in, in->size - n + (size_t)(end - b), err);
}

/* Sizes that take 64 bits are in an extra field, of n bytes in all. */
static void read_large(struct zip_member *m, const unsigned char *b, size_t n)
{
	uint64_t *const fields[] = { &m->size, &m->packed, &m->at };
	size_t size;

	for (; n >= 4; b += 4 + size, n -= 4 + size) {
		const unsigned char *value = b + 4, *end;

		size = little_endian(b + 2, 2);
		if (size > n - 4)
			return;
		end = value + size;
		for (size_t i = 0; little_endian(b, 2) == ZIP64 && i < 3; i++)
			if (*fields[i] == UINT32_MAX && end - value >= 8) {
				*fields[i] = little_endian(value, 8);
				value += 8;
			}
	}
}

/* The entry of a member [left]; its length, or 0: broken. */
static size_t read_entry(const unsigned char *b, size_t left,
			 struct zip_member *m)
{
	size_t extra, all;

	if (left < ENTRY || memcmp(b, "PK\1\2", 4) != 0)
		return 0;
	*m = (struct zip_member){
		.name = (const char *)b + ENTRY,
		.length = little_endian(b + 28, 2),
		.packed = little_endian(b + 20, 4),
		.size = little_endian(b + 24, 4),
		.at = little_endian(b + 42, 4),
		.crc = little_endian(b + 16, 4),
		.method = (unsigned)little_endian(b + 10, 2),
		.flags = (unsigned)little_endian(b + 8, 2),
	};
	extra = little_endian(b + 30, 2);
	all = ENTRY + m->length + extra + little_endian(b + 32, 2);
	if (all > left)
		return 0;
	read_large(m, b + ENTRY + m->length, extra);
	return all;
}

bool zip_members(struct input_file *in,
		 bool (*add)(void *to, const struct zip_member *m,
			     struct error *err),
		 void *to, struct error *err)
{
	struct directory d = { 0 };
	const unsigned char *b;
	struct zip_member m;

	if (!in_random(in, err) || !find_directory(&d, in, err))
		return false;
	if (d.bytes > DIRECTORY_MOST)
		return fail_file(err, in->path, "a central directory of %llu "
				 "bytes; posenc reads up to %d",
				 (unsigned long long)d.bytes, DIRECTORY_MOST);
	b = bytes_at(in, d.at, d.bytes, err);
	for (size_t n; b && d.entries; d.entries--, b += n, d.bytes -= n) {
		n = read_entry(b, d.bytes, &m);
		if (!n)
			return fail_file(err, in->path, "broken entry in the "
					 "central directory of this zip "
					 "archive");
		if (!add(to, &m, err))
			return false;
	}
	return b;
}

bool zip_stored(const struct zip_member *m)
{
	return m->method == STORED;
}

/* Check how a member is stored. */
static bool check_method(const struct zip_member *m, const char *path,
			 struct error *err)
{
	if (m->flags & ENCRYPTED)
		return fail_file(err, path, "an encrypted member, which "
				 "posenc does not read");
	if (m->method != STORED && m->method != DEFLATED)
		return fail_file(err, path, "compressed by method %u; posenc "
				 "reads stored and deflated members",
				 m->method);
	return true;
}

bool zip_find(struct input_file *in, const struct zip_member *m,
	      const char *path, size_t *begin, struct error *err)
{
	const unsigned char *b;
	uint64_t data;

	if (!check_method(m, path, err))
		return false;
	b = bytes_at(in, m->at, LOCAL, err);
	if (!b)
		return false;
	data = m->at + LOCAL + little_endian(b + 26, 2) +
	       little_endian(b + 28, 2);
	if (memcmp(b, "PK\3\4", 4) != 0 || data > in->size ||
	    m->packed > in->size - data)
		return fail_file(err, path, "its %llu bytes are not where the "
				 "central directory says",
				 (unsigned long long)m->packed);
	if (zip_stored(m) ? m->packed != m->size
			  : m->size / RATIO_MOST > m->packed)
		return fail_file(err, path, "a %s member of %llu bytes "
				 "cannot take %llu in the archive",
				 zip_stored(m) ? "stored" : "deflated",
				 (unsigned long long)m->size,
				 (unsigned long long)m->packed);
	*begin = (size_t)data;
	return true;
}

bool zip_check_unpacked(const struct zip_member *m, size_t most,
			const char *path, struct error *err)
{
	enum { UNPACKED_MOST = 1 << 30 };

	if (zip_stored(m) || m->size <= (most ? most : UNPACKED_MOST))
		return true;
	return fail_file(err, path, "a compressed member of %llu MB; posenc "
			 "reads up to %zu, unless --max-memory allows more",
			 (unsigned long long)(m->size >> 20),
			 (most ? most : UNPACKED_MOST) >> 20);
}

/* Copy or decompress up to n bytes, one at least; 0: an error. */
static size_t unpack(struct zip_stream *s, unsigned char *to, size_t n,
		     struct error *err)
{
	struct input_file *in = s->in;
	size_t used, got;

	do {
		if (!in_read(in, 1, err))
			return 0;
		used = in->n < s->left.packed ? in->n : (size_t)s->left.packed;
		if (!zip_stored(&s->left)) {
			got = inflate_bytes(&s->inflate, in->bytes, &used, to,
					    n);
		} else {
			got = used = used < n ? used : n;
			memcpy(to, in->bytes, got);
		}
		if (got == SIZE_MAX || (!got && !used)) {
			if (s->inflate.short_of_memory)
				fail_memory(err);
			else
				fail_file(err, s->path, "damaged or truncated: "
					  "%llu bytes are missing",
					  (unsigned long long)s->left.size);
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
	struct zip_stream *s = (struct zip_stream *)source;
	size_t got;

	if (!s->left.size && s->check && s->crc != s->left.crc) {
		fail_file(err, s->path, "expected CRC-32 %08lx, got %08lx: a "
			  "damaged file", s->left.crc, s->crc);
		return -1;
	}
	if (!s->left.size)
		return 0;
	got = unpack(s, to, n < s->left.size ? n : (size_t)s->left.size, err);
	if (s->check)
		s->crc = crc_add(s->crc, to, got);
	s->left.size -= got;
	return got ? (ssize_t)got : -1;
}

bool zip_open(struct zip_stream *s, struct input_file *in,
	      const struct zip_member *m, bool check, const char *path,
	      struct input_file *member, struct error *err)
{
	size_t begin;

	*s = (struct zip_stream){
		.source.read = read_member, .in = in, .path = path,
		.left = *m, .check = check,
	};
	if (!zip_find(in, m, path, &begin, err) || !in_skip(in, begin, err))
		return false;
	in_source(member, path, &s->source);
	member->expected = (size_t)m->size;
	if (inflate_begin(&s->inflate))
		return true;
	zip_close(s, member);
	return fail_memory(err);
}

void zip_close(struct zip_stream *s, struct input_file *member)
{
	inflate_end(&s->inflate);
	in_close(member);
}
