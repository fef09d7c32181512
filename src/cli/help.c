/* help.c: the texts of --help and 'posenc help', from declarations. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/scope.h"
#include "text/words.h"

/* Columns: of the page, before the help of an option, of a name. */
enum { WIDTH = 78, INDENT = 26, NAMES = 14 };

/*
 * Words of text between columns indent and WIDTH. The line has column
 * characters already. Lists of choices may be broken after a '|'.
 */
static void wrapped(struct output_file *o, int indent, int column,
		    const char *text)
{
	if (column >= indent && column) {
		out_text(o, "\n");
		column = 0;
	}
	for (int blank = 0; *text;) {
		int n = (int)strcspn(text, " |");

		n += text[n] == '|';
		if (column > indent && column + blank + n > WIDTH) {
			out_text(o, "\n");
			column = 0;
		}
		if (column < indent || !column)
			blank = indent - column;
		out_format(o, "%*s", blank, "");
		column += blank + n;
		out_bytes(o, text, (size_t)n);
		text += n;
		blank = *text == ' ';
		text += strspn(text, " ");
	}
	out_text(o, "\n");
}

/* "help: sine|zero|error (default: sine)" */
static void option_help(struct output_file *o, const struct option *p)
{
	const int before = (int)option_help_end(p);
	char flag[40], text[800];
	int n, column;

	column = snprintf(text, sizeof text, "  %s%s%s", option_flag(p, flag),
			  p->arg ? " " : "", p->arg ? p->arg : "");
	out_text(o, text);
	n = snprintf(text, sizeof text, "%.*s", before, p->help);
	if (option_lists_words(p))
		for (const char *const *w = p->words; *w; w++)
			n += snprintf(text + n, sizeof text - (size_t)n,
				      "%s%s", w == p->words ? ": " : "|", *w);
	n += snprintf(text + n, sizeof text - (size_t)n, "%s",
		      p->help + before);
	if (p->initial)
		snprintf(text + n, sizeof text - (size_t)n, " (default: %s)",
			 p->initial);
	wrapped(o, INDENT, column, text);
	for (size_t i = 0; p->meanings && p->words[i]; i++) {
		snprintf(text, sizeof text, "%s: %s", p->words[i],
			 p->meanings[i]);
		wrapped(o, INDENT, 0, text);
	}
}

/* The options that a guest lends, which its own help explains. */
static void guest_help(struct output_file *o, const struct option_group *g)
{
	char text[2000] = "";
	size_t n = 0;

	for (const struct option *p = scope_next(g, g->options); p;
	     p = scope_next(g, p + 1)) {
		char flag[40];

		n += (size_t)snprintf(text + n, sizeof text - n, " %s",
				      option_flag(p, flag));
	}
	out_format(o, "\n--%s %s, explained by 'posenc help %s':\n",
		   g->recipe->host, g->title, g->guest->name);
	wrapped(o, 4, 0, text + 1);
}

static void group_help(struct output_file *o, const struct option_group *g)
{
	if (g->guest) {
		guest_help(o, g);
		return;
	}
	out_format(o, "\n%s:\n", g->title);
	for (const struct option *p = scope_next(g, g->options); p;
	     p = scope_next(g, p + 1))
		option_help(o, p);
}

/* A name and, from column indent on, what it stands for. */
static void item_help(struct output_file *o, int indent, const char *name,
		      const char *help)
{
	out_format(o, "  %s", name);
	wrapped(o, indent, (int)strlen(name) + 2, help);
}

void help_item(struct output_file *o, const char *name, const char *help)
{
	item_help(o, INDENT, name, help);
}

/* The formats that hold r's report; of any table, if r is NULL. */
static void formats_help(struct output_file *o, const struct recipe *r)
{
	const struct format *f;
	const char *help;
	char flag[40];

	out_text(o, r ? "\nOutputs (default: text on standard output; FILE - "
		 "is standard output):\n" : "\nOutputs (several may be given; "
		 "FILE - is standard output):\n");
	for (size_t i = 0; (f = format_at(i)); i++) {
		snprintf(flag, sizeof flag, "--%s FILE", f->name);
		if ((help = scope_format(f, r)))
			help_item(o, flag, help);
	}
	if (!r)
		help_item(o, "-o FILE", "write FILE in the format of its "
			  "suffix");
}

void help_brief(const char *name, struct output_file *o)
{
	const struct recipe *r;

	(void)name;
	out_text(o, "posenc generates and inspects positional encodings.\n\n"
		    "  posenc sinusoid --len 512 --dim 512 --png out.png\n"
		    "  posenc t5-bucket --len 8 --csv -\n\n"
		    "Commands:");
	for (size_t i = 0; (r = command_at(i)); i++)
		out_format(o, " %s", r->name);
	out_text(o, "\n'posenc help COMMAND' explains a command, 'posenc "
		    "help WORD' finds an option,\n'posenc help' lists "
		    "everything.\n");
}

