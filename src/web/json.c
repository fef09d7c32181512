/* json.c: text that grows, and JSON in it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/decimal.h"
#include "text/utf8.h"
#include "web/json.h"

static void add(struct text *t, const char *more, size_t n)
{
	if (t->n + n >= t->room && !t->lost) {
		const size_t room = 2 * (t->n + n) + 256;
		char *at = realloc(t->at, room);

		t->lost = !at;
		if (at) {
			t->at = at;
			t->room = room;
		}
	}
	if (t->lost)
		return;
	memcpy(t->at + t->n, more, n);
	t->n += n;
	t->at[t->n] = '\0';
}

void put_text(struct text *t, const char *more)
{
	add(t, more, strlen(more));
}

void put_string(struct text *t, const char *text)
{
	char escape[UTF16_TEXT] = "";

	if (!text) {
		put_text(t, "null");
		return;
	}
	put_text(t, "\"");
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\')
			add(t, escape, utf16_text((unsigned char)*c, "\\u",
						  escape));
		else
			add(t, c, 1);
	put_text(t, "\"");
}

void put_number(struct text *t, double x)
{
	char text[NUMBER_ROOM] = "";

	if (isfinite(x))
		add(t, text, number_text(text, x, F64, 0));
	else
		put_text(t, "null");
}

void put_element(struct text *t)
{
	if (t->n && !strchr("[{", t->at[t->n - 1]))
		put_text(t, ",");
}

void put_member(struct text *t, const char *name)
{
	put_element(t);
	put_string(t, name);
	put_text(t, ":");
}
