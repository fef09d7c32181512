/* csv_fields.h: a line of CSV, field by field. */
#ifndef CSV_FIELDS_H
#define CSV_FIELDS_H

#include "formats/decimal.h"

/* Lines that are whole in memory, and what parts their fields. */
struct csv_text {
	const char *at;    /* where the reader stands: a line's begin */
	const char *stop;  /* where the last line ends, with a NUL or not */
	char separator;    /* ',' ';' '\t', or ' ' for any run of blanks */
	const char *label; /* that a '#' begins, not a comment; or NULL */
};

/* Whether a line ends at s, or a comment begins, as it does behind blanks. */
bool csv_at_end(const struct csv_text *c, const char *s);

/* Past the blanks at s that part no fields. */
const char *csv_blanks(const struct csv_text *c, const char *s);

/* What parts the fields of the line at. */
char csv_separator(const struct csv_text *c);

/* The end of the field at s, which may be quoted. */
const char *csv_field_end(const struct csv_text *c, const char *s);

/* Past the separator after a field that ends at s, *more; or at the end. */
const char *csv_next(const struct csv_text *c, const char *s, bool *more);

/* The number at s, which may be quoted; it ends at s where there is none. */
struct decimal csv_number(const char *s);

/* Whether text [n] is what some write where a number is missing. */
bool csv_missing(const char *text, size_t n);

/* Whether s is what a spreadsheet shows of a cell that has no value. */
bool csv_error(const char *s);

/* The end of the field at s without the blanks before it. */
const char *csv_trimmed(const struct csv_text *c, const char *s);

/* Whether the field at s is a decimal number and nothing else. */
bool csv_decimal(const struct csv_text *c, const char *s);

enum csv_kind { CSV_ROW, CSV_LABELLED, CSV_HEADER, CSV_EITHER };

/*
 * What the line at may be, a table's first, of so many *fields. A header begins
 * with a name or an empty field, and all in it that is no number is a name;
 * rows are *labelled where its first field is empty or the only name. Numbers
 * behind these are whole and rise there; a name before any may begin a labelled
 * row as well.
 */
enum csv_kind csv_first(const struct csv_text *c, bool *labelled,
			size_t *fields);

/* Whether the line's first field is a name. */
bool csv_named(const struct csv_text *c);

/* The fields of the line at. */
size_t csv_count(const struct csv_text *c);

/*
 * Whether the '#' at s, which begins the line, begins a label before so many
 * numbers, not a comment; it is c->label then.
 */
bool csv_labels(struct csv_text *c, const char *s, size_t numbers);

#endif
