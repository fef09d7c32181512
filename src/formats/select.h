/* select.h: reads a table, or the part of it that options select. */
#ifndef SELECT_H
#define SELECT_H

#include "recipe/option.h"

struct selection {
	const char *select;  /* "ROWS[,COLS]" as given, or NULL */
	size_t drop_prefix;  /* rows before position 0 */
	struct integer head;   /* index of the plane */
	struct integer *spare; /* takes head where a TABLE has no planes; NULL:
				  that is an error */
	size_t dim;          /* columns of raw files; 0: not given */
};

extern const struct option selection_options[];

/*
 * Let read() read the table at path, "-" for standard input, and keep the
 * selected part. raw gives the columns and dtype of a raw file.
 */
bool selection_read(table_reader *read, const char *path,
		    struct selection *s, const struct raw_kind *raw,
		    struct table *t, struct error *err);

/*
 * Add the options of the selection to the command of t, the last input, and
 * --dtype for raw files.
 */
bool selection_note(const struct selection *s, const struct raw_kind *raw,
		    struct table *t, struct error *err);

/*
 * Fail if options select a part of a table although none is given; --head may
 * have another to take it.
 */
bool selection_unused(struct selection *s, struct error *err);

#endif
