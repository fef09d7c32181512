/* positional.h: which tensors of a model concern positions. */
#ifndef POSITIONAL_H
#define POSITIONAL_H

#include "containers/tensors.h"

/* What a tensor holds, as its name says; posenc compare compares it so. */
enum content {
	CONTENT_OTHER,         /* those before the norms are weights */
	CONTENT_HEADS,         /* weights or biases of queries or keys */
	CONTENT_VALUES,        /* the same of values: never permuted */
	CONTENT_FUSED,         /* queries, keys and values in one tensor */
	CONTENT_LATENT,        /* other rows, some of which rotate */
	CONTENT_NORMS,         /* factors of the values of queries or keys:
				  compared as one of the above, or as other */
	CONTENT_POSITIONS,     /* a table of positions, or of biases */
	CONTENT_FREQUENCIES,   /* of rotary pairs */
	CONTENT_FACTORS,       /* divisors of them, in GGUF */
};

/* A shape that is expected: two dimensions have more than one element; the
   same, and they are equal; floats, more than one. */
enum expected_shape { SHAPE_ANY, SHAPE_TABLE, SHAPE_MASK, SHAPE_FLOATS };

/* What a name says. */
struct positional {
	const char *end;       /* of the name, [length] */
	size_t length;
	enum content content;
	enum expected_shape shape;
	const char *meaning;   /* "learned positions" */
	const char *source;    /* a project and file where it means that */
	const char *ignored;   /* "by transformers since 4.31", or NULL */
	bool computed;         /* by programs, so that a file may lack it */
};

/*
 * What a tensor is likely to be: judged by its name, which is one of known
 * models, and its shape. NULL: nothing about positions.
 */
const struct positional *positional(const struct tensor *t);

/* The same by a name [n] alone. */
const struct positional *positional_named(const char *name, size_t n);

#endif
