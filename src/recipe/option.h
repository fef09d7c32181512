/*
 * option.h: an option is declared once, as a row of an array. Parsing, ranges,
 * defaults, --help and the metadata of outputs follow from that row.
 */
#ifndef OPTION_H
#define OPTION_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "recipe/list.h"

/* A word with numbers after it: "shift:0.5" is word 3 with at[0] = 0.5. */
struct pick {
	int word;       /* index in the option's words */
	size_t n;       /* numbers given */
	double at[4];
};

/* "A:B", "A:" or ":B"; an omitted end is LONG_MIN or LONG_MAX. */
struct range {
	bool given;
	long first, last;
};

/* "4x6", rows by columns, or more or fewer; n 0 and no text: omitted. */
struct extents {
	const char *text;
	size_t n, at[16];
};

/* Tables of files named "A,B,C"; a name has no comma. */
struct tables {
	const struct table *const *at; /* [n]; NULL: none */
	size_t n;
	const char *text;              /* the option's value */
};

/*
 * Set omitted ends to 0 and n; both if no range was given. Returns whether the
 * range is within 0 to n and not empty.
 */
bool range_fill(struct range *r, size_t n);

enum { RANGE_TEXT = 48 };

/* Write a range as an option's value to text. */
const char *range_text(const struct range *r, char text[RANGE_TEXT]);

enum option_kind {
	OPTION_FLAG, OPTION_COUNT, OPTION_INTEGER, OPTION_SEED, OPTION_REAL,
	OPTION_CHOICE, OPTION_PICK, OPTION_TEXT, OPTION_LIST, OPTION_RANGE,
	OPTION_EXTENTS, OPTION_TABLE, OPTION_TABLES,
	OPTION_PRESET,  /* no field: sets the options of a preset */
	OPTION_CONFIG,  /* no field: sets the options that a file describes */
};

/* An integer that may be omitted. */
struct integer {
	bool given;
	long value;
};

/* The seed of a random generator: any integer of 64 bits; may be omitted. */
struct seed {
	bool given;
	uint64_t value;
};

static inline struct integer integer_of(size_t value)
{
	return (struct integer){ true, (long)value };
}

/*
 * An omitted choice; words count from 0. Omitted counts are 0, which their
 * ranges exclude; omitted reals are NaN; omitted texts, lists and tables are
 * NULL.
 */
enum { NO_CHOICE = -1 };

/* The option is named as the field, its kind follows from the field's type. */
#define OPTION(type, field) OPTION_IN(0, type, field)

/* As above, where the struct lies at offset in the one that options fill. */
#define OPTION_IN(offset, type, field)                                  \
	.name = #field, .at = (offset) + offsetof(type, field),         \
	.kind = _Generic(((type *)0)->field,                            \
			 bool : OPTION_FLAG, size_t : OPTION_COUNT,     \
			 struct integer : OPTION_INTEGER,               \
			 struct seed : OPTION_SEED,                     \
			 double : OPTION_REAL,                          \
			 int : OPTION_CHOICE,                           \
			 struct pick : OPTION_PICK,                     \
			 const char * : OPTION_TEXT,                    \
			 struct list : OPTION_LIST,                     \
			 struct range : OPTION_RANGE,                   \
			 struct extents : OPTION_EXTENTS,               \
			 struct tables : OPTION_TABLES,                 \
			 const struct table * : OPTION_TABLE)

/* What kind of thing an option sets, so that no code depends on names. */
enum option_role {
	ROLE_CONVENTION,  /* how values are computed */
	ROLE_EXTENT,      /* how many positions or frequencies, and which */
	ROLE_COLUMNS,     /* how many columns; those of .raw tables, too */
	ROLE_ARITHMETIC,  /* whose arithmetic is reproduced, bit for bit */
	ROLE_FIGURE,      /* layout of a figure; does not apply to --plain */
	ROLE_PROGRAM,     /* how the program runs; does not change output */
	ROLE_FILE,        /* a file that the command reads itself */
};

struct option {
	const char *name;        /* the field: "max_distance" */
	size_t at;               /* where the field lies in its struct */
	enum option_kind kind;
	enum option_role role;
	bool required;
	const char *unless;      /* the option that a required one may be
				    replaced by, or NULL */
	bool unrecorded;         /* left out of commands and metadata */
	double min, max;         /* range of the value, if min < max; of each
				    extent, whose least is 1 */
	const char *initial;     /* default value as text, or NULL */
	const char *const *words; /* of a choice or pick, ends with NULL; those
				     of a pick take numbers: "shift:S",
				     "[:A,B]"; for a table, values that are
				     not files: they set a table without
				     row() whose title is the word; for a
				     text, what help lists */
	const char *const *meanings; /* what each of words stands for, or NULL:
					the help says it */
	const char *needs;       /* when it applies (needs.c), "len key-len",
				    "kind=xl, out=cos"; NULL: always */
	const char *const *word_needs; /* when each of words does; or NULL */
	const char *excludes;    /* conditions, "len key-len", none of which
				    may hold with it; or NULL */
	const char *implied;     /* of an omitted choice without initial: the
				    words that follow from others, "window:
				    swin; buckets: deberta; shaw"; or NULL */
	const char *arg;         /* what --help calls the value: "N"; how many
				    extents: "HxW", "HxW[xT]", "HxW|N",
				    "N[xN..]" */
	const char *help;        /* one line */

