/* report.h: what a view found out: facts in groups, for text or JSON. */
#ifndef REPORT_H
#define REPORT_H

#include "core/table.h"

enum fact_kind {
	FACT_TEXT,     /* text */
	FACT_NUMBER,   /* number, with its unit in text or NULL */
	FACT_PLACE,    /* number, and its row and column: numbers [2] */
	FACT_FLAG,     /* flag */
	FACT_VERDICT,  /* flag: PASS or FAIL; number, measured, or NaN where it
			  could not be; text, of what */
	FACT_NUMBERS,  /* numbers [n] */
	FACT_LINES,    /* lines [n] */
};

/* One thing that was found. All it points to is the report's owner's. */
struct fact {
	const char *group;     /* "rows"; facts of a group stand together */
	const char *name;      /* "norm_mean": a key in JSON, words in text */
	enum fact_kind kind;
	bool flag;
	double number;
	const char *text;
	const double *numbers; /* [n] */
	const char *const *lines; /* [n] */
	size_t n;
};

/*
 * Facts in the order in which they are shown. Nothing here returns an error:
 * the first failure, always want of memory, is noted in err, which who made
 * the report is to ask at the end.
 */
struct report {
	struct table *owner;   /* of the memory */
	struct error *err;
	const char *headline;  /* the answer in one sentence */
	bool no;               /* the answer is no: exit status 1 */
	struct fact *facts;    /* [n] */
	size_t n, room;
	struct fact lost;      /* where no memory is left for more */
	const char *group;     /* of the facts to come */
};

/* What follows belongs to this group; the name outlives the report. */
void report_group(struct report *r, const char *group);

/* Each adds a fact; name, unit and what outlive it, the rest is copied. */
void report_text(struct report *r, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void report_number(struct report *r, const char *name, double number,
		   const char *unit);
void report_place(struct report *r, const char *name, double number,
		  size_t row, size_t column);
void report_flag(struct report *r, const char *name, bool flag);
void report_verdict(struct report *r, const char *name, bool pass,
		    double number, const char *what);
void report_numbers(struct report *r, const char *name, const double *numbers,
		    size_t n);
void report_lines(struct report *r, const char *name,
		  const char *const *lines, size_t n);

/* The answer in one sentence. */
void report_headline(struct report *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
