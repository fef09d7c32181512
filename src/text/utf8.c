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

size_t utf8_control(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	if (s[0] == 0xc2 && s[1] < 0xa0)
		return 2;
	return s[0] < ' ' || s[0] == 0x7f;
}

size_t utf8_show(const char *text, char *to, size_t room)
{
	size_t n = 0;

	while (*text) {
		const size_t whole = utf8_length(text);
		const bool shows = whole && !utf8_control(text);
		const size_t bytes = whole ? whole : 1;

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
