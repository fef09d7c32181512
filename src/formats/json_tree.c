/* json_tree.c: small pieces of JSON as trees of cJSON, read and written. */
#include <cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "recipe/recipe.h"
#include "text/decimal.h"
#include "text/names.h"
#include "text/utf8.h"
#include "formats/json_scan.h"
#include "formats/json_tree.h"
#include "files/output.h"
#include "version.h"

enum {
	KEYS_MOST = 1 << 16,  /* of an object */
	FEW = 100,            /* keys that are compared with each other */
	LINES_MOST = 1 << 15, COLUMNS_MOST = 1 << 16,  /* of known places */
};

static cJSON *read_value(struct json *j, int depth, struct error *err);

/* Add item to all. If it is NULL, fail: with err, or out of memory. */
static bool add_item(cJSON *all, const char *key, cJSON *item,
		     struct error *err)
{
	if (item && (key ? cJSON_AddItemToObject(all, key, item)
			 : cJSON_AddItemToArray(all, item)))
		return true;
	cJSON_Delete(item);
	return fail_memory(err);
}

/* Read member n of an object; its key comes next. */
static bool read_member(struct json *j, cJSON *object, size_t n, int depth,
			struct error *err)
{
	const char *text;
	size_t length;
	char *key;
	bool good;

	if (!json_string(j, &text, &length, err))
		return false;
	if (n > KEYS_MOST)
		return json_fail(j, err, "object with more than %d keys",
				 KEYS_MOST);
	if (n <= FEW && cJSON_GetObjectItemCaseSensitive(object, text))
		return json_fail(j, err, "duplicate key '%.60s'", text);
	key = strdup(text);
	if (!key)
		return fail_memory(err);
	good = json_take(j, ':', err) &&
	       add_item(object, key, read_value(j, depth, err), err);
	free(key);
	return good;
}

/* Fail if two of the n keys of an object, which ends here, are the same. */
static bool check_keys(struct json *j, const cJSON *object, size_t n,
		       struct error *err)
{
	struct name *keys = malloc(n * sizeof *keys);
	const struct name *twice;
	const char *text;
	size_t i = 0;

	if (!keys)
		return fail_memory(err);
	for (const cJSON *o = object->child; o; o = o->next)
		keys[i++] = (struct name){ o->string, strlen(o->string) };
	twice = name_twice(keys, n, sizeof *keys, err);
	text = twice ? twice->text : NULL;
	free(keys);
	if (text)
		return json_fail(j, err, "duplicate key '%.60s' in the object "
				 "that ends here", text);
	return !err->text[0];
}

/* Read the members of all, an object or array, whose first byte comes next. */
static bool read_members(struct json *j, cJSON *all, int depth,
			 struct error *err)
{
	const bool object = cJSON_IsObject(all);
	size_t n = 0;

	if (depth == JSON_DEPTH)
		return json_too_deep(j, err);
	j->at++;
	while (json_next(j, object ? '}' : ']', &n, err))
		if (object ? !read_member(j, all, n, depth + 1, err)
			   : !add_item(all, NULL,
				       read_value(j, depth + 1, err), err))
			return false;
	return !err->text[0] &&
	       (!object || n <= FEW || check_keys(j, all, n, err));
}

/* Read a string, a word or a number. */
static cJSON *read_scalar(struct json *j, struct error *err)
{
	struct decimal d;
	const char *text;
	size_t n;

	if (json_peek(j, err) == '"')
		return json_string(j, &text, &n, err) ? cJSON_CreateString(text)
						      : NULL;
	if (json_word(j, "null", err))
		return cJSON_CreateNull();
	if (json_word(j, "true", err))
		return cJSON_CreateTrue();
	if (json_word(j, "false", err))
		return cJSON_CreateFalse();
	/* As Python writes them, which is no JSON */
	if (json_word(j, "Infinity", err))
		return cJSON_CreateNumber((double)INFINITY);
	if (json_word(j, "-Infinity", err))
		return cJSON_CreateNumber(-(double)INFINITY);
	if (json_word(j, "NaN", err))
		return cJSON_CreateNumber((double)NAN);
	return json_number(j, &d, &text, err) ? cJSON_CreateNumber(d.x) : NULL;
}

/*
 * The place of the next byte as one number, from 1; 0 if it is too far. Trees
 * keep it in valueint, for which they have no other use.
 */
static int place_of(const struct json *j)
{
	const size_t column = json_column(j);

	return j->line < LINES_MOST && column < COLUMNS_MOST
		? (int)(j->line * COLUMNS_MOST + column) : 0;
}

bool json_place(const cJSON *value, size_t *line, size_t *column)
{
	*line = (size_t)value->valueint / COLUMNS_MOST;
	*column = (size_t)value->valueint % COLUMNS_MOST;
	return value->valueint;
}

/* Read any value as a tree; NULL on failure. */
static cJSON *read_value(struct json *j, int depth, struct error *err)
{
	const char c = json_peek(j, err);
	const int place = place_of(j);
	cJSON *value = c == '{' ? cJSON_CreateObject() :
		       c == '[' ? cJSON_CreateArray() : read_scalar(j, err);

	if (!value && !err->text[0])
		fail_memory(err);
	if (value)
		value->valueint = place;
	if (!value || (c != '{' && c != '[') ||
	    read_members(j, value, depth, err))
		return value;
	cJSON_Delete(value);
	return NULL;
}

