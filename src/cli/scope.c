/* scope.c: which options a command takes, whoever declares them. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/scope.h"
#include "formats/select.h"

struct option_group scope_group(const struct recipe *r, size_t i)
{
	const size_t look = sizeof(struct look);  /* first in struct style */
	/* Then --head, which selects a plane of TABLEs where there are any */
	const size_t outputs = r->inputs ? offsetof(struct style, dtype) : look;
	const struct option_group groups[] = {
		{ "Options", NULL, r->options, 0, r->size },
		{ "Part of a TABLE", "tables", selection_options, 0, SIZE_MAX },
		{ "Options of outputs", "outputs", style_options, outputs,
		  SIZE_MAX },
		{ "Options of figures", "figures", style_options, 0, look },
		{ NULL, NULL, NULL, 0, 0 },
	};
	enum { GROUPS = sizeof groups / sizeof *groups };

	if (!r->inputs && i > 0)
		i++;
	return groups[i < GROUPS ? i : GROUPS - 1];
}

const struct option *scope_next(const struct option_group *g,
				const struct option *o)
{
	while (o->name && (o->at < g->begin || o->at >= g->end))
		o++;
	return o->name ? o : NULL;
}

size_t option_help_end(const struct option *o)
{
	const char *end = strstr(o->help, " (default");

	return end ? (size_t)(end - o->help) : strlen(o->help);
}

/*
 * The help of a dtype names all words, that of a table those that it takes;
 * words with meanings are explained one by one.
 */
bool option_lists_words(const struct option *o)
{
	return o->words && o->words != dtype_words && !o->meanings &&
	       o->kind != OPTION_TABLE;
}

static void visit_formats(const struct recipe *r,
			  void (*visit)(const struct item *item, void *with),
			  void *with)
{
	const struct format *f;

	for (size_t i = 0; (f = format_at(i)); i++) {
		struct item item = {
			.arg = "FILE", .help = f->summary, .recipe = r,
			.format = f,
		};

		snprintf(item.flag, sizeof item.flag, "--%s", f->name);
		visit(&item, with);
	}
}

void scope_visit(const struct recipe *r,
		 void (*visit)(const struct item *item, void *with),
		 void *with)
{
	const struct item help = {
		.flag = "--help", .recipe = r,
		.help = "what the command makes, and how",
	};
	struct option_group g;

	for (size_t i = 0; (g = scope_group(r, i)).options; i++)
		for (const struct option *o = scope_next(&g, g.options); o;
		     o = scope_next(&g, o + 1)) {
			struct item item = {
				.arg = o->arg, .help = o->help, .recipe = r,
				.option = o,
			};

			option_flag(o, item.flag);
			visit(&item, with);
		}
	visit_formats(r, visit, with);
	visit(&help, with);
}
