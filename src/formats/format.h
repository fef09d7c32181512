/*
 * src/formats/: file formats, one a file: each writes any table, and some read
 * one. list.h lists all; containers/open.h finds the one
 * of a file.
 *
 *   format.h      struct format: what a format can do
 *   style.h       options of all outputs: --dtype, --rows, --plot, ...
 *   select.h      options of all tables that are read: --select, --head, ...
 *   rows.h        rows as bytes, made by several threads
 *   values.h      values as bytes or text into a table, and their dtype
 *   on_demand.h   values that stay in their file
 *   json_scan.h   reads JSON token by token; json_tree.h: small trees of it
 *   csv.h         reading CSV: fields, tables
 *   npy.h         the header of an NPY file
 *   picture.h     writes a PNG image; animation.h: several in one file
 *   vectors.h     what SVG and PDF share; pdf.h: objects and fonts of PDF
 *   base64.h      bytes as text
 *   deflate.h     compresses and decompresses bytes, by zlib
 *   report.h      what a view found, as text or JSON
 *
 * This folder includes table/, exact/, text/, recipe/, files/ and figure/.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "recipe/option.h"
#include "recipe/report.h"
#include "files/input.h"
#include "files/output.h"
#include "formats/style.h"

struct container;

/* What a command line says about a file to read. */
struct read_options {
	const struct raw_kind *raw;  /* --dim and --dtype */
	const char *tensor;   /* NAME of FILE:NAME, or NULL */
	const struct container *container;  /* that of the format, or NULL */
};

/*
 * Whether --dtype makes the numbers of a text float64; otherwise their digits
 * determine the dtype.
 */
bool reads_float64(const struct read_options *options);

/* Of a file: enough to tell its format. (A zip archive has a name there.) */
enum { FIRST_BYTES = 128 };

enum { READ_SUFFIXES = 3 };

struct format {
	const char *name;     /* its option --NAME and suffix .NAME, which no
				 other format has, not even for reading */
	const char *summary;  /* one line for help, if it is written */
	bool binary;          /* not written to a terminal */
	bool figure;          /* draws, unless --plain is given */
	bool several;         /* holds tables beside one another */
	bool bare;            /* only values: --dim and --dtype describe them;
				 exactly one format */
	const struct container *container;  /* lists tensors, one of which
				 FILE:NAME chooses (containers/); or NULL */
	bool numbered;        /* NAME-00001-of-00003.SUFFIX lists the tensors of
				 all parts of a model */
	bool keeps;           /* writes the other tensors of a file, too:
				 table.kept */
	bool process;         /* read in a process of its own */
	/* More suffixes for reading; the others are NULL. */
	const char *read_suffixes[READ_SUFFIXES];

	/*
	 * Whether a file that begins with these n bytes, FIRST_BYTES unless it
	 * is smaller, has this format: for standard input and files without
	 * suffix. May be NULL.
	 */
	bool (*recognizes)(const unsigned char *bytes, size_t n);

	/* Fail if the format cannot hold t. Called before t is computed. */
	bool (*check)(const struct style *style, const struct table *t,
		      struct error *err);

	/*
	 * The size of the output in bytes, for rows begin to end of t; if
	 * *exact becomes false, a lower bound. NULL: unknown.
	 */
	size_t (*size)(const struct table *t, bool *exact);

	/* Write rows begin to end of t to o, which records failures. */
	void (*write)(const struct style *style, const struct table *t,
		      struct output_file *o);

	/* Write the report of a view. NULL: the format has only tables. */
	void (*report)(const struct table *t, const struct report *report,
		       struct output_file *o);

	/*
	 * Read a whole table into t, dense unless t is on_demand, with values
	 * that t owns and the dtype of the file; FIRST_BYTES, or all, are in
	 * the window.
	 * NULL: the format is only written.
	 */
	bool (*read)(struct input_file *in, const struct read_options *options,
		     struct table *t, struct error *err);
};

#endif
