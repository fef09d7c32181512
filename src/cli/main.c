/* main.c: who is asked, by what, into what: ask, make, write. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/complete.h"
#include "cli/help.h"
#include "cli/man.h"
#include "cli/pager.h"
#include "cli/serve.h"
#include "core/utf8.h"
#include "figure/font.h"
#include "formats/json_tree.h"
#include "formats/picture.h"
#include "recipes.h"
#include "version.h"
#include "views/svd.h"

enum { DONE = 0, NO = 1, FAILED = 2 };

/* One line on standard error, about a command or NULL. */
static void say_line(const char *command, const char *text)
{
	char line[1024];
	size_t n = (size_t)snprintf(line, sizeof line, "posenc%s%s: ",
				    command ? " " : "",
				    command ? command : "");
	ssize_t done;

	n += utf8_show(text, line + n, sizeof line - n);
	line[n++] = '\n';
	done = write(STDERR_FILENO, line, n);
	(void)done;  /* nowhere left to say so */
}

static int report(const char *command, const struct error *err)
{
	say_line(err->about_file ? NULL : command, err->text);
	return FAILED;
}

/* Send what show() makes of a word to path, "-" for standard output. */
static int say_to(const char *path,
		  void (*show)(const char *word, struct out *o),
		  const char *word)
{
	struct error err = { 0 };
	struct out o;

	if (!out_open(&o, path, &err))
		return report(NULL, &err);
	show(word, &o);
	out_finish(&o, &err);
	out_close(&o);
	return err.text[0] ? report(NULL, &err) : DONE;
}

static void show_version(const char *word, struct out *o)
{
	static const char *const lapack[] = {
		[LAPACK_DONE] = "found",
		[LAPACK_ABSENT] = "not found (" SVD_PACKAGE ")",
		[LAPACK_NO_ROOM] = "has no memory",
		[LAPACK_FAILED] = "failed, perhaps for want of memory",
	};
	int major = 0, minor = 0, patch = 0;

	(void)word;
	if (!font_version(&major, &minor, &patch))
		out_fail(o, "out of memory");
	out_text(o, "posenc " POSENC_VERSION "\n\n");
	out_format(o, "libpng %s\nzlib %s\n", picture_version(),
		   picture_zlib_version());
	out_format(o, "cJSON %s\nFreeType %d.%d.%d\n", json_tree_version(),
		   major, minor, patch);
	out_format(o, "LAPACK %s\n", lapack[svd_try()]);
}

/* Of a table only what an NPY file begins with is asked for. */
static bool set_head(struct args *a, struct error *err)
{
	const struct style *s = &a->style;

	if (recipe_reports(a->recipe, a->fields.self))
		return fail(err, "header is for commands that make tables");
	if (a->output_count || s->preview || s->dry_run)
		return fail(err, "header goes to standard output alone; leave "
			    "out --%s", a->output_count
			    ? output_name(&a->outputs[0])
			    : s->preview ? "preview" : "dry-run");
	return a->style.head = true;
}

/* head: only what an NPY file begins with. */
static int run(const struct recipe *r, bool head, int argc, char **argv)
{
	struct error err = { 0 };
	struct args a;
	int status = DONE;
	bool no = false;

	if (args_read(&a, r, argc, argv, &err) && a.help)
		status = say_to("-", help_recipe, r->name);
	else if (err.text[0] || (head && !set_head(&a, &err)) ||
		 !serve(&a, &no, &err))
		status = report(r->name, &err);
	else if (no)
		status = NO;
	if (status != FAILED && a.table.note && !a.style.quiet)
		say_line(r->name, a.table.note);
	args_close(&a);
	return status;
}

static int run_help(int argc, char **argv)
{
	struct error err = { 0 };

	if (argc > 1)
		fail(&err, "help takes one command, not '%.60s' too", argv[1]);
	else if (argc && help_errand(argv[0]))
		return say_to("-", help_errand_show, argv[0]);
	if (err.text[0] || (argc && !recipe_find(argv[0], &err)))
		return report(NULL, &err);
	if (isatty(STDOUT_FILENO) && pager_show(argv[0]))
		return DONE;
	return say_to("-", argc ? help_recipe : help_all, argv[0]);
}

/* posenc presets [NAME] */
static int run_presets(int argc, char **argv)
{
	struct error err = { 0 };

	if (!argc)
		return say_to("-", help_presets, NULL);
	if (argc > 1)
		fail(&err, "presets takes one name, not '%.60s' too", argv[1]);
	else if (help_preset_exists(argv[0], &err))
		return say_to("-", help_presets, argv[0]);
	return report("presets", &err);
}

/* For scripts/man, which makes the manual. */
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
	struct error err = { 0 };

	if (argc != 1)
		fail(&err, "completion takes the name of a shell: bash, zsh "
		     "or fish");
	else
		return say_to("-", complete_shell, argv[0]);
	return report(NULL, &err);
}

/* What a file of shards begins with, joined from --raw of --rows. */
static int run_header(int argc, char **argv)
{
	struct error err = { 0 };
	const struct recipe *r = NULL;

	if (!argc)
		fail(&err, "header takes a command with its options: posenc "
		     "header sinusoid --len 4 --dim 4");
	else
		r = recipe_find(argv[0], &err);
	return r ? run(r, true, argc - 1, argv + 1) : report(NULL, &err);
}

/* First words that are no recipes; argv [argc] follows them. */
static const struct {
	const char *word;
	int (*run)(int argc, char **argv);
} errands[] = {
	{ "help", run_help },
	{ "--help", run_help },
	{ "-h", run_help },
	{ "--version", run_version },
	{ "--mdoc", run_mdoc },
	{ "presets", run_presets },
	{ "completion", run_completion },
	{ "header", run_header },
};

enum { ERRANDS = sizeof errands / sizeof *errands };

static bool asks_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* What a first word asks for, argv [argc] from there on: an errand, a table. */
static int run_word(int argc, char **argv)
{
	struct error err = { 0 };
	const struct recipe *r;

	if (argc > 1 && asks_help(argv[1]) && help_errand(argv[0]))
		return say_to("-", help_errand_show, argv[0]);
	for (size_t i = 0; i < ERRANDS; i++)
		if (strcmp(errands[i].word, argv[0]) == 0)
			return errands[i].run(argc - 1, argv + 1);
	r = recipe_find(argv[0], &err);
	return r ? run(r, false, argc - 1, argv + 1) : report(NULL, &err);
}

/*
 * A file that we open must not land on a closed standard stream, where other
 * output would reach it. Fill those the wrong way round, so that using them
 * still fails.
 */
static void fill_closed_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			exit(FAILED);
}

int main(int argc, char **argv)
{
	fill_closed_streams();
	/* A file past the limit is an error to be told, not a sudden end. */
	signal(SIGXFSZ, SIG_IGN);
	/* A parent that ignores the ends of its children passes that on. */
	signal(SIGCHLD, SIG_DFL);
	if (argc > 1)
		return run_word(argc - 1, argv + 1);
	say_to("/dev/stderr", help_brief, NULL);
	return FAILED;
}
