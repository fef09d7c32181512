/* json_scan.c: reads JSON token by token through a window. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "table/limit.h"
#include "text/utf8.h"
#include "formats/json_scan.h"

enum {
	SHORT = 64,
	TOKEN_MOST = LIMIT(1 << 27, 1 << 9),  /* bytes of a string or number */
};

/* The offset of the next byte in the file. */
static size_t offset(const struct json *j)
{
	return j->in->at + (size_t)(j->at - (char *)j->in->bytes);
}

size_t json_column(const struct json *j)
{
	return offset(j) - j->line_begin + 1;
}

bool json_fail(const struct json *j, struct error *err, const char *fmt, ...)
{
	char place[340], what[200];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof what, fmt, args);
	va_end(args);
	if (!j->line)
		return fail_file(err, j->in->path, "byte %zu: %s", offset(j),
				 what);
	snprintf(place, sizeof place, "%.300s:%zu:%zu", j->in->path, j->line,
		 json_column(j));
	return fail_file(err, place, "%s", what);
}

/* Update j after the window has moved or grown. */
static void see_window(struct json *j)
{
	const struct input_file *in = j->in;
	const size_t left = j->end - in->at;

	j->at = (char *)in->bytes;
	j->stop = j->at + (in->n < left ? in->n : left);
}

/* Read until the window has n bytes after at, or the text ends. */
static bool json_more(struct json *j, size_t n, struct error *err)
{
	struct input_file *in = j->in;
	bool good;

	if (n <= (size_t)(j->stop - j->at) || in->ended ||
	    in->at + in->n >= j->end)
		return true;
	if (j->stop - j->at > TOKEN_MOST)
		return json_fail(j, err, "a string or number must have at most "
				 "%d MB, got a longer one", TOKEN_MOST >> 20);
	in_drop(in, (size_t)(j->at - (char *)in->bytes));
	good = in_read(in, n, err);
	/* The window has moved also if reading failed. */
	see_window(j);
	return good;
}

/* Whether the text ends with the window. */
static bool json_last(const struct json *j)
{
	return j->in->ended || j->in->at + j->in->n >= j->end;
}

void json_begin(struct json *j, struct input_file *in, size_t end)
{
	*j = (struct json){ .in = in, .line = 1, .line_begin = in->at,
			    .end = end };
	see_window(j);
	if (j->stop - j->at >= 3 && memcmp(j->at, "\xef\xbb\xbf", 3) == 0) {
		j->at += 3;
		j->line_begin += 3;
	}
}

char json_peek(struct json *j, struct error *err)
{
	for (;; j->at++) {
		/* At the end of the text there is a NUL */
		if (j->at == j->stop && !json_more(j, SHORT, err))
			return 0;
		if (*j->at == '\n') {
			j->line += j->line > 0;
			j->line_begin = offset(j) + 1;
		} else if (*j->at != ' ' && *j->at != '\t' && *j->at != '\r') {
			return *j->at;
		}
	}
}

/* The characters that end a number, and with which a word in messages ends. */
#define ENDS ",]} \t\r\n"

/* The length of the word at s that a message shows. */
static int word_length(const char *s, const char *ends)
{
	const size_t n = strcspn(s, ends);

	return n < SHORT - 4 ? (int)n : SHORT - 4;
}

bool json_unexpected(struct json *j, const char *wanted, struct error *err)
{
	const unsigned char c = (unsigned char)json_peek(j, err);

	if (j->at == j->stop)
		return json_fail(j, err, "expected %s, got the end of the text",
				 wanted);
	if (c < ' ' || c > '~')
		return json_fail(j, err, "expected %s, got byte %d", wanted, c);
	json_more(j, SHORT, err);
	return json_fail(j, err, "expected %s, got '%.*s'", wanted,
			 isalpha(c) ? word_length(j->at, ":" ENDS) : 1, j->at);
}

bool json_take(struct json *j, char c, struct error *err)
{
	const char wanted[] = { '\'', c, '\'', '\0' };

	if (json_peek(j, err) != c)
		return json_unexpected(j, wanted, err);
	j->at++;
	return true;
}

