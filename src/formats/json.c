/* json.c: what the table is, by cJSON, then its numbers, a line a row. */
#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/recipe.h"
#include "formats/format.h"
#include "formats/number.h"
#include "formats/rows.h"
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

/* The numbers of a row; JSON has none for what is not finite. */
static size_t values_text(char *to, struct numbers x, const struct table *t,
			  size_t precision)
{
	char *at = to;
	size_t finite = 0;

	while (finite < t->cols &&
	       isfinite(x.f ? (double)x.f[finite] : x.d[finite]))
		finite++;
	if (finite == t->cols)
		return numbers_text(to, x, t->cols, t->dtype, precision);
	for (size_t j = 0; j < t->cols; j++) {
		const double y = x.f ? (double)x.f[j] : x.d[j];

		if (j)
			*at++ = ',';
		if (isfinite(y))
			at += number_text(at, y, t->dtype, precision);
		else
			at = stpcpy(at, "null");
	}
	return (size_t)(at - to);
}

/* A row and what parts it from the one before, on a line of its own. */
static size_t row_text(const struct rows *r, size_t i, struct numbers x,
		       unsigned char *to)
{
	const struct table *t = r->t;
	const bool planes = t->planes > 1 && table_shape(t, NULL) == 3;
	char *at = (char *)to;

	if (i > t->begin && planes && i % t->rows == 0)
		at = stpcpy(at, "\n],[\n[");
	else
		at = stpcpy(at, i > t->begin ? ",\n[" : "[");
	at += values_text(at, x, t, r->style->precision);
	*at++ = ']';
	return (size_t)(at - (char *)to);
}

static void json_write(const struct style *style, const struct table *t,
		       struct out *o)
{
	const bool planes = table_shape(t, NULL) == 3;
	const struct rows r = {
		.t = t, .style = style, .text = row_text,
		.row_bytes = t->cols * NUMBER_ROOM + 8,
	};

	write_head(o, t);
	out_text(o, planes ? ",\"data\":[[\n" : ",\"data\":[\n");
	rows_send(&r, o);
	out_text(o, planes ? "\n]]}\n" : "\n]}\n");
}

const struct format json_format = {
	.name = "json",
	.summary = "what the table is, then its numbers, a line a row",
	.write = json_write,
};
