/* config.c: a config.json: its parts, keys and layer types. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "table/never.h"
#include "formats/json_tree.h"
#include "model/config.h"
#include "model/rotary.h"
#include "text/decimal.h"
#include "text/words.h"

enum { KEY_MOST = 64, PARTS_MOST = 3 };

const char *config_digits(double x, char text[CONFIG_NUMBER])
{
	text[number_text(text, x, F64, 0)] = '\0';
	return text;
}

char *config_text(const struct config *c, const char *format, ...)
{
	va_list list;
	char *text;

	va_start(list, format);
	text = table_format(c->owner, c->err, format, list);
	va_end(list);
	return text;
}

void config_assign(struct assignments *a, const char *option, const char *value)
{
	if (!value || NEVER(a->n == sizeof a->at / sizeof *a->at))
		return;
	a->at[a->n].option = option;
	a->at[a->n++].value = value;
}

void config_assign_number(const struct config *c, struct assignments *a,
			  const char *option, double x)
{
	char text[CONFIG_NUMBER];

	config_assign(a, option, config_text(c, "%s", config_digits(x, text)));
}

const char *config_assigned(const struct assignments *a, const char *option)
{
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->at[i].option, option) == 0)
			return a->at[i].value;
	return NULL;
}

const char *config_options(const struct config *c, const struct assignments *a)
{
	const char *text = c->err->text[0] ? NULL : "";

	for (size_t i = 0; text && i < a->n; i++)
		text = config_text(c, "%s --%s%s%s", text, a->at[i].option,
				   a->at[i].value[0] ? " " : "",
				   a->at[i].value);
	return text;
}

bool config_note(struct config *c, const char *format, ...)
{
	va_list list;
	char *text;

	va_start(list, format);
	text = table_format(c->owner, c->err, format, list);
	va_end(list);
	for (size_t i = 0; text && i < c->note_count; i++)
		if (strcmp(c->notes[i], text) == 0)
			return true;
	/* There are fewer kinds of notes, and few differ between layers */
	if (text && !NEVER(c->note_count == NOTES_MOST))
		c->notes[c->note_count++] = text;
	return text;
}

void config_take_notes(struct config *c, const struct config *copy)
{
	memcpy(c->notes, copy->notes, sizeof c->notes);
	c->note_count = copy->note_count;
}

bool (config_fail)(const struct config *c, const cJSON *value,
		   const char *format, ...)
{
	size_t line, column;
	char what[320], place[400];
	va_list list;

	va_start(list, format);
	vsnprintf(what, sizeof what, format, list);
	va_end(list);
	snprintf(place, sizeof place, "%.300s", c->path);
	if (json_place(value, &line, &column))
		snprintf(place, sizeof place, "%.300s:%zu:%zu", c->path, line,
			 column);
	return fail_file(c->err, place, "%.60s%s%s",
			 value->string ? value->string : "",
			 value->string ? ": " : "", what);
}

bool config_unknown_key(const struct config *c, const cJSON *item,
			const char *nearest)
{
	if (nearest[0])
		return config_fail(c, item, "unknown key; did you mean '%s'?",
				   nearest);
	return config_fail(c, item, "unknown key");
}

bool config_missing(const struct config *c, const char *keys)
{
	return fail_file(c->err, c->path, "%.60s%s%.*s is missing",
			 c->gguf ? c->type : "", c->gguf ? "." : "",
			 (int)strcspn(keys, "|"), keys);
}

/* The member of object whose name is key [n]; NULL if missing or null. */
static const cJSON *member(const cJSON *object, const char *key, size_t n)
{
	char name[KEY_MOST];
	const cJSON *value;

	snprintf(name, sizeof name, "%.*s", (int)n, key);
	value = cJSON_GetObjectItemCaseSensitive(object, name);
	return cJSON_IsNull(value) ? NULL : value;
}

const cJSON *config_at(const cJSON *object, const char *keys)
{
	const cJSON *at = object;

	for (const char *key = keys;; key++) {
		const size_t n = strcspn(key, ".|");

		at = member(at, key, n);
		key += n;
		if (*key == '.')
			continue;
		if (at || !*key)
			return at;
		at = object;
	}
}

/* The alternatives of keys in a GGUF file, each behind the architecture. */
static const cJSON *value_of_gguf(const struct config *c, const char *keys)
{
	char name[2 * KEY_MOST];

	for (const char *key = keys;; key++) {
		const int n = (int)strcspn(key, "|");
		const bool general = strncmp(key, "general.", 8) == 0;
		const cJSON *value;

		snprintf(name, sizeof name, "%.60s%s%.*s",
			 general ? "" : c->type, general ? "" : ".", n, key);
		value = cJSON_GetObjectItemCaseSensitive(c->model, name);
		key += n;
		if (value || !*key)
			return value;
	}
}

const cJSON *config_value(const struct config *c, const char *keys)
{
	return c->gguf ? value_of_gguf(c, keys) : config_at(c->model, keys);
}

