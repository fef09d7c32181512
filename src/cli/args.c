/*
 * args.c: the arguments of a command, parsed once: what is read and where
 * outputs go is known before the first file is opened, values are set after.
 */
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/guesses.h"
#include "cli/sandbox.h"
#include "cli/scope.h"
#include "conversions/conversions.h"
#include "model/command.h"
#include "text/words.h"

/* The arguments, and the one that is parsed next. */
struct words {
	int argc;
	char **argv;
	int at;
	bool ended;           /* "--" was seen: only files follow */
};

/* An option as it was typed: "--name" or "--name=value". */
struct typed {
	const char *name;     /* without its dashes */
	size_t length;
	const char *value;    /* after '=', or NULL */
};

static const struct format *format_flag(const struct typed *y)
{
	const struct format *f;
	size_t i = 0;

	while ((f = format_at(i)) && !text_is(y->name, y->length, f->name))
		i++;
	return f;
}

/*
 * The option typed, and the struct of its field: the recipe's, none yet for an
 * option of its guests, that of its inputs if it has any, or that of outputs.
 */
static const struct option *find(struct args *a, const struct typed *y,
				 void **self)
{
	const struct option *o = option_find(a->recipe->options, y->name,
					     y->length);

	*self = a->fields.self;
	if (!o && (o = recipe_option(a->recipe, y->name, y->length)))
		*self = NULL;
	if (!o && a->recipe->inputs) {
		o = option_find(selection_options, y->name, y->length);
		*self = &a->input;
	}
	if (!o) {
		o = option_find(style_options, y->name, y->length);
		*self = &a->style;
	}
	return o;
}

