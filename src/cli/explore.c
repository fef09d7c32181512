/*
 * explore.c: posenc explore, which writes a page (formats/html.c): of an
 * encoding, as its own command does, with TABLEs beside it; or of TABLEs, as
 * posenc show does.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "formats/select.h"
#include "model/command.h"
#include "recipes.h"
#include "text/words.h"
#include "views/show.h"

struct explore {
	int scheme;
};

static const char *const scheme_words[] = {
	"sinusoid", "rope", "t5-bucket", "relative", "alibi", "naive", "grid",
	"mask", NULL
};

static const struct option explore_options[] = {
	{ OPTION(struct explore, scheme), .words = scheme_words,
	  .initial = "sinusoid", .unrecorded = true, .arg = "NAME",
	  .help = "the encoding to begin with, whose options may follow; NAME "
		  "as the first word, as in explore rope, is the same" },
	{0}
};

const struct recipe explore_recipe = {
	.name = "explore",
	.summary = "a page to explore an encoding or tables in a browser",
	.about =
"Writes one HTML file that computes the encodings of posenc as their options\n"
"are changed: heat map, waves, similarity, formulas; also attention over some\n"
"words, by a scheme of positions. It needs no network and no other file.\n"
"TABLEs are shown beside an encoding of the same shape, with their\n"
"differences: explore rope pe.npy --base 500000, or, with TABLEs alone, the\n"
"one that posenc identify finds for the first. explore --config config.json\n"
"begins with the positions of a model.\n",
	.details =
"The page holds posenc's own code, as WebAssembly: its values are those of\n"
"the command that it shows, bit for bit. 'posenc rope --dim 64 --len 128\n"
"--html page.html' writes the same page for any table of posenc.\n"
"\n"
"Without len, dim and other options that a table needs, the page begins with\n"
"those of the first TABLE, or with a small one. Tables are in the page with\n"
"all values, in their dtype: up to 16 MB. The command fails where the page\n"
"was not built, with 'make web'. --lang ko makes a page in Korean, and so\n"
"does ?lang=ko after the address of any page.\n",
	.paper = "none (values are those of the encoding)",
	.example = "posenc explore rope --dim 64 -o page.html",
	.options = explore_options,
	.size = sizeof(struct explore),
	.inputs = 1,
	.optional = true,
	.several = true,
	.make = show_make,
};

enum { TEXT = 48 };  /* "ROWSxCOLUMNS" */

/*
 * What the option is for the first TABLE: the size that it has, or a square
 * grid of so many rows; otherwise value. To text [TEXT].
 */
static const char *beside_value(const struct table *beside, const char *option,
				const char *value, char *text)
{
	const size_t side = (size_t)sqrt((double)beside->rows);

	if (strcmp(option, "len") == 0)
		snprintf(text, TEXT, "%zu", beside->rows);
	else if (strcmp(option, "dim") == 0)
		snprintf(text, TEXT, "%zu", beside->cols);
	else if (strcmp(option, "heads") == 0 && beside->planes > 1)
		snprintf(text, TEXT, "%zu", beside->planes);
	else if (strcmp(option, "grid") == 0 && side * side == beside->rows)
		snprintf(text, TEXT, "%zux%zu", side, side);
	else
		return value;
	return text;
}

/* Whether an option of the encoding was typed that is one of names. */
static bool typed(const struct args *a, const char *names)
{
	char flag[40];

	for (size_t i = 0; i < a->setting_count; i++)
		if (text_has_word(names, option_flag(a->settings[i].option,
						     flag) + 2, " "))
			return true;
	return false;
}

/* Give what the encoding's table needs and was not typed; err may fail. */
static void start(struct args *a, struct error *err)
{
	char text[TEXT];

	for (const struct start *s = a->recipe->starts; s && s->option; s++) {
		const char *value = s->value;

		if (typed(a, s->option) || typed(a, s->unless))
			continue;
		if (a->input_count)
			value = beside_value(a->inputs, s->option, value, text);
		/* Fields keep pointers into the text. */
		value = table_copy(&a->table, value, err);
		if (value)
			recipe_set(a->recipe, &a->fields, s->option, value,
				   err);
	}
}

