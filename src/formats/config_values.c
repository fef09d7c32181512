/* config_values.c: the values of a config.json, and options made of them. */
#include <cJSON.h>
#include <string.h>

#include "formats/config_options.h"
#include "formats/number.h"

bool config_bad(const struct config *c, const char *key, const char *what)
{
	return fail_file(c->err, c->path, "%s %s", key, what);
}

const cJSON *config_value(const cJSON *object, const char *key)
{
	const cJSON *x = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsNull(x) ? NULL : x;
}

const cJSON *config_found(const struct config *c, const char *key)
{
	const cJSON *x = config_value(c->rope, key);

	return x ? x : config_value(c->model, key);
}

bool config_number(const struct config *c, const char *key, double initial,
		   double *x)
{
	const cJSON *item = config_found(c, key);

	*x = item ? item->valuedouble : initial;
	if (item && !cJSON_IsNumber(item))
		return config_bad(c, key, "must be a number");
	if (*x < 0)
		return config_bad(c, key, "must not be negative");
	return true;
}

bool config_flag(const struct config *c, const char *key, bool initial,
		 bool *is)
{
	const cJSON *item = config_found(c, key);

	*is = item ? cJSON_IsTrue(item) : initial;
	if (item && !cJSON_IsBool(item))
		return config_bad(c, key, "must be true or false");
	return true;
}

void config_text(const struct config *c, const char *text)
{
	struct config_line *line = c->line;
	const size_t n = strlen(text);

	if (n < sizeof line->text - line->n) {
		memcpy(line->text + line->n, text, n);
		line->n += n;
	} else {
		fail_file(c->err, c->path, "more options than one can type");
	}
}

void config_double(const struct config *c, const char *before, double x)
{
	char text[NUMBER_ROOM + 1];

	text[number_text(text, x, F64, 0)] = '\0';
	config_text(c, before);
	config_text(c, text);
}

bool config_array(const struct config *c, const char *before, const char *key,
		  char between)
{
	const char mark[2] = { between, '\0' };
	const cJSON *array = config_found(c, key);
	const cJSON *first = array && cJSON_IsArray(array) ? array->child
							   : NULL;

	if (!first)
		return config_bad(c, key, "must be an array of numbers");
	config_text(c, before);
	for (const cJSON *item = first; item; item = item->next) {
		if (!cJSON_IsNumber(item))
			return config_bad(c, key,
					  "must be an array of numbers");
		config_double(c, item == first ? "" : mark,
			      item->valuedouble);
	}
	return true;
}
