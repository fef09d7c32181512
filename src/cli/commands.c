/* commands.c: what the first word of a command line runs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint/checkpoint.h"
#include "cli/commands.h"
#include "cli/guesses.h"
#include "cli/help.h"
#include "cli/run.h"
#include "containers/hdf5.h"
#include "figure/font.h"
#include "formats/deflate.h"
#include "formats/json_tree.h"
#include "formats/picture.h"
#include "model/command.h"
#include "recipes.h"
#include "text/utf8.h"
#include "text/words.h"
#include "version.h"

enum { DONE = 0, NO = 1, FAILED = 2 };

const struct recipe *command_at(size_t i)
{
	static const struct recipe *const others[] = {
		&list_recipe, &config_recipe, &figure_recipe, &explore_recipe,
	};
	enum { OTHERS = sizeof others / sizeof *others };
	size_t n = 0;

	while (recipe_at(n))
		n++;
	return i < n ? recipe_at(i) : i < n + OTHERS ? others[i - n] : NULL;
}

const struct recipe *command_find(const char *name, struct error *err)
{
	struct lookup l = lookup_begin(name);
	const char *advice;
	const struct recipe *r;

	for (size_t i = 0; (r = command_at(i)); i++)
		if (lookup_is(&l, r->name))
			return r;
	/* The others are run before; a misspelt one is suggested */
	for (const struct builtin *b = builtins; b->name; b++)
		lookup_is(&l, b->name);
	advice = guess_command(name);
	if (advice)
		l.nearest[0] = '\0';
	lookup_fail(&l, "unknown command",
		    advice ? advice : "; 'posenc help' lists them", err);
	return NULL;
}

/* Text [n] as a line on standard error; the command it concerns, or NULL. */
static void say(const char *command, const char *text, size_t n)
{
	char line[1024];
	size_t at = (size_t)snprintf(line, sizeof line, "posenc%s%s: ",
				     command ? " " : "",
				     command ? command : "");
	ssize_t done;

	at += utf8_show(text, n, line + at, sizeof line - at);
	line[at++] = '\n';
	done = write(STDERR_FILENO, line, at);
	(void)done;  /* no stream is left to report a failure on */
}

static int report(const char *command, const struct error *err)
{
	say(err->about_file ? NULL : command, err->text, SIZE_MAX);
	return FAILED;
}

/* Print what show() says of a name, or of everything for NULL. */
static int print(void (*show)(const char *name, struct output_file *o),
		 const char *name)
{
	struct error err = { 0 };
	struct output_file o;

	if (!out_open(&o, show == help_brief ? "/dev/stderr" : "-", &err))
		return report(NULL, &err);
	show(name, &o);
	out_finish(&o, &err);
	out_close(&o);
	return err.text[0] ? report(NULL, &err) : DONE;
}

/* Libraries that are loaded when needed have a version or a reason. */
static void show_version(const char *name, struct output_file *o)
{
	char freetype[FONT_VERSION], hdf5[HDF5_VERSION];
	struct error no_font = { 0 };

	(void)name;
	font_version(freetype, &no_font);
	hdf5_version(hdf5);
	out_format(o, "posenc " POSENC_VERSION "\n\nlibpng %s\nzlib %s\n"
		   "cJSON %s\n", picture_version(), deflate_version(),
		   json_tree_version());
	out_format(o, "FreeType %s\nlibhdf5 %s\n",
		   no_font.text[0] ? no_font.text : freetype, hdf5);
}

/* Write only the header of an NPY file. */
static bool set_head(struct args *a, struct error *err)
{
	const struct style *s = &a->style;

	if (recipe_reports(a->recipe, a->fields.self))
		return fail(err,
			    "header: this command makes a report, not a table");
	if (a->output_count || s->preview || s->dry_run)
		return fail(err,
			    "header writes to standard output only; remove "
			    "--%s",
			    a->output_count ? output_name(&a->outputs[0])
			    : s->preview    ? "preview"
					    : "dry-run");
	return a->style.header_only = true;
}

/* Run a command; head: write only the header of an NPY file. */
static int run(const struct recipe *r, bool head, int argc, char **argv)
{
	struct args *a = calloc(1, sizeof *a);  /* as stacks may be small */
	struct error err = { 0 };
	const char *note;
	int status = DONE;
	bool no = false;

	if (!a) {
		fail_memory(&err);
		return report(r->name, &err);
	}
	if ((r == &explore_recipe ? explore_read(a, argc, argv, &err)
	     : r == &figure_recipe ? figure_read(a, argc, argv, &err)
				  : args_read(a, r, argc, argv, &err)) &&
	    a->help) {
		status = print(help_recipe, r->name);
	} else if (err.text[0] || (head && !set_head(a, &err)) ||
		   !run_command(a, &no, &err)) {
		const size_t n = strlen(err.text);

		/* Of nothing at all, an example shows what is missing */
		if (!argc && !head)
			snprintf(err.text + n, sizeof err.text - n,
				 "; for example: %s", r->example);
		status = report(r->name, &err);
	} else if (no) {
		status = NO;
	}
	note = status == FAILED || a->style.quiet ? NULL : a->table.from.note;
	for (size_t n; note; note = note[n] ? note + n + 1 : NULL) {
		n = strcspn(note, "\n");
		say(r->name, note, n);
	}
	args_close(a);
	free(a);
	return status;
}

