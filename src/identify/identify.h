/*
 * identify.h: finds the command that made a table.
 *
 * A candidate is a command line, a recipe with its options as text. Its table
 * is generated and compared with the input; if both agree, the candidate is a
 * match. So the command that is reported is one that was run.
 *
 * Most families are rows of families.c: a recipe and its options, with what the
 * shape does not tell as unknowns. One engine (solve.c) fits these with the
 * command as the model. A family whose values turn, as sinusoids and RoPE do,
 * reads frequencies and phases of its columns first, and is one file.
 * search.c compares candidates and keeps matches; find.c runs all families on
 * the table, reading.c on other arrangements of it (transposed ...), fit.c
 * under noise; identify.c writes the report:
 *
 *   table -> profile -> families, sinusoid, rope ... -> search -> finding
 *               |            ^    (candidates)            ^          |
 *               |            |                            |          v
 *               +-> reading, fit, repair -----------------+      identify
 *
 * To add the family "spiral":
 *
 * 1. Add a row to families.c; families.h explains what it says:
 *
 *        { "spiral", "len=<n> dim=<cols> pitch=?2", of_waves, 4, false, NULL }
 *
 *    If unknowns need start values that no row can say, write a function
 *    void identify_spiral(struct search *s) that calls try_recipe() for each
 *    command that may have made the table, and add FAMILY(spiral) to list.h.
 * 2. Add commands whose tables must be found again to others() in
 *    tests/identify.py, and name the family in identify_recipe.details
 *    (identify.c); run make man.
 * 3. Run make check. If other tables are now found to be of the family, run
 *    tests/transcripts.py --update on the transcript and read its diff.
 *
 * Includes: table, exact, text, recipe, and recipes.h, the only way to an
 * encoding.
 */
#ifndef IDENTIFY_H
#define IDENTIFY_H

#include "identify/profile.h"
#include "recipe/report.h"
#include "recipes.h"
#include "table/limit.h"

/*
 * What is generated, and how far values may be from it besides rounding: in
 * units of profile.epsilon, because others compute in other ways.
 */
struct candidate {
	const char *recipe, *options;  /* "alibi", "heads=8 len=9" */
	const struct table *given;     /* the first columns of the input, which
					  options name "-"; of the search's
					  owner; or NULL */
	double absolute;
	double per_position;   /* times the absolute position of the row */
	double relative;       /* times the absolute value */
	double jump;           /* other arithmetic may round angles of a few
				  values the other way, by this relative step;
				  0: none */
	const char *note;      /* what the answer adds about it, or NULL */
	size_t independent;    /* frequencies, slopes or angles that a table of
				  another law could have; 0: there are none */
};

/*
 * How well a candidate agrees: all values are equal; all are neighbours at
 * most in the dtype or the digits of the input; or some are further away, by
 * what float32 or float64 arithmetic explains. None: it does not agree.
 */
enum grade { GRADE_NONE, GRADE_CLOSE, GRADE_ROUNDING, GRADE_EXACT };

/* Float32 changes residuals that are smaller, relative to the values. */
#define FLOAT32_NOISE 0x1p-20

enum { MAX_MATCHES = 24, MOST_WRONG = 16 };

/* A value of the input, and what the command of a match makes there. */
struct wrong {
	size_t row, col;
	double is, expected;
};

/* A candidate whose table agrees with the input. */
struct match {
	const struct recipe *recipe;
	struct candidate candidate;
	const char *command;   /* the command line that makes it */
	enum dtype dtype;      /* that the values were rounded to */
	bool plain;            /* the command has no --dtype or --precision */
	bool printed;          /* equal at --precision, as printed */
	bool rounded;          /* equal after rounding to fewer decimals, which
				  no option does */
	bool exact;            /* all values are equal: as they are, as printed
				  or as rounded */
	enum grade grade;
	double residual;       /* largest absolute difference, */
	size_t row, col;       /* and where it is */
	double rms;            /* root mean square of all differences */
	size_t unexplained;    /* values that arithmetic and one rounding to the
				  input's dtype do not make */
	bool explained;        /* they are no more than jumps may be */
	double step;           /* search.step, of matches under noise */
	bool stepped;          /* rounding to it explains all residuals */
	double bits;           /* that its options take (evidence.c) */
	double cost;           /* match_cost() */
	size_t jumps;          /* values out of tolerance */
	const struct wrong *wrong; /* [wrongs] values that are not made;
				  grades and residuals are of all others */
	size_t wrongs;
	bool few_frequencies;  /* if few values agree: few frequencies do */
};

