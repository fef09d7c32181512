/*
 * json_scan.h: reads JSON token by token through a window. It accepts exactly
 * RFC 8259, with limits of nesting, and strings must be valid UTF-8. All JSON
 * is read by it: numbers are exact to the last bit, errors have their line and
 * column, and large arrays need no tree in memory. json_tree.h makes trees of
 * small files.
 */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include "text/decimal.h"
#include "files/input.h"

struct json {
	struct input_file *in;
	char *at;             /* the next byte, in the window of in */
	char *stop;           /* end of the window; a NUL */
	size_t line;          /* from 1; 0: errors show byte offsets */
	size_t line_begin;    /* offset of the line in the file */
	size_t end;           /* offset at which the text ends at the latest */
};

/*
 * Begin at the window of in, which must have the first 3 bytes of the text, or
 * all if there are fewer; a byte order mark is skipped. The text ends at offset
 * end of the file or before.
 */
void json_begin(struct json *j, struct input_file *in, size_t end);

/* The next byte that is not a blank; 0 at the end, and on failure (err). */
char json_peek(struct json *j, struct error *err);

/* Skip c, which must come next. */
bool json_take(struct json *j, char c, struct error *err);

/*
 * In an object or array that ends with close: whether another member comes.
 * Skips the comma or the end; *n counts members, from 0. false also after any
 * failure (err).
 */
bool json_next(struct json *j, char close, size_t *n, struct error *err);

/*
 * Read a string [*n], followed by a NUL, with escapes resolved; in the window,
 * valid until the next call.
 */
bool json_string(struct json *j, const char **text, size_t *n,
		 struct error *err);

enum { JSON_KEY = 32, JSON_DEPTH = 64 };

/* Read the key of a member, "" if it is longer, and its colon. */
bool json_key(struct json *j, char key[JSON_KEY], struct error *err);

/* Read a number; its text is valid until the next call. */
bool json_number(struct json *j, struct decimal *d, const char **text,
		 struct error *err);

/* Skip word if it comes next. */
bool json_word(struct json *j, const char *word, struct error *err);

/* Skip any value of up to JSON_DEPTH levels; json_too_deep() fails beyond. */
bool json_skip(struct json *j, struct error *err);
bool json_too_deep(const struct json *j, struct error *err);

/* Expect nothing but blanks to the end. */
bool json_end(struct json *j, struct error *err);

/* The column of the next byte in its line, from 1. */
size_t json_column(const struct json *j);

/* Fail with "expected WANTED, got ...": the next word, or byte. */
bool json_unexpected(struct json *j, const char *wanted, struct error *err);

/* Fail with a sentence after the place: "table.json:3:7: ...". */
bool json_fail(const struct json *j, struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
