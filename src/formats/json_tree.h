/* json_tree.h: cJSON's trees: of a small file, more strictly; and made. */
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

/* Add value, which may be missing, to all; false for want of memory. */
bool json_add(struct cJSON *all, const char *key, struct cJSON *value);

/* Of the cJSON in use. */
const char *json_tree_version(void);

#endif
