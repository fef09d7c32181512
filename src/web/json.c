/* json.c: text that grows, and JSON in it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/decimal.h"
#include "web/json.h"

static void add(struct text *t, const char *more, size_t n)
{
	if (t->n + n >= t->room && !t->lost) {
		const size_t room = 2 * (t->n + n) + 256;
		char *at = realloc(t->at, room);

		t->lost = !at;
		t->at = at ? at : t->at;
		t->room = at ? room : t->room;
	}
	if (t->lost)
		return;
	memcpy(t->at + t->n, more, n);
	t->n += n;
	t->at[t->n] = '\0';
}

void text_add(struct text *t, const char *more)
{
	add(t, more, strlen(more));
}

void json_string(struct text *t, const char *text)
{
	char escape[8];

	if (!text) {
		text_add(t, "null");
		return;
	}
	text_add(t, "\"");
	for (const char *c = text; *c; c++) {
		snprintf(escape, sizeof escape, "\\u%04x", (unsigned char)*c);
		if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\')
			text_add(t, escape);
		else
			add(t, c, 1);
	}
	text_add(t, "\"");
}

void json_number(struct text *t, double x)
{
	char text[NUMBER_ROOM];

	if (isfinite(x))
		add(t, text, number_text(text, x, F64, 0));
	else
		text_add(t, "null");
}

void json_element(struct text *t)
{
	if (t->n && !strchr("[{", t->at[t->n - 1]))
		text_add(t, ",");
}

void json_member(struct text *t, const char *name)
{
	json_element(t);
	json_string(t, name);
	text_add(t, ":");
}
