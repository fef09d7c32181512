/* format.h: the contract of a format, and the list of all. */
#ifndef FORMAT_H
#define FORMAT_H

#include "core/option.h"
#include "core/report.h"
#include "formats/in.h"
#include "formats/out.h"
#include "formats/style.h"

/* What is said of a table to read beside its file. */
struct asked {
	const struct raw_kind *raw;
	const char *tensor;   /* its name or pattern, or NULL */
};

/* Whether a text's numbers are float64 by --dtype; else their digits say it. */
bool asked_doubles(const struct asked *asked);

struct format {
	const char *name;     /* also its flag and the suffix of its files */
	const char *summary;  /* one line for help */
	bool binary;          /* not for a terminal */

	/* Refuse, before anything is made, what the format cannot hold. */
	bool (*check)(const struct style *style, const struct table *t,
		      struct error *err);

	/*
	 * The bytes of the rows of t that were asked for; the fewest, where
	 * exact is made false. NULL: that is seen when they are written.
	 */
	size_t (*size)(const struct table *t, bool *exact);

	/*
	 * Send the rows of t that were asked for to o, which remembers what
	 * fails.
	 */
	void (*write)(const struct style *style, const struct table *t,
		      struct out *o);

	/*
	 * Send what a view found out. NULL where a format holds only tables.
	 */
	void (*report)(const struct table *t, const struct report *report,
		       struct out *o);

	/*
	 * Read a whole table, dense, that owns its numbers; its dtype is what
	 * the file held. NULL where a format is only written.
	 */
	bool (*read)(struct in *in, const struct asked *asked,
		     struct table *t, struct error *err);
};

/* The i-th format, NULL after the last. */
const struct format *format_at(size_t i);

/* The format of a file, by its suffix. */
const struct format *format_of(const char *path, struct error *err);

/*
 * Read a table from a file, as the format of its suffix; or of its first bytes
 * where it has no suffix, as "-", standard input. "x.safetensors:NAME" is a
 * tensor of the file.
 */
table_reader format_read;

/* Whether the file at path may be one of raw numbers. */
bool format_maybe_raw(const char *path);

/* The bounds of a table that was read, by a look at all of it. */
bool format_bounds(struct table *t, struct error *err);

#endif
