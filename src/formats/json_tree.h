/*
 * json_tree.h: small pieces of JSON as trees of cJSON: configuration files that
 * are read, headers and metadata that are written.
 */
#ifndef JSON_TREE_H
#define JSON_TREE_H

#include <stddef.h>

#include "formats/style.h"

struct cJSON;
struct input_file;
struct output_file;

/*
 * The object in a file of at most most bytes, to be freed by cJSON_Delete();
 * NULL on failure. Objects have up to 1,000 keys, all different.
 */
struct cJSON *json_tree(struct input_file *in, size_t most, struct error *err);

/*
 * Line and column, from 1, where a value of such a tree begins in its file;
 * false if that is beyond line 32767 or column 65535.
 */
bool json_place(const struct cJSON *value, size_t *line, size_t *column);

/* Add value to all. false: out of memory, or value is NULL because of it. */
bool json_add(struct cJSON *all, const char *key, struct cJSON *value);

/* An object of all but the values of t; to be freed. NULL: out of memory. */
char *json_header(const struct table *t);

/*
 * Version, command and every option of t as an object of strings; to be freed.
 * NULL: out of memory.
 */
char *json_metadata(const struct table *t, const struct style *style);

/*
 * Write text [n] that cJSON has printed. Hidden characters become "\\u202e",
 * and bytes that are not UTF-8 "\\ufffd".
 */
void json_send(struct output_file *o, const char *text, size_t n);

/*
 * x as JSON, as number_text() in decimal.h: null for NaN, and "Infinity" or
 * "-Infinity", in quotes, for what JSON has no numbers for.
 */
size_t json_number_text(char *text, double x, enum dtype d, size_t precision);

/* The version of cJSON in use. */
const char *json_tree_version(void);

#endif
