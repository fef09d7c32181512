/* locate.h: the file, and the tensor in it, that a TABLE argument names. */
#ifndef LOCATE_H
#define LOCATE_H

#include "table/table.h"

/*
 * Split "FILE:NAME", at the first colon after the suffix of a container, or
 * "FOLDER:NAME", or "-:NAME" of standard input: *tensor is NAME, or NULL.
 * Returns the file; that of a folder is the one that locate_model() finds.
 * NULL: an error. owner keeps the text.
 */
const char *locate(const char *path, struct table *owner, const char **tensor,
		   struct error *err);

bool is_folder(const char *path);

/*
 * The file that lists the tensors of the model in a folder: by a usual name
 * (model.safetensors.index.json, model.safetensors), the only index, or the
 * only file of tensors; of numbered parts, NAME-00001-of-00003.gguf, the first.
 * NULL: there is none, or several, which err then names.
 */
const char *locate_model(const char *folder, struct table *owner,
			 struct error *err);

/* Whether a folder has no file of tensors; false if it cannot be read. */
bool locate_none(const char *folder, struct table *owner, struct error *err);

/* The path FOLDER/NAME, owned by owner, of a folder with a name; NULL: out of
   memory. */
char *path_in(const char *folder, const char *name, struct table *owner,
	      struct error *err);

#endif
