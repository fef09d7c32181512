/* font_find.c: installed fonts, by fontconfig, which is loaded when needed. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "figure/font_find.h"
#include "table/library.h"

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

/* The font that fontconfig prefers for the character; NULL: there is none. */
static struct pattern *match(struct fontconfig *f, unsigned long character)
{
	struct pattern *wanted, *found;
	char name[100];

	snprintf(name, sizeof name, "sans-serif:charset=%lx:scalable=true:"
		 "color=false", character);
	wanted = f->parse(name);
	f->substitute(NULL, wanted, MATCH_PATTERN);
	f->complete(wanted);
	found = f->match(NULL, wanted, &f->result);
	f->destroy(wanted);
	return found;
}

/*
 * Whatever the library prints about its files is not for readers of a figure.
 * If no descriptor is left for saved, none is left for null.
 */
static struct pattern *match_silently(struct fontconfig *f,
				      unsigned long character)
{
	const int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct pattern *found;

	dup2(null, STDERR_FILENO);
	close(null);
	found = match(f, character);
	dup2(saved, STDERR_FILENO);
	close(saved);
	return found;
}

bool font_find(unsigned long character, char path[FONT_PATH], long *index)
{
	struct fontconfig f;
	struct pattern *found;
	const char *file = "";
	int number = 0;

	if (!load(&f))
		return false;
	found = match_silently(&f, character);
	if (!found)
		return false;
	f.string(found, "file", 0, &file);
	f.integer(found, "index", 0, &number);
	snprintf(path, FONT_PATH, "%s", file);
	*index = number;
	f.destroy(found);
	return true;
}
