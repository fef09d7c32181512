/*
 * main.c: entry point. The first word of the command line is a command of
 * recipes.c, which run.c carries out, or a builtin such as 'help'.
 *
 * Folder src/cli: the command line. Words become fields (args.h), a command is
 * run and its outputs are written (run.h); help, manual and completions are
 * printed from declarations. It includes any folder but those of encodings,
 * compare and identify, which it reaches through recipes.h, and web.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/complete.h"
#include "cli/explore.h"
#include "cli/find.h"
#include "cli/help.h"
#include "cli/man.h"
#include "cli/run.h"
#include "text/utf8.h"
#include "containers/hdf5.h"
#include "figure/font.h"
#include "formats/json_tree.h"
#include "formats/deflate.h"
#include "formats/picture.h"
#include "cli/commands.h"
#include "version.h"
#include "views/lapack.h"

enum { DONE = 0, NO = 1, FAILED = 2 };

/* What figures take, with room to spare. */
enum { STACK_KIB = 64 };

/* One line on standard error; command is the one it concerns, or NULL. */
static void say_line(const char *command, const char *text)
{
	char line[1024];
	size_t n = (size_t)snprintf(line, sizeof line,
				    "posenc%s%s: ", command ? " " : "",
				    command ? command : "");
	ssize_t done;

	n += utf8_show(text, SIZE_MAX, line + n, sizeof line - n);
	line[n++] = '\n';
	done = write(STDERR_FILENO, line, n);
	(void)done; /* no stream is left to report a failure on */
}

/* Lines on standard error. */
static void say_lines(const char *command, const char *text)
{
	char line[512];

	while (text) {
		const int length = (int)strcspn(text, "\n");

		snprintf(line, sizeof line, "%.*s", length, text);
		say_line(command, line);
		text = text[length] ? text + length + 1 : NULL;
	}
}

static int report(const char *command, const struct error *err)
{
	say_line(err->about_file ? NULL : command, err->text);
	return FAILED;
}

/* Write what show() prints about a word to path, "-" for standard output. */
static int say_to(const char *path,
		  void (*show)(const char *word, struct output_file *o),
		  const char *word)
{
	struct error err = {0};
	struct output_file o;

	if (!out_open(&o, path, &err))
		return report(NULL, &err);
	show(word, &o);
	out_finish(&o, &err);
	out_close(&o);
	return err.text[0] ? report(NULL, &err) : DONE;
}

/* The version of a library that is loaded when needed, or why it can't be. */
static void show_loaded(struct output_file *o, const char *name,
			const char *version, const struct error *err)
{
	out_format(o, "%s %s\n", name, err->text[0] ? err->text : version);
}

static void show_freetype(struct output_file *o)
{
	char version[FONT_VERSION];
	struct error err = { 0 };

	font_version(version, &err);
	show_loaded(o, "FreeType", version, &err);
}

static void show_lapack(struct output_file *o)
{
	struct error why = { 0 };
	const char *const lapack[] = {
		[LAPACK_DONE] = "found",
		[LAPACK_SKIPPED] = why.text,
		[LAPACK_FAILED] = "failed, possibly out of memory",
	};

	out_format(o, "LAPACK %s\n",
		   lapack[lapack_run(NULL, NULL, 0, NULL, 0, &why)]);
}

static void show_version(const char *word, struct output_file *o)
{
	char hdf5[HDF5_VERSION];

	(void)word;
	out_text(o, "posenc " POSENC_VERSION "\n\n");
	out_format(o, "libpng %s\nzlib %s\ncJSON %s\n", picture_version(),
		   deflate_version(), json_tree_version());
	show_freetype(o);
	hdf5_version(hdf5);
	out_format(o, "libhdf5 %s\n", hdf5);
	show_lapack(o);
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

/* Where nothing was given, what is missing is shown by an example. */
static void add_example(const struct recipe *r, struct error *err)
{
	const size_t n = strlen(err->text);

	snprintf(err->text + n, sizeof err->text - n, "; for example: %s",
		 r->example);
}

/* Read the words after the name of a command. */
static bool read_words(struct args *a, const struct recipe *r, int argc,
		       char **argv, struct error *err)
{
	return r == &explore_recipe ? explore_read(a, argc, argv, err)
				    : args_read(a, r, argc, argv, err);
}

/* Run a command; head: write only the header of an NPY file. */
static int run(const struct recipe *r, bool head, int argc, char **argv)
{
	struct error err = {0};
	struct args a;
	int status = DONE;
	bool no = false;

	if (read_words(&a, r, argc, argv, &err) && a.help) {
		status = say_to("-", help_recipe, r->name);
	} else if (err.text[0] || (head && !set_head(&a, &err)) ||
		   !run_command(&a, &no, &err)) {
		if (!argc && !head)
			add_example(r, &err);
		status = report(r->name, &err);
	} else if (no) {
		status = NO;
	}
	if (status != FAILED && a.table.from.note && !a.style.quiet)
		say_lines(r->name, a.table.from.note);
	args_close(&a);
	return status;
}

/*
 * Show the installed manual page of a command, or of posenc for NULL, with
 * man(1). False if there is none.
 */
static bool show_page(const char *command)
{
	const char *dash = command ? "-" : "", *name = command ? command : "";
	char line[100];
	int status;

	/* Finds the page and prints nothing. */
	snprintf(line, sizeof line, "man -w posenc%s%.40s >/dev/null 2>&1",
		 dash, name);
	if (system(line) != 0)
		return false;
	snprintf(line, sizeof line, "man posenc%s%.40s", dash, name);
	status = system(line);
	(void)status;  /* the page was shown, whatever man returns */
	return true;
}

/* A command in full, or all: the manual page where a terminal can show it. */
static int show_full(const char *command)
{
	if (isatty(STDOUT_FILENO) && show_page(command))
		return DONE;
	return say_to("-", command ? help_recipe_full : help_all, command);
}

/* posenc help [COMMAND | TOPIC | WORD] [--full] */
static int run_help(int argc, char **argv)
{
	struct error err = {0};
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
		return say_to("-", help_builtin, name);
	if (name && help_has_topic(name))
		return say_to("-", help_topic, name);
	if (name && !command_find(name, &(struct error){ 0 }))
		return find_any(name, &err)
		       ? say_to("-", full ? find_all : find_page, name)
		       : report(NULL, &err);
	if (full)
		return show_full(name);
	return say_to("-", name ? help_recipe : help_all, name);
}

/* posenc presets [NAME] */
static int run_presets(int argc, char **argv)
{
	struct error err = {0};

	if (!argc)
		return say_to("-", help_presets, NULL);
	if (argc > 1)
		fail(&err, "expected one name, got '%.60s' too", argv[1]);
	else if (help_preset_exists(argv[0], &err))
		return say_to("-", help_presets, argv[0]);
	return report("presets", &err);
}

/* posenc --mdoc [COMMAND]: for scripts/man, which makes the manual. */
static int run_mdoc(int argc, char **argv)
{
	return say_to("-", man_made, argc ? argv[0] : "posenc");
}

static int run_version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return say_to("-", show_version, NULL);
}

