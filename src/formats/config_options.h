/* config_options.h: what a config.json says, as options of rope. */
#ifndef CONFIG_OPTIONS_H
#define CONFIG_OPTIONS_H

#include <stddef.h>

#include "core/error.h"

struct cJSON;

/* Options as one types them, each with a blank before. */
struct config_line {
	size_t n;
	char text[1 << 20];
};

/* A file while options are made of it. */
struct config {
	const char *path;
	const char *layers;    /* the type that FILE:TYPE asks for, or NULL */
	const struct cJSON *model;    /* what is said of the model, */
	const struct cJSON *rope;     /* and of its rotary positions, or NULL */
	struct config_line *line;     /* that is written, zeroes at first */
	struct error *err;
};

/* The value of a key, or NULL where it is null or missing. */
const struct cJSON *config_value(const struct cJSON *object, const char *key);

/* Write all options that follow from the model. */
bool config_put(const struct config *c);

#endif
