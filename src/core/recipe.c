/* recipe.c: how a table is made from options, or from other tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/parse.h"
#include "core/recipe.h"

bool recipe_begin(const struct recipe *r, struct table *t,
		  struct fields *fields, struct error *err)
{
	void *self = table_alloc(t, 1, r->size, err);

	t->recipe = r;
	t->self = self;
	fields->self = self;
	fields->owner = t;
	return self && option_defaults(r->options, fields, err);
}

static bool option_unknown(const struct recipe *r, const char *name,
			   struct error *err)
{
	const struct option *near = NULL;
	size_t best = (size_t)-1;
	char flag[40];

	for (const struct option *o = r->options; o->name; o++)
		if (nearer_word(name, option_flag(o, flag) + 2, &best))
			near = o;
	if (near)
		return fail(err, "no option '%.60s' (did you mean '%s'?)",
			    name, option_flag(near, flag) + 2);
	return fail(err, "no option '%.60s'", name);
}

bool recipe_set(const struct recipe *r, struct fields *fields,
		const char *name, const char *text, struct error *err)
{
	const struct option *o = option_find(r->options, name, strlen(name));

	if (!o)
		return option_unknown(r, name, err);
	return option_set(o, fields, text, err);
}

static bool check_required(const struct recipe *r, const void *self,
			   struct error *err)
{
	char flag[40], text[64];

	for (const struct option *o = r->options; o->name; o++) {
		option_text(o, self, text, sizeof text);
		if (o->required && !text[0])
			return fail(err, "%s %s is missing: %s",
				    option_flag(o, flag), o->arg, o->help);
	}
	return true;
}

bool recipe_finish(const struct recipe *r, const struct fields *fields,
		   const struct table *inputs, struct table *t,
		   struct error *err)
{
	t->planes = 1;
	t->title = r->summary;
	return check_required(r, fields->self, err) &&
	       r->make(fields->self, inputs, t, err) && table_check(t, err);
}

/* Append to *line, or free it and make it NULL for want of memory. */
static void append(char **line, size_t *n, const char *text)
{
	const size_t m = strlen(text);
	char *more = *line ? realloc(*line, *n + m + 1) : NULL;

	if (!more)
		free(*line);
	*line = more;
	if (more) {
		memcpy(more + *n, text, m + 1);
		*n += m;
	}
}

/* Append a word, quoted where a shell would not take it as it is. */
static void append_word(char **line, size_t *n, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@";
	const char *quote = word[strspn(word, plain)] || !word[0] ? "'" : "";

	append(line, n, quote);
	for (; *word; word++)
		append(line, n, *word == '\'' ? "'\\''"
					      : (char []){ *word, '\0' });
	append(line, n, quote);
}

char *recipe_command(const struct recipe *r, const void *self)
{
	char *line = strdup("posenc ");
	size_t n = line ? strlen(line) : 0;
	char flag[40], text[4096];

	append(&line, &n, r->name);
	for (const struct option *o = r->options; o->name; o++) {
		if (!option_changed(o, self))
			continue;
		append(&line, &n, " ");
		append(&line, &n, option_flag(o, flag));
		if (o->kind == OPTION_FLAG)
			continue;
		option_text(o, self, text, sizeof text);
		append(&line, &n, " ");
		append_word(&line, &n, text);
	}
	return line;
}
