/* args.c: the words of a command line into fields. */
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "core/parse.h"

/* The words, and the one that is being read. */
struct words {
	int argc;
	char **argv;
	int at;
	bool ended;           /* "--" was seen: the rest are files */
};

/* An option as it was typed: "--name" or "--name=value". */
struct typed {
	const char *name;     /* without its dashes */
	size_t length;
	const char *value;    /* after '=', or NULL */
};

static const struct format *format_flag(const struct typed *y)
{
	const struct format *f = NULL;

	for (size_t i = 0; (f = format_at(i)); i++)
		if (strlen(f->name) == y->length &&
		    memcmp(f->name, y->name, y->length) == 0)
			break;
	return f;
}

static const struct option *find(const struct args *a, const struct typed *y)
{
	const struct option *o = option_find(a->recipe->options, y->name,
					     y->length);

	return o ? o : option_find(style_options, y->name, y->length);
}

static bool known(const struct args *a, const char *word)
{
	const struct typed y = { word + 2, strcspn(word + 2, "="), NULL };

	return find(a, &y) || format_flag(&y) || strcmp(word, "--help") == 0;
}

static void suggest_from(const struct option *o, const char *name,
			 size_t *best, char near[40])
{
	char flag[40];

	for (; o->name; o++)
		if (nearer_word(name, option_flag(o, flag) + 2, best))
			memcpy(near, flag, sizeof flag);
}

static bool unknown(const struct args *a, const struct typed *y,
		    struct error *err)
{
	const struct format *f;
	char name[60], near[40] = "";
	size_t best = (size_t)-1;

	snprintf(name, sizeof name, "%.*s", (int)y->length, y->name);
	suggest_from(a->recipe->options, name, &best, near);
	suggest_from(style_options, name, &best, near);
	for (size_t i = 0; (f = format_at(i)); i++)
		if (nearer_word(name, f->name, &best))
			snprintf(near, sizeof near, "--%s", f->name);
	if (near[0])
		return fail(err, "no option '--%s' (did you mean '%s'?)", name,
			    near);
	return fail(err, "no option '--%s'; 'posenc %s --help' lists them",
		    name, a->recipe->name);
}

/*
 * The value of an option: after its '=', or the next word, whatever that is
 * but for another option. NULL, with a sentence, where there is none.
 */
static const char *value(const struct args *a, struct words *w,
			 const struct typed *y, const char *what,
			 struct error *err)
{
	const char *next = w->at < w->argc ? w->argv[w->at] : NULL;

	if (y->value)
		return y->value;
	if (!next || (strncmp(next, "--", 2) == 0 &&
		      (!next[2] || known(a, next)))) {
		fail(err, "--%.*s needs a value: %s", (int)y->length, y->name,
		     what);
		return NULL;
	}
	w->at++;
	return next;
}

const char *output_name(const struct output *p)
{
	return p->format ? p->format->name : "preview";
}

bool args_output(struct args *a, const struct format *f, const char *path,
		 struct error *err)
{
	const struct output added = { f, path };

	if (a->output_count == OUTPUTS_MOST)
		return fail(err, "more than %d outputs", OUTPUTS_MOST);
	for (size_t i = 0; i < a->output_count; i++)
		if (strcmp(path, "-") == 0 &&
		    strcmp(a->outputs[i].path, "-") == 0)
			return fail(err, "--%s and --%s both go to standard "
				    "output", output_name(&a->outputs[i]),
				    output_name(&added));
	a->outputs[a->output_count++] = added;
	return true;
}

static bool read_option(struct args *a, struct words *w,
			const struct typed *y, struct error *err)
{
	const struct option *o = find(a, y);
	const struct format *f = o ? NULL : format_flag(y);
	struct fields style = { .self = &a->style, .owner = &a->table };
	const char *text;
	char flag[40];

	if (!o && !f)
		return unknown(a, y, err);
	if (o && o->kind == OPTION_FLAG)
		text = y->value ? y->value : "";
	else
		text = value(a, w, y, f ? "FILE" : o->arg, err);
	if (!text)
		return false;
	if (f)
		return args_output(a, f, text, err);
	if (!option_find(a->recipe->options, y->name, y->length))
		return option_set(o, &style, text, err);
	return recipe_set(a->recipe, &a->fields, option_flag(o, flag) + 2,
			  text, err);
}

static bool read_short(struct args *a, struct words *w, const char *word,
		       struct error *err)
{
	const struct typed o = { "o", 1, word[2] ? word + 2 : NULL };
	const struct format *f;
	const char *path;

	if (strcmp(word, "-h") == 0)
		return a->help = true;
	if (word[1] != 'o')
		return fail(err, "no option '%.60s'; 'posenc %s --help' lists "
			    "them", word, a->recipe->name);
	if (!o.value && w->at == w->argc)
		return fail(err, "-o needs a value: FILE");
	path = o.value ? o.value : w->argv[w->at++];
	if (strcmp(path, "-") == 0)
		return fail(err, "-o needs a file's suffix; for standard "
			    "output name the format, as --csv -");
	f = format_of(path, err);
	return f && args_output(a, f, path, err);
}

static bool add_input(struct args *a, const char *path, struct error *err)
{
	if (a->input_count == a->recipe->inputs)
		return fail(err, a->recipe->inputs
			    ? "'%.60s' is one table too many"
			    : "'%.60s' is no option; options begin with --",
			    path);
	a->input_paths[a->input_count++] = path;
	return true;
}

/* Once all options are known, which say how. */
static bool read_inputs(struct args *a, struct error *err)
{
	if (a->input_count < a->recipe->inputs && !a->recipe->optional)
		return fail(err, a->input_count ? "a second TABLE is missing"
						: "a TABLE is missing");
	for (size_t i = 0; i < a->input_count; i++)
		if (!format_read(a->input_paths[i], &a->inputs[i], err))
			return false;
	return true;
}

static bool read_word(struct args *a, struct words *w, struct error *err)
{
	const char *word = w->argv[w->at++];
	struct typed y = { .name = word + 2 };

	if (w->ended || word[0] != '-' || !word[1])
		return add_input(a, word, err);
	if (word[1] != '-')
		return read_short(a, w, word, err);
	if (!word[2])
		return w->ended = true;
	if (strcmp(word, "--help") == 0)
		return a->help = true;
	y.length = strcspn(y.name, "=");
	if (y.name[y.length])
		y.value = y.name + y.length + 1;
	return read_option(a, w, &y, err);
}

bool args_read(struct args *a, const struct recipe *recipe, int argc,
	       char **argv, struct error *err)
{
	struct words w = { argc, argv, 0, false };
	struct fields style = { .self = &a->style, .owner = &a->table };

	*a = (struct args){ .recipe = recipe };
	a->fields.read = format_read;
	if (!recipe_begin(recipe, &a->table, &a->fields, err) ||
	    !option_defaults(style_options, &style, err))
		return false;
	while (w.at < w.argc && !a->help)
		if (!read_word(a, &w, err))
			return false;
	return a->help || read_inputs(a, err);
}

void args_close(struct args *a)
{
	table_close(&a->table);
	for (size_t i = 0; i < INPUTS_MOST; i++)
		table_close(&a->inputs[i]);
}
