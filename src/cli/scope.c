/* scope.c: which options a command takes, whoever declares them. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/scope.h"
#include "formats/select.h"
#include "text/words.h"

/* The i-th group of r's own options. */
static struct option_group own_group(const struct recipe *r, size_t i)
{
	const struct option_heading *h = r->headings ? &r->headings[i] : NULL;

	return (struct option_group){
		.title = h ? h->title : "Options", .options = r->options,
		.end = r->size, .heading = h, .recipe = r,
	};
}

/* How many groups r's own options are. */
static size_t own_groups(const struct recipe *r)
{
	size_t n = 0;

	while (r->headings && r->headings[n].title)
		n++;
	return n ? n : 1;
}

struct option_group scope_group(const struct recipe *r, size_t i)
{
	const size_t look = sizeof(struct look);  /* first in struct style */
	/* Then --head, which selects a plane of TABLEs where there are any */
	const size_t outputs = r->inputs ? offsetof(struct style, dtype) : look;
	const struct option_group groups[] = {
		{ .title = "Part of a TABLE", .topic = "tables",
		  .options = selection_options, .end = SIZE_MAX },
		{ .title = "Options of outputs", .topic = "outputs",
		  .options = style_options, .begin = outputs,
		  .end = SIZE_MAX },
		{ .title = "Options of figures", .topic = "figures",
		  .options = style_options, .end = look },
		{ .title = NULL },
	};
	enum { GROUPS = sizeof groups / sizeof *groups };
	const size_t own = own_groups(r);

	if (i < own)
		return own_group(r, i);
	i -= own;
	if (!r->inputs)
		i++;
	return groups[i < GROUPS ? i : GROUPS - 1];
}

/* The heading of r that names the option, or the one of all others. */
static const struct option_heading *heading_of(const struct recipe *r,
					       const struct option *o)
{
	const struct option_heading *h, *others = NULL;
	char flag[40];

	option_flag(o, flag);
	for (h = r->headings; h->title; h++)
		if (!h->options)
			others = h;
		else if (text_has_word(h->options, flag + 2, " "))
			return h;
	return others;
}

static bool is_in(const struct option_group *g, const struct option *o)
{
	return o->at >= g->begin && o->at < g->end &&
	       (!g->heading || heading_of(g->recipe, o) == g->heading);
}

const struct option *scope_next(const struct option_group *g,
				const struct option *o)
{
	while (o->name && !is_in(g, o))
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
