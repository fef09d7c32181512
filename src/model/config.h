/*
 * src/model/: what a model's configuration says about its positions.
 *
 *   models.h    rows of model types: what each does where its file is silent
 *   config.h    a config.json: its parts, keys and layer types
 *   open.c      the file that a path or a folder stands for
 *   gguf.c      the keys of a GGUF file in place of a config.json
 *   fields.c    values of a file in the text of a row
 *   layers.c    types of layers; patterns.c: which layers are of a type
 *   key.h       the table of keys: names in JSON and GGUF, ranges; reading
 *   keys.c      keys that are unknown, misspelt or have no effect
 *   rotary.h    rotary positions: base, head size, pairs, scaling
 *   mask.c      what the layers of a model that rotates see
 *   defaults.c  keys of rotary positions that a file lacks
 *   frequencies.c  what posenc rope makes of rotary positions
 *   command.h   the commands that make a model's tables, for --config
 *   target.h    the same positions in the words of other programs
 *   context.c   what to set for a longer context
 *   describe.c  posenc config: a report on all of it
 *
 * A configuration gives the model's own table, or is refused with the reason.
 * What a file leaves out is the default of its class in transformers, or of
 * llama.cpp, and a note says so. This folder includes table/, exact/, text/,
 * recipe/, waves/ (apart.h), formats/ (json_tree.h) and containers/ (gguf.h);
 * the frequencies of a rotation come from the table of recipes.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include "table/table.h"
#include "model/models.h"
#include "recipe/option.h"

struct cJSON;
struct input_file;

enum { LAYER_TYPES = 8, NOTES_MOST = 24 };

/* A configuration file, one part of it, and the row of its model type. */
struct config {
	const char *path;        /* of the file */
	const char *part;        /* "text_config"; NULL: the whole file */
	const char *layers;      /* "full_attention"; NULL: none was chosen */
	const char *number;      /* "3", where one layer was chosen; or NULL */
	struct cJSON *root;             /* the whole file; owned */
	const struct cJSON *model;      /* the part of root, an object */
	const char *type;        /* its model_type; NULL: it names none */
	const struct cJSON *rope; /* in model, the scaling of the layers that
				  were chosen, or NULL; rotary_read() finds
				  it */
	bool newer;              /* of a class that transformers 4 has not */
	bool gguf;               /* a GGUF file: see gguf_open() */
	bool table;              /* that has position_embd.weight */
	const struct model *row;
	const char *layer_types[LAYER_TYPES];  /* [layer_type_count], all
				  different */
	size_t layer_type_count;
	const char *notes[NOTES_MOST];  /* [note_count], each once: what was
				  assumed */
	size_t note_count;
	struct table *owner;     /* of text */
	struct error *err;
};

/*
 * Open the file, or the part and layers of it that "FILE:PART:LAYERS" names; a
 * file of the whole name comes first. In a folder it is config.json,
 * params.json or the GGUF file. Fails if it is not JSON, if its model type is
 * unknown or if a key has no meaning. config_close() in any case.
 */
bool config_open(struct config *c, const char *path, struct table *owner,
		 struct error *err);
void config_close(struct config *c);

/* A value as JSON in one line; "": out of memory. */
const char *config_json(const struct config *c, const struct cJSON *value);

/*
 * The file as JSON in one line, without keys that no position depends on, such
 * as the version of transformers; "": out of memory.
 */
const char *config_printed(const struct config *c);

/*
 * Whether a file of that suffix (.json) holds a configuration: no table, and an
 * object with a model_type, architectures or a common key of positions, or
 * config.json. Fails only if memory runs out.
 */
bool config_recognizes(const char *path, struct error *err);

/*
 * Whether a file of that suffix may be a configuration, possibly a broken one:
 * it is no table in JSON. Fails only if memory runs out.
 */
bool config_suits(const char *path, struct error *err);

/* Find the part of the JSON file that words name, and its row. */
bool config_find_part(struct config *c, char *const words[2]);

/*
 * The value at keys: alternatives are separated by '|', a dot goes deeper. NULL
 * if there is none or it is null.
 */
const struct cJSON *config_at(const struct cJSON *object, const char *keys);

/* The same of the part; of a GGUF file, whose names have dots of their own. */
const struct cJSON *config_value(const struct config *c, const char *keys);

/* Whether the part has one of the keys, "a.b|c", with the value null. */
bool config_is_null(const struct config *c, const char *keys);

/* Whether the file has this: "key=value", "key!=value". */
bool config_is(const struct config *c, const char *condition);

