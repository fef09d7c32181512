/* report.c: reports of views as aligned text and as JSON. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/decimal.h"
#include "formats/json_tree.h"
#include "formats/report.h"
#include "formats/report_rows.h"
#include "version.h"

enum {
	DIGITS = 6,        /* significant; all in JSON */
	MEASURE = 12,      /* columns of a verdict's number */
	NUMBERS_MOST = 8,  /* of a list; of longer ones the ends are shown */
};

/* The width of the column of names: the length of the longest. */
static size_t name_column(const struct report *r)
{
	size_t most = r->name_width;

	for (size_t i = 0; i < r->n; i++) {
		const size_t n =
			r->facts[i].item ? 0 : strlen(r->facts[i].name);

		most = n > most ? n : most;
	}
	return most;
}

static void show_name(const char *name, size_t width, struct output_file *o)
{
	out_text(o, "  ");
	for (const char *c = name; *c; c++)
		out_bytes(o, *c == '_' ? " " : c, 1);
	if (width > strlen(name))
		out_format(o, "%*s", (int)(width - strlen(name)), "");
}

/* Integers are shown with all digits. */
static size_t amount_text(char text[NUMBER_ROOM], double x)
{
	const bool whole = fabs(x) < 0x1p53 && floor(x) == x;

	return number_text(text, x, F64, whole ? 0 : DIGITS);
}

/* NaN, a measure that the table does not have, is shown as a dash. */
static void show_number(double x, struct output_file *o)
{
	char text[NUMBER_ROOM];

	if (isnan(x))
		out_text(o, "-");
	else
		out_bytes(o, text, amount_text(text, x));
}

/* PASS, FAIL or a dash, the measured value and its meaning. */
static void show_verdict(const struct fact *f, struct output_file *o)
{
	char text[NUMBER_ROOM] = "unknown";
	size_t n = strlen(text);

	if (!isnan(f->number))
		n = amount_text(text, f->number);
	out_format(o, "%s  %-*.*s  %s", isnan(f->number) ? "-   "
		   : f->flag ? "PASS" : "FAIL", MEASURE, (int)n, text,
		   f->text);
}

static void show_numbers(const struct fact *f, struct output_file *o)
{
	const size_t ends = f->n > NUMBERS_MOST ? 3 : f->n;

	for (size_t i = 0; i < f->n; i++) {
		if (i == ends) {
			out_text(o, " ...");
			i = f->n - 3;
		}
		out_text(o, i ? " " : "");
		show_number(f->numbers[i], o);
	}
}

static void show_lines(const struct fact *f, size_t width,
		       struct output_file *o)
{
	for (size_t i = 0; i < f->n; i++) {
		if (i)
			out_format(o, "\n%*s", (int)width + 4, "");
		report_show_text(f->lines[i], o);
	}
}

static void show_value(const struct fact *f, size_t width,
		       struct output_file *o)
{
	switch (f->kind) {
	case FACT_NUMBER:
		show_number(f->number, o);
		if (f->text)
			out_format(o, " %s", f->text);
		break;
	case FACT_PLACE:
		show_number(f->number, o);
		out_format(o, " at row %.0f, column %.0f", f->numbers[0],
			   f->numbers[1]);
		break;
	case FACT_FLAG:
		out_text(o, f->flag ? "yes" : "no");
		break;
	case FACT_VERDICT:
		show_verdict(f, o);
		break;
	case FACT_NUMBERS:
		show_numbers(f, o);
		break;
	case FACT_LINES:
		show_lines(f, width, o);
		break;
	case FACT_TEXT:
	case FACT_JSON:
	case FACT_SHAPE:
	case FACT_ROWS:
	default:
		report_show_text(f->text, o);
	}
}

void report_show(const struct report *r, struct output_file *o)
{
	const size_t width = name_column(r);
	const char *group = "";

	report_show_text(r->headline, o);
	out_text(o, "\n");
	for (size_t i = 0; i < r->n; i++) {
		const struct fact *f = &r->facts[i];

		if (strcmp(group, f->group) != 0)
			out_format(o, "\n%s\n", f->group);
		group = f->group;
		if (f->kind == FACT_ROWS) {
			report_show_rows(f->rows, o);
			continue;
		}
		show_name(f->name, f->item ? 0 : width, o);
		out_text(o, f->item ? " " : "  ");
		show_value(f, width, o);
		/* An item is a line. */
		if (!f->item || i + 1 == r->n || f[1].item != f->item)
			out_text(o, "\n");
	}
}

/* A number with all digits; null for NaN, a measure that is not there. */
static cJSON *number_value(double x)
{
	char text[NUMBER_ROOM + 1];

	text[json_number_text(text, x, F64, 0)] = '\0';
	return cJSON_CreateRaw(text);
}

/* all if good; otherwise NULL, and all is freed. */
static cJSON *whole(cJSON *all, bool good)
{
	if (good)
		return all;
	cJSON_Delete(all);
	return NULL;
}

