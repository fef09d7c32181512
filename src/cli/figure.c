/*
 * figure.c: posenc figure, several figures in one. Each argument is a command,
 * whose words are read as those of a command line, or a TABLE, as show reads
 * it.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/run.h"
#include "cli/sandbox.h"
#include "figure/formula.h"
#include "figure/subfigures.h"
#include "recipes.h"
#include "text/utf8.h"
#include "text/words.h"

enum { RANGE_EACH, RANGE_SHARED };

struct figure_command {
	const char *figures;    /* one of them: all are settings */
	size_t columns;         /* 0: not given */
	const char *names;
	bool letters;
	int range;

	/* Not options. */
	struct subfigures *all;
	char *const *texts;     /* [n], the figures, */
	const bool *added;      /* whether '+' stands before each, */
	size_t n;               /* of which all->n are drawn: sums are one */
	const char *command;    /* that makes them again */
};

static const char *const range_words[] = { "each", "shared", NULL };

static const struct option figure_options[] = {
	{ OPTION(struct figure_command, figures), .unrecorded = true,
	  .arg = "COMMAND|TABLE",
	  .help = "what each figure shows: a command of posenc with its "
		  "options in quotes, or a table" },
	{ OPTION(struct figure_command, columns), .min = 1,
	  .max = SUBFIGURES_MOST, .arg = "N",
	  .help = "figures side by side (default: 3; 2 of four)" },
	{ OPTION(struct figure_command, names), .arg = "A|B|C",
	  .help = "titles of the figures, separated by | (default: those that "
		  "each has alone)" },
	{ OPTION(struct figure_command, letters),
	  .help = "begin the titles with (a), (b), (c) and so on" },
	{ OPTION(struct figure_command, range), .words = range_words,
	  .initial = "each", .arg = "each|shared",
	  .help = "range of colours, and of values of lines: each figure's "
		  "own, or one that all share; of heat maps with one colour "
		  "bar per row, and one beside each that has masked keys" },
	{0}
};

/* A table that has no values, for the metadata of the figure. */
static bool figure_make_table(void *self, const struct table *inputs,
			      struct table *t, struct error *err)
{
	const struct figure_command *c = self;

	(void)inputs;
	(void)err;
	t->title = c->all->about;
	t->from.command = c->command;
	t->rows = t->cols = 1;
	t->bounds = BOUNDS_TIGHT;
	return true;
}

const struct recipe figure_recipe = {
	.name = "figure",
	.summary = "several figures side by side in one",
	.about =
"Draws the figures of several commands and tables in one picture: two\n"
"encodings side by side, or a heat map beside lines. Each argument is a\n"
"command in quotes, with the options of its figure (--plot, --rows), or a\n"
"table. A + between two adds them: their sum follows, behind =. The options\n"
"after them are of the whole: --columns, --names, --title, --width, --theme.\n"
"--no-title and --no-colorbar are then of each figure.\n",
	.details =
"Each figure is drawn as its command draws it alone, smaller, and all have\n"
"one size of text. Panels of a row begin at one height, those of a column at\n"
"one distance from the left edge. With --range shared, heat maps have one\n"
"range of colours, and lines, steps and bars one range of the vertical axis,\n"
"from the least to the greatest value of all. A picture has at most 204\n"
"colours of values: heat maps with different colour maps have fewer shades\n"
"each. Of commands that make reports, compare and inspect draw figures.\n"
"--cmap and --scale-colors may be given for one figure or for all.\n"
"\n"
"Figures with + between them are heat maps or cells of one shape, and of one\n"
"plane each. They become the panels of one figure with one range of colours,\n"
"the last of which is their sum. Options of figures are those of the first;\n"
"--title names a panel.\n",
	.paper = "none (values are those of the commands)",
	.example = "posenc figure 'rope --len 64 --dim 64' "
		   "'mask --len 64' --png ab.png",
	.options = figure_options,
	.operand = "figures",
	.several = true,
	.size = sizeof(struct figure_command),
	.make = figure_make_table,
};

/* The options of outputs: of the whole figure, of it and of each, of none. */
#define WHOLE "scale width height aspect font-size dpi theme transparent " \
	"lang font threads max-memory quiet sync"
#define BOTH "title no-title no-colorbar cmap scale-colors"
#define NONE "animate frame-count frame-rate frame plain preview dry-run " \
	"header bare"