/* Read a finite number of at least least; fails at anything else. */
bool config_number(const struct config *c, const struct cJSON *value,
		   double least, double *x);

/* Whether two numbers differ; false if one is NaN. */
bool config_differs(double a, double b);

/* Read a number from least to most. */
bool config_within(const struct config *c, const struct cJSON *value,
		   double least, double most, double *x);

/* Read a whole number from least to most. */
bool config_whole(const struct config *c, const struct cJSON *value,
		  double least, double most, double *x);

/*
 * Fail if a number of heads, layers or the like is none that a model has, also
 * where positions do not depend on it. Lists of them and null are passed over.
 */
bool config_check_sizes(const struct config *c);

/* Whether the alternatives of keys that the part has are all equal. */
bool config_agree(const struct config *c, const char *keys);

/* The number at keys of the part, or initial. */
bool config_find(const struct config *c, const char *keys, double initial,
		 double least, double *x);

/* Fail at a value of the file: "FILE:LINE:COLUMN: KEY: SENTENCE". */
bool config_fail(const struct config *c, const struct cJSON *value,
		 const char *format, ...) __attribute__((format(printf, 3, 4)));
#if defined __clang_analyzer__ || defined COVERAGE
#define config_fail(...) (config_fail(__VA_ARGS__), false)  /* as in error.h */
#endif

/* Fail at an unknown key; nearest is the one that may be meant, or "". */
bool config_unknown_key(const struct config *c, const struct cJSON *item,
			const char *nearest);

/* Fail as the first of keys is missing. */
bool config_missing(const struct config *c, const char *keys);

/* Formatted text that the owner keeps; NULL with an error. */
char *config_text(const struct config *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Add a line for the reader of the result. */
bool config_note(struct config *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Take the lines of a copy, to which some may have been added. */
void config_take_notes(struct config *c, const struct config *copy);

/* Give an option a value; NULL: none. */
void config_assign(struct assignments *a, const char *option,
		   const char *value);
void config_assign_number(const struct config *c, struct assignments *a,
			  const char *option, double x);

/* The value of an option; NULL: it has none. */
const char *config_assigned(const struct assignments *a, const char *option);

/* Options as typed, " --dim 128 --base 10000"; NULL with an error. */
const char *config_options(const struct config *c,
			   const struct assignments *a);

/* The shortest decimal that reads back as x. */
enum { CONFIG_NUMBER = 33 };
const char *config_digits(double x, char text[CONFIG_NUMBER]);

/*
 * fields.c: text [n] of a row, in which "{key}" is replaced by the number or
 * word of the file, "{key=8}" has a default, "{key=8+2}" adds 2, and
 * "{key/other}" divides; NULL with an error.
 */
char *config_fill(const struct config *c, const char *text, size_t n);

/* "a number", "a string": what a value is. */
const char *config_kind_of(const struct cJSON *value);

/*
 * layers.c: find the types of layers, of layer_types, of rope_parameters and of
 * the row's rule.
 */
bool config_find_layers(struct config *c);

/*
 * patterns.c: the layers of the chosen type, "0-4, 6", and those of them that
 * have no positions; "" where the file does not tell.
 */
enum { LAYER_LIST = 4096 };
struct layer_lists {
	char all[LAYER_LIST], without[LAYER_LIST];
};
bool config_list_layers(struct config *c, struct layer_lists *lists);

/*
 * Take c->layers, if it is the number of a layer, as the choice of its type.
 * Fails if there is no such layer or the file does not tell its type.
 */
bool config_choose_number(struct config *c);

/* The key of the class's pattern of layers; NULL: it has none. */
const char *config_pattern_key(const struct config *c);

/*
 * gguf.c: take the keys of a GGUF file as the configuration, and its tensors of
 * rotary factors as arrays: all values stand in one object, by their names in
 * the file. config_value() adds the architecture in front.
 */
bool gguf_open(struct config *c, struct input_file *in);

/* Set the two types of layers, if the row has them or the file a window. */
bool gguf_find_layers(struct config *c);

/* keys.c: fail at the first key about positions that has no meaning here. */
bool config_check_keys(struct config *c);

/* The row of a model type, by the file's conditions; NULL: unknown. */
const struct model *config_row(const struct config *c, const char *type);

/* Whether a name of the file has only letters, digits, _ and -. */
bool config_is_plain(const char *name);

/* Whether layers of this type were chosen. */
bool config_layers_are(const struct config *c, const char *type);

/* Whether a value is written so in options: "true", "8", "rotary". */
bool config_equals(const struct cJSON *value, const char *text);

#endif