/*
 * The columns of the input as columns of a candidate's table: column j is
 * sign[j] times column from[j] of all.
 */
struct columns {
	size_t all;
	const size_t *from;    /* [cols] */
	const double *sign;    /* [cols] 1 or -1 */
};

/* What tests say about residuals. */
struct residual_test {
	enum {
		RESIDUALS_UNTESTED,    /* there are too few */
		RESIDUALS_NOISE,       /* independent, or of rounding */
		RESIDUALS_UNEVEN,      /* larger in some rows or columns */
		RESIDUALS_SYSTEMATIC,  /* neighbours are correlated */
	} kind;
	char text[128];          /* a clause: ", which looks like ..." or "" */
};

struct search {
	const struct profile *profile;
	const struct columns *columns; /* of candidates; NULL: as they are */
	struct table *owner;   /* of the memory that matches use */
	struct error *err;     /* out of memory, which ends the search */
	struct match matches[MAX_MATCHES];
	size_t n;
	struct match nearest;  /* of candidates whose values are neighbours of
				  the input's, but not explained; recipe NULL:
				  none */
	const char *verdict;   /* what the table is though no command was found,
				  or NULL */
	const char *family;    /* the recipe that the verdict names */
	bool settled;          /* the verdict is the answer */
	bool strict;           /* accept exact matches only */
	/* Decides by options in place of a comparison, or NULL */
	bool (*judge)(void *judging, const char *options);
	void *judging;
	double begin, seconds; /* the budget of processor time */
	double asked, used;    /* when it was measured, and what it was then */
	bool stopped;          /* it is spent: not all candidates were tried */
	size_t tried;          /* candidates that were compared */
	bool few;              /* candidates say more than the values, however
				  well they agree */
	struct match agreeing; /* one whose values agree, but are too few for
				  its options: it is no match; recipe NULL:
				  none */
	const struct table *original; /* the input, where the profile is of a
				  repaired copy (repair.c); or NULL */
	const bool *skip;      /* [rows] those that a candidate need not make,
				  or NULL */
	size_t most_wrong;     /* values of it that a candidate need not make */
	bool near_wrong;       /* also values near what it makes: it is usual */
	const struct profile *plain; /* without assumed noise */
	double spread;         /* of the values, about the means of columns */
	double step;           /* that all values are multiples of, but for an
				  offset; or 0 */
	double off_step;       /* how far they are off at most */
	struct residual_test residuals;  /* of the best match */
};

/* How a table was read where it was found in another arrangement. */
struct reading {
	const char *text;          /* "transposed"; NULL: as it is */
	const char *made;          /* what the command makes: "this table,
				      transposed" */
	struct columns columns;    /* of the command's table; from NULL: all */
	bool flipped;              /* some signs of columns are -1 */
	const char *names[2];      /* of scale and offset in the report: of the
				      table, or of its rows or columns */
	const double *scale, *offset; /* [lines] that were undone */
	size_t lines;
	const char *const *rest;   /* [rests] what is said of other parts */
	size_t rests;
	struct profile profile;    /* of the table in that arrangement */
	struct table view;
};

/* Tables of more values are large. */
enum { LARGE = 1 << 20 };

/* What was found out about a table. */
struct finding {
	struct search search;      /* its matches, the best first */
	struct profile profile;    /* of the table as it is */
	struct profile rough;      /* with noise assumed */
	struct tone *tones;        /* [2 * cols] measure_columns(), or NULL */
	size_t fast;               /* how many are, 0: not measured */
	struct reading reading;
	bool under;                /* the match is under other values */
};

