/*
 * csv.h: the parts of the reader of CSV: a line as fields, which are numbers,
 * names or headers (csv_fields.c), the table (csv_read.c), and threads that
 * read parts of it (csv_parts.c).
 */
#ifndef CSV_H
#define CSV_H

#include <stddef.h>

#include "formats/format.h"
#include "text/decimal.h"
#include "formats/values.h"

/* Complete lines in memory, and the separator of their fields. */
struct csv_text {
	const char *at;    /* begin of the current line */
	const char *stop;  /* end of the last line */
	char separator;    /* ',' ';' '\t', or ' ' for any run of blanks */
	const char *label; /* a # that begins a label; or NULL */
};

/* Whether the line ends at s, or a comment begins there. */
bool csv_at_end(const struct csv_text *c, const char *s);

/* Skip the blanks at s that do not separate fields. */
const char *csv_blanks(const struct csv_text *c, const char *s);

/* The separator of the fields of the current line. */
char csv_separator(const struct csv_text *c);

/* The end of the field at s, which may be in quotes. */
const char *csv_field_end(const struct csv_text *c, const char *s);

/* Skip the separator after a field that ends at s; *more: there was one. */
const char *csv_next(const struct csv_text *c, const char *s, bool *more);

/* The number at s, which may be in quotes; its end is s if there is none. */
struct decimal csv_number(const char *s);

/* Whether text [n] stands for a missing value, such as NA or null. */
bool csv_missing(const char *text, size_t n);

/* Whether the whole field at s is a decimal number. */
bool csv_decimal(const struct csv_text *c, const char *s);

/* A field without quotes around it. */
struct csv_name {
	const char *text;
	size_t n;
	bool number;
};

/* The field at the start of a header, which then begins after it. */
struct csv_name csv_name(struct csv_text *c, bool *more);

enum { CSV_NAME_MOST = 255 };  /* bytes of a name that is written */

/*
 * Name the columns of t as a header does, a line with so many fields, unless
 * all of them are numbers, or one is too long to be written again. The names
 * stay in line, which is changed.
 */
bool csv_name_columns(char *line, char separator, size_t fields,
		      struct table *t, struct error *err);

enum csv_kind { CSV_ROW, CSV_LABELLED, CSV_HEADER, CSV_EITHER };

/*
 * What the current line, the first of a table, can be; *fields is the number
 * of its fields. A header begins with a name or an empty field, and all its
 * other fields are names or numbers. Rows are *labelled if its first field is
 * empty or its only name. The numbers of such a header are integers that
 * increase; if they begin with a name, the line may be a labelled row instead.
 */
enum csv_kind csv_first(const struct csv_text *c, bool *labelled,
			size_t *fields);

/* Whether the first field of the current line is a name. */
bool csv_named(const struct csv_text *c);

/* The number of fields of the current line. */
size_t csv_count(const struct csv_text *c);

/*
 * Whether the '#' at s, at the start of the line, begins a row label before so
 * many numbers and not a comment; sets c->label.
 */
bool csv_labels(struct csv_text *c, const char *s, size_t numbers);

/* The state of the reader and what is known of the table. */
struct csv {
	struct input_file *in;
	size_t threads;        /* that may read; 0: one per CPU */
	struct csv_text x;     /* the complete lines in the window */
	size_t line;           /* line number, from 1 */
	const char *begin;     /* begin of the line */
	bool labelled;         /* each row begins with its label */
	enum csv_kind first;   /* what the first line can be */
	size_t header;         /* fields of the header; 0: none */
	char labels[40];       /* the name of the labels of rows, or "" */
	char *names;           /* a copy of a header that has names, or NULL */
	struct values g;
	size_t cols, rows;     /* cols is 0 until a row was read */
	size_t blocks, block;  /* blocks, and rows of the current one */
	size_t block_rows;     /* rows of the first block */
	bool uneven;           /* not all blocks have as many rows */
	size_t wait, waited;   /* windows to be read before threads are tried
				  again, and how many were */
};

/* Read a line of the window: a row, a header, or one that is skipped. */
bool csv_read_line(struct csv *c, struct error *err);

/*
 * Read the next lines of a large file by threads, as far as all are rows; the
 * window begins after them. Nothing is read where one thread is as fast, or the
 * file can't be read again.
 */
bool csv_read_parts(struct csv *c, struct error *err);

/* Round all values to float32, by threads, if that is their dtype. */
bool csv_round(const struct csv *c, enum dtype d, struct error *err);

/* The read() of struct format. */
bool csv_read(struct input_file *in, const struct read_options *options,
	      struct table *t, struct error *err);

#endif
