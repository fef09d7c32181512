/* utf8.c: text from anywhere as valid UTF-8. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"

size_t utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	const size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 :
			 s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Too long for what they say, surrogates, and past U+10FFFF. */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

unsigned long utf8_next(const char **text)
{
	const unsigned char *s = (const unsigned char *)*text;
	const size_t n = utf8_length(*text);
	unsigned long c = n > 1 ? s[0] & (0x7fu >> n) : s[0];

	for (size_t i = 1; i < n; i++)
		c = c << 6 | (s[i] & 0x3f);
	*text += n ? n : 1;
	return n ? c : 0xfffd;
}

bool utf8_hidden(unsigned long c)
{
	/*
	 * Of Unicode 15: Cc, Cf but signs that are seen, Zl, Zp and
	 * Default_Ignorable; and what XML forbids.
	 */
	static const struct {
		unsigned long first, last;
	} hidden[] = {
		{ 0, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x34f, 0x34f },
		{ 0x61c, 0x61c }, { 0x115f, 0x1160 }, { 0x17b4, 0x17b5 },
		{ 0x180b, 0x180f }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
		{ 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f },
		{ 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb },
		{ 0xfffe, 0xffff }, { 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 },
		{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
		if (c >= hidden[i].first && c <= hidden[i].last)
			return true;
	return false;
}

bool utf8_joins(unsigned long c)
{
	return c == 0x200c || c == 0x200d || (c >= 0xfe00 && c <= 0xfe0f);
}

static size_t show(const char *text, size_t most, char *to, size_t room,
		   bool joins)
{
	const char *begin = text;
	unsigned long c = 0;
	size_t n = 0;

	while (*text && (size_t)(text - begin) < most) {
		const char *after = text;
		const unsigned long last = c;
		const bool hides = utf8_hidden(c = utf8_next(&after)) &&
				   !(joins && last > 0x7f && utf8_joins(c));
		const bool shows = utf8_length(text) && !hides;
		const size_t bytes = (size_t)(after - text);

		if (n + (shows ? 1 : 4) * bytes >= room)
			break;
		for (size_t i = 0; i < bytes; i++)
			n += (size_t)snprintf(to + n, room - n,
					      shows ? "%c" : "\\%03o",
					      (unsigned char)*text++);
	}
	to[n] = '\0';
	return n;
}

size_t utf8_show(const char *text, size_t most, char *to, size_t room)
{
	return show(text, most, to, room, false);
}

size_t utf8_show_joined(const char *text, size_t most, char *to, size_t room)
{
	return show(text, most, to, room, true);
}

size_t utf16_text(unsigned long c, const char *before, char to[UTF16_TEXT])
{
	size_t n = 0;

	if (c > 0xffff) {
		n = (size_t)snprintf(to, UTF16_TEXT, "%s%04lx", before,
				     0xd7c0 + (c >> 10));
		c = 0xdc00 + (c & 0x3ff);
	}
	return n + (size_t)snprintf(to + n, UTF16_TEXT - n, "%s%04lx", before,
				    c);
}

char *utf8_clean(const char *text)
{
	char *clean = malloc(3 * strlen(text) + 1), *to = clean;

	if (!clean)
		return NULL;
	while (*text) {
		const size_t n = utf8_length(text);

		memcpy(to, n ? text : "\xef\xbf\xbd", n ? n : 3);
		to += n ? n : 3;
		text += n ? n : 1;
	}
	*to = '\0';
	return clean;
}
