/* help.c: --help and the list of commands, from declarations. */
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/scope.h"
#include "core/parse.h"
#include "recipes.h"

enum { WIDTH = 78, INDENT = 26 };

/*
 * Words between INDENT and WIDTH; what stands on the line ends at column. Words
 * too long for any line are broken after a '|'.
 */
static void wrapped(struct out *o, int column, const char *text)
{
	if (column >= INDENT) {
		out_text(o, "\n");
		column = 0;
	}
	for (int blank = 0; *text;) {
		int n = (int)strcspn(text, " ");

		if (n > WIDTH - INDENT) {
			n = (int)strcspn(text, " |");
			n += text[n] == '|';
		}
		if (column > INDENT && column + blank + n > WIDTH) {
			out_text(o, "\n");
			column = 0;
		}
		if (column < INDENT)
			blank = INDENT - column;
		out_format(o, "%*s", blank, "");
		column += blank + n;
		out_bytes(o, text, (size_t)n);
		text += n;
		blank = *text == ' ';
		text += strspn(text, " ");
	}
	out_text(o, "\n");
}

/* "help: sine|zero|error (sine)" */
static void option_help(struct out *o, const struct option *p)
{
	char flag[40], text[800];
	int n, column;

	column = snprintf(text, sizeof text, "  %s%s%s", option_flag(p, flag),
			  p->arg ? " " : "", p->arg ? p->arg : "");
	out_text(o, text);
	n = snprintf(text, sizeof text, "%s", p->help);
	if (p->words && p->words != dtype_words)
		for (const char *const *w = p->words; *w; w++)
			n += snprintf(text + n, sizeof text - (size_t)n,
				      "%s%s", w == p->words ? ": " : "|", *w);
	if (p->initial)
		snprintf(text + n, sizeof text - (size_t)n, " (%s)",
			 p->initial);
	wrapped(o, column, text);
}

static void options_help(struct out *o, const char *title,
			 const struct option *options)
{
	out_format(o, "\n%s:\n", title);
	for (; options->name; options++)
		option_help(o, options);
}

/* A report is text, or goes to the formats that hold one. */
static void report_help(struct out *o)
{
	const struct format *f;

	out_text(o, "\nOutput, in place of text; FILE - is standard output:\n");
	for (size_t i = 0; (f = format_at(i)); i++)
		if (f->report) {
			out_format(o, "  --%s FILE", f->name);
			wrapped(o, (int)strlen(f->name) + 9,
				"the report, its numbers in full");
		}
}

static void outputs_help(struct out *o)
{
	const struct format *f;

	out_text(o, "\nOutputs, any mix; FILE - is standard output:\n");
	for (size_t i = 0; (f = format_at(i)); i++) {
		out_format(o, "  --%s FILE", f->name);
		wrapped(o, (int)strlen(f->name) + 9, f->summary);
	}
	out_text(o, "  -o FILE");
	wrapped(o, 9, "the format of FILE's suffix");
}

static void commands_help(struct out *o)
{
	const struct recipe *r;

	out_text(o, "\nCommands:\n");
	for (size_t i = 0; (r = recipe_at(i)); i++) {
		out_format(o, "  %s", r->name);
		wrapped(o, (int)strlen(r->name) + 2, r->summary);
	}
}

void help_brief(const char *name, struct out *o)
{
	const struct recipe *r;

	(void)name;
	out_text(o, "posenc makes positional encodings: exact, instant, for "
		    "pipelines and figures.\n\n"
		    "  posenc sinusoid --len 512 --dim 512 --png out.png\n"
		    "  posenc t5-bucket --len 8 --csv -\n\n"
		    "Commands:");
	for (size_t i = 0; (r = recipe_at(i)); i++)
		out_format(o, " %s", r->name);
	out_text(o, "\n'posenc help COMMAND' says what a command makes, "
		    "'posenc help' all the rest.\n");
}

