/* scope.c: which options a command takes, whoever declares them. */
#include <stdio.h>

#include "cli/scope.h"

struct option_group scope_group(const struct recipe *r, size_t i)
{
	const struct option_group groups[] = {
		{ "Options", r->options },
		{ "How outputs look", style_options },
	};

	return i < sizeof groups / sizeof *groups
		? groups[i] : (struct option_group){ NULL, NULL };
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
