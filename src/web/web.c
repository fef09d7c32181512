/* web.c: the library as a page calls it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/colormap.h"
#include "figure/language.h"
#include "recipes.h"
#include "text/decimal.h"
#include "text/words.h"
#include "web/json.h"
#include "web/web.h"

struct web {
	struct table table;
	struct table input;  /* of a view, or empty */
	struct error err;
	struct text text;  /* the last result */
	double *row;       /* [cols], scratch */
	size_t at;         /* the row that web_text() was asked for last, */
	const double *values;  /* and its values, or NULL */
};

/* Make t the table of an encoding's command. */
static bool open_encoding(struct table *t, char *words, struct error *err)
{
	const char *name = word_next(&words, err);

	if (!name)
		return fail(err, "the command is empty");
	return recipe_open(t, name, words, NULL, err);
}

/* The input with its values, rounded as a file would have them. */
static bool keep_input(struct web *w)
{
	struct table *t = &w->input;
	double *data = table_alloc(t, t->end * t->cols, sizeof *data, &w->err);
	double *scratch = table_alloc(t, t->cols, sizeof *scratch, &w->err);

	if (!data || !scratch)
		return false;
	for (size_t i = 0; i < t->end; i++) {
		const double *row = t->row(t, i, scratch);

		for (size_t j = 0; j < t->cols; j++)
			data[i * t->cols + j] = dtype_round(t->dtype, row[j]);
	}
	table_dense(t, data);
	t->from.command = "-";
	return true;
}

/* Make the table of a view of the input. */
static bool open_view(struct web *w, char *words)
{
	const char *name = word_next(&words, &w->err);
	const struct recipe *r = name ? recipe_find(name, &w->err) : NULL;
	struct fields fields = { 0 };

	if (!name)
		return fail(&w->err, "the command is empty");
	if (r && !r->inputs)
		return fail(&w->err, "%s takes no table", name);
	return r && keep_input(w) &&
	       recipe_begin(r, &w->table, &fields, &w->err) &&
	       recipe_set_all(r, &fields, words, &w->err) &&
	       recipe_finish(r, &fields, &w->input, &w->table, &w->err);
}

static bool open_table(struct web *w, const char *command)
{
	char *words = table_copy(&w->table, command, &w->err);
	char *bar = words ? strstr(words, " | ") : NULL;

	if (!bar)
		return words && open_encoding(&w->table, words, &w->err);
	*bar = '\0';
	return open_encoding(&w->input, words, &w->err) &&
	       open_view(w, bar + strlen(" | "));
}

struct web *web_open(const char *command)
{
	struct web *w = calloc(1, sizeof *w);

	if (!w)
		return NULL;
	if (open_table(w, command))
		w->row = table_alloc(&w->table, w->table.cols, sizeof *w->row,
				     &w->err);
	return w;
}

const char *web_error(const struct web *w)
{
	return w->err.text[0] ? w->err.text : NULL;
}

void web_close(struct web *w)
{
	if (!w)
		return;
	table_close(&w->table);
	table_close(&w->input);
	free(w->text.at);
	free(w);
}

/* What was written, or NULL if not all of it was. */
static const char *finished(const struct text *t)
{
	return t->lost ? NULL : t->at;
}

static void restart(struct text *t)
{
	t->n = 0;
	t->lost = false;
}

static void number_member(struct text *t, const char *name, double x)
{
	put_member(t, name);
	put_number(t, x);
}

static void string_member(struct text *t, const char *name, const char *text)
{
	put_member(t, name);
	put_string(t, text);
}

/* Members of an axis of n indices; the object stays open. */
static void begin_axis(struct text *t, const struct axis *a, size_t n)
{
	put_text(t, "{");
	string_member(t, "name", a->name);
	if (!a->at) {
		number_member(t, "first", a->first);
		number_member(t, "step", a->step);
		return;
	}
	put_member(t, "labels");
	put_text(t, "[");
	for (size_t i = 0; i < n; i++) {
		put_element(t);
		put_number(t, a->at[i]);
	}
	put_text(t, "]");
}

