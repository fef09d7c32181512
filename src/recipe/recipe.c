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
	void *self = table_alloc(t, 1, recipe_room(r), err);

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

	if (!o && (o = recipe_option(r, name, strlen(name))))
		return recipe_set_later(fields, o, value, err);
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
	const struct option *o = recipe_option(r, name, strlen(name));

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

/* A recipe's options, filled. */
struct filled {
	const struct option *options;
	const void *self;
};

static const struct option *option_named(const struct filled *f,
					 const char *name)
{
	return option_find(f->options, name, strlen(name));
}

static const char *value_of(const void *self, const char *name, size_t length,
			    bool given)
{
	const struct filled *f = self;
	const struct option *o = option_find(f->options, name, length);

	if ((given ? option_changed : option_given)(o, f->self))
		return option_word(o, f->self);
	return o->implied && !given
	       ? o->words[option_implied(o, value_of, f)] : NULL;
}

static bool check_needs(const struct filled *f, struct error *err)
{
	for (const struct option *o = f->options; o->name; o++)
		if (option_changed(o, f->self) &&
		    !option_needs(o, value_of, f, err))
			return false;
	return true;
}

/* The option from o on that is required and, as what replaces it, omitted. */
static const struct option *next_missing(const struct filled *f,
					 const struct option *o)
{
	for (; o->name; o++)
		if (o->required && !option_given(o, f->self) &&
		    option_applies(o, value_of, f) &&
		    (!o->unless ||
		     !option_given(option_named(f, o->unless), f->self)))
			return o;
	return NULL;
}

static bool check_required(const struct recipe *r, const struct filled *f,
			   struct error *err)
{
	const struct option *o = next_missing(f, f->options);
	const struct option *next = o ? next_missing(f, o + 1) : NULL;
	const struct option *other = o && o->unless
				     ? option_named(f, o->unless) : NULL;
	const char *needs = o && o->needs ? o->needs : "";
	const size_t named = strcspn(needs, "=! ");
	char flag[40], another[40];

	if (!o)
		return true;
	if (r->operand)
		return fail(err, "%s is missing: %s", o->arg, o->help);
	option_flag(o, flag);
	if (next)
		return fail(err, "%s %s and %s %s are missing", flag, o->arg,
			    option_flag(next, another), next->arg);
	if (other && option_applies(other, value_of, f))
		return fail(err, "%s %s is missing (or --%s %.*s)", flag,
			    o->arg, o->unless, (int)strcspn(other->arg, "|"),
			    other->arg);
	if (needs[named] == '=')
		return fail(err, "%s %s is missing with --%.*s %s", flag,
			    o->arg, (int)named, needs,
			    value_of(f, needs, named, false));
	return fail(err, "%s %s is missing: %s", flag, o->arg, o->help);
}

/* Set omitted choices to what other options imply. */
static void imply(const struct filled *f, void *self)
{
	for (const struct option *o = f->options; o->name; o++)
		if (o->implied && !option_given(o, self))
			*(int *)(void *)((char *)self + o->at) =
				option_implied(o, value_of, f);
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
	char flag[40], text[OPTION_ROOM], none[1];
	const char *word;
	size_t n;

	if (!o || !option_changed(o, self))
		return 0;
	word = option_text(o, self, text);
	n = (size_t)snprintf(to ? to : none, to ? 42 : 0, " %s%s",
			     word[0] == '-' && word[1] ? option_flag(o, flag)
						       : "",
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

/*
 * Check that options apply and are complete; note them as a command in t, which
 * leaves out what is implied.
 */
static bool check(const struct recipe *r, void *self,
		  const struct table *inputs, struct table *t,
		  struct error *err)
{
	const struct filled f = { r->options, self };

	if (!check_needs(&f, err) || !check_required(r, &f, err) ||
	    !note_command(r, self, inputs, t, err))
		return false;
	imply(&f, self);
	return true;
}

bool recipe_report(const struct recipe *r, const struct fields *fields,
		   const struct table *inputs, struct table *t,
		   struct report *report, struct error *err)
{
	struct fields own = *fields;

	report->owner = t;
	report->err = err;
	r = recipe_settle(r, &own, err);
	return r && check(r, fields->self, inputs, t, err) &&
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
	struct fields own = *fields;

	t->planes = 1;
	r = recipe_settle(r, &own, err);
	/* make() may fill in options that were left out: this comes first. */
	return r && check(r, fields->self, inputs, t, err) &&
	       r->make(fields->self, inputs, t, err) && table_check(t, err);
}