bool config_check_sizes(const struct config *c)
{
	static const struct {
		const char *keys;
		double least;
	} sizes[] = {
		{ "num_attention_heads|n_head|n_heads|attention.head_count",
		  1 },
		{ "num_key_value_heads|attention.head_count_kv", 1 },
		{ "hidden_size|n_embd|d_model|embedding_length", 1 },
		{ "num_hidden_layers|n_layer|n_layers|block_count", 0 },
		{ "max_position_embeddings|n_positions|context_length", 0 },
	};
	double x;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const cJSON *value = config_value(c, sizes[i].keys);

		if (cJSON_IsNumber(value) &&
		    !config_whole(c, value, sizes[i].least, 0x1p30, &x))
			return false;
	}
	return true;
}

bool config_equals(const cJSON *value, const char *text)
{
	double x;

	if (!value)
		return false;
	if (cJSON_IsBool(value))
		return strcmp(text,
			      cJSON_IsTrue(value) ? "true" : "false") == 0;
	if (cJSON_IsNumber(value))
		return parse_real(text, &x) && x <= value->valuedouble &&
		       x >= value->valuedouble;
	return cJSON_IsString(value) && strcmp(text, value->valuestring) == 0;
}

bool config_is_null(const struct config *c, const char *keys)
{
	const size_t n = strcspn(keys, "|"), dot = strcspn(keys, ".|");
	const cJSON *object = c->model;
	char name[KEY_MOST];

	snprintf(name, sizeof name, "%.*s", (int)n, keys);
	if (dot < n) {
		name[dot] = '\0';
		object = config_at(c->model, name);
	}
	return cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(
		       object, dot < n ? name + dot + 1 : name)) ||
	       (keys[n] && config_is_null(c, keys + n + 1));
}

bool config_is(const struct config *c, const char *condition)
{
	const char *equals = condition + strcspn(condition, "=");
	const bool not = equals[-1] == '!';
	char keys[KEY_MOST];

	snprintf(keys, sizeof keys, "%.*s", (int)(equals - condition) - not,
		 condition);
	if (strcmp(equals + 1, "null") == 0)
		return not ? config_value(c, keys) != NULL
			   : config_is_null(c, keys);
	return config_equals(config_value(c, keys), equals + 1) != not;
}

const char *config_kind_of(const cJSON *value)
{
	return cJSON_IsNumber(value) ? "a number" :
	       cJSON_IsString(value) ? "a string" :
	       cJSON_IsBool(value)   ? "true or false" :
	       cJSON_IsArray(value)  ? "an array" :
	       cJSON_IsNull(value)   ? "null" : "an object";
}

bool config_number(const struct config *c, const cJSON *value, double least,
		   double *x)
{
	char text[CONFIG_NUMBER], lowest[CONFIG_NUMBER];

	if (!cJSON_IsNumber(value))
		return config_fail(c, value, "expected a number, got %s",
				   config_kind_of(value));
	*x = value->valuedouble;
	/* A key of GGUF may be NaN or infinite */
	if (!isfinite(*x))
		return config_fail(c, value, "expected a finite number, got "
				   "%s", config_digits(*x, text));
	if (*x < least)
		return config_fail(c, value, "expected at least %s, got %s",
				   config_digits(least, lowest),
				   config_digits(*x, text));
	return true;
}

bool config_differs(double a, double b)
{
	return a < b || a > b;
}

bool config_within(const struct config *c, const cJSON *value, double least,
		   double most, double *x)
{
	char text[CONFIG_NUMBER], highest[CONFIG_NUMBER];

	return config_number(c, value, least, x) &&
	       (*x <= most ||
		config_fail(c, value, "expected at most %s, got %s",
			    config_digits(most, highest),
			    config_digits(*x, text)));
}

bool config_whole(const struct config *c, const cJSON *value, double least,
		  double most, double *x)
{
	char text[CONFIG_NUMBER];

	if (!config_number(c, value, least, x))
		return false;
	return (*x <= most && !(fmod(*x, 1) > 0)) ||
	       config_fail(c, value, "expected an integer from %.0f to %.0f, "
			   "got %s", least, most, config_digits(*x, text));
}

bool config_agree(const struct config *c, const char *keys)
{
	const cJSON *first = config_value(c, keys);

	for (const char *at = strchr(keys, '|'); at; at = strchr(at + 1, '|')) {
		const cJSON *other = config_value(c, at + 1);

		if (other && !cJSON_Compare(first, other, true))
			return config_fail(c, other, "differs from %.60s",
					   first->string);
	}
	return true;
}

bool config_find(const struct config *c, const char *keys, double initial,
		 double least, double *x)
{
	const cJSON *value = config_value(c, keys);

	*x = initial;
	return !value || config_number(c, value, least, x);
}

bool config_layers_are(const struct config *c, const char *type)
{
	return c->layers && strcmp(c->layers, type) == 0;
}

