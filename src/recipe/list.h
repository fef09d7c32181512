/* list.h: numbers in a row, typed or from a file. */
#ifndef LIST_H
#define LIST_H

#include "table/table.h"

/* Numbers given as "1,2,3", in a file ("@FILE") or on standard input ("-"). */
struct list {
	const double *at;  /* [n], owned by a table; NULL when not given */
	size_t n;
	const char *text;  /* as typed; outlives the list */
};

/*
 * Read the numbers that text names, parted by commas or blanks, for owner to
 * keep. flag is the option's name for messages. Fails with the place of what
 * is no number, and where there is no number at all.
 */
bool list_read(struct list *list, const char *text, const char *flag,
	       struct table *owner, struct error *err);

#endif