/*
 * Show the installed manual page of a command, or of posenc for NULL, with
 * man(1), whatever that returns. False if there is none.
 */
static bool show_page(const char *command)
{
	char page[60], line[200];

	snprintf(page, sizeof page, "posenc%s%.40s", command ? "-" : "",
		 command ? command : "");
	snprintf(line, sizeof line,
		 "man -w %s >/dev/null 2>&1 && { man %s; :; }", page, page);
	return system(line) == 0;
}

/* posenc help [COMMAND | TOPIC | WORD] [--full] */
static int run_help(int argc, char **argv)
{
	struct error err = { 0 };
	const char *name = NULL;
	bool full = false;

	for (int i = 0; i < argc && !err.text[0]; i++)
		if (strcmp(argv[i], "--full") == 0)
			full = true;
		else if (name)
			fail(&err, "help: expected one command, topic or word, "
			     "got '%.60s' too", argv[i]);
		else
			name = argv[i];
	if (err.text[0])
		return report(NULL, &err);
	if (name && builtin_find(name))
		return print(help_builtin, name);
	if (name && topic_find(name))
		return print(help_topic, name);
	if (name && !command_find(name, &(struct error){ 0 }))
		return find_any(name, &err)
		       ? print(full ? find_all : find_page, name)
		       : report(NULL, &err);
	if (full && isatty(STDOUT_FILENO) && show_page(name))
		return DONE;
	return print(!name ? help_all : full ? help_recipe_full : help_recipe,
		     name);
}

/* posenc presets [NAME] */
static int run_presets(int argc, char **argv)
{
	struct error err = { 0 };

	if (argc > 1)
		fail(&err, "expected one name, got '%.60s' too", argv[1]);
	else if (!argc || help_preset_exists(argv[0], &err))
		return print(help_presets, argc ? argv[0] : NULL);
	return report("presets", &err);
}

/* posenc header COMMAND [OPTIONS] */
static int run_header(int argc, char **argv)
{
	struct error err = { 0 };
	const struct recipe *r = NULL;

	if (!argc)
		fail(&err,
		     "header: expected a command with its options, such as "
		     "posenc header sinusoid --len 4 --dim 4");
	else
		r = command_find(argv[0], &err);
	return r ? run(r, true, argc - 1, argv + 1) : report(NULL, &err);
}

/* posenc completion SHELL */
static int run_completion(int argc, char **argv)
{
	return print(complete_shell, argc == 1 ? argv[0] : NULL);
}

static int run_version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return print(show_version, NULL);
}

/* posenc --mdoc [COMMAND]: for scripts/man, which makes the manual. */
static int run_mdoc(int argc, char **argv)
{
	return print(man_made, argc ? argv[0] : "posenc");
}

const struct builtin builtins[] = {
	{ "help", "--help -h", "[COMMAND | TOPIC | WORD] [--full]",
	  "explain a command or a topic, or find a word",
	  "Without arguments, all commands and topics are listed. A WORD is "
	  "found in the\noptions of all commands, their values, presets, and "
	  "what help says of them.\n--full adds formulas, sources and shared "
	  "options, or all that a WORD finds; on\na terminal it opens the "
	  "manual page of a command.", run_help },
	{ "presets", "", "[NAME]", "list presets, or show one",
	  "A preset is the set of options that makes a project's tables. "
	  "With NAME: its\noptions, the project, the source file, its "
	  "version and, if there is one, the\noption that also reproduces "
	  "the project's rounding.", run_presets },
	{ "header", "", "COMMAND [OPTIONS]", "print the header of an NPY file",
	  "Prints the header of the command's table. The raw output of the "
	  "same command,\nwhole or in parts made with --rows A:B, completes "
	  "the file.", run_header },
	{ "completion", "", "bash|zsh|fish", "print a completion script",
	  "The script completes commands, options, values and file names. In "
	  "bash and zsh:\nsource <(posenc completion bash); in fish: posenc "
	  "completion fish | source.", run_completion },
	{ NULL, "--version -V -v version", NULL, NULL, NULL, run_version },
	{ NULL, "--mdoc", NULL, NULL, NULL, run_mdoc },
};

const struct builtin *builtin_find(const char *name)
{
	const struct builtin *b = builtins;

	while (b->name && strcmp(b->name, name) != 0)
		b++;
	return b->name ? b : NULL;
}

int command_run(int argc, char **argv)
{
	const size_t n = sizeof builtins / sizeof *builtins;
	struct error err = { 0 };
	const struct recipe *r;

	if (!argc) {
		print(help_brief, NULL);
		return FAILED;
	}
	/* "rope help"; a table of that name is ./help */
	if (argc == 2 && strcmp(argv[1], "help") == 0 && *argv[0] != '-')
		return run_help(1, argv);
	if (argc > 1 && text_has_word("--help -h", argv[1], " ") &&
	    builtin_find(argv[0]))
		return print(help_builtin, argv[0]);
	for (const struct builtin *b = builtins; b < builtins + n; b++)
		if (text_has_word(b->also, argv[0], " ") ||
		    b == builtin_find(argv[0]))
			return b->run(argc - 1, argv + 1);
	r = command_find(argv[0], &err);
	return r ? run(r, false, argc - 1, argv + 1) : report(NULL, &err);
}