const struct model *config_row(const struct config *c, const char *type)
{
	const struct model *always = NULL;

	for (const struct model *m = c->gguf ? gguf_models : models; m->types;
	     m++)
		if (text_has_word(m->types, type, " ")) {
			if (m->when && config_is(c, m->when))
				return m;
			if (!m->when)
				always = m;
		}
	return always;
}

/* Where the text of a model of several parts lies. */
static const char text_keys[] = "text_config|llm_config|language_config|"
				"thinker_config.text_config|vlm_config";

/*
 * Take the model type of an object, or the one that the class of the whole,
 * which has a type then, assumes.
 */
static bool enter(struct config *c, const cJSON *object, const char *type)
{
	const cJSON *named = config_at(object, "model_type");

	if (named && !cJSON_IsString(named))
		return config_fail(c, named, "expected a string, got %s",
				   config_kind_of(named));
	/* Parts of Qwen2-VL and others name the type of the whole */
	if (named && type && strcmp(named->valuestring, c->type) == 0)
		named = NULL;
	c->model = object;
	c->type = named ? named->valuestring : type;
	c->row = c->type ? config_row(c, c->type) : NULL;
	c->newer |= c->row && c->row->newer;
	return true;
}

/*
 * Go into the text of a model of several parts. Files of older versions have
 * its keys at the top.
 */
static bool enter_text(struct config *c)
{
	const struct model *whole = c->row;
	const cJSON *text = config_at(c->model, text_keys);

	if (text && cJSON_IsObject(text)) {
		c->part = text->string;
		return enter(c, text, *whole->text ? whole->text : NULL);
	}
	if (text)
		return config_fail(c, text, "expected an object, got %s",
				   config_kind_of(text));
	if (!*whole->text)
		return fail_file(c->err, c->path, "%s has parts, and none of "
				 "them is in the file", c->type);
	c->type = whole->text;
	c->row = config_row(c, whole->text);
	c->newer |= c->row && c->row->newer;
	return true;
}

/* The part that word names, "vision" or "vision_config"; NULL: none. */
static const cJSON *part_of(const struct config *c, const char *word)
{
	char keys[2 * KEY_MOST];
	const cJSON *part;

	snprintf(keys, sizeof keys, "%.30s_config|%.30s", word, word);
	part = config_at(c->model, strcmp(word, "text") == 0 ? text_keys
							     : keys);
	return cJSON_IsObject(part) ? part : NULL;
}

/* The type that the class of the whole assumes for a part; NULL: none. */
static const char *assumed_type(const struct model *whole, const char *part)
{
	return !whole ? NULL :
	       strncmp(part, "text", 4) == 0   ? whole->text :
	       strncmp(part, "vision", 6) == 0 ? whole->vision :
	       strncmp(part, "audio", 5) == 0  ? whole->audio : NULL;
}

static bool enter_word(struct config *c, const char *word)
{
	const cJSON *part = part_of(c, word);

	if (c->layers)
		return fail_file(c->err, c->path, "no part '%.60s'", c->layers);
	if (!part || strncmp(word, "rope", 4) == 0) {
		c->layers = word;
		return true;
	}
	c->part = part->string;
	return enter(c, part, assumed_type(c->row, word));
}

static bool unknown_type(const struct config *c)
{
	const cJSON *text = config_at(c->model, text_keys);

	if (text && cJSON_IsObject(text))
		return fail_file(c->err, c->path, "unknown model type '%.60s'; "
				 "'%.200s:text' is its %s", c->type, c->path,
				 text->string);
	return fail_file(c->err, c->path, "unknown model type '%.60s'; "
			 "without it, 'posenc rope' takes --base, --dim and "
			 "--pairs", c->type);
}

/* A file that names no model type may hold a part that does. */
static bool enter_unnamed(struct config *c)
{
	const cJSON *text = config_at(c->model, text_keys);

	if (text && cJSON_IsObject(text)) {
		c->part = text->string;
		return enter(c, text, NULL);
	}
	return !text || config_fail(c, text, "expected an object, got %s",
				    config_kind_of(text));
}

bool config_find_part(struct config *c, char *const words[2])
{
	if (!enter(c, c->root, NULL))
		return false;
	for (int i = 0; i < 2 && words[i]; i++)
		if (!enter_word(c, words[i]))
			return false;
	if (!c->type && !c->part && !enter_unnamed(c))
		return false;
	for (int i = 0; c->row && c->row->kind == MODEL_PARTS && c->row->text;
	     i++)
		if (i == PARTS_MOST)
			return fail_file(c->err, c->path, "parts nest more "
					 "than %d deep", PARTS_MOST);
		else if (!enter_text(c))
			return false;
	if (c->type && !c->row)
		return unknown_type(c);
	if (!c->type)
		c->row = params_recognized(c) ? &params_model : &unnamed_model;
	return true;
}
