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

/* head: only what an NPY file begins with. */
static int run(const struct recipe *r, bool head, int argc, char **argv)
{
	struct error err = { 0 };
	struct args a;
	int status = DONE;
	bool no = false;

	if (args_read(&a, r, argc, argv, &err) && head) {
		a.style.head = true;
		a.output_count = 0;
	}
	if (!err.text[0] && a.help)
		status = say_to("-", help_recipe, r->name);
	else if (err.text[0] || !serve(&a, &no, &err))
		status = report(r->name, &err);
	else if (no)
		status = NO;
	if (status != FAILED && a.table.note && !a.style.quiet)
		say_line(r->name, a.table.note);
	args_close(&a);
	return status;
}

/* What help says of the errands that are no flags, or NULL. */
static const char *errand_help(const char *word)
{
	static const char *const said[][2] = {
		{ "presets", "usage: posenc presets [NAME]\n\nAll presets, or "
		  "what one expands to and where it comes from.\n" },
		{ "completion", "usage: posenc completion bash|zsh|fish\n\nThe "
		  "script that completes commands, options, values and files. "
		  "In bash and zsh:\nsource <(posenc completion bash); in "
		  "fish: posenc completion fish | source.\n" },
		{ "header", "usage: posenc header COMMAND [OPTIONS]\n\nWhat an "
		  "NPY file of the command's table begins with. Its parts, "
		  "made by the\nsame command with --rows A:B --raw -, "
		  "follow.\n" },
	};

	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		if (strcmp(said[i][0], word) == 0)
			return said[i][1];
	return NULL;
}

static void show_errand(const char *word, struct out *o)
{
	out_text(o, errand_help(word));
}

/* An errand is a first word that is no recipe; argv [argc] follows it. */
static int run_help(int argc, char **argv)
{
	struct error err = { 0 };

	if (argc > 1)
		fail(&err, "help takes one command, not '%.60s' too", argv[1]);
	else if (argc && errand_help(argv[0]))
		return say_to("-", show_errand, argv[0]);
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

	if (!argc || strcmp(argv[0], "--help") == 0)
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

static const struct errand {
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
	{ NULL, NULL },
};

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
	const struct errand *e = errands;
	const struct recipe *r;
	struct error err = { 0 };

	fill_closed_streams();
	/* A file past the limit is an error to be told, not a sudden end. */
	signal(SIGXFSZ, SIG_IGN);
	/* A parent that ignores the ends of its children passes that on. */
	signal(SIGCHLD, SIG_DFL);
	if (argc < 2) {
		say_to("/dev/stderr", help_brief, NULL);
		return FAILED;
	}
	while (e->word && strcmp(e->word, argv[1]) != 0)
		e++;
	if (e->word)
		return e->run(argc - 2, argv + 2);
	r = recipe_find(argv[1], &err);
	return r ? run(r, false, argc - 2, argv + 2) : report(NULL, &err);
}
