/* json_scan.c: JSON, token by token through a window. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formats/json_scan.h"

enum { DEPTH_MOST = 64, SHORT = 64 };

/* Where in the file the next byte stands. */
static size_t offset(const struct json *j)
{
	return j->in->at + (size_t)(j->at - (char *)j->in->bytes);
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
		 offset(j) - j->line_begin + 1);
	return fail_file(err, place, "%s", what);
}

/* The window has moved or grown: its end, or that of the text. */
static void see_window(struct json *j)
{
	const struct in *in = j->in;
	const size_t left = j->end - in->at;

	j->at = (char *)in->bytes;
	j->stop = j->at + (in->n < left ? in->n : left);
}

bool json_more(struct json *j, size_t n, struct error *err)
{
	struct in *in = j->in;
	bool good;

	if (n <= (size_t)(j->stop - j->at) || in->ended ||
	    in->at + in->n >= j->end)
		return true;
	in_drop(in, (size_t)(j->at - (char *)in->bytes));
	good = in_read(in, n, err);
	/* Where a read fails, too, the window has moved. */
	see_window(j);
	return good;
}

bool json_last(const struct json *j)
{
	return j->in->ended || j->in->at + j->in->n >= j->end;
}

void json_begin(struct json *j, struct in *in, size_t end)
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
		if (j->at == j->stop &&
		    (!json_more(j, SHORT, err) || j->at == j->stop))
			return 0;
		if (*j->at == '\n') {
			j->line += j->line > 0;
			j->line_begin = offset(j) + 1;
		} else if (*j->at != ' ' && *j->at != '\t' && *j->at != '\r') {
			return *j->at;
		}
	}
}

bool json_unexpected(struct json *j, const char *wanted, struct error *err)
{
	const unsigned char c = (unsigned char)json_peek(j, err);

	if (j->at == j->stop)
		return json_fail(j, err, "the text ends where %s should come",
				 wanted);
	if (c < ' ' || c > '~')
		return json_fail(j, err, "a byte of %d stands where %s should "
				 "come", c, wanted);
	return json_fail(j, err, "'%c' stands where %s should come", c,
			 wanted);
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
	const char *text;
	size_t n;

	if (!json_string(j, &text, &n, err))
		return false;
	if (n >= JSON_KEY)
		n = 0;
	memcpy(key, text, n);
	key[n] = '\0';
	return json_take(j, ':', err);
}

/* How much of the word at s a message shows. */
static int word_length(const char *s)
{
	const size_t n = strcspn(s, ",]} \t\r\n");

	return n < SHORT - 4 ? (int)n : SHORT - 4;
}

bool json_number(struct json *j, struct decimal *d, const char **text,
		 struct error *err)
{
	const char c = json_peek(j, err);

	if (c != '-' && (c < '0' || c > '9'))
		return json_unexpected(j, "a number", err);
	if (j->stop - j->at < SHORT && !json_more(j, SHORT, err))
		return false;
	/* An exponent begins with up to two bytes that are no digits. */
	while (*d = decimal_read(j->at),
	       j->stop - d->end < 3 && !json_last(j))
		if (!json_more(j, 2 * (size_t)(j->stop - j->at), err))
			return false;
	if (!d->json || !strchr(",]} \t\r\n", *d->end))
		return json_fail(j, err, "'%.*s' is not a number",
				 word_length(j->at), j->at);
	if (isinf(d->x))
		return json_fail(j, err, "a number that no double holds");
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

static bool skip(struct json *j, int depth, struct error *err);

static bool skip_members(struct json *j, char close, int depth,
			 struct error *err)
{
	char key[JSON_KEY];
	size_t n = 0;

	if (depth == DEPTH_MOST)
		return json_fail(j, err, "nested more than %d deep",
				 DEPTH_MOST);
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
		return json_unexpected(j, "the end", err);
	return !err->text[0];
}
