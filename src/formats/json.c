/* json.c: what the table is, by cJSON, then its numbers, a line a row. */
#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/recipe.h"
#include "formats/format.h"
#include "formats/number.h"
#include "version.h"

/* The value of an option as JSON's nearest kind; null where none was given. */
static cJSON *option_value(const struct option *o, const void *self)
{
	const void *at = (const char *)self + o->at;
	char text[4096];

	option_text(o, self, text, sizeof text);
	if (o->kind == OPTION_FLAG)
		return cJSON_CreateBool(text[0] != '\0');
	if (!text[0])
		return cJSON_CreateNull();
	if (o->kind == OPTION_COUNT || o->kind == OPTION_WHOLE ||
	    o->kind == OPTION_REAL)
		return cJSON_CreateNumber(strtod(text, NULL));
	if (o->kind == OPTION_LIST) {
		const struct list *list = at;

		return cJSON_CreateDoubleArray(list->at, (int)list->n);
	}
	return cJSON_CreateString(text);
}

/* The option's name as typed, "max-distance", in buffer [40]. */
static const char *option_key(const struct option *o, char *buffer)
{
	return option_flag(o, buffer) + 2;
}

static cJSON *head(const struct table *t)
{
	cJSON *all = cJSON_CreateObject(), *options, *dims;
	size_t shape[3];
	const size_t n = table_shape(t, shape);
	char key[40];

	cJSON_AddStringToObject(all, "posenc", POSENC_VERSION);
	if (t->recipe) {
		cJSON_AddStringToObject(all, "command", t->recipe->name);
		options = cJSON_AddObjectToObject(all, "options");
		for (const struct option *o = t->recipe->options; o->name; o++)
			cJSON_AddItemToObject(options, option_key(o, key),
					      option_value(o, t->self));
	}
	dims = cJSON_AddArrayToObject(all, "shape");
	for (size_t i = 0; i < n; i++)
		cJSON_AddItemToArray(dims, cJSON_CreateNumber((double)shape[i]));
	cJSON_AddStringToObject(all, "dtype", dtype_name(t->dtype));
	return all;
}

static void write_head(struct out *o, const struct table *t)
{
	cJSON *all = head(t);
	char *text = cJSON_PrintUnformatted(all);

	if (text)
		out_bytes(o, text, strlen(text) - 1);
	else
		out_fail(o, "out of memory");
	cJSON_free(text);
	cJSON_Delete(all);
}

static void write_row(struct out *o, const struct table *t, const double *x,
		      size_t precision)
{
	for (size_t j = 0; j < t->cols; j++) {
		const double y = dtype_round(t->dtype, x[j]);

		out_bytes(o, j ? "," : "[", 1);
		if (isfinite(y))
			out_take(o, number_text((char *)out_room(o, NUMBER_ROOM),
						y, t->dtype, precision));
		else
			out_text(o, "null");
	}
	out_bytes(o, "]", 1);
}

static void json_write(const struct style *style, const struct table *t,
		       double *scratch, struct out *o)
{
	size_t shape[3];
	const bool planes = table_shape(t, shape) == 3;

	write_head(o, t);
	out_text(o, planes ? ",\"data\":[[\n" : ",\"data\":[\n");
	for (size_t i = t->begin; i < t->end && !o->err.text[0]; i++) {
		if (i > t->begin)
			out_text(o, planes && i % t->rows == 0 ? "],[\n"
							      : ",\n");
		write_row(o, t, t->row(t, i, scratch), style->precision);
		if (planes && (i + 1) % t->rows == 0)
			out_text(o, "\n");
	}
	out_text(o, planes ? "]]}\n" : "\n]}\n");
}

const struct format json_format = {
	.name = "json",
	.summary = "what the table is, then its numbers, a line a row",
	.write = json_write,
};