static cJSON *numbers_value(const struct fact *f)
{
	cJSON *all = cJSON_CreateArray();
	bool good = all;

	for (size_t i = 0; good && i < f->n; i++)
		good = cJSON_AddItemToArray(all, number_value(f->numbers[i]));
	return whole(all, good);
}

static cJSON *shape_value(const struct fact *f)
{
	cJSON *all = cJSON_CreateArray();
	bool good = all;
	char text[24];

	for (size_t i = 0; good && i < f->n; i++) {
		snprintf(text, sizeof text, "%zu", f->sizes[i]);
		good = cJSON_AddItemToArray(all, cJSON_CreateRaw(text));
	}
	return whole(all, good);
}

static cJSON *verdict_value(const struct fact *f)
{
	cJSON *all = cJSON_CreateObject();
	cJSON *pass = isnan(f->number) ? cJSON_CreateNull()
				       : cJSON_CreateBool(f->flag);

	return whole(all, json_add(all, "pass", pass) &&
			  json_add(all, "measure", number_value(f->number)) &&
			  json_add(all, "of", cJSON_CreateString(f->text)));
}

static cJSON *place_value(const struct fact *f)
{
	cJSON *all = cJSON_CreateObject();

	return whole(all, json_add(all, "value", number_value(f->number)) &&
			  json_add(all, "row", number_value(f->numbers[0])) &&
			  json_add(all, "column", number_value(f->numbers[1])));
}

static cJSON *fact_value(const struct fact *f)
{
	switch (f->kind) {
	case FACT_NUMBER:
		return number_value(f->number);
	case FACT_PLACE:
		return place_value(f);
	case FACT_FLAG:
		return cJSON_CreateBool(f->flag);
	case FACT_VERDICT:
		return verdict_value(f);
	case FACT_NUMBERS:
		return numbers_value(f);
	case FACT_LINES:
		return cJSON_CreateStringArray(f->lines, (int)f->n);
	case FACT_SHAPE:
		return shape_value(f);
	case FACT_JSON:
		return cJSON_CreateRaw(f->text);
	case FACT_TEXT:
	case FACT_ROWS:
	default:
		return cJSON_CreateString(f->text);
	}
}

static bool add_row(cJSON *all, const struct fact *cells)
{
	cJSON *row = cJSON_CreateObject();
	bool good = cJSON_AddItemToArray(all, row);

	for (size_t j = 0; good && j < CELLS_MOST && cells[j].name; j++)
		good = json_add(row, cells[j].name, fact_value(&cells[j]));
	return good;
}

static cJSON *rows_value(const struct report_rows *r)
{
	cJSON *all = cJSON_CreateArray();
	bool good = all;

	for (size_t i = 0; good && i < r->n; i++) {
		struct fact cells[CELLS_MOST] = { 0 };

		r->row(r->self, i, cells);
		good = add_row(all, cells);
	}
	return whole(all, good);
}

/* The object of the fact's item, created if the fact is the first. */
static cJSON *item_of(cJSON *list, const struct fact *f)
{
	cJSON *item = cJSON_GetArrayItem(list, (int)f->item - 1);

	if (item)
		return item;
	item = cJSON_CreateObject();
	if (cJSON_AddItemToArray(list, item))
		return item;
	cJSON_Delete(item);
	return NULL;
}

/* The object of the fact's group or item, created if the fact is the first. */
static cJSON *group_of(cJSON *all, const struct fact *f)
{
	cJSON *group = cJSON_GetObjectItemCaseSensitive(all, f->group);

	if (!group && f->item)
		group = cJSON_AddArrayToObject(all, f->group);
	if (f->item)
		return item_of(group, f);
	return group ? group : cJSON_AddObjectToObject(all, f->group);
}

/* The report as text to be freed; NULL: out of memory. */
static char *all_text(const struct table *t, const struct report *r)
{
	cJSON *all = cJSON_CreateObject();
	char *text = NULL;
	bool good =
		json_add(all, "posenc", cJSON_CreateString(POSENC_VERSION)) &&
		json_add(all, "invocation",
			 cJSON_CreateString(t->from.command)) &&
		json_add(all, "answer", cJSON_CreateString(r->headline));

	for (size_t i = 0; good && i < r->n; i++) {
		const struct fact *f = &r->facts[i];

		good = f->kind == FACT_ROWS
		       ? json_add(all, f->group, rows_value(f->rows))
		       : json_add(group_of(all, f), f->name, fact_value(f));
	}
	if (good)
		text = cJSON_Print(all);
	cJSON_Delete(all);
	return text;
}

void report_json(const struct table *t, const struct report *r,
		 struct output_file *o)
{
	char *text = all_text(t, r);

	if (text) {
		json_send(o, text, strlen(text));
		out_text(o, "\n");
	} else {
		out_fail(o, "out of memory");
	}
	cJSON_free(text);
}