static int run_completion(int argc, char **argv)
{
	struct error err = {0};

	if (argc != 1)
		fail(&err, "completion: expected bash, zsh or fish");
	else
		return say_to("-", complete_shell, argv[0]);
	return report(NULL, &err);
}

/* posenc header COMMAND [OPTIONS] */
static int run_header(int argc, char **argv)
{
	struct error err = {0};
	const struct recipe *r = NULL;

	if (!argc)
		fail(&err,
		     "header: expected a command with its options, such as "
		     "posenc header sinusoid --len 4 --dim 4");
	else
		r = command_find(argv[0], &err);
	return r ? run(r, true, argc - 1, argv + 1) : report(NULL, &err);
}

/* First words that are not the name of a recipe; argv [argc] follows them. */
static const struct {
	const char *word;
	int (*run)(int argc, char **argv);
} runners[] = {
	{"help", run_help},
	{"--help", run_help},
	{"-h", run_help},
	{"--version", run_version},
	{"version", run_version},
	{"-V", run_version},
	{"-v", run_version},
	{"--mdoc", run_mdoc},
	{"presets", run_presets},
	{"completion", run_completion},
	{"header", run_header},
};

enum { RUNNERS = sizeof runners / sizeof *runners };

static bool asks_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* argv [argc] begins with the first word of the command line. */
static int run_word(int argc, char **argv)
{
	struct error err = {0};
	const struct recipe *r;

	/* "rope help"; a table of that name is ./help */
	if (argc == 2 && strcmp(argv[1], "help") == 0 && *argv[0] != '-')
		return run_help(1, argv);
	if (argc > 1 && asks_help(argv[1]) && builtin_find(argv[0]))
		return say_to("-", help_builtin, argv[0]);
	for (size_t i = 0; i < RUNNERS; i++)
		if (strcmp(runners[i].word, argv[0]) == 0)
			return runners[i].run(argc - 1, argv + 1);
	r = command_find(argv[0], &err);
	return r ? run(r, false, argc - 1, argv + 1) : report(NULL, &err);
}

/*
 * Open the closed ones of the standard streams, so that no output file gets
 * their descriptor and receives messages. They are opened in the wrong
 * direction, so that reading or writing them still fails.
 */
static void fill_closed_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			exit(FAILED);
}

/* SIGXCPU comes at the soft limit; SIGKILL, at the hard one, is not caught. */
static void out_of_time(int signal)
{
	static const char text[] = "posenc: CPU time limit exceeded "
				   "(ulimit -t)\n";
	const ssize_t done = write(STDERR_FILENO, text, sizeof text - 1);

	(void)signal;
	(void)done;  /* failures don't matter */
	_exit(FAILED);
}

/* Whether the stack has room for all commands; if not, that is said. */
static bool has_stack(void)
{
	struct rlimit stack = { RLIM_INFINITY, RLIM_INFINITY };
	char text[100];

	getrlimit(RLIMIT_STACK, &stack);
	if (stack.rlim_cur >= STACK_KIB << 10)
		return true;
	snprintf(text, sizeof text, "the stack is limited to %d KiB "
		 "(ulimit -s), %d are needed", (int)(stack.rlim_cur >> 10),
		 STACK_KIB);
	say_line(NULL, text);
	return false;
}

int main(int argc, char **argv)
{
	fill_closed_streams();
	if (!has_stack())
		return FAILED;
	/* A file beyond the size limit becomes an error of write(). */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGXCPU, out_of_time);
	/* A parent that ignores SIGCHLD passes that on; waitpid() needs it. */
	signal(SIGCHLD, SIG_DFL);
	if (argc > 1)
		return run_word(argc - 1, argv + 1);
	say_to("/dev/stderr", help_brief, NULL);
	return FAILED;
}