/* Read a file that is one object. */
static cJSON *read_object(struct input_file *in, size_t most, struct error *err)
{
	cJSON *object;
	struct json j;

	if (in->n > most) {
		fail_file(err, in->path, "JSON of more than %zu bytes", most);
		return NULL;
	}
	json_begin(&j, in, SIZE_MAX);
	if (json_peek(&j, err) != '{') {
		json_unexpected(&j, "an object", err);
		return NULL;
	}
	object = read_value(&j, 0, err);
	if (object && json_end(&j, err))
		return object;
	cJSON_Delete(object);
	return NULL;
}

struct cJSON *json_tree(struct input_file *in, size_t most, struct error *err)
{
	return in_read(in, most + 1, err) ? read_object(in, most, err) : NULL;
}

bool json_add(cJSON *all, const char *key, cJSON *value)
{
	if (value && cJSON_AddItemToObject(all, key, value))
		return true;
	cJSON_Delete(value);
	return false;
}

/* Whether JSON that goes to a terminal may have the character c as it is. */
static bool is_plain(unsigned long c)
{
	/* cJSON has escaped the controls of strings, and prints \n and \t */
	return (c >= ' ' && c <= '~') || c == '\n' || c == '\t' ||
	       (c != 0xfffd && !utf8_hidden(c));
}

void json_send(struct output_file *o, const char *text, size_t n)
{
	const char *plain = text, *end = text + n;

	while (text < end) {
		const char *before = text;
		const unsigned long c = utf8_next(&text);
		char escape[UTF16_TEXT];

		if (is_plain(c))
			continue;
		out_bytes(o, plain, (size_t)(before - plain));
		plain = text;
		out_bytes(o, escape, utf16_text(c, "\\u", escape));
	}
	out_bytes(o, plain, (size_t)(end - plain));
}

size_t json_number_text(char *text, double x, enum dtype d, size_t precision)
{
	if (isfinite(x))
		return number_text(text, x, d, precision);
	return (size_t)(stpcpy(text, isnan(x) ? "null" :
				     x < 0 ? "\"-Infinity\""
					   : "\"Infinity\"") - text);
}

/* Numbers with all digits; cJSON would round them to 15. */
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

/* A string; bytes that are not UTF-8 become U+FFFD. */
static cJSON *string_value(const char *text)
{
	char *clean = utf8_clean(text);
	cJSON *value = clean ? cJSON_CreateString(clean) : NULL;

	free(clean);
	return value;
}

/* The value of an option as JSON; null if it has none. */
static cJSON *option_value(const struct option *o, const void *self)
{
	const void *at = (const char *)self + o->at;
	char room[OPTION_ROOM];
	const char *text = option_text(o, self, room);

	if (o->kind == OPTION_FLAG)
		return cJSON_CreateBool(text[0] != '\0');
	if (!option_given(o, self))
		return cJSON_CreateNull();
	if (o->kind == OPTION_LIST)
		return list_value(at);
	if (o->kind == OPTION_COUNT || o->kind == OPTION_INTEGER ||
	    o->kind == OPTION_SEED || o->kind == OPTION_REAL)
		return cJSON_CreateRaw(text);
	return string_value(text);
}

static cJSON *options_value(const struct table *t)
{
	cJSON *options = cJSON_CreateObject();
	char flag[40];

	for (const struct option *o = t->from.recipe->options; o->name; o++)
		if (!o->unrecorded &&
		    !json_add(options, option_flag(o, flag) + 2,
			      option_value(o, t->from.options))) {
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

char *json_header(const struct table *t)
{
	cJSON *all = cJSON_CreateObject();
	char *text = NULL;

	if (json_add(all, "posenc", cJSON_CreateString(POSENC_VERSION)) &&
	    json_add(all, "command",
		     cJSON_CreateString(t->from.recipe->name)) &&
	    json_add(all, "options", options_value(t)) &&
	    json_add(all, "shape", shape_value(t)) &&
	    json_add(all, "dtype", cJSON_CreateString(dtype_name(t->dtype))))
		text = cJSON_PrintUnformatted(all);
	cJSON_Delete(all);
	return text;
}

/* The value of an option as a string. */
static cJSON *option_string(const struct option *o, const void *self)
{
	char text[OPTION_ROOM];

	return string_value(option_text(o, self, text));
}

char *json_metadata(const struct table *t, const struct style *style)
{
	cJSON *all = cJSON_CreateObject();
	char *line = command_line(t, style, "safetensors"), *text = NULL;
	char flag[40];
	bool good = line &&
		    json_add(all, "posenc", string_value(POSENC_VERSION)) &&
		    json_add(all, "command", string_value(line));

	/* Options of one table would be wrong of those beside it */
	for (const struct option *o = t->from.recipe->options;
	     good && o->name && !t->beside; o++)
		good = o->unrecorded ||
		       json_add(all, option_flag(o, flag) + 2,
				option_string(o, t->from.options));
	if (good)
		text = cJSON_PrintUnformatted(all);
	cJSON_Delete(all);
	free(line);
	return text;
}

const char *json_tree_version(void)
{
	return cJSON_Version();
}
