/*
 * zip.h: the members of a zip archive (APPNOTE.TXT), stored or deflated. The
 * central directory at its end says where they are and how large; of what is
 * before their bytes only the length counts.
 */
#ifndef ZIP_H
#define ZIP_H

#include <stdint.h>

#include "files/input.h"
#include "files/output.h"
#include "formats/deflate.h"
#include "table/table.h"

/* What the directory says of a member. */
struct zip_member {
	const char *name;      /* [length]; valid while it is added */
	size_t length;
	uint64_t packed, size; /* bytes in the archive, and of the member */
	uint64_t at;           /* offset of its local header */
	unsigned long crc;
	unsigned method, flags;
};

/* Whether a file that begins with bytes [n] is a zip archive. */
bool zip_recognizes(const unsigned char *bytes, size_t n);

/* The name [*length] of the first member in the first n bytes of an archive;
   NULL: these are of no archive, or end before it does. */
const char *zip_first_name(const unsigned char *bytes, size_t n,
			   size_t *length);

/*
 * Give all members to add(), which may fail, in the order of the directory. in
 * becomes readable at any offset.
 */
bool zip_members(struct input_file *in,
		 bool (*add)(void *to, const struct zip_member *m,
			     struct error *err),
		 void *to, struct error *err);

/* Whether the bytes of a member are in the archive as they are. */
bool zip_stored(const struct zip_member *m);

/*
 * Find the offset of a member's bytes; they are in the file. path names the
 * member in messages.
 */
bool zip_find(struct input_file *in, const struct zip_member *m,
	      const char *path, size_t *begin, struct error *err);

/*
 * Fail if a compressed member has more bytes than may be unpacked: a small
 * archive may claim any number. most is --max-memory, or 0.
 */
bool zip_check_unpacked(const struct zip_member *m, size_t most,
			const char *path, struct error *err);

/* The bytes of a member as they are read. */
struct zip_stream {
	struct source source;
	struct input_file *in;
	struct zip_member left;  /* what is still to come */
	bool check;              /* the CRC-32 at the end */
	unsigned long crc;       /* of what came */
	struct inflate inflate;
	const char *path;
};

/*
 * Open a member for reading from front to back. zip_close() must follow on
 * success; in, path and s must outlive member.
 */
bool zip_open(struct zip_stream *s, struct input_file *in,
	      const struct zip_member *m, bool check, const char *path,
	      struct input_file *member, struct error *err);
void zip_close(struct zip_stream *s, struct input_file *member);

enum { ZIP_NAME = 120 };

/* A stored member. */
struct zip_written {
	char name[ZIP_NAME];
	uint64_t bytes;        /* how many will be written */
	uint64_t at;           /* where its head is */
	unsigned long crc;     /* of what was written */
};

/* An archive of so many members. */
struct zip_writer {
	struct output_file *out;
	struct zip_written members[BESIDE_MOST];
	size_t n;
};

/*
 * Write the head of a member, with sizes of 64 bits like numpy.savez(); so many
 * bytes of it follow, then zip_added().
 */
void zip_add(struct zip_writer *w, const char *name, uint64_t bytes);
void zip_added(struct zip_writer *w);

/* Write the central directory and its end. */
void zip_end(struct zip_writer *w);

#endif