void help_builtin(const char *name, struct output_file *o)
{
	const struct builtin *b = builtin_find(name);

	out_format(o, "usage: posenc %s %s\n\n%s\n\n%s\n", b->name,
		   b->arguments, b->summary, b->help);
}

static void outputs_help(struct output_file *o)
{
	formats_help(o, NULL);
}

static void tables_help(struct output_file *o)
{
	char known[SUFFIXES_TEXT], text[SUFFIXES_TEXT + 600];

	snprintf(text, sizeof text, "A TABLE is a file whose suffix (%s) names "
		 "its format. A TABLE '-' is standard input: raw values if "
		 "--dim is given; otherwise its first bytes tell the format. "
		 "FILE:TENSOR is one tensor of a file that holds several, "
		 "-:TENSOR of such a file from standard input (of a pipe of "
		 "NPZ, PyTorch or ONNX 1 GB at most); "
		 "'FILE:*PART*' finds it by a part of its name. FOLDER:TENSOR "
		 "is one of a model, whose index (.index.json) or only file of "
		 "tensors is in the folder. --dim and --dtype describe raw "
		 "values.",
		 format_suffixes(true, known));
	out_text(o, "\n");
	wrapped(o, 0, 0, text);
}

static void figures_help(struct output_file *o)
{
	out_text(o, "\n");
	wrapped(o, 0, 0, "Titles, names of axes, legends, words and "
		"annotations may have formulas between dollar signs, as in "
		"TeX: '$\\theta_i = b^{-2i/d}$'. Known are _ and ^, "
		"\\sqrt{...}, Greek letters, signs such as \\cdot, \\times, "
		"\\le and \\infty, and functions such as \\sin; \\$ is a "
		"dollar sign.");
}

static void animate_help(struct output_file *o)
{
	static const char *const names[] = {
		"animate", "frame-count", "frame-rate",
	};

	out_text(o, "\n");
	wrapped(o, 0, 0, "An animation is a figure for each of many values of "
		"an option, in an animated PNG, which browsers play, in a GIF, "
		"which slide programs play too, or in a file per frame. ffmpeg "
		"makes MP4 of the animated PNG.");
	out_text(o, "\n  posenc shift --dim 16 --animate by=0:16 --png a.png "
		 "--gif a.gif\n"
		 "  ffmpeg -i a.png -vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' "
		 "-pix_fmt yuv420p a.mp4\n"
		 "\nOptions:\n");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		option_help(o, option_find(style_options, names[i],
					   strlen(names[i])));
}

const struct topic topics[] = {
	{ "outputs", "formats and the options of all outputs", outputs_help },
	{ "figures", "options of PNG, SVG, PDF and GIF figures",
	  figures_help },
	{ "animate", "moving figures, also as MP4 and GIF", animate_help },
	{ "tables", "TABLE arguments: kinds of files, and their options",
	  tables_help },
	{ NULL, NULL, NULL }
};

const struct topic *topic_find(const char *name)
{
	const struct topic *t = topics;

	while (t->name && strcmp(t->name, name) != 0)
		t++;
	return t->name ? t : NULL;
}

void help_topic(const char *name, struct output_file *o)
{
	const struct topic *t = topic_find(name);
	const struct option_group g = scope_topic(name);

	out_format(o, "%s: %s\n", t->name, t->summary);
	if (t->begin)
		t->begin(o);
	if (g.title)
		group_help(o, &g);
}

void help_all(const char *name, struct output_file *o)
{
	const struct recipe *r;

	(void)name;
	out_text(o, "usage: posenc COMMAND [OPTIONS] [TABLE]...\n");
	for (const struct builtin *b = builtins; b->name; b++)
		out_format(o, "       posenc %s %s\n", b->name, b->arguments);
	out_text(o, "       posenc --version\n\nCommands:\n");
	for (size_t i = 0; (r = command_at(i)); i++)
		item_help(o, NAMES, r->name, r->summary);
	out_text(o, "\nOther commands:\n");
	for (const struct builtin *b = builtins; b->name; b++)
		item_help(o, NAMES, b->name, b->summary);
	out_text(o, "\nTopics ('posenc help TOPIC'):\n");
	for (const struct topic *t = topics; t->name; t++)
		item_help(o, NAMES, t->name, t->summary);
	formats_help(o, NULL);
	out_text(o, "\nIf no output is given, a pipe or file gets CSV, and a "
		    "terminal shows the table;\nlarge tables are shortened.\n\n"
		    "Exit status: 0 success, 1 a negative answer (such as "
		    "tables that differ), 2 an\nerror, explained on standard "
		    "error.\n");
}