/* Refuse an option of outputs that is not among those words. */
static bool check_option(const struct option *o, const char *words,
			 bool inside, struct error *err)
{
	char flag[40];
	const char *name = option_flag(o, flag) + 2;

	if (text_has_word(NONE, name, " "))
		return fail(err, "%s does not apply to several figures in one",
			    flag);
	if (text_has_word(BOTH, name, " ") ||
	    text_has_word(words, name, " ") != inside)
		return true;
	return fail(err, inside
		    ? "%s is of the whole figure: it follows the quotes"
		    : "%s is of one figure: it stands in the quotes, after its "
		      "command", flag);
}

/* Whether the options of outputs are those of the whole, or of one figure. */
static bool check_options(const struct args *a, bool inside, struct error *err)
{
	for (size_t i = 0; i < a->setting_count; i++)
		if (a->settings[i].self == &a->style &&
		    !check_option(a->settings[i].option, WHOLE, inside, err))
			return false;
	return true;
}

/* Say in which argument, counted from 1, a failure of figure i is. */
static bool wrong(const struct figure_command *c, size_t i, struct error *err)
{
	const struct error why = *err;
	size_t argument = i + 1;
	char shown[80];

	for (size_t k = 0; k <= i; k++)
		argument += c->added[k];
	utf8_show_joined(c->texts[i], SIZE_MAX, shown, sizeof shown);
	snprintf(err->text, sizeof err->text, "argument %zu, '%s': ", argument,
		 shown);
	snprintf(err->text + strlen(err->text),
		 sizeof err->text - strlen(err->text), "%s", why.text);
	err->about_file = false;
	return false;
}

/*
 * The words of a figure after its command, words [*n], of text, which is cut.
 * A TABLE is that of show.
 */
static const struct recipe *read_words(char *text, char **words, size_t *n,
				       struct error *err)
{
	const struct recipe *show = recipe_find("show", err), *r;
	struct error no_recipe = { 0 };
	char **all = words;

	*n = 0;
	if (text[0] == '-' || access(text, F_OK) == 0) {
		words[(*n)++] = text;
		return show;
	}
	while ((all[*n] = word_next(&text, err)))
		++*n;
	if (err->text[0] || !*n)
		return fail(err, "expected a command or a table"), NULL;
	r = recipe_find(all[0], &no_recipe);
	if (!r && strpbrk(all[0], "./:"))
		return show;
	if (!r && !builtin_find(all[0]) && !command_find(all[0], err))
		return NULL;
	if (!r)
		return fail(err, "%s draws no figure that can be a part "
			    "of another", all[0]), NULL;
	memmove(words, words + 1, *n * sizeof *words);
	--*n;
	return r;
}

/* Read the words of a figure; files are not opened. */
static bool read_figure(struct args *one, const char *text, struct args *a,
			struct error *err)
{
	char *copy = table_copy(&a->table, text, err);
	char **words = table_alloc(&a->table, strlen(text) + 2, sizeof *words,
				   err);
	const struct recipe *r;
	size_t n;

	if (!copy || !words || !(r = read_words(copy, words, &n, err)) ||
	    !args_words(one, r, (int)n, words, err) ||
	    !check_options(one, true, err))
		return false;
	if (one->help || one->output_count)
		return fail(err, "%s stands outside of the quotes", one->help
			    ? "--help" : "the output");
	if (one->reads_in && a->reads_in)
		return fail(err, "'-' (standard input) can be read only once");
	a->reads |= one->reads;
	a->reads_in |= one->reads_in;
	a->processes |= one->processes;
	return true;
}

/* Refuse outputs that hold no figure, and none at all. */
static bool check_outputs(const struct args *a, struct error *err)
{
	for (size_t i = 0; i < a->output_count; i++)
		if (!a->outputs[i].format->figure)
			return fail(err, "--%s holds no figure; --png, --svg "
				    "and --pdf do",
				    output_name(&a->outputs[i]));
	return a->output_count ||
	       fail(err, "an output is missing: --png, --svg or --pdf FILE");
}

/* Whether all have one range, or this one may have colours of its own. */
static bool check_colors(const struct args *one, bool shared,
			 struct error *err)
{
	const struct look *look = &one->style.look;
	const char *flag = look->range ? "range" : look->cmap ? "cmap"
			   : look->scale_colors != NO_CHOICE ? "scale-colors"
			   : NULL;

