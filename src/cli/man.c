/* man.c: the parts of the manual pages that declarations know. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/scope.h"

enum { WIDTH = 76 };

/* Text in lines of WIDTH. */
static void send_text(const char *text, struct output_file *o)
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

/* The first n characters of a phrase of the help, as a sentence; its end. */
static void send_help(const char *help, size_t n, const char *end,
		      struct output_file *o)
{
	char text[800];

	snprintf(text, sizeof text, "%.*s%s", (int)n, help, end);
	*text = (char)toupper((unsigned char)*text);
	send_text(text, o);
}

static void send_phrase(const char *help, struct output_file *o)
{
	send_help(help, strlen(help), ".\n", o);
}

/* "Help: a, b or c (default: a)." */
static void send_choices(const struct option *p, struct output_file *o)
{
	const size_t n = option_help_end(p);

	send_help(p->help, n, "", o);
	out_text(o, ":\n");
	for (const char *const *w = p->words; *w; w++) {
		out_format(o, ".Cm %s", *w);
		out_text(o, !w[1] ? "" : !w[2] ? "\nor\n" : " ,\n");
	}
	if (p->help[n]) {
		out_text(o, "\n");
		send_text(p->help + n + 1, o);
		out_text(o, ".\n");
		return;
	}
	if (p->initial)
		out_format(o, "\n(default:\n.Cm %s )", p->initial);
	out_text(o, " .\n");
}

static void send_option(const struct option *p, struct output_file *o)
{
	char flag[40], end[80] = ".\n";

	out_format(o, ".It Fl %s", option_flag(p, flag) + 1);
	if (p->arg)
		out_format(o, " Ar %s", p->arg);
	out_text(o, "\n");
	if (option_lists_words(p)) {
		send_choices(p, o);
		return;
	}
	if (p->initial)
		snprintf(end, sizeof end, " (default: %s).\n", p->initial);
	send_help(p->help, strlen(p->help), end, o);
	for (size_t i = 0; p->meanings && p->words[i]; i++) {
		out_format(o, ".Cm %s :\n", p->words[i]);
		send_text(p->meanings[i], o);
		out_text(o, p->words[i + 1] ? ";\n" : ".\n");
	}
}

/* The formats that hold r's report; of any table, if r is NULL. */
static void send_formats(const struct recipe *r, struct output_file *o)
{
	const struct format *f;
	const char *help;

	for (size_t i = 0; (f = format_at(i)); i++)
		if ((help = scope_format(f, r))) {
			out_format(o, ".It Fl -%s Ar FILE\n", f->name);
			send_phrase(help, o);
		}
}

/* The options that a guest lends, which its own page explains. */
static void send_guest(const struct option_group *g, struct output_file *o)
{
	char flag[40];

	out_format(o, ".It Fl -%s Cm %s\nAs in\n.Xr posenc-%s 1 :\n",
		   g->recipe->host, g->title, g->guest->name);
	for (const struct option *p = scope_next(g, g->options), *next; p;
	     p = next) {
		next = scope_next(g, p + 1);
		out_format(o, ".Fl %s", option_flag(p, flag) + 1);
		if (p->arg)
			out_format(o, " Ar %s", p->arg);
		out_text(o, next ? " ,\n" : " .\n");
	}
}

static void send_options(const struct option_group *g, struct output_file *o)
{
	if (g->guest) {
		send_guest(g, o);
		return;
	}
	for (const struct option *p = scope_next(g, g->options); p;
	     p = scope_next(g, p + 1))
		send_option(p, o);
}

static void send_presets(const struct preset *p, struct output_file *o)
{
	out_text(o, ".Ss Presets\n.Bl -tag -width opennmt-concat\n");
	for (; p->name; p++) {
		out_format(o, ".It Cm %s\n", p->name);
		send_text(p->project, o);
		out_text(o, ":\n");
		send_text(p->options, o);
		out_text(o, ".\nVersion: ");
		send_text(p->version, o);
		out_text(o, ".\n");
	}
	out_text(o, ".El\n");
}

/* Lines as they stand in --help. */
static void send_lines(const char *line, struct output_file *o)
{
	while (*line) {
		const size_t n = strcspn(line, "\n");
		char text[120];

		snprintf(text, sizeof text, "%.*s", (int)n, line);
		send_text(text, o);
		out_text(o, "\n");
		line += n + (line[n] == '\n');
	}
}

/* Formulas and conventions, the source, then the options of its own. */
static void send_command(const struct recipe *r, struct output_file *o)
{
	struct option_group g;

	out_text(o, ".Bd -literal\n");
	send_lines(r->details, o);
	out_text(o, ".Ed\n");
	out_text(o, ".Pp\nSource:\n");
	send_text(r->paper, o);
	out_text(o, ".\n.Sh OPTIONS\n");
	if (r->make)
		out_text(o, "Options of outputs and figures are described in\n"
			    ".Xr posenc 1 .\n");
	for (size_t i = 0; (g = scope_group(r, i)).options != style_options;
	     i++) {
		/* Under headings each is in a list of its own */
		if (i && r->headings && !g.guest)
			out_text(o, ".El\n");
		if (r->headings && !g.guest)
			out_format(o, ".Ss %s\n", g.title);
		if (!i || (r->headings && !g.guest))
			out_text(o, ".Bl -tag -width Ds\n");
		if (!i && !r->make)
			send_formats(r, o);
		send_options(&g, o);
	}
	out_text(o, ".El\n");
	if (r->presets)
		send_presets(r->presets, o);
}

/* All commands, then the outputs and what they share. */
static void send_program(struct output_file *o)
{
	const struct recipe *r;
	struct option_group g;

	out_text(o, ".Bl -tag -width similarity\n");
	for (size_t i = 0; (r = command_at(i)); i++) {
		out_format(o, ".It Xr posenc-%s 1\n", r->name);
		send_phrase(r->summary, o);
	}
	out_text(o, ".El\n.Sh OPTIONS\nOptions of every command that makes a "
		    "table:\n.Bl -tag -width Ds\n");
	send_formats(NULL, o);
	out_text(o, ".It Fl o Ar FILE\nWrite FILE in the format of its "
		    "suffix.\n");
	for (size_t i = 0; (g = scope_group(command_at(0), i)).title; i++)
		if (g.topic)
			send_options(&g, o);
	out_text(o, ".El\n");
}

void man_made(const char *name, struct output_file *o)
{
	const struct recipe *r;

	if (strcmp(name, "posenc") == 0)
		send_program(o);
	else if ((r = command_find(name, &o->err)))
		send_command(r, o);
}