static void presets_help(struct output_file *o, const struct preset *p)
{
	char version[120];

	out_text(o, "\nPresets:\n");
	for (; p->name; p++) {
		item_help(o, INDENT, p->name, p->project);
		wrapped(o, INDENT, 0, p->options);
		snprintf(version, sizeof version, "version: %s", p->version);
		wrapped(o, INDENT, 0, version);
	}
}

/* The names of presets in one line of text. */
static void preset_names(struct output_file *o, const struct preset *p)
{
	char text[1024];
	size_t n = (size_t)snprintf(text, sizeof text, "Presets:");

	for (; p->name; p++)
		n += (size_t)snprintf(text + n, sizeof text - n, " %s%s",
				      p->name, p[1].name ? "," : "");
	snprintf(text + n, sizeof text - n,
		 " ('posenc presets NAME' shows one)");
	out_text(o, "\n");
	wrapped(o, 0, 0, text);
}

static void usage_help(struct output_file *o, const struct recipe *r)
{
	const char *operand = r->operand;

	if (operand)
		operand = option_find(r->options, operand,
				      strlen(operand))->arg;
	out_format(o, "usage: posenc %s [OPTIONS]%s%s%s\n\n%s\n\n", r->name,
		   operand ? " " : "", operand ? operand :
		   r->inputs == 2 ? " TABLE TABLE" :
		   r->optional ? " [TABLE]" :
		   r->several ? " TABLE..." : r->inputs ? " TABLE" : "",
		   operand && r->several ? "..." : "", r->summary);
	out_text(o, r->about);
}

/* The options of r's own; how many groups they are. */
static size_t own_help(struct output_file *o, const struct recipe *r)
{
	struct option_group g;
	size_t i;

	for (i = 0; !(g = scope_group(r, i)).topic; i++)
		group_help(o, &g);
	return i;
}

void help_recipe(const char *name, struct output_file *o)
{
	const struct recipe *r = command_find(name, &(struct error){ 0 });
	const char *more = r->operand && !r->make ? "" :
			   r->draw   ? "posenc help figures|tables, " :
			   !r->make  ? "posenc help tables, " :
			   r->inputs ? "posenc help outputs|figures|tables, "
				     : "posenc help outputs|figures, ";

	usage_help(o, r);
	out_format(o, "\nExample: %s\n", r->example);
	own_help(o, r);
	if (!r->make)
		formats_help(o, r);
	if (r->presets)
		preset_names(o, r->presets);
	out_format(o, "\nMore: %sposenc help %s --full\n", more, r->name);
}

void help_recipe_full(const char *name, struct output_file *o)
{
	const struct recipe *r = command_find(name, &(struct error){ 0 });
	struct option_group g;
	size_t i;

	usage_help(o, r);
	out_text(o, "\n");
	out_text(o, r->details);
	out_text(o, "\nSource:");
	wrapped(o, 8, 7, r->paper);
	out_format(o, "Example: %s\n", r->example);
	i = own_help(o, r);
	if (r->presets)
		presets_help(o, r->presets);
	for (; (g = scope_group(r, i)).title; i++) {
		if (!r->make && g.options == style_options)
			continue;
		if (strcmp(g.topic, "outputs") == 0)
			formats_help(o, NULL);
		group_help(o, &g);
	}
	if (!r->make)
		formats_help(o, r);
}

void help_presets(const char *name, struct output_file *o)
{
	const struct recipe *r;

	for (size_t i = 0; (r = command_at(i)); i++) {
		const struct preset *p = r->presets;

		if (p && !name) {
			out_format(o, "%sposenc %s", i ? "\n" : "", r->name);
			presets_help(o, p);
		}
		for (; p && name && p->name; p++) {
			if (strcmp(p->name, name) != 0)
				continue;
			out_format(o, "posenc %s %s\n  project  %s\n"
				   "  source   %s\n  version  %s\n",
				   r->name, p->options, p->project, p->source,
				   p->version);
			if (p->also)
				out_format(o, "  rounding %s\n", p->also);
		}
	}
}

bool help_preset_exists(const char *name, struct error *err)
{
	struct lookup l = lookup_begin(name);
	const struct recipe *r;

	for (size_t i = 0; (r = command_at(i)); i++)
		for (const struct preset *p = r->presets; p && p->name; p++)
			if (lookup_is(&l, p->name))
				return true;
	for (size_t i = 0; (r = command_at(i)); i++)
		if (preset_refused(r, name, err))
			return false;
	return preset_unknown(&l, err);
}
