/* scope.c: which options a command takes, whoever declares them. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/scope.h"
#include "formats/select.h"
#include "text/words.h"

/* Figures' options are first in struct style; then --head, which selects a
   plane of TABLEs where there are any. */
enum {
	LOOK_END = sizeof(struct look),
	HEAD_END = offsetof(struct style, dtype),
};

static const struct option_group shared[] = {
	{ .title = "Part of a TABLE", .topic = "tables",
	  .options = selection_options, .end = SIZE_MAX },
	{ .title = "Options of outputs", .topic = "outputs",
	  .options = style_options, .begin = LOOK_END, .end = SIZE_MAX },
	{ .title = "Options of figures", .topic = "figures",
	  .options = style_options, .end = LOOK_END },
	{ .title = NULL },
};

enum { SHARED = sizeof shared / sizeof *shared };

struct option_group scope_group(const struct recipe *r, size_t i)
{
	const struct option_heading *h = r->headings;
	struct option_group g;
	size_t own = !h;

	while (h && h[own].title)
		own++;
	if (i < own)
		return (struct option_group){
			.title = h ? h[i].title : "Options",
			.options = r->options, .end = r->size,
			.heading = h ? &h[i] : NULL, .recipe = r,
		};
	i -= own;
	for (const struct guest *e = r->guests; e && e->word; e++)
		if (!i--)
			return (struct option_group){
				.title = e->word, .guest = e, .recipe = r,
				.options = guest_recipe(r, e)->options,
				.end = SIZE_MAX,
			};
	i += !r->inputs;
	g = shared[i < SHARED ? i : SHARED - 1];
	if (r->inputs && g.begin)
		g.begin = HEAD_END;
	return g;
}

struct option_group scope_topic(const char *topic)
{
	const struct option_group *g = shared;

	while (g->title && strcmp(g->topic, topic) != 0)
		g++;
	return *g;
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

const struct option *scope_next(const struct option_group *g,
				const struct option *o)
{
	while (o->name && (o->at < g->begin || o->at >= g->end ||
			   (g->guest &&
			    !guest_lends(g->recipe, g->guest, o)) ||
			   (g->heading &&
			    heading_of(g->recipe, o) != g->heading)))
		o++;
	return o->name ? o : NULL;
}

bool scope_seen(const struct option_group *g, const struct option *o)
{
	char flag[40];

	option_flag(o, flag);
	for (const struct guest *e = g->guest ? g->recipe->guests : NULL;
	     e != g->guest; e++)
		if (guest_option(g->recipe, e, flag + 2, strlen(flag + 2)))
			return true;
	return false;
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

const char *scope_format(const struct format *f, const struct recipe *r)
{
	return r && f->report ? "the report with all digits of its values" :
	       !r || (f->figure && r->draw) ? f->summary : NULL;
}

bool scope_item(const struct recipe *r, struct item *i)
{
	const struct option *o = i->option ? i->option + 1 : NULL;
	struct option_group g;

	if (i->last)
		return false;
	for (; !i->past && (g = scope_group(r, i->group)).title; i->group++) {
		i->option = scope_next(&g, o ? o : g.options);
		while (i->option && scope_seen(&g, i->option))
			i->option = scope_next(&g, i->option + 1);
		o = NULL;
		if (!i->option)
			continue;
		i->arg = i->option->arg;
		i->help = i->option->help;
		option_flag(i->option, i->flag);
		return true;
	}
	i->option = NULL;
	i->format = format_at(i->past++);
	i->arg = i->format ? "FILE" : NULL;
	i->help = i->format ? i->format->summary
			    : "what the command makes, and how";
	snprintf(i->flag, sizeof i->flag, "--%s",
		 i->format ? i->format->name : "help");
	i->last = !i->format;
	return true;
}
