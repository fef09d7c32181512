/* list.h: a list of numbers, from the command line or a file. */
#ifndef LIST_H
#define LIST_H

#include "table/table.h"

/* Numbers given as "1,2,3", in a file ("@FILE") or on standard input ("-"). */
struct list {
	const double *at;  /* [n], owned by a table; NULL: no list */
	size_t n;
	size_t width;      /* numbers in each line of a file; 0: they differ, or
			      it is no file */
	const char *text;  /* the option's value; outlives the list */
};

/*
 * Read the numbers of text, "1,2,3", "@FILE" or "-", separated by commas or
 * blanks; files may hold a JSON array, and need owner->from.reads_files. owner
 * keeps the numbers; flag is the option, for messages. Fails, with its place in
 * a file, at a word that is not a number, and if there is no number.
 */
bool list_read(struct list *list, const char *text, const char *flag,
	       struct table *owner, struct error *err);

/*
 * The values of t, a dense table that was read from text, "@FILE", row by row.
 * Fails at a value that is not finite.
 */
bool list_of_table(struct list *list, const struct table *t, const char *text,
		   struct error *err);

#endif