/* Whether the next word is a value, not an option. */
static bool has_value(struct args *a, const struct words *w)
{
	const char *next = w->at < w->argc ? w->argv[w->at] : NULL;
	struct typed y = { 0 };
	void *self;

	if (!next || strncmp(next, "--", 2) != 0)
		return next;
	y.name = next + 2;
	y.length = strcspn(y.name, "=");
	return next[2] && !find(a, &y, &self) && !format_flag(&y) &&
	       strcmp(next, "--help") != 0;
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

/* Whether the value may name a file: "@FILE", "longrope:8,long=-". */
static bool reads_file(const struct option *o, const char *text)
{
	return option_reads_tables(o) || o->kind == OPTION_CONFIG ||
	       o->role == ROLE_FILE ||
	       (o->kind == OPTION_LIST && strcmp(text, "-") == 0) ||
	       strchr(text, '@') || strstr(text, "=-");
}

/* Whether path is standard input, "-", or a tensor in it, "-:NAME". */
static bool is_standard(const char *path)
{
	return path[0] == '-' && (!path[1] || path[1] == ':');
}

/* Note what reading a file takes; standard input can't be read twice. */
static bool note_read(struct args *a, const char *path, struct error *err)
{
	const bool in = is_standard(path);

	a->reads = true;
	a->processes |= format_starts_process(path, &a->table);
	if (in && a->reads_in)
		return fail(err, "'-' (standard input) can be read only once");
	a->reads_in |= in;
	return true;
}

static bool note_table(struct args *a, const char *path, struct error *err)
{
	a->maybe_raw |= format_maybe_raw(path);
	return note_read(a, path, err);
}

static bool read_option(struct args *a, struct words *w,
			const struct typed *y, struct error *err)
{
	struct setting s = { 0 };
	const struct option *o = s.option = find(a, y, &s.self);
	const struct format *f = o ? NULL : format_flag(y);

	if (!o && !f)
		return guess_option(a->recipe, y->name - 2, y->length + 2,
				    err);
	if (o && o->kind == OPTION_FLAG)
		s.text = y->value ? y->value : "";
	else if (y->value)
		s.text = y->value;
	else if (has_value(a, w))
		s.text = w->argv[w->at++];
	else if (f && !a->recipe->make)
		s.text = "-";  /* a report's format alone: --json */
	else
		return fail(err, "--%.*s needs a value: %s", (int)y->length,
			    y->name, f ? "FILE" : o->arg);
	if (f)
		return args_output(a, f, s.text, err);
	a->settings[a->setting_count++] = s;
	return !reads_file(o, s.text) ||
	       (option_reads_tables(o) ? note_table : note_read)(a, s.text,
								 err);
}

static bool read_short(struct args *a, struct words *w, const char *word,
		       struct error *err)
{
	const struct format *f;
	const char *path = word + 2;

	if (strcmp(word, "-h") == 0)
		return a->help = true;
	if (word[1] != 'o')
		return guess_option(a->recipe, word, strcspn(word, "="), err);
	if (!*path && w->at == w->argc)
		return fail(err, "-o needs a value: FILE");
	if (!*path)
		path = w->argv[w->at++];
	if (strcmp(path, "-") == 0)
		return fail(err, "-o needs a file name with a suffix; for "
			    "standard output, name the format, as in --csv -");
	f = guess_suffix(path, err) ? format_of(path, err) : NULL;
	return f && args_output(a, f, path, err);
}

/* An argument that stands for an option, as the FILE of posenc config. */
static bool add_operand(struct args *a, const char *text, struct error *err)
{
	const char *name = a->recipe->operand;
	const struct setting s = {
		option_find(a->recipe->options, name, strlen(name)),
		a->fields.self, text
	};

	for (size_t i = 0; i < a->setting_count; i++)
		if (a->settings[i].option == s.option && !a->recipe->several)
			return fail(err, "expected one %s, got '%.60s' too",
				    s.option->arg, text);
	a->settings[a->setting_count++] = s;
	return a->recipe->several || note_read(a, text, err);
}

static bool add_input(struct args *a, const char *path, struct error *err)
{
	if (a->recipe->operand)
		return add_operand(a, path, err);
	if (!a->recipe->inputs)
		return guess_argument(a->recipe, path, err);
	if (a->recipe->several && a->input_count == INPUTS_MOST)
		return fail(err, "more than %d TABLEs", INPUTS_MOST);
	if (a->input_count == a->recipe->inputs && !a->recipe->several)
		return fail(err, a->recipe->make
			    ? "unexpected TABLE '%.60s'; -o FILE writes a file"
			    : "unexpected TABLE '%.60s'; posenc compare reads "
			      "two", path);
	a->input_paths[a->input_count++] = path;
	return note_table(a, path, err);
}

static bool read_word(struct args *a, struct words *w, struct error *err)
{
	const char *word = w->argv[w->at++];
	struct typed y = { 0 };

	if (w->ended || word[0] != '-' || is_standard(word))
		return add_input(a, word, err);
	if (word[1] != '-')
		return read_short(a, w, word, err);
	if (!word[2])
		return w->ended = true;
	if (strcmp(word, "--help") == 0)
		return a->help = true;
	y.name = word + 2;
	y.length = strcspn(y.name, "=");
	if (y.name[y.length])
		y.value = y.name + y.length + 1;
	return read_option(a, w, &y, err);
}

/*
 * The text to set: of --out A,B, which makes a table of each, the first word.
 * NULL: out of memory.
 */
static const char *first_word(struct args *a, const struct setting *s,
			      const char *text, struct error *err)
{
	char *copy;

	if (s->option->kind != OPTION_CHOICE ||
	    strcmp(s->option->name, "out") != 0)
		return text;
	a->each = strchr(text, ',') ? s : NULL;
	copy = table_copy(&a->table, text, err);
	if (copy)
		copy[strcspn(copy, ",")] = '\0';
	return copy;
}

static bool set(struct args *a, const struct setting *s, struct error *err)
{
	const char *text = synonym_of(s->option, s->text, err);
	struct fields fields = a->fields;

	fields.self = s->self;
	if (text)
		text = first_word(a, s, text, err);
	if (!text)
		return false;
	if (!s->self)
		return recipe_set_later(&a->fields, s->option, text, err);
	if (s->option->kind == OPTION_PRESET ||
	    s->option->kind == OPTION_CONFIG)
		return recipe_set(a->recipe, &a->fields, s->option->name,
				  text, err);
	return option_set(s->option, &fields, text, err);
}

/* Whether the same option follows: then the file of this one is not read. */
static bool overridden(const struct args *a, size_t i)
{
	for (size_t k = i + 1; k < a->setting_count; k++)
		if (a->settings[k].option == a->settings[i].option)
			return true;
	return false;
}

/*
 * Set options in the order typed, as later ones override; tables: those that
 * name tables, which are read as other options say, or the others.
 */
static bool set_all(struct args *a, bool tables, struct error *err)
{
	for (size_t i = 0; i < a->setting_count; i++)
		if (option_reads_tables(a->settings[i].option) == tables &&
		    !(tables && overridden(a, i)) &&
		    !set(a, &a->settings[i], err))
			return false;
	return true;
}

/* What raw files lack: their dtype, and columns by an option of the command. */
static struct raw_kind raw_kind(const struct args *a)
{
	const struct option *o = option_of_role(a->recipe->options,
						ROLE_COLUMNS);
	const size_t dim = o
		? *(const size_t *)(const void *)
		  ((const char *)a->fields.self + o->at) : a->input.dim;

	return (struct raw_kind){ dim, a->style.dtype, a->style.threads,
				  a->style.max_memory << 20 };
}

/* Give the command the options of its guest, such as those of a scheme. */
static bool settle(struct args *a, struct error *err)
{
	const struct recipe *settled = recipe_settle(a->recipe, &a->fields,
						     err);

	a->recipe = settled ? settled : a->recipe;
	return settled;
}

/* After path was refused: what reads the configuration of a model. */
static bool explain_config(const char *path, struct error *err)
{
	const char *folder = strrchr(path, '/');
	const size_t n = strlen(err->text);

	if (strcmp(folder ? folder + 1 : path, "config.json") == 0)
		snprintf(err->text + n, sizeof err->text - n, "; 'posenc "
			 "config' explains a model's configuration, "
			 "'posenc compare' compares two");
	return false;
}

/* Read the tables that the command works on. */
static bool read_inputs(struct args *a, struct error *err)
{
	const struct raw_kind raw = raw_kind(a);

	if (a->input_count < a->recipe->inputs && !a->recipe->optional)
		return fail(err, a->input_count ? "a second TABLE is missing"
						: "a TABLE is missing");
	if (a->input.dim && !a->maybe_raw)
		return fail(err, "--dim applies only to .raw files, and no "
			    "TABLE is one");
	a->inputs[0].compact = a->recipe->compact && a->input_count == 1;
	if (a->recipe->make && a->input_count < 2)
		a->input.spare = &a->style.head;
	for (size_t i = 0; i < a->recipe->inputs; i++)
		a->inputs[i].on_demand = a->input_count == a->recipe->inputs
						 ? a->recipe->on_demand : 0;
	for (size_t i = 0; i < a->input_count; i++)
		if (!selection_read(format_read, a->input_paths[i], &a->input,
				    &raw, &a->inputs[i], err))
			return explain_config(a->input_paths[i], err);
	for (size_t i = 1; a->recipe->several && i < a->input_count; i++)
		a->inputs[i - 1].beside = &a->inputs[i];
	if (!a->input_count)
		return selection_unused(&a->input, err);
	/* With --dim, --dtype is that of the raw files, not of outputs. */
	if (a->input.dim)
		a->style.dtype = NO_CHOICE;
	return selection_note(&a->input, &raw, &a->inputs[a->input_count - 1],
			      err);
}

/*
 * Name two models, if such are to be compared, not tables; they are opened when
 * they are compared. False: there are none, or an error.
 */
static bool name_models(struct args *a, struct error *err)
{
	char flag[40];

	if (strcmp(a->recipe->name, compare_models_recipe.name) != 0 ||
	    a->input_count != 2 || !names_models(a->input_paths, err))
		return false;
	a->recipe = &compare_models_recipe;
	a->models = true;
	for (size_t i = 0; i < a->setting_count; i++)
		if (a->settings[i].self != &a->style || a->style.max_memory)
			return fail(err, "%s applies to tables, not to models",
				    a->style.max_memory ? "--max-memory"
				    : option_flag(a->settings[i].option, flag));
	for (size_t i = 0; i < a->input_count; i++)
		if (!format_name(a->input_paths[i], &a->inputs[i], err))
			return false;
	return true;
}

bool args_words(struct args *a, const struct recipe *recipe, int argc,
		char **argv, struct error *err)
{
	struct fields style = { .self = &a->style, .owner = &a->table };
	struct fields input = { .self = &a->input, .owner = &a->table };
	struct words w = { .argc = argc, .argv = argv };

	*a = (struct args){ .recipe = recipe, .table.from.reads_files = true };
	if (!recipe_begin(recipe, &a->table, &a->fields, err))
		return false;
	a->fields.read = format_read;
	a->fields.config = config_read;
	option_defaults(selection_options, &input, err);
	option_defaults(style_options, &style, err);
	a->settings = table_alloc(&a->table, (size_t)argc + 1,
				  sizeof *a->settings, err);
	while (a->settings && w.at < w.argc && !a->help)
		if (!read_word(a, &w, err))
			return false;
	return a->settings;
}

bool args_set(struct args *a, struct error *err)
{
	if (!set_all(a, false, err))
		return false;
	if (a->style.max_memory && !a->reads)
		return fail(err, "--max-memory applies to files of tables, and "
			    "none is read");
	a->fields.raw = raw_kind(a);
	return set_all(a, true, err) && settle(a, err) &&
	       (name_models(a, err) || (!err->text[0] && read_inputs(a, err)));
}

bool args_values(struct args *a, struct error *err)
{
	if (a->input_count || a->reads)
		sandbox_enter(a->outputs, a->output_count, a->processes);
	return args_set(a, err);
}

bool args_read(struct args *a, const struct recipe *recipe, int argc,
	       char **argv, struct error *err)
{
	return args_words(a, recipe, argc, argv, err) &&
	       (a->help || args_values(a, err));
}

void args_close(struct args *a)
{
	for (size_t i = 0; i < a->figure_count; i++)
		args_close(&a->figures[i]);
	table_close(&a->table);
	for (size_t i = 0; i < INPUTS_MOST; i++)
		table_close(&a->inputs[i]);
	for (size_t i = 0; i < BESIDE_MOST - 1; i++)
		table_close(&a->others[i]);
}
