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
	const char *base;             /* the key of their base, where a type
					 of layers has one of its own */
	struct config_line *line;     /* that is written, zeroes at first */
	struct error *err;
};

/* What kind of scaling a model's name for it is. */
struct config_law {
	const char *type, *kind;
	int numbers;           /* of F and L */
};

/* Write all options that follow from the model. */
bool config_put(const struct config *c);

/* The law of the model, or NULL; its options. */
const struct config_law *config_law(const struct config *c);
bool config_scaling(const struct config *c, const struct config_law *law);

/* Say what is wrong with a key. */
bool config_bad(const struct config *c, const char *key, const char *what);

/* The value of a key, or NULL where it is null or missing. */
const struct cJSON *config_value(const struct cJSON *object, const char *key);

/* The same, of the rotary positions or else of the model. */
const struct cJSON *config_found(const struct config *c, const char *key);

/*
 * The number of a key so found, initial where it is missing; whether it is
 * true. Fails where it is something else.
 */
bool config_number(const struct config *c, const char *key, double initial,
		   double *x);
bool config_flag(const struct config *c, const char *key, bool initial,
		 bool *is);

/* Write text; a number; the numbers of an array, parted by a character. */
void config_text(const struct config *c, const char *text);
void config_double(const struct config *c, const char *before, double x);
bool config_array(const struct config *c, const char *before, const char *key,
		  char between);

#endif
