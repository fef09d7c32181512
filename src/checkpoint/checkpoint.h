/*
 * src/checkpoint/: the tensors of a model, wherever its files are: in one
 * container, in the parts of an index, or in a folder.
 *
 *   checkpoint.c  open a model, list its tensors, read any of them
 *   positional.c  which of them concern positions
 *   listing.c     posenc list
 *
 * Which containers there are is in formats/list.h alone. This folder includes
 * containers/ and what that includes, and model/.
 */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include "containers/open.h"
#include "containers/tensors.h"
#include "recipe/recipe.h"

/* A model whose tensors are listed. */
struct checkpoint {
	const char *config;    /* the path of config.json beside its file, or
				  NULL: there is none */
	struct tensors all;    /* in the order of the file; names differ */
	struct opened file;    /* that lists them: file.in.path is its path,
				  file.format its format, as "gguf" */
};

/*
 * Open FILE, a container or an index, or FOLDER, in which locate_model() finds
 * one, and list its tensors with dtype, shape and bytes; no values are read.
 * The dtype of a tensor may be one that posenc does not read
 * (tensor_readable()); where also the shape is unknown, its file may be missing
 * (all.note).
 *
 * Paths and names are owned by owner and last as long. On success
 * checkpoint_close() must follow.
 */
bool checkpoint_open(struct checkpoint *c, const char *path,
		     struct table *owner, struct error *err);

/* The same, also of files that end within values: all.note says so. */
bool checkpoint_open_cut(struct checkpoint *c, const char *path,
			 struct table *owner, struct error *err);

/*
 * Read one of c->all into an empty t, in any order and as often as wanted; the
 * caller closes t. Dimensions before the last two are folded into planes. Fails
 * where its dtype is not read. One thread at a time.
 */
bool checkpoint_read(struct checkpoint *c, const struct tensor *one,
		     struct table *t, struct error *err);

void checkpoint_close(struct checkpoint *c);

/* listing.c: posenc list: the tensors of a model, those of positions first. */
extern const struct recipe list_recipe;

/* positional.c: which tensors of a model concern positions. */

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
