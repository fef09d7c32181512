/* params.h: params.json of Meta's and of Mistral's own files. */
#ifndef PARAMS_H
#define PARAMS_H

#include "model/rotary.h"

/* Whether the file, which names no model type, is one. */
bool params_recognized(const struct config *c);

/* The keys that such files have and others don't, "a|b". */
extern const char params_keys[];

/* The scaling that it says; dims are known. */
bool params_scaling(struct config *c, struct rotary_positions *r);

#endif