static void describe_axes(struct text *t, const struct table *table)
{
	static const char *const pairs[] = {
		[PAIRS_NONE] = "none", [PAIRS_ADJACENT] = "adjacent",
		[PAIRS_SPLIT] = "split",
	};

	put_member(t, "plane_axis");
	if (table->plane_axis.name) {
		begin_axis(t, &table->plane_axis, table->planes);
		put_text(t, "}");
	} else {
		put_text(t, "null");
	}
	put_member(t, "row_axis");
	begin_axis(t, &table->row_axis, table->rows);
	put_text(t, "}");
	put_member(t, "col_axis");
	begin_axis(t, &table->col_axis, table->cols);
	string_member(t, "pairs", pairs[table->col_axis.pairs]);
	number_member(t, "apart", (double)table->col_axis.apart);
	put_text(t, "}");
}

static void describe_values(struct text *t, const struct table *table)
{
	static const char *const halves[] = {
		[HALVES_ALIKE] = "alike", [HALVES_MIRRORED] = "mirrored",
		[HALVES_REPEATED] = "repeated",
	};
	const struct frequencies *f = &table->frequencies;

	string_member(t, "value", table->value);
	string_member(t, "halves", halves[table->halves]);
	put_member(t, "shares");
	put_text(t, table->shares ? "true" : "false");
	put_member(t, "bounds");
	if (table->bounds == BOUNDS_TIGHT) {
		put_text(t, "[");
		put_number(t, table->lo);
		put_element(t);
		put_number(t, table->hi);
		put_text(t, "]");
	} else {
		put_text(t, "null");
	}
	put_member(t, "wavelengths");
	put_text(t, f->n ? "[" : "null");
	for (size_t k = 0; k < f->n; k++) {
		put_element(t);
		put_number(t, 0x1.921fb54442d18p2 / f->at(f->self, k));
	}
	put_text(t, f->n ? "]" : "");
}

const char *web_describe(struct web *w)
{
	const struct table *table = &w->table;
	struct text *t = &w->text;

	if (w->err.text[0])
		return NULL;
	restart(t);
	put_text(t, "{");
	string_member(t, "command", table->from.command + strlen("posenc "));
	string_member(t, "title", table->title);
	number_member(t, "planes", (double)table->planes);
	number_member(t, "rows", (double)table->rows);
	number_member(t, "cols", (double)table->cols);
	string_member(t, "dtype", dtype_name(table->dtype));
	describe_axes(t, table);
	describe_values(t, table);
	string_member(t, "note", table->from.note);
	put_text(t, "}");
	return finished(t);
}

/* The same as an array of d. */
static int give_rows(const struct web *w, enum dtype d, size_t first, size_t n,
		     unsigned char *out)
{
	enum { BLOCK = 1 << 18 };
	const struct table *t = &w->table;
	const size_t bytes = t->cols * dtype_size(d);
	size_t step;
	void *scratch;

	if (w->err.text[0] || first > t->end || n > t->end - first)
		return -1;
	step = table_block(t, BLOCK, bytes);
	scratch = malloc(table_scratch(t, d, step));
	if (!scratch)
		return -1;
	for (size_t i = 0; i < n; i += step)
		table_rows(t, d, first + i, n - i < step ? n - i : step,
			   scratch, out + i * bytes);
	free(scratch);
	return 0;
}

int web_rows(const struct web *w, size_t first, size_t n, double *out)
{
	struct web wide = *w;

	wide.table.dtype = F64;  /* no other follows: the nearest doubles */
	return give_rows(&wide, F64, first, n, (unsigned char *)out);
}

int web_bytes(const struct web *w, size_t first, size_t n, void *out)
{
	return give_rows(w, w->table.dtype, first, n, out);
}

/* The values of a row; pages ask for one after another of the same row. */
static const double *row_values(struct web *w, size_t row)
{
	if (!w->values || w->at != row)
		w->values = w->table.row(&w->table, row, w->row);
	w->at = row;
	return w->values;
}

const char *web_text(struct web *w, size_t row, size_t col)
{
	const struct table *t = &w->table;
	char text[NUMBER_ROOM];

	if (w->err.text[0] || row >= t->end || col >= t->cols)
		return NULL;
	restart(&w->text);
	text[number_text(text, dtype_round(t->dtype, row_values(w, row)[col]),
			 t->dtype, 0)] = '\0';
	put_text(&w->text, text);
	return finished(&w->text);
}

/* "max-distance" for max_distance. */
static void option_name(struct text *t, const struct option *o)
{
	char flag[40];

	put_string(t, option_flag(o, flag) + 2);
}

