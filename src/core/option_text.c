/* option_text.c: the value of an option as a user would type it. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/option.h"

/* Whole numbers in full, others in the fewest digits that read back as x. */
static void real_text(double x, char *text, size_t size)
{
	int digits = 0;

	if (x == rint(x) && fabs(x) < 1e16) {
		snprintf(text, size, "%.0f", x);
		return;
	}
	do
		snprintf(text, size, "%.*g", ++digits, x);
	while (digits < DBL_DECIMAL_DIG && strtod(text, NULL) != x);
}

static void pick_text(const struct option *o, const struct pick *p,
		      char *text, size_t size)
{
	const char *word = o->words[p->word];
	char number[32] = ":";

	snprintf(text, size, "%.*s", (int)strcspn(word, ":["), word);
	for (size_t i = 0; i < p->n; i++) {
		number[0] = i ? ',' : ':';
		real_text(p->at[i], number + 1, sizeof number - 1);
		strncat(text, number, size - strlen(text) - 1);
	}
}

const char *range_text(const struct range *r, char text[RANGE_TEXT])
{
	char first[24] = "", last[24] = "";

	if (r->first != LONG_MIN)
		snprintf(first, sizeof first, "%ld", r->first);
	if (r->last != LONG_MAX)
		snprintf(last, sizeof last, "%ld", r->last);
	snprintf(text, RANGE_TEXT, "%s:%s", first, last);
	return text;
}

const char *option_typed(const struct option *o, const void *self)
{
	const void *at = (const char *)self + o->at;
	const struct table *t;

	if (o->kind == OPTION_LIST)
		return ((const struct list *)at)->text;
	if (o->kind == OPTION_TEXT)
		return *(const char *const *)at;
	if (o->kind != OPTION_TABLE)
		return NULL;
	t = *(const struct table *const *)at;
	return t ? t->title : NULL;
}

void option_text(const struct option *o, const void *self, char *text,
		 size_t size)
{
	const void *at = (const char *)self + o->at;
	const char *known = option_typed(o, self);
	char range[RANGE_TEXT];

	text[0] = '\0';
	switch (o->kind) {
	case OPTION_PRESET:
	case OPTION_CONFIG:
		break;
	case OPTION_COUNT:
		if (*(const size_t *)at || o->initial)
			snprintf(text, size, "%zu", *(const size_t *)at);
		break;
	case OPTION_WHOLE:
		if (*(const long *)at != NOT_GIVEN)
			snprintf(text, size, "%ld", *(const long *)at);
		break;
	case OPTION_REAL:
		real_text(*(const double *)at, text, size);
		break;
	case OPTION_PICK:
		pick_text(o, at, text, size);
		break;
	case OPTION_RANGE:
		if (((const struct range *)at)->given)
			snprintf(text, size, "%s", range_text(at, range));
		break;
	case OPTION_FLAG:
		snprintf(text, size, "%s", *(const bool *)at ? "true" : "");
		break;
	case OPTION_CHOICE:
		if (*(const int *)at != NOT_GIVEN)
			snprintf(text, size, "%s", o->words[*(const int *)at]);
		break;
	case OPTION_LIST:
	case OPTION_TABLE:
	case OPTION_TEXT:
	default:
		if (known)
			snprintf(text, size, "%s", known);
	}
}

bool option_among(const struct option *o, const char *names)
{
	const size_t n = strlen(o->name);

	for (; *names; names += strspn(names, " ")) {
		const size_t length = strcspn(names, " ");

		if (length == n && memcmp(names, o->name, n) == 0)
			return true;
		names += length;
	}
	return false;
}

bool option_changed(const struct option *o, const void *self)
{
	const char *typed = option_typed(o, self);
	char text[256];

	if (!typed)
		option_text(o, self, text, sizeof text);
	return strcmp(typed ? typed : text, o->initial ? o->initial : "") != 0;
}
