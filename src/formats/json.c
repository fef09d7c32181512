/* json.c: what the table is, by cJSON, then its numbers, a line a row. */
#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/recipe.h"
#include "core/utf8.h"
#include "formats/command.h"
#include "formats/json.h"
#include "formats/json_tree.h"
#include "formats/number.h"
#include "formats/report.h"
#include "formats/rows.h"
#include "version.h"

/* Numbers as posenc writes them: cJSON would round them to 15 digits. */
static cJSON *list_value(const struct list *list)
{
	char *text = malloc(list->n * (NUMBER_ROOM + 1) + 3), *at = text;
	const struct numbers x = { .d = list->at };
	cJSON *value = NULL;

	if (text) {
		*at++ = '[';
		at += numbers_text(at, x, list->n, F64, 0);
		memcpy(at, "]", 2);
		value = cJSON_CreateRaw(text);
	}
	free(text);
	return value;
}

/* A string whose bytes that are no UTF-8 are each shown as U+FFFD. */
static cJSON *string_value(const char *text)
{
	char *clean = utf8_clean(text);
	cJSON *value = clean ? cJSON_CreateString(clean) : NULL;

	free(clean);
	return value;
}

/* The value of an option as JSON's nearest kind; null where none was given. */
static cJSON *option_value(const struct option *o, const void *self)
{
	const void *at = (const char *)self + o->at;
	const char *typed = option_typed(o, self);
	char text[256];

	if (o->kind == OPTION_LIST && typed)
		return list_value(at);
	if (typed)
		return string_value(typed);
	option_text(o, self, text, sizeof text);
	if (o->kind == OPTION_FLAG)
		return cJSON_CreateBool(text[0] != '\0');
	if (!text[0])
		return cJSON_CreateNull();
	if (o->kind == OPTION_COUNT || o->kind == OPTION_WHOLE ||
	    o->kind == OPTION_REAL)
		return cJSON_CreateRaw(text);
	return cJSON_CreateString(text);
}

static cJSON *options_value(const struct table *t)
{
	cJSON *options = cJSON_CreateObject();
	char flag[40];

	for (const struct option *o = t->recipe->options; o->name; o++)
		if (!o->unseen && !json_add(options, option_flag(o, flag) + 2,
					    option_value(o, t->self))) {
			cJSON_Delete(options);
			return NULL;
		}
	return options;
}

static cJSON *shape_value(const struct table *t)
{
	size_t shape[3];
	double wide[3];
	const size_t n = table_shape(t, shape);

	for (size_t i = 0; i < n; i++)
		wide[i] = (double)shape[i];
	return list_value(&(struct list){ .at = wide, .n = n });
}

/* Everything but the numbers, as text to be freed; NULL for want of memory. */
static char *head(const struct table *t)
{
	cJSON *all = cJSON_CreateObject();
	char *text = NULL;

	if (json_add(all, "posenc", cJSON_CreateString(POSENC_VERSION)) &&
	    json_add(all, "command", cJSON_CreateString(t->recipe->name)) &&
	    json_add(all, "options", options_value(t)) &&
	    json_add(all, "shape", shape_value(t)) &&
	    json_add(all, "dtype", cJSON_CreateString(dtype_name(t->dtype))))
		text = cJSON_PrintUnformatted(all);
	cJSON_Delete(all);
	return text;
}

/* What an option says, as a string. */
static cJSON *option_string(const struct option *o, const void *self)
{
	const char *typed = option_typed(o, self);
	char text[256];

	option_text(o, self, text, sizeof text);
	return string_value(typed ? typed : text);
}

char *json_metadata(const struct table *t, const struct style *style)
{
	cJSON *all = cJSON_CreateObject();
	char *line = command_line(t, style), *text = NULL, flag[40];
	bool good = line &&
		    json_add(all, "posenc", string_value(POSENC_VERSION)) &&
		    json_add(all, "command", string_value(line));

	for (const struct option *o = t->recipe->options; good && o->name; o++)
		good = json_add(all, option_flag(o, flag) + 2,
				option_string(o, t->self));
	if (good)
		text = cJSON_PrintUnformatted(all);
	cJSON_Delete(all);
	free(line);
	return text;
}

static void write_head(struct out *o, const struct table *t)
{
	char *text = head(t);

	if (text)
		out_bytes(o, text, strlen(text) - 1);
	else
		out_fail(o, "out of memory");
	cJSON_free(text);
}

/* What parts row i from the one before; each begins a line. */
static size_t row_before(const struct rows *r, size_t i, char *to)
{
	const struct table *t = r->t;
	const bool planes = table_shape(t, NULL) == 3;
	const char *text = i == t->begin ? "[" :
			   planes && i % t->rows == 0 ? "\n],[\n[" : ",\n[";

	return (size_t)(stpcpy(to, text) - to);
}

/* JSON has no word for what is not finite but null. */
static size_t row_numbers(const struct rows *r, struct numbers x, size_t n,
			  char *to)
{
	const enum dtype d = r->t->dtype;
	const size_t precision = r->style->precision;
	size_t finite = 0;
	char *at = to;

	while (finite < n && isfinite(x.f ? (double)x.f[finite] : x.d[finite]))
		finite++;
	if (finite == n)
		return numbers_text(to, x, n, d, precision);
	for (size_t j = 0; j < n; j++) {
		const double y = x.f ? (double)x.f[j] : x.d[j];

		if (j)
			*at++ = ',';
		if (isfinite(y))
			at += number_text(at, y, d, precision);
		else
			at = stpcpy(at, "null");
	}
	return (size_t)(at - to);
}

static void json_write(const struct style *style, const struct table *t,
		       struct out *o)
{
	const bool planes = table_shape(t, NULL) == 3;
	const struct rows r = {
		.t = t, .style = style, .after = "]", .comma = true,
		.before = row_before, .before_room = 8,
		.numbers = row_numbers, .number_room = NUMBER_ROOM,
	};

	write_head(o, t);
	out_text(o, planes ? ",\"data\":[[\n" : ",\"data\":[\n");
	rows_send(&r, o);
	out_text(o, planes ? "\n]]}\n" : "\n]}\n");
}

const struct format json_format = {
	.name = "json",
	.summary = "what the table is, then its numbers, a line a row",
	.size = rows_text_size,
	.write = json_write,
	.read = json_read,
	.report = report_json,
};
