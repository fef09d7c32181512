/* publish.c: gives all finished files their names, also after a kill. */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/output.h"
#include "table/never.h"
#include "table/process.h"

/* What the process that publishes tells the other. */
struct outcome {
	bool done;
	struct error err;
};

/* All or, as far as older files can be restored, none. */
static bool name_all(struct output_file *outs, size_t n, struct error *err)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (i + 1 < n)  /* the last is never retracted */
			target_keep(&outs[i].target);
		if (!target_publish(&outs[i].target))
			break;
	}
	if (i == n)
		return true;
	out_fail_target(&outs[i], err);
	while (i)
		target_retract(&outs[--i].target);
	return false;
}

static void publish_all(struct output_file *outs, size_t n, struct error *err)
{
	bool good = name_all(outs, n, err);

	for (size_t i = 0; i < n && good; i++) {
		good = target_sync(&outs[i].target);
		if (!good)
			out_fail_target(&outs[i], err);
	}
	while (n)  /* from the last: see remove_leftovers() */
		target_close(&outs[--n].target);
}

/* Whether it takes several calls, between which a kill would leave traces. */
static bool takes_calls(const struct output_file *outs, size_t n)
{
	size_t calls = 0;

	for (size_t i = 0; i < n; i++)
		calls += outs[i].target.regular + outs[i].target.replaces;
	return calls > 1;
}

/* Wait for the end of the process, which nothing else waits for. */
static void await(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && !NEVER(errno == ECHILD))
		;
}

/*
 * Publish in a second process, which goes on when this one or its group is
 * killed. false: there can be none, and nothing was done.
 */
static bool publish_apart(struct output_file *outs, size_t n,
			  struct outcome *o)
{
	const pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		publish_all(outs, n, &o->err);
		o->done = true;
		_exit(0);
	}
	if (pid < 0)
		return false;
	await(pid);
	if (!o->done)
		fail_file(&o->err, out_shown(outs), "the process that gives "
			  "new files their names was killed");
	return true;
}

/* The same, with memory that both processes see. */
static bool try_apart(struct output_file *outs, size_t n, struct error *err)
{
	struct outcome *o = process_share(sizeof *o);
	bool tried;

	if (!o)
		return false;
	tried = publish_apart(outs, n, o);
	*err = o->err;
	munmap(o, sizeof *o);
	return tried;
}

bool out_publish(struct output_file *outs, size_t n, struct error *err)
{
	sigset_t all, before;

	/* A signal between link and rename would leave a temporary name. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	if (!takes_calls(outs, n) || !try_apart(outs, n, err))
		publish_all(outs, n, err);
	while (n)
		target_close(&outs[--n].target);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return !err->text[0];
}