bool json_next(struct json *j, char close, size_t *n, struct error *err)
{
	const char wanted[] = { '\'', ',', '\'', ' ', 'o', 'r', ' ',
				'\'', close, '\'', '\0' };
	const char c = json_peek(j, err);

	if (err->text[0])
		return false;
	if (c == close) {
		j->at++;
		return false;
	}
	if (*n && c != ',')
		return json_unexpected(j, wanted, err);
	j->at += *n > 0;
	++*n;
	return true;
}

bool json_key(struct json *j, char key[JSON_KEY], struct error *err)
{
	const char *text = "";
	size_t n = 0;

	if (!json_string(j, &text, &n, err))
		return false;
	if (n >= JSON_KEY)
		n = 0;
	memcpy(key, text, n);
	key[n] = '\0';
	return json_take(j, ':', err);
}

bool json_number(struct json *j, struct decimal *d, const char **text,
		 struct error *err)
{
	const char c = json_peek(j, err);

	if (c != '-' && (c < '0' || c > '9'))
		return json_unexpected(j, "a number", err);
	if (j->stop - j->at < SHORT && !json_more(j, SHORT, err))
		return false;
	/* An exponent begins with up to two bytes that are not digits. */
	while (*d = decimal_read(j->at),
	       j->stop - d->end < 3 && !json_last(j))
		if (!json_more(j, 2 * (size_t)(j->stop - j->at), err))
			return false;
	if (!d->json || !strchr(ENDS, *d->end))
		return json_fail(j, err, "expected a number, got '%.*s'",
				 word_length(j->at, ENDS), j->at);
	if (isinf(d->x))
		return json_fail(j, err, "number out of range for float64");
	*text = j->at;
	j->at += d->end - j->at;
	return true;
}

bool json_word(struct json *j, const char *word, struct error *err)
{
	const size_t n = strlen(word);

	if (!json_peek(j, err) || !json_more(j, n, err) ||
	    (size_t)(j->stop - j->at) < n || memcmp(j->at, word, n) != 0)
		return false;
	j->at += n;
	return true;
}

bool json_too_deep(const struct json *j, struct error *err)
{
	return json_fail(j, err, "nesting is deeper than %d levels",
			 JSON_DEPTH);
}

static bool skip(struct json *j, int depth, struct error *err);

static bool skip_members(struct json *j, char close, int depth,
			 struct error *err)
{
	char key[JSON_KEY];
	size_t n = 0;

	if (depth == JSON_DEPTH)
		return json_too_deep(j, err);
	j->at++;
	while (json_next(j, close, &n, err))
		if ((close == '}' && !json_key(j, key, err)) ||
		    !skip(j, depth + 1, err))
			return false;
	return !err->text[0];
}

static bool skip(struct json *j, int depth, struct error *err)
{
	const char c = json_peek(j, err);
	struct decimal d;
	const char *text;
	size_t n;

	if (c == '{' || c == '[')
		return skip_members(j, c == '{' ? '}' : ']', depth, err);
	if (c == '"')
		return json_string(j, &text, &n, err);
	if (json_word(j, "null", err) || json_word(j, "true", err) ||
	    json_word(j, "false", err))
		return true;
	return json_number(j, &d, &text, err);
}

bool json_skip(struct json *j, struct error *err)
{
	return skip(j, 0, err);
}

bool json_end(struct json *j, struct error *err)
{
	if (json_peek(j, err) || j->at < j->stop)
		return json_unexpected(j, "the end of the text", err);
	return !err->text[0];
}

/* The value of four hexadecimal digits at s, or -1. */
static long hexadecimal(const char *s)
{
	long x = 0;

	for (int i = 0; i < 4; i++) {
		const char c = s[i];
		const int digit = c >= '0' && c <= '9' ? c - '0' :
				  c >= 'a' && c <= 'f' ? c - 'a' + 10 :
				  c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;

		if (digit < 0)
			return -1;
		x = 16 * x + digit;
	}
	return x;
}