/*
 * Find the commands that make the table t, which must outlive f. It is dense,
 * unless it is large and has one plane of several rows and columns. What f
 * points to is owned by owner. Commands under other values are left out. Fails
 * if memory is short.
 */
bool find_command(struct finding *f, const struct table *t, struct table *owner,
		  struct error *err);

/*
 * The same within so many seconds: f->search.stopped tells if they passed. A
 * usual table is also found under other values that look like noise.
 */
bool find_command_within(struct finding *f, const struct table *t,
			 double seconds, struct table *owner,
			 struct error *err);

/*
 * Run all families on the table, profiled to p; whether there is a match. The
 * nearest command stays that of the input, of which t may be another
 * arrangement.
 */
bool run_families(struct search *s, struct profile *p, const struct table *t);

/*
 * Run them on t in other arrangements; whether there is a match, of which
 * f->reading tells the arrangement. Otherwise f is as before.
 */
bool find_reading(struct finding *f, const struct table *t);

/* The same in those that take a small part of the time for a large table. */
bool find_large_reading(struct finding *f, const struct table *t);

/* Zeroed memory for n elements of size bytes, owned by s->owner. */
void *search_alloc(struct search *s, size_t n, size_t size);

/* Text formatted as by printf(), owned by s->owner; NULL: out of memory. */
char *search_text(struct search *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Compare the candidate, its options given by format. A match is added to s;
 * returns whether it is one.
 */
bool try_candidate(struct search *s, const struct candidate *candidate,
		   const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with the usual relative tolerance. */
bool try_recipe(struct search *s, const char *recipe, double absolute,
		const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* How well the candidate agrees, which is not added. */
enum grade candidate_grade(struct search *s, const struct candidate *c);

/* Compare the candidate; a match is added to s. Whether it is one. */
bool search_compare(struct search *s, const struct candidate *c);

/* The search as it is, which is too large for stacks; NULL: out of memory. */
struct search *search_copy(struct search *s);

/* Go back to the search of before, but for whether its time is spent. */
void search_restore(struct search *s, const struct search *before);

/* Whether one of the matches from index first on is exact. */
bool search_has_exact(const struct search *s, size_t first);

/*
 * Drop matches with much larger residuals than the best; of each recipe, plain
 * commands go before others.
 */
void search_keep_best(struct search *s);

/*
 * Report a table without a match: verdict if not NULL, otherwise what its
 * statistics say.
 */
void report_unrecognized(const struct profile *p, const char *verdict,
			 struct report *r);

/*
 * The time that a search may take. Its loops ask search_over() often enough to
 * end within a fraction of a second. find_command() gives a search so many
 * seconds of processor time.
 */
#define SEARCH_SECONDS LIMIT(2.5, 0.001)

/* Set the deadline of s so many seconds from now. */
void search_begin(struct search *s, double seconds);

/* Report that the deadline, so many seconds, ended the search, if it did. */
void report_stop(const struct search *s, double seconds, struct report *r);

/*
 * Whether the deadline has passed; sets s->stopped. Before something that takes
 * several passes over so many values: of tens of millions, when less than about
 * half of the time is left.
 */
bool search_over_for(struct search *s, size_t values);

static inline bool search_over(struct search *s)
{
	return search_over_for(s, 0);
}

/*
 * Whether a loop goes on: what it did was good, and there is time. Here, so
 * that analysers see what ends a loop.
 */
static inline bool search_goes_on_for(struct search *s, bool good,
				      size_t values)
{
	return good & !search_over_for(s, values);
}

static inline bool search_goes_on(struct search *s, bool good)
{
	return search_goes_on_for(s, good, 0);
}

/* Whether values look like independent draws from a normal distribution. */
bool looks_like_noise(const struct table *t, struct table *owner,
		      struct error *err);

#define FAMILY(name) void identify_##name(struct search *s);
#include "identify/list.h"
#undef FAMILY

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
