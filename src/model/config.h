/*
 * src/model/: what the files of a model say about its positions.
 *
 *   config.h   config.json of Hugging Face's transformers, as options of rope
 *
 * This folder includes table/, text/, recipe/ and formats/ (json_tree.h).
 */
#ifndef CONFIG_H
#define CONFIG_H

#include "recipe/option.h"

/*
 * Read a config.json as options of rope, "--dim 128 --base 500000 ...", which
 * owner owns; a config_reader. "FILE:TYPE" selects the layers of that type, if
 * they differ.
 */
bool config_read(const char *path, struct table *owner, char **options,
		 struct error *err);

#endif
