/* select.h: reads a table, or the part of it that options select. */
#ifndef SELECT_H
#define SELECT_H

#include "recipe/option.h"

struct selection {
	const char *select;  /* "ROWS[,COLS]" as given, or NULL */
	size_t drop_prefix;  /* rows before position 0 */
	struct integer head;   /* index of the plane */
	size_t dim;          /* columns of raw files; 0: not given */
};

extern const struct option selection_options[];

/*
 * Read the table at path, "-" for standard input, and keep the selected part.
 * raw gives the columns and dtype of a raw file.
 */
bool selection_read(const char *path, const struct selection *s,
		    const struct raw_kind *raw, struct table *t,
		    struct error *err);

/*
 * Add the options of the selection to the command of t, the last input, and
 * --dtype for raw files.
 */
bool selection_note(const struct selection *s, const struct raw_kind *raw,
		    struct table *t, struct error *err);

/* Fail if options select a part of a table although none is given. */
bool selection_unused(const struct selection *s, struct error *err);

#endif
