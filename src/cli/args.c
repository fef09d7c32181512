/* args.c: the words of a command line into fields. */
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/inputs.h"
#include "cli/sandbox.h"
#include "cli/scope.h"
#include "core/never.h"
#include "core/parse.h"
#include "formats/config.h"

/* The words, and the one that is being read. */
struct words {
	int argc;
	char **argv;
	int at;
	bool ended;           /* "--" was seen: the rest are files */
	bool ahead;           /* nothing is set or read, only noted */
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

/*
 * The option typed, and where its value goes: one of the recipe's, of its
 * inputs if it has any, or of outputs.
 */
static const struct option *find(struct args *a, const struct typed *y,
				 struct fields *f)
{
	const struct option *o = option_find(a->recipe->options, y->name,
					     y->length);

	*f = a->fields;
	if (!o && a->recipe->inputs) {
		o = option_find(input_options, y->name, y->length);
		f->self = &a->input;
	}
	if (!o) {
		o = option_find(style_options, y->name, y->length);
		f->self = &a->style;
	}
	return o;
}

static bool known(struct args *a, const char *word)
{
	const struct typed y = { word + 2, strcspn(word + 2, "="), NULL };
	struct fields f;

	return find(a, &y, &f) || format_flag(&y) ||
	       strcmp(word, "--help") == 0;
}

/*
 * The value of an option: after its '=', or the next word, whatever that is
 * but for another option. NULL, with a sentence, where there is none.
 */
static const char *value(struct args *a, struct words *w,
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

/* A table is read once all options are known; the last of a name counts. */
static bool add_table(struct args *a, const struct option *o,
		      const char *path, struct error *err)
{
	size_t i = 0;

	while (i < a->option_table_count && a->option_tables[i].option != o)
		i++;
	if (NEVER(i == OPTION_TABLES_MOST))  /* no recipe has so many */
		return fail(err, "more than %d tables", OPTION_TABLES_MOST);
	a->option_tables[i] = (struct option_table){ o, path };
	a->option_table_count += i == a->option_table_count;
	a->maybe_raw |= format_maybe_raw(path);
	return true;
}

/* Whether text may name what is read, as "longrope:8,@FILE" or ",long=-". */
static bool reads_file(const struct option *o, const char *text)
{
	return o->kind == OPTION_TABLE || o->kind == OPTION_CONFIG ||
	       (o->kind == OPTION_LIST && strcmp(text, "-") == 0) ||
	       strchr(text, '@') || strstr(text, "=-");
}

/* Note what is read; what has passed can't be read again. */
static bool note_read(struct args *a, const char *path, struct error *err)
{
	const bool in = strcmp(path, "-") == 0;

	if (in && a->reads_in)
		return fail(err, "standard input, '-', can be read once");
	a->reads_in |= in;
	return true;
}

static bool read_option(struct args *a, struct words *w,
			const struct typed *y, struct error *err)
{
	struct fields fields;
	const struct option *o = find(a, y, &fields);
	const struct format *f = o ? NULL : format_flag(y);
	const char *text;

	if (!o && !f)
		return scope_unknown(a->recipe, y->name, y->length, err);
	if (o && o->kind == OPTION_FLAG)
		text = y->value ? y->value : "";
	else
		text = value(a, w, y, f ? "FILE" : o->arg, err);
	if (!text)
		return false;
	if (f)
		return args_output(a, f, text, err);
	if (w->ahead) {
		a->reads |= reads_file(o, text);
		return true;
	}
	if (reads_file(o, text) && !note_read(a, text, err))
		return false;
	if (o->kind == OPTION_TABLE)
		return add_table(a, o, text, err);
	if (o->kind == OPTION_PRESET || o->kind == OPTION_CONFIG)
		return recipe_set(a->recipe, &fields, o->name, text, err);
	return option_set(o, &fields, text, err);
}

static bool read_short(struct args *a, struct words *w, const char *word,
		       struct error *err)
{
	const struct format *f;
	const char *path = word + 2;

	if (strcmp(word, "-h") == 0)
		return a->help = true;
	if (word[1] != 'o')
		return fail(err, "no option '%.60s'; 'posenc %s --help' lists "
			    "them", word, a->recipe->name);
	if (!*path && w->at == w->argc)
		return fail(err, "-o needs a value: FILE");
	if (!*path)
		path = w->argv[w->at++];
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
	a->maybe_raw |= format_maybe_raw(path);
	return note_read(a, path, err);
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

/*
 * Where outputs go, before a file is read: nothing else can be written from
 * then on. What is wrong with a word is told when its turn comes.
 */
static void look_ahead(struct args a, struct words w)
{
	struct error later = { 0 };

	w.ahead = true;
	while (w.at < w.argc && !a.help && read_word(&a, &w, &later))
		continue;
	if (!a.help && (a.input_count || a.reads))
		sandbox_enter(a.outputs, a.output_count);
}

bool args_read(struct args *a, const struct recipe *recipe, int argc,
	       char **argv, struct error *err)
{
	struct words w = { .argc = argc, .argv = argv };
	struct fields style = { .self = &a->style, .owner = &a->table };
	struct fields input = { .self = &a->input, .owner = &a->table };

	*a = (struct args){ .recipe = recipe };
	a->fields.read = format_read;
	a->fields.config = config_read;
	if (!recipe_begin(recipe, &a->table, &a->fields, err))
		return false;
	option_defaults(input_options, &input, err);
	option_defaults(style_options, &style, err);
	look_ahead(*a, w);
	while (w.at < w.argc && !a->help)
		if (!read_word(a, &w, err))
			return false;
	return a->help || inputs_read(a, err);
}

void args_close(struct args *a)
{
	table_close(&a->table);
	for (size_t i = 0; i < INPUTS_MOST; i++)
		table_close(&a->inputs[i]);
}
