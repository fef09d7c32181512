/* maker.c: tables of encodings that a view makes of its own options. */
#include <stdio.h>
#include <string.h>

#include "recipes.h"
#include "views/maker.h"

void maker_begin(struct maker *m, const char *name,
		 const struct option *options, const void *self,
		 struct error *err)
{
	*m = (struct maker){ .recipe = recipe_find(name, err), .err = err,
			     .options = options, .self = self };
	recipe_begin(m->recipe, &m->t, &m->fields, err);
}

void maker_close(struct maker *m)
{
	table_close(&m->t);
}

static void pass(struct maker *m, const char *name)
{
	const struct option *o = option_find(m->options, name, strlen(name));
	const char *typed = option_typed(o, m->self);
	char text[256];

	if (!option_find(m->recipe->options, name, strlen(name)) ||
	    !option_changed(o, m->self))
		return;
	if (o->kind == OPTION_TABLE) {
		maker_lend(m, name, (const char *)m->self + o->at,
			   sizeof(struct table *));
		return;
	}
	option_text(o, m->self, text, sizeof text);
	maker_text(m, name, o->kind == OPTION_FLAG ? "" :
		   typed ? typed : text);
}

void maker_pass(struct maker *m, const char *const *names)
{
	while (*names)
		pass(m, *names++);
}

void maker_text(struct maker *m, const char *name, const char *text)
{
	if (!m->err->text[0])
		recipe_set(m->recipe, &m->fields, name, text, m->err);
}

void maker_number(struct maker *m, const char *name, double x)
{
	char text[32];

	snprintf(text, sizeof text, "%.17g", x);
	maker_text(m, name, text);
}

void maker_lend(struct maker *m, const char *name, const void *value,
		size_t size)
{
	const struct option *o = option_find(m->recipe->options, name,
					     strlen(name));

	if (!m->err->text[0])
		memcpy((char *)m->fields.self + o->at, value, size);
}

bool maker_finish(struct maker *m)
{
	return !m->err->text[0] &&
	       recipe_finish(m->recipe, &m->fields, NULL, &m->t, m->err);
}

bool maker_rows(struct maker *m, double *x)
{
	const struct table *t = &m->t;
	double *scratch = table_alloc(&m->t, t->cols, sizeof *scratch, m->err);

	for (size_t i = 0; scratch && i < t->end; i++)
		memcpy(x + i * t->cols, t->row(t, i, scratch),
		       t->cols * sizeof *x);
	return scratch;
}