/* An encoding, of which a table is made from options alone. */
static const struct recipe *encoding(const char *name)
{
	const struct recipe *r = recipe_find(name, &(struct error){ 0 });

	return r && r->make && !r->inputs ? r : NULL;
}

/* Refuse a command that reads TABLEs, unless there is a file of its name. */
static bool check_word(const char *word, struct error *err)
{
	const struct recipe *r = recipe_find(word, &(struct error){ 0 });

	if (!r || access(word, F_OK) == 0)
		return true;
	return fail(err, r->make ? "expected an encoding or TABLEs, got the "
		    "command %s; 'posenc %s ... --html FILE' writes a page of "
		    "its table" : "expected an encoding or TABLEs, got the "
		    "command %s; 'posenc help %s' explains its report", word,
		    word);
}

/* Take n words at argv [*argc] out of it. */
static void take(int *argc, char **argv, int at, int n)
{
	*argc -= n;
	memmove(argv + at, argv + at + n, (size_t)(*argc - at) * sizeof *argv);
}

/*
 * The encoding that the first word of argv names, or --scheme NAME anywhere,
 * which is taken out of it; NULL: none, or an error.
 */
static const struct recipe *named(int *argc, char **argv, struct error *err)
{
	static const char flag[] = "--scheme";
	const size_t n = sizeof flag - 1;
	const struct recipe *r = *argc ? encoding(argv[0]) : NULL;
	struct explore s = { 0 };
	struct fields fields = { .self = &s };
	const char *value;
	int i = 0;

	if (r) {
		take(argc, argv, 0, 1);
		return r;
	}
	for (; i < *argc && strncmp(argv[i], flag, n) != 0; i++)
		if (strcmp(argv[i], "--") == 0)
			return NULL;
	if (i == *argc || (argv[i][n] && argv[i][n] != '='))
		return NULL;
	value = argv[i][n] ? argv[i] + n + 1 : i + 1 < *argc ? argv[i + 1] : "";
	take(argc, argv, i, argv[i][n] || i + 1 == *argc ? 1 : 2);
	return option_set(explore_options, &fields, value, err)
	       ? encoding(scheme_words[s.scheme]) : NULL;
}

/*
 * The encoding of the model whose --config FILE is among the words: of the
 * commands that make its tables the first that a page shows. NULL: none, or an
 * error.
 */
static const struct recipe *configured(int argc, char **argv,
				       struct table *owner, struct error *err)
{
	static const char flag[] = "--config";
	const size_t n = sizeof flag - 1;
	const char *commands[COMMANDS_MOST] = { NULL }, *file = NULL;
	const struct recipe *found = NULL;
	struct config c;

	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], flag, n) == 0 && argv[i][n] == '=')
			file = argv[i] + n + 1;
		else if (strcmp(argv[i], flag) == 0 && i + 1 < argc)
			file = argv[i + 1];
	if (!file)
		return NULL;
	if (config_open(&c, file, owner, err))
		config_commands(&c, commands);
	for (size_t i = 0; !found && i < COMMANDS_MOST && commands[i]; i++) {
		char *words = table_copy(owner, commands[i], err);
		const char *name = words ? word_next(&words, err) : NULL;

		if (name && strcmp(name, "posenc") == 0)
			name = word_next(&words, err);
		found = name ? encoding(name) : NULL;
		found = found && found->starts ? found : NULL;
	}
	config_close(&c);
	return found;
}

/* Standard output takes the page unless an output is named. */
static bool add_page(struct args *a, struct error *err)
{
	const struct format *page = format_of("page.html", err);

	for (size_t i = 0; i < a->output_count; i++)
		if (a->outputs[i].format == page)
			return true;
	if (a->output_count)
		return fail(err, "expected a page, as in -o page.html, got "
			    "--%s alone", output_name(&a->outputs[0]));
	return args_output(a, page, "-", err);
}

/* Whether the options typed are those of TABLEs alone, as --dim of raw ones. */
static bool are_of_tables(const struct args *a)
{
	for (size_t i = 0; i < a->setting_count; i++)
		if (a->settings[i].self == a->fields.self &&
		    strcmp(a->settings[i].option->name, "dim") != 0)
			return false;
	return a->input_count;
}

