/*
 * json_scan.h: JSON, token by token through a window. Strict: no number, no
 * string and no nesting passes that RFC 8259 has not, and strings are UTF-8.
 * Numbers come to the last bit, and a tree of them would take 20 times the
 * memory; hence not cJSON, which writes our heads.
 */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include "formats/decimal.h"
#include "formats/in.h"

struct json {
	struct in *in;
	char *at;             /* the next byte, in the window of in, */
	char *stop;           /* which ends here, with a NUL */
	size_t line;          /* from 1; 0: only bytes are counted */
	size_t line_begin;    /* where in the file the line begins */
	size_t end;           /* where in the file the text ends, at most */
};

/*
 * Begin where the window does, which has the first 3 bytes of the text if
 * there are as many: a byte order mark is passed. The text ends at end of the
 * file at most.
 */
void json_begin(struct json *j, struct in *in, size_t end);

/* The next byte that is no blank; 0 at the end, and with err for failures. */
char json_peek(struct json *j, struct error *err);

/* Pass c, which must come next. */
bool json_take(struct json *j, char c, struct error *err);

/*
 * In an object or array that ends with close: whether another member comes.
 * Passes the comma, and the end; *n counts members, from 0. None comes once
 * anything has failed.
 */
bool json_next(struct json *j, char close, size_t *n, struct error *err);

/* A string [*n], its escapes resolved, good until the next call. */
bool json_string(struct json *j, const char **text, size_t *n,
		 struct error *err);

enum { JSON_KEY = 32 };

/* The key of a member, "" where it is longer than key, and its colon. */
bool json_key(struct json *j, char key[JSON_KEY], struct error *err);

/* A number; its text is good until the next call. */
bool json_number(struct json *j, struct decimal *d, const char **text,
		 struct error *err);

/* Pass word if it comes next. */
bool json_word(struct json *j, const char *word, struct error *err);

/* Pass any value. */
bool json_skip(struct json *j, struct error *err);

/* Nothing but blanks comes. */
bool json_end(struct json *j, struct error *err);

/* Have n bytes after at in the window, unless the text ends. */
bool json_more(struct json *j, size_t n, struct error *err);

/* Whether the text ends with the window. */
bool json_last(const struct json *j);

/* Fail: what comes stands where wanted should. */
bool json_unexpected(struct json *j, const char *wanted, struct error *err);

/* Fail with what, at the place: "table.json:3:7: ...". */
bool json_fail(const struct json *j, struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
