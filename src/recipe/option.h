/*
 * option.h: an option, declared once. Parsing, ranges, defaults, --help and
 * the notes in outputs are all read from the same row.
 */
#ifndef OPTION_H
#define OPTION_H

#include <limits.h>
#include <stddef.h>

#include "recipe/list.h"

/* A word with numbers after it: "shift:0.5" is word 3 with at[0] = 0.5. */
struct pick {
	int word;       /* index in the option's words */
	size_t n;       /* numbers given */
	double at[4];
};

/* "A:B", "A:" or ":B"; an end left out is LONG_MIN or LONG_MAX. */
struct range {
	bool given;
	long first, last;
};

/*
 * Fill in the ends that were left out, of 0 to n; both where none was given.
 * Whether it is then a part of them, A less than B.
 */
bool range_fill(struct range *r, size_t n);

enum { RANGE_TEXT = 48 };

/* A range as it may be typed, to text. */
const char *range_text(const struct range *r, char text[RANGE_TEXT]);

enum option_kind {
	OPTION_FLAG, OPTION_COUNT, OPTION_INTEGER, OPTION_REAL, OPTION_CHOICE,
	OPTION_PICK, OPTION_TEXT, OPTION_LIST, OPTION_RANGE, OPTION_TABLE,
	OPTION_PRESET,  /* has no field: it stands for other options, */
	OPTION_CONFIG,  /* and so does this, which reads them from a file */
};

/* A whole number that may be left out. */
struct integer {
	bool given;
	long value;
};

static inline struct integer integer_of(size_t value)
{
	return (struct integer){ true, (long)value };
}

/*
 * A choice that was left out: words are counted from 0. Counts that were left
 * out are 0, which their range excludes; texts, lists and tables are NULL.
 */
enum { NO_CHOICE = -1 };

/* The option is named as the field, its kind follows from the field's type. */
#define OPTION(type, field) OPTION_IN(0, type, field)

/* As above, where the struct lies at offset in the one that options fill. */
#define OPTION_IN(offset, type, field)                                  \
	.name = #field, .at = (offset) + offsetof(type, field),         \
	.kind = _Generic(((type *)0)->field,                            \
			 bool : OPTION_FLAG, size_t : OPTION_COUNT,     \
			 struct integer : OPTION_INTEGER,                   \
			 double : OPTION_REAL,                          \
			 int : OPTION_CHOICE, struct pick : OPTION_PICK, \
			 const char * : OPTION_TEXT,                    \
			 struct list : OPTION_LIST,                     \
			 struct range : OPTION_RANGE,                   \
			 const struct table * : OPTION_TABLE)

/* What an option sets, for code that does not know its name. */
enum option_role {
	ROLE_CONVENTION,  /* how values are computed */
	ROLE_EXTENT,      /* how many positions, and which */
	ROLE_COLUMNS,     /* how many columns; those of .raw tables, too */
	ROLE_ARITHMETIC,  /* whose arithmetic is reproduced, bit for bit */
	ROLE_FIGURE,      /* a figure's looks; no use to one pixel per value */
	ROLE_PROGRAM,     /* how the program runs; output is the same */
};

struct option {
	const char *name;        /* the field: "max_distance" */
	size_t at;               /* where the field lies in its struct */
	enum option_kind kind;
	enum option_role role;
	bool required;
	bool unrecorded;         /* left out of commands and metadata */
	double min, max;         /* least and greatest number, if min < max */
	const char *initial;     /* as a user would type it, or NULL */
	const char *const *words; /* of a choice or pick, ends with NULL; a
				     pick's take numbers: "shift:S", "[:A,B]";
				     a table's are no files and give a table
				     without row() that has them as title */
	const char *needs;       /* names of options, "add position-table", all
				    without which it has no use; or NULL */
	const char *arg;         /* what --help calls the value: "N" */
	const char *help;        /* one line */
};

/* What a file of raw numbers does not say itself. */
struct raw_kind {
	size_t dim;              /* columns; 0 where nobody said */
	int dtype;               /* in dtype_words, or NO_CHOICE */
};

/* Reads a file into a table that owns its numbers; formats know how. */
typedef bool table_reader(const char *path, const struct raw_kind *raw,
			  struct table *t, struct error *err);

/*
 * Reads a model's config.json into options as typed, "--dim 128 --base 1e6",
 * which owner keeps; model/ knows how.
 */
typedef bool config_reader(const char *path, struct table *owner,
			   char **options, struct error *err);

/* Where the value of an option goes, and what helps it there. */
struct fields {
	void *self;              /* the struct that the options fill */
	struct table *owner;     /* of lists and tables that options bring */
	table_reader *read;      /* NULL where files of tables are not read, */
	config_reader *config;   /* or those of models */
	struct raw_kind raw;     /* for files of raw numbers */
};

/* "--max-distance" for max_distance; good until the buffer is used again. */
const char *option_flag(const struct option *o, char buffer[40]);

/* The option of that name in options (ends with {0}), or NULL. */
const struct option *option_find(const struct option *options,
				 const char *word, size_t length);

/* The first option that has the role, or NULL. */
const struct option *option_of_role(const struct option *options,
				    enum option_role role);

/* Give every field its initial value; err says where one can't be had. */
void option_defaults(const struct option *options, struct fields *f,
		     struct error *err);

/*
 * Refuse o, which was given, without any of the options that it needs; given()
 * knows whether there is one, name [length].
 */
bool option_needs(const struct option *o,
		  bool (*given)(const void *self, const char *name,
		  size_t length),
		  const void *self, struct error *err);

/* Put the value that text says into the field. */
bool option_set(const struct option *o, struct fields *f, const char *text,
		struct error *err);

/* Whether the field has a value: the one that was typed, or the initial one. */
bool option_given(const struct option *o, const void *self);

enum { OPTION_ROOM = 256 };

/*
 * The value of the field as a user would type it: in text, or as it was typed
 * if the field keeps that; "" if none was given.
 */
const char *option_text(const struct option *o, const void *self,
			char text[OPTION_ROOM]);

/* Whether the field's value differs from the initial one. */
bool option_changed(const struct option *o, const void *self);

#endif
