/* recipe.c: how a table is made from options, or from other tables. */
#include <stdio.h>
#include <string.h>

#include "recipe/recipe.h"
#include "text/words.h"

bool preset_unknown(const struct lookup *l, struct error *err)
{
	const bool near = l->nearest[0];

	return fail(err, "unknown preset '%.60s'%s%s%s; 'posenc presets' lists "
		    "them, and --config FILE takes a model's config.json or "
		    "GGUF file", l->name, near ? " (did you mean '" : "",
		    l->nearest, near ? "'?)" : "");
}

bool preset_refused(const struct recipe *r, const char *name,
		    struct error *err)
{
	const struct refused_preset *p = r->refused;

	while (p && p->name && strcmp(p->name, name) != 0)
		p++;
	return p && p->name && !fail(err, "no options of %s make a preset "
				     "'%s': %s", r->name, name, p->why);
}

bool recipe_begin(const struct recipe *r, struct table *t,
		  struct fields *fields, struct error *err)
{
	void *self = table_alloc(t, 1, r->size, err);

	t->from.recipe = r;
	t->from.options = self;
	fields->self = self;
	fields->owner = t;
	if (self)
		option_defaults(r->options, fields, err);
	return !err->text[0];
}

static bool option_unknown(const struct recipe *r, const char *name,
			   struct error *err)
{
	struct lookup l = lookup_begin(name);
	char flag[40];

	for (const struct option *o = r->options; o->name; o++)
		lookup_is(&l, option_flag(o, flag) + 2);
	return lookup_fail(&l, "unknown option", "", err);
}

static bool set_preset(const struct recipe *r, struct fields *fields,
		       const char *name, struct error *err)
{
	struct lookup l = lookup_begin(name);
	const struct preset *p = r->presets;
	char *options;

	while (p->name && !lookup_is(&l, p->name))
		p++;
	if (!p->name)
		return !preset_refused(r, name, err) && preset_unknown(&l, err);
	options = table_copy(fields->owner, p->options, err);
	if (!options)
		return false;
	return recipe_set_all(r, fields, options, err);
}

/* Set the options of a model's configuration. */
static bool set_config(const struct recipe *r, struct fields *fields,
		       const char *path, struct error *err)
{
	struct assignments a;
	struct error why = { 0 };

	if (!fields->config)
		return fail(err, "--config: only the program reads files, not "
			    "the library");
	if (!fields->config(path, r->name, fields->owner, &a, err))
		return false;
	for (size_t i = 0; i < a.n; i++)
		if (!recipe_set(r, fields, a.at[i].option, a.at[i].value, &why))
			return why.memory ? fail_memory(err)
			       : fail_file(err, path, "%s", why.text);
	return true;
}

bool recipe_set(const struct recipe *r, struct fields *fields,
		const char *name, const char *value, struct error *err)
{
	const struct option *o = option_find(r->options, name, strlen(name));

	if (!o)
		return option_unknown(r, name, err);
	if (o->kind == OPTION_CONFIG)
		return set_config(r, fields, value, err);
	if (o->kind == OPTION_PRESET)
		return set_preset(r, fields, value, err);
	return option_set(o, fields, value, err);
}

/* Whether the next word is the value of the option: "--len 4". */
static bool takes_word(const struct recipe *r, const char *name)
{
	const struct option *o = option_find(r->options, name, strlen(name));

	return o && o->kind != OPTION_FLAG;
}

bool recipe_set_all(const struct recipe *r, struct fields *fields, char *text,
		    struct error *err)
{
	for (char *word; (word = word_next(&text, err));) {
		const bool dashes = strncmp(word, "--", 2) == 0;
		char *value = strchr(word, '=');

		if (dashes)
			word += 2;
		if (value)
			*value++ = '\0';
		else if (dashes && takes_word(r, word))
			value = word_next(&text, err);
		if (!recipe_set(r, fields, word, value ? value : "", err))
			return false;
	}
	return !err->text[0];
}

/* Whether o is required, and neither it nor what replaces it is given. */
static bool is_missing(const struct recipe *r, const struct option *o,
		       const void *self)
{
	if (!o->required || option_given(o, self))
		return false;
	return !o->unless ||
	       !option_given(option_find(r->options, o->unless,
					 strlen(o->unless)), self);
}

static const struct option *next_missing(const struct recipe *r,
					 const struct option *o,
					 const void *self)
{
	while (o->name && !is_missing(r, o, self))
		o++;
	return o->name ? o : NULL;
}

