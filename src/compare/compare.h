/*
 * compare.h: posenc compare: how two tables differ, and what is measured of
 * noise and signs (compare.c), which simple change explains the difference
 * (explain.c), else which commands make the two tables, or which rotation is
 * between them (identified.c). All work on a struct comparison. This folder
 * includes identify, views, resize and the folders below them.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include <math.h>

#include "recipe/recipe.h"
#include "table/table.h"

/* A difference, the largest of its kind, and where it is. */
struct peak {
	double value;
	size_t row, col;
};

/*
 * Two tables, dense or on demand, and the tolerance: |a - b| up to atol +
 * rtol |b|, or up to ulp steps of dtype.
 */
struct comparison {
	const struct table *a, *b;
	enum dtype dtype;          /* the less precise of the two */
	double atol, rtol;
	double ulp;                /* -1: no steps are tolerated */
	size_t heads;              /* 0: unknown */
	bool shaped;               /* the shapes are equal */
	struct peak absolute;      /* the largest |a - b|; infinite for
				      unequal shapes; the rest is only of
				      tables of one shape: */
	struct peak relative, ulps;
	double sum;                /* of differences */
	size_t differing;          /* values, tolerance or not; */
	size_t outside;            /* those of them beyond the tolerance; */
	size_t nans;               /* and those NaN in one table only */
	double *row_most, *col_most; /* the largest difference in each */
	size_t row_count, col_count; /* with differences, */
	size_t worst_row, worst_col; /* and with the largest one */
};

/* The number of values. */
static inline size_t table_size(const struct table *t)
{
	return t->planes * t->rows * t->cols;
}

/* Row i, counted over all planes: [cols]. */
static inline const double *row_of(const struct table *t, size_t i)
{
	return t->row(t, i, NULL);
}

/* Value i of all, row by row. */
static inline double value_of(const struct table *t, size_t i)
{
	return row_of(t, i / t->cols)[i % t->cols];
}

/* Whether the values a and b are equal within the tolerance; NaN equals NaN. */
bool values_equal(const struct comparison *c, double a, double b);

/* |a - b|: 0 for equal infinities or two NaN; else infinite for any of them. */
static inline double value_difference(double a, double b)
{
	if (isfinite(a) && isfinite(b))
		return fabs(a - b);
	return (isnan(a) && isnan(b)) || (a <= b && a >= b)
		? 0 : (double)INFINITY;
}

/* The finite values of a table; low is greater than high if it has none. */
struct finite {
	double low, high, largest;  /* the largest magnitude */
	double deviation;           /* standard deviation */
};

struct finite finite_values(const struct table *t);

/* "2 x 3 x 4" */
const char *shape_words(const struct table *t, char text[SHAPE_TEXT]);

/* Whether the shapes are equal; leading dimensions of 1 do not count. */
bool same_shape(const struct table *a, const struct table *b);

enum { SENTENCE = 1024, ALSO_MOST = 8 };

/* Append to the sentence, as far as there is room. */
void add(char text[SENTENCE], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The change that turns A into B. */
struct explanation {
	char text[SENTENCE];       /* a sentence without its end */
	const char *command;       /* what makes B of A; or NULL */
	double residual;           /* the largest difference that remains */
	size_t heads, head_dim, rotary_dim;  /* 0: they don't matter */
	const char *order_of;      /* "row_order": where row i of B is in A; */
	const double *order;       /* [n]; or NULL */
	size_t n;
	const char *also[ALSO_MOST];  /* [ties] others that are exact, too */
	size_t ties;
	bool stopped;              /* the search took too long */
};

/* Whether all pairs of columns, split or not, are (amp sin x, amp cos x). */
bool has_waves(const struct table *t, bool split);

/*
 * These are for tables in memory, small enough for a quick search.
 *
 * Identify both. The commands and the parameters that differ are
 * reported and said in a clause, "A is ...; B is ...; they differ in ..."; it
 * is empty if there is a command for neither. Returns whether both tables are
 * known.
 */
bool explain_identified(const struct comparison *c, struct report *r,
			char text[SENTENCE]);

/*
 * List the values that differ, if these are few of all: "1 of 2048 values: row
 * 3, column 4 (0.5 in A, 9 in B)". Commands of parts would say less.
 */
bool explain_few(const struct comparison *c, struct report *r,
		 char text[SENTENCE]);

/* Find the rotation: "B is A rotated: 'posenc rope ...' fits with ..." */
bool explain_rotated(const struct comparison *c, struct report *r,
		     char text[SENTENCE]);

/* Identify B - A and A - B: "B is A plus the table of 'posenc ...'". */
bool explain_added(const struct comparison *c, struct report *r,
		   char text[SENTENCE]);

/* Whether only signs differ, of tables of one shape. */
bool same_magnitudes(const struct comparison *c);

/*
 * A clause about tables of one shape: "B is near A: B - A looks like normal
 * noise ...", or about signs or constants, or nothing.
 */
void add_measured(const struct comparison *c, char text[SENTENCE]);

/* A command or a value whose long words, such as lists, are cut. */
const char *cut_words(const char *from, char to[SENTENCE]);

/*
 * Find the change with the smallest residual. Its memory is owner's. False if
 * there is none, or if memory is short (err).
 */
bool explain(const struct comparison *c, struct explanation *e,
	     struct table *owner, struct error *err);

#endif
