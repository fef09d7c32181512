/* recipe.c: how a table is made from options, or from other tables. */
#include <stdio.h>
#include <string.h>

#include "core/parse.h"
#include "core/recipe.h"

bool recipe_begin(const struct recipe *r, struct table *t,
		  struct fields *fields, struct error *err)
{
	void *self = table_alloc(t, 1, r->size, err);

	t->recipe = r;
	t->self = self;
	fields->self = self;
	fields->owner = t;
	if (self)
		option_defaults(r->options, fields, err);
	return !err->text[0];
}

static bool option_unknown(const struct recipe *r, const char *name,
			   struct error *err)
{
	size_t best = (size_t)-1;
	char flag[40], near[40] = "";

	for (const struct option *o = r->options; o->name; o++)
		if (nearer_word(name, option_flag(o, flag) + 2, &best))
			memcpy(near, flag, sizeof near);
	return fail_unknown(err, "option", name, near[0] ? near + 2 : NULL, "");
}

/* The options that a model's file says stand where it is named. */
static bool set_config(const struct recipe *r, struct fields *fields,
		       const char *path, struct error *err)
{
	struct preset config = { 0 };
	struct error why = { 0 };

	if (!fields->config)
		return fail(err, "--config: files are read by the program, not "
			    "by the library");
	if (!fields->config(path, fields->owner, &config.options, err))
		return false;
	if (preset_set(r, fields, &config, &why))
		return true;
	return why.memory ? fail_memory(err)
			  : fail_file(err, path, "%s", why.text);
}

bool recipe_set(const struct recipe *r, struct fields *fields,
		const char *name, const char *text, struct error *err)
{
	const struct option *o = option_find(r->options, name, strlen(name));
	const struct preset *preset;

	if (!o)
		return option_unknown(r, name, err);
	if (o->kind == OPTION_CONFIG)
		return set_config(r, fields, text, err);
	if (o->kind != OPTION_PRESET)
		return option_set(o, fields, text, err);
	preset = preset_find(r, text, err);
	return preset && preset_set(r, fields, preset, err);
}

static bool check_required(const struct recipe *r, const void *self,
			   struct error *err)
{
	char flag[40], text[64];

	for (const struct option *o = r->options; o->name; o++) {
		option_text(o, self, text, sizeof text);
		if (o->required && !text[0])
			return fail(err, "%s %s is missing: %s",
				    option_flag(o, flag), o->arg, o->help);
	}
	return true;
}

/* A recipe's options, filled. */
struct filled {
	const struct option *options;
	const void *self;
};

static bool is_given(const void *self, const char *name, size_t length)
{
	const struct filled *f = self;

	return option_changed(option_find(f->options, name, length), f->self);
}

static bool check_needs(const struct recipe *r, const void *self,
			struct error *err)
{
	const struct filled f = { r->options, self };

	for (const struct option *o = r->options; o->name; o++)
		if (o->needs && option_changed(o, self) &&
		    !option_needs(o, is_given, &f, err))
			return false;
	return true;
}

/* Whether a shell takes the word as it is; 2: not even between quotes. */
static int quoting(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@";

	for (const char *c = word; *c; c++)
		if (*c < ' ' || *c > '~')
			return 2;
	return word[strspn(word, plain)] || !word[0];
}

size_t shell_word(const char *word, char *to)
{
	const int how = quoting(word);
	const char *before = how == 2 ? "$'" : how ? "'" : "";
	char piece[8];
	size_t n = strlen(before);

	if (to)
		memcpy(to, before, n);
	for (; *word; word++) {
		const unsigned char c = (unsigned char)*word;

		if (how == 2 && (c < ' ' || c > '~' || c == '\'' || c == '\\'))
			snprintf(piece, sizeof piece, "\\x%02x", c);
		else
			snprintf(piece, sizeof piece, "%s",
				 c == '\'' ? "'\\''" : (char []){ *word, 0 });
		if (to)
			memcpy(to + n, piece, strlen(piece));
		n += strlen(piece);
	}
	if (how && to)
		to[n] = '\'';
	return n + (how != 0);
}

size_t options_line(const struct option *options, const void *self, char *to)
{
	char flag[40], text[256];
	size_t n = 0;

	for (const struct option *o = options; o->name; o++) {
		const char *word = option_typed(o, self);

		if (o->unseen || !option_changed(o, self))
			continue;
		n += (size_t)snprintf(to ? to + n : NULL, to ? 42 : 0, " %s",
				      option_flag(o, flag));
		if (o->kind == OPTION_FLAG)
			continue;
		if (!word) {
			option_text(o, self, text, sizeof text);
			word = text;
		}
		if (to)
			to[n] = ' ';
		n += 1 + shell_word(word, to ? to + n + 1 : NULL);
	}
	if (to)
		to[n] = '\0';
	return n;
}

/* "posenc similarity pe.npy --metric dot": what makes t again. */
static bool note_command(const struct recipe *r, const void *self,
			 const struct table *inputs, struct table *t,
			 struct error *err)
{
	size_t room = strlen(r->name) + 8 +
		      options_line(r->options, self, NULL) + 48, n;
	char *line;

	for (size_t i = 0; i < r->inputs; i++)
		if (inputs[i].command)
			room += 1 + strlen(inputs[i].command);
	line = table_alloc(t, room, 1, err);
	if (!line)
		return false;
	n = (size_t)snprintf(line, room, "posenc %s", r->name);
	for (size_t i = 0; i < r->inputs; i++)
		if (inputs[i].command)
			n += (size_t)snprintf(line + n, room - n, " %s",
					      inputs[i].command);
	options_line(r->options, self, line + n);
	t->command = line;
	return true;
}

bool recipe_reports(const struct recipe *r, const void *self)
{
	return r->report && (!r->make || r->reports(self));
}

/* What is left out or of no use, then what is asked for, as a command. */
static bool check(const struct recipe *r, const void *self,
		  const struct table *inputs, struct table *t,
		  struct error *err)
{
	return check_required(r, self, err) && check_needs(r, self, err) &&
	       note_command(r, self, inputs, t, err);
}

bool recipe_report(const struct recipe *r, const struct fields *fields,
		   const struct table *inputs, struct table *t,
		   struct report *report, struct error *err)
{
	report->owner = t;
	report->err = err;
	return check(r, fields->self, inputs, t, err) &&
	       r->report(fields->self, inputs, report, err) && !err->text[0];
}

bool recipe_finish(const struct recipe *r, const struct fields *fields,
		   const struct table *inputs, struct table *t,
		   struct error *err)
{
	t->planes = 1;
	t->title = r->summary;
	/* make() may fill in options that were left out: this comes first. */
	return check(r, fields->self, inputs, t, err) &&
	       r->make(fields->self, inputs, t, err) && table_check(t, err);
}