	return !shared || !flag ||
	       fail(err, "--%s is of all figures with --range shared", flag);
}

/* Refuse options of a part that are those of the first, whose look all have. */
static bool check_part(const struct args *one, size_t i, struct error *err)
{
	char flag[40];

	for (size_t k = 0; i && k < one->setting_count; k++)
		if (one->settings[k].self == &one->style &&
		    !text_has_word("title plot rows head dtype",
				   option_flag(one->settings[k].option,
					       flag) + 2, " "))
			return fail(err, "%s is of the whole sum: it stands "
				    "in its first part", flag);
	return true;
}

/* Make the table of a figure, with the options of the whole. */
static bool make_figure(struct args *one, const struct args *a, bool shared,
			struct error *err)
{
	const struct look *look = &a->style.look;

	one->style.threads = a->style.threads;
	one->style.max_memory = one->reads ? a->style.max_memory : 0;
	memcpy(one->outputs, a->outputs, sizeof one->outputs);
	one->output_count = a->output_count;
	if (!args_set(one, err) || !check_colors(one, shared, err))
		return false;
	one->style.look.theme = look->theme;
	one->style.look.width = look->width;
	one->style.look.height = look->height;
	one->style.look.aspect = look->aspect;
	if (!one->style.look.cmap)
		one->style.look.cmap = look->cmap;
	if (one->style.look.scale_colors == NO_CHOICE)
		one->style.look.scale_colors = look->scale_colors;
	if (!run_figure(one, err))
		return false;
	/* Those that have no colour bar are not refused */
	one->style.look.no_title |= look->no_title;
	one->style.look.no_colorbar |= look->no_colorbar;
	return true;
}

/* Title i of names, in memory of t. */
static const char *name_at(const char *names, size_t i, struct table *t,
			   struct error *err)
{
	char *copy = table_copy(t, names, err);
	char *at = copy;

	while (at && i--)
		at += strcspn(at, "|") + 1;
	if (at)
		at[strcspn(at, "|")] = '\0';
	return at;
}

static bool check_names(const char *names, size_t n, struct error *err)
{
	size_t given = 1;

	for (const char *c = names; c && *c; c++)
		given += *c == '|';
	return !names || given == n ||
	       fail(err, "--names must have one title per figure: expected "
		    "%zu, got %zu", n, given);
}

/* The command line, and what it makes: "2 figures: sinusoid, pe.npy". */
static bool describe(struct figure_command *c, struct table *t,
		     struct error *err)
{
	struct subfigures *all = c->all;
	size_t room = options_line(figure_options, c, NULL) + 80;
	int at = snprintf(all->about, sizeof all->about, "%zu figure%s:",
			  all->n, all->n > 1 ? "s" : "");
	char *line;

	for (size_t i = 0; i < c->n; i++)
		room += shell_word(c->texts[i], NULL) + 3;
	c->command = line = table_alloc(t, room, 1, err);
	if (!line)
		return false;
	line += sprintf(line, "posenc figure");
	for (size_t i = 0; i < c->n; i++) {
		const char *text = c->texts[i];
		const int left = (int)sizeof all->about - at;

		line += sprintf(line, c->added[i] ? " + " : " ");
		line += shell_word(text, line);
		if (left > 1)
			at += snprintf(all->about + at, (size_t)left,
				       "%s %.*s", c->added[i] ? " +"
				       : i ? "," : "",
				       (int)strcspn(text, " "), text);
	}
	options_line(figure_options, c, line);
	return true;
}

#define PROGRAM "posenc "  /* may begin a command */

/* Take one argument, a figure or a sign; false: a sign stands elsewhere. */
static bool take_text(struct figure_command *c, char **texts, bool *added,
		      char *text)
{
	if (strcmp(text, "+") != 0)
		texts[c->n++] = text;
	else if (!c->n || added[c->n])
		return false;
	else
		added[c->n] = true;
	return true;
}

/* The arguments of a, as typed; none is an error. */
static bool find_texts(struct figure_command *c, struct args *a,
		       struct error *err)
{
	const size_t most = a->setting_count + 1;
	char **texts = table_alloc(&a->table, most, sizeof *texts, err);
	bool *added = table_alloc(&a->table, most, sizeof *added, err);
	bool good = true;