	/* How the subtitle of a figure names it: "1 position", "4 positions",
	   of a range without its end "heads 0 to 3"; NULL: "base 10000",
	   "split layout" */
	const char *one, *many;
	const char *phrase;      /* or this, with the value in place of '%':
				    "% mask"; "": not named, as other words of
				    the figure say it */
	const char *const *phrases; /* or this for each of words, with what
				       follows its colon in place of each '%';
				       where that is less, without what is in
				       brackets; NULL: as all others. "": not
				       named */
	const char *stated;      /* the options, "spacing periods", without
				    which it names the default, too; "": it
				    always does */
};

/* Options under a heading of the help. */
struct option_heading {
	const char *title;       /* "Grid" */
	const char *options;     /* as typed, "len start"; NULL: all that no
				    other heading names */
};

/* What a raw file does not state: its columns and element type. */
struct raw_kind {
	size_t dim;              /* columns; 0: unknown */
	int dtype;               /* in dtype_words, or NO_CHOICE */
	size_t threads;          /* of text; 0: number of CPUs */
	size_t most;             /* bytes that values may take; 0: not given */
};

/* Reads a file into a table that owns its values (format_read()). */
typedef bool table_reader(const char *path, const struct raw_kind *raw,
			  struct table *t, struct error *err);

/* Options of a command, "rotary-dim", and their values; "" of a flag. */
struct assignments {
	struct { const char *option, *value; } at[16];
	size_t n;
};

/*
 * Reads a model's configuration: to, options of a recipe with their values, in
 * memory of owner, which also gets notes (config_read()).
 */
typedef bool config_reader(const char *path, const char *recipe,
			   struct table *owner, struct assignments *to,
			   struct error *err);

struct later;

/* The struct that options fill, and what reading their values needs. */
struct fields {
	void *self;              /* that struct */
	struct table *owner;     /* of lists and tables that are read */
	table_reader *read;      /* NULL: tables cannot be read, not even as
				    lists, */
	config_reader *config;   /* or configurations */
	const struct table *given; /* the table that options name in place of a
				      file, or NULL */
	struct raw_kind raw;     /* for raw files */
	struct later *later;     /* options of guests (recipe.h) */
};

/* Whether the option's value names files of tables. */
bool option_reads_tables(const struct option *o);

/* A limit of a number, min or max; INTEGER_MOST at most for integers. */
double option_limit(const struct option *o, double limit);

/* Write the option as typed, "--max-distance" for max_distance. */
const char *option_flag(const struct option *o, char buffer[40]);

/* The index of the option's word of that name [length], "window" of "window:W";
   or NO_CHOICE. */
int option_word_index(const struct option *o, const char *name, size_t length);

static inline bool option_has_word(const struct option *o, const char *name,
				   size_t length)
{
	return option_word_index(o, name, length) != NO_CHOICE;
}

/* The option of that name in options (ends with {0}), or NULL. */
const struct option *option_find(const struct option *options,
				 const char *word, size_t length);

/* The first option that has the role, or NULL. */
const struct option *option_of_role(const struct option *options,
				    enum option_role role);

/* Set every field to its default; a failure is noted in err. */
void option_defaults(const struct option *options, struct fields *f,
		     struct error *err);

/*
 * The value of the option name [length] of self: the word of a choice; "" for
 * other kinds. NULL if it has none; where given is asked, also if it is the
 * default.
 */
typedef const char *value_of_option(const void *self, const char *name,
				 size_t length, bool given);

/* Whether what o needs holds; option_needs() fails where it does not. */
bool option_applies(const struct option *o, value_of_option *value,
		    const void *self);
bool option_needs(const struct option *o, value_of_option *value,
		  const void *self, struct error *err);

/* The word of the choice o that is implied where it is omitted. */
int option_implied(const struct option *o, value_of_option *value,
		   const void *self);

/* Set the field to the value of text. */
bool option_set(const struct option *o, struct fields *f, const char *text,
		struct error *err);

/* Whether the field has a value, given or by default. */
bool option_given(const struct option *o, const void *self);

/* The word of a choice or pick that has a value; "" for other kinds. */
const char *option_word(const struct option *o, const void *self);

enum { OPTION_ROOM = 256 };

/*
 * The value of the field as a user would type it, in text or, if the field
 * keeps the given text, there; "" if it has none.
 */
const char *option_text(const struct option *o, const void *self,
			char text[OPTION_ROOM]);

/* Whether the field's value differs from the default. */
bool option_changed(const struct option *o, const void *self);

#endif
