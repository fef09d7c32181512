/* sentences.c: what was found, as sentences. */
#include <stdarg.h>
#include <string.h>

#include "conversions/conversions.h"

__attribute__((format(printf, 2, 0)))
static const char *keep(struct conversion *c, const char *format, va_list list)
{
	const char *text = table_format(c->owner, c->err, format, list);

	return text ? text : "";
}

const char *text_of(struct conversion *c, const char *format, ...)
{
	va_list list;
	const char *text;

	va_start(list, format);
	text = keep(c, format, list);
	va_end(list);
	return text;
}

/* Room for another sentence: that of the last one if there are too many. */
static struct sentence *next(struct sentences *to)
{
	to->n += to->n < SENTENCES_MOST;
	return &to->at[to->n - 1];
}

void say(struct conversion *c, struct sentences *to, const char *format, ...)
{
	va_list list;
	const char *text;

	va_start(list, format);
	text = keep(c, format, list);
	va_end(list);
	*next(to) = (struct sentence){ .text = text };
}

void say_of(struct sentences *to, const char *tensor, const char *text)
{
	for (size_t i = 0; i < to->n; i++)
		if (to->at[i].tensor && strcmp(to->at[i].text, text) == 0) {
			to->at[i].more++;
			return;
		}
	*next(to) = (struct sentence){ tensor, text, 0 };
}

const char *sentence_text(struct conversion *c, const struct sentence *s)
{
	if (!s->tensor)
		return s->text;
	return s->more ? text_of(c, "%s and %zu more: %s", s->tensor, s->more,
				 s->text)
		       : text_of(c, "%s: %s", s->tensor, s->text);
}
