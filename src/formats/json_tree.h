/* json_tree.h: a small JSON file as a tree of cJSON's, more strictly. */
#ifndef JSON_TREE_H
#define JSON_TREE_H

#include <stddef.h>

#include "core/error.h"

struct cJSON;

/*
 * The object in a file of at most so many bytes, to be freed by cJSON_Delete();
 * or NULL. Refuses what cJSON lets pass, with its place: bytes that are no
 * UTF-8, numbers as 08 or 1e999, text behind the end; and keys that come
 * twice.
 */
struct cJSON *json_tree(const char *path, size_t most, struct error *err);

/* Of the cJSON in use. */
const char *json_tree_version(void);

#endif
