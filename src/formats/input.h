/* input.h: the tables that views work on: which part; one set of options. */
#ifndef INPUT_H
#define INPUT_H

#include "core/option.h"

struct input_style {
	const char *select;  /* "ROWS[,COLS]" as typed, or NULL */
	size_t drop_prefix;  /* rows that stand before position 0 */
	long head;           /* the plane; NOT_GIVEN: all */
	size_t dim;          /* columns of raw files; 0: not given */
};

extern const struct option input_options[];

/*
 * Read the table at path, "-" for standard input, and keep the part of it that
 * style asks for. raw says what a raw file does not.
 */
bool input_read(const char *path, const struct input_style *style,
		const struct raw_kind *raw, struct table *t,
		struct error *err);

/*
 * Let t->command, of the last input, name the options of style as well, and
 * the kind of number of raw files if there are any.
 */
bool input_note(const struct input_style *style, const struct raw_kind *raw,
		struct table *t, struct error *err);

/* Refuse options that choose a part of a table, where none was given. */
bool input_unused(const struct input_style *style, struct error *err);

#endif