/* Write character x as UTF-8; its length. */
static size_t put_character(long x, char *to)
{
	static const int first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	const size_t n = x < 0x80 ? 1 : x < 0x800 ? 2 : x < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; x >>= 6)
		to[i] = (char)(0x80 | (x & 0x3f));
	to[0] = (char)(x | first[n]);
	return n;
}

/*
 * Read the escape sequence at s and append its character to *to; what follows,
 * or NULL if it is invalid.
 */
static char *read_escape(char *s, char **to)
{
	static const char names[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	const char *name = s[1] ? strchr(names, s[1]) : NULL;
	long x, low;

	if (name) {
		*(*to)++ = means[name - names];
		return s + 2;
	}
	x = s[1] == 'u' ? hexadecimal(s + 2) : -1;
	/* NUL is refused: it would end a name early. */
	if (x <= 0 || (x >= 0xdc00 && x < 0xe000))
		return NULL;
	s += 6;
	if (x >= 0xd800 && x < 0xdc00) {
		low = s[0] == '\\' && s[1] == 'u' ? hexadecimal(s + 2) : -1;
		if (low < 0xdc00 || low >= 0xe000)
			return NULL;
		x = 0x10000 + ((x - 0xd800) << 10) + (low - 0xdc00);
		s += 6;
	}
	*to += put_character(x, *to);
	return s;
}

#define EACH (UINT64_MAX / 0xff)  /* times a byte: eight of it */

/* Bytes that are 0, or above 0x80, have their highest bit set. */
static uint64_t zeros(uint64_t x)
{
	return x | (x - EACH);
}

/*
 * Whether each of eight bytes at s is a printable character of ASCII other than
 * a backslash, and none is the character c.
 */
static bool eight_plain(const char *s, char c)
{
	uint64_t x;

	memcpy(&x, s, sizeof x);
	return !((x | (x - ' ' * EACH) | zeros(x ^ '\\' * EACH) |
		  zeros(x ^ 0x7f * EACH) | zeros(x ^ (uint64_t)c * EACH)) &
		 0x80 * EACH);
}

/* Read a whole string into the window; its closing quote, or NULL. */
static char *string_end(struct json *j, struct error *err)
{
	size_t i = 1;

	for (;;) {
		while (j->stop - j->at >= (ptrdiff_t)i + 8 &&
		       eight_plain(j->at + i, '"'))
			i += 8;
		while (j->at + i < j->stop && j->at[i] != '"')
			i += j->at[i] == '\\' ? 2 : 1;
		if (j->at + i < j->stop)
			return j->at + i;
		if (json_last(j)) {
			json_fail(j, err, "string without closing quote");
			return NULL;
		}
		if (!json_more(j, (size_t)(j->stop - j->at) + 1, err))
			return NULL;
	}
}

bool json_string(struct json *j, const char **text, size_t *n,
		 struct error *err)
{
	char *end, *to;

	if (json_peek(j, err) != '"')
		return json_unexpected(j, "a string", err);
	end = string_end(j, err);
	if (!end)
		return false;
	*text = ++j->at;
	/* Most strings need no change */
	while (end - j->at >= 8 && eight_plain(j->at, '"'))
		j->at += 8;
	while ((signed char)*j->at >= ' ' && *j->at != '\\' && j->at < end)
		j->at++;
	to = j->at;
	while (j->at < end) {
		const size_t k = utf8_length(j->at);

		if ((unsigned char)*j->at < ' ')
			return json_fail(j, err, "control character in a "
					 "string");
		if (!k)
			return json_fail(j, err, "string is not valid UTF-8");
		if (*j->at == '\\') {
			char *after = read_escape(j->at, &to);

			if (!after)
				return json_fail(j, err, "invalid escape "
						 "sequence in a string");
			j->at = after;
			continue;
		}
		memmove(to, j->at, k);
		to += k;
		j->at += k;
	}
	*n = (size_t)(to - *text);
	*to = '\0';  /* at the closing quote or before */
	j->at++;
	return true;
}
