/* config.h: the rotary positions of a model, from its config.json. */
#ifndef CONFIG_H
#define CONFIG_H

#include "core/option.h"

/*
 * The options of rope that the file of a model in Hugging Face's transformers
 * stands for, "--dim 128 --base 500000 ...", for owner to keep; a
 * config_reader. "FILE:TYPE" takes the layers of that type, where they differ.
 */
bool config_read(const char *path, struct table *owner, const char **options,
		 struct error *err);

#endif
