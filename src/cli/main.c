/* main.c: who is asked, by what, into what: ask, make, write. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/help.h"
#include "recipes.h"
#include "version.h"

enum { DONE = 0, FAILED = 2 };

/* One line on standard error; what could move a cursor shows as \033. */
static int report(const char *command, const struct error *err)
{
	const bool about_file = err->about_file || !command;
	char line[2 * sizeof err->text + 80];
	int n = snprintf(line, sizeof line, "posenc%s%s: ",
			 about_file ? "" : " ", about_file ? "" : command);
	ssize_t done;

	for (const char *c = err->text; *c; c++) {
		const bool control = (unsigned char)*c < ' ' || *c == 127;

		if ((size_t)n > sizeof line - 8)
			break;
		n += snprintf(line + n, sizeof line - (size_t)n,
			      control ? "\\%03o" : "%c", *c);
	}
	line[n++] = '\n';
	done = write(STDERR_FILENO, line, (size_t)n);
	(void)done;  /* nowhere left to say so */
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

static bool shape(struct args *a, struct error *err)
{
	const struct style *s = &a->style;
	struct table *t = &a->table;
	long first, last;

	if (s->rows.given) {
		first = s->rows.first == LONG_MIN ? 0 : s->rows.first;
		last = s->rows.last == LONG_MAX ? (long)t->end : s->rows.last;
		if (!table_window(t, first, last, err))
			return false;
	}
	return table_convert(t, s->dtype == NOT_GIVEN
			     ? t->dtype : (enum dtype)(s->dtype % DTYPES),
			     err);
}

/* Refuse what a format can't hold before any file is touched. */
static bool check_output(const struct output *p, const struct table *t,
			 struct error *err)
{
	return !p->format->check || p->format->check(t, err);
}

static bool open_outputs(const struct args *a, struct out *outs, size_t *n,
			 struct error *err)
{
	for (size_t i = 0; i < a->output_count; i++)
		if (!check_output(&a->outputs[i], &a->table, err))
			return false;
	for (*n = 0; *n < a->output_count; ++*n) {
		if (!out_open(&outs[*n], a->outputs[*n].path, err))
			return false;
		if (a->outputs[*n].format->binary &&
		    isatty(outs[*n].place.fd)) {
			++*n;
			return fail(err, "--%s: binary is not sent to a "
				    "terminal; name a file, or pipe it on",
				    a->outputs[*n - 1].format->name);
		}
		for (size_t i = 0; i < *n; i++)
			if (place_same(&outs[i].place, &outs[*n].place)) {
				++*n;
				return fail(err, "--%s and --%s name one file, "
					    "%.200s",
					    a->outputs[i].format->name,
					    a->outputs[*n - 1].format->name,
					    outs[*n - 1].path);
			}
	}
	return true;
}

/* Write all, then publish all: none appears if one can't be written. */
static bool write_outputs(const struct args *a, struct out *outs,
			  struct error *err)
{
	const struct table *t = &a->table;
	bool good = true;

	for (size_t i = 0; good && i < a->output_count; i++) {
		a->outputs[i].format->write(&a->style, t, &outs[i]);
		good = out_finish(&outs[i], err);
	}
	for (size_t i = 0; good && i < a->output_count; i++)
		good = out_publish(&outs[i], err);
	return good;
}

static bool serve(struct args *a, struct error *err)
{
	struct out outs[OUTPUTS_MOST];
	size_t n = 0;
	bool good;

	if (!recipe_finish(a->recipe, &a->fields, a->inputs, &a->table, err) ||
	    !shape(a, err))
		return false;
	if (!a->output_count)
		a->outputs[a->output_count++] =
			(struct output){ format_at(0), "-" };
	good = open_outputs(a, outs, &n, err) && write_outputs(a, outs, err);
	while (n)
		out_close(&outs[--n]);
	return good;
}

static int run(const struct recipe *r, int argc, char **argv)
{
	struct error err = { 0 };
	struct args a;
	int status = DONE;

	if (args_read(&a, r, argc, argv, &err) && a.help)
		status = say(help_recipe, r);
	else if (err.text[0] || !serve(&a, &err))
		status = report(r->name, &err);
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
