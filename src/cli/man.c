/* man.c: what the manual says of commands and options, from declarations. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/man.h"
#include "cli/scope.h"
#include "core/dtype.h"
#include "recipes.h"

enum { WIDTH = 76 };

/* Text without what mdoc would take for its own; lines of WIDTH. */
static void send_text(const char *text, struct out *o)
{
	size_t column = 0;

	for (const char *c = text; *c; c++, column++)
		if (*c == ' ' && column + strcspn(c + 1, " ") > WIDTH) {
			out_text(o, "\n");
			column = 0;
		} else {
			out_bytes(o, c, 1);
		}
}

/* A sentence of the help, which begins with a capital here, and its end. */
static void send_help(const char *help, const char *end, struct out *o)
{
	char text[800];

	snprintf(text, sizeof text, "%s%s", help, end);
	*text = (char)toupper((unsigned char)*text);
	send_text(text, o);
}

static void send_words(const struct option *p, struct out *o)
{
	out_text(o, ":\n");
	for (const char *const *w = p->words; *w; w++) {
		out_format(o, ".Cm %s", *w);
		out_text(o, !w[1] ? "" : !w[2] ? "\nor\n" : " ,\n");
	}
}

static void send_option(const struct option *p, struct out *o)
{
	const bool listed = p->words && p->words != dtype_words;
	char flag[40], end[80] = ".";

	out_format(o, ".It Fl %s", option_flag(p, flag) + 1);
	if (p->arg)
		out_format(o, " Ar %s", p->arg);
	out_text(o, "\n");
	if (p->initial && !listed)
		snprintf(end, sizeof end, " (without it, %s).", p->initial);
	send_help(p->help, listed ? "" : end, o);
	if (listed)
		send_words(p, o);
	if (p->initial && listed)
		out_format(o, "\n(without it,\n.Cm %s )", p->initial);
	out_text(o, listed ? " .\n" : "\n");
}

static void send_formats(struct out *o)
{
	const struct format *f;

	for (size_t i = 0; (f = format_at(i)); i++) {
		out_format(o, ".It Fl -%s Ar FILE\n", f->name);
		send_help(f->summary, ".\n", o);
	}
	out_text(o, ".It Fl o Ar FILE\nThe format of FILE's suffix.\n");
}

static void send_options(const struct option_group *g, struct out *o)
{
	for (const struct option *p = g->options; p->name; p++)
		send_option(p, o);
}

static void send_presets(const struct preset *p, struct out *o)
{
	out_text(o, ".Ss Presets\n.Bl -tag -width opennmt-concat\n");
	for (; p->name; p++) {
		out_format(o, ".It Cm %s\n", p->name);
		send_text(p->project, o);
		out_text(o, ":\n");
		send_text(p->options, o);
		out_text(o, ".\n");
	}
	out_text(o, ".El\n");
}

/* The formula as it stands in --help, then the options of its own. */
static void send_command(const struct recipe *r, struct out *o)
{
	struct option_group g;

	out_text(o, ".Bd -literal\n");
	for (const char *line = r->about; *line;) {
		const size_t n = strcspn(line, "\n");
		char text[120];

		snprintf(text, sizeof text, "%.*s", (int)n, line);
		send_text(text, o);
		out_text(o, "\n");
		line += n + (line[n] == '\n');
	}
	out_text(o, ".Ed\n.Pp\nSource: ");
	send_text(r->paper, o);
	out_text(o, ".\n.Sh OPTIONS\nThose of every command stand in\n"
		    ".Xr posenc 1 .\n.Bl -tag -width Ds\n");
	for (size_t i = 0; (g = scope_group(r, i)).options != style_options;
	     i++)
		send_options(&g, o);
	out_text(o, ".El\n");
	if (r->presets)
		send_presets(r->presets, o);
}

/* All commands, then the outputs and what they share. */
static void send_program(struct out *o)
{
	const struct recipe *r;
	struct option_group g;

	out_text(o, ".Bl -tag -width similarity\n");
	for (size_t i = 0; (r = recipe_at(i)); i++) {
		out_format(o, ".It Xr posenc-%s 1\n", r->name);
		send_help(r->summary, ".\n", o);
	}
	out_text(o, ".El\n.Sh OPTIONS\nOf every command:\n"
		    ".Bl -tag -width Ds\n");
	send_formats(o);
	for (size_t i = 1; (g = scope_group(recipe_at(0), i)).options; i++)
		send_options(&g, o);
	out_text(o, ".El\n");
}

void man_made(const char *name, struct out *o)
{
	const struct recipe *r;

	if (strcmp(name, "posenc") == 0)
		send_program(o);
	else if ((r = recipe_find(name, &o->err)))
		send_command(r, o);
}
