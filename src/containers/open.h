/*
 * open.h: the list of all formats; the file, the format and the tensor that an
 * argument names.
 */
#ifndef OPEN_H
#define OPEN_H

#include "formats/format.h"

/* Format i of those that are written, NULL at the first that is only read. */
const struct format *format_at(size_t i);

/* Format i of all of list.h, NULL after the last. */
const struct format *format_known(size_t i);

/* The format in which a file is written, by its suffix. */
const struct format *format_of(const char *path, struct error *err);

/* Suffix i of a format that is read, its name first; NULL after the last. */
const char *format_suffix(const struct format *f, size_t i);

/* The format for reading a file, by its suffix, or NULL. */
const struct format *format_reading(const char *path);

enum { SUFFIXES_TEXT = 120 };

/* ".csv .json .raw" of all formats, or of those that are read. */
const char *format_suffixes(bool readable, char text[SUFFIXES_TEXT]);

/* The same of those that hold named tensors. */
const char *format_containers(char text[SUFFIXES_TEXT]);

/* A file that was opened for reading, and what its argument says. */
struct opened {
	struct input_file in;
	const struct format *format;
	const char *tensor;   /* NAME of FILE:NAME, or NULL; owner's */
	bool only_containers; /* no other files are meant; set before */
};

/*
 * Open the file that a TABLE argument names (locate()), in the format of its
 * suffix or, without one, of its first bytes. On success in_close(&o->in) must
 * follow, and owner must outlive o.
 */
bool format_open(struct opened *o, const char *path, const struct raw_kind *raw,
		 struct table *owner, struct error *err);

/*
 * Read a table from a file, in the format of its suffix. Without a suffix, and
 * from standard input ("-"), the first bytes determine the format.
 * "FILE:NAME" is a tensor of a container, "FOLDER:NAME" one of the model in a
 * folder.
 */
table_reader format_read;

/* What comes before and after the reading of a table from a file. */
void format_begin(struct table *t);
bool format_end(const struct input_file *in, struct table *t,
		struct error *err);

/* Let the title of t be the path, and its command that, quoted for a shell. */
bool format_name(const char *path, struct table *t, struct error *err);

/* Whether the file at path may be of the format without metadata. */
bool format_maybe_raw(const char *path);

/*
 * Whether the file that a TABLE argument names has a format that is read in a
 * process of its own. Files whose suffix does not tell, and standard input,
 * are told by their first bytes, unless they are pipes. owner keeps the path.
 */
bool format_starts_process(const char *path, struct table *owner);

/* Set the bounds of a table that was read, by a pass over all its values. */
void format_bounds(struct table *t);

/* What follows is of locate.c. */

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
