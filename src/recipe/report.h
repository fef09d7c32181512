/* report.h: the results of a command that reports: facts in groups. */
#ifndef REPORT_H
#define REPORT_H

#include "table/table.h"

enum fact_kind {
	FACT_TEXT,     /* text */
	FACT_JSON,     /* text: a value in JSON */
	FACT_NUMBER,   /* number, with its unit or meaning in text, or NULL */
	FACT_PLACE,    /* number, and its row and column: numbers [2] */
	FACT_FLAG,     /* flag */
	FACT_VERDICT,  /* flag: PASS or FAIL; number: the measure, or NaN: both
			  are unknown; text: what was measured */
	FACT_NUMBERS,  /* numbers [n] */
	FACT_LINES,    /* lines [n] */
	FACT_SHAPE,    /* sizes [n] of dimensions */
	FACT_ROWS,     /* rows: the group is a list */
};

struct fact;

enum { CELLS_MOST = 6 };

/*
 * A list of things with the same facts each, its cells: in text a line of
 * aligned columns, in JSON an object. Those without a name are left out. In
 * text, they are FACT_TEXT or FACT_SHAPE.
 */
struct report_rows {
	size_t n;
	size_t shown;          /* the first cells, which text has, too */

	/* Set the first of cells [CELLS_MOST] to row i, valid until the next
	   call. Those after shown have no name, unless they are set. */
	void (*row)(const void *self, size_t i, struct fact *cells);
	const void *self;
	const struct report_rows *brief;  /* fewer rows, for text, or NULL */
};

/* One result. The owner of the report owns what it points to. */
struct fact {
	const char *group;     /* "rows"; facts of a group are adjacent */
	const char *name;      /* "norm_mean": the JSON key; with blanks for
				  underscores, the name in text */
	enum fact_kind kind;
	size_t item;           /* of the list that the group is, from 1 on; 0:
				  the group is none */
	bool flag;
	double number;
	const char *text;
	const double *numbers; /* [n] */
	const size_t *sizes;   /* [n] */
	const char *const *lines; /* [n] */
	const struct report_rows *rows;
	size_t n;
};

/*
 * Facts in the order in which they are shown. The functions below return no
 * errors: the first failure, always that memory ran out, is noted in err, which
 * the maker of the report checks at the end.
 */
struct report {
	struct table *owner;   /* of the memory */
	struct error *err;
	const char *headline;  /* the answer in one sentence */
	const char *reason;    /* its end, which explains it, or NULL */
	bool no;               /* the answer is no: exit status 1 */
	struct fact *facts;    /* [n] */
	size_t n, capacity;
	struct fact dropped;   /* takes facts when memory has run out */
	const char *group;     /* of the next facts */
	size_t item;           /* of its list, or 0 */
	size_t name_width;     /* least width of the column of names */
};

/* Begin a group; the name must outlive the report. */
void report_group(struct report *r, const char *group);

/* Begin the next item of the group, which is a list of sets of facts. */
void report_item(struct report *r);

/*
 * Add a fact to the group. name, unit and what must outlive the report; the
 * rest is copied.
 */
void report_text(struct report *r, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void report_value(struct report *r, const char *name, const char *json);
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

/* The group is a list, of rows that must outlive the report. */
void report_rows(struct report *r, const char *group,
		 const struct report_rows *rows);

/* Set the answer, one sentence. */
void report_headline(struct report *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
