/* main.c: who is asked, by what, into what: ask, make, write. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/serve.h"
#include "recipes.h"
#include "version.h"

enum { DONE = 0, NO = 1, FAILED = 2 };

/*
 * One line on standard error, about a command or NULL; what could move a
 * cursor shows as \033.
 */
static void say_line(const char *command, const char *text)
{
	char line[1024];
	int n = snprintf(line, sizeof line, "posenc%s%s: ",
			 command ? " " : "", command ? command : "");
	ssize_t done;

	for (const char *c = text; *c && (size_t)n < sizeof line - 8; c++) {
		const bool control = (unsigned char)*c < ' ' || *c == 127;

		n += snprintf(line + n, sizeof line - (size_t)n,
			      control ? "\\%03o" : "%c", *c);
	}
	line[n++] = '\n';
	done = write(STDERR_FILENO, line, (size_t)n);
	(void)done;  /* nowhere left to say so */
}

static int report(const char *command, const struct error *err)
{
	say_line(err->about_file ? NULL : command, err->text);
	return FAILED;
}

/* Send what show() makes to path, "-" for standard output. */
static int say_to(const char *path,
		  void (*show)(const struct recipe *r, struct out *o),
		  const struct recipe *r)
{
	struct error err = { 0 };
	struct out o;

	if (!out_open(&o, path, &err))
		return report(NULL, &err);
	show(r, &o);
	out_finish(&o, &err);
	out_close(&o);
	return err.text[0] ? report(NULL, &err) : DONE;
}

static int say(void (*show)(const struct recipe *r, struct out *o),
	       const struct recipe *r)
{
	return say_to("-", show, r);
}

static void show_brief(const struct recipe *r, struct out *o)
{
	(void)r;
	help_brief(o);
}

static void show_all(const struct recipe *r, struct out *o)
{
	(void)r;
	help_all(o);
}

static void show_version(const struct recipe *r, struct out *o)
{
	(void)r;
	out_text(o, "posenc " POSENC_VERSION "\n");
}

static int run(const struct recipe *r, int argc, char **argv)
{
	struct error err = { 0 };
	struct args a;
	int status = DONE;
	bool no = false;

	if (args_read(&a, r, argc, argv, &err) && a.help)
		status = say(help_recipe, r);
	else if (err.text[0] || !serve(&a, &no, &err))
		status = report(r->name, &err);
	else if (no)
		status = NO;
	if (status != FAILED && a.table.note && !a.style.quiet)
		say_line(r->name, a.table.note);
	args_close(&a);
	return status;
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
	const struct recipe *r;
	struct error err = { 0 };
	const char *word = argc > 1 ? argv[1] : "";

	fill_closed_streams();
	/* A file past the limit is an error to be told, not a sudden end. */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		say_to("/dev/stderr", show_brief, NULL);
		return FAILED;
	}
	if (strcmp(word, "--version") == 0)
		return say(show_version, NULL);
	if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 ||
	    strcmp(word, "-h") == 0) {
		if (argc <= 2)
			return say(show_all, NULL);
		if (argc > 3)
			fail(&err, "help takes one command, not '%.60s' too",
			     argv[3]);
		r = err.text[0] ? NULL : recipe_find(argv[2], &err);
		return r ? say(help_recipe, r) : report(NULL, &err);
	}
	r = recipe_find(word, &err);
	return r ? run(r, argc - 2, argv + 2) : report(NULL, &err);
}
