/* maker.h: tables of encodings that a view makes of its own options. */
#ifndef MAKER_H
#define MAKER_H

#include "core/recipe.h"

/*
 * An encoding on its way, and the view that it is for. What fails before the
 * end is remembered in err, and what follows is dropped.
 */
struct maker {
	const struct recipe *recipe;
	struct fields fields;
	struct error *err;
	const struct option *options;  /* of the view, */
	const void *self;              /* and their values */
	struct table t;                /* what is made */
};

/* Begin the table of an encoding, whose name is known. */
void maker_begin(struct maker *m, const char *name,
		 const struct option *options, const void *self,
		 struct error *err);
void maker_close(struct maker *m);

/*
 * Hand on what the view was given for options, by names that end with NULL;
 * those that the encoding has not are passed over.
 */
void maker_pass(struct maker *m, const char *const *names);

/* Give the encoding an option of its own, as typed or as a number. */
void maker_text(struct maker *m, const char *name, const char *text);
void maker_number(struct maker *m, const char *name, double x);

/* Lend an option of the encoding its value, a table or a list: size bytes. */
void maker_lend(struct maker *m, const char *name, const void *value,
		size_t size);

/* Make it, and all its rows to x; false if anything has failed. */
bool maker_finish(struct maker *m);
bool maker_rows(struct maker *m, double *x);

#endif
