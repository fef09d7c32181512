/* positional.h: which tensors of a model concern positions. */
#ifndef POSITIONAL_H
#define POSITIONAL_H

#include "containers/tensors.h"

/* What a name says. */
struct positional {
	const char *end;       /* of the name, [length] */
	size_t length;
	const char *meaning;   /* "learned positions" */
	const char *source;    /* a project and file where it means that */
	bool table;            /* it has rows and columns */
};

/*
 * What a tensor is likely to be: judged by its name, which is one of known
 * models, and its shape. NULL: nothing about positions.
 */
const struct positional *positional(const struct tensor *t);

#endif
