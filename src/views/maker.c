/* maker.c: tables of encodings that a view makes of its own options. */
#include <stdio.h>
#include <string.h>

#include "recipes.h"
#include "views/maker.h"

bool maker_begin(struct maker *m, const char *name,
		 const struct option *options, const void *self,
		 struct error *err)
{
	*m = (struct maker){ .recipe = recipe_find(name, err),
			     .options = options, .self = self };
	return m->recipe && recipe_begin(m->recipe, &m->t, &m->fields, err);
}

void maker_close(struct maker *m)
{
	table_close(&m->t);
}

static bool pass(struct maker *m, const char *name, struct error *err)
{
	const struct option *o = option_find(m->options, name, strlen(name));
	const char *typed = option_typed(o, m->self);
	char text[256];

	if (!option_find(m->recipe->options, name, strlen(name)) ||
	    !option_changed(o, m->self))
		return true;
	if (o->kind == OPTION_TABLE) {
		maker_lend(m, name, (const char *)m->self + o->at,
			   sizeof(struct table *));
		return true;
	}
	option_text(o, m->self, text, sizeof text);
	return maker_text(m, name, o->kind == OPTION_FLAG ? "" :
			  typed ? typed : text, err);
}

bool maker_pass(struct maker *m, const char *const *names, struct error *err)
{
	while (*names)
		if (!pass(m, *names++, err))
			return false;
	return true;
}

bool maker_text(struct maker *m, const char *name, const char *text,
		struct error *err)
{
	return recipe_set(m->recipe, &m->fields, name, text, err);
}

bool maker_number(struct maker *m, const char *name, double x,
		  struct error *err)
{
	char text[32];

	snprintf(text, sizeof text, "%.17g", x);
	return maker_text(m, name, text, err);
}

void maker_lend(struct maker *m, const char *name, const void *value,
		size_t size)
{
	const struct option *o = option_find(m->recipe->options, name,
					     strlen(name));

	memcpy((char *)m->fields.self + o->at, value, size);
}

bool maker_finish(struct maker *m, struct error *err)
{
	return recipe_finish(m->recipe, &m->fields, NULL, &m->t, err);
}

bool maker_rows(struct maker *m, double *x, struct error *err)
{
	const struct table *t = &m->t;
	double *scratch = table_alloc(&m->t, t->cols, sizeof *scratch, err);

	for (size_t i = 0; scratch && i < t->end; i++)
		memcpy(x + i * t->cols, t->row(t, i, scratch),
		       t->cols * sizeof *x);
	return scratch;
}