/*
 * The command that posenc identify finds for a table, or that comes nearest to
 * it, in memory of owner; NULL: there is none, or it makes another arrangement.
 */
static char *identified(const struct table *input, struct table *owner,
			struct error *err)
{
	const struct recipe *identify = recipe_find("identify", err);
	struct table alone = *input, t = { 0 };
	struct fields fields = { 0 };
	struct report report = { 0 };
	struct error ignored = { 0 };
	const char *found = NULL;
	char *command, *dtype;
	bool as_it_is = true;

	alone.beside = NULL;
	if (!identify || !recipe_begin(identify, &t, &fields, err) ||
	    !recipe_report(identify, &fields, &alone, &t, &report, &ignored))
		report.n = 0;
	pass_call(err, &ignored);
	for (size_t i = 0; i < report.n; i++) {
		const struct fact *f = &report.facts[i];

		if (!found && strcmp(f->name, "command") == 0)
			found = f->text;
		as_it_is &= strcmp(f->name, "read_as") != 0;
	}
	command = found && as_it_is ? table_copy(owner, found, err) : NULL;
	table_close(&t);
	/* Of the table's output; pages show values in the encoding's own */
	dtype = command ? strstr(command, " --dtype ") : NULL;
	if (dtype)
		*dtype = '\0';
	return command;
}

/* Whether options of a command name files, or "-", which was read. */
static bool names_files(const char *words)
{
	return strchr(words, '@') || strchr(words, '/') ||
	       strstr(words, " -,") || strstr(words, " - ") ||
	       strstr(words, "=-") || text_ends_in(words, strlen(words), " -");
}

/* Begin with the encoding of the first TABLE, if pages make it, beside all. */
static bool add_match(struct args *a, struct error *err)
{
	const struct style *s = &a->style;
	char *words = NULL;
	const char *name;
	const struct recipe *r;

	if (a->input_count < BESIDE_MOST && !s->rows.given && !s->head.given &&
	    s->dtype == NO_CHOICE)
		words = identified(a->inputs, &a->table, err);
	if (!words || names_files(words) || !word_next(&words, err))
		return !err->text[0];
	name = word_next(&words, err);
	r = name ? encoding(name) : NULL;
	if (!r || !r->starts)
		return !err->text[0];
	a->recipe = r;
	a->table.beside = a->inputs;
	return recipe_begin(r, &a->table, &a->fields, err) &&
	       recipe_set_all(r, &a->fields, words, err);
}

/* Show TABLEs without an encoding that is named. */
static bool read_tables(struct args *a, struct error *err)
{
	for (struct setting *s = a->settings;
	     s < a->settings + a->setting_count; s++)
		if (s->self == a->fields.self) {
			s->option = option_find(selection_options, "dim", 3);
			s->self = &a->input;
		}
	a->recipe = &explore_recipe;
	return recipe_begin(a->recipe, &a->table, &a->fields, err) &&
	       args_values(a, err) && add_match(a, err) && add_page(a, err);
}

bool explore_read(struct args *a, int argc, char **argv, struct error *err)
{
	const struct recipe *r, *shown;
	struct recipe with_tables;
	bool good;

	*a = (struct args){ .recipe = &explore_recipe };
	r = named(&argc, argv, err);
	if (!r && !err->text[0])
		r = configured(argc, argv, &a->table, err);
	shown = r ? r : encoding(scheme_words[0]);
	if (err->text[0] || !shown ||
	    (!r && argc && !check_word(argv[0], err)))
		return false;
	with_tables = *shown;
	with_tables.inputs = 1;
	with_tables.optional = with_tables.several = true;
	good = args_words(a, &with_tables, argc, argv, err);
	if (good && !a->help && !r && are_of_tables(a))
		return read_tables(a, err);
	good = good && (a->help || args_values(a, err));
	a->recipe = a->table.from.recipe = shown;
	if (!good || a->help)
		return good;
	if (a->input_count == BESIDE_MOST)
		return fail(err, "expected at most %d TABLEs beside an "
			    "encoding, got %zu", BESIDE_MOST - 1,
			    a->input_count);
	a->table.beside = a->input_count ? a->inputs : NULL;
	start(a, err);
	return add_page(a, err);
}
