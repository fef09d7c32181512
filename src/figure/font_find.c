/* font_find.c: installed fonts, by fontconfig, which is loaded when needed. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "figure/font_find.h"
#include "table/library.h"
#include "table/process.h"

/* What is used of <fontconfig/fontconfig.h>, as it has been since 2.3. */
struct pattern;

enum { MATCH_PATTERN = 0 };

struct fontconfig {
	struct pattern *(*parse)(const char *name);
	int (*substitute)(void *config, struct pattern *p, int kind);
	void (*complete)(struct pattern *p);
	struct pattern *(*match)(void *config, struct pattern *p, int *result);
	int (*string)(const struct pattern *p, const char *key, int i,
		      const char **value);
	int (*integer)(const struct pattern *p, const char *key, int i,
		       int *value);
	void (*destroy)(struct pattern *p);
	int result;   /* of match() */
};

static bool load(struct fontconfig *f)
{
	static const char *const names[] = { "libfontconfig.so.1", NULL };
	static const struct library_function functions[] = {
#define F(name, member)                                                       \
	{ "Fc" #name, offsetof(struct fontconfig, member), NULL }
		F(NameParse, parse), F(ConfigSubstitute, substitute),
		F(DefaultSubstitute, complete), F(FontMatch, match),
		F(PatternGetString, string), F(PatternGetInteger, integer),
		F(PatternDestroy, destroy),
#undef F
		{ NULL, 0, NULL },
	};
	static const struct library library = {
		"libfontconfig1", names, functions
	};
	struct error ignored = { 0 };

	return library_load(&library, f, &ignored);
}

/*
 * A search, in a thread of its own: fontconfig reads whatever its files name,
 * also devices and pipes that never end.
 */
struct search {
	struct fontconfig f;
	unsigned long character;
	struct pattern *found;  /* what fontconfig prefers; NULL: nothing */
	pthread_t thread;
	int ends[2];            /* a pipe that closes when it has ended */
};

static void *run(void *self)
{
	struct search *s = self;
	struct fontconfig *f = &s->f;
	struct pattern *wanted;
	char name[100];

	snprintf(name, sizeof name, "sans-serif:charset=%lx:scalable=true:"
		 "color=false", s->character);
	wanted = f->parse(name);
	f->substitute(NULL, wanted, MATCH_PATTERN);
	f->complete(wanted);
	s->found = f->match(NULL, wanted, &f->result);
	f->destroy(wanted);
	close(s->ends[1]);
	return NULL;
}

/* Start the thread, whose stack does not hang on limits. */
static bool start(struct search *s, struct error *err)
{
	enum { STACK = 1 << 20 };
	pthread_attr_t how;
	int failed;

	if (pipe(s->ends) != 0)
		return fail(err, "no font can be searched for: %s",
			    strerror(errno));
	pthread_attr_init(&how);
	pthread_attr_setstacksize(&how, STACK);
	failed = pthread_create(&s->thread, &how, run, s);
	pthread_attr_destroy(&how);
	if (!failed)
		return true;
	close(s->ends[0]);
	close(s->ends[1]);
	return fail(err, "no font can be searched for in a thread: %s",
		    strerror(failed));
}

/* Wait for its end. false: it goes on. */
static bool await(struct search *s, struct error *err)
{
	enum { SECONDS = 30 };
	struct pollfd end = { s->ends[0], POLLIN, 0 };
	int ended;

	do
		ended = poll(&end, 1, SECONDS * 1000);
	while (ended < 0 && errno == EINTR);
	close(s->ends[0]);
	if (ended > 0)
		return pthread_join(s->thread, NULL) == 0;
	return fail(err, "fontconfig did not find a font for the text of a "
		    "figure within %d seconds; --font FILE names one", SECONDS);
}

/* Search in little of the address space. */
static bool search_within(struct search *s, struct error *err)
{
	enum { SPACE = 1 << 29 };
	const size_t space = process_space();
	struct rlimit before = { 0, 0 }, within;
	bool good;

	getrlimit(RLIMIT_AS, &before);
	within = before;
	if (space && within.rlim_cur > space + SPACE)
		within.rlim_cur = space + SPACE;
	setrlimit(RLIMIT_AS, &within);
	good = start(s, err) && await(s, err);
	setrlimit(RLIMIT_AS, &before);
	return good;
}

/*
 * Whatever the library prints about its files is not for readers of a figure.
 * If no descriptor is left for saved, none is left for null.
 */
static bool search_silently(struct search *s, struct error *err)
{
	const int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	bool good;

	dup2(null, STDERR_FILENO);
	close(null);
	good = search_within(s, err);
	dup2(saved, STDERR_FILENO);
	close(saved);
	return good;
}

/* Take the path and index of what was found. */
static bool take(struct search *s, char path[FONT_PATH], long *index)
{
	const char *file = "";
	int number = 0;

	if (!s->found)
		return false;
	s->f.string(s->found, "file", 0, &file);
	s->f.integer(s->found, "index", 0, &number);
	snprintf(path, FONT_PATH, "%s", file);
	*index = number;
	s->f.destroy(s->found);
	return true;
}

bool font_find(unsigned long character, char path[FONT_PATH], long *index,
	       struct error *err)
{
	struct search *s = calloc(1, sizeof *s);
	bool found = false;

	if (!s)
		return fail_memory(err);
	s->character = character;
	if (load(&s->f))
		found = search_silently(s, err) && take(s, path, index);
	if (!err->text[0])  /* or a thread may go on with it */
		free(s);
	return found;
}
