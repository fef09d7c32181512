/* key.h: what files state, by the names of a config.json or a GGUF file. */
#ifndef KEY_H
#define KEY_H

#include "model/config.h"
#include "text/words.h"

/* One fact of a model, and the names under which files state it. */
struct key_row {
	const char *json;     /* alternatives separated by '|'; NULL: none but
				 those that the model's row has */
	const char *gguf;     /* the same, behind the architecture */
	bool scaling;         /* in JSON, of rope_scaling or rope_parameters */
	unsigned layers;      /* bits of enum model_layers that have it; 0:
				 all have */
	double least, most;   /* of a number; 0, 0: it is none, or has rules of
				 its own */
	bool whole;
	const char *flag;     /* of llama.cpp, "--rope-freq-base"; or NULL */
};

extern const struct key_row keys[KEYS];

/* The names by which c's files state it; NULL: they don't. */
const char *key_names(const struct config *c, enum key k);

/* Its value; NULL: it is not in the file, or null. */
const struct cJSON *key_value(const struct config *c, enum key k);

/*
 * Read a number, if the file has it; *x stays if not. Fails at anything out of
 * its range.
 */
bool key_number(const struct config *c, enum key k, double *x);

/* The same, or initial with a note that the class assumes it. */
bool key_assume(struct config *c, enum key k, double initial, double *x);

/* Read true or false; *x stays if the file does not have it. */
bool key_flag(const struct config *c, enum key k, bool *x);

/* Fail as it is missing. */
bool key_missing(const struct config *c, enum key k);

/* Whether c's row has names of its own for it. */
bool key_is_own(const struct config *c, enum key k);

/* Whether models of c's row have it in their files. */
bool key_is_of(const struct config *c, enum key k);

/* Whether models of c's row read a key outside of the scaling. */
bool key_is_read(const struct config *c, const char *name);

/*
 * Compare with the alternatives "a|b", each up to one of the characters ends;
 * whether it is one of them.
 */
bool key_look_up(struct lookup *l, const char *names, const char *ends);

#endif