	c->texts = texts;
	c->added = added;
	for (size_t i = 0; texts && added && i < a->setting_count; i++) {
		const char *text = a->settings[i].text;

		if (a->settings[i].option != figure_options)
			continue;
		if (strncmp(text, PROGRAM, sizeof PROGRAM - 1) == 0)
			text += sizeof PROGRAM - 1;
		good &= take_text(c, texts, added,
				  table_copy(&a->table, text, err));
	}
	if (!good || (added && added[c->n]))
		return fail(err, "'+' must stand between two figures");
	if (!c->n)
		return fail(err, "expected commands in quotes or tables");
	return c->n <= SUBFIGURES_MOST ||
	       fail(err, "more than %d figures", SUBFIGURES_MOST);
}

/* How many figures from i on are added. */
static size_t count_parts(const struct figure_command *c, size_t i)
{
	size_t n = 1;

	while (i + n < c->n && c->added[i + n])
		n++;
	return n;
}

/* Add figure i and those behind it whose sum is drawn. */
static bool join_parts(struct figure_command *c, struct args *a, size_t i,
		       struct error *err)
{
	struct subfigure parts[BESIDE_MOST];
	const size_t n = count_parts(c, i);

	if (c->range == RANGE_SHARED)
		return fail(err, "--range shared does not apply to sums, which "
			    "have one range with their parts");
	if (n > BESIDE_MOST)
		return fail(err, "'+' adds at most %d figures, got %zu",
			    BESIDE_MOST, n);
	for (size_t k = 0; k < n; k++) {
		parts[k] = (struct subfigure){
			.t = &a->figures[i + k].table,
			.look = a->figures[i + k].style.look,
		};
		if (!check_part(&a->figures[i + k], k, err) ||
		    !sum_check(parts, &parts[k], err))
			return wrong(c, i + k, err);
	}
	return sum_make(&c->all->at[c->all->n], parts, n, &a->table, err);
}

/* Join figures that have been made. */
static bool join_figures(struct figure_command *c, struct args *a,
			 struct error *err)
{
	struct subfigures *all = c->all;

	for (size_t i = 0; i < c->n; i += count_parts(c, i), all->n++) {
		struct args *one = &a->figures[i];

		all->at[all->n].t = &one->table;
		all->at[all->n].look = one->style.look;
		if (count_parts(c, i) > 1 && !join_parts(c, a, i, err))
			return false;
	}
	return true;
}

/* Place figures that have been made, and name them. */
static bool join(struct figure_command *c, struct args *a, struct error *err)
{
	struct subfigures *all = c->all;

	if (!join_figures(c, a, err))
		return false;
	all->letters = c->letters;
	all->columns = c->columns ? c->columns : all->n == 4 ? 2 : 3;
	if (all->columns > all->n)
		all->columns = all->n;
	if (c->names && a->style.look.no_title)
		return fail(err, "--no-title leaves out the titles that "
			    "--names sets: expected one of them");
	if (!check_names(c->names, all->n, err) ||
	    !formula_check("--names", c->names, err))
		return false;
	for (size_t i = 0; c->names && i < all->n; i++)
		all->at[i].look.title = name_at(c->names, i, &a->table, err);
	a->style.look.subfigures = all;
	return !err->text[0] &&
	       (c->range != RANGE_SHARED || subfigures_share(all, err)) &&
	       describe(c, &a->table, err);
}

/* Read all words, then all files, whose readers have one sandbox. */
static bool read_all(struct args *a, struct figure_command *c,
		     struct error *err)
{
	const size_t n = c->n;

	for (size_t i = 0; i < n; i++, a->figure_count++)
		if (!read_figure(&a->figures[i], c->texts[i], a, err)) {
			a->figure_count++;
			return wrong(c, i, err);
		}
	if (!args_values(a, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!make_figure(&a->figures[i], a, c->range == RANGE_SHARED,
				 err))
			return wrong(c, i, err);
	return join(c, a, err);
}

bool figure_read(struct args *a, int argc, char **argv, struct error *err)
{
	struct figure_command *c;

	if (!args_words(a, &figure_recipe, argc, argv, err) || a->help)
		return !err->text[0];
	c = a->fields.self;
	find_texts(c, a, err);
	c->all = table_alloc(&a->table, 1, sizeof *c->all, err);
	a->figures = table_alloc(&a->table, c->n, sizeof *a->figures, err);
	if (err->text[0] || !check_options(a, false, err) ||
	    !check_outputs(a, err))
		return false;
	return read_all(a, c, err);
}