const struct errand help_errands[] = {
	{ "help", "[COMMAND]",
	  "What a command makes, and its options; without one, all commands." },
	{ "presets", "[NAME]",
	  "All presets, or what one expands to and where it comes from." },
	{ "header", "COMMAND [OPTIONS]",
	  "What an NPY file of the command's table begins with. Its parts, "
	  "made by the\nsame command with --rows A:B --raw -, follow." },
	{ "completion", "bash|zsh|fish",
	  "The script that completes commands, options, values and files. In "
	  "bash and zsh:\nsource <(posenc completion bash); in fish: posenc "
	  "completion fish | source." },
	{ NULL, NULL, NULL }
};

const struct errand *help_errand(const char *word)
{
	const struct errand *e = help_errands;

	while (e->word && strcmp(e->word, word) != 0)
		e++;
	return e->word ? e : NULL;
}

void help_errand_show(const char *word, struct out *o)
{
	const struct errand *e = help_errand(word);

	out_format(o, "usage: posenc %s %s\n\n%s\n", e->word, e->words,
		   e->help);
}

void help_all(const char *name, struct out *o)
{
	(void)name;
	out_text(o, "usage: posenc COMMAND [OPTIONS]\n");
	for (const struct errand *e = help_errands; e->word; e++)
		out_format(o, "       posenc %s %s\n", e->word, e->words);
	out_text(o, "       posenc --version\n");
	commands_help(o);
	outputs_help(o);
	options_help(o, "How outputs look", style_options);
	out_text(o, "\nWithout an output a terminal shows the table, its "
		    "middle left out where it is\nlarge; a pipe or file gets "
		    "CSV. Exit status: 0 done, 1 the answer is no, 2 it\ncould "
		    "not be done.\n");
}

/* Who uses which options, by the name they are bundled under. */
static void presets_help(struct out *o, const struct preset *p)
{
	out_text(o, "\nPresets:\n");
	for (; p->name; p++) {
		out_format(o, "  %s", p->name);
		wrapped(o, (int)strlen(p->name) + 2, p->project);
		wrapped(o, 0, p->options);
	}
}

void help_recipe(const char *name, struct out *o)
{
	const struct recipe *r = recipe_find(name, &(struct error){ 0 });
	struct option_group g;

	out_format(o, "usage: posenc %s [OPTIONS]%s\n\n%s\n\n", r->name,
		   r->inputs == 2 ? " TABLE TABLE" : r->optional ? " [TABLE]" :
		   r->inputs ? " TABLE" : "",
		   r->summary);
	out_text(o, r->about);
	out_format(o, "\nSource: %s\nExample: %s\n", r->paper, r->example);
	for (size_t i = 0; (g = scope_group(r, i)).options; i++) {
		if (g.options == style_options && !r->make) {
			report_help(o);
			continue;
		}
		if (g.options == style_options)
			outputs_help(o);
		if (g.options->name)
			options_help(o, g.title, g.options);
		if (i == 0 && r->presets)
			presets_help(o, r->presets);
	}
}

static void preset_help(struct out *o, const struct recipe *r,
			const struct preset *p)
{
	out_format(o, "posenc %s %s\n  project  %s\n  source   %s\n", r->name,
		   p->options, p->project, p->source);
	if (p->also)
		out_format(o, "  nearer   %s\n", p->also);
}

void help_presets(const char *name, struct out *o)
{
	const struct recipe *r;

	for (size_t i = 0; (r = recipe_at(i)); i++) {
		const struct preset *p = r->presets;

		if (p && !name) {
			out_format(o, "%sposenc %s", i ? "\n" : "", r->name);
			presets_help(o, p);
		}
		for (; p && name && p->name; p++)
			if (strcmp(p->name, name) == 0)
				preset_help(o, r, p);
	}
}

bool help_preset_exists(const char *name, struct error *err)
{
	const struct recipe *r;
	const struct preset *near = NULL;
	size_t best = (size_t)-1;

	for (size_t i = 0; (r = recipe_at(i)); i++)
		for (const struct preset *p = r->presets; p && p->name; p++) {
			if (strcmp(p->name, name) == 0)
				return true;
			if (nearer_word(name, p->name, &best))
				near = p;
		}
	return preset_unknown(name, near, err);
}
