/* json_string.c: strings of JSON, checked, their escapes resolved. */
#include <string.h>

#include "core/utf8.h"
#include "formats/json_scan.h"

/* Four digits of hexadecimal at s, or -1. */
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

/* The character x in UTF-8 to to; its length. */
static size_t put_character(long x, char *to)
{
	static const int first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	const size_t n = x < 0x80 ? 1 : x < 0x800 ? 2 : x < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; x >>= 6)
		to[i] = (char)(0x80 | (x & 0x3f));
	to[0] = (char)(x | first[n]);
	return n;
}

/* Past the escape at s, whose character goes to *to; NULL: it is none. */
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
	/* A name that holds a NUL would be cut there by whoever shows it. */
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

/* Have a whole string in the window, at its opening quote; its end. */
static char *string_end(struct json *j, struct error *err)
{
	size_t i = 1;

	for (;;) {
		while (j->at + i < j->stop && j->at[i] != '"')
			i += j->at[i] == '\\' ? 2 : 1;
		if (j->at + i < j->stop)
			return j->at + i;
		if (json_last(j)) {
			json_fail(j, err, "a string that does not end");
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
	*text = to = ++j->at;
	while (j->at < end) {
		const size_t k = utf8_length(j->at);

		if ((unsigned char)*j->at < ' ')
			return json_fail(j, err, "a control character in a "
					 "string");
		if (!k)
			return json_fail(j, err, "a string that is not UTF-8");
		if (*j->at == '\\') {
			char *after = read_escape(j->at, &to);

			if (!after)
				return json_fail(j, err, "a bad escape in a "
						 "string");
			j->at = after;
			continue;
		}
		memmove(to, j->at, k);
		to += k;
		j->at += k;
	}
	*n = (size_t)(to - *text);
	j->at++;
	return true;
}