/* What the option that may replace o takes, in a word. */
static const char *other_arg(const struct recipe *r, const struct option *o)
{
	const struct option *other = option_find(r->options, o->unless,
						 strlen(o->unless));

	return other->kind == OPTION_TABLE ? "TABLE" : "LIST";
}

static bool check_required(const struct recipe *r, const void *self,
			   struct error *err)
{
	const struct option *o = next_missing(r, r->options, self);
	const struct option *next = o ? next_missing(r, o + 1, self) : NULL;
	char flag[40], other[40];

	if (!o)
		return true;
	if (r->operand)
		return fail(err, "%s is missing: %s", o->arg, o->help);
	option_flag(o, flag);
	if (next)
		return fail(err, "%s %s and %s %s are missing", flag, o->arg,
			    option_flag(next, other), next->arg);
	if (o->unless)
		return fail(err, "%s %s is missing (or --%s %s)", flag,
			    o->arg, o->unless, other_arg(r, o));
	return fail(err, "%s %s is missing: %s", flag, o->arg, o->help);
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

size_t options_line(const struct option *options, const void *self, char *to)
{
	char flag[40], text[OPTION_ROOM];
	size_t n = 0;

	for (const struct option *o = options; o->name; o++) {
		if (o->unrecorded || !option_changed(o, self))
			continue;
		n += (size_t)snprintf(to ? to + n : NULL, to ? 42 : 0, " %s",
				      option_flag(o, flag));
		if (o->kind == OPTION_FLAG)
			continue;
		if (to)
			to[n] = ' ';
		n += 1 + shell_word(option_text(o, self, text),
				    to ? to + n + 1 : NULL);
	}
	if (to)
		to[n] = '\0';
	return n;
}

/*
 * The commands of all inputs, each after a blank, to to unless that is NULL;
 * the length.
 */
static size_t inputs_line(const struct recipe *r, const struct table *inputs,
			  char *to)
{
	size_t n = 0;

	for (size_t i = 0; i < r->inputs; i++)
		for (const struct table *x = &inputs[i]; x; x = x->beside) {
			const char *command = x->from.command;

			if (!command)
				continue;
			if (to)
				stpcpy(stpcpy(to + n, " "), command);
			n += 1 + strlen(command);
		}
	return n;
}

/*
 * The argument without dashes that an option stands for, after a blank; as the
 * option if it would be taken for one. To to unless that is NULL; the length.
 */
static size_t operand_line(const struct recipe *r, const void *self, char *to)
{
	const struct option *o = r->operand
		? option_find(r->options, r->operand, strlen(r->operand))
		: NULL;
	char flag[40], text[OPTION_ROOM];
	const char *word;
	size_t n;

	if (!o || !option_changed(o, self))
		return 0;
	word = option_text(o, self, text);
	n = (size_t)snprintf(to, to ? 42 : 0, " %s%s", word[0] == '-' && word[1]
			     ? option_flag(o, flag) : "",
			     word[0] == '-' && word[1] ? " " : "");
	return n + shell_word(word, to ? to + n : NULL);
}

/* Note "posenc similarity pe.npy --metric dot", which makes t again. */
static bool note_command(const struct recipe *r, const void *self,
			 const struct table *inputs, struct table *t,
			 struct error *err)
{
	size_t room = strlen(r->name) + 8 +
		      options_line(r->options, self, NULL) + 48, n;
	char *line;

	room += inputs_line(r, inputs, NULL) + operand_line(r, self, NULL);
	line = table_alloc(t, room, 1, err);
	if (!line)
		return false;
	n = (size_t)snprintf(line, room, "posenc %s", r->name);
	n += inputs_line(r, inputs, line + n);
	n += operand_line(r, self, line + n);
	options_line(r->options, self, line + n);
	t->from.command = line;
	return true;
}

bool recipe_reports(const struct recipe *r, const void *self)
{
	return r->report && (!r->make || r->reports(self));
}

/* Check that options are complete; note them as a command in t. */
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

bool recipe_draw(const struct recipe *r, const struct fields *fields,
		 const struct table *inputs, bool lines, struct table *t,
		 struct error *err)
{
	t->planes = 1;
	if (!r->draw(fields->self, inputs, lines, t, err))
		return false;
	if (lines && t->rows < 2)
		return fail(err, "--plot lines: expected a table of at least 2 "
			    "rows, got 1");
	return table_check(t, err);
}

bool recipe_finish(const struct recipe *r, const struct fields *fields,
		   const struct table *inputs, struct table *t,
		   struct error *err)
{
	t->planes = 1;
	/* make() may fill in options that were left out: this comes first. */
	return check(r, fields->self, inputs, t, err) &&
	       r->make(fields->self, inputs, t, err) && table_check(t, err);
}