/* NULL: only files give its value. */
static const char *type_name(enum option_kind kind)
{
	switch (kind) {
	case OPTION_FLAG: return "flag";
	case OPTION_COUNT:
	case OPTION_SEED:
	case OPTION_INTEGER: return "integer";
	case OPTION_REAL: return "real";
	case OPTION_CHOICE: return "choice";
	case OPTION_PICK: return "pick";
	case OPTION_LIST: return "list";
	case OPTION_RANGE: return "range";
	case OPTION_EXTENTS:
	case OPTION_TEXT: return "text";
	case OPTION_PRESET: return "preset";
	case OPTION_TABLE:
	case OPTION_TABLES:
	case OPTION_CONFIG:
	default: return NULL;
	}
}

static void describe_option(struct text *t, const struct option *o)
{
	put_element(t);
	put_text(t, "{\"name\":");
	option_name(t, o);
	string_member(t, "type", type_name(o->kind));
	string_member(t, "arg", o->arg);
	string_member(t, "help", o->help);
	put_member(t, "required");
	put_text(t, o->required && !o->needs ? "true" : "false");
	if (o->initial)
		string_member(t, "default", o->initial);
	if (o->min < o->max) {
		number_member(t, "min", option_limit(o, o->min));
		number_member(t, "max", option_limit(o, o->max));
	}
	if (o->words) {
		put_member(t, "choices");
		put_text(t, "[");
		for (const char *const *word = o->words; *word; word++) {
			put_element(t);
			put_string(t, *word);
		}
		put_text(t, "]");
	}
	put_text(t, "}");
}

static void describe_presets(struct text *t, const struct preset *p)
{
	put_member(t, "presets");
	put_text(t, "[");
	for (; p && p->name; p++) {
		put_element(t);
		put_text(t, "{");
		string_member(t, "name", p->name);
		string_member(t, "options", p->options);
		string_member(t, "project", p->project);
		string_member(t, "source", p->source);
		put_text(t, "}");
	}
	put_text(t, "]");
}

/* What was written, for the caller to free. */
static char *given(struct text *t)
{
	if (!t->lost)
		return t->at;
	free(t->at);
	return NULL;
}

char *web_words(const char *language)
{
	struct text t = { 0 };
	enum language l = ENGLISH;
	const char *english;

	while (l < LANGUAGES && strcmp(language_words[l], language) != 0)
		l++;
	put_text(&t, "{");
	for (size_t i = 0; l < LANGUAGES && l != ENGLISH &&
			   (english = language_row(i)); i++)
		string_member(&t, english, language_text(l, english));
	put_text(&t, "}");
	return given(&t);
}

char *web_map(const char *name)
{
	enum { COLORS = 256 };
	struct text t = { 0 };
	const bool known = colormap_known(name);

	for (int i = 0; known && i < COLORS; i++) {
		const double at = (double)i / (COLORS - 1);
		const struct color c = colormap_color(name, at);
		char text[8];

		snprintf(text, sizeof text, "%02x%02x%02x", c.red, c.green,
			 c.blue);
		put_text(&t, text);
	}
	return given(&t);
}

/* Whose options a host also takes: each with its name, after its choice. */
static void describe_guests(struct text *t, const struct recipe *host)
{
	put_member(t, "guests");
	put_text(t, "{");
	for (const struct guest *g = host->guests; g && g->word; g++) {
		put_member(t, g->word);
		put_text(t, "[");
		for (const struct option *o = guest_recipe(host, g)->options;
		     o->name; o++)
			if (guest_lends(host, g, o) && type_name(o->kind))
				describe_option(t, o);
		put_text(t, "]");
	}
	put_text(t, "}");
}

static void describe_recipe(struct text *t, const struct recipe *r)
{
	put_element(t);
	put_text(t, "{");
	string_member(t, "name", r->name);
	string_member(t, "summary", r->summary);
	put_member(t, "options");
	put_text(t, "[");
	for (const struct option *o = r->options; o->name; o++)
		if (type_name(o->kind))
			describe_option(t, o);
	put_text(t, "]");
	describe_presets(t, r->presets);
	describe_guests(t, r);
	if (r->starts) {
		put_member(t, "start");
		put_text(t, "{");
		for (const struct start *s = r->starts; s->option; s++)
			string_member(t, s->option, s->value);
		put_text(t, "}");
	}
	put_text(t, "}");
}

char *web_recipes(void)
{
	struct text t = { 0 };
	const struct recipe *r;

	put_text(&t, "[");
	for (size_t i = 0; (r = recipe_at(i)); i++)
		if (r->make)
			describe_recipe(&t, r);
	put_text(&t, "]");
	return given(&t);
}
