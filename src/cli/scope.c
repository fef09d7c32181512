/* scope.c: which options a command takes, whoever declares them. */
#include <stdio.h>
#include <string.h>

#include "cli/scope.h"
#include "core/parse.h"
#include "formats/input.h"

struct option_group scope_group(const struct recipe *r, size_t i)
{
	const struct option_group groups[] = {
		{ "Options", r->options },
		{ "Which part of a TABLE", input_options },
		{ "How outputs look", style_options },
		{ NULL, NULL },
	};
	enum { GROUPS = sizeof groups / sizeof *groups };

	if (!r->inputs && i > 0)
		i++;
	return groups[i < GROUPS ? i : GROUPS - 1];
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
		for (const struct option *o = g.options; o->name; o++) {
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

/* The option whose name is nearest to a word so far. */
struct nearest {
	const char *word;
	size_t best;
	char flag[40];
};

static void look(const struct item *item, void *with)
{
	struct nearest *n = with;

	if (nearer_word(n->word, item->flag + 2, &n->best))
		memcpy(n->flag, item->flag, sizeof n->flag);
}

bool scope_unknown(const struct recipe *r, const char *name, size_t length,
		   struct error *err)
{
	char word[60], rest[60];
	struct nearest n = { .word = word + 2, .best = (size_t)-1 };

	snprintf(word, sizeof word, "--%.*s", (int)length, name);
	snprintf(rest, sizeof rest, "; 'posenc %s --help' lists them", r->name);
	scope_visit(r, look, &n);
	return fail_unknown(err, "option", word, n.flag[0] ? n.flag : NULL,
			    rest);
}
